// The board: grid, coordinates, star points, stones, and what is marked on it. Knows no rule.

const CELL = 30;
const MARGIN = 26;

function columnName(x) {
  return String.fromCharCode(97 + x);
}

function pointName([x, y]) {
  return columnName(x) + (y + 1);
}

// `h8i9` as points; rows count from the top.
function readMoves(text) {
  return (text.match(/[a-z]\d+/g) || []).map((name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1]);
}

// Star points where players expect them: on the fourth lines of large boards, the third of small ones.
function starPoints(width, height) {
  const lines = (side) => {
    const from = side >= 13 ? 3 : 2;
    const all = side >= 9 ? [from, side - 1 - from] : [];
    return { corner: all, middle: side % 2 === 1 ? (side - 1) / 2 : null };
  };
  const [xs, ys] = [lines(width), lines(height)];
  const stars = xs.corner.flatMap((x) => ys.corner.map((y) => [x, y]));
  if (xs.middle !== null && ys.middle !== null) stars.push([xs.middle, ys.middle]);
  return stars;
}

// The stones of the line that the last stone completes: exact fives if there are any, else longer ones.
function winningLine(moves) {
  if (moves.length === 0) return [];
  const own = new Set(moves.filter((_, n) => (moves.length - 1 - n) % 2 === 0).map(String));
  const [x, y] = moves[moves.length - 1];
  const lines = [[1, 0], [0, 1], [1, 1], [1, -1]].map(([dx, dy]) => {
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

// options: width, height, moves (those on the board), opening (how many stones it has), numbers (shown or not),
// end: null, "line", "lost" (the last stone lost the game)
function drawBoard(drawing, options) {
  const { width, height, moves } = options;
  const place = (n) => MARGIN + CELL / 2 + n * CELL;
  const [right, bottom] = [place(width - 1), place(height - 1)];
  const size = [right + MARGIN + CELL / 2, bottom + MARGIN + CELL / 2];
  drawing.setAttribute("viewBox", "0 0 " + size.join(" "));
  const parts = [
    shape("defs", {},
      gradient("black-stone", "#6b6f76", "#0d0e10"),
      gradient("white-stone", "#ffffff", "#cfd2d6")),
    shape("rect", { class: "wood", x: 0, y: 0, width: size[0], height: size[1], rx: 8 }),
  ];
  let lines = "";
  for (let x = 0; x < width; x++) lines += "M" + place(x) + " " + place(0) + "V" + bottom;
  for (let y = 0; y < height; y++) lines += "M" + place(0) + " " + place(y) + "H" + right;
  parts.push(shape("path", { class: "lines", d: lines }));
  for (const [x, y] of starPoints(width, height)) parts.push(shape("circle", { class: "star", cx: place(x), cy: place(y), r: 3.5 }));
  for (let x = 0; x < width; x++) {
    for (const y of [MARGIN - 8, bottom + CELL / 2 + 20]) parts.push(shape("text", { class: "coordinate", x: place(x), y, "text-anchor": "middle" }, columnName(x)));
  }
  for (let y = 0; y < height; y++) {
    for (const x of [MARGIN - 12, right + CELL / 2 + 14]) parts.push(shape("text", { class: "coordinate", x, y: place(y) + 4, "text-anchor": "middle" }, String(y + 1)));
  }
  moves.forEach(([x, y], n) => {
    const color = n % 2 === 0 ? "black" : "white";
    parts.push(shape("circle", {
      class: "stone " + color, cx: place(x), cy: place(y), r: CELL * 0.46, fill: "url(#" + color + "-stone)", "data-at": pointName([x, y]), "data-number": n + 1,
    }));
  });
  if (options.end === "line") {
    for (const line of winningLine(moves)) {
      const [from, to] = [line[0], line[line.length - 1]];
      parts.push(shape("line", { class: "win", x1: place(from[0]), y1: place(from[1]), x2: place(to[0]), y2: place(to[1]), "data-stones": line.map(pointName).join(" ") }));
    }
  }
  if (options.numbers) moves.forEach(([x, y], n) => parts.push(shape("text", {
    class: "stone-number " + (n % 2 === 0 ? "black" : "white") + (n < options.opening ? " of-opening" : ""), x: place(x), y: place(y) + 4.5, "text-anchor": "middle",
  }, String(n + 1))));
  const last = moves[moves.length - 1];
  if (last && options.end === "lost") {
    const [x, y, r] = [place(last[0]), place(last[1]), CELL * 0.28];
    parts.push(shape("path", { class: "foul", d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`, "data-at": pointName(last) }));
  } else if (last) {
    parts.push(shape("circle", { class: "last", cx: place(last[0]), cy: place(last[1]), r: options.numbers ? CELL * 0.46 : CELL * 0.17, "data-at": pointName(last) }));
  }
  drawing.replaceChildren(...parts);
  drawing.setAttribute("aria-label", moves.length + " stones" + (last ? ", the last at " + pointName(last) : ""));
}

function gradient(id, light, dark) {
  return shape("radialGradient", { id, cx: "35%", cy: "30%", r: "75%" },
    shape("stop", { offset: "0%", "stop-color": light }), shape("stop", { offset: "100%", "stop-color": dark }));
}
