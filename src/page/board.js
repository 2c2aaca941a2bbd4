// The board: grid, coordinates, star points, stones, and what is marked on it. Knows no rule.

import { pointName, rowName, columnName, starPoints } from "./points.js";
import { shape } from "./elements.js";

export const CELL = 30;
const MARGIN = 26;
const BARE_MARGIN = 6;
// What can be cut off a margin with coordinates: one that lost them, and the outer edge of one that keeps them.
const CUT = { bare: 20, named: 3 };

// Where the centre of a point lies in a drawing, where the drawing begins, and how large it is.
export function boardPlaces(width, height, hasCoordinates = true, sides = 4) {
  const margin = hasCoordinates ? MARGIN : BARE_MARGIN;
  const place = (n) => margin + CELL / 2 + n * CELL;
  const isCut = hasCoordinates && sides === 2;
  const cut = isCut ? CUT.bare + CUT.named : 0;
  return {
    margin,
    place,
    origin: isCut ? [CUT.named, CUT.bare] : [0, 0],
    size: [2 * margin + CELL * width - cut, 2 * margin + CELL * height - cut],
  };
}

// options:
//   width, height
//   stones      [{at, color: "black" or "white", number?, isPale?}] in the order in which they were placed
//   dead        points that belong to nobody
//   numbers     whether stones show their numbers; a number: only so many of the last ones
//   coordinates whether rows and columns are named (default: yes); rows: "top" or "bottom", where row 1 is
//   sides       on how many sides of the board: 4 (default), or 2, to the left and below, where there is little room
//   last        the point of the last move
//   lines       lines of points that have won
//   lost        whether the last move has lost the game
//   heat        [[x, y, share]] with shares from 0 to 1
//   threats     [{at, color, kind}]
//   forbidden   points that may not be played
//   marks       [{at, kind: "triangle", "square", "circle", "cross" or "label", text?}]; on a stone in place of its number
//   hints       [{at, rank, text}] moves that were found, best first
//   ghosts      [{at, color, number, label?}] stones of a line of play that stand nowhere yet
//   sent        {at, color} a stone that is about to be placed
//   aim         {at, color} a point that is aimed at, with lines to the edges and its name
//   label       what the drawing is called
export function drawBoard(drawing, options) {
  const { width, height, stones, rows = "top" } = options;
  const hasCoordinates = options.coordinates !== false;
  const { place, margin, origin, size } = boardPlaces(width, height, hasCoordinates, options.sides);
  const at = ([x, y]) => ({ cx: place(x), cy: place(y) });
  const name = (point) => pointName(point, height, rows);
  const [right, bottom] = [place(width - 1), place(height - 1)];
  drawing.setAttribute("viewBox", [...origin, ...size].join(" "));
  const parts = [
    shape("defs", {}, gradient("black-stone", "#6b6f76", "#0d0e10"), gradient("white-stone", "#ffffff", "#cfd2d6")),
    shape("rect", { class: "wood", x: origin[0], y: origin[1], width: size[0], height: size[1], rx: 8 }),
  ];
  let grid = "";
  for (let x = 0; x < width; x++) grid += "M" + place(x) + " " + place(0) + "V" + bottom;
  for (let y = 0; y < height; y++) grid += "M" + place(0) + " " + place(y) + "H" + right;
  parts.push(shape("path", { class: "lines", d: grid }));
  for (const star of starPoints(width, height)) parts.push(shape("circle", { class: "star", ...at(star), r: 3.5 }));
  if (hasCoordinates) {
    for (let x = 0; x < width; x++) {
      for (const y of [bottom + CELL / 2 + 20, margin - 8].slice(0, options.sides === 2 ? 1 : 2))
        parts.push(shape("text", { class: "coordinate", x: place(x), y, "text-anchor": "middle" }, columnName(x)));
    }
    for (let y = 0; y < height; y++) {
      for (const x of [margin - 12, right + CELL / 2 + 14].slice(0, options.sides === 2 ? 1 : 2))
        parts.push(
          shape("text", { class: "coordinate", x, y: place(y) + 4, "text-anchor": "middle" }, rowName(y, height, rows)),
        );
    }
  }
  for (const [x, y, share] of options.heat || []) {
    parts.push(
      shape("rect", {
        class: "heat",
        x: place(x) - CELL / 2,
        y: place(y) - CELL / 2,
        width: CELL,
        height: CELL,
        rx: 5,
        style: "--share:" + share.toFixed(3),
      }),
    );
  }
  for (const point of options.dead || [])
    parts.push(
      shape("rect", {
        class: "dead",
        x: place(point[0]) - CELL * 0.42,
        y: place(point[1]) - CELL * 0.42,
        width: CELL * 0.84,
        height: CELL * 0.84,
      }),
    );
  stones.forEach(({ at: point, color, number, isSmall }) =>
    parts.push(
      shape("circle", {
        class: "stone " + color,
        ...at(point),
        r: CELL * (isSmall ? 0.3 : 0.46),
        fill: "url(#" + color + "-stone)",
        "data-at": name(point),
        "data-number": number,
      }),
    ),
  );
  for (const line of options.lines || []) {
    const [from, to] = [line[0], line[line.length - 1]];
    parts.push(
      shape("line", {
        class: "win",
        x1: place(from[0]),
        y1: place(from[1]),
        x2: place(to[0]),
        y2: place(to[1]),
        "data-stones": line.map(name).join(" "),
      }),
    );
  }
  const colors = new Map(stones.map((stone) => [String(stone.at), stone.color]));
  const marked = new Set((options.marks || []).map((mark) => String(mark.at)));
  const firstNumbered =
    typeof options.numbers === "number" ? stones.length - options.numbers : options.numbers ? 0 : Infinity;
  stones.forEach(({ at: [x, y], color, number, isPale }, n) => {
    if (n >= firstNumbered && number && !marked.has(String([x, y])))
      parts.push(
        shape(
          "text",
          {
            class: "stone-number " + color + (isPale ? " of-opening" : ""),
            x: place(x),
            y: place(y) + 4.5,
            "text-anchor": "middle",
          },
          String(number),
        ),
      );
  });
  for (const threat of options.threats || []) parts.push(drawThreat(threat, place));
  for (const point of options.forbidden || []) parts.push(cross("forbidden", point, place, 0.22, name));
  for (const ghost of options.ghosts || []) {
    parts.push(
      shape("circle", {
        class: "stone ghost " + ghost.color,
        ...at(ghost.at),
        r: CELL * 0.44,
        fill: "url(#" + ghost.color + "-stone)",
      }),
    );
    parts.push(
      shape(
        "text",
        {
          class: "stone-number " + ghost.color,
          x: place(ghost.at[0]),
          y: place(ghost.at[1]) + 4.5,
          "text-anchor": "middle",
        },
        String(ghost.number),
      ),
    );
  }
  for (const hint of options.hints || []) {
    parts.push(
      shape("circle", {
        class: "hint-move rank-" + Math.min(hint.rank, 3),
        ...at(hint.at),
        r: CELL * 0.46,
        "data-at": name(hint.at),
      }),
    );
    parts.push(
      shape(
        "text",
        { class: "hint-text", x: place(hint.at[0]), y: place(hint.at[1]) + 4, "text-anchor": "middle" },
        hint.text,
      ),
    );
  }
  for (const mark of options.marks || []) parts.push(drawMark(mark, colors.get(String(mark.at)), place));
  if (options.last && options.lost) parts.push(cross("foul", options.last, place, 0.28, name));
  else if (options.last) {
    // Around a number or a mark.
    const isAround = firstNumbered < stones.length || marked.has(String(options.last));
    // A ring in the middle of a black stone is seen only if it is bright.
    const isOnBlack = !isAround && colors.get(String(options.last)) === "black";
    parts.push(
      shape("circle", {
        class: isOnBlack ? "last on-black" : "last",
        ...at(options.last),
        r: isAround ? CELL * 0.46 : CELL * 0.17,
        "data-at": name(options.last),
      }),
    );
  }
  if (options.sent)
    parts.push(
      shape("circle", {
        class: "stone ghost sent " + options.sent.color,
        ...at(options.sent.at),
        r: CELL * 0.46,
        fill: "url(#" + options.sent.color + "-stone)",
        "data-at": name(options.sent.at),
      }),
    );
  if (options.aim) parts.push(...drawAim(options.aim, [right, bottom], place, name));
  drawing.replaceChildren(...parts);
  drawing.setAttribute(
    "aria-label",
    options.label || stones.length + " stones" + (options.last ? ", the last at " + name(options.last) : ""),
  );
}

function cross(kind, [px, py], place, share, name) {
  const [x, y, r] = [place(px), place(py), CELL * share];
  return shape("path", {
    class: kind,
    d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`,
    "data-at": name([px, py]),
  });
}

// Threats differ in form as well as in colour: a diamond for five, filled squares for fours, hollow ones for threes.
function drawThreat({ at: [x, y], color, kind }, place) {
  const [cx, cy, r] = [place(x), place(y), CELL * 0.2];
  return kind === "five"
    ? shape("path", {
        class: "threat five " + color,
        d: `M${cx} ${cy - 1.5 * r}L${cx + 1.5 * r} ${cy}L${cx} ${cy + 1.5 * r}L${cx - 1.5 * r} ${cy}Z`,
      })
    : shape("rect", {
        class: "threat " + kind + " " + color,
        x: cx - r,
        y: cy - r,
        width: 2 * r,
        height: 2 * r,
        rx: kind.includes("three") && !kind.includes("four") ? r : 1,
      });
}

// The name stands above the point, where the finger does not hide it, and below it on the two highest rows.
function drawAim({ at: [x, y], color }, [right, bottom], place, name) {
  const [cx, cy] = [place(x), place(y)];
  return [
    shape("path", { class: "aim", d: `M${place(0)} ${cy}H${right}M${cx} ${place(0)}V${bottom}` }),
    shape("circle", {
      class: "stone ghost aimed " + color,
      cx,
      cy,
      r: CELL * 0.46,
      fill: "url(#" + color + "-stone)",
      "data-at": name([x, y]),
    }),
    shape(
      "text",
      {
        class: "aim-name",
        x: Math.max(place(0), Math.min(right, cx)),
        y: y > 1 ? cy - CELL : cy + 1.4 * CELL,
        "text-anchor": "middle",
      },
      name([x, y]),
    ),
  ];
}

// `under` is the colour of the stone that lies there, if any.
function drawMark({ at: [x, y], kind, text }, under, place) {
  const [cx, cy, r] = [place(x), place(y), CELL * 0.27];
  const on = under ? " on-" + under : "";
  switch (kind) {
    case "triangle":
      return shape("path", {
        class: "mark" + on,
        d: `M${cx} ${cy - r}L${cx + 0.9 * r} ${cy + 0.7 * r}L${cx - 0.9 * r} ${cy + 0.7 * r}Z`,
      });
    case "square":
      return shape("rect", { class: "mark" + on, x: cx - 0.8 * r, y: cy - 0.8 * r, width: 1.6 * r, height: 1.6 * r });
    case "cross":
      return shape("path", {
        class: "mark" + on,
        d: `M${cx - 0.8 * r} ${cy - 0.8 * r}L${cx + 0.8 * r} ${cy + 0.8 * r}M${cx - 0.8 * r} ${cy + 0.8 * r}L${cx + 0.8 * r} ${cy - 0.8 * r}`,
      });
    case "label":
      return shape("text", { class: "mark-text" + on, x: cx, y: cy + 5, "text-anchor": "middle" }, text || "");
    default:
      return shape("circle", { class: "mark" + on, cx, cy, r: 0.9 * r });
  }
}

function gradient(id, light, dark) {
  return shape(
    "radialGradient",
    { id, cx: "35%", cy: "30%", r: "75%" },
    shape("stop", { offset: "0%", "stop-color": light }),
    shape("stop", { offset: "100%", "stop-color": dark }),
  );
}
