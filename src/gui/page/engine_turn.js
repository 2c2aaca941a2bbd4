// The turns of the engine: it is asked, thinks, and plays what it has found.

import { currentStep } from "./openings.js";
import { carryOut, question } from "./opponent.js";

// After so many ms an engine that had no room for a search is asked again.
export const ASK_AGAIN = 2000;

export class EngineTurn {
  constructor(play) {
    // `search` is the question that is under way, or the rest after its answer; null if the engine has nothing to do.
    // `isWaiting` tells that it had no room for the last one, and `again` asks once more.
    Object.assign(this, { play, search: null, isWaiting: false, again: null });
  }

  tell(event, detail) {
    this.play.dispatchEvent(new CustomEvent(event, { detail }));
  }

  // The engine's turn has come.
  async act() {
    const { play } = this;
    clearTimeout(this.again);
    const step = currentStep(play.match.opening);
    const { op, fields } = question(play);
    const asked = play.link.ask(op, fields, (news) => {
      if (this.search === asked) this.tell("thought", news);
    });
    const began = performance.now();
    this.search = asked;
    this.tell("change", "thinking");
    let answer;
    try {
      answer = await asked;
    } catch (error) {
      // Whoever stopped it wants no answer.
      if (this.search !== asked) return;
      this.search = null;
      this.tell("change", "thinking");
      // A lost connection comes back, and whoever listens for that calls proceed() again. An engine without room, or one
      // that was given something else to do, is asked again.
      if (error.code === "lost") return;
      // What it waits for is not its fault, and is told once.
      const { isWaiting } = this;
      this.isWaiting = error.code === "busy";
      if (this.isWaiting) play.clock.pause();
      if (error.code !== "stopped" && !(isWaiting && this.isWaiting)) this.tell("trouble", error);
      if (["busy", "stopped"].includes(error.code)) this.again = setTimeout(() => play.proceed(), ASK_AGAIN);
      return;
    }
    this.isWaiting = false;
    if (this.search === asked) play.flag.charge(answer.ms);
    if (this.search !== asked || (!asked.isHurried && !(await this.rested(began + play.pace())))) return;
    this.search = null;
    if (step) return carryOut(play, step, answer);
    const [best] = answer.lines;
    if (best) play.lastShare = { at: play.game.keyOf(play.tip), share: best.win_rate };
    this.tell("thought", best);
    play.playAtTip(answer.move);
  }

  // Waits until then, so that moves of an engine that answers at once can be followed; no clock runs meanwhile. Whatever
  // ends a search ends the wait as well. False where the answer is wanted no more by then.
  async rested(until) {
    const { play } = this;
    const wait = until - performance.now();
    if (wait <= 0 || play.tip === play.game.root) return true;
    let stop;
    const rest = new Promise((resolve) => {
      stop = resolve;
    });
    const timer = setTimeout(stop, wait);
    this.search = Object.assign(rest, { stop, isRest: true });
    play.clock.pause();
    this.tell("change", "thinking");
    await rest;
    clearTimeout(timer);
    return this.search === rest;
  }

  // Whether the engine looks for a move of its own; what it has to decide in an opening cannot be cut short.
  get isMoving() {
    return this.search !== null && (currentStep(this.play.match.opening) === null || Boolean(this.search.isRest));
  }

  // The engine plays the best that it has found so far.
  moveNow() {
    if (!this.isMoving) return;
    this.search.isHurried = true;
    this.search.stop();
  }

  interrupt() {
    if (this.search) this.search.stop();
    clearTimeout(this.again);
    Object.assign(this, { search: null, isWaiting: false });
  }
}
