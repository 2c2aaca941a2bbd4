// Tells a person who plays against the engine what the last move has overlooked, if the settings say so.

import { say, unsay } from "./dialogs.js";
import { opposite } from "./game.js";
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

// Called when it is known what can be made in the position that is shown. Whoever is told and lets the move stand has not
// been helped: a level that people lose to would seem to fit them, if their lost games did not count.
async function tellOverlooked(play) {
  const { match, tip, facts } = play;
  const isPlayed = match.mode === "play" && !play.isOver && !play.openPuzzle && !match.opening;
  if (!isPlayed || !facts || !play.isShowingTip || !tip.move || told.has(tip)) return;
  const color = opposite(play.game.toMove(tip));
  if (!play.hasEngine || play.playerAt(color).kind !== "person") return;
  unsay("warning");
  // It was known before the move, so this is no question to the engine; without it nothing can be blamed.
  const before = await play.factsOf(tip.parent).catch(() => null);
  const found = before && play.tip === tip && overlooked(facts.threats, before.threats, color);
  if (!found || told.has(tip)) return;
  told.add(tip);
  const points = found.points.map((point) => pointName(point, play.game.height, settings.rows)).join(", ");
  say(t("overlooked-" + found.kind, { color: t(opposite(color)), points }), "warning", {
    label: t("undo"),
    act: () => play.undo(),
  });
}
