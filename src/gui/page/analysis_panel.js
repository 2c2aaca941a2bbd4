// The panel of the analysis: lines of play, tools, layers of the board, and a proof to play through.

import { announce, checkField, say, select } from "./dialogs.js";
import { count, nodeText, percent, timeText } from "./figures.js";
import { FoundLines } from "./found_lines.js";
import { knownValue } from "./hindsight.js";
import { noteThreats } from "./hint.js";
import { bringIntoSight } from "./in_sight.js";
import { reply } from "./proof.js";
import { ProofPanel } from "./proof_panel.js";
import { setSetting, settings } from "./store.js";
import { t } from "./words.js";
import { byId, element, setText } from "../../page/elements.js";

// The moves of a line that are read aloud.
const MOST_HEARD = 6;

export function buildAnalysisPanel(analysis, play, panel) {
  const button = (id, action, title) =>
    element("button", { type: "button", id, title: title && t(title), click: action, "data-t": id }, t(id));
  byId("analysis-buttons").replaceChildren(
    select(
      "line-count",
      t("line-count"),
      [1, 2, 3, 5, 8].map((n) => [n, String(n)]),
      settings.lines,
      (n) => {
        setSetting("lines", Number(n));
        analysis.changeLines();
      },
    ),
    element(
      "button",
      { type: "button", id: "analyse", class: "main", "aria-pressed": "false", click: toggle },
      t("analyse"),
    ),
  );
  byId("analysis-tools").replaceChildren(
    button("analyse-game", () => analysis.analyseGame()),
    button("solve-vcf", () => analysis.solve("vcf"), "vcf-means"),
    button("solve-vct", () => analysis.solve("vct"), "vct-means"),
    button("balance-one", () => balance(1)),
    button("balance-two", () => balance(2)),
  );
  function toggle() {
    analysis.toggle();
    if (!analysis.isOn) tellBestLine(analysis, panel);
  }

  const layer = (name) =>
    checkField("layer-" + name, t("layer-" + name), settings[name], (isOn) => {
      setSetting(name, isOn);
      if (name === "heat" && isOn) analysis.heat();
      noteThreats(play, settings.threats && !analysis.isAllowed);
      panel.redraw();
    });
  byId("layers").replaceChildren(
    element("legend", {}, t("layers")),
    layer("threats"),
    layer("forbidden"),
    layer("heat"),
  );
  panel.lines ||= new FoundLines(panel, ({ moves }) => {
    // A game between two people goes on as it was: what is tried is tried in the analysis.
    if (play.match.mode === "analyse") play.place(moves[0]);
    else play.tryLine(play.game.current, moves.slice(0, 1));
  });
  panel.proof = new ProofPanel(analysis, play, panel);

  async function balance(moves) {
    analysis.leaveProof();
    try {
      const found = await analysis.balance(moves);
      if (!found) return;
      play.hint.show(found);
      panel.redraw();
    } catch (error) {
      analysis.dispatchEvent(new CustomEvent("trouble", { detail: error }));
    }
  }

  // A click on the board while a proof is shown: the defender's reply.
  panel.followProof = (point) => {
    const wasListed = play.game.stoneAt(point) || play.game.isDead(point) ? null : reply(analysis.proof.found, point);
    if (wasListed === null) return;
    if (!wasListed) say(t("proof-other-reply"));
    panel.redraw();
  };
}

// The lines change too often to be read aloud while they come in, so the best of them is told at the end.
export function tellBestLine({ lines: [best] }, { name }) {
  if (!best) return;
  const moves = best.moves.slice(0, MOST_HEARD).map(name).join(" ");
  announce(t("said-of", { what: t("cell-line", { n: 1, share: percent(best.win_rate) }), text: moves }));
}

export function drawAnalysis(analysis, play, panel) {
  const { isAllowed, isAway, isRunning, sweep } = analysis;
  const toggle = byId("analyse");
  toggle.setAttribute("aria-pressed", String(isRunning));
  toggle.textContent = t(isRunning ? "analyse-stop" : "analyse");
  // One job runs at a time: while a whole game is gone through, it is not to be disturbed. And where the game is over there
  // is nothing to be found, which the live analysis says by itself.
  for (const control of [toggle, ...byId("analysis-tools").children]) {
    const isOfGame = control.id === "analyse-game";
    const isIdle = isOfGame ? !sweep && play.shownLine().length < 2 : play.isAtEnd && control !== toggle;
    control.disabled = !isAllowed || isAway || isIdle || Boolean(sweep && !isOfGame);
  }
  byId("analysis-state").textContent = stateText(analysis);
  panel.lines.show(analysis.lines, analysis.job !== null, isAllowed ? settings.lines : 0);
  drawBar(analysis, play);
  byId("sweep").hidden = !sweep;
  byId("analyse-game").textContent = t(sweep ? "cancel" : "analyse-game");
  if (sweep) Object.assign(byId("sweep-progress"), { max: sweep.all, value: sweep.done });
  drawEven(analysis, panel);
  panel.proof.draw();
}

function drawEven({ even }, panel) {
  const box = byId("even");
  box.hidden = !even;
  if (!even) return;
  const { moves, share, color, isStopped } = even;
  const names = { moves: (moves || []).map(panel.name).join(" ") };
  setText(
    box,
    isStopped
      ? t("search-stopped")
      : !moves
        ? t("thinking")
        : !moves.length
          ? t("analysis-nothing")
          : share === null
            ? t("balanced", names)
            : t("balanced-share", { ...names, color: t(color), share: percent(share) }),
  );
  bringIntoSight(box, even, even.isRunning);
}

function stateText({ isAllowed, isAway, isOn, isWaiting, link, play, sweep, job, lines, progress }) {
  if (!isAllowed) return t(play.openPuzzle ? "analysis-later-puzzle" : "analysis-later");
  if (isAway) return t(link.state === "over" ? "error-lost" : "engine-waited");
  if (lines.length) {
    const { depth, nodes, ms } = progress;
    const searched = { depth, nodes: nodeText(nodes) };
    // In less than a millisecond there is no speed to be told.
    if (!ms) return t("analysis-state-at-once", searched);
    return t("analysis-state", { ...searched, speed: count((nodes / ms) * 1000), time: timeText(ms) });
  }
  if (isOn && isWaiting) return t("error-busy");
  if (isOn) return t(job || sweep ? "thinking" : "analysis-nothing");
  return t("analysis-off");
}

// What is known of the position that is shown, from the live analysis or from that of the whole game.
function drawBar({ isAllowed }, play) {
  const bar = byId("eval-bar");
  const value = knownValue(play.game.current);
  // Its place is kept where nothing is known yet, so that the board does not move.
  bar.hidden = !isAllowed;
  bar.classList.toggle("unknown", !value);
  if (!value) return;
  bar.style.setProperty("--black", (100 * value.black).toFixed(1) + "%");
  bar.setAttribute("aria-label", t("share-of-black", { share: percent(value.black) }));
}
