// What is waited for, without a browser: the least time between moves, and a click that is on its way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "../../src/gui/page/opponent.js";
import { DEFAULT_OPTIONS, Play } from "../../src/gui/page/play.js";

const PERSON = { kind: "person", name: "Ada" };
const ENGINE = { kind: "engine", name: "Kagetsu" };
const ONGOING = { verdict: { kind: "ongoing" }, forbidden: [], threats: { black: [], white: [] } };
const GAME = { kind: "game", base: 10000, increment: 0 };

// Answers each question with the next of `moves`, and what is asked about positions when it is told to.
class Engine {
  moves = [
    [7, 7],
    [8, 8],
    [9, 9],
    [10, 10],
    [11, 11],
  ];
  asked = [];
  positions = [];
  isSlow = false;

  ask(op, fields) {
    let answered;
    if (op === "position")
      answered = this.isSlow
        ? new Promise((answer, fail) => this.positions.push({ answer: () => answer(ONGOING), fail }))
        : Promise.resolve(ONGOING);
    else answered = Promise.resolve(op === "opening" ? { swap: true } : { move: this.moves.shift(), lines: [] });
    if (op !== "position") this.asked.push(op);
    return Object.assign(answered, { stop() {} });
  }
}

// All that does not wait for a clock has happened.
const settled = async () => {
  for (let n = 0; n < 30; n++) await null;
};

async function begin(t, options, pace = 500) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const engine = new Engine();
  const play = new Play(engine, () => 1);
  play.pace = () => pace;
  play.start({ ...DEFAULT_OPTIONS, ...options });
  await settled();
  return { engine, play };
}

test("engines that answer at once wait between two moves, without a clock", async (t) => {
  const { play } = await begin(t, { players: [ENGINE, ENGINE], time: GAME });
  // Nobody has to follow the first.
  assert.deepEqual([play.game.ply(), play.clock.running, play.engineTurn.isMoving], [1, null, true]);
  const left = play.clock.remaining("white");
  t.mock.timers.tick(400);
  await settled();
  assert.equal(play.game.ply(), 1);
  // Whatever else is changed or shown, no clock begins to run, and nobody thinks twice.
  play.changed("settings");
  play.step("first");
  await settled();
  assert.deepEqual([play.clock.running, play.clock.remaining("white")], [null, left]);
  t.mock.timers.tick(100);
  await settled();
  assert.equal(play.tip.move[0], 8);
  play.leave();
});

test("the wait ends at once where it is told to, and its move is played only then", async (t) => {
  const { engine, play } = await begin(t, { players: [ENGINE, ENGINE] });
  play.engineTurn.moveNow();
  await settled();
  assert.equal(play.game.ply(), 2);
  play.togglePause();
  await settled();
  t.mock.timers.tick(1000);
  await settled();
  assert.equal(play.game.ply(), 2);
  play.togglePause();
  await settled();
  play.undo();
  await settled();
  assert.equal(play.game.ply(), 1);
  play.start({ ...DEFAULT_OPTIONS, players: [PERSON, ENGINE] });
  t.mock.timers.tick(1000);
  await settled();
  assert.deepEqual([play.game.ply(), engine.asked.length], [0, 5]);
});

test("an engine that was told to move is not held back after its search", async (t) => {
  const { engine, play } = await begin(t, { players: [PERSON, ENGINE] });
  let answer;
  engine.ask = (op) =>
    Object.assign(
      op === "position"
        ? Promise.resolve(ONGOING)
        : new Promise((done) => {
            answer = done;
          }),
      { stop() {} },
    );
  play.place([7, 7]);
  await settled();
  play.engineTurn.moveNow();
  answer({ move: [8, 8], lines: [] });
  await settled();
  assert.equal(play.game.ply(), 2);
});

test("what an engine decides in an opening is waited for as well, and can be had at once", async (t) => {
  const { play } = await begin(t, { players: [PERSON, ENGINE], opening: "swap" });
  for (const point of [
    [7, 7],
    [8, 8],
    [9, 9],
  ])
    play.place(point);
  await settled();
  assert.equal(play.match.opening.steps[0].do, "side");
  play.engineTurn.moveNow();
  await settled();
  assert.deepEqual([play.match.opening, play.active.kind], [null, "person"]);
});

test("who thinks longer than that does not wait", async (t) => {
  const { play } = await begin(t, { players: [ENGINE, ENGINE] }, -1);
  assert.equal(play.game.ply(), 5);
  play.leave();
});

test("unless it is set, there is a least time only where nobody plays", () => {
  const times = (pace) => [true, false].map((hasPerson) => leastTime(pace, { hasPerson }));
  assert.deepEqual(
    [times("watch"), times("0"), times("1000")],
    [
      [0, 500],
      [0, 0],
      [1000, 1000],
    ],
  );
});

async function clicked(t, options = { players: [PERSON, { ...PERSON, name: "Bo" }] }) {
  const begun = await begin(t, options, 0);
  const { engine, play } = begun;
  engine.isSlow = true;
  play.place([7, 7]);
  await settled();
  const told = [];
  play.addEventListener("change", ({ detail }) => {
    if (detail === "sent") told.push(play.sent && play.sent.isLate);
  });
  const refusal = play.tryMove([8, 8]);
  return { ...begun, told, refusal };
}

test("a click that waits for the engine is shown at once, and after a second it is said so", async (t) => {
  const { engine, play, told, refusal } = await clicked(t);
  assert.deepEqual([play.sent, told], [{ at: [8, 8], isLate: false }, [false]]);
  t.mock.timers.tick(1000);
  assert.deepEqual([play.sent.isLate, told], [true, [false, true]]);
  // The first click is the one that is meant.
  assert.equal(await play.tryMove([9, 9]), null);
  engine.positions[0].answer();
  assert.equal(await refusal, null);
  assert.deepEqual([play.game.current.move, play.sent], [[8, 8], null]);
});

test("a click on its way is taken back with what it was for", async (t) => {
  for (const act of [(play) => play.undo(), (play) => play.step("first"), (play) => play.start(DEFAULT_OPTIONS)]) {
    const { engine, play, told, refusal } = await clicked(t);
    act(play);
    assert.equal(play.sent, null);
    t.mock.timers.tick(1000);
    engine.positions.forEach(({ answer }) => answer());
    assert.equal(await refusal, null);
    assert.deepEqual([told, play.game.stoneAt([8, 8])], [[false], undefined]);
    t.mock.timers.reset();
  }
});

test("a click that the engine cannot answer is refused", async (t) => {
  const { engine, play, told, refusal } = await clicked(t);
  engine.positions[0].fail({ code: "lost" });
  assert.equal(await refusal, "refused-wait");
  assert.deepEqual([play.sent, told.at(-1)], [null, null]);
});
