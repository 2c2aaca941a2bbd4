// Puzzles: positions in which the side to move wins by fours alone. Whoever solves one plays that side, the page answers
// each four, and the solver says whether the next one still wins.

import { announce, sayRemoved } from "./dialogs.js";
import { ASK_AGAIN } from "./engine_turn.js";
import { areKeysInUse } from "./focus.js";
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
    // Whether the solution is shown is for the analysis to say.
    analysis.addEventListener("change", () => this.draw());
  }

  // The puzzle that is to be solved now, or null.
  get open() {
    return this.play.openPuzzle;
  }

  // Whether the side that wins is to move in what is shown.
  get isTurn() {
    return this.play.game.toMove() === this.play.match.puzzle.color;
  }

  // Whether the position that is shown, where that side is to move, is the start or was found to be won still. What was
  // found is kept with the game: the word on a reply may come late, or never.
  get isRight() {
    const { game } = this.play;
    return game.current === game.root || Boolean(this.open?.right?.includes(game.keyOf(game.current)));
  }

  // Whether a stone can be placed now, as far as the puzzle goes; anywhere else it can.
  get isReady() {
    return !this.open || (this.isTurn && this.isRight && !this.failed && !this.judged);
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
    if (!chosen) return;
    this.begin(chosen);
    if (areKeysInUse()) this.panel.toBoard();
  }

  // Shows a puzzle. The game that was there becomes the game before.
  begin({ id, rule, fours, number, ...puzzle }) {
    const { play, exchange } = this;
    exchange.leave();
    const game = gameOf({ rule, ...puzzle });
    play.open(game, null, { id, rule, fours, number, color: game.toMove(), state: "open" });
    announce(this.name + " " + t("puzzle-begin"));
  }

  async next() {
    const { match } = this.play;
    const puzzles = await allPuzzles();
    // By now it may be another game.
    if (this.play.match === match) this.begin(nextOf(puzzles, match.puzzle.rule, match.puzzle.id));
  }

  // ----- Solving it -----

  // A click on the board. Returns why it does nothing, as the key of a text, or null.
  click(point) {
    const { current } = this.play.game;
    // It is about to be told whether the move before was right.
    if (this.judged && [current, current.parent].includes(this.judged)) return null;
    if (this.failed) return "refused-try-again";
    if (this.isTurn) return this.isRight ? this.play.tryMove(point) : "refused-wait";
    // Whoever has gone back to a move of theirs sees what was answered to it.
    this.play.step("next");
    return null;
  }

  // Keeps up with what is shown: a move of the side that wins is judged, and a try that is left is taken back.
  follow() {
    const { game } = this.play;
    const { current } = game;
    if (this.failed && game.keyOf(current) !== this.failed.at) return this.tryAgain();
    if (!this.open || this.failed || (this.isTurn ? this.isRight : current.children.length)) return;
    // A reply that lies there without a verdict, as after a reload, is judged with the move that it answers.
    const node = this.isTurn ? current.parent : current;
    if (this.judged !== node) this.judge(node);
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
      // What is shown is judged again, once the engine is back or has room.
      if (error.code === "busy") return void setTimeout(() => this.judged === null && this.follow(), ASK_AGAIN);
      if (error.code !== "lost" && play.game === game)
        play.dispatchEvent(new CustomEvent("trouble", { detail: error }));
    } finally {
      if (this.judged === node) this.judged = null;
    }
  }

  // Answers the move of a node on the board, unless the answer lies there, and says what it was worth: {isSolved, key};
  // null where it is not wanted any more.
  async answer(node, isWanted) {
    const { play } = this;
    const own = this.open.color;
    const shown = play.game.current;
    const facts = await play.factsOf(node);
    if (!isWanted(shown)) return null;
    if (facts.verdict.kind === "win") return { isSolved: true, key: "puzzle-solved" };
    const fives = (color) => facts.threats[color].filter(([, , kind]) => kind === "five").map(([x, y]) => [x, y]);
    if (!fives(own).length) return { key: "puzzle-no-four" };
    const [better] = fives(opposite(own));
    const isForbidden = ([x, y]) => facts.forbidden.some((foul) => foul[0] === x && foul[1] === y);
    const reply = better ?? fives(own).find((point) => !isForbidden(point));
    if (!reply) return { isSolved: true, key: "puzzle-no-reply" };
    if (shown === node) play.place(reply);
    if (better) return { key: "puzzle-five" };
    const { current } = play.game;
    const position = play.game.position(current);
    const { verdict } = await this.link.ask("solve", { position, space: "vcf", limits: { ms: PATIENCE } });
    if (!isWanted(current)) return null;
    if (verdict === "none") return { key: "puzzle-no-win" };
    this.open.right = [...(this.open.right || []), play.game.keyOf(current)];
    return { key: null };
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
    const move = end?.color === puzzle.color ? end : end?.parent;
    const isWritten = [move, end].some((node) => node?.comment || node?.marks.length);
    if (!move) return play.changed("undo");
    const act = play.remove(move);
    // What somebody has written about it is not to be lost.
    if (isWritten) sayRemoved(t("move-removed"), act);
  }

  // The analysis shows how the position is won that is shown, or that the last try has begun at.
  solution() {
    const { play } = this;
    this.judged = null;
    if (this.failed) this.tryAgain();
    while (!this.isTurn || (this.open && !this.isRight)) play.step("previous");
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

  // What is to be found.
  get name() {
    const { color, fours, number, rule } = this.play.match.puzzle;
    return t("puzzle-ask", { number, rule: t("rule-" + rule), color: t(color), n: fours });
  }

  draw() {
    const { puzzle } = this.play.match;
    byId("puzzle-bar").hidden = !puzzle;
    if (!puzzle) return;
    const { color } = puzzle;
    const isAtStart = this.play.game.current === this.play.game.root;
    const isShown = Boolean(this.analysis.proof);
    // Until a reply was judged, what was said before it stays.
    const said = byId("puzzle-text").textContent;
    const words = {
      open: this.failed
        ? t(this.failed.key, { color: t(opposite(color)) })
        : isAtStart
          ? t("puzzle-begin")
          : this.isTurn
            ? this.isRight
              ? t("puzzle-right")
              : said
            : t("puzzle-to-reply", { color: t(opposite(color)) }),
      solved: t(puzzle.key || "puzzle-solved"),
      given: isShown ? t("puzzle-given") : "",
    };
    setText(byId("puzzle-name"), this.name);
    setText(byId("puzzle-text"), words[puzzle.state]);
    byId("puzzle-bar").dataset.state = this.failed ? "failed" : puzzle.state;
    // Buttons keep their places, for those who press twice.
    byId("puzzle-try-again").hidden = puzzle.state !== "open";
    byId("puzzle-try-again").disabled = !this.failed;
    byId("puzzle-solution").hidden = puzzle.state === "solved" || (puzzle.state === "given" && isShown);
    byId("puzzle-solution").disabled = this.link.isAway;
    byId("puzzle-next").classList.toggle("main", puzzle.state !== "open");
    bringIntoSight(byId("puzzle-bar"), puzzle, this.failed?.key);
  }
}
