// The parts of the page that need no browser: the tree of a game, the address, the openings, the clock.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { Game, misplaced, readAddress, toAddress } from "../../src/gui/page/game.js";
import {
  actor,
  choicesOf,
  choose,
  currentStep,
  fitsOpening,
  objection,
  offer,
  openingFor,
  picked,
  placed,
} from "../../src/gui/page/openings.js";
import { beginProof, longestReply, proofReplies, proofStage, proofStones, reply } from "../../src/gui/page/proof.js";
import { Link, Pulse } from "../../src/gui/page/link.js";
import { errorText, speak } from "../../src/gui/page/words.js";
import { Clock, clockText, localDate } from "../../src/gui/page/clock.js";
import { question } from "../../src/gui/page/opponent.js";
import { pointName, readMoves } from "../../src/page/points.js";

const h8 = [7, 7],
  i9 = [8, 6],
  j8 = [9, 7],
  g7 = [6, 8];

function played(...points) {
  const game = new Game("freestyle", 15, 15);
  points.forEach((point) => game.play(point));
  return game;
}

test("points are named from either edge", () => {
  assert.equal(pointName(i9, 15, "bottom"), "i9");
  assert.equal(pointName(i9, 15, "top"), "i7");
  assert.deepEqual(readMoves("h8i9", 15, "bottom"), [h8, i9]);
  assert.deepEqual(readMoves("h8i7", 15), [h8, i9]);
});

test("a tree survives being written down", () => {
  const game = played(h8, i9, j8);
  game.step("previous");
  game.step("previous");
  game.play(g7).comment = "other";
  game.current.marks.push({ kind: "circle", point: h8 });
  const again = Game.fromTree(JSON.parse(JSON.stringify(game.toTree())), "renju");
  assert.equal(again.rule, "freestyle");
  assert.deepEqual(again.toTree(), game.toTree());
  assert.deepEqual(again.current.move, g7);
  assert.equal(again.current.comment, "other");
});

test("variations are promoted and removed", () => {
  const game = played(h8, i9, j8);
  game.step("first");
  const variation = game.play(g7);
  assert.equal(game.isMainLine(variation), false);
  game.promote(variation);
  assert.equal(game.root.children[0], variation);
  const putBack = game.remove(variation);
  assert.equal(game.current, game.root);
  assert.equal(game.root.children.length, 1);
  putBack();
  assert.deepEqual([game.current, game.root.children[0]], [variation, variation]);
  // What was played again meanwhile is kept, and is no second node.
  const putBackAgain = game.remove(variation);
  game.play(g7);
  game.play(i9).comment = "new";
  putBackAgain();
  const [first, second] = game.root.children;
  assert.deepEqual([first, second.move, game.root.children.length], [variation, h8, 2]);
  assert.deepEqual([first.children[0].comment, first.children[0].parent], ["new", variation]);
  game.remove(variation);
  // The same move twice is one node.
  assert.equal(game.play(h8), game.root.children[0]);
});

test("a position is set up stone by stone", () => {
  const game = played(h8, i9, j8).asSetUp();
  const there = () => game.standing().stones.map(({ at, color }) => pointName(at, 15, "bottom") + " " + color);
  assert.deepEqual([there(), game.toMove(), game.ply()], [["h8 black", "j8 black", "i9 white"], "white", 0]);
  game.root.value = { black: 0.5 };
  game.setUp(g7, "white");
  // What was found out about other stones holds no more, and the turn follows from those that lie there.
  assert.deepEqual(
    [there(), game.toMove(), game.root.value],
    [["h8 black", "j8 black", "i9 white", "g7 white"], "black", null],
  );
  game.setUp(h8, "white");
  game.setUp(j8, "black");
  game.setUp(i9, null);
  assert.deepEqual(there(), ["g7 white", "h8 white"]);
  game.changeRoot({ color: "white" });
  assert.equal(game.toMove(), "white");
  assert.deepEqual(game.position().setup, { black: [], white: [g7, h8], dead: [], to_move: "white" });
  game.changeRoot({ color: null });
  for (const point of [g7, h8]) game.setUp(point, null);
  assert.equal(game.isEmpty, true);
  // Who gave away a turn still has; and points that nobody can play stay.
  const odd = new Game("renju", 15, 15);
  odd.root.setup = { black: [h8, j8], white: [], dead: [i9], to_move: "black" };
  assert.deepEqual(odd.asSetUp().position(), odd.position());
  assert.equal(odd.asSetUp().isDead(i9), true);
  odd.clear();
  assert.deepEqual([odd.standing().stones, odd.toMove(), odd.isDead(i9)], [[], "black", true]);
  game.setUp(h8, "black");
  game.clear();
  assert.equal(game.isEmpty, true);
});

test("positions are told as moves in turn, and what was set up before them", () => {
  assert.deepEqual(played(h8, i9).position(), { rule: "freestyle", width: 15, height: 15, moves: [h8, i9] });
  const game = new Game("renju", 15, 15);
  game.root.setup = { black: [h8, j8], white: [], empty: [], to_move: "black" };
  game.play(i9);
  assert.deepEqual(game.position().setup, { black: [h8, j8], white: [], dead: [], to_move: "black" });
  assert.deepEqual(game.position().moves, [i9]);
  assert.equal(game.toMove(), "white");
  // White may have moved twice in a file of another program.
  const odd = played(h8, i9);
  odd.current.children.push({ ...odd.current, parent: odd.current, move: g7, color: "white", children: [] });
  odd.step("next");
  assert.equal(odd.toMove(), "black");
  assert.deepEqual(odd.position().setup.white, [i9]);
  assert.deepEqual(odd.position().moves, [g7]);
});

test("a move on a point that is taken or missing is found, in whichever variation", () => {
  const game = played(h8, i9, j8);
  game.current = game.root.children[0];
  game.play(j8);
  assert.equal(misplaced(game), null);
  game.current.children.push({ ...game.current, parent: game.current, move: h8, children: [] });
  assert.deepEqual(misplaced(game), { reason: "occupied", number: 3, point: h8 });
  // What was taken off the board is free again, and what was set up is not.
  game.current.children[0].setup = { empty: [h8] };
  assert.equal(misplaced(game), null);
  game.root.setup = { black: [i9], dead: [g7] };
  assert.deepEqual(misplaced(game), { reason: "occupied", number: 2, point: i9 });
  const outside = played(h8, [7, 15]);
  assert.deepEqual(misplaced(outside), { reason: "outside", number: 2, point: [7, 15] });
  const dead = new Game("freestyle", 15, 15);
  dead.root.setup = { dead: [g7] };
  dead.play(g7);
  assert.equal(misplaced(dead).reason, "occupied");
});

test("an address names a position, and nothing else is taken for one", () => {
  assert.equal(toAddress(played(h8), "h8"), "freestyle/15x15/h8");
  for (const text of ["renju/15x15/h8i9", "RENJU/15X15/H8I9"])
    assert.deepEqual(readAddress(text), { rule: "renju", width: 15, height: 15, moves: "h8i9" });
  for (const text of ["", "%", "grid", "a b/15x15/", "15x15"]) assert.equal(readAddress(text), null, text);
  for (const [fault, ...texts] of [
    ["link-rule", "go/19x19/a1"],
    ["link-size", "renju/4x15/", "renju/15x23/", "renju/99x99"],
    ["link-form", "renju/15x15/h8<script>", "renju/15x15", "renju/15x15/h8z1", "renju/15x15/h8%", "renju/", "renju"],
  ])
    for (const text of texts) assert.deepEqual(readAddress(text), { fault }, text);
});

test("swap2 has three answers", () => {
  const sides = { black: 0, white: 1 };
  const begin = () => {
    const opening = openingFor("swap2");
    for (let n = 0; n < 3; n++) placed(opening);
    return opening;
  };
  let opening = begin();
  assert.equal(actor(opening, sides), 1);
  assert.deepEqual(choose(opening, sides, "take-black"), { black: 1, white: 0 });
  assert.equal(currentStep(opening), null);
  opening = begin();
  assert.deepEqual(choose(opening, sides, "take-white"), sides);
  opening = begin();
  choose(opening, sides, "place-two");
  assert.deepEqual(choicesOf(opening), []);
  placed(opening);
  placed(opening);
  assert.equal(actor(opening, sides), 0);
  assert.deepEqual(choose(opening, sides, "take-black"), sides);
});

test("Taraguchi-10 asks after each stone, and ends in one fifth move or ten", () => {
  let sides = { black: 0, white: 1 };
  const opening = openingFor("taraguchi10");
  assert.equal(objection(opening, i9, [], 15, 15), "opening-area");
  assert.equal(objection(opening, h8, [], 15, 15), null);
  for (const by of [1, 0, 1, 0]) {
    placed(opening);
    assert.equal(actor(opening, sides), by);
    sides = choose(opening, sides, "stay");
  }
  assert.deepEqual(choicesOf(opening), ["one-fifth", "ten-fifths"]);
  choose(opening, sides, "ten-fifths");
  const stones = [
    [h8, "black"],
    [i9, "white"],
    [j8, "black"],
    [[3, 3], "white"],
  ].map(([at, color]) => ({ at, color }));
  for (let n = 0; n < 10; n++) {
    assert.equal(objection(opening, [n, 14], stones, 15, 15), null);
    offer(opening, [n, 14]);
  }
  assert.equal(objection(opening, h8, stones, 15, 15), "opening-pick");
  assert.equal(objection(opening, [3, 14], stones, 15, 15), null);
  picked(opening);
  assert.equal(currentStep(opening), null);
});

test("who swaps after the fourth stone of Taraguchi-10 leaves one fifth move", () => {
  let sides = { black: 0, white: 1 };
  const opening = openingFor("taraguchi10");
  for (const choice of ["stay", "stay", "stay", "swap"]) {
    placed(opening);
    sides = choose(opening, sides, choice);
  }
  assert.deepEqual([sides, choicesOf(opening)], [{ black: 1, white: 0 }, []]);
  assert.equal(actor(opening, sides), 1);
  assert.equal(objection(opening, [2, 7], [], 15, 15), "opening-area");
  placed(opening);
  assert.equal(actor(opening, sides), 0);
  choose(opening, sides, "swap");
  assert.equal(currentStep(opening), null);
});

test("fifth moves that are the same turned or mirrored are refused", () => {
  const opening = openingFor("soosorv8");
  for (let n = 0; n < 3; n++) placed(opening);
  const sides = choose(opening, { black: 0, white: 1 }, "stay");
  placed(opening);
  choose(opening, sides, "fifths-3");
  choose(opening, sides, "stay");
  // All on the middle column: left and right are the same.
  const stones = [
    [h8, "black"],
    [[7, 6], "white"],
    [[7, 5], "black"],
    [[7, 9], "white"],
  ].map(([at, color]) => ({ at, color }));
  offer(opening, [8, 8]);
  assert.equal(objection(opening, [6, 8], stones, 15, 15), "opening-symmetric");
  assert.equal(objection(opening, [9, 8], stones, 15, 15), null);
  // A second click takes an offer back.
  offer(opening, [8, 8]);
  assert.equal(objection(opening, [6, 8], stones, 15, 15), null);
});

test("the openings of renju need renju on 15x15", () => {
  assert.equal(fitsOpening("soosorv8", "renju", 15, 15), true);
  assert.equal(fitsOpening("soosorv8", "freestyle", 15, 15), false);
  assert.equal(fitsOpening("taraguchi10", "renju", 20, 20), false);
  assert.equal(fitsOpening("swap2", "caro", 9, 7), true);
});

test("clocks are read as people read them", () => {
  assert.deepEqual([null, 0, 950, 9999, 61000, 600000].map(clockText), [
    "",
    "0:00.0",
    "0:01.0",
    "0:10.0",
    "1:01",
    "10:00",
  ]);
});

test("little time is a fifth of what there was, and ten seconds at most", () => {
  const isLow = (control, left) => new Clock(control, { black: left, white: null }).isLow("black");
  const move = { kind: "move", move: 10000 };
  const game = { kind: "game", base: 300000, increment: 0 };
  assert.deepEqual(
    [10000, 2000, 1999].map((left) => isLow(move, left)),
    [false, false, true],
  );
  assert.deepEqual(
    [300000, 10000, 9999].map((left) => isLow(game, left)),
    [false, false, true],
  );
  assert.equal(isLow({ ...move, move: 60000 }, 9999), true);
  assert.equal(new Clock({ kind: "none" }).isLow("white"), false);
});

test("a proof is followed by replies that are listed, by others, and to its end", () => {
  const answer = {
    proof: {
      nodes: [
        { move: [10, 7], replies: [[11, 7, 1]], threat: 2 },
        { move: [6, 7], replies: [], threat: null },
        { move: [11, 7], replies: [], threat: null },
      ],
    },
  };
  const proof = beginProof(answer);
  assert.deepEqual([proofStage(proof), proofReplies(proof)], ["replies", [[11, 7]]]);
  assert.equal(reply(proof, [10, 7]), null);
  assert.equal(reply(proof, [0, 0]), false);
  assert.deepEqual(
    proofStones(proof, "black").map(({ color, number }) => color + number),
    ["black1", "white2", "black3"],
  );
  assert.equal(proofStage(proof), "five");
  assert.equal(reply(proof, [1, 1]), null);
  proof.path.pop();
  longestReply(proof);
  assert.deepEqual(proof.path[1], { number: 1, reply: [11, 7] });
  // Nothing answers an open four: the reply may lie anywhere.
  const sure = beginProof({
    proof: {
      nodes: [
        { move: h8, replies: [], threat: 1 },
        { move: i9, replies: [], threat: null },
      ],
    },
  });
  assert.equal(proofStage(sure), "threat");
  longestReply(sure);
  assert.deepEqual(proofStones(sure, "white"), [
    { at: h8, color: "white", number: 1 },
    { at: i9, color: "white", number: 3 },
  ]);
  assert.equal(proofStage(sure), "five");
});

test("of a proof that is too long, only the lines that were not sent to their end are said to be cut", () => {
  const proof = beginProof({
    proof: {
      nodes: [
        { move: h8, replies: [[...g7, 2]], threat: 1 },
        { move: i9, replies: [], threat: null },
        { move: j8, replies: [], threat: null, cut: true },
      ],
    },
  });
  reply(proof, [0, 0]);
  assert.equal(proofStage(proof), "five");
  proof.path.pop();
  reply(proof, g7);
  assert.equal(proofStage(proof), "cut");
  // What would be the defence here is not known, so no reply is judged.
  assert.deepEqual([reply(proof, i9), proofReplies(proof)], [null, []]);
  longestReply(proof);
  assert.equal(proof.path.length, 2);
});

test("a link tells of each channel once, and hears no channel that it has left", () => {
  const ears = [];
  const link = new Link((ear) => {
    ears.push(ear);
    return { send() {}, close() {} };
  });
  let changes = 0;
  link.addEventListener("change", () => changes++);
  ears[0].opened();
  ears[0].closed();
  const { timer } = link;
  ears[0].closed();
  ears[0].opened();
  assert.equal(link.timer, timer);
  assert.deepEqual([link.state, changes], ["lost", 2]);
  clearTimeout(timer);
});

test("a connection that dies without a word is given up, and one that is slow is not", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  let lost = 0;
  let left = 0;
  const pulse = new Pulse(
    () => {
      asked++;
      return left;
    },
    () => lost++,
  );
  const after = (ms) => {
    t.mock.timers.tick(ms);
    return [asked, lost];
  };
  assert.deepEqual(after(9000), [0, 0]);
  pulse.heard();
  assert.deepEqual(after(9000), [0, 0]);
  assert.deepEqual(after(1000), [1, 0]);
  pulse.heard();
  assert.deepEqual(after(9000), [1, 0]);
  // The network is back.
  left = 5000;
  pulse.check();
  assert.deepEqual(after(0), [2, 0]);
  // A long message is on its way, and then stands still.
  left = 3000;
  assert.deepEqual(after(10000), [3, 0]);
  assert.deepEqual(after(10000), [4, 0]);
  assert.deepEqual(after(10000), [4, 1]);
});

test("a link that is closed for good answers no question, and lets nobody wait", async () => {
  const link = new Link((ear) => {
    queueMicrotask(ear.opened);
    return { send() {}, close() {} };
  });
  await null;
  const asked = link.ask("think");
  assert.equal(link.isAway, false);
  link.close();
  await assert.rejects(asked, { code: "lost" });
  await assert.rejects(link.ask("position"), { code: "lost" });
  assert.equal(link.isAway, true);
});

// The way to the engine where no server is, with workers that note what they are told.
async function workerChannel(ears) {
  const workers = [];
  class Worker {
    told = [];
    isEnded = false;
    constructor() {
      workers.push(this);
    }
    postMessage({ message }) {
      if (message) this.told.push(JSON.parse(message));
      else this.onmessage({ data: "started" });
    }
    terminate() {
      this.isEnded = true;
    }
  }
  const window = {};
  const fetch = async () => ({ ok: true, headers: new Map([["content-type", "application/wasm"]]) });
  runInNewContext(readFileSync(new URL("../../web/web.js", import.meta.url), "utf8"), {
    window,
    Worker,
    WebAssembly: { compileStreaming: async () => ({}), validate: () => true },
    fetch,
    console,
  });
  const channel = await new Promise((resolve) => {
    const opening = window.kagetsuChannel({ ...ears, opened: () => resolve(opening) });
  });
  return { channel, workers };
}

test("two workers that fail close the way to the engine once", async () => {
  let closed = 0;
  const { workers } = await workerChannel({ heard() {}, closed: () => closed++ });
  assert.equal(workers.length, 2);
  for (const worker of workers) worker.onerror();
  assert.equal(closed, 1);
});

test("a worker that is stopped before it has a move looks for one at once", async () => {
  const heard = [];
  const { channel, workers } = await workerChannel({ heard: (text) => heard.push(JSON.parse(text)), closed() {} });
  const ask = (message) => channel.send(JSON.stringify(message));
  const style = { variety: 3, seed: 1 };
  ask({ id: 1, op: "think", position: {}, style, limits: { left_ms: 60000 } });
  ask({ id: 2, op: "stop", target: 1 });
  const hurried = workers[2];
  assert.deepEqual([workers[1].isEnded, workers.length], [true, 3]);
  assert.deepEqual(hurried.told, [{ id: 1, op: "think", position: {}, style, limits: { ms: 100 } }]);
  // It is told only once, and its move is the answer.
  ask({ id: 3, op: "stop", target: 1 });
  assert.deepEqual([hurried.isEnded, heard.map(({ id }) => id)], [false, [2, 3]]);
  const answer = { id: 1, done: true, move: [7, 7], lines: [] };
  hurried.onmessage({ data: JSON.stringify(answer) });
  assert.deepEqual(heard.at(-1), answer);
  // Whoever is given something else to do has no time for that.
  ask({ id: 4, op: "think", position: {} });
  ask({ id: 5, op: "analyse", position: {}, lines: 1 });
  assert.deepEqual([heard.at(-1).id, heard.at(-1).error.code], [4, "stopped"]);
  assert.deepEqual(
    workers.at(-1).told.map(({ id }) => id),
    [5],
  );
  // What was found is played.
  ask({ id: 6, op: "think", position: {} });
  const line = { id: 6, event: "line", rank: 0, moves: [[8, 8]], nodes: 1, ms: 1 };
  workers.at(-1).onmessage({ data: JSON.stringify(line) });
  ask({ id: 7, op: "stop", target: 6 });
  assert.deepEqual([heard.at(-1).id, heard.at(-1).move, heard.at(-1).stopped], [6, [8, 8], true]);
});

test("what the program says in English is said in other languages where they have words for it", async () => {
  const page = new URL("../../src/gui/page/", import.meta.url);
  globalThis.document = { documentElement: { lang: "en" }, querySelectorAll: () => [] };
  const { fetch } = globalThis;
  globalThis.fetch = async (name) => ({ ok: true, json: async () => JSON.parse(readFileSync(new URL(name, page))) });
  let ears;
  const link = new Link((channel) => {
    ears = channel;
    return { send() {}, close() {} };
  });
  ears.opened();
  // What the page says of an error that the program has told.
  const said = async (error) => {
    const asked = link.ask("position");
    ears.heard(JSON.stringify({ id: link.next - 1, done: true, error }));
    return errorText(await asked.catch((refused) => refused));
  };
  const over = { code: "illegal-move", move: 9, reason: "over", message: "the game is over" };
  const outside = { code: "illegal-move", move: 0, reason: "outside", message: "15,0 is off the board" };
  const foul = { code: "illegal-move", move: 8, reason: "forbidden", foul: "overline", message: "h8 is forbidden" };
  const wrong = { code: "bad-position", reason: "size", message: "a board has 5 to 22 columns and rows" };
  await speak("en");
  assert.equal(await said(over), "The rule does not allow this game: the game is over");
  assert.equal(await said(outside), "The rule does not allow this game: 15,0 is off the board");
  await speak("ru");
  assert.equal(await said(over), "Правила не допускают такой партии: партия окончена");
  assert.equal(await said(foul), "Правила не допускают такой партии: фол чёрных: длинный ряд");
  assert.equal(await said(outside), "Правила не допускают такой партии: вне доски");
  // The page itself speaks the language.
  assert.equal(errorText({ code: "illegal-move", message: "партия" }), "Правила не допускают такой партии: партия");
  await speak("ja");
  assert.equal(await said(wrong), "エンジンはこの局面を受け付けません：盤の列数と行数は5から22までです");
  for (const language of ["cs", "ja", "ru", "zh"]) {
    await speak(language);
    for (const error of [over, outside, wrong]) assert.doesNotMatch(await said(error), /game|board|[:：]$/, language);
  }
  // What is wrong with a text, with its place and the part that is wrong.
  const taken = { code: "unreadable", line: 1, column: 4, reason: "taken", part: "h8", message: "h8 is taken" };
  await speak("en");
  assert.equal(await said(taken), "line 1, column 4: This cannot be read: h8 is taken");
  await speak("zh");
  assert.equal(await said(taken), "第 1 行第 4 列：无法读取：h8 已有棋子");
  // What people hardly meet has no words of the page, and English ones are better than none.
  for (const reason of [undefined, "of-later-days"]) {
    const rare = { code: "unreadable", reason, message: "the game is longer than 1 MB" };
    assert.equal(await said(rare), "无法读取：the game is longer than 1 MB");
  }
  // And each language has its own colon.
  const unreadable = { code: "unreadable", line: 1, column: 2 };
  for (const [language, text] of [
    ["en", /^line 1, column 2: /],
    ["ja", /^1行目の2文字目：\S/],
    ["zh", /^第 1 行第 2 列：\S/],
  ]) {
    await speak(language);
    assert.match(errorText(unreadable), text);
  }
  globalThis.fetch = fetch;
  delete globalThis.document;
});

test("at a level the decisions of an opening take a second, and never longer than the clock allows", () => {
  const limits = (strength, time, left) => asked(strength, time, left).limits;
  const asked = (strength, time, left) =>
    question({
      options: { strength, time },
      match: { opening: openingFor("swap2"), sides: { black: 0, white: 1 } },
      hasPerson: true,
      game: new Game("freestyle", 15, 15),
      clock: { remaining: () => left },
      activeColor: () => "black",
    }).fields;
  const [full, novice] = [{ kind: "full" }, { kind: "level", level: 1 }];
  assert.deepEqual(limits(full, { kind: "none" }), { ms: 2000 });
  assert.deepEqual(limits(novice, { kind: "none" }), { ms: 1000 });
  assert.deepEqual(limits(full, { kind: "move", move: 60000 }, 60000), { ms: 60000 });
  assert.deepEqual(limits(novice, { kind: "move", move: 60000 }, 60000), { ms: 1000 });
  assert.deepEqual(limits(novice, { kind: "move", move: 100 }, 100), { ms: 100 });
  assert.deepEqual(limits(novice, { kind: "game", base: 60000 }, 60000), { left_ms: 60000, increment_ms: 0, ms: 1000 });
  assert.equal(asked(novice, { kind: "none" }).style.level, 1);
  assert.equal(asked(full, { kind: "none" }).style.level, undefined);
});

test("a game is dated by the day where it is played", () => {
  const zone = process.env.TZ;
  const midnight = new Date(Date.UTC(2026, 0, 1, 0, 30));
  for (const [place, date] of [
    ["Pacific/Kiritimati", "2026-01-01"],
    ["America/Lima", "2025-12-31"],
  ]) {
    process.env.TZ = place;
    assert.equal(localDate(midnight), date, place);
  }
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});
