// How a game may begin: as one likes, or by one of the openings that even out Black's advantage. An opening is a list of
// steps that remain; each says who acts and what may be done. Players are 0, who begins, and 1; "black" and "white" stand
// for whoever holds that side by then.

import { samePoint } from "../../page/points.js";

const place = (by, areas) => ({ do: "place", by, areas });
const swap = (by) => ({ do: "swap", by });

// `areas` has a number for each stone: the side of the square in the middle that it must lie in; 0 is anywhere.
export const OPENINGS = {
  free: [],
  swap: [place(0, [0, 0, 0]), { do: "side", by: 1 }],
  swap2: [place(0, [0, 0, 0]), { do: "side", by: 1, mayPlaceTwo: true }],
  soosorv8: [
    place(0, [1, 3, 5]),
    swap(1),
    { do: "fourth", by: "white" },
    swap("black"),
    { do: "offer", by: "black" },
    { do: "pick", by: "white" },
  ],
  taraguchi10: [
    place(0, [1]),
    swap("white"),
    place("white", [3]),
    swap("black"),
    place("black", [5]),
    swap("white"),
    place("white", [7]),
    swap("black"),
    { do: "fork", by: "black" },
  ],
};

// Taraguchi-10 with a single fifth move, after which sides may be swapped once more.
const oneFifth = () => [place("black", [9]), swap("white")];

const MOST_FIFTHS = 8;

export function openingFor(kind) {
  return kind === "free" ? null : { kind, steps: structuredClone(OPENINGS[kind]), offered: [], count: 0 };
}

// The openings of the Renju International Federation are for renju on 15x15.
export function fitsOpening(kind, rule, width, height) {
  return !["soosorv8", "taraguchi10"].includes(kind) || (rule === "renju" && width === 15 && height === 15);
}

// The player whose step it is.
export function actor(opening, sides) {
  const { by } = opening.steps[0];
  return typeof by === "number" ? by : sides[by];
}

export function currentStep(opening) {
  return opening ? opening.steps[0] || null : null;
}

// Whether this is where an engine decides. It places some stones together, and names the number of fifth moves with the
// fourth; `ply` is how many stones lie.
export function isDecision(opening, ply) {
  const step = currentStep(opening);
  if (!step) return true;
  return step.do === "place" ? opening.kind === "taraguchi10" || ply === 0 : step.do !== "count";
}

// How choices begin that ask for a number of fifth moves.
const FIFTHS = "fifths-";

// How many fifth moves a choice asks for; null for any other choice.
export function fifthsOf(choice) {
  return choice.startsWith(FIFTHS) ? Number(choice.slice(FIFTHS.length)) : null;
}

// What can be chosen at a step, as keys of texts; empty where stones are placed.
export function choicesOf(opening) {
  const step = currentStep(opening);
  switch (step && step.do) {
    case "swap":
      return ["swap", "stay"];
    case "side":
      return step.mayPlaceTwo ? ["take-black", "take-white", "place-two"] : ["take-black", "take-white"];
    case "count":
      return Array.from({ length: MOST_FIFTHS }, (_, n) => FIFTHS + (n + 1));
    case "fork":
      return ["one-fifth", "ten-fifths"];
    default:
      return [];
  }
}

// Carries a choice out; whoever has it may end up with another side. Returns the sides.
export function choose(opening, sides, choice) {
  const step = opening.steps.shift();
  const player = typeof step.by === "number" ? step.by : sides[step.by];
  const turned = { black: sides.white, white: sides.black };
  switch (choice) {
    case "swap":
      // Who swaps after the fourth stone cannot have ten fifth moves offered.
      if (currentStep(opening)?.do === "fork") opening.steps = oneFifth();
      return turned;
    case "take-black":
      return { black: player, white: 1 - player };
    case "take-white":
      return { black: 1 - player, white: player };
    case "place-two":
      opening.steps = [place(player, [0, 0]), { do: "side", by: 1 - player }];
      return sides;
    case "one-fifth":
      opening.steps = oneFifth();
      return sides;
    case "ten-fifths":
      opening.count = 10;
      opening.steps = [
        { do: "offer", by: "black" },
        { do: "pick", by: "white" },
      ];
      return sides;
    default:
      opening.count = fifthsOf(choice) ?? opening.count;
      return sides;
  }
}

// Why a stone may not lie here at this step, as a key of a text; null where it may.
export function objection(opening, point, stones, width, height) {
  const step = currentStep(opening);
  if (!step) return null;
  if (step.do === "place") {
    const side = step.areas[0];
    const inside = (at, length) => side === 0 || Math.abs(2 * at - (length - 1)) <= side - 1;
    return inside(point[0], width) && inside(point[1], height) ? null : "opening-area";
  }
  if (step.do === "offer") {
    const others = opening.offered.filter((offered) => !samePoint(offered, point));
    return others.some((offered) => areAlike(offered, point, stones, width, height)) ? "opening-symmetric" : null;
  }
  if (step.do === "pick") return opening.offered.some((offered) => samePoint(offered, point)) ? null : "opening-pick";
  return null;
}

// A stone was placed in a step "place" or "fourth".
export function placed(opening) {
  const step = currentStep(opening);
  if (step.do === "fourth") opening.steps.splice(0, 1, { do: "count", by: step.by });
  else if (step.areas.length > 1) step.areas.shift();
  else opening.steps.shift();
}

// A fifth move was offered, or is no longer. With the last of them the step is done.
export function offer(opening, point) {
  const without = opening.offered.filter((offered) => !samePoint(offered, point));
  opening.offered = without.length < opening.offered.length ? without : [...opening.offered, point];
  if (opening.offered.length === opening.count) opening.steps.shift();
}

export function picked(opening) {
  opening.steps.shift();
  opening.offered = [];
}

const SYMMETRIES = [
  ([x, y]) => [x, y],
  ([x, y, n]) => [n - y, x],
  ([x, y, n]) => [n - x, n - y],
  ([x, y, n]) => [y, n - x],
  ([x, y, n]) => [n - x, y],
  ([x, y, n]) => [x, n - y],
  ([x, y]) => [y, x],
  ([x, y, n]) => [n - y, n - x],
];

// Whether two points are the same under a symmetry that leaves the stones as they are.
export function areAlike(one, other, stones, width, height) {
  if (width !== height) return false;
  const n = width - 1;
  const there = new Map(stones.map(({ at, color }) => [String(at), color]));
  return SYMMETRIES.some(
    (turn) =>
      samePoint(turn([...one, n]), other) &&
      stones.every(({ at, color }) => there.get(String(turn([...at, n]))) === color),
  );
}
