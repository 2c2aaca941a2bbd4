// The list of former games, without a browser: what is kept, as one entry for each game, and what makes room for what.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { forgetGame, formerGames, gameOf, isListed, noteGame } from "../../src/gui/page/archive.js";
import { DEFAULT_OPTIONS, Play } from "../../src/gui/page/play.js";
import { isUsable, write } from "../../src/gui/page/storage.js";
import { Storage } from "./storage.mjs";

beforeEach(() => {
  globalThis.localStorage = new Storage();
});

const PERSON = { kind: "person", name: "Ada" };
const ONGOING = { verdict: { kind: "ongoing" }, forbidden: [], threats: { black: [], white: [] } };
const link = { ask: () => Object.assign(Promise.resolve(ONGOING), { stop() {} }) };
const TWO = { ...DEFAULT_OPTIONS, players: [PERSON, { ...PERSON, name: "Bo" }] };

function begin(options = {}) {
  const play = new Play(link, () => 1);
  play.start({ ...TWO, ...options });
  return play;
}

// As the page does it, where what is noted stays with the game.
const note = (play) => Object.assign(play.match, noteGame(play.state()));
const copyOf = (play) => {
  const copy = new Play(link, () => 1);
  copy.restore(JSON.parse(JSON.stringify(play.state())));
  return copy;
};
const lengths = () => formerGames().map(({ state }) => gameOf(state).ply());

test("a game is one entry, whenever it is noted, resumed or undone", () => {
  const play = begin();
  note(play);
  assert.deepEqual(lengths(), []);
  play.place([7, 7]);
  note(play);
  play.place([8, 8]);
  play.resign();
  note(play);
  assert.deepEqual(lengths(), [2]);
  assert.equal(formerGames()[0].state.match.result.reason, "resign");
  play.undo();
  play.undo();
  note(play);
  assert.deepEqual([lengths(), formerGames()[0].state.match.result], [[1], null]);
  const again = begin();
  again.restore(JSON.parse(JSON.stringify(formerGames()[0].state)));
  again.place([3, 3]);
  again.place([4, 4]);
  note(again);
  assert.deepEqual(lengths(), [3]);
});

test("what was only opened is not played, nor what has no stone beyond its opening", () => {
  const play = begin({ opening: "swap" });
  for (const point of [
    [7, 7],
    [8, 8],
    [6, 6],
  ])
    play.place(point);
  assert.equal(noteGame(play.state()), null);
  play.resign();
  assert.equal(noteGame(play.state()), null);
  play.undo();
  play.openingTurn.choose("take-white");
  assert.equal(noteGame(play.state()), null);
  play.place([5, 5]);
  assert.notEqual(noteGame(play.state()), null);
  const opened = begin();
  opened.place([7, 7]);
  opened.open(opened.game);
  assert.equal(noteGame(opened.state()), null);
  // What is played on is, from its first stone.
  opened.continueWith(TWO);
  assert.equal(noteGame(opened.state()), null);
  opened.place([8, 8]);
  assert.notEqual(noteGame(opened.state()), null);
});

test("a game that is over is listed as it was played, whatever its analysis makes the main line or deletes", () => {
  const play = begin();
  const points = [
    [7, 7],
    [8, 8],
    [9, 9],
  ];
  for (const point of points) play.place(point);
  play.resign();
  play.setMode("analyse");
  play.step("previous");
  play.place([1, 1]);
  play.game.promote(play.game.current);
  note(play);
  const listed = () =>
    gameOf(formerGames()[0].state)
      .mainLine()
      .flatMap(({ move }) => (move ? [move] : []));
  assert.deepEqual(listed(), points);
  play.game.remove(play.leftNode);
  note(play);
  assert.deepEqual([lengths(), listed()], [[3], points]);
  // Older pages have listed another main line with it.
  const { state } = formerGames()[0];
  state.tree.nodes[2].children.reverse();
  const again = begin();
  again.restore(structuredClone(state));
  assert.deepEqual(again.game.mainLine().at(-1).move, points.at(-1));
});

test("a game is kept where it stands, whatever its analysis shows", () => {
  const play = begin();
  for (const point of [
    [7, 7],
    [8, 8],
    [9, 9],
  ])
    play.place(point);
  play.setMode("analyse");
  play.step("first");
  play.place([0, 0]);
  play.game.promote(play.game.current);
  note(play);
  const [{ state }] = formerGames();
  assert.deepEqual([lengths(), state.match.mode, gameOf(state).nodes().length], [[3], "play", 5]);
});

test("a game that was deleted comes back only if it is played on", () => {
  const play = begin();
  play.place([7, 7]);
  note(play);
  forgetGame(formerGames()[0].key);
  assert.equal(isListed(play.match), false);
  note(play);
  assert.deepEqual(lengths(), []);
  play.place([8, 8]);
  note(play);
  assert.deepEqual(lengths(), [2]);
});

test("two tabs that play one game on in two ways have two games", () => {
  const first = begin();
  first.place([7, 7]);
  note(first);
  const second = copyOf(first);
  first.place([8, 8]);
  note(first);
  // It goes on from what the other has written.
  second.place([8, 8]);
  second.place([9, 9]);
  note(second);
  assert.deepEqual(lengths(), [3]);
  first.place([3, 3]);
  note(first);
  note(second);
  assert.deepEqual(lengths(), [3, 3]);
});

test("a copy that was left behind when the game went on is no game of its own", () => {
  const play = begin();
  play.place([7, 7]);
  play.place([8, 8]);
  note(play);
  const left = copyOf(play);
  play.place([9, 9]);
  note(play);
  assert.equal(noteGame(left.state()), null);
  // Nor where the game went on after a move was taken back.
  play.undo();
  play.undo();
  play.place([3, 3]);
  note(play);
  assert.equal(noteGame(left.state()), null);
  assert.deepEqual(lengths(), [2]);
  // Once that is played on as well, they are two.
  left.place([4, 4]);
  note(left);
  assert.deepEqual(lengths().sort(), [2, 3]);
});

test("the latest are first, and the oldest of too many are dropped", () => {
  for (let n = 0; n < 203; n++) {
    const play = begin();
    play.place([n % 15, Math.floor(n / 15)]);
    // The time is told in ms.
    play.match.at = 1000 + n;
    noteGame(play.state());
  }
  const times = formerGames().map(({ at }) => at);
  assert.deepEqual([times.length, times[0], times.at(-1)], [200, 1202, 1003]);
});

test("former games make room for the game that is played, and stay where that does not help", () => {
  globalThis.localStorage = new Storage(10000);
  const at = [];
  for (let n = 0; n < 30; n++) {
    const play = begin();
    play.place([n, 0].map((part) => part % 15));
    play.match.at = 1000 + n;
    noteGame(play.state());
    at.unshift(1000 + n);
  }
  const before = formerGames().map((entry) => entry.at);
  assert.ok(before.length > 3 && before.length < 30);
  assert.deepEqual(before, at.slice(0, before.length));
  assert.equal(write("kagetsu.game.1", "x".repeat(4000)), true);
  const after = formerGames().map((entry) => entry.at);
  assert.ok(after.length < before.length);
  assert.deepEqual(after, before.slice(0, after.length));
  assert.equal(write("kagetsu.game.1", "x".repeat(20000)), false);
  assert.deepEqual(
    formerGames().map((entry) => entry.at),
    after,
  );
});

test("a game with an endless analysis is kept without its variations", () => {
  const play = begin();
  for (const point of [
    [7, 7],
    [8, 8],
    [9, 9],
  ])
    play.place(point);
  play.game.current.comment = "kept";
  const [branch] = play.game.root.children;
  for (let n = 0; n < 5000; n++)
    branch.children.push({ ...branch, parent: branch, children: [], move: [n % 7, 14], comment: "aside" });
  note(play);
  const [{ state }] = formerGames();
  assert.deepEqual(
    state.tree.nodes.map(({ comment, children }) => [comment, children]),
    [
      [null, [1]],
      [null, [2]],
      [null, [3]],
      ["kept", []],
    ],
  );
  play.game.current.comment = "x".repeat(500000);
  note(play);
  assert.deepEqual(
    formerGames()[0].state.tree.nodes.map(({ comment }) => comment),
    [null, null, null, null],
  );
});

test("without storage nothing is listed, and nothing fails", () => {
  const refuse = () => {
    throw new Error("forbidden");
  };
  globalThis.localStorage = { getItem: refuse, setItem: refuse, removeItem: refuse };
  const play = begin();
  play.place([7, 7]);
  assert.deepEqual([noteGame(play.state()), formerGames(), isListed(play.match), isUsable()], [null, [], false, false]);
});
