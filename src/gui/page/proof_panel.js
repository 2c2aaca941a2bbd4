// What the solver says, and the buttons that play through its proof. They stay in place while it works, so that no click
// is lost.

import { announce } from "./dialogs.js";
import { nodeText, timeText } from "./figures.js";
import { opposite } from "./game.js";
import { bringIntoSight } from "./in_sight.js";
import { longestReply, proofStage, proofStones } from "./proof.js";
import { rowReason } from "./result.js";
import { t } from "./words.js";
import { byId, element, setText } from "../../page/elements.js";
import { completedLines } from "../../page/points.js";

// Whose move is wanted while a proof is played through, or how it ends, on a board with these stones: the turn there is
// that of the winner.
export function proofStateText(proof, { stones, next: attacker }) {
  const stage = proofStage(proof);
  if (stage === "five") {
    const placed = [...stones, ...proofStones(proof, attacker)].filter(({ color }) => color === attacker);
    const own = placed.map(({ at }) => at);
    return t("won-" + rowReason(completedLines(own.at(-1), own)), { winner: t(attacker) });
  }
  if (stage === "cut") return t("proof-cut");
  return t("proof-to-reply", { color: t(opposite(attacker)) });
}

// The same in a few words, for the title of the page. Where the rest was not sent, a reply would be wanted.
export function proofTitleText(proof, attacker) {
  return proofStage(proof) === "five"
    ? t("title-wins", { color: t(attacker) })
    : t("title-to-move", { color: t(opposite(attacker)) });
}

export class ProofPanel {
  constructor(analysis, play, panel) {
    Object.assign(this, { analysis, play, panel });
    const button = (id, action) => element("button", { type: "button", id, click: action }, t(id));
    const step = (action) => () => {
      action(analysis.proof.found);
      panel.redraw();
    };
    this.state = element("p", { id: "proof-state", role: "status" });
    this.moves = element("p", { id: "proof-moves", class: "dim" });
    this.stage = element("p", { id: "proof-stage" });
    this.back = button(
      "proof-back",
      step(({ path }) => {
        if (path.length > 1) path.pop();
      }),
    );
    this.on = button("proof-on", step(longestReply));
    this.close = button("proof-close", () => this.leave());
    // How far the proof was told to those who hear the page.
    this.told = { found: null, moves: 0 };
    byId("proof").replaceChildren(
      this.state,
      this.moves,
      this.stage,
      element("div", { class: "buttons" }, this.back, this.on, this.close),
    );
  }

  // The button is gone with what it closes, and the focus goes back to where that came from.
  leave() {
    const { space } = this.analysis.proof;
    const isFocused = document.activeElement === this.close;
    this.analysis.closeProof();
    if (isFocused) byId("solve-" + space).focus();
  }

  // Tells the moves that are new, or where some were taken back, the last one that is left.
  tell(found, stones) {
    const { told } = this;
    if (told.found === found && told.moves === stones.length) return;
    const news = stones.slice(told.found === found && told.moves < stones.length ? told.moves : -1);
    this.told = { found, moves: stones.length };
    announce(
      news
        .map(({ at, color, number }) => t("heard-move", { color: t(color), point: this.panel.name(at), number }))
        .join(". "),
    );
  }

  draw() {
    const { proof } = this.analysis;
    byId("proof").hidden = !proof;
    if (!proof) return;
    this.drawProof(proof);
    bringIntoSight(byId("proof"), proof, proof.isRunning);
  }

  drawProof(proof) {
    const { found, isRunning } = proof;
    for (const part of [this.moves, this.stage, this.back, this.on]) part.hidden = !found;
    this.close.textContent = t(isRunning ? "cancel" : "close");
    // Figures that change all the time are not read out, what was found is.
    this.state.setAttribute("aria-busy", String(isRunning));
    setText(this.state, isRunning ? this.progress(proof) : found ? this.win(proof.answer) : this.nothing(proof));
    if (!found) return;
    const stage = proofStage(found);
    const stones = proofStones(found, this.play.game.toMove());
    this.tell(found, stones);
    this.moves.textContent = stones.map(({ at, number }) => number + ". " + this.panel.name(at)).join(" ");
    this.stage.textContent = t(
      { replies: "proof-choose", threat: "proof-no-reply", five: "proof-end", cut: "proof-cut" }[stage],
    );
    this.back.disabled = found.path.length === 1;
    this.on.disabled = !["replies", "threat"].includes(stage);
  }

  progress({ space, progress }) {
    return (
      t("solving", { space: space.toUpperCase() }) +
      (progress ? " " + t("solving-progress", { nodes: nodeText(progress.nodes), time: timeText(progress.ms) }) : "")
    );
  }

  win({ plies, nodes, ms, checked }) {
    return (
      t("is-won", { color: t(this.play.game.toMove()), n: plies, plies, nodes: nodeText(nodes), time: timeText(ms) }) +
      (checked ? " " + t("proof-checked") : "")
    );
  }

  nothing({ space, answer }) {
    const { verdict, nodes, ms, stopped } = answer || {};
    if (stopped) return t("search-stopped");
    return t(verdict === "none" ? "no-win" : "win-unknown", {
      space: space.toUpperCase(),
      nodes: nodeText(nodes),
      time: timeText(ms),
    });
  }
}
