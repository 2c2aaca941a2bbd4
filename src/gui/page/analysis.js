// What the engine thinks of positions: live, for a whole game, as a heat map, and as proofs.

import { ASK_AGAIN } from "./engine_turn.js";
import { noteValue } from "./hindsight.js";
import { beginProof } from "./proof.js";
import { inOrder, RankedLines } from "./ranked_lines.js";
import { t } from "./words.js";

// Nodes for each move when a whole game is analysed.
const GAME_NODES = 300000;
// The live analysis of a page that nobody has seen for so many ms waits.
const HIDE_AFTER = 60000;
// The moves of a line that are kept with a node.
const MOST_KEPT = 16;

export class Analysis extends EventTarget {
  constructor(link, play, settings) {
    super();
    Object.assign(this, {
      link,
      play,
      settings,
      isOn: false,
      // While nobody sees the page its live analysis would only use up the engine, and a battery.
      isHidden: false,
      hiding: null,
      // For an engine that has room, which `again` asks for once more.
      isWaiting: false,
      again: null,
      lines: [],
      progress: null,
      even: null,
      job: null,
      node: null,
      heatNode: null,
      heatPoints: null,
      // What goes through a whole game, and the nodes it had done when the connection was lost.
      sweep: null,
      brokenOff: null,
      proof: null,
      // By their nodes, the proofs that were left for another position and not closed.
      leftProofs: new WeakMap(),
    });
    play.addEventListener("change", (event) => this.follow(event.detail));
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }

  // During a game against the engine nobody is helped, nor with a puzzle.
  get isAllowed() {
    if (this.play.openPuzzle) return false;
    return this.play.match.mode === "analyse" || this.play.isOver || !this.play.hasEngine;
  }

  get isAway() {
    return this.link.isAway;
  }

  // Whether there is something to stop. A search may have come to its end, and the end of a game leaves nothing to search;
  // the analysis then goes on with the next position that is shown.
  get isRunning() {
    return this.isOn && (this.job !== null || this.isWaiting);
  }

  toggle(on = !this.isRunning) {
    this.isOn = on && this.isAllowed;
    if (this.isOn) this.run();
    else this.halt();
    this.tell();
  }

  halt() {
    if (this.job) this.job.stop();
    clearTimeout(this.again);
    Object.assign(this, { job: null, isWaiting: false });
  }

  follow(what) {
    const { current } = this.play.game;
    // The nodes of another game may be the same, under another rule. And where a game goes on, clicks place stones.
    if (what === "start" || what === "mode") {
      this.dropProof();
      this.leftProofs = new WeakMap();
    }
    if (what === "start") {
      this.isOn = false;
      this.halt();
      this.dropEven();
      this.node = this.heatNode = null;
    }
    if (what === "start" || !this.isAllowed) this.cancelSweep();
    if (this.even && (this.even.node !== current || !this.isAllowed)) this.dropEven();
    if (this.proof && (this.proof.node !== current || !this.isAllowed)) this.putProofAside();
    if (!this.proof && this.isAllowed && this.leftProofs.has(current)) {
      this.proof = this.leftProofs.get(current);
      this.tell();
    }
    if (!this.isAllowed) {
      this.lines = [];
      if (this.isOn) this.toggle(false);
    }
    if (current !== this.node && !this.sweep) this.run();
    if (current !== this.heatNode || !this.isAllowed) this.heatNode = this.heatPoints = null;
    if (this.settings.heat && this.isAllowed && !this.heatNode) this.heat();
  }

  // Whether a search that somebody has asked for is under way. The engine does one thing at a time, so the live analysis
  // would end it.
  get isBusy() {
    return Boolean(this.sweep || this.proof?.isRunning || this.even?.isRunning);
  }

  // The page is seen no more, or is seen again. Who looks for something in another tab finds the analysis going on.
  see(isSeen) {
    clearTimeout(this.hiding);
    if (!isSeen) this.hiding = setTimeout(() => this.hide(), HIDE_AFTER);
    else if (this.isHidden) {
      this.isHidden = false;
      this.resume();
    }
  }

  // What was found is still shown, and the search goes on when somebody comes back.
  hide() {
    this.isHidden = true;
    if (this.isBusy) return;
    this.halt();
    this.tell();
  }

  // Goes on with the live analysis after another job has taken its place.
  resume() {
    if (this.isOn && !this.job && !this.isBusy) this.run();
  }

  // Other settings hold for the next search, and for this one if it is the live analysis.
  changeLines() {
    if (this.isOn && !this.isBusy) this.run();
    else this.tell();
  }

  // Searches the position that is shown, if the analysis is on. What it has found stays when it is stopped, and goes when
  // another position is shown.
  async run() {
    const { isWaiting } = this;
    this.halt();
    Object.assign(this, { lines: [], progress: null, node: this.play.game.current });
    if (!this.isOn || !this.isAllowed || this.isAway || this.isHidden) return this.tell();
    const node = this.node;
    const color = this.play.game.toMove(node);
    const ranked = new RankedLines(this.settings.lines);
    const job = this.link.ask(
      "analyse",
      { position: this.play.game.position(node), lines: ranked.count, threads: this.settings.threads },
      (news) => {
        if (this.job !== job || news.event !== "line") return;
        ranked.take({ ...news, color });
        this.found(ranked.shown, news);
        this.tell();
      },
    );
    this.job = job;
    this.tell();
    try {
      const answer = await job;
      if (this.job !== job) return;
      const lines = inOrder(answer.lines).map((line) => ({ ...line, color }));
      if (lines.length) this.found(lines, { depth: lines[0].depth, nodes: answer.nodes, ms: answer.ms });
    } catch (error) {
      if (this.job !== job) return;
      this.isWaiting = error.code === "busy";
      if (this.isWaiting) this.again = setTimeout(() => this.resume(), ASK_AGAIN);
      if (!["lost", "illegal-move", "game-over"].includes(error.code) && !(isWaiting && this.isWaiting))
        this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
    }
    const isDone = this.job === job;
    if (isDone) this.job = null;
    this.tell();
    if (isDone && this.lines.length) this.dispatchEvent(new Event("searched"));
  }

  found(lines, { depth, nodes, ms }) {
    this.lines = lines;
    this.progress = { depth, nodes, ms };
    this.node.live = valueOf(lines[0], lines[0].color);
  }

  async heat() {
    if (!this.isAllowed) return;
    const node = this.play.game.current;
    this.heatNode = node;
    try {
      const { points } = await this.link.ask("heat", { position: this.play.game.position(node) });
      if (this.play.game.current === node) this.heatPoints = points;
    } catch (error) {
      this.heatPoints = null;
      // It is asked for again when somebody is there.
      if (error.code === "lost") this.heatNode = null;
    }
    this.tell();
  }

  cancelSweep() {
    this.brokenOff = null;
    if (!this.sweep) return;
    this.sweep.isCancelled = true;
    if (this.sweep.job) this.sweep.job.stop();
  }

  // The engine is back: what was under way goes on.
  takeUp() {
    const { brokenOff } = this;
    if (brokenOff) this.analyseGame(brokenOff);
    else if (this.isOn) this.run();
  }

  // Goes through the line that is shown, position by position, but for the nodes that are `done`.
  async analyseGame(done = new Set()) {
    if (this.sweep) return this.cancelSweep();
    this.brokenOff = null;
    this.halt();
    this.dropProof();
    if (this.even?.isRunning) this.dropEven();
    this.lines = [];
    const line = this.play.shownLine();
    const nodes = line.filter((node) => !done.has(node));
    const sweep = { done: line.length - nodes.length, all: line.length, isCancelled: false };
    this.sweep = sweep;
    this.tell();
    try {
      for (const node of nodes) {
        if (sweep.isCancelled) break;
        const color = this.play.game.toMove(node);
        const position = this.play.game.position(node);
        const facts = await this.play.factsOf(node);
        if (sweep.isCancelled) break;
        if (facts.verdict.kind !== "ongoing") {
          const share = facts.verdict.kind === "draw" ? 0.5 : facts.verdict.winner === "black" ? 1 : 0;
          noteValue(node, { color, black: share, end: 0, depth: 0, move: null });
        } else {
          // Where only one move makes sense nothing is searched, unless a second line is asked for.
          for (const lines of [1, 2]) {
            sweep.job = this.link.ask("analyse", {
              position,
              lines,
              limits: { nodes: GAME_NODES },
              threads: this.settings.threads,
            });
            const answer = await sweep.job;
            if (sweep.isCancelled) break;
            noteValue(node, answer.lines.length ? valueOf(inOrder(answer.lines)[0], color) : null);
            if (node.value) break;
          }
          if (sweep.isCancelled) break;
        }
        sweep.done++;
        done.add(node);
        this.tell();
      }
    } catch (error) {
      if (!sweep.isCancelled && error.code === "lost") this.brokenOff = done;
      if (!sweep.isCancelled) this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
    }
    if (sweep.done === sweep.all) this.dispatchEvent(new Event("swept"));
    this.sweep = null;
    this.run();
    this.play.dispatchEvent(new CustomEvent("change", { detail: "values" }));
  }

  // Is the position won by force?
  async solve(space) {
    this.halt();
    const node = this.play.game.current;
    const proof = { node, space, isRunning: true, progress: null, answer: null, found: null, job: null };
    this.dropProof();
    this.proof = proof;
    proof.job = this.link.ask(
      "solve",
      { position: this.play.game.position(node), space, limits: { ms: 60000 } },
      (news) => {
        proof.progress = news;
        this.tell();
      },
    );
    this.tell();
    try {
      proof.answer = await proof.job;
      if (proof.answer.verdict === "win") proof.found = beginProof(proof.answer);
    } catch (error) {
      if (error.code === "stopped") {
        proof.answer = { stopped: true };
      } else if (this.proof === proof) {
        this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
        this.proof = null;
      }
    }
    proof.isRunning = false;
    this.tell();
    this.resume();
  }

  dropProof() {
    const { proof } = this;
    this.proof = null;
    if (!proof) return;
    this.leftProofs.delete(proof.node);
    if (proof.isRunning) proof.job.stop();
  }

  // Another position is shown. What was found, which may have taken a minute, is there again with its own.
  putProofAside() {
    const { proof } = this;
    this.dropProof();
    if (proof.found) this.leftProofs.set(proof.node, proof);
  }

  // What is asked for or chosen next takes the place of a proof that is shown.
  leaveProof() {
    if (this.proof?.found) this.closeProof();
  }

  closeProof() {
    this.dropProof();
    this.tell();
    this.resume();
  }

  dropEven() {
    const { even } = this;
    this.even = null;
    if (even && even.isRunning) even.job.stop();
  }

  // The move, or the two, after which neither side stands better; null if something else is wanted by then, or another
  // search has ended this one. What was found stays as long as the position is shown.
  async balance(moves) {
    this.halt();
    this.dropEven();
    const node = this.play.game.current;
    const even = {
      node,
      color: this.play.game.toMove(node),
      isRunning: true,
      isStopped: false,
      moves: null,
      share: null,
      job: null,
    };
    this.even = even;
    even.job = this.link.ask("balance", { position: this.play.game.position(node), moves, limits: { ms: 5000 } });
    this.tell();
    try {
      const answer = await even.job;
      if (this.even !== even) return null;
      even.isStopped = Boolean(answer.stopped);
      if (even.isStopped) return null;
      even.moves = answer.moves;
      even.share = answer.win_rate ?? null;
      return even.moves;
    } catch (error) {
      even.isStopped = error.code === "stopped";
      if (even.isStopped) return null;
      if (this.even === even) this.even = null;
      throw error;
    } finally {
      even.isRunning = false;
      this.tell();
      this.resume();
    }
  }
}

// A value from Black's view, of a position with this colour to move: as `value` it is kept with a node by the analysis of
// the whole game, as `live` by the other.
function valueOf(line, color) {
  const sign = color === "black" ? 1 : -1;
  return {
    color,
    black: color === "black" ? line.win_rate : 1 - line.win_rate,
    score: sign * line.score,
    end: line.plies_to_end === null || line.plies_to_end === undefined ? null : sign * line.plies_to_end,
    depth: line.depth,
    move: line.moves[0] || null,
    next: line.moves.slice(1, MOST_KEPT),
  };
}

// A score for people: a distance to the end, or points.
export function scoreText({ score, plies_to_end: end }) {
  if (end !== null && end !== undefined) return end > 0 ? t("wins-in", { n: end }) : t("lost-in", { n: -end });
  return (score > 0 ? "+" : score < 0 ? "−" : "") + Math.abs(score);
}
