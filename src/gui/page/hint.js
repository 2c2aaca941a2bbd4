// Help for the person whose turn it is: the move that the engine would play, and what the last one has overlooked.

import { opposite } from "./game.js";

const LIMITS = { ms: 2000 };

export class Hint {
  constructor(play) {
    this.play = play;
    this.clear();
  }

  // `asked` is the question that is under way, `found` its answer, and `moves` are shown: the answer, or moves that were
  // found otherwise and are shown like one.
  clear() {
    Object.assign(this, { asked: null, found: null, moves: [] });
  }

  // It is for one position, and gone with it.
  drop() {
    if (this.asked) this.asked.stop();
    this.clear();
  }

  show(moves) {
    Object.assign(this, { found: null, moves });
  }

  tell(what) {
    this.play.dispatchEvent(new CustomEvent("change", { detail: what }));
  }

  // Looks for the best move, which is null if the position has changed until it is found.
  async ask() {
    const { play } = this;
    const asked = play.link.ask("think", { position: play.game.position(), limits: LIMITS, threads: play.threads() });
    this.asked = asked;
    this.tell("thinking");
    let answer;
    try {
      answer = await asked;
    } catch (error) {
      if (this.asked !== asked) return null;
      this.asked = null;
      this.tell("thinking");
      throw error;
    }
    if (this.asked !== asked) return null;
    play.match.helped = true;
    Object.assign(this, { asked: null, found: answer.move, moves: [answer.move] });
    this.tell("hint");
    return answer.move;
  }
}

// Threats are shown on the board while the engine gives no other advice (`areHelp`). Whoever has a turn then is helped.
export function noteThreats({ match }, areHelp) {
  if (areHelp) match.helped = true;
}

// What the other side of `color`, which has just moved, can do at once: {kind, points}, or null where that is nothing that
// the move could have stopped. `threats` are what each side can make in this position, and `before` what it could before
// the move.
export function overlooked(threats, before, color) {
  const points = (of, side, kind) => of[side].filter(([, , its]) => its === kind).map(([x, y]) => [x, y]);
  const other = opposite(color);
  const hadToStop = points(before, other, "five").length;
  // Nobody stops two fives, and who could win has overlooked that.
  const couldWin = points(before, color, "five").length > 0;
  const fives = points(threats, other, "five");
  if (fives.length) return hadToStop < 2 || couldWin ? { kind: "five", points: fives } : null;
  // A four is answered before anything else is done, by this move or after it.
  if (points(threats, color, "five").length || (hadToStop && !couldWin)) return null;
  const fours = points(threats, other, "open-four");
  return fours.length ? { kind: "open-four", points: fours } : null;
}
