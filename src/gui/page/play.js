// A game that is played: who holds which side, whose turn it is, clocks, the engine's moves, and the end.

import { Clock, localDate } from "./clock.js";
import { Game } from "./game.js";
import { actor, choicesOf, choose, currentStep, objection, offer, openingFor, picked, placed } from "./openings.js";
import { acceptsDraw, carryOut, question } from "./opponent.js";
import { samePoint } from "../../page/points.js";

const HINT = { ms: 2000 };
// After so many ms an engine that had no room for a search is asked again.
const ASK_AGAIN = 2000;
// After so many ms it is said that a click is on its way.
const LATE = 1000;

export const DEFAULT_OPTIONS = {
  rule: "freestyle", width: 15, height: 15, opening: "free",
  players: [{ kind: "person", name: "" }, { kind: "engine", name: "Kagetsu" }],
  time: { kind: "none" }, strength: { kind: "full" }, varied: false,
};

function opposite(color) {
  return color === "black" ? "white" : "black";
}

export class Play extends EventTarget {
  constructor(link, threads) {
    super();
    this.link = link;
    this.threads = threads;
    this.facts = null;
    this.known = new Map();
    this.thinking = null;
    this.turn = 0;
    this.lastShare = null;
    // The question for a hint that is under way, and its answer; moves that were found otherwise are shown like one.
    this.hinting = null;
    this.hinted = null;
    this.hintMoves = [];
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
      mode: "play", players: structuredClone(options.players), sides: { black: 0, white: 1 },
      opening: openingFor(options.opening), result: null,
      // What chance follows from, so that a game is another each time; and whether the person was helped.
      seed: Math.floor(Math.random() * 2 ** 32), helped: false,
    };
    this.lasts(0);
    this.tip = this.game.root;
    this.restoreClock();
    if (this.match.opening) this.noteStage();
    this.changed("start");
  }

  // The game that is shown goes on from its current position, with other players or under another rule.
  continueWith(options) {
    const { game } = this;
    this.leave();
    if (options.rule !== game.rule) game.changeRule(options.rule);
    this.options = { ...structuredClone(options), width: game.width, height: game.height, opening: "free" };
    this.usual = this.options;
    // Who played that game, where, when and for what, is no part of this one.
    game.info = { date: localDate() };
    this.match = {
      mode: "play", players: structuredClone(options.players), sides: { black: 0, white: 1 }, opening: null, result: null,
      seed: Math.floor(Math.random() * 2 ** 32), helped: true,
      // Stones that lay there before, and when it was played last.
      from: game.ply(), at: Date.now(),
    };
    this.lasts(0);
    this.standAt(game.current);
    for (const node of game.nodes()) Object.assign(node, { left: null, stages: null });
    this.restoreClock();
    this.changed("start");
  }

  // A game to look at, from a file or an address.
  open(game) {
    this.leave();
    this.game = game;
    this.match = { mode: "analyse", players: [{ kind: "person", name: game.info.black || "" }, { kind: "person", name: game.info.white || "" }], sides: { black: 0, white: 1 }, opening: null, result: null, isOpened: true, lastPly: game.ply(game.mainLine().at(-1)) };
    this.options = { ...structuredClone(DEFAULT_OPTIONS), rule: game.rule, width: game.width, height: game.height, players: structuredClone(this.match.players) };
    this.lasts(0);
    this.tip = game.current;
    this.clock = new Clock({ kind: "none" });
    this.changed("start");
  }

  // Whether the stones that are shown were set up, and nothing was played after them.
  get isSetUp() {
    return this.match.mode === "analyse" && Boolean(this.match.isOpened) && this.game.root.children.length === 0;
  }

  // Changes a position that is set up: `change` is given the game.
  setUp(change) {
    change(this.game);
    this.tip = this.game.current;
    this.changed("set-up");
  }

  // What has to be kept to go on after a reload.
  state() {
    const tree = this.game.toTree();
    const shown = this.game.current;
    this.game.current = this.tip;
    const tip = this.game.toTree().current;
    this.game.current = shown;
    const left = { black: this.clock.remaining("black"), white: this.clock.remaining("white") };
    return { version: 1, tree, tip, match: { ...this.match, ms: this.ms }, options: this.options, usual: this.usual, left, lastShare: this.lastShare };
  }

  restore(state) {
    this.leave();
    const game = Game.fromTree({ ...state.tree, current: state.tip }, state.tree.rule);
    this.tip = game.current;
    this.game = game;
    game.current = game.nodes()[state.tree.current] || game.root;
    this.match = state.match;
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
    this.start({ ...options, players: options.opening === "free" ? [this.playerAt("white"), this.playerAt("black")] : [second, first] });
  }

  leave() {
    this.turn++;
    this.interrupt();
    if (this.clock) this.clock.pause();
    this.lastShare = null;
  }

  // The clocks as they stood when the turn at the tip began, or as they are given.
  restoreClock(given = null) {
    const known = given || this.game.pathTo(this.tip).reverse().find(({ left }) => left)?.left;
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

  // A hint is for one position, and gone with it.
  dropHint() {
    if (this.hinting) this.hinting.stop();
    Object.assign(this, { hinting: null, hinted: null, hintMoves: [] });
  }

  interrupt() {
    if (this.thinking) this.thinking.stop();
    this.thinking = null;
  }

  // How long the game has taken so far, in ms: while the page is closed, or another game is shown, nobody plays it.
  get ms() {
    return this.isOver ? this.match.ms ?? null : this.lasted + performance.now() - this.since;
  }

  // It has taken so long up to now.
  lasts(ms) {
    Object.assign(this, { lasted: ms, since: performance.now() });
  }

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

  // ----- What happens -----

  // Something has changed: pages draw, the engine is asked what it knows, and moves if it is its turn.
  changed(what = "move") {
    this.dropHint();
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
      if (turn === this.turn && error.code !== "lost") this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
      return;
    }
    if (turn !== this.turn) return;
    this.facts = facts;
    if (this.match.mode === "play") this.judge(tipFacts);
    this.dispatchEvent(new CustomEvent("change", { detail: "facts" }));
    // While the engine is away no time is lost, also where it is known already what may be played.
    if (this.match.mode !== "play" || this.isOver || this.match.isPaused || this.link.state === "lost") return this.clock.pause();
    const step = currentStep(this.match.opening);
    // The clocks begin to run with the first decision after the opening's stones lie, or with the first move.
    if ((this.tip !== this.game.root || step) && !this.thinking?.isRest) this.clock.run(this.activeColor());
    // A search that is under way is for this very turn: whatever ends a turn ends its search.
    if (this.active.kind === "engine" && !this.thinking) await this.act(turn);
  }

  // The side whose clock runs: in an opening that of the player who decides.
  activeColor() {
    const step = currentStep(this.match.opening);
    if (!step) return this.game.toMove(this.tip);
    return this.match.sides.black === actor(this.match.opening, this.match.sides) ? "black" : "white";
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
    this.end(verdict.kind === "draw" ? null : verdict.winner, verdict.kind === "win" ? "five" : verdict.kind === "foul" ? "foul" : "full");
  }

  // Ends the game, unless it is over: time may fall while it is asked whether a draw is agreed.
  end(winner, reason) {
    if (this.isOver) return;
    this.interrupt();
    this.clock.pause();
    this.dropHint();
    // Who takes a resignation back goes on with the opening as well.
    Object.assign(this.match, { ms: this.ms, at: Date.now(), endedIn: this.match.opening, opening: null, result: { winner, reason } });
    this.game.info.result = winner === null ? "0" : (winner === "black" ? "B+" : "W+") + ({ resign: "R", time: "T" }[reason] || "");
    this.dispatchEvent(new CustomEvent("change", { detail: "end" }));
  }

  // ----- People -----

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

  // Places a stone of a person, or marks an offered fifth move. Returns why not, or null. Whoever is quicker than the
  // engine's word on what may be played waits for it, so that no click is lost; of several, the first is meant.
  async tryMove(point) {
    let refusal = this.refusal(point);
    if (refusal === "refused-wait") {
      if (this.sent || !await this.send(point)) return null;
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

  place(point) {
    const step = currentStep(this.match.opening);
    if (this.match.mode === "play" && step && step.do === "offer") return this.offerFifths([point]);
    // In an opening a player places stones of both colours.
    const color = this.activeColor();
    // The game begins with its first stone, however long nobody has placed it.
    if (this.game.isEmpty) this.lasts(0);
    this.tip = this.game.play(point);
    if (this.match.mode === "play") {
      this.match.at = Date.now();
      this.standAt(this.tip);
      this.clock.moved(color);
      this.noteClock();
      if (step && step.do === "pick") picked(this.match.opening);
      else if (step) placed(this.match.opening);
      if (this.match.opening && !this.match.opening.steps.length) this.match.opening = null;
      this.tip.stages = null;
      if (step) this.noteStage();
    }
    this.changed("move");
  }

  // Offers fifth moves, or no longer. With the last of them it is the other player's turn.
  offerFifths(points) {
    const { opening } = this.match;
    const step = currentStep(opening);
    const color = this.activeColor();
    for (const point of points) offer(opening, point);
    if (currentStep(opening) !== step) this.clock.decided(color);
    this.noteStage();
    this.changed("opening");
  }

  // The game that is played stands at this node. What was played to get there is the main line, which is saved as the
  // game and which redo() follows; what was taken back or only tried out are variations.
  standAt(node) {
    this.tip = node;
    this.game.promote(node);
  }

  // A decision of the opening, told under the name that its player had before sides were changed.
  decide(choice) {
    const detail = { player: this.active, color: this.activeColor(), choice };
    this.clock.decided(detail.color);
    this.hold(choose(this.match.opening, this.match.sides, choice));
    this.dispatchEvent(new CustomEvent("decided", { detail }));
  }

  // The players hold these sides, and take their time with them.
  hold(sides) {
    if (sides.black !== this.match.sides.black) this.clock.turn();
    this.match.sides = sides;
  }

  choose(choice) {
    this.decide(choice);
    if (!this.match.opening.steps.length) this.match.opening = null;
    this.noteStage();
    this.changed("opening");
  }

  // Writes down how far the opening is: the stages of a node are those in which it has stood there, {opening, sides, left}
  // with what remains of it and of the clocks, or null where it is over. undo() goes back to them.
  noteStage() {
    const { opening, sides } = this.match;
    this.noteClock();
    this.tip.stages = [...(this.tip.stages || []), opening && structuredClone({ opening, sides, left: this.tip.left })];
  }

  // Where the opening is over, what stands at the tip and between it and the place where that was decided is no part of
  // the opening.
  forgetStages() {
    const path = this.game.pathTo(this.tip);
    const over = path.findLastIndex(({ stages }) => stages && stages.at(-1) === null);
    if (over >= 0) for (const node of path.slice(over + 1)) node.stages = null;
    if (this.tip.stages?.at(-1)) this.tip.stages = null;
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
    return !this.match.opening && this.tip.children.length > 0;
  }

  // Where the game stood before, the latest first: {node, stage, count}, where `stage` is that of the opening, or null, and
  // `count` how many stages the node had by then.
  *formerStands() {
    for (let node = this.tip; node; node = node.parent) {
      // Games that older pages have kept do not say how far their openings were.
      if (!node.stages && this.match.opening) return;
      const stages = node.stages || [null];
      // With the last one at the tip it stands there now.
      for (let count = stages.length - (node === this.tip ? 1 : 0); count > 0; count--) yield { node, stage: stages[count - 1], count };
    }
  }

  // Where a person had the turn before, or anybody where no person plays; null if nobody had.
  get lastTurn() {
    for (const stand of this.formerStands()) {
      if (!this.hasPerson || this.playerToAct(stand.node, stand.stage || { opening: null, sides: this.match.sides }).kind === "person") return stand;
    }
    return null;
  }

  // Back to where the last person to act had the turn, in an opening with what was still to be decided then. Whoever looks
  // back at the game sees its end first, since that is what is taken back; and a game that was resigned, or drawn by
  // agreement, goes on where it stood.
  undo() {
    if (!this.canUndo) return;
    if (this.match.mode === "analyse") return this.step("previous");
    if (!this.isShowingTip) return this.step("last");
    if (this.isDecided) return this.rewind(this.tip);
    this.interrupt();
    const { node, stage, count } = this.lastTurn;
    if (node.stages) node.stages.length = count;
    if (!stage) this.match.opening = null;
    this.rewind(node, stage);
  }

  redo() {
    if (this.match.mode === "analyse") return this.step("next");
    if (!this.canRedo) return;
    let [node] = this.tip.children;
    if (!this.isShowingTip) return this.step("last");
    this.interrupt();
    const isPersons = (at) => this.playerAt(this.game.toMove(at)).kind === "person";
    if (this.hasPerson) while (node.children[0] && !isPersons(node)) node = node.children[0];
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

  // Whether the game can be made to wait: engines that play each other do, and clocks.
  get canPause() {
    return this.match.mode === "play" && !this.isOver && (!this.hasPerson || this.options.time.kind !== "none");
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

  // The side for which a person would resign now.
  get resigning() {
    return this.active.kind === "person" ? this.activeColor() : opposite(this.activeColor());
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

  setMode(mode) {
    if (this.match.mode === mode) return;
    this.interrupt();
    this.clock.pause();
    const { match } = this;
    // Who looks at the analysis in the middle of a game has been helped.
    match.helped = match.helped || !this.isOver;
    match.mode = mode;
    const standing = (node) => JSON.stringify(this.game.position(node));
    if (mode === "analyse") {
      if (!this.isOver) this.noteClock();
      match.leftAt = standing(this.tip);
      this.tip = this.game.current;
    } else {
      if (match.isOpened) this.own();
      // The game goes on from what is shown. An opening can only go on where it was left.
      this.standAt(this.game.current);
      this.reopen();
      match.isPaused = false;
      if (match.opening && match.leftAt !== standing(this.tip)) {
        match.opening = null;
        this.dispatchEvent(new Event("opening-left"));
      }
      if (!match.opening) this.forgetStages();
      this.restoreClock();
    }
    this.changed("mode");
  }

  // What was opened is played on, and from here on it is a game of one's own like any other.
  own() {
    delete this.match.isOpened;
    Object.assign(this.match, { seed: Math.floor(Math.random() * 2 ** 32), from: this.game.ply(), lastPly: null });
    this.game.info = { date: localDate() };
  }

  step(name) {
    if (name === "last") this.game.current = this.lastNode;
    else this.game.step(name, this.shownLine());
    if (this.match.mode === "analyse") this.tip = this.game.current;
    this.changed("step");
  }

  goTo(node) {
    this.game.current = node;
    if (this.match.mode === "analyse") this.tip = node;
    this.changed("step");
  }

  // ----- The engine -----

  async act(turn) {
    const step = currentStep(this.match.opening);
    const { op, fields } = question(this);
    const asked = this.link.ask(op, fields, (news) => {
      if (this.thinking === asked) this.dispatchEvent(new CustomEvent("thought", { detail: news }));
    });
    const began = performance.now();
    this.thinking = asked;
    this.dispatchEvent(new CustomEvent("change", { detail: "thinking" }));
    let answer;
    try {
      answer = await asked;
    } catch (error) {
      // Whoever stopped it wants no answer.
      if (this.thinking !== asked) return;
      this.thinking = null;
      this.dispatchEvent(new CustomEvent("change", { detail: "thinking" }));
      // A lost connection comes back, and whoever listens for that calls proceed() again. An engine without room, or one
      // that was given something else to do, is asked again.
      if (error.code === "lost") return;
      if (error.code !== "stopped") this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
      if (["busy", "stopped"].includes(error.code)) setTimeout(() => { if (turn === this.turn) this.proceed(); }, ASK_AGAIN);
      return;
    }
    if (this.thinking !== asked || (!asked.isHurried && !await this.rested(began + this.pace()))) return;
    this.thinking = null;
    if (step) return carryOut(this, step, answer);
    if (answer.lines.length) this.lastShare = answer.lines[0].win_rate;
    this.dispatchEvent(new CustomEvent("thought", { detail: { ...answer.lines[0], final: true } }));
    this.playAtTip(answer.move);
  }

  // Waits until then, so that moves of an engine that answers at once can be followed; no clock runs meanwhile. Whatever
  // ends a search ends the wait as well. False where the answer is wanted no more by then.
  async rested(until) {
    const wait = until - performance.now();
    if (wait <= 0 || this.tip === this.game.root) return true;
    let stop;
    const rest = new Promise((resolve) => { stop = resolve; });
    const timer = setTimeout(stop, wait);
    this.thinking = Object.assign(rest, { stop, isRest: true });
    this.clock.pause();
    this.dispatchEvent(new CustomEvent("change", { detail: "thinking" }));
    await rest;
    clearTimeout(timer);
    return this.thinking === rest;
  }

  // Whether the engine looks for a move of its own; what it has to decide in an opening cannot be cut short.
  get isEngineMoving() {
    return this.thinking !== null && (currentStep(this.match.opening) === null || Boolean(this.thinking.isRest));
  }

  // The engine plays the best that it has found so far.
  moveNow() {
    if (!this.isEngineMoving) return;
    this.thinking.isHurried = true;
    this.thinking.stop();
  }

  playAtTip(point) {
    const wasShowing = this.game.current === this.tip;
    const shown = this.game.current;
    this.game.current = this.tip;
    this.place(point);
    // Who looks back at the game goes on doing so.
    if (!wasShowing) this.game.current = shown;
    if (!wasShowing) this.dispatchEvent(new CustomEvent("change", { detail: "step" }));
  }

  // The best moves for the person whose turn it is, unless the position has changed until they are found.
  async hint() {
    const asked = this.link.ask("think", { position: this.game.position(), limits: HINT, threads: this.threads() });
    this.hinting = asked;
    this.dispatchEvent(new CustomEvent("change", { detail: "thinking" }));
    let answer;
    try {
      answer = await asked;
    } catch (error) {
      if (this.hinting !== asked) return null;
      this.hinting = null;
      this.dispatchEvent(new CustomEvent("change", { detail: "thinking" }));
      throw error;
    }
    if (this.hinting !== asked) return null;
    this.hinting = null;
    this.match.helped = true;
    this.hinted = answer.move;
    this.hintMoves = [answer.move];
    this.dispatchEvent(new CustomEvent("change", { detail: "hint" }));
    return answer.move;
  }

  // Called often: a side whose time is over has lost.
  checkClock() {
    if (this.match.mode !== "play" || this.isOver || !this.clock.running) return;
    const color = this.clock.running;
    // The engine looks after its own clock; a move on its way is not a loss.
    const grace = this.playerAt(color).kind === "engine" ? 1000 : 0;
    if (this.clock.hasFallen(color) && performance.now() - this.clock.since - this.clock.left[color] >= grace) this.end(opposite(color), "time");
  }
}
