// What the buttons below the board do: stepping, playing, ending the game, and changing its tree.

import { confirm, say, sayRemoved, tellError } from "./dialogs.js";
import { goesOnAfterItsEnd } from "./files.js";
import { askForGame } from "./new_game.js";
import { setSetting, settings } from "./store.js";
import { fitted, foundLevelText } from "./strength.js";
import { t } from "./words.js";
import { byId, element, setText } from "../../page/elements.js";
import { steppingButtons } from "../../page/stepping.js";

export class Commands {
  constructor(link, play, analysis, exchange) {
    Object.assign(this, { link, play, analysis, exchange });
    // Whether Kagetsu has where to remember the games that it loses.
    this.canLearn = () => false;
  }

  build() {
    const { play } = this;
    const labels = Object.fromEntries(["first", "previous", "next", "last"].map((step) => [step, t("step-" + step)]));
    byId("controls").replaceChildren(...steppingButtons(labels, (step) => play.step(step)));
    // With each move its number is read out already.
    byId("ply").setAttribute("aria-live", "off");
    // What goes wrong is told.
    const button = (id, act, key = id) =>
      element(
        "button",
        {
          type: "button",
          id,
          click: async () => {
            try {
              await act();
            } catch (error) {
              tellError(error);
            }
          },
          "data-t": key,
        },
        t(key),
      );
    byId("actions").replaceChildren(
      button("undo", () => play.undo()),
      button("redo", () => play.redo()),
      button("hint", () => this.hint()),
      button("move-now", () => play.engineTurn.moveNow()),
      button("pause", () => play.togglePause()),
      button("resign", () => this.resign()),
      button("offer-draw", () => this.offerDraw()),
      button("swap-sides", () => play.swapSides()),
      button("mode", () => this.changeMode(), "to-analysis"),
      button("play-here", () => play.playFromHere(), "to-play"),
    );
    byId("summary-buttons").replaceChildren(
      button("rematch", () => this.rematch()),
      button("summary-analyse", () => this.analysis.analyseGame(), "analyse-game"),
      button("summary-save", () => this.exchange.save(), "save"),
    );
    byId("move-buttons").replaceChildren(
      button("promote", () => this.promote()),
      button("remove-move", () => this.removeMove()),
    );
  }

  // Which of them there are now, and which can be pressed.
  draw() {
    const { play } = this;
    const { game, match } = play;
    const line = play.shownLine();
    const isPlay = match.mode === "play";
    const isOn = isPlay && !play.isOver;
    const set = (id, isHidden, isDisabled) => Object.assign(byId(id), { hidden: isHidden, disabled: isDisabled });
    setText(byId("ply"), game.ply() + " / " + game.ply(line.at(-1)));
    for (const id of ["first", "previous"]) byId(id).disabled = game.current === game.root;
    byId("next").disabled = game.current === line.at(-1);
    byId("last").disabled = game.current === play.lastNode;
    byId("undo").disabled = !play.canUndo;
    byId("undo").title =
      !play.canUndo || !isPlay
        ? ""
        : !play.isShowingTip
          ? t("undo-looking-back")
          : play.isDecided
            ? t("undo-decided")
            : "";
    byId("redo").disabled = !play.canRedo;
    // What can be of use later in the game stays in its place; after the end nothing of this can.
    const isOfNoUse = !isOn || !play.hasPerson;
    for (const id of ["resign", "offer-draw"]) set(id, isOfNoUse, !isOn || game.isEmpty);
    set("swap-sides", isOfNoUse, !isOn || Boolean(match.opening));
    set("hint", isOfNoUse, !isOn || !this.canHint);
    // It stays where it is between two moves, so that nothing jumps beside it.
    set("move-now", !isOn || !play.hasEngine, !play.engineTurn.isMoving);
    byId("pause").hidden = !play.canPause;
    byId("pause").textContent = t(match.isPaused ? "go-on" : "pause");
    // While a game is played, or a puzzle is solved, moves are taken back, not deleted, and are the main line.
    const isTree = !isPlay && !play.openPuzzle;
    set("remove-move", !isTree, !isTree || game.current === game.root);
    set("promote", !isTree, game.isMainLine(game.current));
    // An own game comes back as it was left. What was opened, or has lost that place, can only go on from what is
    // shown, and not from the end of a game.
    const isBack = !isPlay && play.leftNode !== null;
    byId("mode").textContent = t(isPlay ? "to-analysis" : isBack ? "to-game" : "to-play");
    set("mode", false, !isPlay && !isBack && play.isAtEnd);
    set("play-here", !isBack || play.isWhereLeft, play.isAtEnd);
    for (const id of ["mode", "play-here"]) byId(id).title = byId(id).disabled ? t("refused-over") : "";
    this.drawSweepButton();
  }

  // Whether the person whose turn it is can be helped, and the engine has nothing else to do.
  get canHint() {
    const { play, analysis } = this;
    return (
      !play.match.isPaused &&
      play.active.kind === "person" &&
      !play.match.opening &&
      play.hint.asked === null &&
      analysis.sweep === null &&
      !analysis.isAway
    );
  }

  drawSweepButton() {
    byId("summary-analyse").textContent = t(this.analysis.sweep ? "cancel" : "analyse-game");
    byId("summary-analyse").disabled = byId("analyse-game").disabled;
  }

  // ----- Games -----

  // Asks for a new game; `isFrom` proposes that it begins where the one that is shown stands.
  async newGame(isFrom = false) {
    const { play, exchange } = this;
    const from = play.isAtEnd ? null : isFrom;
    const prepare = (wanted) => this.prepare(wanted);
    const levelText = (rule, tell) => foundLevelText(this.link, rule, tell);
    const answer = await askForGame(play.usual, settings.name, play.game, from, this.canLearn(), levelText, prepare);
    if (!answer) return;
    const { options, begin } = answer;
    if (begin === undefined) return this.startGame(options);
    exchange.leave();
    play.continueWith(options, begin);
    setSetting("usual", play.usual);
  }

  // What the engine says of a game that was chosen: its `options` with the level that fits and, where it goes on from what
  // is shown, what continueWith() needs to `begin` it.
  async prepare({ isFrom, ...wanted }) {
    const { link, play } = this;
    const options = await fitted(wanted, link, play);
    if (!isFrom) return { options };
    // Another rule may not know the game.
    const { verdict } = await link.ask("position", { position: { ...play.game.position(), rule: options.rule } });
    if (verdict.kind !== "ongoing") throw { code: "illegal-move", message: t("refused-over") };
    const isTooLong = await goesOnAfterItsEnd(link, play.game, play.game.shownLine().at(-1), options.rule);
    return { options, begin: isTooLong ? t("another-rule", { rule: t("rule-" + options.rule) }) : null };
  }

  // A game that was still under way may have been left by mistake, so the way back to it is offered at once.
  startGame(options, begin = () => this.play.start(options)) {
    const wasOver = this.play.isOver;
    const offer = this.exchange.leave();
    begin();
    setSetting("usual", this.play.usual);
    if (offer && !wasOver) say(t("game-begun"), "info", offer);
  }

  async rematch() {
    const { play } = this;
    const { match } = play;
    const options = await fitted(play.options, this.link, play);
    // By now another game may have begun, which may be this one, asked for twice.
    if (play.match !== match) return;
    this.startGame(options, () => play.rematch(options));
  }

  // Back to the game that was left for the analysis. What was opened is nobody's game yet, so it is asked whose.
  async changeMode() {
    const { play } = this;
    if (play.match.mode === "play") play.setMode("analyse");
    else if (play.match.isOpened && !play.game.isEmpty) await this.newGame(true);
    else play.setMode("play");
  }

  // ----- During a game -----

  // The best move; the analysis waits for it. What is shown of a proof would hide it.
  async hint() {
    this.analysis.leaveProof();
    const button = byId("hint");
    const isFocused = document.activeElement === button;
    await this.play.hint.ask().catch(tellError);
    this.analysis.resume();
    // It was disabled meanwhile, and lost the focus.
    if (isFocused && document.activeElement === document.body) button.focus();
  }

  // Of two people at one board it is said who offers it.
  async offerDraw() {
    const { play } = this;
    const isFocused = document.activeElement === byId("offer-draw");
    const { match, hasEngine } = play;
    const isAgreed = hasEngine
      ? await play.engineAcceptsDraw()
      : await this.confirmInGame(t("draw-question", { color: t(play.resigning) }));
    // By now it may be another game.
    if (play.match !== match || match.mode !== "play") return;
    if (isAgreed) play.end(null, "agreed");
    else if (hasEngine) say(t("draw-declined"));
    this.focusAfterEnd(isFocused);
  }

  // Of two people at one board it is said who resigns.
  async resign() {
    const { play } = this;
    const isFocused = document.activeElement === byId("resign");
    const question = play.hasEngine ? t("resign-question") : t("resign-question-of", { color: t(play.resigning) });
    if (await this.confirmInGame(question)) play.resign();
    this.focusAfterEnd(isFocused);
  }

  // A question about the game, which has no answer any more once it is over, as where the time has run out.
  async confirmInGame(question) {
    const { play } = this;
    const close = ({ detail: what }) => {
      if (["end", "start"].includes(what)) byId("confirm")?.close("cancel");
    };
    play.addEventListener("change", close);
    const answer = await confirm(question);
    play.removeEventListener("change", close);
    return answer;
  }

  // A button that ends the game goes with it, and the focus goes on to what can be done then.
  focusAfterEnd(wasFocused) {
    if (wasFocused && this.play.isOver) byId("rematch").focus();
  }

  // ----- The tree -----

  promote() {
    const { play } = this;
    play.game.promote(play.game.current);
    play.changed("tree");
  }

  async removeMove() {
    const { play } = this;
    const { game } = play;
    if (play.match.mode === "play" || !game.current.parent) return;
    if (game.current.children.length && !(await confirm(t("remove-question")))) return;
    // By now it may be another game.
    if (play.game !== game) return;
    sayRemoved(t("move-removed"), play.remove(game.current));
  }
}
