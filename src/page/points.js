// Points of a board: [x, y], the column from the left and the row from the top, both from 0.

export function columnName(x) {
  return String.fromCharCode(97 + x);
}

// Rows are counted from "top", as Piskvork does, or from "bottom", as players of Renju do.
export function rowName(y, height, rows) {
  return String(rows === "bottom" ? height - y : y + 1);
}

export function pointName([x, y], height, rows = "top") {
  return columnName(x) + rowName(y, height, rows);
}

// `h8i9` as points, from whichever edge the rows are counted; what is no point is passed over.
export function readMoves(text, height, rows = "top") {
  const row = (number) => (rows === "bottom" ? height - number : number - 1);
  return (text.match(/[a-z]\d+/g) || []).map((name) => [name.charCodeAt(0) - 97, row(Number(name.slice(1)))]);
}

export function samePoint(one, other) {
  return Boolean(one && other) && one[0] === other[0] && one[1] === other[1];
}

// Star points where players expect them: on the fourth lines of large boards, the third of small ones.
export function starPoints(width, height) {
  const lines = (side) => {
    const from = side >= 13 ? 3 : 2;
    const all = side >= 9 ? [from, side - 1 - from] : [];
    return { corner: all, middle: side % 2 === 1 && side >= 5 ? (side - 1) / 2 : null };
  };
  const [xs, ys] = [lines(width), lines(height)];
  const stars = xs.corner.flatMap((x) => ys.corner.map((y) => [x, y]));
  if (xs.middle !== null && ys.middle !== null) stars.push([xs.middle, ys.middle]);
  return stars;
}

// The lines that the last of these moves, played in turn, completes: exact fives if there are any, else longer ones.
export function winningLines(moves) {
  if (moves.length === 0) return [];
  const own = moves.filter((_, n) => (moves.length - 1 - n) % 2 === 0);
  return completedLines(own.at(-1), own);
}

// The same for a stone among all those of its side.
export function completedLines([x, y], stones) {
  const own = new Set(stones.map(String));
  const lines = [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ].map(([dx, dy]) => {
    const line = [[x, y]];
    for (const sign of [1, -1]) {
      for (let n = 1; own.has(String([x + sign * n * dx, y + sign * n * dy])); n++) {
        line[sign > 0 ? "push" : "unshift"]([x + sign * n * dx, y + sign * n * dy]);
      }
    }
    return line;
  });
  const fives = lines.filter((line) => line.length === 5);
  return fives.length ? fives : lines.filter((line) => line.length > 5);
}

// Moves played in turn as stones to be drawn; those of an opening are paler.
export function stonesOf(moves, opening = 0) {
  return moves.map((at, n) => ({ at, color: n % 2 === 0 ? "black" : "white", number: n + 1, isPale: n < opening }));
}
