// Clocks of the two sides. Time that a sleeping tab did not see counts all the same.

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
    if (this.control.kind === "none") return;
    if (this.running === color) this.pause();
    this.left[color] = this.control.kind === "move" ? this.control.move : this.left[color] + (this.control.increment || 0);
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
  return ms < 10000 ? minutes + ":" + seconds.toFixed(1).padStart(4, "0") : minutes + ":" + String(Math.floor(seconds)).padStart(2, "0");
}
