// Puzzles: positions in which the side to move wins by fours alone. Whoever solves one plays that side, the page answers
// each four, and the solver says whether the next one still wins.

import { say } from "./dialogs.js";
import { Game, opposite } from "./game.js";
import { bringIntoSight } from "./in_sight.js";
import { allPuzzles, nextOf, noteSolved, pickPuzzle } from "./puzzle_list.js";
import { t } from "./words.js";
import { byId, element, setText } from "../../page/elements.js";
import { readMoves } from "../../page/points.js";

// The board of every puzzle.
const SIDE = 15;
// How long the solver may think about a move, in ms. No puzzle needs a tenth of it.
const PATIENCE = 10000;

// The position of a puzzle. Its stones are written in turn, Black's first.
function gameOf({ rule, stones }) {
  const game = new Game(rule, SIDE, SIDE);
  const points = readMoves(stones, SIDE, "top");
  const of = (turn) => points.filter((_, n) => n % 2 === turn);
  game.changeRoot({ setup: { black: of(0), white: of(1) } });
  return game;
}

export class Puzzles {
  constructor(link, play, analysis, exchange, panel) {
    Object.assign(this, { link, play, analysis, exchange, panel });
    // The node whose move is being judged.
    this.judged = null;
    play.addEventListener("change", () => this.follow());
  }

  // The puzzle that is to be solved now, or null.
  get open() {
    return this.play.openPuzzle;
  }

  // Whether the side that wins is to move in what is shown.
  get isTurn() {
    return this.play.game.toMove() === this.play.match.puzzle.color;
  }

  // The try that has failed and is shown still: {key, at}, where `key` says why and `at` is the key of its last node; null
  // if there is none. It is kept with the game.
  get failed() {
    return this.open?.failed ?? null;
  }

  // Lets one be chosen.
  async show() {
    const { match, usual } = this.play;
    const chosen = await pickPuzzle(match.puzzle ?? { rule: usual.rule });
    if (chosen) this.begin(chosen);
  }

  // Shows a puzzle. The game that was there becomes the game before.
  begin({ id, rule, fours, number, ...puzzle }) {
    const { play, exchange } = this;
    const offer = exchange.leave();
    const game = gameOf({ rule, ...puzzle });
    play.open(game, null, { id, rule, fours, number, color: game.toMove(), state: "open" });
    if (offer) say(t("puzzle-begun"), "info", offer);
    bringIntoSight(byId("puzzle-bar"), {});
  }

  async next() {
    const { id, rule } = this.play.match.puzzle;
    this.begin(nextOf(await allPuzzles(), rule, id));
  }

  // ----- Solving it -----

  // A click on the board. Returns why it does nothing, as the key of a text, or null.
  click(point) {
    if (this.judged) return null;
    if (this.failed) return "refused-try-again";
    if (this.isTurn) return this.play.tryMove(point);
    // Whoever has gone back to a move of theirs sees what was answered to it.
    this.play.step("next");
    return null;
  }

  // Keeps up with what is shown: a move of the side that wins is judged, and a try that is left is taken back.
  follow() {
    const { game } = this.play;
    const { current } = game;
    if (this.failed && game.keyOf(current) !== this.failed.at) return this.tryAgain();
    if (!this.open || this.failed || this.judged === current || this.isTurn || current.children.length) return;
    this.judge(current);
  }

  async judge(node) {
    const { play } = this;
    const { game } = play;
    // Whoever looks at another position meanwhile has it judged when they come back.
    const isWanted = (shown) => this.judged === node && play.game === game && this.open && game.current === shown;
    this.judged = node;
    try {
      const verdict = await this.answer(node, isWanted);
      if (!verdict) return;
      this.judged = null;
      if (verdict.isSolved) return this.solved(verdict.key);
      if (verdict.key) this.open.failed = { key: verdict.key, at: game.keyOf(game.current) };
      play.changed("puzzle");
    } catch (error) {
      // Once the engine is back, what is shown is judged again.
      if (error.code !== "lost" && play.game === game)
        play.dispatchEvent(new CustomEvent("trouble", { detail: error }));
    } finally {
      if (this.judged === node) this.judged = null;
    }
  }

  // Answers the move of a node on the board, and says what it was worth: {isSolved, key}; null where it is not wanted any
  // more.
  async answer(node, isWanted) {
    const { play } = this;
    const own = this.open.color;
    const facts = await play.factsOf(node);
    if (!isWanted(node)) return null;
    if (facts.verdict.kind === "win") return { isSolved: true, key: "puzzle-solved" };
    const fives = (color) => facts.threats[color].filter(([, , kind]) => kind === "five").map(([x, y]) => [x, y]);
    if (!fives(own).length) return { key: "puzzle-no-four" };
    const [better] = fives(opposite(own));
    const isForbidden = ([x, y]) => facts.forbidden.some((foul) => foul[0] === x && foul[1] === y);
    const reply = better ?? fives(own).find((point) => !isForbidden(point));
    if (!reply) return { isSolved: true, key: "puzzle-no-reply" };
    play.place(reply);
    if (better) return { key: "puzzle-five" };
    const { current } = play.game;
    const position = play.game.position(current);
    const { verdict } = await this.link.ask("solve", { position, space: "vcf", limits: { ms: PATIENCE } });
    return isWanted(current) ? { key: verdict === "none" ? "puzzle-no-win" : null } : null;
  }

  solved(key) {
    const { play } = this;
    const { puzzle } = play.match;
    Object.assign(puzzle, { state: "solved", key });
    noteSolved(puzzle);
    play.changed("puzzle");
  }

  // Takes a try back that has failed, or was left.
  tryAgain() {
    const { play, open: puzzle } = this;
    const { game } = play;
    const end = game.nodes().find((node) => game.keyOf(node) === puzzle.failed.at);
    delete puzzle.failed;
    // Where it was deleted, there is nothing to be taken back.
    if (end) game.remove(end.color === puzzle.color ? end : end.parent);
    play.tip = game.current;
    play.changed("undo");
  }

  // The analysis shows how the position is won that is shown, or that the last try has begun at.
  solution() {
    const { play } = this;
    this.judged = null;
    if (this.failed) this.tryAgain();
    if (!this.isTurn) play.step("previous");
    play.match.puzzle.state = "given";
    play.changed("puzzle");
    return this.analysis.solve("vcf");
  }

  // ----- Drawing -----

  build() {
    const button = (id, act) =>
      element(
        "button",
        {
          type: "button",
          id,
          click: () => Promise.resolve(act()).catch((error) => this.tell(error)),
        },
        t(id),
      );
    byId("puzzle-buttons").replaceChildren(
      button("puzzle-try-again", () => this.tryAgain()),
      button("puzzle-solution", () => this.solution()),
      button("puzzle-next", () => this.next()),
      button("puzzle-all", () => this.show()),
    );
  }

  tell(error) {
    this.play.dispatchEvent(new CustomEvent("trouble", { detail: error }));
  }

  draw() {
    const { puzzle } = this.play.match;
    byId("puzzle-bar").hidden = !puzzle;
    if (!puzzle) return;
    const { color, fours, number, rule } = puzzle;
    const isAtStart = this.play.game.current === this.play.game.root;
    const name = t("puzzle-ask", { number, rule: t("rule-" + rule), color: t(color), n: fours });
    const words = {
      open: this.failed
        ? t(this.failed.key, { color: t(opposite(color)) })
        : isAtStart
          ? t("puzzle-begin")
          : this.isTurn
            ? t("puzzle-right")
            : t("puzzle-to-reply", { color: t(opposite(color)) }),
      solved: t(puzzle.key || "puzzle-solved"),
      given: t("puzzle-given"),
    };
    setText(byId("puzzle-name"), name);
    setText(byId("puzzle-text"), words[puzzle.state]);
    byId("puzzle-bar").dataset.state = this.failed ? "failed" : puzzle.state;
    byId("puzzle-try-again").hidden = !this.failed;
    byId("puzzle-solution").hidden = puzzle.state !== "open";
    byId("puzzle-next").classList.toggle("main", puzzle.state !== "open");
  }
}
