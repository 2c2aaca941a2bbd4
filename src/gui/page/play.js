// A game that is played: it begins, moves are made and taken back, clocks run, and it ends.

import { AnalysisVisit } from "./analysis_visit.js";
import { Clock, Flag, localDate } from "./clock.js";
import { EngineTurn } from "./engine_turn.js";
import { Game, opposite } from "./game.js";
import { Hint } from "./hint.js";
import { MatchState } from "./match_state.js";
import { currentStep, openingFor, picked, placed } from "./openings.js";
import { OpeningTurn } from "./opening_turn.js";
import { acceptsDraw } from "./opponent.js";
import { resultCode, rowReason } from "./result.js";

// After so many ms it is said that a click is on its way.
const LATE = 1000;

export const DEFAULT_OPTIONS = {
  rule: "freestyle",
  width: 15,
  height: 15,
  opening: "free",
  players: [
    { kind: "person", name: "" },
    { kind: "engine", name: "Kagetsu" },
  ],
  time: { kind: "none" },
  strength: { kind: "full" },
  varied: false,
  learns: true,
};

export class Play extends MatchState {
  constructor(link, threads) {
    super();
    this.link = link;
    this.threads = threads;
    this.facts = null;
    this.known = new Map();
    this.engineTurn = new EngineTurn(this);
    this.openingTurn = new OpeningTurn(this);
    this.visit = new AnalysisVisit(this);
    this.hint = new Hint(this);
    this.flag = new Flag(this);
    this.turn = 0;
    // What the engine expected of the position that it searched last, as a share of the points: {at, share}, or null.
    this.lastShare = null;
    // The click of a person that waits for the engine's word: {at, isLate}, or null.
    this.sent = null;
    // The options of the last game that was played, and not merely opened; they are proposed for the next one.
    this.usual = DEFAULT_OPTIONS;
    // How the engine plays from a library, if it does.
    this.book = () => undefined;
    // The least time between two moves, in ms.
    this.pace = () => 0;
    this.start(DEFAULT_OPTIONS);
  }

  // ----- Games -----

  start(options) {
    this.leave();
    this.options = structuredClone(options);
    this.usual = this.options;
    this.game = new Game(options.rule, options.width, options.height);
    this.match = {
      mode: "play",
      players: structuredClone(options.players),
      sides: { black: 0, white: 1 },
      opening: openingFor(options.opening),
      result: null,
      // What chance follows from, so that a game is another each time; and whether the person was helped.
      seed: Math.floor(Math.random() * 2 ** 32),
      helped: false,
    };
    this.lasts(0);
    this.tip = this.game.root;
    this.restoreClock();
    if (this.match.opening) this.openingTurn.noteStage();
    this.changed("start");
  }

  // The game that is shown goes on from its current position, with other players or under another rule. Where there is a
  // comment `begin`, it goes on at a node with that, and all that was played there before is a variation.
  continueWith(options, begin = null) {
    const { game } = this;
    this.leave();
    if (begin !== null) game.branch(begin);
    if (options.rule !== game.rule) game.changeRule(options.rule);
    this.options = { ...structuredClone(options), width: game.width, height: game.height, opening: "free" };
    this.usual = this.options;
    // Who played that game, where, when and for what, is no part of this one.
    game.disown(localDate());
    this.match = {
      mode: "play",
      players: structuredClone(options.players),
      sides: { black: 0, white: 1 },
      opening: null,
      result: null,
      seed: Math.floor(Math.random() * 2 ** 32),
      helped: true,
      // Stones that lay there before, and when it was played last.
      from: game.ply(),
      at: Date.now(),
    };
    this.lasts(0);
    this.standAt(game.current);
    for (const node of game.nodes()) Object.assign(node, { left: null, stages: null });
    this.restoreClock();
    this.changed("start");
  }

  // A game to look at, from a file or an address, or a puzzle. Its result, if it has one, is that of the node `end`.
  open(game, end = game.mainLine().at(-1), puzzle) {
    this.leave();
    this.game = game;
    this.match = {
      mode: "analyse",
      players: [
        { kind: "person", name: game.info.black || "" },
        { kind: "person", name: game.info.white || "" },
      ],
      sides: { black: 0, white: 1 },
      opening: null,
      result: null,
      isOpened: true,
      // Whether the rule is only assumed, and what the text calls it.
      assumed: game.assumed ?? null,
      endAt: end && game.keyOf(end),
      puzzle,
    };
    this.options = {
      ...structuredClone(DEFAULT_OPTIONS),
      rule: game.rule,
      width: game.width,
      height: game.height,
      players: structuredClone(this.match.players),
    };
    this.lasts(0);
    this.tip = game.current;
    this.clock = new Clock({ kind: "none" });
    this.changed("start");
  }

  // Changes a position that is set up: `change` is given the game.
  setUp(change) {
    change(this.game);
    this.tip = this.game.current;
    this.changed("set-up");
  }

  restore(state) {
    this.leave();
    const game = Game.fromTree({ ...state.tree, current: state.tip }, state.tree.rule);
    this.tip = game.current;
    this.game = game;
    game.current = game.nodes()[state.tree.current] || game.root;
    this.match = state.match;
    // Games that older pages have listed may have another main line than what was played.
    if (this.match.mode === "play") game.promote(this.tip);
    this.lasts(state.match.ms || 0);
    this.options = state.options;
    // Games that older pages have kept do not say it.
    this.usual = state.usual ?? (state.match.isOpened ? this.usual : state.options);
    this.clock = new Clock(state.options.time, state.left);
    this.lastShare = state.lastShare ?? null;
    this.changed("start");
  }

  // The same players with sides turned: those that they held at the end, or where an opening settles who holds which, those
  // of who begins it.
  rematch(options = this.options) {
    const [first, second] = this.match.players;
    this.start({
      ...options,
      players: options.opening === "free" ? [this.playerAt("white"), this.playerAt("black")] : [second, first],
    });
  }

  leave() {
    this.turn++;
    this.interrupt();
    if (this.clock) this.clock.pause();
    this.lastShare = null;
  }

  // The clocks as they stood when the turn at the tip began, or as they are given.
  restoreClock(given = null) {
    const known =
      given ||
      this.game
        .pathTo(this.tip)
        .reverse()
        .find(({ left }) => left)?.left;
    if (this.clock) this.clock.pause();
    this.clock = new Clock(this.options.time, known ? { black: known.black, white: known.white } : null);
    // Games that older pages have kept do not say whose clock it was.
    if (known && (known.holder ?? this.match.sides.black) !== this.match.sides.black) this.clock.turn();
    this.noteClock();
  }

  // Writes down what the clocks show as the turn at the tip begins: {black, white, holder}, where `holder` is the player
  // who holds Black, since sides may be changed before somebody comes back to this.
  noteClock() {
    this.tip.left = { ...this.clock.left, holder: this.match.sides.black };
  }

  interrupt() {
    this.engineTurn.interrupt();
  }

  // It has taken so long up to now.
  lasts(ms) {
    Object.assign(this, { lasted: ms, since: performance.now() });
  }

  // ----- What happens -----

  // Something has changed: pages draw, the engine is asked what it knows, and moves if it is its turn.
  changed(what = "move") {
    this.hint.drop();
    this.sent = null;
    this.dispatchEvent(new CustomEvent("change", { detail: what }));
    this.proceed();
  }

  async proceed() {
    const turn = ++this.turn;
    const node = this.game.current;
    this.facts = null;
    let facts, tipFacts;
    try {
      facts = await this.factsOf(node);
      tipFacts = this.match.mode === "play" && this.tip !== node ? await this.factsOf(this.tip) : facts;
    } catch (error) {
      if (turn === this.turn && error.code !== "lost")
        this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
      return;
    }
    if (turn !== this.turn) return;
    this.facts = facts;
    if (this.match.mode === "play") this.judge(tipFacts);
    this.dispatchEvent(new CustomEvent("change", { detail: "facts" }));
    // While the engine is away no time is lost, also where it is known already what may be played.
    if (this.match.mode !== "play" || this.isOver || this.match.isPaused || this.link.isAway) return this.clock.pause();
    // The clocks begin to run when the first stone lies, in an opening as well: until then nobody's turn has begun.
    if (this.tip !== this.game.root && !this.engineTurn.search?.isRest) this.clock.run(this.activeColor());
    // A search that is under way is for this very turn: whatever ends a turn ends its search.
    if (this.active.kind === "engine" && !this.engineTurn.search) await this.engineTurn.act();
  }

  async factsOf(node) {
    const position = this.game.position(node);
    const key = JSON.stringify(position);
    if (!this.known.has(key)) {
      const asked = this.link.ask("position", { position });
      this.known.set(key, asked);
      asked.catch(() => this.known.delete(key));
      if (this.known.size > 400) this.known.delete(this.known.keys().next().value);
    }
    return this.known.get(key);
  }

  judge({ verdict }) {
    if (this.isOver || verdict.kind === "ongoing") return;
    const { kind, winner, line } = verdict;
    const reason = kind === "win" ? rowReason([line]) : kind === "foul" ? "foul" : "full";
    this.end(kind === "draw" ? null : winner, reason);
  }

  // Ends the game, unless it is over: time may fall while it is asked whether a draw is agreed.
  end(winner, reason) {
    if (this.isOver) return;
    this.interrupt();
    this.clock.pause();
    this.hint.drop();
    // Who takes a resignation back goes on with the opening as well.
    Object.assign(this.match, {
      ms: this.ms,
      at: Date.now(),
      endedIn: this.match.opening,
      opening: null,
      result: { winner, reason },
    });
    this.game.info.result = resultCode(winner, reason);
    this.dispatchEvent(new CustomEvent("change", { detail: "end" }));
  }

  // ----- People -----

  // Places a stone of a person, or marks an offered fifth move. Returns why not, or null. Whoever is quicker than the
  // engine's word on what may be played waits for it, so that no click is lost; of several, the first is meant.
  async tryMove(point) {
    let refusal = this.refusal(point);
    if (refusal === "refused-wait") {
      if (this.sent || !(await this.send(point))) return null;
      refusal = this.refusal(point);
    }
    if (refusal) return refusal;
    this.place(point);
    return null;
  }

  // Waits for the engine's word on a click, which is seen meanwhile. Whether it is still wanted then.
  async send(at) {
    const sent = { at, isLate: false };
    const tell = () => this.dispatchEvent(new CustomEvent("change", { detail: "sent" }));
    this.sent = sent;
    tell();
    const timer = setTimeout(() => {
      if (this.sent !== sent) return;
      sent.isLate = true;
      tell();
    }, LATE);
    await this.factsOf(this.game.current).catch(() => {});
    clearTimeout(timer);
    if (this.sent !== sent) return false;
    this.sent = null;
    tell();
    return true;
  }

  // Whoever looks back at the game, at the node `shown`, goes on doing so.
  place(point, shown = null) {
    const step = currentStep(this.match.opening);
    if (this.match.mode === "play" && step && step.do === "offer") return this.openingTurn.offerFifths([point]);
    // In an opening a player places stones of both colours.
    const color = this.activeColor();
    // The game begins with its first stone, however long nobody has placed it.
    if (this.game.isEmpty) this.lasts(0);
    this.tip = this.game.play(point, this.match.mode === "analyse");
    if (shown) this.game.current = shown;
    if (this.match.mode === "play") {
      this.match.at = Date.now();
      this.standAt(this.tip);
      this.clock.moved(color);
      this.noteClock();
      if (step && step.do === "pick") picked(this.match.opening);
      else if (step) placed(this.match.opening);
      if (this.match.opening && !this.match.opening.steps.length) this.match.opening = null;
      this.tip.stages = null;
      if (step) this.openingTurn.noteStage();
    }
    this.changed("move");
  }

  // The game that is played stands at this node. What was played to get there is the main line, which is saved as the
  // game and which redo() follows; what was taken back or only tried out are variations.
  standAt(node) {
    this.tip = node;
    this.game.promote(node);
    for (const played of this.game.pathTo(node)) played.isTried = false;
  }

  // The players hold these sides, and take their time with them.
  hold(sides) {
    if (sides.black !== this.match.sides.black) this.clock.turn();
    this.match.sides = sides;
  }

  // Back to where the last person to act had the turn, in an opening with what was still to be decided then. Whoever looks
  // back at the game sees its end first, since that is what is taken back; and a game that was resigned, or drawn by
  // agreement, goes on where it stood.
  undo() {
    if (!this.canUndo) return;
    if (this.match.mode === "analyse") return this.stepTurns("previous");
    if (!this.isShowingTip) return this.step("last");
    if (this.isDecided) return this.rewind(this.tip);
    this.interrupt();
    const { node, stage, count } = this.lastTurn;
    if (node.stages) {
      node.stages.length = count;
      delete node.stages.at(-1)?.decided;
    }
    if (!stage) this.match.opening = null;
    this.rewind(node, stage);
  }

  redo() {
    if (this.match.mode === "analyse") return this.stepTurns("next");
    if (!this.canRedo) return;
    let node = this.takenBack(this.tip);
    if (!this.isShowingTip) return this.step("last");
    this.interrupt();
    const isPersons = (at) => this.playerAt(this.game.toMove(at)).kind === "person";
    if (this.hasPerson) while (this.takenBack(node) && !isPersons(node)) node = this.takenBack(node);
    // The opening is over here, whatever was still to be decided when these stones were placed.
    for (let at = node; at !== this.tip; at = at.parent) at.stages = null;
    this.rewind(node);
  }

  // The game stands at another node, and where it was in an opening there, at that stage of it.
  rewind(node, stage = null) {
    this.match.helped = true;
    this.reopen();
    if (stage) Object.assign(this.match, structuredClone({ opening: stage.opening, sides: stage.sides }));
    this.tip = node;
    this.game.current = node;
    this.restoreClock(stage?.left);
    this.changed("undo");
  }

  // The game is not over after all.
  reopen() {
    const { match } = this;
    if (match.result) {
      this.lasts(match.ms || 0);
      match.opening = (this.isDecided && match.endedIn) || null;
    }
    match.result = null;
    delete this.game.info.result;
  }

  // Lets the game wait, and go on.
  togglePause() {
    this.match.isPaused = !this.match.isPaused;
    this.interrupt();
    this.clock.pause();
    this.changed("pause");
  }

  resign() {
    if (this.isOver || this.match.mode !== "play") return;
    this.end(opposite(this.resigning), "resign");
  }

  engineAcceptsDraw() {
    return acceptsDraw(this);
  }

  swapSides() {
    if (this.isOver || this.match.opening) return;
    this.interrupt();
    // Who leaves a lost game to the other side has not won it. Before the first move there is nothing to gain.
    this.match.helped = this.match.helped || !this.game.isEmpty;
    this.hold({ black: this.match.sides.white, white: this.match.sides.black });
    this.changed("sides");
  }

  // To the analysis, or back to the game.
  setMode(mode) {
    if (this.match.mode === mode) return;
    if (mode === "analyse") this.visit.begin();
    else this.visit.end();
  }

  // The game goes on from what the analysis shows.
  playFromHere() {
    this.visit.playFromHere();
  }

  step(name) {
    if (name === "last") this.game.current = this.lastNode;
    else this.game.step(name, this.shownLine());
    if (this.match.mode === "analyse") this.tip = this.game.current;
    this.changed("step");
  }

  // Takes a node and all that follows out of the tree. What it returns puts them back, as long as the game is not played.
  remove(node) {
    const { game } = this;
    const show = () => {
      this.tip = game.current;
      this.changed("undo");
    };
    const putBack = game.remove(node);
    show();
    return () => {
      if (this.game !== game || this.match.mode === "play") return;
      putBack();
      show();
    };
  }

  // In a puzzle each move goes with its reply.
  stepTurns(name) {
    this.step(name);
    if (this.openPuzzle && this.game.toMove() !== this.openPuzzle.color) this.step(name);
  }

  goTo(node) {
    this.game.current = node;
    if (this.match.mode === "analyse") this.tip = node;
    this.changed("step");
  }

  // Shows the first of some moves after a node as a variation; the others are what one steps on to.
  tryLine(node, moves) {
    this.setMode("analyse");
    this.game.current = node;
    this.goTo(moves.map((point) => this.game.play(point, true))[0]);
  }

  // Places a stone of the engine, whatever is shown.
  playAtTip(point) {
    const shown = this.game.current;
    const isLookingBack = shown !== this.tip;
    this.game.current = this.tip;
    this.place(point, isLookingBack ? shown : null);
  }
}
