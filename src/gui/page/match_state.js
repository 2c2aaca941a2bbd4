// How a game that is played or looked at stands, and what follows from that: whose turn it is, whether it is over, what may
// be done. Nothing here changes it.

import { opposite } from "./game.js";
import { actor, choicesOf, currentStep, isDecision, objection } from "./openings.js";
import { samePoint } from "../../page/points.js";

// What a subclass sets: `game`, the tree of moves; `tip`, the node at which the game that is played stands; `match`,
// who plays which side, the opening and the result; `clock`; `options`, with which it was begun, and `usual`, those of
// the last game that was played and not merely opened; `departure`, the node at which it was left for the analysis;
// `facts`, what the engine has said about the node that is shown, or null.
export class MatchState extends EventTarget {
  // ----- Whose turn -----

  playerAt(color) {
    return this.match.players[this.match.sides[color]];
  }

  // The player who has to act now: place a stone, or decide about the opening.
  get active() {
    return this.playerToAct(this.tip, this.match);
  }

  // The same at any node, where the opening and the sides are these.
  playerToAct(node, { opening, sides }) {
    return this.match.players[currentStep(opening) ? actor(opening, sides) : sides[this.game.toMove(node)]];
  }

  get isOver() {
    return this.match.result !== null;
  }

  // Whether the position that is shown is the end of a game by its rule, as far as that is known.
  get isAtEnd() {
    return this.facts !== null && this.facts.verdict.kind !== "ongoing";
  }

  get isShowingTip() {
    return this.match.mode === "analyse" || this.game.current === this.tip;
  }

  // Whether the analysis shows what the game was left at.
  get isWhereLeft() {
    return this.match.leftAt === this.game.keyOf(this.game.current);
  }

  // Where the game was left for the analysis; null where nothing was played, or where that was deleted since.
  get leftNode() {
    const { game, match } = this;
    if (!match.leftAt) return null;
    if (this.departure && game.has(this.departure)) return this.departure;
    // After a reload, and where a move that was deleted has been placed again, it is another node.
    return game.nodes().find((node) => game.keyOf(node) === match.leftAt) ?? null;
  }

  // Where the game that is played stands, whatever is shown; null for one that was opened, and where that was deleted.
  get stand() {
    if (this.match.isOpened) return null;
    return this.match.mode === "play" ? this.tip : this.leftNode;
  }

  // The move that was played here and taken back; null where there is none. What was only tried out in the analysis was
  // never played.
  takenBack(node) {
    return node.children.find(({ isTried }) => !isTried) ?? null;
  }

  // The line that is stepped through. That of a game that is played ends where the game stands, also where moves were
  // taken back: the list of moves shows those, and redo() plays them again.
  shownLine() {
    const played = this.game.pathTo(this.tip);
    return this.match.mode === "play" && played.includes(this.game.current) ? played : this.game.shownLine();
  }

  // Where a step to the end leads: whoever looks at a variation of a game that is played comes back to the game.
  get lastNode() {
    return this.match.mode === "play" ? this.tip : this.shownLine().at(-1);
  }

  get hasPerson() {
    return this.match.players.some(({ kind }) => kind === "person");
  }

  get hasEngine() {
    return this.match.players.some(({ kind }) => kind === "engine");
  }

  // The side whose clock runs: in an opening that of the player who decides.
  activeColor() {
    const step = currentStep(this.match.opening);
    if (!step) return this.game.toMove(this.tip);
    return this.match.sides.black === actor(this.match.opening, this.match.sides) ? "black" : "white";
  }

  // ----- What may be done -----

  // Why a stone cannot be placed there now, as the key of a text; null if it can.
  refusal(point) {
    if (this.match.mode === "play") {
      if (this.isOver) return "refused-over";
      if (this.match.isPaused) return "refused-paused";
      if (!this.isShowingTip) return "refused-looking-back";
      if (this.active.kind === "engine") return "refused-not-your-turn";
      if (choicesOf(this.match.opening).length) return "refused-choose-first";
    }
    if (this.game.stoneAt(point) || this.game.isDead(point)) return "refused-occupied";
    if (!this.facts) return "refused-wait";
    if (this.facts.verdict.kind !== "ongoing") return "refused-over";
    const foul = this.foulAt(point);
    if (foul) return "refused-" + foul;
    if (this.match.mode !== "play") return null;
    const { stones } = this.game.standing();
    return objection(this.match.opening, point, stones, this.game.width, this.game.height);
  }

  foulAt(point) {
    const found = this.facts && this.facts.forbidden.find(([x, y]) => samePoint([x, y], point));
    return found ? found[2] : null;
  }

  // Whether the end of the game is a decision, which is taken back by itself: the stones were not at fault.
  get isDecided() {
    return this.isOver && ["resign", "agreed"].includes(this.match.result.reason);
  }

  get canUndo() {
    if (this.match.mode === "analyse") return this.game.current !== this.game.root;
    return this.isDecided || this.lastTurn !== null;
  }

  // In an opening another decision may come to stand before what was taken back, which belongs to nobody until then.
  get canRedo() {
    if (this.match.mode === "analyse") return this.game.current.children.length > 0;
    const { opening, endedIn } = this.match;
    return !(this.isOver ? endedIn : opening) && this.takenBack(this.tip) !== null;
  }

  // Where the game stood before, the latest first: {node, stage, count}, where `stage` is that of the opening, or null, and
  // `count` how many stages the node had by then.
  *formerStands() {
    for (let node = this.tip; node; node = node.parent) {
      const ply = this.game.ply(node);
      const from = this.match.from || 0;
      // What lay there before is no part of the game.
      if (ply < from) return;
      // Games that older pages have kept do not say how far their openings were.
      if (!node.stages && this.match.opening) return;
      const stages = node.stages || [null];
      // With the last one at the tip it stands there now.
      for (let count = stages.length - (node === this.tip ? 1 : 0); count > 0; count--)
        yield { node, stage: stages[count - 1], count };
      // Nodes without a stone may stand before the one that the game has begun at.
      if (ply === from) return;
    }
  }

  // Where a person had the turn before, or anybody where no person plays; null if nobody had.
  get lastTurn() {
    for (const stand of this.formerStands()) {
      const stage = stand.stage || { opening: null, sides: this.match.sides };
      if (
        this.hasPerson
          ? this.playerToAct(stand.node, stage).kind === "person"
          : isDecision(stage.opening, this.game.ply(stand.node))
      )
        return stand;
    }
    return null;
  }

  // Whether the game can be made to wait: engines that play each other do, and clocks.
  get canPause() {
    return this.match.mode === "play" && !this.isOver && (!this.hasPerson || this.options.time.kind !== "none");
  }

  // Whether the stones that are shown were set up, and nothing was played after them.
  get isSetUp() {
    const { mode, isOpened, puzzle } = this.match;
    return mode === "analyse" && Boolean(isOpened) && !puzzle && this.game.root.children.length === 0;
  }

  // The puzzle that somebody is solving, {id, rule, fours, number, color, state, failed}, where `color` is the side that
  // wins and `failed` a try that has failed; null where there is none, or none any more.
  get openPuzzle() {
    const { puzzle } = this.match;
    return puzzle?.state === "open" ? puzzle : null;
  }

  // The side for which a person would resign now.
  get resigning() {
    return this.active.kind === "person" ? this.activeColor() : opposite(this.activeColor());
  }

  // ----- To be kept -----

  // How long the game has taken so far, in ms: while the page is closed, or another game is shown, nobody plays it.
  get ms() {
    return this.isOver ? (this.match.ms ?? null) : this.lasted + performance.now() - this.since;
  }

  // What has to be kept to go on after a reload.
  state() {
    const tree = this.game.toTree();
    const left = { black: this.clock.remaining("black"), white: this.clock.remaining("white") };
    return {
      version: 1,
      tree,
      // By its number in the tree.
      tip: this.game.nodes().indexOf(this.tip),
      match: { ...this.match, ms: this.ms },
      options: this.options,
      usual: this.usual,
      left,
      lastShare: this.lastShare,
    };
  }
}
