// How the page behaves towards everybody: keyboard, touch, languages, screen readers, and an engine that comes and goes.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  cell,
  delayEngine,
  message,
  newGame,
  openText,
  openWindow,
  play,
  ready,
  seriousFindings,
  serve,
  stone,
  stones,
  suite,
  VARIATIONS,
  visit,
  written,
} from "./page.mjs";

const { boardTest, browser } = suite();

test("the engine is killed and taken up again in mid-game", { timeout: 180000 }, async () => {
  const first = await serve();
  const { page, finish } = await visit(browser(), first.address);
  // The person has as long for a move as the engine, and must not lose on time before the program is gone.
  await newGame(page, { players: "black", time: "move", move: "3" });
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  const place = () =>
    page.evaluate(() => {
      const { x, y } = document.querySelector("#board").getBoundingClientRect();
      return [x, y];
    });
  const before = await place();
  await first.kill();
  await page.waitForSelector("#lost:not([hidden])");
  // Nothing has moved, and nothing that can be pressed lies under the notice.
  assert.deepEqual(await place(), before);
  await page.click("#show-help", { trial: true });
  await page.click("#undo", { trial: true });
  // Who plays, and what the clocks show, is still to be seen, and so is all that can be pressed.
  const hidden = () =>
    page.evaluate(() => {
      const isSeen = (node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return [top + 2, bottom - 2].every((y) =>
          document
            .elementFromPoint((left + right) / 2, y)
            ?.closest("button, .player")
            ?.contains(node),
        );
      };
      const nodes = document.querySelectorAll(".player strong, .player .clock, #controls button, #actions button");
      return [...nodes].filter((node) => node.checkVisibility() && !isSeen(node)).map(({ textContent: text }) => text);
    });
  // What it lies over does not stick out.
  const isCovered = () =>
    page.evaluate(() => {
      const [over, under] = ["#lost", "#rules"].map((id) => document.querySelector(id).getBoundingClientRect());
      return over.top <= under.top && over.bottom >= under.bottom;
    });
  assert.deepEqual([await hidden(), await isCovered()], [[], true]);
  const size = page.viewportSize();
  for (const [width, height] of [
    [1600, 900],
    [390, 844],
  ]) {
    await page.setViewportSize({ width, height });
    assert.deepEqual([await hidden(), await isCovered()], [[], true]);
  }
  await page.setViewportSize(size);
  await page.click("#mode");
  await page.waitForFunction(
    () => document.querySelector("#analysis-state").textContent === "Waiting for the engine …",
  );
  for (const id of ["#analyse", "#analyse-game", "#solve-vcf", "#balance-one"])
    assert.equal(await page.isDisabled(id), true, id);
  await page.click("#mode");
  const second = await serve("--port", first.port);
  await page.waitForSelector("#lost", { state: "hidden", timeout: 15000 });
  assert.equal(await stones(page), 2);
  const free = (await page.locator('#board .stone[data-at="j9"]').count()) ? "k11" : "j9";
  await cell(page, free).click();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 4, null, { timeout: 15000 });
  await finish();
  await second.kill();
});

test("a program that was started anew tells a page from before to take the new link", { timeout: 60000 }, async () => {
  const first = await serve("--listen", "127.0.0.1");
  const { page, context } = await visit(browser(), first.address);
  const told = (text) =>
    page.waitForFunction((text) => document.querySelector("#lost").textContent.includes(text), text, {
      timeout: 15000,
    });
  await first.kill();
  await told("again and again");
  const second = await serve("--listen", "127.0.0.1", "--port", first.port);
  await told("new link");
  await context.close();
  await second.kill();
});

boardTest(
  "words about moves and decisions lie on no buttons on a phone, nor on what an opening asks for",
  async (page) => {
    const covered = () =>
      page.evaluate(() => {
        const lower = [...document.querySelectorAll("#prompt-text, .board-side button, #board")];
        const notes = [...document.querySelectorAll(".message")].map((note) => note.getBoundingClientRect());
        const isMet = (node) => {
          const box = node.getBoundingClientRect();
          return notes.some(
            ({ left, right, top, bottom }) =>
              left < box.right && right > box.left && top < box.bottom && bottom > box.top,
          );
        };
        return lower
          .filter((node) => node.checkVisibility() && !node.closest(".message") && isMet(node))
          .map(({ id }) => id);
      });
    await openText(page, "(;GM[4]SZ[15]RU[renju];B[gh];W[ao];B[hh];W[am];B[ij];W[ak];B[ik];W[ai])");
    await page.click(".close-message");
    await cell(page, "i8").click();
    await message(page, "forbidden to Black");
    assert.deepEqual(await covered(), []);
    await newGame(page, { players: "black", rule: "renju", opening: "taraguchi10", strength: "1", time: "game" });
    await page.click(".close-message");
    await cell(page, "h8").click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".message")].some((node) => /^Kagetsu: /.test(node.textContent)),
    );
    assert.equal(await page.isVisible("#prompt-text"), true);
    assert.deepEqual(await covered(), []);
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);

boardTest("everything can be done with the keyboard alone", async (page) => {
  await page.keyboard.press("n");
  await page.selectOption("#new-players", "two");
  await page.focus("#new-game-dialog button[value=start]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#new-game-dialog", { state: "detached" });
  await page.keyboard.press("b");
  await page.keyboard.press("Enter");
  await stone(page, "h8");
  for (const key of ["ArrowRight", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await stone(page, "i9");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "i9, White, move 2");
  await page.waitForFunction(() => document.querySelector("#live").textContent === "White i9, move 2");
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 1);
});

boardTest("after a click on the board the arrows step through the game, until keys go to the board", async (page) => {
  await newGame(page, { players: "two" });
  await page.focus("#comment");
  await play(page, "h8", "i9");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 1);
  await page.keyboard.press("ArrowRight");
  await stone(page, "i9");
  // From where the last click was; whoever is there by keys stays with the next one.
  const at = () => page.evaluate(() => document.activeElement.dataset.point);
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowRight");
  assert.equal(await at(), "j9");
  await play(page, "g7");
  await page.keyboard.press("ArrowDown");
  assert.equal(await at(), "g6");
  assert.equal(await stones(page), 3);
});

boardTest(
  "a comment stays with its move and keeps the keys while Kagetsu moves, and when the game ends",
  async (page) => {
    await newGame(page, { players: "black", time: "move", move: "2" });
    await play(page, "h8");
    await page.click("#comment");
    await page.keyboard.type("one ");
    await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
    await page.keyboard.type("to");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("w");
    // Nobody moves, and time falls. What was no help to whom plays comes to stand before the moves.
    await page.waitForSelector("#summary:not([hidden])");
    assert.equal(await page.locator(".panel .card").first().getAttribute("id"), "analysis-card");
    await page.keyboard.press("End");
    await page.keyboard.type(" nnn");
    assert.equal(await page.inputValue("#comment"), "one two nnn");
    assert.equal(await page.locator("dialog").count(), 0);
    await page.keyboard.press("Tab");
    assert.equal(await page.inputValue("#comment"), "");
    assert.match(await written(page, "sgf"), /;B\[hh\]C\[one two nnn\]\n;W\[..\]\)/);
    // Whoever steps away with the field still in use goes on typing about what is shown then.
    await page.click("#first");
    await page.focus("#comment");
    await page.keyboard.type("root");
    await page.evaluate(() => document.querySelector("#next").click());
    assert.equal(await page.inputValue("#comment"), "one two nnn");
    await page.keyboard.press("End");
    await page.keyboard.type("!");
    assert.match(await written(page, "sgf"), /C\[root\]WR\[full strength\]\n;B\[hh\]C\[one two nnn!\]/);
  },
);

boardTest("all of a point can be hit, and a double click is one", async (page) => {
  await page.click("#new-game");
  await page.selectOption("#new-players", "two");
  const start = await page.locator("#new-game-dialog button[value=start]").boundingBox();
  const [x, y] = [start.x + start.width / 2, start.y + start.height / 2];
  await page.mouse.dblclick(x, y, { delay: 20 });
  await page.waitForSelector("#new-game-dialog", { state: "detached" });
  // The button lay over the board.
  assert.equal(
    await page.evaluate(([x, y]) => Boolean(document.elementFromPoint(x, y).closest("#grid")), [x, y]),
    true,
  );
  await page.waitForTimeout(300);
  assert.equal(await stones(page), 0);
  const { width, height } = await cell(page, "h8").boundingBox();
  for (const [point, position] of [
    ["h8", { x: 1, y: 1 }],
    ["i9", { x: width - 2, y: 1 }],
    ["j8", { x: 1, y: height - 2 }],
    ["k8", { x: width - 2, y: height - 2 }],
  ]) {
    await cell(page, point).click({ position });
    await stone(page, point);
  }
  await cell(page, "c3").dblclick();
  await stone(page, "c3");
  // As fast on another point, it is meant.
  const { x: left, y: top } = await cell(page, "d4").boundingBox();
  await page.mouse.move(left + 5, top + 5);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await stone(page, "d4");
  assert.deepEqual([await stones(page), await page.locator(".message").count()], [6, 0]);
  // And where it was refused, because it came too early.
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForSelector(".message.refusal");
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 5);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await stone(page, "d4");
});

const count = (page, wanted) =>
  page.waitForFunction((wanted) => document.querySelectorAll("#board .stone").length === wanted, wanted);

boardTest("a double click on a choice of an opening decides once", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo", rule: "renju", opening: "taraguchi10" });
  for (const point of ["h8", "h9", "h10", "i10"]) {
    await play(page, point);
    await page.locator('[data-choice="stay"]').dblclick();
    await page.waitForSelector('[data-choice="stay"]', { state: "detached" });
  }
  await page.waitForSelector('[data-choice="one-fifth"]');
  // Keys may be as quick as they like.
  await page.focus('[data-choice="one-fifth"]');
  await page.keyboard.press("Enter");
  await play(page, "i9");
  await page.waitForSelector('[data-choice="stay"]');
});

boardTest("a double click on a button is one, but where steps are made quickly in a row", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9", "j8", "k9", "g7");
  await page.locator("#undo").dblclick();
  await count(page, 3);
  await page.locator("#redo").dblclick();
  await count(page, 5);
  await page.locator("#previous").dblclick();
  await count(page, 3);
  await page.locator("#next").dblclick();
  await count(page, 5);
  await page.locator("#mode").dblclick();
  await page.waitForSelector("#remove-move:not([hidden])");
  await page.locator("#remove-move").dblclick();
  await count(page, 4);
  await page.locator(".message.info button").first().click();
  await count(page, 5);
  await page.locator("#mode").dblclick();
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  // Whatever moves under the pointer by then is not meant.
  const { x, y, width, height } = await page.locator("#rematch").boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await count(page, 0);
  await play(page, "h8");
  const isAsked = (detail) =>
    page.evaluate((detail) => {
      document.querySelector("#offer-draw").dispatchEvent(new MouseEvent("click", { detail, bubbles: true }));
      return document.querySelector("#confirm") !== null;
    }, detail);
  assert.deepEqual([await isAsked(2), await isAsked(1)], [false, true]);
  await page.locator("#confirm button[value=cancel]").dblclick();
  await page.waitForSelector("#confirm", { state: "detached" });
  assert.equal(await stones(page), 1);
});

const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
const ON_ITS_SIDE = { ...PHONE, viewport: { width: 844, height: 390 } };

boardTest(
  "it works on a phone",
  async (page) => {
    await newGame(page, { players: "two" });
    await cell(page, "h8").tap();
    await cell(page, "h8").tap();
    await stone(page, "h8");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    const box = await page.locator("#board").boundingBox();
    assert.ok(box.width > 360 && box.x >= 0);
    // Named to the left and below: what the other sides had is the board's.
    assert.equal(await page.locator("#board .coordinate").count(), 30);
    await openText(
      page,
      Array.from({ length: 60 }, (_, n) => "abcdefghijklmno"[(n * 2) % 15] + (1 + 3 * Math.floor((n * 2) / 30))).join(
        " ",
      ),
    );
    // Far down the page, what a touch on a move does is still seen.
    const first = page.locator("#moves .move", { hasText: /^1\b/ }).first();
    await page.locator("#marks").scrollIntoViewIfNeeded();
    await first.tap();
    await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 1);
    const [above, below] = await Promise.all(["#board", "#last"].map((id) => page.locator(id).boundingBox()));
    assert.ok(above.y >= 0 && below.y + below.height < 740, JSON.stringify([above, below]));
    assert.ok((await page.evaluate(() => scrollY)) > 100);
  },
  PHONE,
);

boardTest(
  "a first touch aims, another moves the aim, and a second on the same point plays",
  async (page) => {
    await newGame(page, { players: "two" });
    const aimed = () => page.locator("#board .aimed").getAttribute("data-at");
    await cell(page, "h8").tap();
    assert.equal(await aimed(), "h8");
    assert.equal(await page.locator("#board .aim").count(), 1);
    assert.match(await page.locator("#live").textContent(), /^h8: touch it again/);
    await cell(page, "h9").tap();
    assert.equal(await aimed(), "h9");
    assert.equal(await stones(page), 0);
    await cell(page, "h9").tap();
    await stone(page, "h9");
    assert.equal(await page.locator("#board .aimed").count(), 0);
    assert.equal(await page.locator("#place").isHidden(), true);
    // The button plays as well, and does not move the others.
    const before = await page.locator("#last").boundingBox();
    await cell(page, "i9").tap();
    assert.equal(await page.locator("#place").textContent(), "✓ i9");
    assert.deepEqual(await page.locator("#last").boundingBox(), before);
    await page.locator("#place").tap();
    await stone(page, "i9");
    // What cannot be played is said at once, and another position has no aim.
    await cell(page, "i9").tap();
    await message(page, "i9: taken");
    await cell(page, "c3").tap();
    await page.locator("#undo").tap();
    await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 1);
    assert.equal(await page.locator("#place").isHidden(), true);
    // Keys and mice aim well enough, and who wants to touches once.
    await cell(page, "c3").click();
    await stone(page, "c3");
    await page.locator("#more").tap();
    await page.locator("#show-settings").tap();
    await page.locator("#set-confirm").uncheck();
    await page.click("#settings-dialog button[value=close]");
    await cell(page, "d4").tap();
    await stone(page, "d4");
  },
  PHONE,
);

boardTest(
  "the menu of a phone folds, and keys and fingers find what is in it",
  async (page) => {
    const head = await page.locator("header.top").boundingBox();
    assert.ok(head.height < 60, "the header is " + head.height + " px high");
    assert.equal(await page.locator("#show-help").isHidden(), true);
    assert.equal(await page.locator("#more").getAttribute("aria-label"), "More");
    await page.focus("#more");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#show-help", { state: "visible" });
    await page.keyboard.press("Escape");
    await page.waitForSelector("#show-help", { state: "hidden" });
    await page.keyboard.press("Enter");
    await page.focus("#show-help");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#help-dialog");
    // Keys are of no use here, and the tools come first.
    assert.equal(await page.locator("#help-dialog table").isHidden(), true);
    assert.match(await page.locator("#help-dialog dl").textContent(), /VCF/);
    await page.keyboard.press("Enter");
    await page.waitForSelector("#help-dialog", { state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.id), "more");
    // A finger hits what is 40 px high; iOS enlarges the page where letters are smaller than 16 px.
    await openText(page, "h8 i9");
    const low = await page.evaluate(() =>
      [...document.querySelectorAll("button, select, .check-field")]
        .filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 40)
        .map((node) => node.id || node.className),
    );
    assert.deepEqual(low, []);
    assert.deepEqual(
      await page.evaluate(() =>
        [...document.querySelectorAll("select, textarea")]
          .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 16)
          .map(({ id }) => id),
      ),
      [],
    );
    await page.locator("#more").tap();
    await page.locator("#small-games").tap();
    await page.waitForSelector("#small-nodes td");
    assert.ok(
      await page.evaluate(
        () => document.querySelector("#small-nodes").scrollWidth <= document.querySelector("#small-nodes").clientWidth,
      ),
    );
    const gap = await page.evaluate(
      () =>
        document.querySelector("#small-width").closest(".with-unit").getBoundingClientRect().left -
        document.querySelector("#small-width").closest("label").firstChild.getBoundingClientRect().right,
    );
    assert.ok(gap >= 6, "a name stands " + gap + " px from its field");
  },
  PHONE,
);

for (const [what, options, least] of [
  ["a phone on its side", ON_ITS_SIDE, 360],
  ["a low window", { viewport: { width: 1366, height: 650 } }, 560],
  ["a small phone on its side", { ...PHONE, viewport: { width: 667, height: 375 } }, 340],
  ["the smallest phone on its side", { ...PHONE, viewport: { width: 568, height: 320 } }, 300],
  ["a window that was enlarged to twice its size", { viewport: { width: 512, height: 384 } }, 240],
]) {
  boardTest(
    "the board takes the height of " + what + ", and the rest stands beside it",
    async (page) => {
      await openText(page, "h8 i9 j8");
      const [board, players, controls] = await Promise.all(
        ["#board", ".players", "#controls"].map((name) => page.locator(name).boundingBox()),
      );
      const { width, height } = options.viewport;
      assert.ok(board.height >= least && board.y >= 0 && board.y + board.height <= height, JSON.stringify(board));
      for (const part of [players, controls])
        assert.ok(part.x >= board.x + board.width && part.x + part.width <= width, JSON.stringify(part));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      await page.evaluate(() => scrollTo({ top: 9999, behavior: "instant" }));
      assert.ok((await page.locator("#board").boundingBox()).y >= 0);
    },
    options,
  );
}

for (const [width, height, language, choices] of [
  [390, 844, "en", { strength: "18" }],
  [390, 844, "cs", { strength: "8" }],
  [390, 844, "ru", { strength: "16", time: "game" }],
  [390, 844, "zh", { strength: "12", time: "move" }],
  [390, 844, "en", { players: "watch", strength: "18" }],
  [1024, 768, "en", { strength: "18" }],
  [1180, 820, "en", { time: "move" }],
  [1280, 800, "ru", { strength: "16", time: "game" }],
]) {
  const what = [width, height, language, JSON.stringify(choices)].join(" ");
  boardTest(
    "nothing moves while Kagetsu thinks: " + what,
    async (page) => {
      const places = () =>
        page.evaluate(() =>
          ["#player-black", "#player-white", "#player-white strong", "#board", "#controls", "#undo"].map((name) =>
            JSON.stringify(document.querySelector(name).getBoundingClientRect()),
          ),
        );
      await page.evaluate(
        (language) => localStorage.setItem("kagetsu.settings", JSON.stringify({ language })),
        language,
      );
      await delayEngine(page);
      await newGame(page, { players: "black", ...choices });
      const before = await places();
      if (choices.players !== "watch") await cell(page, "h8").click();
      await page.waitForFunction(() => document.querySelector(".thought:not(:empty)"));
      assert.deepEqual(await places(), before);
      await page.waitForFunction(() => document.querySelectorAll("#board .stone").length >= 2);
      assert.deepEqual(await places(), before);
    },
    { viewport: { width, height } },
  );
}

boardTest(
  "the button that plays where one has aimed is seen on every phone on its side",
  async (page) => {
    const check = async (what, point) => {
      await newGame(page, { players: "two", ...what });
      await cell(page, point).tap();
      const { x, y, width, height } = await page.locator("#place").boundingBox();
      const window = page.viewportSize();
      const where = JSON.stringify([window, { x, y, width, height }]);
      assert.ok(x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height, where);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, where);
      await page.locator("#place").tap();
      await stone(page, point);
    };
    for (const [width, height] of [
      [568, 320],
      [512, 384],
      [667, 375],
      [600, 360],
      [640, 360],
      [736, 414],
      [844, 390],
      [320, 640],
    ]) {
      await page.setViewportSize({ width, height });
      await check({ size: "15x15" }, "m14");
    }
    await page.setViewportSize(ON_ITS_SIDE.viewport);
    await check({ size: "other", width: "22", height: "5" }, "m3");
  },
  ON_ITS_SIDE,
);

for (const [width, height] of [
  [375, 740],
  [320, 640],
  [844, 390],
  [568, 320],
]) {
  boardTest(
    "while a position is set up, a word covers none of the tools, " + width + "x" + height,
    async (page) => {
      // What a tap meets at tools and buttons of the menu instead of them, and whether one at the word meets that.
      const met = () =>
        page.evaluate(() => {
          const at = (node) => {
            const { left, right, top, bottom } = node.getBoundingClientRect();
            return document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          };
          const covered = [...document.querySelectorAll("#set-up-tools :is(button, select), #more")].filter((tool) => {
            tool.scrollIntoView({ block: "nearest", behavior: "instant" });
            return !tool.contains(at(tool));
          });
          const word = document.querySelector(".message");
          word.scrollIntoView({ block: "nearest", behavior: "instant" });
          return { covered: covered.map(({ id }) => id), isSolid: word.contains(at(word)) };
        });
      await newGame(page, { players: "two" });
      await cell(page, "h8").tap();
      await page.locator("#place").tap();
      await stone(page, "h8");
      await page.locator("#more").tap();
      await page.locator("#set-up").tap();
      await message(page, "Теперь камни можно менять.");
      assert.deepEqual(await met(), { covered: [], isSolid: true });
      await page.locator("#set-up-clear").tap();
      await message(page, "Доска очищена.");
      assert.deepEqual(await met(), { covered: [], isSolid: true });
      // Beside the board no other word has its place there, and none of these is left.
      await page.locator("#set-up-done").tap();
      assert.equal(await page.locator(".message").count(), 0);
    },
    { ...PHONE, viewport: { width, height }, locale: "ru" },
  );
}

// What is cut off or lies beside the window, as far as it can be measured; lines of play end where there is no more room.
const cut = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button:not(.found-line), p, label, legend, h1, h2, dt, dd, th, td, select, input")]
      .filter(
        (node) =>
          node.checkVisibility({ visibilityProperty: true }) &&
          getComputedStyle(node).clipPath === "none" &&
          node.getBoundingClientRect().width > 1,
      )
      .filter((node) => {
        const { left, right } = node.getBoundingClientRect();
        return (
          left < -0.5 ||
          right > document.documentElement.clientWidth + 0.5 ||
          (getComputedStyle(node).overflowX === "hidden" && node.scrollWidth > node.clientWidth + 1)
        );
      })
      .map((node) => (node.id || node.className || node.tagName) + ": " + node.textContent.slice(0, 40)),
  );

// Windows of desktops that were enlarged to twice their size are half as large to the page.
for (const [what, options, isAbove] of [
  ["a narrow phone", { ...PHONE, viewport: { width: 320, height: 640 } }, true],
  ["a phone", { ...PHONE, viewport: { width: 360, height: 740 } }, true],
  ["a large phone", { ...PHONE, viewport: { width: 390, height: 844 } }, true],
  ["a phone at twice its size", { ...PHONE, viewport: { width: 195, height: 422 } }, true],
  ["the smallest phone on its side", { ...PHONE, viewport: { width: 568, height: 320 } }, false],
  ["a small window at twice its size", { viewport: { width: 512, height: 384 }, deviceScaleFactor: 2 }, false],
  ["a tablet", { ...PHONE, viewport: { width: 768, height: 1024 } }, true],
  ["a desktop", { viewport: { width: 1280, height: 900 } }, false],
  ["a desktop at twice its size", { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }, false],
]) {
  boardTest(
    "nothing is cut off on " + what + ", and the board lies in the middle",
    async (page) => {
      const check = async (moment) => {
        assert.deepEqual(await cut(page), [], moment);
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
          true,
          moment,
        );
        if (!isAbove) return;
        const [left, right] = await page.evaluate(() => {
          const { left, right } = document.querySelector("#board").getBoundingClientRect();
          return [left, document.documentElement.clientWidth - right];
        });
        assert.ok(
          Math.abs(left - right) <= 1,
          moment + ": " + left + " to the left of the board, " + right + " to its right",
        );
      };
      for (const code of ["en", "ru", "cs"]) {
        await page.evaluate(
          (code) => localStorage.setItem("kagetsu.settings", JSON.stringify({ language: code })),
          code,
        );
        await page.reload();
        await ready(page);
        await check(code + " at the start");
      }
      await openText(page, "h8 i9 j8 h10");
      await page.evaluate(() => document.querySelector("#messages").replaceChildren());
      await page.click("#analyse");
      await page.waitForFunction(() => getComputedStyle(document.querySelector("#eval-bar")).visibility === "visible");
      await check("with an analysis");
      await page.click("#analyse");
      for (const dialog of [
        "#new-game",
        "#save-game",
        "#open-game",
        "#former-games",
        "#show-settings",
        "#show-help",
        "#show-puzzles",
        "#small-games",
      ]) {
        await openWindow(page, dialog);
        if (dialog === "#small-games") await page.waitForSelector("#small-nodes td");
        await check(dialog);
        await page.keyboard.press("Escape");
        await page.waitForSelector("dialog", { state: "detached" });
      }
    },
    options,
  );
}

for (const colorScheme of ["light", "dark"]) {
  boardTest(
    "both parts of the evaluation bar are seen, " + colorScheme,
    async (page) => {
      await openText(page, "h8 i9 j8 h10");
      await page.click("#analyse");
      await page.waitForFunction(() => getComputedStyle(document.querySelector("#eval-bar")).visibility === "visible");
      const contrast = await page.evaluate(() => {
        const shine = (color) => {
          const [r, g, b] = color
            .match(/[\d.]+/g)
            .slice(0, 3)
            .map((n) => ((n /= 255) <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        const ratio = (one, other) => Math.max(one, other) / Math.min(one, other);
        const [bar, black, around] = ["#eval-bar", "#eval-black", "body"].map((name) =>
          getComputedStyle(document.querySelector(name)),
        );
        return [
          ratio(shine(bar.borderTopColor), shine(around.backgroundColor)),
          ratio(shine(bar.backgroundColor), shine(black.backgroundColor)),
        ];
      });
      // As much as WCAG wants of what is no text.
      assert.ok(
        contrast.every((value) => value >= 3),
        contrast.join(", "),
      );
    },
    { colorScheme },
  );
}

boardTest("while Kagetsu plays there stands only what is of use, and after the game too", async (page) => {
  await newGame(page, { players: "black", time: "move", move: "3" });
  const texts = await page.locator(".panel").innerText();
  assert.equal(texts.match(/does not help against itself/g).length, 1);
  for (const id of ["analyse", "lines", "solve-vcf", "layer-heat", "analysis-title"])
    assert.equal(await page.locator("#" + id).isHidden(), true, id);
  assert.equal(await page.locator("#layer-threats").isVisible(), true);
  assert.equal(await page.locator(".panel .card").first().getAttribute("id"), "moves-card");
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  await page.waitForSelector("#rematch:not([hidden])");
  for (const id of ["resign", "offer-draw", "swap-sides", "hint"])
    assert.equal(await page.locator("#" + id).isHidden(), true, id);
  assert.equal(await page.locator("#analyse").isVisible(), true);
  assert.equal(await page.locator(".panel .card").first().getAttribute("id"), "analysis-card");
});

boardTest("a stone lies within 50 ms of the click, by the median of ten", async (page) => {
  await newGame(page, { players: "two" });
  const times = await page.evaluate(async () => {
    const times = [];
    for (const point of ["h8", "i9", "j8", "k8", "c3", "d4", "e5", "n2", "b12", "l4"]) {
      const began = performance.now();
      document.querySelector('[data-point="' + point + '"]').click();
      while (!document.querySelector('#board .stone[data-at="' + point + '"]'))
        await new Promise((resolve) => setTimeout(resolve, 1));
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return times.sort((a, b) => a - b);
  });
  console.log("click to stone, median " + times[5].toFixed(1) + " ms, most " + times[9].toFixed(1) + " ms");
  assert.ok(times[5] < 50, "median " + times[5]);
});

boardTest("tic-tac-toe is played perfectly, and its tree is shown", async (page) => {
  await page.click("#small-games");
  await page.check("#small-values");
  await page.click('[data-cell="0,0"]');
  await page.waitForFunction(() => document.querySelectorAll(".small-board .stone").length === 2);
  await page.waitForFunction(() => /draw/.test(document.querySelector("#small-state").textContent));
  await page.locator(".small-cell:not([aria-disabled])").last().click();
  await page.waitForFunction(() => document.querySelectorAll(".small-board .stone").length >= 4);
  await page.waitForSelector("#small-tree svg .cut");
  assert.match(await page.locator("#small-nodes").textContent(), /Minimax/);
  await page.click("#small-dialog button[value=close]");
});

boardTest("small games of other sizes are played, and hasty hands do no harm", async (page) => {
  await page.click("#small-games");
  await page.selectOption("#small-kind", "3");
  await page.waitForSelector(".small-cell:not([aria-disabled])");
  // Twice at once, before anybody can have answered, and a box that asks for values that are not there yet.
  await page.evaluate(() => {
    const [first] = document.querySelectorAll(".small-cell:not([aria-disabled])");
    first.click();
    first.click();
    document.querySelector("#small-values").click();
  });
  await page.waitForFunction(
    () =>
      document.querySelectorAll(".small-board .stone").length === 2 &&
      document.querySelector(".small-cell:not([aria-disabled])"),
  );
  // More than fits becomes what fits, and what nobody settles is played all the same.
  for (const [name, value] of [
    ["width", "7"],
    ["height", "99"],
    ["line", "5"],
  ]) {
    await page.fill("#small-" + name, value);
    await page.press("#small-" + name, "Tab");
  }
  assert.deepEqual(
    await Promise.all(["width", "height", "line", "kind"].map((name) => page.inputValue("#small-" + name))),
    ["7", "8", "5", "own"],
  );
  await page.waitForSelector('.small-cell[data-cell="3,3"]:not([aria-disabled])', { timeout: 90000 });
  await page.click('.small-cell[data-cell="3,3"]');
  await page.waitForFunction(
    () =>
      document.querySelectorAll(".small-board .stone").length === 2 &&
      /Too large/.test(document.querySelector("#small-state").textContent),
    undefined,
    { timeout: 90000 },
  );
  await page.click("#small-dialog button[value=close]");
});

boardTest("a word is closed by hand, and the same is not said twice", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  for (let n = 0; n < 3; n++) await cell(page, "h8").click();
  await message(page, "h8: taken");
  assert.equal(await page.locator(".message").count(), 1);
  // Nothing with which one plays lies under it.
  for (const id of ["#first", "#undo", "#resign", "#analyse", "#show-help"]) await page.click(id, { trial: true });
  await page.getByRole("button", { name: "Close" }).click();
  assert.equal(await page.locator(".message").count(), 0);
  // The way back to a game stays beside other words.
  await openText(page, "a1 b2");
  await cell(page, "a1").click();
  await message(page, "a1: taken");
  assert.equal(await page.locator(".message").count(), 2);
  await page.getByRole("button", { name: "Back to the game before" }).click();
  await stone(page, "h8");
});

test("the program ends only if that is wanted, and says so", { timeout: 60000 }, async () => {
  const own = await serve();
  const { page, finish } = await visit(browser(), own.address);
  const end = async (answer) => {
    await page.click("#show-help");
    await page.click("#help-dialog button[value=end]");
    await page.click("#confirm button[value=" + answer + "]");
    await page.waitForSelector("dialog", { state: "detached" });
  };
  await end("cancel");
  await page.waitForTimeout(500);
  assert.equal(await page.locator("#lost").isHidden(), true);
  await end("yes");
  await page.waitForFunction(() => /has ended/.test(document.querySelector("#lost").textContent));
  assert.equal(await page.isDisabled("#solve-vcf"), true);
  // Whoever asks for something is told, and does not wait for it.
  await page.click("#open-game");
  await page.fill("#pasted", "h8 i9");
  await page.click("#open-dialog button[value=open]");
  await page.waitForFunction(() => /was lost/.test(document.querySelector("#open-problem").textContent));
  await finish();
  await own.kill();
});

boardTest("what one tab sets holds in the others", async (page, context) => {
  const other = await context.newPage();
  await other.goto(page.url());
  await ready(other);
  // The second time with a way back, which is offered for so long that it does not go by itself meanwhile.
  for (const tab of [page, other]) for (const text of ["a1 b2", "h8 i9"]) await openText(tab, text);
  await page.click("#show-settings");
  await page.selectOption("#set-theme", "dark");
  await page.selectOption("#set-language", "cs");
  await page.click("#settings-dialog button[value=close]");
  await other.waitForFunction(
    () =>
      document.documentElement.dataset.theme === "dark" &&
      document.documentElement.lang === "cs" &&
      document.querySelector("#undo").textContent === "Vrátit tah",
  );
  // Nothing that was said in the former language stands there any more.
  for (const tab of [page, other]) await tab.waitForSelector(".message", { state: "detached", timeout: 8000 });
  await other.check("#layer-threats");
  const kept = await other.evaluate(() => JSON.parse(localStorage.getItem("kagetsu.settings")));
  assert.deepEqual([kept.theme, kept.language, kept.threats], ["dark", "cs", true]);
  await page.waitForSelector("#layer-threats:checked");
});

boardTest("the settings speak the language that is set in them", async (page) => {
  await page.click("#show-settings");
  await page.selectOption("#set-language", "cs");
  await page.waitForFunction(() => document.querySelector("#dialog-title")?.textContent === "Nastavení");
  assert.equal(await page.locator("dialog").count(), 1);
  assert.match(await page.locator("#settings-dialog").textContent(), /Vzhled.*Zavřít/);
  assert.deepEqual(
    [await page.inputValue("#set-language"), await page.evaluate(() => document.activeElement.id)],
    ["cs", "set-language"],
  );
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
});

boardTest("a language that cannot be loaded is told, and of two the newer one holds", async (page) => {
  const choose = (code) => page.selectOption("#set-language", code);
  const speaks = (heading) =>
    page.waitForFunction((heading) => document.querySelector("#dialog-title")?.textContent === heading, heading);
  const chosen = () =>
    page.evaluate(() => [
      document.querySelector("#set-language").value,
      document.documentElement.lang,
      JSON.parse(localStorage.getItem("kagetsu.settings")).language,
    ]);
  const slowly = (code, answer) =>
    page.route("**/lang/" + code + ".json", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await answer(route);
    });
  await page.click("#show-settings");
  await choose("cs");
  await speaks("Nastavení");
  await page.route("**/lang/*.json", (route) => route.abort("connectionrefused"));
  await choose("ru");
  await page.waitForFunction(
    () => document.querySelector("#language-problem").textContent === "Tento jazyk teď nelze načíst.",
  );
  assert.deepEqual(await chosen(), ["cs", "cs", "cs"]);
  // What was loaded before needs nobody.
  await choose("en");
  await speaks("Settings");
  assert.deepEqual(await chosen(), ["en", "en", "en"]);
  await page.unroute("**/lang/*.json");
  await slowly("zh", (route) => route.continue());
  const late = page.waitForResponse("**/lang/zh.json");
  await choose("zh");
  await choose("cs");
  await speaks("Nastavení");
  await late;
  await page.waitForTimeout(300);
  assert.deepEqual(await chosen(), ["cs", "cs", "cs"]);
  // One that is wished for no more is not missed either.
  await slowly("ja", (route) => route.abort("connectionrefused"));
  const failed = page.waitForEvent("requestfailed");
  await choose("ja");
  await choose("en");
  await speaks("Settings");
  await failed;
  await page.waitForTimeout(300);
  assert.deepEqual([await page.locator(".message").count(), await chosen()], [0, ["en", "en", "en"]]);
  assert.equal(await page.locator("#errors").isHidden(), true);
});

boardTest("the main line is made only where it is not", async (page) => {
  await openText(page, VARIATIONS);
  assert.equal(await page.isDisabled("#promote"), true);
  await page.locator(".variation button").first().click();
  await page.click("#promote");
  await page.waitForSelector("#promote:disabled");
  await page.keyboard.press("Home");
  assert.equal(await page.isDisabled("#promote"), true);
});

boardTest("languages, themes and layers", async (page) => {
  for (const code of ["zh", "ja", "ru", "cs", "en"]) {
    const texts = JSON.parse(readFileSync(new URL("../../src/gui/page/lang/" + code + ".json", import.meta.url)));
    await page.click("#show-settings");
    await page.selectOption("#set-language", code);
    await page.click("#settings-dialog button[value=close]");
    await page.waitForFunction((word) => document.querySelector("#new-game").textContent === word, texts["new-game"]);
    assert.equal(await page.evaluate(() => document.documentElement.lang), code);
    assert.equal(await page.locator("#undo").textContent(), texts.undo);
  }
  await openText(page, "h8 i9 j8 h10 i8");
  await page.check("#layer-heat");
  await page.waitForSelector("#board .heat");
  // What the colour shows is told as well.
  const empty = page.locator("#grid .cell[title]:not([title=''])").first();
  const share = await empty.getAttribute("title");
  assert.ok((await empty.getAttribute("aria-label")).endsWith(", " + share), share);
  assert.match(await page.locator("#layer-notes").textContent(), /orange/);
  await page.check("#layer-threats");
  await page.waitForSelector("#board .threat");
  assert.match(await page.locator("#layer-notes").textContent(), /Black White: ◆ five/);
  await page.uncheck("#layer-heat");
  await page.uncheck("#layer-threats");
  assert.equal(await page.locator("#layer-notes").textContent(), "");
});

for (const colorScheme of ["light", "dark"]) {
  boardTest(
    "no serious finding of axe-core, " + colorScheme,
    async (page) => {
      await openText(page, VARIATIONS);
      for (const dialog of [
        null,
        "#new-game",
        "#open-game",
        "#save-game",
        "#former-games",
        "#show-settings",
        "#show-help",
        "#show-puzzles",
        "#small-games",
      ]) {
        if (dialog) await page.click(dialog);
        if (dialog) await page.waitForSelector("dialog[open]");
        assert.deepEqual(await seriousFindings(page), [], dialog || "page");
        if (dialog) await page.keyboard.press("Escape");
      }
    },
    { colorScheme, bypassCSP: true },
  );

  boardTest(
    "no serious finding of axe-core on a phone, " + colorScheme,
    async (page) => {
      const check = async (what) => assert.deepEqual(await seriousFindings(page), [], what);
      // A game against Kagetsu, then the menu, then one that is analysed, with a point that is aimed at and all layers.
      await check("play");
      await page.click("#more");
      await check("menu");
      await page.keyboard.press("Escape");
      await openText(page, VARIATIONS);
      for (const layer of ["threats", "heat"]) await page.check("#layer-" + layer);
      await cell(page, "c3").tap();
      await check("analysis");
    },
    { ...PHONE, colorScheme, bypassCSP: true },
  );
}

const DESKTOPS = [
  { width: 1280, height: 900 },
  { width: 1024, height: 768 },
  { width: 640, height: 450 },
];

// The heads of the library's columns, once it has been asked, and whether all of the table is in sight.
async function libraryTable(page) {
  await page.waitForSelector(".library-move");
  return page.evaluate(() => {
    const box = document.querySelector("#library-moves");
    return {
      heads: [...box.querySelectorAll("thead th")].map((head) => head.textContent),
      isWhole: box.scrollWidth <= box.clientWidth,
    };
  });
}

test("a library of positions stands beside the board", { timeout: 180000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kagetsu-library-"));
  const [library, games] = ["a.kgl", "a.sgf"].map((name) => join(folder, name));
  writeFileSync(games, "(;GM[4]SZ[15]RU[renju]RE[B+];B[hh];W[ih];B[ii](;W[jj]C[usual])(;W[hi]))");
  const made = spawnSync(process.env.KAGETSU_PROGRAM, ["library", "import", library, games]);
  // A mistake in the command line: this build has no such subcommand.
  if (made.status === 2) return t.skip("the program was built without the feature library");
  assert.equal(made.status, 0, String(made.stderr));
  const own = await serve("--library", library);
  try {
    const { page, finish } = await visit(browser(), own.address + "#renju/15x15/h8i8i7");
    await page.waitForSelector(".library-move");
    assert.match(await page.locator("#library-state").textContent(), /^1 game; Black scored/);
    assert.equal(await page.locator(".library-move").count(), 2);
    // The library and the facts of the position come on their own, in either order.
    await page.waitForFunction(() => document.querySelector("#opening-name").textContent === "D4 Kagetsu (花月)");
    await page.locator(".library-move").first().click();
    await stone(page, "j6");
    await page.waitForFunction(() => document.querySelector("#library-comment").textContent === "usual");
    await finish();
    // By keys one goes from move to move, and to the board where there is none any more.
    const led = await visit(browser(), own.address + "#renju/15x15/h8");
    // The library knows one move to each side of the stone, which are the same.
    assert.equal(await led.page.locator(".library-move").count(), 1);
    await led.page.locator(".library-move").first().focus();
    for (const next of [".library-move", ".library-move", "#grid [role=gridcell]"]) {
      await led.page.keyboard.press("Enter");
      await led.page.waitForFunction((next) => document.activeElement.matches(next), next);
    }
    await led.finish();
    // A finger covers what it points at, so its first touch shows the move.
    const touched = await visit(browser(), own.address + "#renju/15x15/h8i8i7", { hasTouch: true });
    const move = touched.page.locator(".library-move").first();
    await move.tap();
    await touched.page.waitForSelector("#board .ghost");
    assert.equal(await touched.page.locator('#board .stone[data-at="j6"]:not(.ghost)').count(), 0);
    await touched.page.locator("#rules").tap();
    await touched.page.waitForSelector("#board .ghost", { state: "detached" });
    await move.tap();
    await move.tap();
    await stone(touched.page, "j6");
    await touched.finish();
    // Where there is no room for so many columns, each figure stands below its head.
    const narrow = await visit(browser(), own.address + "#renju/15x15/h8i8i7", { locale: "ru" });
    for (const size of DESKTOPS) {
      await narrow.page.setViewportSize(size);
      const { heads, isWhole } = await libraryTable(narrow.page);
      assert.deepEqual(heads, ["Ход", "Партии", "Чёрные", "Белые", "Заметки"]);
      assert.equal(isWhole, true, String(size.width));
    }
    await narrow.finish();
  } finally {
    await own.kill();
    rmSync(folder, { recursive: true });
  }
});

test("of a library only columns with entries are shown, and none is cut off", { timeout: 180000 }, async () => {
  const own = await serve("--own-book");
  for (const [locale, heads] of [
    ["en-GB", ["Move", "Engine"]],
    ["ru", ["Ход", "Движок"]],
  ]) {
    const { page, finish } = await visit(browser(), own.address + "#renju/15x15/h8h9", { locale });
    for (const size of DESKTOPS) {
      await page.setViewportSize(size);
      assert.deepEqual(await libraryTable(page), { heads, isWhole: true }, locale + " " + size.width);
    }
    await finish();
  }
  await own.kill();
});

test("what was chosen for a new game waits for an engine that is away", { timeout: 120000 }, async () => {
  const first = await serve();
  const { page, finish } = await visit(browser(), first.address);
  await first.kill();
  await page.waitForSelector("#lost:not([hidden])");
  await page.click("#new-game");
  await page.selectOption("#new-players", "white");
  await page.selectOption("#new-strength", "adaptive");
  await page.fill("#new-name", "Ada");
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForFunction(() => /was lost/.test(document.querySelector("#new-problem")?.textContent));
  assert.equal(await page.inputValue("#new-name"), "Ada");
  const second = await serve("--port", first.port);
  await page.waitForSelector("#lost", { state: "hidden" });
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForFunction(() => /Ada/.test(document.querySelector("#player-white").textContent));
  // So does a game that goes on from the position on the board.
  await openText(page, "h8 a1");
  await second.kill();
  await page.waitForSelector("#lost:not([hidden])");
  await page.click("#mode");
  await page.selectOption("#new-strength", "full");
  await page.fill("#new-name", "Bo");
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForFunction(() => /was lost/.test(document.querySelector("#new-problem")?.textContent));
  assert.equal(await page.inputValue("#new-name"), "Bo");
  await finish();
});

test("whoever names an experience file can switch off that a game is learned from", { timeout: 180000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kagetsu-lost-"));
  const own = await serve("--experience-file", join(folder, "lost.txt"));
  try {
    const { page, finish } = await visit(browser(), own.address);
    const asked = [];
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => {
        const question = JSON.parse(payload);
        if (question.op === "think") asked.push(question.learn);
      }),
    );
    await page.reload();
    await ready(page);
    const field = page.locator("#new-learns");
    const start = async () => {
      const count = asked.length;
      await page.click("#new-game-dialog button[value=start]");
      // The stone of the game before may still lie there.
      while (asked.length === count) await page.waitForTimeout(50);
      await page.waitForFunction(() => document.querySelectorAll("#board .stone:not(.sent)").length === 1);
      assert.equal(asked.length, count + 1);
    };
    await page.click("#new-game");
    assert.equal(await field.isChecked(), true);
    await page.selectOption("#new-strength", "5");
    assert.equal(await field.isVisible(), false);
    await page.selectOption("#new-strength", "full");
    await page.selectOption("#new-players", "watch");
    assert.equal(await field.isVisible(), false);
    await page.selectOption("#new-players", "white");
    await page.selectOption("#new-think", "0.5");
    await start();
    await page.click("#new-game");
    await field.uncheck();
    await start();
    // It is proposed again as it was chosen, also after a reload.
    await page.reload();
    await ready(page);
    await page.click("#new-game");
    assert.equal(await field.isChecked(), false);
    assert.deepEqual(asked, [true, false]);
    await finish();
  } finally {
    await own.kill();
    rmSync(folder, { recursive: true });
  }
});

boardTest("without an experience file nothing is said of learning", async (page) => {
  await page.click("#new-game");
  assert.equal(await page.locator("#new-varied").count(), 1);
  assert.equal(await page.locator("#new-learns").count(), 0);
});

boardTest("keys work with Shift and on layouts without Latin letters, and stepping is read out", async (page) => {
  await openText(page, "h8 i9");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector("#live").textContent === "Black h8, move 1");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector("#live").textContent === "Start");
  const press = (key, code, shiftKey) =>
    page.evaluate(
      (init) => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
      },
      { key, code, shiftKey },
    );
  await press("?", "Slash", true);
  await page.waitForSelector("#help-dialog");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#help-dialog", { state: "detached" });
  // "Т" is where N is.
  await press("Т", "KeyN", true);
  assert.equal(await page.locator("dialog").count(), 0);
  await press("т", "KeyN", false);
  await page.waitForSelector("#new-game-dialog");
});

boardTest("what Kagetsu decides in an opening is told", async (page) => {
  await newGame(page, { players: "black", opening: "swap", time: "move", move: "3" });
  await play(page, "h8", "i9", "k11");
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll(".message")].some((node) => /^Kagetsu: Take (Black|White)$/.test(node.textContent)),
    null,
    { timeout: 20000 },
  );
  // In another game it does not hold any more.
  await newGame(page, { players: "two" });
  assert.equal(await page.locator(".message.decision").count(), 0);
});
