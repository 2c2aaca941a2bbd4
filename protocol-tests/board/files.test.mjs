// Games that come into the page and leave it, and what survives, in a real browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cell, failToOpen, message, newGame, openText, play, ready, stone, stones, suite, VARIATIONS, written } from "./page.mjs";

const { boardTest, board } = suite();

boardTest("a game with variations is opened, edited, saved and opened again the same", async (page) => {
  await openText(page, VARIATIONS);
  await message(page, "was opened");
  assert.equal(await page.locator(".variation").count(), 2);
  assert.match(await page.locator("#moves").textContent(), /first: <script>/);
  // A new variation, a comment, a mark; another variation becomes the main line.
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await play(page, "c3");
  await page.fill("#comment", "new [here] \\ ok");
  await page.click("#mark-circle");
  await cell(page, "c3").click();
  await page.click("#mark-circle");
  await page.click("#promote");
  const once = await written(page, "sgf");
  assert.match(once, /CR\[cm\]/);
  assert.match(once, /C\[new \[here\\\] \\\\ ok\]/);
  await newGame(page, { players: "two" });
  await openText(page, once);
  await message(page, "was opened");
  assert.equal(await written(page, "sgf"), once);
  assert.equal(await page.locator(".variation").count(), 3);
  // Delete what was added.
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.click("#remove-move");
  await page.waitForFunction(() => document.querySelectorAll(".variation").length === 2);
});

boardTest("figures of an engine fold to a dot among the moves, and people's words stay", async (page) => {
  const figures = "score 914, depth 9, nodes 3001, 3 ms";
  await openText(page, "(;GM[4]SZ[15];B[hh]C[" + figures + "];W[ih]C[A good move.\n" + figures + "\nMESSAGE depth 3];B[ii]C[depth of thought])");
  await message(page, "was opened");
  assert.deepEqual(await page.locator("#moves .comment").allTextContents(), ["A good move.", "depth of thought"]);
  assert.equal(await page.locator("#moves .figures").count(), 2);
  assert.equal(await page.locator("#moves .figures").first().getAttribute("title"), figures);
  // All of it stands where it is written, and goes into what is saved.
  await page.locator("#moves .move", { hasText: /^1\b/ }).first().click();
  await page.waitForFunction((text) => document.querySelector("#comment").value === text, figures);
  assert.ok((await written(page, "sgf")).includes(figures));
});

boardTest("a list of moves is read and written as the board names its points", async (page) => {
  await openText(page, "h8 i9 j4");
  await stone(page, "j4");
  assert.equal(await written(page, "moves"), "h8 i9 j4");
  assert.match(await written(page, "picture"), /^15 /m);
  await openText(page, "7,7 8,6");
  await stone(page, "i9");
  assert.match(await written(page, "psq"), /^9,7,0$/m);
});

boardTest("what was taken back is saved as a variation of the game", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9", "g7");
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await play(page, "f6");
  assert.match((await written(page, "sgf")).replace(/\s/g, ""), /;B\[hh\];W\[ig\]\(;B\[fj\]\)\(;B\[gi\]\)\)$/);
});

boardTest("what cannot be read is told with its place, and the game stays", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  assert.match(await failToOpen(page, "(;SZ[15];B[hh];W[zz])"), /line 1, column/);
  assert.equal(await stones(page), 2);
  assert.match(await failToOpen(page, "x".repeat(100)), /cannot be read/);
  // Ten million characters of rubbish do no harm.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "<\u0000(;[".repeat(2500000));
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await message(page, "too large");
  assert.equal(await stones(page), 2);
  await play(page, "a1");
});

boardTest("the game survives a reload, and a copied tab has its own", async (page, context) => {
  await newGame(page, { players: "two", name: "Ada" });
  await play(page, "h8", "i9", "j8");
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
  assert.match(await page.locator("#player-black").textContent(), /Ada/);
  const other = await context.newPage();
  await other.goto(board().address);
  await ready(other);
  await newGame(other, { players: "two" });
  await play(other, "a1");
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
  // A position in the address.
  const link = page.url();
  assert.match(link, /#freestyle\/15x15\/h8i9j8$/);
  const third = await context.newPage();
  await third.goto(link);
  await ready(third);
  await third.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
});

boardTest("links to the page are opened like games", async (page) => {
  const link = board().address + "#renju/15x15/h8i9";
  await openText(page, link);
  await message(page, "The link was opened");
  assert.equal(await stones(page), 2);
  await openText(page, " freestyle/20x20/a1b2c3\n");
  assert.equal(await stones(page), 3);
  assert.equal(await page.locator("#grid .row").count(), 20);
  // A move beside the board is no move; the window says so, and the text can be mended in it.
  await page.click("#open-game");
  await page.fill("#pasted", "renju/15x15/h8h16");
  await page.click("#open-dialog button[value=open]");
  await page.waitForFunction(() => document.querySelector("#open-problem").textContent);
  await page.fill("#pasted", "renju/15x15/h8h15");
  await page.click("#open-dialog button[value=open]");
  await page.waitForSelector("#open-dialog", { state: "detached" });
  await stone(page, "h15");
});

boardTest("files are dropped on the page, and saved as games and pictures", async (page) => {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    // As an editor on Windows saves it: UTF-16 with its mark.
    const units = new Uint16Array([0xfeff, ...Array.from(text, (c) => c.charCodeAt(0))]);
    data.items.add(new File([units], "dropped.sgf"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, VARIATIONS);
  await message(page, "dropped.sgf was opened");
  for (const [format, name, begins] of [["sgf", "kagetsu.sgf", "(;"], ["svg", "kagetsu.svg", "<svg"], ["png", "kagetsu.png", "\x89PNG"]]) {
    await page.click("#save-game");
    await page.selectOption("#save-format", format);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-dialog button[value=save]")]);
    assert.equal(download.suggestedFilename(), name);
    const content = readFileSync(await download.path(), "latin1");
    assert.ok(content.startsWith(begins) && content.length > 100, name + ": " + content.slice(0, 80));
  }
  // A game that did not begin on an empty board is none that Piskvork can open.
  await openText(page, "(;SZ[15]AB[hh][ii]PL[B];B[jj])");
  await page.click("#save-game");
  await page.selectOption("#save-format", "psq");
  await page.click("#save-dialog button[value=copy]");
  await message(page, "cannot be written in this format");
});

boardTest("a link takes the place of no game, and what it showed can be left again", async (_, context) => {
  const page = await context.newPage();
  await page.goto(board().address);
  await ready(page);
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9", "j8");
  // In the tab of a game: the way back stands beside the message.
  await page.evaluate(() => { location.hash = "renju/15x15/h8i9"; });
  await message(page, "The link was opened");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await page.click(".message button");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
  assert.match(await page.locator("#mode").textContent(), /Analyse/);
  // In a new tab after the game's own was closed.
  await page.close();
  const other = await context.newPage();
  await other.goto(board().address + "#renju/15x15/a1");
  await ready(other);
  await stone(other, "a1");
  await other.close();
  const third = await context.newPage();
  await third.goto(board().address + "#%");
  await ready(third);
  await stone(third, "a1");
  assert.equal((await third.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kagetsu.game.")).length)), 3);
});

boardTest("what is pasted over a game can be undone", async (page) => {
  await newGame(page, { players: "two", time: "game", base: "5" });
  await play(page, "h8");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "a1 b2 c3");
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await stone(page, "c3");
  await page.click(".message button");
  await stone(page, "h8");
  assert.equal(await stones(page), 1);
  assert.match(await page.locator("#player-black .clock").textContent(), /^[45]:/);
  await page.reload();
  await ready(page);
  await stone(page, "h8");
});

boardTest("a tab that the browser copies has a copy of the game", async (page, context) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  // A window that is opened by a page begins with a copy of its session, as a copied tab does.
  const [copy] = await Promise.all([context.waitForEvent("page"), page.evaluate(() => { window.open(location.href); })]);
  await ready(copy);
  await stone(copy, "i9");
  await copy.locator('[data-point="a1"]').click();
  await stone(copy, "a1");
  await page.reload();
  await ready(page);
  await stone(page, "i9");
  assert.equal(await stones(page), 2);
});

boardTest("a position that was set up has no link, and dead points are no place for stones", async (page) => {
  await openText(page, ". . . . .\n. # . . .\n. . . . .\n. . . . .\n. . . X .");
  await message(page, "was opened");
  await cell(page, "b4").click();
  await message(page, "b4: taken");
  await page.click("#save-game");
  await page.click("#save-dialog button[value=link]");
  await message(page, "which a link cannot say");
  assert.equal(new URL(page.url()).hash, "");
});

boardTest("a picture is copied as a picture", async (page) => {
  await play(page, "h8");
  await page.click("#save-game");
  await page.selectOption("#save-format", "png");
  await page.click("#save-dialog button[value=copy]");
  await message(page, "Copied.");
  assert.deepEqual(await page.evaluate(async () => (await navigator.clipboard.read())[0].types), ["image/png"]);
});

boardTest("the names that are saved are those of who holds the colours", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo" });
  await play(page, "h8");
  assert.match(await written(page, "sgf"), /PB\[Ada\]\s*PW\[Bo\]/);
  await page.click("#swap-sides");
  assert.match(await written(page, "sgf"), /PB\[Bo\]\s*PW\[Ada\]/);
});
