// Which moves of an analysed game are marked, and what later searches say of the positions before them.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  betterLine,
  betterMove,
  judgement,
  knownValue,
  lossOf,
  noteValue,
  propertiesOf,
  signOf,
} from "../../src/gui/page/hindsight.js";

const [h8, i9] = [
  [7, 7],
  [8, 6],
];

test("a mistake is a move that is worse than the best one", () => {
  const parent = { value: { black: 0.9, move: h8 } };
  const after = (move, black) => ({ parent, color: "black", move, value: { black } });
  const nodes = [after(i9, 0.1), after(h8, 0.1), after(i9, 0.85)];
  assert.deepEqual(nodes.map(betterMove), [h8, null, null]);
  assert.deepEqual(nodes.map(judgement), ["??", "", ""]);
  assert.equal(lossOf(nodes[1]), 0);
});

test("a file has the mistakes that were found, or those that it came with", () => {
  const parent = { value: { black: 0.9, move: h8 } };
  const foreign = [
    ["KO", [""]],
    ["DO", [""]],
  ];
  const played = (value, properties = foreign) => ({ parent, color: "black", move: i9, value, properties });
  // What somebody else thinks holds where nothing was analysed.
  assert.deepEqual([signOf(played()), propertiesOf(played())], ["?", foreign]);
  assert.equal(signOf(played(undefined, [["BM", ["2"]]])), "??");
  const bad = [
    ["KO", [""]],
    ["BM", ["1"]],
  ];
  assert.deepEqual([signOf(played({ black: 0.1 })), propertiesOf(played({ black: 0.1 }))], ["??", bad]);
  assert.deepEqual(propertiesOf(played({ black: 0.7 })), foreign);
  assert.deepEqual([signOf(played({ black: 0.88 })), propertiesOf(played({ black: 0.88 }))], ["", [["KO", [""]]]]);
});

test("a pass is judged for the one who passed, and what is set up for nobody", () => {
  const parent = { value: { black: 0.9, move: h8 } };
  const after = (node) => lossOf({ parent, move: null, setup: null, value: { black: 0.1 }, ...node });
  // The file says whose turn it is after a pass.
  assert.deepEqual([after({ color: "white" }), after({ color: "black" })].map(Math.round), [1, 0]);
  assert.deepEqual([after({ color: "white", setup: { black: [h8] } }), after({ color: null })], [null, null]);
});

const OTHER = [14, 14];

// A game of which each search has found [Black's share, plies to the end for Black or null, whether the game went on
// with the move that it thought best].
function analysed(searches) {
  const nodes = [];
  searches.forEach((_, n) => {
    const parent = nodes[n - 1] ?? null;
    const node = { parent, move: parent && [n, 0], color: parent && (n % 2 ? "black" : "white"), children: [] };
    parent?.children.push(node);
    nodes.push(node);
  });
  searches.forEach(([black, end, isBest], n) =>
    noteValue(nodes[n], {
      color: n % 2 ? "white" : "black",
      black,
      end,
      depth: 9,
      move: isBest ? [n + 1, 0] : OTHER,
    }),
  );
  return nodes;
}

const marks = (searches) => analysed(searches).map(judgement);
const WON = [1, 5];
const LOST = [0, -5];

test("a loss that is seen late is the mistake before which another move was known", () => {
  // White's best moves lead into it, and the move before them was not the best one.
  const game = [
    [0.5, null, true],
    [0.5, null, false],
    [0.5, null, true],
    [0.6, null, true],
    [...WON, true],
    [...WON, true],
  ];
  assert.deepEqual(marks(game), ["", "", "??", "", "", ""]);
  const nodes = analysed(game);
  assert.deepEqual(betterMove(nodes[2]), OTHER);
  assert.deepEqual(
    nodes.map((node) => knownValue(node).black),
    [0.5, 0.5, 1, 1, 1, 1],
  );
  // Without such a move the position that the analysis begins with was lost already.
  game[1][2] = true;
  assert.deepEqual(marks(game), ["", "", "", "", "", ""]);
  assert.equal(knownValue(analysed(game)[0]).black, 1);
});

test("a move that turns out to win was no mistake, and leaves the one before it as one", () => {
  const game = [
    [0.5, null, true],
    [0.5, null, false],
    // Black plays something else than what was thought best, and wins.
    [0.6, null, false],
    [...WON, true],
  ];
  assert.deepEqual(marks(game), ["", "", "??", ""]);
  assert.equal(betterMove(analysed(game)[3]), null);
});

test("a win that is given away and a loss that is run into are marked, however little was expected", () => {
  assert.deepEqual(
    marks([
      [...WON, false],
      [0.95, null, true],
    ]),
    ["", "?"],
  );
  assert.deepEqual(
    marks([
      [0.05, null, false],
      [...LOST, true],
    ]),
    ["", "?"],
  );
  // One estimate after another, or a longer way to the same end.
  assert.deepEqual(
    marks([
      [0.95, null, false],
      [0.85, null, true],
    ]),
    ["", ""],
  );
  assert.deepEqual(
    marks([
      [1, 3, false],
      [1, 9, true],
    ]),
    ["", ""],
  );
  // What draws has not won.
  assert.deepEqual(
    marks([
      [...WON, false],
      [0.5, 0, true],
    ]),
    ["", "??"],
  );
});

test("estimates do not correct each other", () => {
  assert.deepEqual(
    analysed([
      [0.5, null, true],
      [0.3, null, true],
      [0.2, null, true],
    ]).map((node) => knownValue(node).black),
    [0.5, 0.3, 0.2],
  );
});

test("what would have been better is told with what would have followed", () => {
  const nodes = analysed([
    [0.5, null, false],
    [0, null, true],
  ]);
  nodes[0].value.next = [h8, i9];
  assert.deepEqual(betterLine(nodes[1]), [OTHER, h8, i9]);
  // A move that has turned out to be better than that one is known by itself.
  const other = { parent: nodes[0], move: [3, 3], color: "black", children: [] };
  nodes[0].children.push(other);
  noteValue(other, { color: "white", black: 1, end: 5, depth: 9, move: h8 });
  assert.deepEqual(betterLine(nodes[1]), [[3, 3]]);
});

test("variations tell as much as the game", () => {
  const nodes = analysed([
    [0.5, null, false],
    [0.5, null, true],
  ]);
  const [root] = nodes;
  const other = { parent: root, move: OTHER, color: "black", children: [] };
  root.children.push(other);
  noteValue(other, { color: "white", black: 0, end: -4, depth: 9, move: h8 });
  // What was thought best loses, and the move of the game does not.
  assert.deepEqual([root, nodes[1], other].map(judgement), ["", "", "??"]);
  assert.deepEqual(betterMove(other), [1, 0]);
  // A later analysis of the same positions forgets what the one before has said.
  noteValue(other, { color: "white", black: 0.5, end: null, depth: 12, move: h8 });
  assert.equal(root.value.hindsight, undefined);
});

test("no result of any game changes for the worse without a mark", () => {
  let state = 1;
  const random = (n) => {
    state = (state * 48271) % 2147483647;
    return state % n;
  };
  const results = [LOST, WON, [0.02, null], [0.5, null], [0.98, null]];
  let counted = 0;
  for (let game = 0; game < 2000; game++) {
    const nodes = analysed(Array.from({ length: 8 }, () => [...results[random(5)], random(2) === 0]));
    // 1 where Black has won by force, -1 where White has.
    const known = nodes.map((node) => knownValue(node)).map(({ black, end }) => (end === null ? 0 : black ? 1 : -1));
    nodes.slice(1).forEach((node, n) => {
      const change = (known[n + 1] - known[n]) * (node.color === "black" ? 1 : -1);
      // Whoever moves can only lose by it, and only by another move than the best that is known.
      assert.ok(change <= 0);
      assert.equal(Boolean(judgement(node)) || change === 0, true);
      if (change < 0) assert.notDeepEqual(betterMove(node), node.move);
      counted += change < 0;
    });
  }
  assert.ok(counted > 1000, String(counted));
});
