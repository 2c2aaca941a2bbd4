// Which game a tab shows after a reload, a link or a copy, without a browser: storage and locks are made here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Storage } from "./storage.mjs";

// Locks that are given at once or not at all.
class Locks {
  held = new Set();

  async request(name, options, act) {
    if (this.held.has(name)) return act(null);
    this.held.add(name);
    await act({ name });
    this.held.delete(name);
  }
}

// What is said to all tabs but the one that says it.
class Channel {
  static open = [];

  constructor() {
    Channel.open.push(this);
  }
  addEventListener(name, hear) {
    this.hear = hear;
  }
  postMessage(data) {
    for (const other of Channel.open) if (other !== this) queueMicrotask(() => other.hear({ data }));
  }
}

let loads = 0;

function browser(hasLocks = true) {
  globalThis.localStorage = new Storage();
  globalThis.BroadcastChannel = Channel;
  Channel.open = [];
  let locks = hasLocks ? new Locks() : undefined;
  const ears = [];
  globalThis.addEventListener = (name, hear) => ears.push(hear);
  Object.defineProperty(globalThis, "navigator", { configurable: true, get: () => ({ locks }) });
  return {
    // The page as a tab loads it: with what the tab remembers, and a module of its own.
    async load(session = new Storage()) {
      globalThis.sessionStorage = session;
      return { session, ...(await import("../../src/gui/page/store.js?load=" + ++loads)) };
    },
    // What a browser tells the tabs that have not changed the storage themselves.
    tellStorage: (key) => ears.forEach((hear) => hear({ key })),
    closeAll: () => {
      locks = new Locks();
    },
    games: () => Object.keys(localStorage).filter((key) => key.startsWith("kagetsu.game.")).length,
  };
}

test("a reload finds the game of its tab, and a copied tab has a copy", async () => {
  const { load, closeAll, games } = browser();
  const first = await load();
  assert.equal(await first.claimGame(), null);
  first.keepGame({ moves: 3 });
  const copy = await load(Object.assign(new Storage(), first.session));
  assert.equal((await copy.claimGame()).moves, 3);
  copy.keepGame({ moves: 4 });
  assert.equal(games(), 2);
  closeAll();
  const again = await load(first.session);
  assert.equal((await again.claimGame()).moves, 3);
});

test("the address that a page gave itself is no link, and a link leaves games alone", async () => {
  const { load, closeAll, games } = browser();
  const first = await load();
  await first.claimGame();
  first.keepGame({ moves: 3 });
  first.noteAddress("#renju/15x15/h8");
  closeAll();
  const again = await load(first.session);
  assert.deepEqual([again.isOwnAddress("#renju/15x15/h8"), again.isOwnAddress("#renju/15x15/a1")], [true, false]);
  again.noteAddress("#renju/15x15/a1");
  again.forgetAddress("#renju/15x15/a1");
  assert.deepEqual([again.isOwnAddress("#renju/15x15/h8"), again.isOwnAddress("#renju/15x15/a1")], [true, false]);
  assert.equal(await again.claimGame((game) => game.moves === 5), null);
  // Games are told apart by when they were kept.
  await new Promise((resolve) => setTimeout(resolve, 5));
  again.keepGame({ moves: 5 });
  assert.equal(games(), 2);
  closeAll();
  // A new tab takes the latest game that nobody has.
  const later = await load();
  assert.equal((await later.claimGame()).moves, 5);
});

test("a game that is left can be taken up again, and the one in between is forgotten", async () => {
  const { load, games } = browser();
  const tab = await load();
  await tab.claimGame();
  tab.keepGame({ moves: 3 });
  const key = await tab.leaveGame();
  tab.keepGame({ moves: 1 });
  assert.equal(games(), 2);
  await new Promise((resolve) => setTimeout(resolve, 0));
  await tab.returnToGame(key);
  tab.keepGame({ moves: 4 });
  assert.equal(games(), 1);
  assert.equal(JSON.parse(localStorage[key]).moves, 4);
});

test("the game before is known over a reload, and the one that was left for it can be kept", async () => {
  const { load, closeAll, games } = browser();
  const tab = await load();
  await tab.claimGame();
  assert.equal(tab.formerGame(), null);
  tab.keepGame({ moves: 3 });
  const key = tab.leaveGame();
  tab.keepGame({ moves: 1 });
  closeAll();
  const again = await load(tab.session);
  assert.equal((await again.claimGame()).moves, 1);
  assert.deepEqual([again.formerGame().key, again.formerGame().state.moves], [key, 3]);
  const between = await again.returnToGame(key, true);
  assert.deepEqual([again.formerGame().key, again.formerGame().state.moves, games()], [between, 1, 2]);
  again.keepGame({ moves: 4 });
  assert.deepEqual([JSON.parse(localStorage[key]).moves, JSON.parse(localStorage[between]).moves], [4, 1]);
  // A link that is loaded in the tab leaves its game, to which there is a way back as well.
  closeAll();
  const linked = await load(tab.session);
  assert.equal(await linked.claimGame(() => false), null);
  assert.equal(linked.formerGame().state.moves, 4);
});

test("a new tab goes on neither with the game of another nor with the one before that", async () => {
  const { load, closeAll } = browser();
  const first = await load();
  await first.claimGame();
  first.keepGame({ moves: 3 });
  const left = first.leaveGame();
  first.keepGame({ moves: 1 });
  assert.equal(await (await load()).claimGame(), null);
  // The same after a reload, and when the two have changed places.
  closeAll();
  const again = await load(first.session);
  assert.equal((await again.claimGame()).moves, 1);
  assert.equal(again.formerGame().state.moves, 3);
  assert.equal(await (await load()).claimGame(), null);
  await again.returnToGame(left, true);
  assert.equal(await (await load()).claimGame(), null);
  // With a third game the first is nobody's any more. It was left, and comes back by itself in no tab.
  await new Promise((resolve) => setTimeout(resolve, 5));
  globalThis.sessionStorage = again.session;
  again.keepGame({ moves: 4 });
  again.leaveGame();
  again.keepGame({ moves: 5 });
  assert.equal(await (await load()).claimGame(), null);
  closeAll();
  assert.equal((await (await load()).claimGame()).moves, 5);
  assert.equal(await (await load()).claimGame(), null);
  // The tab that has left one finds it again, and its own.
  closeAll();
  const last = await load(again.session);
  assert.equal((await last.claimGame()).moves, 5);
  await last.returnToGame(last.formerGame().key, true);
  last.keepGame({ moves: 6 });
  closeAll();
  assert.equal((await (await load()).claimGame()).moves, 6);
});

test("a game that was deleted is kept only by the tab that has it", async () => {
  const { load, closeAll, games } = browser();
  const tab = await load();
  await tab.claimGame();
  for (const seed of [1, 2]) {
    tab.keepGame({ match: { seed } });
    tab.leaveGame();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  tab.keepGame({ match: { seed: 3 } });
  await tab.forgetLeftGames([1, 2, 3]);
  assert.equal(games(), 2);
  closeAll();
  const later = await load();
  await later.forgetLeftGames([3]);
  assert.equal(games(), 1);
  assert.equal(await later.claimGame(), null);
});

// The games of a tab that begins so many new ones.
async function playMany(tab, count) {
  for (let n = 0; n < count; n++) {
    tab.keepGame({ moves: n });
    tab.leaveGame();
    // Games are told apart by when they were kept, and locks come a little later.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

test("a tab forgets the oldest games, but none that another tab has", async () => {
  const { load, games } = browser();
  const first = await load();
  await first.claimGame();
  first.keepGame({ moves: 101 });
  const left = first.leaveGame();
  first.keepGame({ moves: 102 });
  const second = await load();
  await second.claimGame();
  await playMany(second, 20);
  assert.equal(JSON.parse(localStorage[left]).moves, 101);
  assert.equal(
    Object.keys(localStorage).filter(
      (key) => key.startsWith("kagetsu.game.") && JSON.parse(localStorage[key]).moves === 102,
    ).length,
    1,
  );
  assert.ok(games() <= 16, String(games()));
});

test("what was merely opened is listed before it is forgotten, if somebody may have written into it", async () => {
  const { load } = browser();
  const { DEFAULT_OPTIONS, Play } = await import("../../src/gui/page/play.js");
  const { formerGames } = await import("../../src/gui/page/archive.js");
  const link = { ask: () => Object.assign(new Promise(() => {}), { stop() {} }) };
  const tab = await load();
  await tab.claimGame();
  for (const comment of ["", "a good move"]) {
    const play = new Play(link, () => 1);
    play.start(DEFAULT_OPTIONS);
    play.game.play([7, 7]).comment = comment;
    play.open(play.game);
    tab.keepGame(play.state());
    tab.leaveGame();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await playMany(tab, 20);
  assert.deepEqual(
    formerGames().map(({ state }) => state.tree.nodes[1].comment),
    ["a good move"],
  );
  const again = new Play(link, () => 1);
  again.restore(formerGames()[0].state);
  assert.deepEqual([again.match.mode, again.match.isOpened], ["analyse", true]);
});

test("what is merely opened makes no room for itself", async () => {
  const { load } = browser();
  const room = 3000;
  localStorage.setItem = function setItem(key, value) {
    const others = Object.keys(this)
      .filter((name) => name !== key && name !== "setItem")
      .reduce((sum, name) => sum + this[name].length, 0);
    if (others + String(value).length > room) throw new Error("full");
    this[key] = String(value);
  };
  const tab = await load();
  await tab.claimGame();
  localStorage.setItem("kagetsu.played.1", JSON.stringify({ at: 1, state: "x".repeat(2000) }));
  assert.equal(tab.keepGame({ match: { isOpened: true }, text: "x".repeat(2000) }), false);
  assert.ok(localStorage["kagetsu.played.1"]);
  assert.equal(tab.keepGame({ match: {}, text: "x".repeat(2000) }), true);
  assert.equal(localStorage["kagetsu.played.1"], undefined);
});

test("a game that takes long to write and has no room is left for a while, and a reload tells that it is gone", async () => {
  const { load } = browser();
  const tab = await load();
  assert.equal(tab.hasLostGame(), false);
  await tab.claimGame();
  assert.equal(tab.keepGame({ moves: 3 }), true);
  assert.equal((await load(tab.session)).hasLostGame(), false);
  let tries = 0;
  localStorage.setItem = () => {
    tries++;
    const until = performance.now() + 120;
    while (performance.now() < until);
    throw new Error("full");
  };
  assert.deepEqual([tab.keepGame({ moves: 4 }), tab.keepGame({ moves: 5 }), tries], [false, false, 1]);
  // Another game is tried at once.
  tab.leaveGame();
  tries = 0;
  assert.deepEqual([tab.keepGame({ moves: 6 }), tries], [false, 1]);
  assert.equal((await load(tab.session)).hasLostGame(), true);
});

test("without locks of the browser, as over plain HTTP, tabs ask each other", async () => {
  browser(false);
  const [first, second] = await Promise.all(
    ["one", "two"].map((tab) => import("../../src/gui/page/locks.js?tab=" + tab)),
  );
  const give = await first.hold("a game");
  assert.equal(typeof give, "function");
  assert.equal(await second.hold("a game"), null);
  assert.equal(await first.hold("a game"), null);
  give();
  const taken = await second.hold("a game");
  assert.equal(typeof taken, "function");
  // Of two that ask at once, one gets it.
  const both = await Promise.all([first.hold("another"), second.hold("another")]);
  assert.equal(both.filter(Boolean).length, 1);
});

test("a tab without storage plays on", async () => {
  const refuse = () => {
    throw new Error("forbidden");
  };
  const { load } = browser();
  globalThis.localStorage = { getItem: refuse, setItem: refuse, removeItem: refuse };
  const tab = await load({ getItem: refuse, setItem: refuse });
  assert.equal(await tab.claimGame(), null);
  assert.equal(tab.keepGame({ moves: 1 }), false);
  assert.equal(tab.isOwnAddress("#renju/15x15/h8"), false);
});

test("tabs change one setting each, and agree on all of them", async () => {
  const { load, tellStorage } = browser();
  const [first, second] = [await load(), await load()];
  const told = [];
  first.followSettings((changed) => told.push(changed));
  first.setSetting("sound", true);
  second.setSetting("theme", "dark");
  const kept = () => JSON.parse(localStorage["kagetsu.settings"]);
  assert.deepEqual([kept().sound, kept().theme], [true, "dark"]);
  tellStorage("kagetsu.game.1");
  assert.equal(first.settings.theme, "system");
  tellStorage("kagetsu.settings");
  assert.deepEqual([first.settings.theme, told], ["dark", [["theme"]]]);
  // Its own changes are no news to a tab that has them.
  tellStorage("kagetsu.settings");
  assert.equal(told.length, 1);
  localStorage.removeItem("kagetsu.settings");
  tellStorage(null);
  assert.deepEqual([first.settings.theme, first.settings.sound], ["system", false]);
});

test("results of games are added to those of other tabs", async () => {
  const { load } = browser();
  const [first, second] = [await load(), await load()];
  const note = (tab, rule, result) =>
    tab.changeSetting("games", (games) => ({ ...games, [rule]: [...(games[rule] || []), result] }));
  note(first, "renju", [5, 1]);
  note(second, "renju", [6, 0]);
  note(first, "caro", [2, 0.5]);
  second.setSetting("sound", true);
  assert.deepEqual(JSON.parse(localStorage["kagetsu.settings"]).games, {
    renju: [
      [5, 1],
      [6, 0],
    ],
    caro: [[2, 0.5]],
  });
});
