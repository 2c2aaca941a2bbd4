// A game that is played, and its analysis, without a browser: the engine is a list of questions that the test answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Analysis } from "../../src/gui/page/analysis.js";
import { judgement, knownValue } from "../../src/gui/page/hindsight.js";
import { overlooked } from "../../src/gui/page/hint.js";
import { DEFAULT_OPTIONS, Play } from "../../src/gui/page/play.js";
import { RankedLines } from "../../src/gui/page/ranked_lines.js";

const PERSON = { kind: "person", name: "Ada" };
const ENGINE = { kind: "engine", name: "Kagetsu" };
const ONGOING = { verdict: { kind: "ongoing" }, forbidden: [], threats: { black: [], white: [] } };

// Answers what is asked about positions; other questions wait in `asked`.
class Engine {
  asked = [];
  stopped = [];
  isAway = false;
  heardAt = Infinity;

  ask(op, fields, tell) {
    const question = { op, fields, tell };
    const promise =
      op === "position"
        ? Promise.resolve({ ...ONGOING })
        : new Promise((answer, fail) => {
            Object.assign(question, { answer, fail });
          });
    promise.stop = () => this.stopped.push(question);
    if (op !== "position") this.asked.push(question);
    return promise;
  }

  of(op) {
    return this.asked.filter((question) => question.op === op);
  }
}

// What was promised has happened.
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

function begin(options) {
  const engine = new Engine();
  const play = new Play(engine, () => 1);
  play.start({ ...DEFAULT_OPTIONS, ...options });
  return { engine, play };
}

test("one search serves a turn, whatever else changes", async () => {
  const { engine, play } = begin({ players: [ENGINE, PERSON] });
  await settled();
  assert.equal(engine.of("think").length, 1);
  play.changed("settings");
  play.step("first");
  await settled();
  assert.equal(engine.of("think").length, 1);
  engine.asked[0].answer({ move: [7, 7], lines: [] });
  await settled();
  assert.equal(play.game.ply(), 1);
});

test("an engine without room is asked again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { engine, play } = begin({ players: [ENGINE, PERSON], time: { kind: "game", base: 60000, increment: 0 } });
  // The clocks begin to run with the first move.
  play.clock.run("black");
  const troubles = [];
  play.addEventListener("trouble", ({ detail }) => troubles.push(detail.code));
  const turns = async () => {
    for (let n = 0; n < 20; n++) await null;
  };
  await turns();
  engine.asked[0].fail({ code: "busy" });
  await turns();
  assert.deepEqual([engine.asked.length, troubles], [1, ["busy"]]);
  assert.equal(play.clock.running, null);
  t.mock.timers.tick(2000);
  await turns();
  assert.equal(engine.asked.length, 2);
  // It is told once for each wait.
  engine.asked[1].fail({ code: "busy" });
  await turns();
  assert.deepEqual(troubles, ["busy"]);
  t.mock.timers.tick(2000);
  await turns();
  engine.asked[2].answer({ move: [7, 7], lines: [] });
  await turns();
  play.place([8, 8]);
  await turns();
  engine.asked[3].fail({ code: "busy" });
  await turns();
  assert.deepEqual(troubles, ["busy", "busy"]);
});

test("an engine without room is asked again once at a time, whatever is looked at meanwhile", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const turns = async () => {
    for (let n = 0; n < 20; n++) await null;
  };
  const { engine, play, analysis } = analysed({ players: [ENGINE, PERSON] });
  await turns();
  // Somebody looks elsewhere while the question is under way.
  play.changed("settings");
  await turns();
  engine.of("think")[0].fail({ code: "busy" });
  await turns();
  t.mock.timers.tick(2000);
  await turns();
  assert.equal(engine.of("think").length, 2);
  play.start({ ...DEFAULT_OPTIONS, players: [PERSON, PERSON] });
  for (const point of [h8, i9, g7]) play.place(point);
  await turns();
  analysis.toggle(true);
  const refuse = async () => {
    for (const { fail } of engine.of("analyse").slice(-1)) fail({ code: "busy" });
    await turns();
    t.mock.timers.tick(100);
    await turns();
  };
  for (const step of ["previous", "previous", "next"]) {
    await refuse();
    play.step(step);
  }
  assert.equal(engine.of("analyse").length, 4);
  for (let time = 0; time < 4200; time += 100) await refuse();
  assert.equal(engine.of("analyse").length, 6);
});

test("undo gives back the time of the turn", async () => {
  const { play } = begin({
    players: [PERSON, { ...PERSON, name: "Bo" }],
    time: { kind: "game", base: 1000, increment: 500 },
  });
  await settled();
  play.place([7, 7]);
  await settled();
  assert.ok(play.clock.left.black > 1400);
  play.clock.since -= 2000;
  play.flag.check();
  assert.deepEqual(play.match.result, { winner: "black", reason: "time" });
  play.undo();
  assert.deepEqual(play.clock.left, { black: 1000, white: 1000 });
  play.redo();
  play.flag.check();
  assert.equal(play.isOver, false);
  assert.equal(play.clock.left.white, 1000);
  assert.equal(play.match.helped, true);
  play.leave();
});

test("the engine pays for what it took, and not for the way to it or a page that was busy", async () => {
  const time = { kind: "move", move: 3000 };
  const { engine, play } = begin({ players: [ENGINE, PERSON], opening: "swap", time });
  await settled();
  const pass = (ms) => {
    play.clock.since -= ms;
    play.flag.check();
  };
  // It places three stones of the opening, and its answer is under way for longer than it had.
  pass(5000);
  assert.equal(play.isOver, false);
  engine.asked[0].answer({
    place: [
      [7, 7],
      [8, 6],
      [6, 8],
    ],
    ms: 2900,
  });
  await settled();
  assert.deepEqual([play.game.ply(), play.isOver], [3, false]);
  play.openingTurn.choose("take-black");
  await settled();
  // The first call in a long time comes before the answer that waited as long.
  play.flag.checked -= 60000;
  pass(60000);
  assert.equal(play.isOver, false);
  engine.of("think")[0].answer({ move: [5, 9], lines: [], ms: 2000 });
  await settled();
  assert.deepEqual([play.game.ply(), play.isOver], [4, false]);
  play.leave();
});

test("an engine that takes too long or says nothing loses on time", async () => {
  const options = { players: [PERSON, ENGINE], time: { kind: "game", base: 3000, increment: 0 } };
  const { engine, play } = begin(options);
  play.place([7, 7]);
  await settled();
  play.clock.since -= 5000;
  engine.of("think")[0].answer({ move: [8, 8], lines: [], ms: 4500 });
  await settled();
  assert.deepEqual([play.match.result, play.game.ply()], [{ winner: "black", reason: "time" }, 1]);
  play.start({ ...DEFAULT_OPTIONS, ...options });
  play.place([7, 7]);
  await settled();
  play.clock.since -= 12000;
  play.flag.check();
  assert.equal(play.isOver, false);
  play.clock.since -= 2000;
  play.flag.check();
  assert.deepEqual(play.match.result, { winner: "black", reason: "time" });
});

test("a connection that has died costs the engine nothing, and one that answers nothing loses in the end", async () => {
  const options = { players: [PERSON, ENGINE], time: { kind: "game", base: 3000, increment: 0 } };
  const { engine, play } = begin(options);
  engine.heardAt = performance.now() - 18000;
  play.place([7, 7]);
  await settled();
  play.clock.since -= 20000;
  play.flag.check();
  assert.equal(play.isOver, false);
  play.flag.lost();
  assert.deepEqual([play.clock.running, Math.round(play.clock.left.white / 100)], [null, 30]);
  play.clock.run("white");
  play.clock.since -= 34000;
  play.flag.check();
  assert.deepEqual(play.match.result, { winner: "black", reason: "time" });
  play.leave();
});

test("who swaps sides has the whole time for a move again, and else keeps the own clock", async () => {
  for (const [time, left] of [
    [
      { kind: "move", move: 10000 },
      { black: 10000, white: 10000 },
    ],
    [
      { kind: "game", base: 10000, increment: 0 },
      { black: 10000, white: 3000 },
    ],
  ]) {
    const { play } = begin({ players: [PERSON, PERSON], time });
    play.place([7, 7]);
    play.place([8, 6]);
    await settled();
    play.clock.since -= 7000;
    play.hold({ black: play.match.sides.white, white: play.match.sides.black });
    assert.deepEqual(
      [Math.round(play.clock.left.black / 100), Math.round(play.clock.left.white / 100)],
      [left.black / 100, left.white / 100],
    );
    play.leave();
  }
});

test("clocks begin to run when the first stone lies, whatever the opening", async () => {
  for (const [opening, then] of [
    ["free", "white"],
    ["swap2", "black"],
    ["taraguchi10", "white"],
  ]) {
    const time = { kind: "game", base: 60000, increment: 0 };
    const { play } = begin({ rule: "renju", players: [PERSON, PERSON], opening, time });
    await settled();
    assert.equal(play.clock.running, null, opening);
    play.place([7, 7]);
    await settled();
    assert.equal(play.clock.running, then, opening);
  }
});

const [h8, i9, g7, f6] = [
  [7, 7],
  [8, 6],
  [6, 8],
  [5, 9],
];
const moves = (line) => line.map(({ move }) => move).filter(Boolean);

// A game of two people in which the third move was taken back.
function takenBack() {
  const { play } = begin({ players: [PERSON, PERSON] });
  for (const point of [h8, i9, g7]) play.place(point);
  play.undo();
  return play;
}

test("the game as it is played is the main line, whatever was taken back", () => {
  const play = takenBack();
  play.place(f6);
  assert.deepEqual(moves(play.game.mainLine()), [h8, i9, f6]);
  // Also where a move is played that was taken back before.
  play.undo();
  play.place(g7);
  assert.deepEqual(moves(play.game.mainLine()), [h8, i9, g7]);
  assert.equal(play.game.nodes().length, 5);
});

test("steps follow the game that is played to where it stands", () => {
  const play = takenBack();
  // Nothing of what was taken back lies ahead.
  assert.deepEqual([moves(play.shownLine()), play.lastNode], [[h8, i9], play.tip]);
  play.step("next");
  assert.equal(play.isShowingTip, true);
  play.place(f6);
  play.step("first");
  for (let n = 0; n < 3; n++) play.step("next");
  assert.deepEqual(play.game.current.move, f6);
  play.step("first");
  play.step("last");
  assert.equal(play.isShowingTip, true);
  // From what was taken back a step to the end leads back to the game.
  play.goTo(play.tip.parent.children[1]);
  assert.deepEqual(moves(play.shownLine()), [h8, i9, g7]);
  play.step("last");
  assert.equal(play.isShowingTip, true);
});

test("redo plays again what was taken back last", () => {
  const play = takenBack();
  play.place(f6);
  play.undo();
  play.redo();
  assert.deepEqual(moves(play.game.pathTo(play.tip)), [h8, i9, f6]);
  play.undo();
  play.undo();
  play.redo();
  play.redo();
  assert.deepEqual(moves(play.game.pathTo(play.tip)), [h8, i9, f6]);
});

test("what is tried out in the analysis is a variation, until the game goes on from there", () => {
  const { play } = begin({ players: [PERSON, PERSON] });
  for (const point of [h8, i9, g7]) play.place(point);
  play.end("black", "resign");
  play.setMode("analyse");
  play.step("previous");
  play.place(f6);
  assert.deepEqual(moves(play.game.mainLine()), [h8, i9, g7]);
  assert.deepEqual(moves(play.shownLine()), [h8, i9, f6]);
  play.playFromHere();
  play.undo();
  play.redo();
  assert.deepEqual([moves(play.game.mainLine()), play.tip.move], [[h8, i9, f6], f6]);
  // A new game that begins in a variation is its own main line as well.
  play.setMode("analyse");
  play.goTo(play.tip.parent.children[1]);
  play.continueWith({ ...DEFAULT_OPTIONS, players: [PERSON, PERSON] });
  assert.deepEqual(moves(play.game.mainLine()), [h8, i9, g7]);
});

test("whoever looks at the analysis of a finished game finds its end as it was", () => {
  const { play } = begin({ players: [PERSON, PERSON], time: { kind: "game", base: 60000, increment: 0 } });
  for (const point of [h8, i9, g7]) play.place(point);
  play.clock.left.black = 30000;
  play.end("black", "time");
  play.setMode("analyse");
  play.step("previous");
  play.step("next");
  assert.equal(play.isWhereLeft, true);
  play.setMode("play");
  assert.deepEqual([play.match.result, play.game.info.result], [{ winner: "black", reason: "time" }, "B+T"]);
  assert.equal(play.clock.left.black, 30000);
  play.setMode("analyse");
  play.step("previous");
  assert.equal(play.isWhereLeft, false);
  play.playFromHere();
  assert.deepEqual([play.isOver, play.game.info.result, play.tip.move], [false, undefined, i9]);
});

test("a game in progress is found again where it was left for the analysis, with its clocks", async () => {
  const { play } = begin({ players: [PERSON, PERSON], time: { kind: "game", base: 60000, increment: 0 } });
  for (const point of [h8, i9, g7]) play.place(point);
  await settled();
  play.clock.left = { black: 30000, white: 40000 };
  const shows = () => [play.clock.remaining("black"), play.clock.remaining("white")].map((ms) => Math.round(ms / 1000));
  play.setMode("analyse");
  for (const point of [f6, [0, 0]]) play.place(point);
  assert.equal(play.leftNode.move, g7);
  play.setMode("play");
  await settled();
  assert.deepEqual(
    [moves(play.game.pathTo(play.tip)), play.game.current, play.isOver],
    [[h8, i9, g7], play.tip, false],
  );
  assert.deepEqual([shows(), play.clock.running], [[30, 40], "white"]);
  // What was tried out stays, but nobody has played it.
  assert.deepEqual([moves(play.tip.children), play.canRedo], [[f6], false]);
  play.undo();
  play.redo();
  assert.deepEqual([play.tip.move, play.canRedo], [g7, false]);
  // From an earlier position as well, from another line of the tree, and after a reload in between.
  play.setMode("analyse");
  play.step("first");
  play.place(f6);
  play.game.promote(play.game.current);
  play.restore(structuredClone(play.state()));
  play.setMode("play");
  assert.deepEqual(
    [moves(play.shownLine()), moves(play.game.mainLine()).slice(0, 3)],
    [
      [h8, i9, g7],
      [h8, i9, g7],
    ],
  );
  assert.deepEqual(shows(), [30, 40]);
  // What is played counts as such, though it was tried out before.
  play.place(f6);
  play.undo();
  assert.equal(play.canRedo, true);
});

test("a game whose place was deleted in the analysis can only go on from what is shown", () => {
  const { play } = begin({ players: [PERSON, PERSON] });
  for (const point of [h8, i9, g7]) play.place(point);
  play.setMode("analyse");
  const putBack = play.game.remove(play.tip);
  assert.equal(play.leftNode, null);
  putBack();
  assert.equal(play.leftNode.move, g7);
  play.game.remove(play.game.current);
  play.setMode("play");
  assert.deepEqual([play.match.mode, play.tip.move], ["play", i9]);
});

test("where a game was played on, nothing before that is taken back, and no time is given anew", async () => {
  const { play } = begin({ players: [PERSON, PERSON] });
  for (const point of [h8, i9]) play.place(point);
  play.continueWith({ ...DEFAULT_OPTIONS, players: [PERSON, PERSON], time: { kind: "move", move: 5000 } });
  assert.equal(play.canUndo, false);
  play.place(g7);
  play.undo();
  assert.deepEqual([play.tip.move, play.canUndo], [i9, false]);
  // Whoever goes on from further back has chosen that.
  play.setMode("analyse");
  play.step("first");
  play.playFromHere();
  play.place(h8);
  play.undo();
  assert.equal(play.tip, play.game.root);
});

test("whoever looks back while the engine moves is told of the position that is shown", async () => {
  const { engine, play } = begin({ players: [PERSON, ENGINE] });
  await settled();
  play.place(h8);
  await settled();
  play.step("first");
  await settled();
  const changes = [];
  play.addEventListener("change", ({ detail }) => changes.push(detail));
  engine.of("think")[0].answer({ move: i9, lines: [] });
  await settled();
  assert.deepEqual([play.game.current, play.tip.move], [play.game.root, i9]);
  assert.equal(play.facts, await play.factsOf(play.game.root));
  assert.deepEqual(
    changes.filter((what) => what === "move" || what === "step"),
    ["move"],
  );
  // In an opening as well.
  play.start({ ...DEFAULT_OPTIONS, players: [PERSON, ENGINE], opening: "swap2" });
  for (const point of [h8, i9, g7]) play.place(point);
  await settled();
  play.step("first");
  engine.of("opening")[0].answer({ place: [f6, [0, 0]] });
  await settled();
  assert.deepEqual([play.game.current, play.game.ply(play.tip)], [play.game.root, 5]);
});

test("undo takes back that a game was resigned, with the opening in which it was, and a five with its move", () => {
  const { play } = begin({ players: [PERSON, PERSON], opening: "swap2" });
  play.place(h8);
  play.resign();
  assert.deepEqual([play.isOver, play.match.opening, play.canUndo], [true, null, true]);
  play.undo();
  assert.deepEqual(
    [play.isOver, play.tip.move, play.match.opening.steps[0].areas.length, play.game.info.result],
    [false, h8, 2, undefined],
  );
  play.start({ ...DEFAULT_OPTIONS, players: [PERSON, PERSON] });
  play.place(h8);
  play.end(null, "agreed");
  play.undo();
  assert.deepEqual([play.isOver, play.tip.move], [false, h8]);
  play.end("black", "five");
  play.undo();
  assert.deepEqual([play.isOver, play.tip], [false, play.game.root]);
});

test("in an opening that was resigned nothing is played again that was taken back in it", () => {
  const { play } = begin({ players: [PERSON, PERSON], opening: "swap2" });
  play.place(h8);
  play.place([8, 8]);
  play.undo();
  play.resign();
  assert.deepEqual([play.isOver, play.canUndo, play.canRedo], [true, true, false]);
  play.undo();
  assert.deepEqual([play.isOver, play.canRedo], [false, false]);
});

// How far the opening is, who holds Black, and the stones.
const standing = ({ match, game, tip }) => [
  match.opening?.steps[0].do ?? null,
  match.sides.black,
  moves(game.pathTo(tip)).length,
];

test("undo takes back one decision or stone of an opening, and what was still to be decided with it", () => {
  const { play } = begin({ players: [PERSON, { ...PERSON, name: "Bo" }], opening: "swap2" });
  assert.equal(play.canUndo, false);
  for (const point of [h8, i9, g7]) play.place(point);
  play.openingTurn.choose("take-black");
  play.place(f6);
  assert.deepEqual(standing(play), [null, 1, 4]);
  // What has to be known is kept over a reload.
  play.restore(JSON.parse(JSON.stringify(play.state())));
  const stands = [];
  while (play.canUndo) {
    play.undo();
    stands.push(standing(play));
  }
  assert.deepEqual(stands, [
    [null, 1, 3],
    ["side", 0, 3],
    ["place", 0, 2],
    ["place", 0, 1],
    ["place", 0, 0],
  ]);
  assert.equal(play.match.opening.steps[0].areas.length, 3);
  // Stones whose owners are still to be found are placed again by hand, and the opening takes another course.
  assert.equal(play.canRedo, false);
  for (const point of [h8, i9, g7]) play.place(point);
  play.openingTurn.choose("place-two");
  for (const point of [f6, [3, 3]]) play.place(point);
  play.undo();
  assert.deepEqual(standing(play), ["place", 0, 4]);
  play.undo();
  play.undo();
  assert.deepEqual([standing(play), play.active.name], [["side", 0, 3], "Bo"]);
  // A stone that was one of the opening is none once the sides are taken.
  play.openingTurn.choose("take-white");
  play.redo();
  assert.deepEqual([standing(play), play.game.current.move], [[null, 0, 4], f6]);
  play.undo();
  assert.deepEqual(standing(play), [null, 0, 3]);
});

test("undo takes back offers of fifth moves, and a stone after which sides were asked for", () => {
  const { play } = begin({ players: [PERSON, PERSON], rule: "renju", opening: "taraguchi10" });
  for (const point of [h8, i9, g7, f6]) {
    play.place(point);
    play.openingTurn.choose(point === f6 ? "stay" : "swap");
  }
  play.openingTurn.choose("ten-fifths");
  play.place([3, 3]);
  play.place([4, 3]);
  play.undo();
  assert.deepEqual([standing(play), play.match.opening.offered], [["offer", 1, 4], [[3, 3]]]);
  play.undo();
  play.undo();
  assert.deepEqual(standing(play), ["fork", 1, 4]);
  play.undo();
  assert.deepEqual(standing(play), ["swap", 1, 4]);
  play.undo();
  assert.deepEqual(standing(play), ["place", 1, 3]);
  play.undo();
  assert.deepEqual(standing(play), ["swap", 0, 3]);
});

test("undo leads back to a person's turn, and not where there was none", async () => {
  const { engine, play } = begin({ players: [PERSON, ENGINE], opening: "swap" });
  for (const point of [h8, i9, g7]) play.place(point);
  await settled();
  engine.of("opening")[0].answer({ swap: true });
  await settled();
  assert.deepEqual([standing(play), play.active.name], [[null, 1, 3], "Ada"]);
  play.undo();
  assert.deepEqual(standing(play), ["place", 0, 2]);
  // Kagetsu's first move answers nobody.
  play.start({ ...DEFAULT_OPTIONS, players: [ENGINE, PERSON] });
  play.place(h8);
  assert.equal(play.canUndo, false);
  play.place(i9);
  play.place(g7);
  play.undo();
  assert.deepEqual([moves(play.game.pathTo(play.tip)), play.canUndo], [[h8], false]);
  // Where nobody but Kagetsu plays, a move is taken back.
  play.start({ ...DEFAULT_OPTIONS, players: [ENGINE, ENGINE] });
  play.place(h8);
  play.undo();
  assert.equal(play.tip, play.game.root);
});

// The clocks of a game of Ada and Bo, each under the name of whose it is.
const times = ({ clock, match }) =>
  Object.fromEntries(["black", "white"].map((color) => [match.players[match.sides[color]].name, clock.left[color]]));
const BO = { ...PERSON, name: "Bo" };

test("time belongs to the player, whichever side an opening gives to whom", () => {
  const { play } = begin({
    players: [PERSON, BO],
    opening: "swap",
    time: { kind: "game", base: 60000, increment: 1000 },
  });
  // Whoever places a stone gets the increment, whatever its colour; a decision earns none.
  for (const point of [h8, i9, g7]) play.place(point);
  assert.deepEqual(times(play), { Ada: 63000, Bo: 60000 });
  play.clock.left.white = 20000;
  play.openingTurn.choose("take-black");
  assert.deepEqual([times(play), play.playerAt("black").name], [{ Ada: 63000, Bo: 20000 }, "Bo"]);
  play.place(f6);
  assert.deepEqual(times(play), { Ada: 64000, Bo: 20000 });
  // The same after a reload, and both have back what they had before that was decided.
  play.restore(JSON.parse(JSON.stringify(play.state())));
  play.undo();
  assert.deepEqual(times(play), { Ada: 63000, Bo: 20000 });
  play.undo();
  assert.deepEqual([times(play), play.playerAt("black").name], [{ Ada: 63000, Bo: 60000 }, "Ada"]);
  play.openingTurn.choose("take-white");
  assert.deepEqual(times(play), { Ada: 63000, Bo: 60000 });
  // Sides that are swapped later leave it as well, also where a move is taken back then.
  play.place(f6);
  play.swapSides();
  assert.deepEqual([times(play), play.playerAt("black").name], [{ Ada: 63000, Bo: 61000 }, "Bo"]);
  play.undo();
  assert.deepEqual(times(play), { Ada: 63000, Bo: 60000 });
  play.leave();
});

test("with a time for each move, each decision of an opening has that time", () => {
  const { play } = begin({
    players: [PERSON, BO],
    rule: "renju",
    opening: "taraguchi10",
    time: { kind: "move", move: 10000 },
  });
  const late = () => {
    play.clock.left[play.activeColor()] = 1000;
  };
  const full = () => assert.deepEqual(times(play), { Ada: 10000, Bo: 10000 });
  for (const point of [h8, i9, g7, f6]) {
    late();
    play.place(point);
    full();
    late();
    play.openingTurn.choose(point === f6 ? "stay" : "swap");
    full();
  }
  late();
  play.openingTurn.choose("ten-fifths");
  full();
  // Only the last of the offered moves ends the turn.
  late();
  for (let n = 0; n < 9; n++) play.place([n, 0]);
  assert.equal(Math.min(...Object.values(times(play))), 1000);
  play.place([0, 1]);
  full();
  play.leave();
});

test("a rematch turns the sides that were held at the end, and after an opening who begins it", () => {
  const { play } = begin({ players: [PERSON, BO] });
  play.swapSides();
  play.place(h8);
  play.resign();
  play.rematch();
  assert.deepEqual([play.playerAt("black").name, play.playerAt("white").name], ["Ada", "Bo"]);
  play.resign();
  play.rematch();
  assert.equal(play.playerAt("black").name, "Bo");
  play.start({ ...DEFAULT_OPTIONS, players: [PERSON, BO], opening: "swap" });
  for (const point of [h8, i9, g7]) play.place(point);
  play.openingTurn.choose("take-black");
  play.rematch();
  assert.equal(play.active.name, "Bo");
});

test("a game ends once: what is agreed after time has fallen changes nothing", () => {
  const { play } = begin({ players: [PERSON, PERSON] });
  play.place(h8);
  play.end("black", "time");
  play.end(null, "agreed");
  assert.deepEqual([play.match.result, play.game.info.result], [{ winner: "black", reason: "time" }, "B+T"]);
});

test("whether Kagetsu agrees to a draw is the same after a reload", async () => {
  const { engine, play } = begin({ players: [PERSON, ENGINE] });
  for (let n = 0; n < 31; n++) play.place([n % 15, 2 * Math.floor(n / 15)]);
  await settled();
  engine.asked.at(-1).answer({ move: [0, 14], lines: [{ moves: [], win_rate: 0.4 }] });
  await settled();
  assert.equal(await play.engineAcceptsDraw(), true);
  const kept = JSON.parse(JSON.stringify(play.state()));
  play.start({ ...DEFAULT_OPTIONS, players: [PERSON, ENGINE] });
  assert.equal(await play.engineAcceptsDraw(), false);
  play.restore(kept);
  assert.equal(await play.engineAcceptsDraw(), true);
  assert.equal(engine.of("heat").length, 0);
});

test("without a search of its own Kagetsu agrees to a draw by what the position looks like", async () => {
  const { engine, play } = begin({ players: [PERSON, ENGINE] });
  const next = (n) => [n % 15, 2 * Math.floor(n / 15)];
  const last = (op) => engine.of(op).at(-1);
  for (let n = 0; n < 31; n++) play.place(next(n));
  await settled();
  // What the mover's best point is worth, and whether Kagetsu then agrees.
  const offered = async (...shares) => {
    const agreed = play.engineAcceptsDraw();
    last("heat").answer({ points: shares.map((share, n) => [n, 14, share]) });
    return agreed;
  };
  // It is Kagetsu's turn, and it has not searched yet.
  assert.deepEqual([await offered(0.2, 0.6), await offered(0.4, 0.5)], [false, true]);
  assert.equal(engine.stopped.length, 0);
  // Kagetsu moves without a search; now the best of the person counts.
  last("think").answer({ move: next(31), lines: [] });
  await settled();
  assert.deepEqual([await offered(0.2, 0.6), await offered(0.4)], [true, false]);
  assert.deepEqual(last("heat").fields.position.moves.length, 32);
  // What it has found is in force as long as it has not moved without a search since, and for its own side.
  play.place(next(32));
  await settled();
  last("think").answer({ move: next(33), lines: [{ moves: [], win_rate: 0.9 }] });
  await settled();
  assert.equal(await play.engineAcceptsDraw(), false);
  play.place(next(34));
  assert.equal(await play.engineAcceptsDraw(), false);
  await settled();
  last("think").answer({ move: next(35), lines: [] });
  await settled();
  assert.equal(await offered(0.6), true);
  play.undo();
  assert.equal(await play.engineAcceptsDraw(), false);
  play.swapSides();
  assert.equal(await offered(0.4), true);
  play.leave();
});

test("undo and redo lead to the end of the game first", () => {
  const { play } = begin({ players: [PERSON, PERSON] });
  for (const point of [h8, i9, g7]) play.place(point);
  play.undo();
  for (const act of ["redo", "undo"]) {
    play.step("first");
    play[act]();
    assert.deepEqual([play.isShowingTip, play.tip.move], [true, i9], act);
  }
  play.undo();
  assert.deepEqual(play.tip.move, h8);
});

test("a game lasts from its first stone to its end, and not while it is away", async () => {
  const { play } = begin({ players: [PERSON, PERSON] });
  play.since -= 60000;
  play.place(h8);
  assert.ok(play.ms < 1000);
  play.since -= 5000;
  const kept = JSON.parse(JSON.stringify(play.state()));
  play.start({ ...DEFAULT_OPTIONS, players: [PERSON, PERSON] });
  play.since -= 60000;
  play.restore(kept);
  assert.ok(play.ms >= 5000 && play.ms < 6000, String(play.ms));
  play.resign();
  const { ms } = play;
  play.since -= 5000;
  assert.equal(play.ms, ms);
  play.undo();
  assert.ok(play.ms >= ms && play.ms < ms + 1000);
});

test("a move overlooks what the other side can do at once, if another move could have stopped it", () => {
  const none = { black: [], white: [] };
  assert.equal(overlooked(none, none, "black"), null);
  const white = [
    [3, 4, "five"],
    [5, 4, "open-four"],
    [6, 4, "four"],
  ];
  const five = { kind: "five", points: [[3, 4]] };
  assert.deepEqual(overlooked({ black: [], white }, none, "black"), five);
  const noFive = { black: [], white: white.slice(1) };
  const openFour = { kind: "open-four", points: [[5, 4]] };
  assert.deepEqual(overlooked(noFive, none, "black"), openFour);
  assert.equal(overlooked(noFive, none, "white"), null);
  // A four that the move makes is answered first, but not before a five.
  const black = [[1, 1, "five"]];
  assert.equal(overlooked({ black, white: white.slice(1) }, none, "black"), null);
  assert.equal(overlooked({ black, white }, none, "black").kind, "five");
  assert.equal(overlooked({ black: [], white: white.slice(2) }, none, "black"), null);
  // A five had to be stopped before: one can be, two cannot, and an open four is not to blame on that move. Who could
  // win has overlooked it all.
  const before = (fives, own) => ({ black: own, white: Array.from({ length: fives }, (_, n) => [n, 9, "five"]) });
  assert.equal(overlooked(noFive, before(1, []), "black"), null);
  assert.deepEqual(overlooked({ black: [], white }, before(1, []), "black"), five);
  assert.equal(overlooked({ black: [], white }, before(2, []), "black"), null);
  assert.deepEqual(overlooked({ black: [], white }, before(2, black), "black"), five);
  assert.deepEqual(overlooked(noFive, before(1, black), "black"), openFour);
});

test("who swaps sides in mid-game has been helped, and before the first move has not", () => {
  const { play } = begin({ players: [PERSON, { ...PERSON, name: "Bo" }] });
  play.swapSides();
  assert.deepEqual([play.playerAt("black").name, play.match.helped], ["Bo", false]);
  play.place(h8);
  play.swapSides();
  assert.deepEqual([play.playerAt("black").name, play.match.helped], ["Ada", true]);
});

test("an opening goes on only where it was left, and an old result is none any more", async () => {
  const { play } = begin({ players: [PERSON, PERSON], opening: "swap2" });
  let left = 0;
  play.addEventListener("opening-left", () => left++);
  play.place([7, 7]);
  play.setMode("analyse");
  assert.equal(play.match.helped, true);
  play.step("first");
  play.step("last");
  play.setMode("play");
  assert.deepEqual([left, play.match.opening.steps[0].areas.length], [0, 2]);
  play.setMode("analyse");
  await settled();
  // Variations obey no opening.
  assert.equal(play.refusal([0, 0]), null);
  play.place([8, 8]);
  play.game.info.result = "B+R";
  play.playFromHere();
  assert.deepEqual([left, play.match.opening, play.game.info.result], [1, null, undefined]);
});

test("a game goes on from its position under another rule", async () => {
  const { engine, play } = begin({ players: [PERSON, PERSON] });
  play.place([7, 7]);
  play.place([8, 8]);
  play.game.current.value = { black: 0.5 };
  play.goTo(play.game.root.children[0]);
  play.continueWith({ ...DEFAULT_OPTIONS, rule: "renju", players: [PERSON, ENGINE] });
  assert.equal(play.game.nodes()[2].value, null);
  await settled();
  const [{ fields }] = engine.of("think");
  assert.deepEqual(fields.position, { rule: "renju", width: 15, height: 15, moves: [[7, 7]] });
});

test("a game that goes on under another rule leaves a line that does not know it beside it", async () => {
  const { play } = begin({ players: [PERSON, PERSON] });
  for (const x of [7, 8, 9]) play.place([x, 7]);
  const [, first, second] = play.game.mainLine();
  play.goTo(first);
  play.continueWith({ ...DEFAULT_OPTIONS, rule: "renju", players: [PERSON, PERSON] }, "renju");
  const at = play.tip;
  assert.deepEqual([at.parent, at.comment, at.children, first.children], [first, "renju", [], [at, second]]);
  assert.deepEqual(play.game.mainLine().at(-1), at);
  // Nothing was played yet, and the same move again is one of the new game.
  assert.deepEqual([play.canUndo, play.canRedo], [false, false]);
  play.place([8, 7]);
  assert.deepEqual([play.tip.parent, play.tip.children, play.game.isMainLine(play.tip)], [at, [], true]);
  play.undo();
  assert.deepEqual([play.tip, play.canUndo, play.canRedo], [at, false, true]);
});

test("engines that play each other wait while they are paused", async () => {
  const { engine, play } = begin({ players: [ENGINE, ENGINE] });
  await settled();
  play.togglePause();
  assert.deepEqual(engine.stopped, [engine.asked[0]]);
  engine.asked[0].answer({ move: [7, 7], lines: [] });
  await settled();
  assert.deepEqual([play.game.ply(), engine.asked.length], [0, 1]);
  play.togglePause();
  await settled();
  assert.equal(engine.asked.length, 2);
});

test("a game against a clock can be paused, and one without a clock need not be", async () => {
  const { engine, play } = begin({ players: [PERSON, ENGINE], time: { kind: "game", base: 60000, increment: 0 } });
  await settled();
  assert.equal(play.canPause, true);
  play.place([7, 7]);
  await settled();
  assert.equal(play.clock.running, "white");
  play.togglePause();
  assert.deepEqual([play.clock.running, engine.stopped.length], [null, 1]);
  await settled();
  play.togglePause();
  await settled();
  engine.of("think")[1].answer({ move: [8, 8], lines: [] });
  await settled();
  play.togglePause();
  play.clock.since -= 2000;
  assert.deepEqual([play.refusal([9, 9]), play.clock.running], ["refused-paused", null]);
  assert.ok(play.clock.remaining("black") > 59000);
  await settled();
  play.togglePause();
  await settled();
  assert.deepEqual([play.refusal([9, 9]), play.clock.running], [null, "black"]);
  play.resign();
  assert.equal(play.canPause, false);
  assert.equal(begin({ players: [PERSON, ENGINE] }).play.canPause, false);
});

test("without a clock Kagetsu thinks as long as was chosen", async () => {
  const limits = async (options) => {
    const { engine } = begin({ players: [ENGINE, PERSON], ...options });
    await settled();
    return engine.of("think")[0].fields.limits;
  };
  assert.deepEqual(await limits({}), { ms: 2000 });
  assert.deepEqual(await limits({ time: { kind: "none", think: 10000 } }), { ms: 10000 });
  // A level stops by itself.
  assert.deepEqual(await limits({ time: { kind: "none", think: 10000 }, strength: { kind: "level", level: 5 } }), {
    ms: 60000,
  });
});

function analysed(options) {
  const { engine, play } = begin(options);
  return { engine, play, analysis: new Analysis(engine, play, { heat: false, lines: 3, threads: 1 }) };
}

const LINE = { moves: [[7, 7]], win_rate: 0.6, score: 10, depth: 5, plies_to_end: null };

test("the analysis of a whole game ends with the game", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  for (const point of [
    [7, 7],
    [8, 8],
    [9, 9],
  ])
    play.place(point);
  analysis.analyseGame();
  await settled();
  engine.of("analyse")[0].answer({ lines: [LINE] });
  await settled();
  assert.equal(analysis.sweep.done, 1);
  play.start({ ...DEFAULT_OPTIONS, players: [ENGINE, PERSON] });
  assert.deepEqual(engine.stopped, [engine.of("analyse")[1]]);
  engine.of("analyse")[1].answer({ lines: [], stopped: true });
  await settled();
  assert.equal(analysis.sweep, null);
  assert.deepEqual([engine.of("analyse").length, engine.of("think").length], [2, 1]);
});

test("the analysis of a whole game goes on where the connection was lost", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  for (const point of [
    [7, 7],
    [8, 8],
  ])
    play.place(point);
  const searched = () => engine.of("analyse").map(({ fields }) => fields.position.moves.length);
  analysis.analyseGame();
  await settled();
  engine.of("analyse")[0].answer({ lines: [LINE] });
  await settled();
  engine.of("analyse")[1].fail({ code: "lost" });
  await settled();
  assert.deepEqual([analysis.sweep, searched()], [null, [0, 1]]);
  analysis.takeUp();
  await settled();
  assert.deepEqual([analysis.sweep.done, analysis.sweep.all, searched()], [1, 3, [0, 1, 1]]);
  engine.of("analyse")[2].answer({ lines: [LINE] });
  await settled();
  // Another game has nothing of it, and who has stopped it does not want it back.
  engine.of("analyse")[3].fail({ code: "lost" });
  await settled();
  play.start({ ...DEFAULT_OPTIONS, players: [PERSON, PERSON] });
  analysis.takeUp();
  await settled();
  assert.deepEqual([analysis.sweep, engine.of("analyse").length], [null, 4]);
});

test("the live analysis of a page that nobody sees waits", async (t) => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  play.place([7, 7]);
  await settled();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  analysis.toggle(true);
  analysis.see(false);
  t.mock.timers.tick(59000);
  assert.equal(engine.stopped.length, 0);
  t.mock.timers.tick(1000);
  assert.deepEqual(engine.stopped, engine.of("analyse"));
  t.mock.timers.reset();
  play.place([8, 8]);
  await settled();
  assert.deepEqual([engine.of("analyse").length, analysis.isOn, analysis.isRunning], [1, true, false]);
  analysis.see(true);
  await settled();
  assert.deepEqual([engine.of("analyse").length, analysis.isRunning], [2, true]);
  // Who is back in time has missed nothing.
  t.mock.timers.enable({ apis: ["setTimeout"] });
  analysis.see(false);
  analysis.see(true);
  t.mock.timers.tick(90000);
  assert.equal(analysis.isRunning, true);
});

test("only the analysis of a whole game marks mistakes, and the live one leaves them as they are", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  for (const point of [
    [7, 7],
    [8, 8],
  ])
    play.place(point);
  const line = play.game.mainLine();
  const live = (win_rate, depth) =>
    engine
      .of("analyse")
      .at(-1)
      .tell({ ...LINE, event: "line", rank: 0, win_rate, depth, nodes: 1, ms: 1 });
  analysis.toggle(true);
  live(0.9, 5);
  play.step("previous");
  live(0.9, 5);
  // White, to move with 90 percent, moved, and then Black had them.
  assert.equal(knownValue(line[2]).black, 0.9);
  assert.deepEqual(line.map(judgement), ["", "", ""]);
  analysis.toggle(false);
  analysis.analyseGame();
  for (const win_rate of [0.5, 0.9, 0.5]) {
    await settled();
    engine
      .of("analyse")
      .at(-1)
      .answer({ lines: [{ ...LINE, moves: [[0, 0]], depth: 9, win_rate }] });
  }
  await settled();
  assert.deepEqual(line.map(judgement), ["", "??", "??"]);
  analysis.toggle(true);
  live(0.5, 3);
  // The deeper of the two is shown, and the marks stay.
  assert.equal(knownValue(line[1]).depth, 9);
  live(0.5, 12);
  assert.equal(knownValue(line[1]).black, 0.5);
  assert.deepEqual(line.map(judgement), ["", "??", "??"]);
});

test("a line that is shown is a variation, and the game is left for it", async () => {
  const { play } = begin({ players: [PERSON, PERSON] });
  for (const point of [h8, i9, g7]) play.place(point);
  play.resign();
  const [, first] = play.game.mainLine();
  play.tryLine(first, [f6, [0, 0]]);
  assert.deepEqual([play.match.mode, play.game.current.move, play.game.current.isTried], ["analyse", f6, true]);
  assert.deepEqual(moves(play.game.mainLine()), [h8, i9, g7]);
  play.step("next");
  assert.deepEqual(play.game.current.move, [0, 0]);
  play.setMode("play");
  assert.deepEqual(play.game.current.move, g7);
});

test("nobody is helped against the engine, by colours either", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, ENGINE] });
  analysis.settings.heat = true;
  analysis.heat();
  play.changed("settings");
  await settled();
  assert.equal(engine.of("heat").length, 0);
  play.setMode("analyse");
  assert.equal(engine.of("heat").length, 1);
});

test("a search for a win is stopped where it is left, and the live analysis goes on after other jobs", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  play.place([7, 7]);
  analysis.toggle(true);
  analysis.solve("vct");
  play.step("previous");
  await settled();
  const [solve] = engine.of("solve");
  assert.ok(engine.stopped.includes(solve));
  assert.equal(engine.of("analyse").length, 2);
  solve.answer({ verdict: "unknown", stopped: true });
  await settled();
  assert.deepEqual([analysis.proof, engine.of("analyse").length], [null, 2]);
  // The engine ends a search that another takes the place of.
  const found = analysis.balance(1);
  engine.of("analyse")[1].answer({ lines: [LINE], stopped: true });
  engine.of("balance")[0].answer({ moves: [[7, 7]] });
  assert.deepEqual(await found, [[7, 7]]);
  assert.equal(engine.of("analyse").length, 3);
});

test("what was found is forgotten where a game goes on or is another", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  play.place([7, 7]);
  analysis.toggle(true);
  engine.of("analyse")[0].answer({ lines: [LINE], nodes: 1, ms: 1 });
  analysis.balance(1).catch(() => {});
  engine.of("balance")[0].answer({ moves: [[7, 7]] });
  analysis.solve("vcf");
  engine.of("solve")[0].answer({ verdict: "none" });
  await settled();
  assert.ok(analysis.proof && analysis.even);
  play.setMode("analyse");
  assert.equal(analysis.proof, null, "clicks place stones again");
  analysis.solve("vcf");
  engine.of("solve")[1].answer({ verdict: "none" });
  await settled();
  play.continueWith({ ...DEFAULT_OPTIONS, rule: "renju", players: [PERSON, PERSON] });
  assert.deepEqual([analysis.proof, analysis.even, analysis.lines], [null, null, []]);
});

test("a proof is there again with its position, as far as it was played through, until it is closed", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  play.place([7, 7]);
  analysis.solve("vcf");
  engine.of("solve")[0].answer({ verdict: "win", proof: { nodes: [{ move: [8, 8], replies: [] }] }, nodes: 1, ms: 1 });
  await settled();
  const { proof } = analysis;
  proof.found.path.push({ number: 0, reply: null });
  play.step("previous");
  assert.equal(analysis.proof, null);
  play.step("next");
  assert.deepEqual([analysis.proof === proof, analysis.proof.found.path.length], [true, 2]);
  analysis.closeProof();
  play.step("previous");
  play.step("next");
  assert.equal(analysis.proof, null);
  // What was not found is not kept, nor anything for another rule.
  analysis.solve("vct");
  engine.of("solve")[1].answer({ verdict: "none" });
  await settled();
  play.step("previous");
  play.step("next");
  assert.equal(analysis.proof, null);
  analysis.solve("vcf");
  engine.of("solve")[2].answer({ verdict: "win", proof: { nodes: [{ move: [8, 8], replies: [] }] }, nodes: 1, ms: 1 });
  await settled();
  play.step("previous");
  play.setMode("analyse");
  play.step("next");
  assert.equal(analysis.proof, null);
});

test("the live analysis cuts no search that was asked for, and what another one cuts says so", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  play.place([7, 7]);
  analysis.toggle(true);
  const even = analysis.balance(2);
  analysis.changeLines();
  assert.equal(engine.of("analyse").length, 1);
  analysis.solve("vct");
  // The engine has ended the one for the other, and has said what it had by then.
  engine.of("balance")[0].answer({
    moves: [
      [7, 7],
      [0, 0],
    ],
    win_rate: 0.5,
    stopped: true,
  });
  assert.equal(await even, null);
  assert.deepEqual([analysis.even.isStopped, analysis.even.moves], [true, null]);
  analysis.changeLines();
  assert.equal(engine.of("analyse").length, 1);
  assert.equal(engine.stopped.includes(engine.of("solve")[0]), false);
  engine.of("solve")[0].answer({ verdict: "win", proof: { nodes: [] }, plies: 1, nodes: 1, ms: 1 });
  await settled();
  assert.deepEqual([analysis.proof.isRunning, analysis.isRunning, engine.of("analyse").length], [false, true, 2]);
  // Whoever steps away from a search for even moves ends it.
  const left = analysis.balance(1);
  play.step("first");
  assert.ok(engine.stopped.includes(engine.of("balance")[1]));
  engine.of("balance")[1].answer({ moves: [[7, 7]], stopped: true });
  assert.equal(await left, null);
});

test("lines of one iteration take the place of those before, and the first of them at once", () => {
  const ranked = new RankedLines(3);
  const take = (rank, depth, point, score) => ranked.take({ rank, depth, score, moves: [[point, 7]] });
  const shown = () => ranked.shown.map(({ moves: [[point]], depth, score }) => [point, depth, score].join());
  take(0, 1, 7, 30);
  assert.deepEqual(shown(), ["7,1,30"]);
  take(1, 1, 8, 40);
  assert.deepEqual(shown(), ["7,1,30"]);
  take(2, 1, 9, 20);
  assert.deepEqual(shown(), ["8,1,40", "7,1,30", "9,1,20"]);
  // A value of the next iteration is not compared with those of this one.
  take(0, 2, 9, 10);
  assert.deepEqual(shown(), ["9,2,10", "8,1,40", "7,1,30"]);
  take(1, 2, 8, 15);
  assert.deepEqual(shown(), ["9,2,10", "8,1,40", "7,1,30"]);
  take(2, 2, 6, 5);
  assert.deepEqual(shown(), ["8,2,15", "9,2,10", "6,2,5"]);
});

test("where there are fewer moves than lines, each iteration ends with the next", () => {
  const ranked = new RankedLines(3);
  for (const [rank, depth, point, score] of [
    [0, 1, 7, 10],
    [1, 1, 8, 20],
    [0, 2, 7, 30],
  ])
    ranked.take({ rank, depth, score, moves: [[point, 7]] });
  assert.deepEqual(
    ranked.shown.map(({ depth, score }) => [depth, score]),
    [
      [2, 30],
      [1, 20],
    ],
  );
});

test("what the analysis has found stays until the position changes, and is sorted", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  play.place([7, 7]);
  analysis.toggle(true);
  const [search] = engine.of("analyse");
  [0.4, 0.6, 0.5].forEach((win_rate, rank) =>
    search.tell({
      ...LINE,
      event: "line",
      rank,
      win_rate,
      score: 100 * win_rate,
      moves: [[rank, 0]],
      nodes: 10 * rank,
      ms: 1,
    }),
  );
  const shares = () => analysis.lines.map((line) => line.win_rate);
  assert.deepEqual([shares(), analysis.progress.nodes], [[0.6, 0.5, 0.4], 20]);
  // White to move.
  assert.equal(knownValue(play.game.current).black, 0.4);
  analysis.toggle(false);
  assert.deepEqual([shares(), engine.stopped], [[0.6, 0.5, 0.4], [search]]);
  play.step("first");
  assert.deepEqual(shares(), []);
  play.step("last");
  analysis.toggle(true);
  engine.of("analyse")[1].tell({ ...LINE, event: "line", rank: 0, nodes: 1, ms: 1 });
  assert.equal(analysis.lines.length, 1);
  // Against the engine nobody sees them.
  play.continueWith({ ...DEFAULT_OPTIONS, players: [ENGINE, PERSON] });
  assert.deepEqual([shares(), analysis.isOn], [[], false]);
});

test("the most even move is kept with its share while its position is shown", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  const found = analysis.balance(1);
  assert.equal(analysis.even.moves, null);
  engine.of("balance")[0].answer({ moves: [[7, 7]], score: -5, win_rate: 0.48 });
  await found;
  assert.deepEqual([analysis.even.moves, analysis.even.share, analysis.even.color], [[[7, 7]], 0.48, "black"]);
  play.place([7, 7]);
  assert.equal(analysis.even, null);
});

test("nobody is asked while the engine is away", async () => {
  const { engine, play, analysis } = analysed({ players: [PERSON, PERSON] });
  analysis.toggle(true);
  const [search] = engine.of("analyse");
  search.tell({ ...LINE, event: "line", rank: 0, nodes: 1, ms: 1 });
  engine.isAway = true;
  search.fail({ code: "lost" });
  await settled();
  assert.deepEqual([analysis.isAway, analysis.isOn, analysis.lines.length], [true, true, 1]);
  play.place([7, 7]);
  assert.equal(engine.of("analyse").length, 1);
  engine.isAway = false;
  analysis.run();
  assert.equal(engine.of("analyse").length, 2);
});

test("the engine moves at once when it is told to, but not in an opening", async () => {
  const { engine, play } = begin({ players: [ENGINE, PERSON] });
  play.engineTurn.moveNow();
  await settled();
  assert.equal(play.engineTurn.isMoving, true);
  play.engineTurn.moveNow();
  assert.deepEqual(engine.stopped, [engine.asked[0]]);
  engine.asked[0].answer({ move: [7, 7], lines: [], stopped: true });
  await settled();
  assert.deepEqual([play.game.ply(), play.engineTurn.isMoving], [1, false]);
  play.start({ ...DEFAULT_OPTIONS, players: [ENGINE, PERSON], opening: "swap2" });
  await settled();
  play.engineTurn.moveNow();
  assert.deepEqual([engine.asked.at(-1).op, play.engineTurn.isMoving, engine.stopped.length], ["opening", false, 1]);
});

test("a hint is gone when the game is over", async () => {
  const { engine, play } = begin({ players: [PERSON, ENGINE] });
  await settled();
  const hint = play.hint.ask();
  assert.notEqual(play.hint.asked, null);
  engine.of("think")[0].answer({ move: [7, 7] });
  await hint;
  assert.deepEqual([play.hint.moves, play.hint.asked], [[[7, 7]], null]);
  const late = play.hint.ask();
  play.resign();
  assert.deepEqual([play.hint.moves, play.hint.asked, engine.stopped], [[], null, [engine.of("think")[1]]]);
  engine.of("think")[1].answer({ move: [8, 8] });
  await late;
  assert.deepEqual(play.hint.moves, []);
});

test("a hint is for one position, and one that fails is no longer waited for", async () => {
  const { engine, play } = begin({ players: [PERSON, PERSON] });
  await settled();
  const late = play.hint.ask();
  play.place([7, 7]);
  assert.equal(play.hint.asked, null);
  engine.of("think")[0].answer({ move: [8, 8], stopped: true });
  assert.equal(await late, null);
  assert.deepEqual([play.hint.moves, play.match.helped], [[], false]);
  const refused = play.hint.ask();
  engine.of("think")[1].fail({ code: "busy" });
  await assert.rejects(refused, { code: "busy" });
  assert.equal(play.hint.asked, null);
});

test("no clock runs while the engine is away", async () => {
  const { engine, play } = begin({ players: [PERSON, PERSON], time: { kind: "game", base: 1000, increment: 0 } });
  play.place([7, 7]);
  await settled();
  assert.equal(play.clock.running, "white");
  engine.isAway = true;
  play.step("first");
  await settled();
  assert.equal(play.clock.running, null);
  engine.isAway = false;
  await play.proceed();
  assert.equal(play.clock.running, "white");
  play.leave();
});

test("engines that play each other go back to where one of them decides", async () => {
  const { engine, play } = begin({ players: [ENGINE, ENGINE], opening: "swap2" });
  const questions = () => engine.of("opening").map(({ fields }) => fields.step + " " + fields.position.moves.length);
  await settled();
  engine.of("opening")[0].answer({
    place: [
      [7, 7],
      [8, 8],
      [0, 0],
    ],
  });
  await settled();
  assert.deepEqual(questions(), ["propose 0", "second 3"]);
  play.undo();
  await settled();
  assert.deepEqual(questions(), ["propose 0", "second 3", "propose 0"]);
});

test("lost games are learned from against people at full strength, unless that is switched off", async () => {
  const isLearned = async (options) => {
    const { engine } = begin({ players: [ENGINE, PERSON], ...options });
    await settled();
    return engine.of("think")[0].fields.learn;
  };
  assert.equal(await isLearned({}), true);
  // Games that older pages have kept do not say it.
  assert.equal(await isLearned({ learns: undefined }), true);
  assert.equal(await isLearned({ learns: false }), false);
  assert.equal(await isLearned({ players: [ENGINE, ENGINE] }), false);
  for (const kind of ["level", "adaptive"]) assert.equal(await isLearned({ strength: { kind, level: 5 } }), false);
  // A hint is for the person.
  const { engine, play } = begin({ players: [PERSON, ENGINE] });
  const hint = play.hint.ask();
  assert.equal(engine.of("think")[0].fields.learn, undefined);
  engine.of("think")[0].answer({ move: [7, 7], lines: [] });
  await hint;
});
