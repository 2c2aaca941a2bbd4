// Games that people play in a real browser: against the engine, against each other, and with every opening.

import assert from "node:assert/strict";
import {
  cell,
  delayEngine,
  listenToEngine,
  message,
  newGame,
  openText,
  play,
  ready,
  resign,
  stone,
  stones,
  suite,
  written,
} from "./page.mjs";

const { boardTest } = suite();

const state = (page) => page.locator("#state").textContent();

boardTest("a game against the engine is played to its end by clicks", async (page) => {
  // Long enough for hands on a machine that has much to do.
  await newGame(page, { players: "black", time: "move", move: "1" });
  // Along the edge, where nothing threatens; the engine wins soon.
  const edge = "abcdefghijklmno"
    .split("")
    .filter((_, n) => n % 2 === 0)
    .flatMap((column) => [column + 1, column + 15]);
  for (const point of edge) {
    if (/wins/.test(await state(page))) break;
    const before = await stones(page);
    if (await page.locator('#board .stone[data-at="' + point + '"]').count()) continue;
    await cell(page, point).click();
    await page.waitForFunction(
      (count) =>
        document.querySelectorAll("#board .stone").length >= count ||
        /wins/.test(document.querySelector("#state").textContent),
      before + 2,
    );
  }
  assert.equal(await page.locator("#board .win").count(), 1);
  const { length } = (await page.locator("#board .win").getAttribute("data-stones")).split(" ");
  assert.equal(length >= 5, true);
  assert.equal(await state(page), "Kagetsu wins with " + (length > 5 ? "more than " : "") + "five in a row.");
  // Nothing can be played any more, and a rematch has the colours changed.
  const there = await stones(page);
  await cell(page, "h1").click();
  await message(page, "h1: ");
  assert.equal(await stones(page), there);
  await page.click("#rematch");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 1);
  assert.match(await page.locator("#player-black").textContent(), /Kagetsu/);
});

boardTest("a forbidden point is marked, refused with its reason, and the game goes on", async (page) => {
  await newGame(page, { players: "two", rule: "renju" });
  await play(page, "h7", "a15", "h6", "b15", "i8", "a13", "j8", "b13");
  await page.waitForSelector('#board .forbidden[data-at="h8"]');
  await cell(page, "h8").click();
  await message(page, "h8: forbidden to Black, since it makes two threes");
  assert.equal(await stones(page), 8);
  assert.match(await cell(page, "h8").getAttribute("aria-label"), /forbidden/);
  await play(page, "k8");
  assert.equal(await stones(page), 9);
});

boardTest("a click that comes before the engine's word is not lost", async (page) => {
  // The engine's words take a while from here on, also those about the position that a click is meant for.
  await delayEngine(page);
  // Under this rule nothing has been asked yet.
  await newGame(page, { players: "two", rule: "standard" });
  await cell(page, "h8").click();
  assert.equal(await stones(page), 0);
  await stone(page, "h8");
  assert.equal(await page.locator(".message.refusal").count(), 0);
});

boardTest("two people play at one board, and one of them resigns", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "<b>Bo</b>" });
  await play(page, "h8", "i9");
  assert.match(await state(page), /Black to move \(Ada\)/);
  assert.match(await page.locator("#player-white").textContent(), /<b>Bo<\/b>/);
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  await page.waitForFunction(() => document.querySelector("#state").textContent === "<b>Bo</b> wins: Ada resigned.");
});

boardTest("undo takes back, redo plays again", async (page) => {
  await newGame(page, { players: "black", time: "move", move: "0.2" });
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 0);
  await page.click("#redo");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 0);
});

boardTest("after a move was taken back, arrows and Redo follow the game that is played", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9", "g7");
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  assert.equal(await page.locator("#ply").textContent(), "2 / 2");
  assert.deepEqual([await page.isDisabled("#next"), await page.isDisabled("#last")], [true, true]);
  await play(page, "f6");
  await page.click("#first");
  await page.click("#last");
  await stone(page, "f6");
  assert.match(await state(page), /White to move/);
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await page.click("#redo");
  await stone(page, "f6");
  // What was taken back can be looked at, and left again.
  await page.locator("#moves .variation button", { hasText: "g7" }).click();
  await stone(page, "g7");
  assert.equal(await page.locator("#promote").isHidden(), true);
  await page.click("#last");
  await stone(page, "f6");
  await play(page, "e5");
});

boardTest("marks end with their game, and refusals with what they were about", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await page.click("#mark-triangle");
  await newGame(page, { players: "two" });
  assert.equal(await page.locator('#marks [aria-pressed="true"]').count(), 0);
  await play(page, "h8");
  await cell(page, "h8").click();
  await message(page, "h8: taken");
  await play(page, "i9");
  assert.equal(await page.locator(".message.refusal").count(), 0);
  await cell(page, "h8").click();
  await message(page, "h8: taken");
  await newGame(page, { players: "two" });
  assert.equal(await page.locator(".message.refusal").count(), 0);
});

boardTest("swap2 against the engine: it chooses, and the game goes on", async (page) => {
  await newGame(page, { players: "black", opening: "swap2", time: "move", move: "4" });
  await play(page, "h8", "i9", "k11");
  // Kagetsu takes a side, or places two stones and leaves the choice.
  await page.waitForFunction(
    () => document.querySelector("#prompt").hidden || document.querySelector('#prompt [data-choice="take-black"]'),
    null,
    { timeout: 20000 },
  );
  const choice = page.locator('#prompt [data-choice="take-black"]');
  if (await choice.count()) {
    assert.equal(await stones(page), 5);
    await choice.click();
    await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 6, null, { timeout: 20000 });
  }
  assert.equal(await page.locator("#prompt").isHidden(), true);
  assert.match(await state(page), /to move/);
});

boardTest("swap2 among people: two more stones, then the first chooses", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo", opening: "swap2" });
  await play(page, "h8", "i9", "k11");
  await cell(page, "a1").click();
  await message(page, "a1: choose first");
  await page.click('[data-choice="place-two"]');
  await play(page, "g7", "c3");
  assert.match(await page.locator("#prompt").textContent(), /Ada chooses/);
  await page.click('[data-choice="take-white"]');
  assert.match(await page.locator("#player-white").textContent(), /Ada/);
});

boardTest("who takes the other side in an opening takes the own time along", async (page) => {
  await newGame(page, {
    players: "two",
    name: "Ada",
    "other-name": "Bo",
    opening: "swap",
    time: "game",
    base: "5",
    increment: "60",
  });
  await play(page, "h8", "i9", "k11");
  await page.click('[data-choice="take-black"]');
  await page.waitForFunction(() => /Bo/.test(document.querySelector("#player-black").textContent));
  assert.match(await page.locator("#player-black .clock").textContent(), /^(5:00|4:\d\d)$/);
  assert.match(await page.locator("#player-white .clock").textContent(), /^[78]:\d\d$/);
});

boardTest("a rematch after sides were swapped turns those that were held at the end", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo" });
  await page.click("#swap-sides");
  await play(page, "h8");
  await resign(page);
  await page.click("#rematch");
  await count(page, 0);
  assert.match(await page.locator("#player-black").textContent(), /Ada/);
});

boardTest(
  "a game that began from a link without moves is one's own, and can be analysed when it is over",
  async (page) => {
    await page.evaluate(() => {
      location.hash = "freestyle/20x20/";
    });
    await message(page, "The link was opened");
    await page.click("#mode");
    await play(page, "h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1", "l8");
    await page.waitForSelector("#summary:not([hidden])");
    assert.equal(await page.isDisabled("#mode"), false);
    await page.click("#mode");
    await page.waitForFunction(() => document.querySelector("#mode").textContent === "Back to the game");
    await page.click("#former-games");
    assert.equal(await page.locator(".former-open").count(), 1);
    await page.keyboard.press("Escape");
    // One can go on from another position of it, but its end stays as it was.
    assert.equal(await page.isHidden("#play-here"), true);
    await page.click("#previous");
    await page.waitForSelector("#play-here:not([hidden])");
    await page.click("#mode");
    await page.waitForSelector("#summary:not([hidden])");
  },
);

boardTest(
  "undo in an opening takes back the last decision or stone, and the opening goes on from there",
  async (page) => {
    await newGame(page, { players: "two", name: "Ada", "other-name": "Bo", opening: "swap" });
    assert.equal(await page.isDisabled("#undo"), true);
    await play(page, "h8", "i9", "k11");
    await page.click('[data-choice="take-black"]');
    await page.waitForFunction(() => /Bo/.test(document.querySelector("#player-black").textContent));
    await page.reload();
    await ready(page);
    await page.click("#undo");
    await page.waitForSelector('[data-choice="take-white"]');
    assert.match(await page.locator("#player-black").textContent(), /Ada/);
    assert.equal(await stones(page), 3);
    await page.click("#undo");
    await page.waitForFunction(
      () => document.querySelector("#prompt-text").textContent === "Ada places one more stone of the opening.",
    );
    assert.deepEqual([await stones(page), await page.isDisabled("#redo")], [2, true]);
    await play(page, "c3");
    await page.click('[data-choice="take-white"]');
    await page.waitForSelector("#prompt", { state: "hidden" });
    assert.match(await page.locator("#player-white").textContent(), /Bo/);
  },
);

boardTest("an opening that does not fit is said to, and is back where it fits", async (page) => {
  await page.click("#new-game");
  const shown = async () => [
    await page.inputValue("#new-opening"),
    await page.locator("#new-opening-note").textContent(),
  ];
  assert.match((await shown()).join(), /^free,.* Soosõrv-8 and Taraguchi-10 are for renju on 15×15\.$/);
  await page.selectOption("#new-rule", "renju");
  await page.selectOption("#new-opening", "soosorv8");
  assert.doesNotMatch((await shown()).join(), /are for renju/);
  await page.selectOption("#new-size", "19x19");
  assert.match((await shown()).join(), /^free,.*are for renju/);
  await page.selectOption("#new-size", "15x15");
  assert.match((await shown()).join(), /^soosorv8,/);
});

boardTest("Soosõrv-8 among people: areas, number of fifths, symmetry, pick", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo", rule: "renju", opening: "soosorv8" });
  // Where no stone may lie, none appears under the pointer.
  const free = () => page.locator("#grid .free").count();
  assert.equal(await free(), 1);
  await cell(page, "a1").click();
  await message(page, "too far from the middle");
  await play(page, "h8");
  assert.equal(await free(), 8);
  await play(page, "h9", "h10");
  await page.click('[data-choice="stay"]');
  await play(page, "h6");
  await page.click('[data-choice="fifths-2"]');
  await page.click('[data-choice="swap"]');
  await cell(page, "i7").click();
  await cell(page, "g7").click();
  await message(page, "turned or mirrored");
  await cell(page, "j7").click();
  await cell(page, "a1").click();
  await message(page, "not one of the moves that are offered");
  await play(page, "i7");
  assert.equal(await page.locator("#prompt").isHidden(), true);
  assert.match(await state(page), /White to move/);
});

for (const height of [568, 667]) {
  boardTest(
    "what an opening asks for, and tools to set up, are in sight in a window " + height + " high",
    async (page) => {
      // The page may still be scrolling.
      const areInSight = (parts) =>
        page.waitForFunction((parts) => {
          const edges = [...document.querySelectorAll(parts)].map((part) => part.getBoundingClientRect().bottom);
          return edges.length && Math.max(...edges) <= innerHeight;
        }, parts);
      await newGame(page, { players: "two", rule: "renju", opening: "soosorv8" });
      await play(page, "h8", "h9", "h10");
      await page.waitForSelector('[data-choice="stay"]');
      await areInSight("[data-choice]");
      await page.click('[data-choice="stay"]');
      await play(page, "h6");
      await page.waitForSelector('[data-choice="fifths-8"]');
      await areInSight("[data-choice]");
      await page.click("#more");
      await page.click("#set-up");
      await page.waitForSelector("#set-up-bar:not([hidden])");
      await areInSight("#set-up-bar button");
    },
    { viewport: { width: height === 568 ? 320 : 375, height }, hasTouch: true, isMobile: true },
  );
}

boardTest("what an opening asks for stays in its place while the game is paused", async (page) => {
  await newGame(page, { players: "two", opening: "swap2", time: "game" });
  await play(page, "h8", "h9", "i10");
  const top = (part) => page.locator(part).evaluate((node) => node.getBoundingClientRect().top);
  const choice = page.locator("[data-choice]").first();
  const before = await top("#pause");
  await page.click("#pause");
  assert.equal(await page.locator("#prompt-text").textContent(), "The game is paused.");
  assert.deepEqual([await choice.isDisabled(), await top("#pause")], [true, before]);
  await page.click("#pause");
  assert.deepEqual([await choice.isDisabled(), await top("#pause")], [false, before]);
});

boardTest(
  "offered fifth moves are shown where they were offered, and any point can be tried elsewhere",
  async (page) => {
    await newGame(page, { players: "two", rule: "renju", opening: "soosorv8" });
    await play(page, "h8", "h9", "h10");
    await page.click('[data-choice="stay"]');
    await play(page, "h6");
    await page.click('[data-choice="fifths-3"]');
    await page.click('[data-choice="stay"]');
    await cell(page, "i7").click();
    await cell(page, "j7").click();
    const offered = page.locator("#board .mark-text");
    await page.waitForFunction(() => document.querySelectorAll("#board .mark-text").length === 2);
    // A click there takes the offer back, and places no stone.
    assert.equal(await page.locator('#grid .free[data-point="i7"]').count(), 0);
    await page.click("#mode");
    assert.equal(await offered.count(), 2);
    await page.click("#previous");
    assert.equal(await offered.count(), 0);
    assert.ok((await page.locator("#grid .free").count()) > 200);
  },
);

boardTest("Kagetsu plays itself on a rectangle, weakly, to an end", async (page) => {
  await page.evaluate(() => localStorage.setItem("kagetsu.settings", '{"pace":"0"}'));
  await page.reload();
  await ready(page);
  await newGame(page, { players: "watch", rule: "caro", size: "other", width: "9", height: "7", strength: "4" });
  await page.waitForFunction(() => /wins|draw/i.test(document.querySelector("#state").textContent), null, {
    timeout: 60000,
  });
  // Both have one name.
  assert.match(await state(page), /^Kagetsu \((Black|White)\) wins|draw/);
  assert.equal(await page.locator("#rules").textContent(), "Caro · 9×7");
  assert.equal(await page.locator("#grid .row").count(), 7);
  assert.equal(await page.locator("#grid .cell").count(), 63);
});

boardTest("levels have names, and the one that fits is found", async (page) => {
  await page.click("#new-game");
  const names = await page.locator("#new-strength option").allTextContents();
  assert.ok(
    names.includes("Full") && names.includes("5. Novice 1") && names.at(-1) === "1. Beginner 1",
    names.join(", "),
  );
  await page.click("#new-game-dialog button[value=cancel]");
  await newGame(page, { players: "black", strength: "adaptive" });
  const level = () => page.evaluate(() => JSON.parse(localStorage.getItem("kagetsu.settings")).games.freestyle);
  for (let lost = 1; lost <= 2; lost++) {
    // The level stands beside the name.
    const engine = lost === 1 ? "#player-white" : "#player-black";
    await page.waitForFunction((box) => /Kagetsu\d+\. /.test(document.querySelector(box).textContent), engine);
    if (lost === 1) await play(page, "h8");
    else await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 1);
    await page.click("#resign");
    await page.click("#confirm button[value=yes]");
    await page.waitForSelector("#rematch:not([hidden])");
    assert.equal((await level()).length, lost);
    // What was found so far is told.
    const told = new RegExp(`^Your level: about \\d+\\. [^,]+, after ${lost} of 10 games\\.$`);
    await page.waitForFunction(
      (told) => new RegExp(told).test(document.querySelector("#summary-level").textContent),
      told.source,
    );
    await page.click("#new-game");
    await page.waitForFunction(
      (lost) => document.querySelector("#new-strength-note").textContent.includes(`after ${lost} of 10 games.`),
      lost,
    );
    await page.click("#new-game-dialog button[value=cancel]");
    if (lost === 1) await page.click("#rematch");
  }
  const games = await level();
  // A game with help says nothing of the person.
  await page.click("#rematch");
  await count(page, 0);
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await page.click("#undo");
  await count(page, 0);
  await play(page, "i9");
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  await page.waitForFunction(() =>
    /^This game did not count for your level\. Your level: about .* 2 of 10 games\.$/.test(
      document.querySelector("#summary-level").textContent,
    ),
  );
  // Who loses meets a weaker level.
  assert.ok(games[1][0] < games[0][0] && games.every(([, points]) => points === 0), JSON.stringify(games));
});

boardTest("a game that is left after ten stones is lost, until it goes on", async (page) => {
  const five = { players: "black", size: "other", width: "5", height: "5", strength: "adaptive" };
  const kept = (count) =>
    page.waitForFunction(
      (count) => (JSON.parse(localStorage["kagetsu.settings"] || "{}").games?.freestyle || []).length === count,
      count,
    );
  const level = () =>
    page.evaluate(() => parseInt(document.querySelector("#player-white").textContent.match(/\d+\. /)));
  await newGame(page, five);
  const first = await level();
  // A stone into the row, column or diagonal on which Kagetsu is ahead, so that nobody wins.
  const block = () =>
    page.evaluate(() => {
      const names = (color) =>
        [...document.querySelectorAll(`#board .stone.${color}`)].map(({ dataset }) => dataset.at);
      const [own, other] = [names("black"), names("white")];
      const sides = [0, 1, 2, 3, 4];
      const name = (x, y) => "abcde"[x] + (y + 1);
      const lines = [
        ...sides.flatMap((n) => [sides.map((m) => name(n, m)), sides.map((m) => name(m, n))]),
        sides.map((n) => name(n, n)),
        sides.map((n) => name(n, 4 - n)),
      ].filter((line) => !line.some((at) => own.includes(at)));
      const ahead = (line) => line.filter((at) => other.includes(at)).length;
      lines.sort((a, b) => ahead(b) - ahead(a));
      const all = [...lines.flat(), ...sides.flatMap((x) => sides.map((y) => name(x, y)))];
      return all.find((at) => !own.includes(at) && !other.includes(at));
    });
  for (let stones = 0; stones < 10; stones += 2) {
    await play(page, await block());
    await count(page, stones + 2);
  }
  await kept(0);
  await newGame(page, five);
  await kept(1);
  assert.ok((await level()) < first, "the level stays");
  await page.click("#former-game");
  await count(page, 10);
  // Whoever looks at it has not played on yet.
  await kept(1);
  await play(page, await block());
  await kept(0);
  // Another game is opened in its place, and it goes on after that.
  await openText(page, "h8 i9");
  await kept(1);
  await page.click("#former-game");
  await play(page, await block());
  await kept(0);
});

boardTest("hints, sides, draws and what is set", async (page) => {
  // Nobody loses on time before the draw is offered.
  await newGame(page, { players: "black", time: "move", move: "5" });
  await page.click("#hint");
  await page.waitForSelector("#board .hint-move");
  await page.click("#swap-sides");
  // Now Kagetsu is Black, and moves.
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 1);
  assert.match(await page.locator("#player-black").textContent(), /Kagetsu/);
  await page.click("#offer-draw");
  await message(page, "declines");
  await page.click("#show-settings");
  await page.selectOption("#set-numbers", "all");
  await page.selectOption("#set-rows", "top");
  await page.selectOption("#set-palette", "clear");
  await page.uncheck("#set-coordinates");
  await page.click("#settings-dialog button[value=close]");
  assert.equal(await page.locator("#board .stone-number").count(), 1);
  assert.equal(await page.locator("#board .coordinate").count(), 0);
  assert.equal(await page.locator("#grid .cell").first().getAttribute("data-point"), "a1");
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("#board .coordinate").count(), 0);
});

boardTest("Kagetsu keeps to itself what it thinks, and moves when it is told to", async (page) => {
  const heard = await listenToEngine(page);
  await newGame(page, { players: "black", time: "move", move: "60" });
  assert.equal(await page.isDisabled("#move-now"), true);
  const firstThought = heard(/"depth"/);
  await play(page, "h8");
  await firstThought;
  assert.match(await page.locator("#player-white").textContent(), /^Kagetsufull strengththinking …/);
  await page.click("#move-now");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  // Told sooner, it moves before it has a thought that could be told.
  const nextThought = heard(/"depth"/);
  await play(page, (await page.locator('#board .stone[data-at="g7"]').count()) ? "i9" : "g7");
  await nextThought;
  await page.keyboard.press("m");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 4);
  assert.doesNotMatch(await page.locator("#player-white").textContent(), /depth/);
  await page.click("#hint");
  assert.deepEqual([await page.isDisabled("#hint"), await state(page)], [true, "Hint: thinking …"]);
  await page.waitForSelector("#board .hint-move");
  assert.equal(await page.isDisabled("#hint"), false);
  assert.match(await state(page), /^Hint: [a-o]\d+\.$/);
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  // The game is over: its last thought is told, and the hint is gone.
  await page.waitForFunction(() => /depth/.test(document.querySelector("#player-white").textContent));
  assert.equal(await page.locator("#board .hint-move").count(), 0);
  assert.equal(await page.locator("#move-now").isHidden(), true);
  // What the state says is not said once more.
  assert.equal(await page.locator(".message").count(), 0);
});

boardTest("of two engines each is told with what it thinks itself", async (page) => {
  await newGame(page, { players: "watch", time: "move", move: "1" });
  const told = await page.waitForFunction(() => {
    const texts = [...document.querySelectorAll(".thought")].map((node) => node.textContent);
    return texts.every((text) => /depth/.test(text)) && texts;
  });
  const [black, white] = await told.jsonValue();
  assert.notEqual(black, white);
});

boardTest("the board stays in its place through an opening", async (page) => {
  await newGame(page, { players: "two" });
  const place = () =>
    page.evaluate(() => {
      const { x, y, width } = document.querySelector("#board").getBoundingClientRect();
      return [x, y, width];
    });
  const before = await place();
  await newGame(page, { players: "two", name: "Ada", rule: "renju", opening: "soosorv8" });
  assert.equal(await page.locator("#prompt-text").textContent(), "Ada places a stone in the centre.");
  assert.deepEqual(await place(), before);
  await play(page, "h8", "h9", "h10");
  await page.waitForSelector('[data-choice="stay"]');
  assert.deepEqual(await place(), before);
  await newGame(page, { players: "two", name: "Ada", opening: "swap2" });
  await play(page, "h8", "h9");
  assert.equal(await page.locator("#prompt-text").textContent(), "Ada places one more stone of the opening.");
});

boardTest("a clock that runs out loses the game", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo", time: "game", base: "0.1" });
  await play(page, "h8");
  await page.waitForFunction(() => /Ada wins on time/.test(document.querySelector("#state").textContent), null, {
    timeout: 20000,
  });
});

for (const opening of ["soosorv8", "taraguchi10"]) {
  for (const players of ["black", "white", "watch"]) {
    boardTest("the engine plays " + opening + " with a person as " + players, async (page) => {
      await newGame(page, { players, rule: "renju", opening });
      // A person places stones near the middle, keeps the sides, and asks for one fifth move.
      const near = ["h8", "h9", "i9", "i10", "g7", "j7", "k6", "f10", "g10", "l11", "e6", "j11", "f6"];
      const isOpen = () => page.locator("#prompt").isVisible();
      const end = Date.now() + 60000;
      while ((await isOpen()) && Date.now() < end) {
        const choice = page
          .locator('[data-choice="stay"], [data-choice="fifths-1"], [data-choice="one-fifth"]')
          .first();
        if (await choice.count()) await choice.click({ timeout: 1000 }).catch(() => {});
        else
          for (const point of near) {
            if (!(await isOpen())) break;
            if (await page.locator('#grid[data-next="black"], #grid[data-next="white"]').count())
              await cell(page, point).click();
          }
        // Of offered moves one must be picked.
        for (const mark of await page.locator("#board .mark-text").all()) {
          const at = await mark
            .evaluate(
              (node) => [(Number(node.getAttribute("x")) - 41) / 30, (Number(node.getAttribute("y")) - 46) / 30],
              undefined,
              { timeout: 300 },
            )
            .catch(() => null);
          if (at && (await isOpen()))
            await page
              .locator('[data-x="' + at[0] + '"][data-y="' + at[1] + '"]')
              .click({ timeout: 1000 })
              .catch(() => {});
        }
        await page.waitForTimeout(200);
      }
      assert.equal(await isOpen(), false);
      assert.ok((await stones(page)) >= 5);
      assert.equal(await page.locator(".message.error").count(), 0);
    });
  }
}

for (const [what, moves, point, reason] of [
  ["an overline", ["e8", "a15", "f8", "c15", "g8", "e15", "i8", "g15", "j8", "i15"], "h8", "more than five in a row"],
  ["two fours", ["e8", "a15", "f8", "c15", "g8", "e15", "h9", "g15", "h10", "i15", "h11", "k15"], "h8", "two fours"],
]) {
  boardTest(what + " is refused to Black under the rules of renju", async (page) => {
    await newGame(page, { players: "two", rule: "renju" });
    await play(page, ...moves);
    await cell(page, point).click();
    await message(page, reason);
    assert.equal(await stones(page), moves.length);
  });
}

boardTest("a row of six that wins is called no five", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo", rule: "freestyle" });
  await play(page, "h8", "a1", "i8", "a3", "j8", "a5", "l8", "a7", "m8", "a9", "k8");
  await page.waitForSelector("#summary:not([hidden])");
  assert.equal(await state(page), "Ada wins with more than five in a row.");
  for (const [language, text] of [
    ["zh", "Ada长连获胜（六子或更多）。"],
    ["ja", "長連により、Adaの勝ちです。"],
    ["ru", "Больше пяти в ряд. Победа: Ada."],
    ["cs", "Ada vyhrává: víc než pět v řadě."],
  ]) {
    await page.evaluate((language) => localStorage.setItem("kagetsu.settings", JSON.stringify({ language })), language);
    await page.reload();
    await ready(page);
    assert.equal(await state(page), text);
  }
});

boardTest("a clock gets its increment, and undo gives back the time that was lost", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo", time: "game", base: "0.1", increment: "60" });
  const clock = (color) => page.locator("#player-" + color + " .clock").textContent();
  await play(page, "h8");
  assert.match(await clock("black"), /^1:0[5-6]$/);
  await page.waitForFunction(() => /Ada wins on time/.test(document.querySelector("#state").textContent), null, {
    timeout: 20000,
  });
  assert.equal(await clock("white"), "0:00.0");
  // Bo's turn began with six seconds. Ada takes her move back, and both have what they had.
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 0);
  await page.click("#redo");
  await stone(page, "h8");
  await page.waitForTimeout(500);
  assert.match(await state(page), /White to move \(Bo\)/);
  assert.match(await clock("white"), /^0:0[4-6]/);
});

// Thirty stones without a threat, and a point beside them.
const THIRTY = Array.from(
  { length: 30 },
  (_, n) => "abcdefghijklmno"[(n * 2) % 15] + (1 + 3 * Math.floor((n * 2) / 15)),
).join(" ");

// The first level moves without a search.
for (const strength of ["full", "1"]) {
  boardTest(
    "a game that was opened is played on against Kagetsu, which accepts a draw at " + strength,
    async (page) => {
      // What the engine expects is changed on its way, so that it hopes for nothing.
      await page.routeWebSocket(/\/talk$/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((text) =>
          socket.send(
            text.replace(/"win_rate":[\d.e-]+/g, '"win_rate":0.4').replace(/(\[\d+,\d+),[\d.e-]+\]/g, "$1,0.6]"),
          ),
        );
      });
      await page.reload();
      await ready(page);
      await openText(page, THIRTY);
      await message(page, "was opened");
      await page.click("#mode");
      assert.equal(await page.isChecked("#new-from"), true);
      await page.selectOption("#new-players", "black");
      await page.selectOption("#new-strength", strength);
      await page.selectOption("#new-time", "move");
      await page.fill("#new-move", "1");
      await page.click("#new-game-dialog button[value=start]");
      await page.waitForFunction(() => /Kagetsu/.test(document.querySelector("#player-white").textContent));
      await cell(page, "h15").click();
      await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 32);
      await page.click("#offer-draw");
      await page.waitForFunction(() => document.querySelector("#state").textContent === "A draw by agreement.");
    },
  );
}

boardTest("another rule than that of the file is asked whether it knows the game", async (page) => {
  await openText(page, "(;SZ[15]RU[freestyle];B[hg];W[aa];B[hf];W[ba];B[ih];W[ac];B[jh];W[bc];B[hh];W[cc])");
  await message(page, "was opened");
  await page.click("#mode");
  await page.selectOption("#new-rule", "renju");
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForFunction(() => /^The rule does not allow/.test(document.querySelector("#new-problem").textContent));
  await page.click("#new-game-dialog button[value=cancel]");
  assert.match(await page.locator("#mode").textContent(), /Play on/);
});

boardTest("a game that goes on under another rule can be saved before it has a move, and opened", async (page) => {
  // Six in a row do not win under the first rule, and end the game under the second.
  const six = "B[dh];W[aa];B[eh];W[ba];B[fh];W[da];B[hh];W[ea];B[ih];W[ga];B[gh]";
  await openText(page, "(;SZ[15]RU[standard];" + six + ";W[ha];B[jj])");
  await page.click("#first");
  for (let n = 0; n < 4; n++) await page.click("#next");
  const goOn = async () => {
    await page.click("#mode");
    await page.selectOption("#new-players", "two");
    await page.selectOption("#new-rule", "freestyle");
    await page.click("#new-game-dialog button[value=start]");
    await page.waitForSelector("#new-game-dialog", { state: "detached" });
  };
  const openAgain = async () => {
    const saved = await written(page, "sgf");
    await openText(page, saved);
    await message(page, "was opened");
    return saved;
  };
  await goOn();
  assert.equal(await page.isDisabled("#undo"), true);
  const saved = (await openAgain()).replaceAll("\n", "");
  assert.match(saved, /;W\[ba\]\(;C\[From here on: Freestyle Gomoku\]\)\(;B\[fh\].*;B\[jj\]\)\)$/);
  assert.equal(await stones(page), 4);
  // It can be played like the first one to the end that it has now.
  await goOn();
  await play(page, "f8", "d15", "h8", "e15", "i8", "g15", "g8");
  await page.waitForSelector("#summary:not([hidden])");
  await openAgain();
  assert.equal(await stones(page), 11);
});

boardTest("Delete, keys and shortcuts keep their hands off a game that is played", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  assert.equal(await page.isDisabled("#remove-move"), true);
  await page.click("#new-game");
  await page.focus("#new-game-dialog button[value=cancel]");
  for (const key of ["n", "u", "ArrowLeft"]) await page.keyboard.press(key);
  assert.equal(await page.locator("dialog").count(), 1);
  await page.click("#new-game-dialog button[value=cancel]");
  assert.equal(await stones(page), 2);
});

boardTest("an opening ends where other stones lie than those it knows", async (page) => {
  await newGame(page, { players: "two", opening: "swap2" });
  await play(page, "h8", "i9");
  // Looked at and left as it was, it goes on.
  await page.click("#mode");
  await page.click("#mode");
  assert.equal(await page.locator("#prompt").isVisible(), true);
  await page.click("#mode");
  await play(page, "j8", "k8", "l8");
  await page.click("#play-here");
  await message(page, "goes on without the opening");
  assert.equal(await page.locator("#prompt").isHidden(), true);
});

boardTest("the analysis leads back to where a game in progress was left, or on from elsewhere", async (page) => {
  const stand = (count) => page.waitForFunction((n) => document.querySelectorAll("#board .stone").length === n, count);
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  await page.click("#mode");
  await play(page, "a1", "a2", "a3");
  assert.equal(await page.textContent("#mode"), "Back to the game");
  await page.click("#mode");
  await stand(2);
  assert.equal(await page.isDisabled("#redo"), true);
  await page.click("#mode");
  await page.click("#first");
  assert.equal(await page.textContent("#play-here"), "Play on from here");
  await page.reload();
  await ready(page);
  await page.click("#mode");
  await stand(2);
  await page.click("#mode");
  await play(page, "j10");
  await page.click("#play-here");
  await page.waitForFunction(() => /Analyse/.test(document.querySelector("#mode").textContent));
  assert.equal(await stones(page), 3);
  await page.click("#undo");
  await stand(2);
  // From the end of a game nobody plays on.
  await page.click("#mode");
  await play(page, "g8", "a5", "f8", "a6", "e8", "a7", "d8");
  await page.waitForSelector("#play-here:disabled");
  await page.click("#mode");
  await stand(2);
});

boardTest("engines that play each other can be paused", async (page) => {
  await newGame(page, { players: "watch", time: "move", move: "0.2" });
  assert.equal(await page.locator("#resign").isHidden(), true);
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length >= 2);
  await page.click("#pause");
  await page.waitForTimeout(400);
  const there = await stones(page);
  await page.waitForTimeout(800);
  assert.equal(await stones(page), there);
  await page.click("#pause");
  await page.waitForFunction((count) => document.querySelectorAll("#board .stone").length > count, there);
});

boardTest("a game with clocks can be paused by whoever plays it", async (page) => {
  await newGame(page, { time: "game", base: "1" });
  assert.equal(await page.locator("#new-think").count(), 0);
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone:not(.sent)").length === 2);
  await page.click("#pause");
  assert.equal(await page.locator("#state").textContent(), "The game is paused.");
  // Marks can be set meanwhile.
  await page.click("#mark-circle");
  assert.match(await state(page), /^The game is paused\. Clicks set marks \(Circle\)/);
  await page.click("#mark-circle");
  assert.equal(await state(page), "The game is paused.");
  const clock = () => page.locator("#player-black .clock").textContent();
  const shown = await clock();
  await cell(page, "a1").click();
  await message(page, "the game is paused");
  await page.waitForTimeout(1200);
  assert.deepEqual([await clock(), await stones(page)], [shown, 2]);
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("#pause").textContent(), "Go on");
  await page.click("#pause");
  await play(page, "a1");
  await page.click("#new-game");
  assert.equal(await page.locator("#new-think").isVisible(), false);
  await page.selectOption("#new-time", "none");
  assert.equal(await page.inputValue("#new-think"), "2");
  await page.selectOption("#new-strength", "3");
  assert.equal(await page.locator("#new-think").isVisible(), false);
});

boardTest("a search for a move goes on whatever is set, and an engine without room is asked again", async (page) => {
  const asked = [];
  await page.routeWebSocket(/\/talk$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, op } = JSON.parse(text);
      if (op === "think") asked.push(id);
      if (op !== "think" || asked.length > 1) return server.send(text);
      socket.send(JSON.stringify({ id, done: true, error: { code: "busy", message: "full" } }));
    });
  });
  await page.reload();
  await ready(page);
  await newGame(page, { players: "black", time: "move", move: "4" });
  // Kagetsu's answer takes its time, unlike a first move.
  await play(page, "h8");
  await message(page, "Too many pages");
  await page.waitForFunction(() => /thinking/.test(document.querySelector("#player-white").textContent));
  await page.click("#show-settings");
  await page.selectOption("#set-numbers", "all");
  await page.click("#settings-dialog button[value=close]");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  assert.equal(asked.length, 2);
});

// Waits until so many stones lie.
const count = (page, wanted) =>
  page.waitForFunction((wanted) => document.querySelectorAll("#board .stone:not(.ghost)").length === wanted, wanted);

boardTest("a new game leaves a way back to the one before, for as long as that is known", async (page) => {
  await newGame(page, { players: "two", time: "game", base: "5" });
  assert.equal(await page.locator("#former-game").isHidden(), true);
  await play(page, "h8", "i9");
  await newGame(page, { players: "two" });
  await message(page, "A new game has begun.");
  await page.getByRole("button", { name: "Close" }).click();
  // A second game that was begun by mistake does not take its place.
  await newGame(page, { players: "two" });
  assert.equal(await page.locator(".message").count(), 0);
  await play(page, "a1", "b2", "c3", "d4", "e5");
  await page.click("#former-game");
  await count(page, 2);
  await stone(page, "i9");
  assert.match(await page.locator("#player-black .clock").textContent(), /^[45]:/);
  // The game in between is the one before now, also after a reload.
  await page.reload();
  await ready(page);
  await count(page, 2);
  await page.click("#former-game");
  await stone(page, "e5");
  await count(page, 5);
  await page.click("#former-game");
  await play(page, "j10");
  await count(page, 3);
});

boardTest("what is written at an empty board is not lost with it", async (page) => {
  await page.fill("#comment", "An idea for the opening.");
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await page.click("#former-game");
  await count(page, 0);
  assert.equal(await page.inputValue("#comment"), "An idea for the opening.");
  await page.click("#former-game");
  await count(page, 1);
  await page.click("#former-game");
  await count(page, 0);
  await page.fill("#comment", "");
  await page.locator("#comment").blur();
  await page.click("#mark-circle");
  await cell(page, "c3").click();
  await page.click("#mark-circle");
  await openText(page, "(;GM[4]SZ[15]RU[renju]C[Only words.])");
  await page.click("#former-game");
  await page.waitForSelector("#board .mark");
  await page.click("#former-game");
  await page.waitForFunction(() => document.querySelector("#comment").value === "Only words.");
});

boardTest("a rematch leaves a way back to the game that is over", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo" });
  await play(page, "h8", "i9");
  await resign(page);
  await page.click("#rematch");
  await count(page, 0);
  // It was over, and so nothing has to be said.
  assert.equal(await page.locator(".message").count(), 0);
  await play(page, "a1");
  await page.click("#former-game");
  await count(page, 2);
  assert.equal(await state(page), "Bo wins: Ada resigned.");
});

boardTest("a rematch that is asked for twice, while the engine is slow, is one", async (page) => {
  await newGame(page, { players: "black", name: "Ada", strength: "adaptive" });
  await play(page, "h8");
  await resign(page);
  await delayEngine(page);
  await page.evaluate(() => {
    for (let time = 0; time < 2; time++) document.querySelector("#rematch").click();
  });
  await page.waitForFunction(() => /Kagetsu/.test(document.querySelector("#player-black").textContent));
  await count(page, 1);
  assert.match(await page.locator("#player-white").textContent(), /Ada/);
  await page.click("#former-game");
  assert.equal(await state(page), "Kagetsu wins: Ada resigned.");
});

boardTest("a game that is played on from here can be left for what it was", async (page) => {
  await newGame(page, { players: "two", name: "Ada" });
  await play(page, "h8", "i9");
  await page.keyboard.press("ArrowLeft");
  await page.click("#new-game");
  await page.check("#new-from");
  await page.selectOption("#new-rule", "renju");
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForFunction(() => /^Renju/.test(document.querySelector("#rules").textContent));
  await play(page, "c3");
  await page.click("#former-game");
  await page.waitForFunction(() => /^Freestyle/.test(document.querySelector("#rules").textContent));
  await page.keyboard.press("End");
  await stone(page, "i9");
});

boardTest("undo takes a resignation back first, and then moves", async (page) => {
  await newGame(page, { players: "black", time: "move", move: "1.5" });
  await play(page, "h8");
  await count(page, 2);
  await resign(page);
  assert.match(await page.locator("#undo").getAttribute("title"), /the end of the game/);
  await page.click("#undo");
  await page.waitForFunction(() => /to move/.test(document.querySelector("#state").textContent));
  assert.equal(await stones(page), 2);
  assert.equal(await page.locator("#summary").isHidden(), true);
  const free = (await page.locator('#board .stone[data-at="j9"]').count()) ? "k11" : "j9";
  await play(page, free);
  await count(page, 4);
  await page.click("#undo");
  await count(page, 2);
});

boardTest(
  "whoever looks back sees the end of the game before undo takes a move from it, and gets hints for what is shown",
  async (page) => {
    await newGame(page, { players: "two" });
    await play(page, "h8", "i9", "g7", "c3");
    await page.keyboard.press("Home");
    await count(page, 0);
    assert.match(await page.locator("#undo").getAttribute("title"), /end of the game first/);
    await page.click("#undo");
    await count(page, 4);
    assert.equal(await page.locator("#undo").getAttribute("title"), "");
    await page.click("#undo");
    await count(page, 3);
    // The same with Redo.
    await page.keyboard.press("Home");
    await page.keyboard.press("r");
    await count(page, 3);
    await page.keyboard.press("r");
    await count(page, 4);
    // A hint is for the position that is shown, and goes with it.
    await page.keyboard.press("ArrowLeft");
    await count(page, 3);
    await page.click("#hint");
    await page.waitForSelector("#board .hint-move");
    assert.equal(await stones(page), 3);
    await page.keyboard.press("End");
    await page.waitForSelector("#board .hint-move", { state: "detached" });
  },
);

boardTest("the title of the page tells whose turn it is, and how the game ended", async (page) => {
  const title = (wanted) => page.waitForFunction((wanted) => document.title === wanted + " – Kagetsu", wanted);
  await newGame(page, { players: "black", time: "move", move: "1" });
  await title("Your move");
  await play(page, "h8");
  await title("White to move");
  await title("Your move");
  await resign(page);
  await title("White wins");
  await newGame(page, { players: "two" });
  await title("Black to move");
  await page.click("#show-settings");
  await page.selectOption("#set-language", "cs");
  await title("Černý je na tahu");
});

boardTest("a game that is over is summed up, and can be played again, analysed and saved", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo" });
  assert.equal(await page.locator("#summary").isHidden(), true);
  await play(page, "h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1", "l8");
  await page.waitForSelector("#summary:not([hidden])");
  assert.equal(await state(page), "Ada wins with five in a row.");
  assert.match(await page.locator("#summary-text").textContent(), /^9 moves, \d+ s$/);
  // The length is that of the game, however long it is looked at.
  const text = await page.locator("#summary-text").textContent();
  await page.waitForTimeout(1500);
  await page.reload();
  await ready(page);
  await page.waitForFunction((text) => document.querySelector("#summary-text").textContent === text, text);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click("#summary-save").then(() => page.click("#save-dialog button[value=save]")),
  ]);
  assert.match(download.suggestedFilename(), /^kagetsu-\d{4}-\d\d-\d\d-Ada-Bo\.sgf$/);
  await page.click("#summary-analyse");
  await page.waitForFunction(() => document.querySelector("#summary-analyse").textContent === "Cancel");
  await page.waitForFunction(
    () =>
      document.querySelector("#summary-analyse").textContent === "Analyse the whole game" &&
      document.querySelector("#graph-card").checkVisibility(),
    null,
    { timeout: 120000 },
  );
  await page.click("#rematch");
  await count(page, 0);
});

boardTest("a result that is taken back says nothing about how well one plays", async (page) => {
  await newGame(page, { players: "black", strength: "adaptive" });
  await play(page, "h8");
  const games = (count) =>
    page.waitForFunction(
      (count) =>
        Object.values(JSON.parse(localStorage["kagetsu.settings"] || "{}").games || {}).flat().length === count,
      count,
    );
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  await games(1);
  await page.click("#undo");
  await games(0);
  // It goes on as a game with help.
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  await page.waitForSelector("#summary:not([hidden])");
  await games(0);
});
