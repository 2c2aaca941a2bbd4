// Tells a person who plays against the engine what the last move has overlooked, if the settings say so.

import { say, unsay } from "./dialogs.js";
import { mover, opposite } from "./game.js";
import { overlooked } from "./hint.js";
import { settings } from "./store.js";
import { t } from "./words.js";
import { pointName } from "../../page/points.js";

// Positions of which it was told: who has closed the message does not see it again.
const told = new WeakSet();

// Called when something has changed. What was said holds until the person moves again or takes the move back.
export function followOverlooked(play, what) {
  if (["start", "undo", "end", "mode"].includes(what)) unsay("warning");
  if (what === "facts" && settings.warnings) tellOverlooked(play);
}

// Whether a person has made the move of this node against the engine, in a game that goes on from there and shows it, and
// has not been told of it.
function isWatched(play, tip) {
  const { match, facts } = play;
  const isPlayed = match.mode === "play" && !play.isOver && !play.openPuzzle && !match.opening && play.hasEngine;
  const isShown = Boolean(facts) && play.tip === tip && play.isShowingTip;
  return isPlayed && isShown && Boolean(tip.move) && !told.has(tip) && play.playerAt(mover(tip)).kind === "person";
}

// Called when it is known what can be made in the position that is shown. Whoever is told and lets the move stand has not
// been helped: a level that people lose to would seem to fit them, if their lost games did not count.
async function tellOverlooked(play) {
  const { tip, facts } = play;
  if (!isWatched(play, tip)) return;
  unsay("warning");
  // Mostly it is known from before the move; without it nothing can be blamed.
  const before = await play.factsOf(tip.parent).catch(() => null);
  if (!before || !isWatched(play, tip)) return;
  const color = mover(tip);
  const found = overlooked(facts.threats, before.threats, color);
  if (!found) return;
  told.add(tip);
  const points = found.points.map((point) => pointName(point, play.game.height, settings.rows)).join(", ");
  say(t("overlooked-" + found.kind, { color: t(opposite(color)), points }), "warning", {
    label: t("undo"),
    act: () => play.undo(),
  });
}
