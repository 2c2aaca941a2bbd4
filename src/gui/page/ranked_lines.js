// The lines of a search in the order of their worth. The engine looks at the moves one after the other and tells of each
// line as it has it, so that for a while those of two iterations lie side by side, whose values say nothing of each other.

// Deeper lines first, and among those of one depth the better ones.
export function inOrder(lines) {
  return [...lines].sort((one, other) => other.depth - one.depth || other.score - one.score);
}

export class RankedLines {
  // So many lines were asked for; there may be fewer.
  constructor(count) {
    Object.assign(this, { count, shown: [], coming: [] });
  }

  // The first line of an iteration is shown at once, since it is the best move as far as is known; the rest takes the
  // place of the iteration before when it is complete.
  take(line) {
    if (line.rank === 0) {
      this.settle();
      const others = this.shown.filter(({ moves }) => String(moves[0]) !== String(line.moves[0]));
      this.shown = inOrder([line, ...others]).slice(0, this.count);
    }
    this.coming.push(line);
    if (this.coming.length === this.count) this.settle();
  }

  settle() {
    if (this.coming.length) this.shown = inOrder(this.coming);
    this.coming = [];
  }
}
