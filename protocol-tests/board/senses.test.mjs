// What is seen, heard and reached: the same on the board whether somebody looks at it, has it read out, or has neither a
// mouse nor the colours of the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  cell,
  message,
  newGame,
  openText,
  play,
  ready,
  serve,
  stone,
  stones,
  suite,
  VARIATIONS,
  visit,
} from "./page.mjs";

const { boardTest, browser } = suite();

const label = (page, point) => cell(page, point).getAttribute("aria-label");
const state = (page) => page.locator("#state").textContent();
const focused = (page) => page.evaluate(() => document.activeElement.id);
const heard = (page, text) =>
  page.waitForFunction((text) => document.querySelector("#live").textContent === text, text);

boardTest("a hint is told in words, where it is read out, and at its point", async (page) => {
  await newGame(page, { players: "black" });
  await page.click("#hint");
  await page.waitForFunction(() => /^Hint: [a-o]\d+\.$/.test(document.querySelector("#state").textContent));
  const [, point] = /^Hint: (\w+)\.$/.exec(await state(page));
  assert.equal(await page.locator("#state").getAttribute("role"), "status");
  assert.equal(await label(page, point), point + ", empty, Hint");
  await play(page, point === "h8" ? "i9" : "h8");
  assert.doesNotMatch(await state(page), /Hint/);
});

boardTest("marks, offers, lines and threats are told at their points", async (page) => {
  await openText(page, "(;GM[4]SZ[15]RU[freestyle];B[hh];W[aa];B[ih];W[ca];B[jh]LB[ca:X]TR[bb])");
  assert.equal(await label(page, "c15"), "c15, White, move 4, Letter X");
  assert.equal(await label(page, "b14"), "b14, empty, Triangle");
  await page.check("#layer-threats");
  await page.waitForFunction(() => document.querySelector('[data-point="k8"]').title === "Black: open four");
  await page.uncheck("#layer-threats");
  await page.waitForFunction(() => !document.querySelector('[data-point="k8"]').title);
  await page.click("#analyse");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".cell")].some((cell) =>
      /, empty, line 1: \d+%$/.test(cell.getAttribute("aria-label")),
    ),
  );
  await page.click("#analyse");
  assert.equal(await page.locator("#proof-state").getAttribute("role"), "status");
  await newGame(page, { players: "two", rule: "renju", opening: "soosorv8" });
  await play(page, "h8", "i9", "j9");
  await page.click('[data-choice="stay"]');
  await play(page, "g7");
  await page.click('[data-choice="fifths-2"]');
  await page.click('[data-choice="stay"]');
  await cell(page, "k10").click();
  await page.waitForFunction(
    () => document.querySelector('[data-point="k10"]').getAttribute("aria-label") === "k10, empty, offered fifth move",
  );
});

// The contrast of two colours as WCAG has it.
function ratio(one, other) {
  const light = (text) =>
    text
      .match(/[\d.]+/g)
      .slice(0, 3)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n], 0);
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

boardTest("the ring of the last move is bright on black stones, whatever their board", async (page) => {
  const stroke = (selector) => page.locator(selector).evaluate((node) => getComputedStyle(node).stroke);
  await newGame(page, { players: "two" });
  for (const theme of ["light", "dark"]) {
    for (const palette of ["wood", "plain", "clear"]) {
      await page.evaluate(
        ([theme, palette]) => Object.assign(document.documentElement.dataset, { theme, palette }),
        [theme, palette],
      );
      await page.keyboard.press("Home");
      await play(page, "h8");
      // The middle of a black stone, at its lightest where the ring lies.
      assert.ok(ratio(await stroke("#board .last"), "rgb(90, 94, 100)") >= 3, theme + " " + palette);
      if (theme === "dark" && palette === "plain")
        assert.ok(ratio(await stroke("#board .stone.black"), "rgb(42, 45, 51)") >= 3);
      await page.keyboard.press("u");
      await page.waitForSelector("#board .stone", { state: "detached" });
    }
  }
  await play(page, "h8", "i9");
  assert.equal(await page.locator("#board .last.on-black").count(), 0);
});

boardTest("a mark on a stone stands there in place of its number, and is seen on either colour", async (page) => {
  await page.evaluate(() => localStorage.setItem("kagetsu.settings", JSON.stringify({ numbers: "all" })));
  await page.reload();
  await ready(page);
  await openText(page, "(;GM[4]SZ[15];B[hh];W[ff];B[gg];W[ig];B[jg]LB[ff:12][ig:C][gg:A]TR[jg])");
  assert.deepEqual(await page.locator("#board .stone-number").allTextContents(), ["1"]);
  assert.deepEqual(await page.locator("#board .mark-text").allTextContents(), ["12", "C", "A"]);
  const colors = (selector, name) =>
    page.locator(selector).evaluateAll((nodes, name) => nodes.map((node) => getComputedStyle(node)[name]), name);
  // The darkest part of a white stone, and the lightest of a black one.
  const stones = { white: "rgb(207, 210, 214)", black: "rgb(107, 111, 118)" };
  for (const theme of ["light", "dark"]) {
    for (const palette of ["wood", "plain", "clear"]) {
      await page.evaluate(
        ([theme, palette]) => Object.assign(document.documentElement.dataset, { theme, palette }),
        [theme, palette],
      );
      const [twelve, c, a] = await colors("#board .mark-text", "fill");
      const [triangle] = await colors("#board .mark", "stroke");
      for (const [mark, stone] of [
        [twelve, "white"],
        [c, "white"],
        [a, "black"],
        [triangle, "black"],
      ])
        assert.ok(ratio(mark, stones[stone]) >= 3, [theme, palette, mark, stone].join(" "));
    }
  }
  // The ring of the last move leaves its mark free, whether stones show their numbers or not.
  const rings = await page.evaluate(async () => {
    const { boardPicture } = await import("./files.js");
    const at = [7, 7];
    const options = { width: 15, height: 15, stones: [{ at, color: "white", number: 2 }], last: at, numbers: true };
    const marks = [{ at, kind: "label", text: "A" }];
    const pictures = [options, { ...options, marks }, { ...options, marks, numbers: false }].map(boardPicture);
    return pictures.map((text) => [/class="last" [^>]*r="([\d.]+)"/.exec(text)[1], /stone-number white/.test(text)]);
  });
  assert.deepEqual(rings, [
    ["13.8", true],
    ["13.8", false],
    ["13.8", false],
  ]);
});

boardTest(
  "with the system's colours stones, the side to move and what is chosen are seen",
  async (page) => {
    await newGame(page, { players: "two" });
    await play(page, "h8", "i9");
    await page.click("#mark-circle");
    const image = (selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((node) => getComputedStyle(node).backgroundImage);
    for (const color of ["black", "white"])
      assert.match(await image("#player-" + color + " .stone-mark"), /gradient/, color);
    const look = (selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((node) => {
          const { backgroundColor, outlineStyle } = getComputedStyle(node);
          return backgroundColor + " " + outlineStyle;
        });
    assert.notEqual(await look(".player.to-move"), await look(".player:not(.to-move)"));
    assert.notEqual(await look('#marks [aria-pressed="true"]'), await look('#marks [aria-pressed="false"]'));
    assert.notEqual(await look("#moves .move[aria-current]"), await look("#moves .move:not([aria-current])"));
  },
  { forcedColors: "active" },
);

boardTest("while clicks set marks no stone is proposed, and the button or Escape ends it", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await page.click("#mark-triangle");
  assert.equal(await state(page), "Clicks set marks (Triangle) until “Triangle” is pressed again.");
  assert.equal(await page.locator("#grid").getAttribute("data-next"), "");
  await cell(page, "i9").click();
  await page.waitForSelector("#board .mark");
  await heard(page, "i9, empty, Triangle");
  await cell(page, "i9").click();
  await heard(page, "i9, empty");
  await cell(page, "h8").click();
  await heard(page, "h8, Black, move 1, Triangle");
  await page.click("#mark-triangle");
  assert.match(await state(page), /White to move/);
  await page.click("#mark-triangle");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator('#marks [aria-pressed="true"]').count(), 0);
  assert.match(await state(page), /White to move/);
  assert.equal(await page.locator("#grid").getAttribute("data-next"), "white");
  await play(page, "i9");
  assert.equal(await page.locator("#board .mark").count(), 0);
});

test("how to stop setting marks is told without a key, which phones do not have", () => {
  for (const code of ["en", "zh", "ja", "ru", "cs"]) {
    const { marking } = JSON.parse(readFileSync(new URL("../../src/gui/page/lang/" + code + ".json", import.meta.url)));
    assert.doesNotMatch(marking, /Esc/);
    assert.equal(marking.split("{mark}").length, 3, code);
  }
});

boardTest("a dead point is no place for a stone, for the ear and for the eye", async (page) => {
  await openText(page, ". . . . .\n. # . . .\n. . . . .\n. . . . .\n. . . X .");
  assert.equal(await label(page, "b4"), "b4, dead point");
  assert.equal(await label(page, "c4"), "c4, empty");
  const isFree = (point) => cell(page, point).evaluate((node) => node.classList.contains("free"));
  assert.deepEqual([await isFree("b4"), await isFree("c4")], [false, true]);
});

boardTest("how a game has ended is told, whatever clicks did before", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await page.click("#mark-circle");
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  await page.waitForSelector("#summary:not([hidden])");
  assert.match(await state(page), /resigns?|wins/);
  assert.equal(await page.locator("#mark-circle").getAttribute("aria-pressed"), "false");
});

boardTest("who resigns is asked by name, and the focus goes on to the rematch", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await page.focus("#resign");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#dialog-title").textContent(), "Does White resign this game?");
  await page.focus("#confirm button[value=yes]");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /White resigned/.test(document.querySelector("#state").textContent));
  assert.equal(await focused(page), "rematch");
  await page.keyboard.press("Enter");
  await play(page, "h8");
  await page.focus("#offer-draw");
  await page.keyboard.press("Enter");
  await page.focus("#confirm button[value=yes]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#summary:not([hidden])");
  assert.equal(await focused(page), "rematch");
});

boardTest("the focus goes on where a button is gone or disabled by what it does", async (page) => {
  const at = () =>
    page.evaluate(
      () => document.activeElement.dataset.choice || document.activeElement.dataset.point || document.activeElement.id,
    );
  // The page gives up the focus of a button that is disabled only when it draws.
  const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
  const press = async (selector) => {
    await page.focus(selector);
    await page.keyboard.press("Enter");
    await drawn();
    return at();
  };
  await newGame(page, { players: "two", rule: "renju", opening: "taraguchi10" });
  await play(page, "h8");
  assert.equal(await press('#prompt [data-choice="stay"]'), "h8");
  await play(page, "h9");
  await press('#prompt [data-choice="stay"]');
  await play(page, "h10");
  await press('#prompt [data-choice="stay"]');
  await play(page, "g7");
  assert.equal(await press('#prompt [data-choice="stay"]'), "one-fifth");
  await newGame(page, { players: "two", opening: "free" });
  await play(page, "h8", "i9");
  assert.equal(await press("#first"), "next");
  assert.equal(await press("#last"), "previous");
  await press("#previous");
  assert.equal(await press("#previous"), "next");
  await press("#next");
  assert.equal(await press("#next"), "previous");
  await press("#undo");
  assert.equal(await press("#undo"), "redo");
  await press("#redo");
  assert.equal(await press("#redo"), "undo");
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  await page.waitForSelector("#summary:not([hidden])");
  await press("#rematch");
  assert.equal(await page.evaluate(() => document.activeElement.closest("#grid") !== null), true);
  // What changes the tree of moves leads to that.
  await openText(page, VARIATIONS);
  await page.locator(".variation button").first().click();
  assert.equal(await press("#promote"), "moves");
  await openText(page, "h8");
  assert.equal(await press("#remove-move"), "moves");
  await newGame(page, { players: "black", opening: "free", time: "move", move: "60" });
  await play(page, "h8");
  await page.waitForSelector("#move-now:enabled");
  await press("#move-now");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await drawn();
  assert.equal(await at(), "h8");
});

boardTest(
  "the button that plays where a finger has aimed leads to that point",
  async (page) => {
    await newGame(page, { players: "two" });
    await cell(page, "c3").tap();
    await page.focus("#place");
    await page.keyboard.press("Enter");
    await stone(page, "c3");
    await page.waitForFunction(() => document.activeElement.dataset.point === "c3");
  },
  { hasTouch: true },
);

boardTest("Enter plays at the point that has the focus, whoever has put it there", async (page) => {
  await newGame(page, { players: "two" });
  // As a screen reader does.
  await page.evaluate(() => document.querySelector('[data-point="c3"]').focus());
  await page.keyboard.press("Enter");
  await stone(page, "c3");
  assert.equal(await stones(page), 1);
  assert.deepEqual(
    await page.locator('.cell[tabindex="0"]').evaluateAll((cells) => cells.map((cell) => cell.dataset.point)),
    ["c3"],
  );
  await page.evaluate(() => document.querySelector('[data-point="k10"]').focus());
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.point), "l10");
});

boardTest("what is said stays as it is while news stream in, so that it is said once", async (page) => {
  await openText(page, "h8 a1 i8 c1 j8 e1");
  await page.click("#solve-vcf");
  await page.waitForFunction(() => /wins by force/.test(document.querySelector("#proof-state").textContent), null, {
    timeout: 60000,
  });
  await page.evaluate(() => {
    // What was said before goes by itself some time.
    for (const message of document.querySelectorAll(".message")) message.remove();
    const regions = [...document.querySelectorAll('[role="status"], [aria-live], output')];
    window.said = [];
    window.regions = regions.length;
    for (const node of regions)
      new MutationObserver((changes) => window.said.push(node.id, ...changes.map(({ type }) => type))).observe(node, {
        childList: true,
        characterData: true,
        subtree: true,
      });
  });
  // With a proof on the page the lines of the live analysis come in as before.
  await page.click("#analyse");
  await page.waitForFunction(() => /Depth ([4-9]|\d\d)/.test(document.querySelector("#analysis-state").textContent));
  // All of the page is drawn anew.
  await page.check("#layer-threats");
  assert.deepEqual(await page.evaluate(() => [window.said, window.regions >= 7]), [[], true]);
  // The number of a move is read out with the move.
  assert.equal(await page.getAttribute("#ply", "aria-live"), "off");
});

boardTest("a proof is followed by ear and by keys", async (page) => {
  await openText(page, "h8 a1 i8 c1 j8 e1");
  await page.focus("#solve-vcf");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^Black [gk]8, move 1$/.test(document.querySelector("#live").textContent));
  const first = await page.locator("#live").textContent();
  const [point] = /[gk]8/.exec(first);
  assert.equal(await label(page, point), point + ", Black, move 1 of the proof");
  // Along the longest defence, step by step, and back again.
  await page.focus("#proof-on");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() =>
    /^White \w+, move 2\. Black \w+, move 3$/.test(document.querySelector("#live").textContent),
  );
  assert.equal(await focused(page), "proof-back");
  await page.keyboard.press("Enter");
  await heard(page, first);
  assert.equal(await focused(page), "proof-on");
  // A reply on the board.
  await cell(page, "a15").click();
  await page.waitForFunction(() =>
    /^White a15, move 2\. Black \w+, move 3$/.test(document.querySelector("#live").textContent),
  );
  assert.equal(await label(page, "a15"), "a15, White, move 2 of the proof");
  await page.focus("#proof-close");
  await page.keyboard.press("Enter");
  assert.equal(await focused(page), "solve-vcf");
  assert.equal(await label(page, point), point + ", empty");
  await page.click("#analyse-game");
  await page.waitForFunction(
    () => document.querySelector("#live").textContent === "The whole game has been analysed.",
    null,
    { timeout: 60000 },
  );
});

boardTest("what cannot be done is said once", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await cell(page, "h8").click();
  await message(page, "h8: taken");
  assert.equal(await page.locator("#live").textContent(), "Black h8, move 1");
});

boardTest("the best line is told when the analysis is stopped", async (page) => {
  await openText(page, "h8 i9 j8 h10");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 3);
  await page.click("#analyse");
  assert.match(await page.locator("#live").textContent(), /^line 1: \d+%: [a-o]\d+( [a-o]\d+)*$/);
});

boardTest("each language is named in its own", async (page) => {
  await page.click("#show-settings");
  assert.deepEqual(
    await page.locator("#set-language option").evaluateAll((options) => options.map(({ lang }) => lang)),
    ["en", "zh", "ja", "ru", "cs"],
  );
});

boardTest("keys with letters can be switched off", async (page) => {
  await newGame(page, { players: "two" });
  await page.click("#show-settings");
  await page.uncheck("#set-letters");
  await page.click("#settings-dialog button[value=close]");
  await play(page, "h8", "i9");
  for (const key of ["u", "n", "?", "s"]) await page.keyboard.press(key);
  assert.equal(await page.locator("dialog").count(), 0);
  assert.equal(await stones(page), 2);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator("#ply").textContent(), "1 / 2");
  await page.click("#show-help");
  assert.deepEqual(await page.locator("#help-dialog kbd").allTextContents(), ["← →", "Home End", "Esc"]);
  await page.click("#help-dialog button[value=close]");
  await page.click("#mark-circle");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator('#marks [aria-pressed="true"]').count(), 0);
});

boardTest("a letter that was taken away is the next one that is set", async (page) => {
  await page.click("#mark-label");
  for (const point of ["a1", "b2", "c3", "b2", "d4", "e5"]) await cell(page, point).click();
  assert.deepEqual((await page.locator("#board .mark-text").allTextContents()).sort(), ["A", "B", "C", "D"]);
});

boardTest("words of warning are read on every board", async (page) => {
  await page.evaluate(() => document.body.append(Object.assign(document.createElement("p"), { id: "sample" })));
  for (const theme of ["light", "dark"]) {
    for (const palette of ["wood", "plain", "clear"]) {
      const [text, ...grounds] = await page.evaluate(
        ([theme, palette]) => {
          Object.assign(document.documentElement.dataset, { theme, palette });
          const node = document.querySelector("#sample");
          return ["--bad-text", "--page", "--card"].map((name) => {
            node.style.color = "var(" + name + ")";
            return getComputedStyle(node).color;
          });
        },
        [theme, palette],
      );
      for (const ground of grounds) assert.ok(ratio(text, ground) >= 4.5, [theme, palette, text, ground].join(" "));
    }
  }
  // And they have that colour.
  await newGame(page, { players: "two", time: "game", base: "0.1" });
  await play(page, "h8");
  await page.evaluate(() => {
    document.querySelector("#sample").style.color = "var(--bad-text)";
  });
  const color = (selector) =>
    page
      .locator(selector)
      .first()
      .evaluate((node) => getComputedStyle(node).color);
  assert.equal(await color(".player.short .clock"), await color("#sample"));
  await page.click("#open-game");
  assert.equal(await color("#open-problem"), await color("#sample"));
});

boardTest("arrows move over a small board, where the focus stays through the game", async (page) => {
  await page.click("#small-games");
  await page.waitForSelector(".small-cell:not([aria-disabled])");
  await page.focus('.small-cell[tabindex="0"]');
  const at = () => page.evaluate(() => document.activeElement.dataset.cell);
  for (const key of ["ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await at(), "1,1");
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    () =>
      document.querySelectorAll(".small-board .stone").length === 2 &&
      document.querySelector(".small-cell:not([aria-disabled])"),
  );
  assert.equal(await at(), "1,1");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^b2, Black$/);
  for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  assert.equal(await at(), "2,1");
});

boardTest("Enter in a field of a small game takes its value, and the perfect player's move is heard", async (page) => {
  await page.click("#small-games");
  await page.waitForSelector(".small-cell:not([aria-disabled])");
  await page.fill("#small-width", "5");
  await page.press("#small-width", "Enter");
  await page.waitForSelector('.small-cell[data-cell="4,2"]:not([aria-disabled])');
  assert.equal(await focused(page), "small-width");
  await page.click('.small-cell[data-cell="2,1"]');
  // It is told in the window: what lies behind that is not read out.
  await page.waitForFunction(() =>
    /^White [a-e][1-3], move 2$/.test(document.querySelector("#small-dialog [aria-live]").textContent),
  );
  await page.waitForSelector(".small-cell:not([aria-disabled])");
  assert.equal(await page.locator(".small-board .stone").count(), 2);
  await page.click("#small-again");
  await page.waitForFunction(() => document.querySelector("#small-dialog [aria-live]").textContent === "");
  await page.focus("#small-values");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#small-dialog").count(), 1);
});

boardTest("the list of moves is one landmark, and its moves can be hit", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  assert.equal(await page.getByRole("region", { name: "Moves" }).count(), 1);
  for (const move of await page.locator("#moves .move").all()) assert.ok((await move.boundingBox()).height >= 24);
});

boardTest("a game that its rule has ended is not played on, and an empty one says so", async (page) => {
  await openText(page, "(;GM[4]SZ[15]RU[freestyle];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])");
  await page.waitForFunction(() => document.querySelector("#mode").disabled);
  assert.equal(await page.getAttribute("#mode", "title"), "the game is over");
  await page.click("#new-game");
  assert.equal(await page.locator("#new-from").count(), 0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => !document.querySelector("#mode").disabled);
  await openText(page, "(;gm[4]sz[15];b[hh];w[ii])");
  await message(page, "There are no moves in it.");
});

boardTest("the way back to the game before is offered until the first stone", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await newGame(page, { players: "two" });
  await message(page, "A new game has begun.");
  await play(page, "i9");
  assert.equal(await page.locator(".message").count(), 0);
});

test("when the program dies in mid-search nobody is said to think", { timeout: 60000 }, async () => {
  const board = await serve();
  const { page, finish } = await visit(browser(), board.address);
  await newGame(page, { players: "black", time: "move", move: "60" });
  await play(page, "h8");
  await page.waitForSelector("#move-now:enabled");
  await board.kill();
  await page.waitForSelector("#lost:not([hidden])");
  await page.waitForSelector("#move-now:disabled");
  assert.doesNotMatch(await page.locator("#player-white").textContent(), /thinking/);
  await finish();
});

boardTest("how long something took is told in the units of the language", async (page) => {
  await page.evaluate(() =>
    localStorage.setItem(
      "kagetsu.settings",
      JSON.stringify({ ...JSON.parse(localStorage.getItem("kagetsu.settings") || "{}"), language: "ru" }),
    ),
  );
  await page.reload();
  await ready(page);
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  await page.waitForFunction(() => / с$/.test(document.querySelector("#summary-text").textContent));
  await page.click("#mode");
  await page.click("#analyse");
  await page.waitForFunction(() =>
    /узлов: \d.*\/с, \d+,\d+ м?с$/.test(document.querySelector("#analysis-state").textContent),
  );
  assert.match(await page.locator("#lines .share").first().textContent(), /^\d+\u00a0%$/);
  // As the language counts, and one node is one.
  const figures = await page.evaluate(async () => {
    const { nodeText, timeText } = await import("./figures.js");
    return [nodeText(1), nodeText(12345), timeText(1300)];
  });
  assert.deepEqual(figures, ["1 узел", "узлов: 12,3 k", "1,30 с"]);
});

boardTest("the list of moves is one stop of the tab key, and arrows go through it", async (page) => {
  await openText(page, "(;GM[4]SZ[15];B[hh];W[hi](;B[ii];W[jj])(;B[gg]))");
  const stops = () => page.locator('#moves button:not([tabindex="-1"])').allTextContents();
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
  assert.match((await stops()).join(), /^4 \D*j6$/);
  await page.focus('#moves button[tabindex="0"]');
  // The variation stands between the two moves of the main line.
  const seen = [];
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown"]) {
    await page.keyboard.press(key);
    seen.push((await focused()).split(/\s+/).at(-1));
  }
  assert.deepEqual(seen, ["g9", "i7", "h7", "h8", "Start", "h8"]);
  await page.keyboard.press("Enter");
  assert.equal(await stones(page), 1);
  assert.equal((await stops()).length, 1);
});
