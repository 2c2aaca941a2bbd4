// Which moves of a game were mistakes. A search before a move cannot see all that the one after it sees, so a forced
// win or loss that is found late says something of the positions before it. `hindsight` in src/cli is the same rule for
// a game without variations.

import { mover } from "./game.js";
import { samePoint } from "../../page/points.js";

// A move that gives away so much of the expected score is a mistake, a blunder.
const MISTAKE = 0.15;
const BLUNDER = 0.35;

// Writes down what the analysis of the whole game has found at a node, and what that says of the nodes before it.
export function noteValue(node, value) {
  node.value = value;
  for (let at = node; at; at = at.parent) if (at.value) correct(at);
}

// Estimates of two searches are compared as they are, since neither is better than the other. Where one of them has
// found a forced end, the later one holds for the position before as well, if the move between them was the best that
// was known there, or has turned out to be better than that.
function correct({ value, children }) {
  delete value.hindsight;
  // Some games go on after their end.
  if (value.end === 0) return;
  let known = value;
  const isBest = ({ move }) => samePoint(move, value.move);
  const moves = children.filter((child) => child.move && child.value && mover(child) === value.color);
  for (const child of [...moves.filter(isBest), ...moves.filter((child) => !isBest(child))]) {
    const after = settled(child);
    if (!isForced(known) && !isForced(after)) continue;
    if (isBest(child) || gain(known, after, value.color) > 0)
      known = { black: after.black, end: after.end, move: child.move };
  }
  if (known !== value) value.hindsight = known;
}

function isForced({ end = null }) {
  return end !== null;
}

// How much more of the expected score this colour has by the second of two values.
function gain(before, after, color) {
  return (after.black - before.black) * (color === "black" ? 1 : -1);
}

// 1 for a forced win of this colour, -1 for a forced loss, 0 for all else; a draw is neither.
function outcome(value, color) {
  return isForced(value) ? Math.sign(gain({ black: 0.5 }, value, color)) : 0;
}

// What is known of a node in hindsight; null where the analysis of the whole game has not come there.
function settled({ value }) {
  return value && (value.hindsight ?? value);
}

// The best that is known of a position: what the deeper of the two searches has found.
export function knownValue(node) {
  const { value, live } = node;
  return live && !(value && value.depth > live.depth) ? live : settled(node);
}

// The same where values are to be alike: that of the live analysis only where the whole game was not analysed.
export function alikeValue(node) {
  return settled(node) || node.live;
}

// Before and after the move or the pass of a node, and whose it was; null where that is not known. Only the analysis of
// the whole game tells: searches of different depths differ, whatever was played between them.
function step(node) {
  const before = node.parent && settled(node.parent);
  const after = settled(node);
  const color = mover(node);
  return before && after && color ? { before, after, color } : null;
}

// How much of the expected score was given away by whoever moved or passed at this node; null where it is not known.
// The best move that is known gives away nothing: if the next search thinks less of it, another may have been no
// better.
export function lossOf(node) {
  const known = step(node);
  if (!known) return null;
  const { before, after, color } = known;
  if (!before.move || samePoint(before.move, node.move)) return 0;
  return Math.max(0, -gain(before, after, color));
}

// Whoever turns a win into none, or what was not lost into a loss, has made a mistake, however little was expected.
export function judgement(node) {
  const loss = lossOf(node);
  if (!loss) return "";
  if (loss >= BLUNDER) return "??";
  const { before, after, color } = step(node);
  return loss >= MISTAKE || outcome(after, color) < outcome(before, color) ? "?" : "";
}

// How SGF marks such moves, the worse first: bad and doubtful ones.
const PROPERTIES = [
  ["??", "BM", "1"],
  ["?", "DO", ""],
];

// The same where a move was not analysed and a file says what somebody else thinks of it.
export function signOf(node) {
  if (lossOf(node) !== null) return judgement(node);
  const names = node.properties.map(([name]) => name);
  return PROPERTIES.find(([, name]) => names.includes(name))?.[0] ?? "";
}

// The properties that a file keeps of a node, with what the analysis of the whole game has found.
export function propertiesOf(node) {
  if (lossOf(node) === null) return node.properties;
  const sign = judgement(node);
  return [
    ...node.properties.filter(([name]) => PROPERTIES.every(([, one]) => one !== name)),
    ...PROPERTIES.filter(([one]) => one === sign).map(([, name, value]) => [name, [value]]),
  ];
}

// The move that was best where this one was a mistake; null where there is none.
export function betterMove(node) {
  return judgement(node) ? settled(node.parent).move : null;
}

// The same with what the search expected after it.
export function betterLine(node) {
  const better = betterMove(node);
  const { move, next = [] } = node.parent.value;
  return samePoint(better, move) ? [better, ...next] : [better];
}
