// Clocks of the two sides. Time belongs to the players: where they change sides, their clocks go with them. Time that a
// sleeping tab did not see counts all the same.

import { opposite } from "./game.js";

// So many ms an engine may take more than it has.
const OVERRUN = 1000;
// One that has not answered so many ms after its time was over does not answer any more, if others are answered; and so
// many times as many ms after it in any case. A connection that has died is noticed earlier than that.
const SILENCE = 10000;
const SILENCES = 3;
// Little time is less than so many ms, and less than this share of the time for a move or for the game.
const LITTLE = 10000;
const LITTLE_SHARE = 0.2;
// A call that comes so many ms after the one before comes late, and an answer may wait behind it.
const LATE = 2000;

export class Clock {
  // control: {kind: "none" | "move" | "game", move, base, increment} in ms
  constructor(control, left = null) {
    this.control = control;
    const start = control.kind === "game" ? control.base : control.kind === "move" ? control.move : null;
    this.left = left || { black: start, white: start };
    this.running = null;
    this.since = 0;
  }

  remaining(color, now = performance.now()) {
    if (this.left[color] === null) return null;
    return Math.max(0, this.left[color] - (this.running === color ? now - this.since : 0));
  }

  // Lets the clock of a side run, and no other; null stops both.
  run(color) {
    if (this.running === color) return;
    this.pause();
    this.running = this.control.kind === "none" ? null : color;
    this.since = performance.now();
  }

  pause() {
    if (!this.running) return;
    this.left[this.running] = this.remaining(this.running);
    this.running = null;
  }

  // The side has moved.
  moved(color) {
    this.decided(color);
    if (this.control.kind === "game") this.left[color] += this.control.increment || 0;
  }

  // The side has decided something in an opening: that has the time of a move, and earns none, since no stone was placed.
  decided(color) {
    if (this.running === color) this.pause();
    if (this.control.kind === "move") this.left[color] = this.control.move;
  }

  // The players have changed sides. The time for a move begins anew: the one that somebody has begun is the other's now.
  turn() {
    this.pause();
    const { kind, move } = this.control;
    this.left = kind === "move" ? { black: move, white: move } : { black: this.left.white, white: this.left.black };
  }

  // The side whose clock runs has used no more than so many ms of its turn.
  used(ms) {
    if (this.running) this.since = Math.max(this.since, performance.now() - ms);
  }

  hasFallen(color) {
    return this.remaining(color) === 0;
  }

  // Whether a side has little time left.
  isLow(color) {
    const { kind, move, base } = this.control;
    const left = this.remaining(color);
    return left !== null && left < Math.min(LITTLE, LITTLE_SHARE * (kind === "move" ? move : base));
  }

  // How many ms the side whose clock runs is over its time, as far as it is.
  get overrun() {
    return performance.now() - this.since - this.left[this.running];
  }
}

// Whether a side has lost on time. A person has when the clock has run out. An engine looks after its own clock, and is
// charged what it says that it took: neither the network nor a page that was busy costs it anything.
export class Flag {
  constructor(play) {
    Object.assign(this, { play, checked: performance.now() });
  }

  // Called often: ends the game of a side whose time is over.
  check() {
    const now = performance.now();
    const isLate = now - this.checked > LATE;
    this.checked = now;
    this.judge(isLate ? Infinity : SILENCE);
  }

  // The engine has answered, and says how many ms it took.
  charge(ms = Infinity) {
    this.play.clock.used(ms);
    this.judge(OVERRUN);
  }

  // The connection is gone. A search is lost with it, and begun anew with the time that the engine had.
  lost() {
    const { play } = this;
    const color = play.clock.running;
    if (color && play.playerAt(color).kind === "engine") play.clock.used(0);
    play.clock.pause();
  }

  // `grace` is how many ms an engine may be over its time.
  judge(grace) {
    const { play } = this;
    const { clock } = play;
    const color = clock.running;
    if (play.match.mode !== "play" || play.isOver || !color) return;
    if (!clock.hasFallen(color)) return;
    const { overrun } = clock;
    if (play.playerAt(color).kind === "engine") {
      const isHeard = play.link.heardAt > performance.now() - overrun;
      if (overrun < (isHeard ? grace : SILENCES * grace)) return;
    }
    play.end(opposite(color), "time");
  }
}

// The date where the clock hangs, as in "2026-11-26".
export function localDate(date = new Date()) {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
}

export function clockText(ms) {
  if (ms === null) return "";
  const tenths = Math.ceil(ms / 100);
  const [minutes, seconds] = [Math.floor(tenths / 600), (tenths % 600) / 10];
  return ms < 10000
    ? minutes + ":" + seconds.toFixed(1).padStart(4, "0")
    : minutes + ":" + String(Math.floor(seconds)).padStart(2, "0");
}
