// Clocks of the two sides. Time belongs to the players: where they change sides, their clocks go with them. Time that a
// sleeping tab did not see counts all the same.

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

  // The players have changed sides.
  turn() {
    this.pause();
    this.left = { black: this.left.white, white: this.left.black };
  }

  hasFallen(color) {
    return this.remaining(color) === 0;
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
