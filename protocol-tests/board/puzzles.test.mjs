// Puzzles on the board: how they are chosen, judged, solved and remembered.

import assert from "node:assert/strict";
import { cell, message, newGame, openWindow, play, ready, stone, stones, suite } from "./page.mjs";

const { boardTest } = suite();

// Positions in which it is known what each move does; rows of `stones` are counted from the top. Black's g4 makes two
// fours at once. h4 is a four as well, but White's reply takes the point that both lines need.
const TWO_FOURS = { id: "t1", rule: "freestyle", fours: 1, stones: "d12c12e12g8f12a1g11o15g10o1g9a4" };
// White has four in a row, and makes five where Black stops nothing.
const LATE = { id: "t2", rule: "freestyle", fours: 1, stones: "d12l15e12m15f12n15g11o15g10a1g9c12" };
// White's d12 threatens five at d8 alone, where Black would make seven in a row.
const FORBIDDEN = { id: "t3", rule: "renju", fours: 1, stones: "a8d7b8d6c8d5e8o15f8o1g8m1d3" };

// The page with these puzzles in place of its own.
async function withPuzzles(page, ...puzzles) {
  await page.route("**/puzzles.json", (route) => route.fulfill({ json: puzzles }));
}

async function open(page, number) {
  await openWindow(page, "#show-puzzles", "#puzzles-dialog");
  await page.locator("#puzzles-list button", { hasText: new RegExp("^" + number + "$") }).click();
  await page.waitForSelector("#puzzle-bar:not([hidden])");
}

function says(page, pattern) {
  return page.waitForFunction(
    ([source]) => new RegExp(source).test(document.querySelector("#puzzle-text").textContent),
    [pattern.source],
  );
}

boardTest("a puzzle of the page is solved with the solution that the page shows", async (page) => {
  await open(page, 1);
  assert.match(await page.locator("#puzzle-name").textContent(), /^Puzzle 1, Freestyle Gomoku: (Black|White) wins/);
  const before = await stones(page);
  assert.equal(await page.locator("#analyse").isDisabled(), true);
  await page.click("#puzzle-solution");
  await page.waitForSelector("#proof-moves:not([hidden])");
  await says(page, /solution is in the analysis/);
  while (await page.locator("#proof-on").isEnabled()) await page.click("#proof-on");
  const moves = (await page.locator("#proof-moves").textContent()).match(/[a-o]\d+/g);
  // Whoever has seen the solution has not solved it.
  await open(page, 1);
  assert.equal(await page.locator("#puzzles-list .solved").count(), 0);
  assert.equal(await stones(page), before);
  // Where the reply is another than that of the proof, its point is free for the five.
  for (const point of moves.filter((_, n) => n % 2 === 0)) {
    if (/Solved/.test(await page.locator("#puzzle-text").textContent())) break;
    await cell(page, point).click();
    await says(page, /Right|Solved|stops/);
  }
  await says(page, /Solved/);
  assert.equal(await page.locator("#analyse").isEnabled(), true);
  await openWindow(page, "#show-puzzles", "#puzzles-dialog");
  assert.equal(await page.locator("#puzzles-list .solved").count(), 1);
  assert.equal(await page.locator("#puzzles-list [aria-current]").textContent(), "1");
  assert.match(await page.locator("#puzzles-state").textContent(), /^1 of \d+ solved$/);
  await page.click("#puzzles-dialog button[value=next]");
  await page.waitForFunction(() => /^Puzzle 2,/.test(document.querySelector("#puzzle-name").textContent));
});

boardTest("every move is judged, and a wrong one can be tried again", async (page) => {
  await withPuzzles(page, TWO_FOURS);
  await open(page, 1);
  await says(page, /Find the move/);
  // No four, by a click and by a key.
  await cell(page, "o8").click();
  await says(page, /makes no four, so White may play anywhere/);
  assert.equal(await stones(page), 13);
  await cell(page, "n8").click();
  assert.match(await page.locator(".message").last().textContent(), /first press “Try again”/);
  await page.click("#puzzle-try-again");
  assert.equal(await stones(page), 12);
  await cell(page, "o8").click();
  await says(page, /makes no four/);
  await page.click("#undo");
  await says(page, /Find the move/);
  assert.equal(await stones(page), 12);
  assert.equal(await page.locator("#moves button").count(), 1);
  // A four that wins nothing shows its reply.
  await cell(page, "h4").click();
  await stone(page, "g4");
  await says(page, /White stops the four, and no more fours win/);
  await page.keyboard.press("ArrowLeft");
  await says(page, /Find the move/);
  assert.equal(await stones(page), 12);
  // The right one, and the five that is left.
  await cell(page, "g4").click();
  await says(page, /Right/);
  assert.equal(await stones(page), 14);
  const isLeft = (await page.locator('#board .stone[data-at="h4"]').count()) === 0;
  await page.click("#undo");
  await says(page, /Find the move/);
  await page.click("#redo");
  await says(page, /Right/);
  await cell(page, isLeft ? "h4" : "g3").click();
  await says(page, /Solved/);
  assert.equal(await page.locator("#state").textContent(), "Black has won.");
});

boardTest("an opponent who has four makes five, and one who may not stop the five has lost", async (page) => {
  await withPuzzles(page, LATE, FORBIDDEN);
  await open(page, 1);
  await cell(page, "g4").click();
  await stone(page, "k1");
  await says(page, /^White makes five/);
  await openWindow(page, "#show-puzzles", "#puzzles-dialog");
  await page.selectOption("#puzzle-rule", "renju");
  await page.click("#puzzles-dialog button[value=next]");
  await page.waitForFunction(() => /Renju: White wins/.test(document.querySelector("#puzzle-name").textContent));
  await cell(page, "d12").click();
  await says(page, /Solved: .* forbidden to Black/);
});

boardTest("a puzzle is there after a reload, and the game before it comes back", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  await withPuzzles(page, TWO_FOURS, LATE);
  await open(page, 1);
  await cell(page, "o8").click();
  await says(page, /makes no four/);
  await page.reload();
  await ready(page);
  await says(page, /makes no four/);
  await page.click("#puzzle-try-again");
  await cell(page, "h4").click();
  await says(page, /no more fours win/);
  await page.reload();
  await ready(page);
  await says(page, /no more fours win/);
  await page.focus("#puzzle-try-again");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.dataset.x !== undefined);
  await cell(page, "g4").click();
  await says(page, /Right/);
  // Another puzzle does not take the place of the game before.
  await page.click("#puzzle-next");
  await page.waitForFunction(() => /^Puzzle 2,/.test(document.querySelector("#puzzle-name").textContent));
  await page.click("#former-game");
  await stone(page, "i9");
  assert.equal(await stones(page), 2);
  assert.equal(await page.locator("#puzzle-bar").isHidden(), true);
  await play(page, "h9");
});

boardTest("a position that is set up, or played on, is no puzzle any more", async (page) => {
  await withPuzzles(page, TWO_FOURS);
  await open(page, 1);
  await page.click("#set-up");
  assert.equal(await page.locator("#puzzle-bar").isHidden(), true);
  await cell(page, "a15").click();
  await stone(page, "a15");
  await open(page, 1);
  assert.equal(await stones(page), 12);
  await page.click("#mode");
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForSelector("#puzzle-bar", { state: "hidden" });
  await cell(page, "o8").click();
  await stone(page, "o8");
});

boardTest("nothing is right before it was judged, whatever becomes of the verdict", async (page) => {
  await withPuzzles(page, TWO_FOURS);
  let isLost = true;
  await page.routeWebSocket(/\/talk$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      // The connection goes with the first question of all that asks whether the win is still there.
      if (isLost && JSON.parse(text).op === "solve") {
        isLost = false;
        return socket.close();
      }
      server.send(text);
    });
  });
  await page.reload();
  await ready(page);
  await open(page, 1);
  const said = await page.evaluateHandle(() => {
    const texts = [];
    const text = document.querySelector("#puzzle-text");
    new MutationObserver(() => texts.push(text.textContent)).observe(text, { childList: true, characterData: true });
    return texts;
  });
  await cell(page, "h4").click();
  await stone(page, "g4");
  await says(page, /no more fours win/);
  assert.deepEqual(
    (await said.jsonValue()).filter((text) => /Right/.test(text)),
    [],
  );
});

boardTest("what was written about a try comes back, and pressing twice spoils nothing", async (page) => {
  await withPuzzles(page, TWO_FOURS);
  await open(page, 1);
  await cell(page, "h4").click();
  await says(page, /no more fours win/);
  assert.equal(await page.locator("#remove-move").isHidden(), true);
  await page.fill("#comment", "h4 gives g4 away");
  const { x, y, width, height } = await page.locator("#puzzle-try-again").boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await says(page, /Find the move/);
  await page.waitForTimeout(700);
  await page.mouse.click(x + width / 2, y + height / 2);
  assert.equal(await page.locator("#puzzle-solution").isVisible(), true);
  await message(page, "The move was deleted.");
  await page.locator(".message button", { hasText: "Put back" }).click();
  await stone(page, "h4");
  await page.keyboard.press("ArrowRight");
  await stone(page, "g4");
  assert.equal(await page.inputValue("#comment"), "h4 gives g4 away");
  await says(page, /no more fours win/);
});

boardTest("a solution that is not shown any more is shown again", async (page) => {
  await withPuzzles(page, TWO_FOURS);
  await open(page, 1);
  await page.click("#puzzle-solution");
  await says(page, /solution is in the analysis/);
  assert.equal(await page.locator("#puzzle-solution").isHidden(), true);
  await page.click("#proof-close");
  await says(page, /^$/);
  await page.reload();
  await ready(page);
  await page.click("#puzzle-solution");
  await page.waitForSelector("#proof-moves:not([hidden])");
});

boardTest("who hears the page is told of a new puzzle, and stands at the board", async (page) => {
  await withPuzzles(page, TWO_FOURS, LATE);
  await openWindow(page, "#show-puzzles", "#puzzles-dialog");
  await page.locator("#puzzles-list button").last().focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^Puzzle 2, .*Find the move/.test(document.querySelector("#live").textContent));
  assert.notEqual(await page.evaluate(() => document.activeElement.dataset.x), undefined);
});

boardTest("a link takes the place of a puzzle, and the way back leads to it", async (page) => {
  await withPuzzles(page, TWO_FOURS);
  await open(page, 1);
  await page.evaluate(() => {
    location.hash = "#renju/15x15/h8h9";
  });
  await stone(page, "h9");
  await page.goBack();
  await page.waitForSelector("#puzzle-bar:not([hidden])");
  assert.equal(await stones(page), 12);
});

boardTest(
  "a finger that cannot place a stone aims at nothing",
  async (page) => {
    await withPuzzles(page, TWO_FOURS);
    await open(page, 1);
    await cell(page, "o8").tap();
    await page.locator("#place").tap();
    await says(page, /makes no four/);
    await cell(page, "b3").tap();
    assert.equal(await page.locator("#place").isHidden(), true);
    assert.equal(await page.locator("#grid").getAttribute("data-next"), "");
    await message(page, "first press “Try again”");
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);

boardTest("a list that cannot be loaded is told of, and asked for again", async (page) => {
  await page.route("**/puzzles.json", (route) => route.abort("connectionrefused"));
  await page.click("#show-puzzles");
  await page.waitForFunction(() => /cannot be loaded now/.test(document.querySelector(".message")?.textContent));
  await page.evaluate(() => document.querySelector(".message").remove());
  await page.unroute("**/puzzles.json");
  // What is kept may be anything.
  await page.evaluate(() => localStorage.setItem("kagetsu.settings", JSON.stringify({ puzzles: 5 })));
  await page.reload();
  await ready(page);
  await page.dblclick("#show-puzzles");
  await page.waitForSelector("#puzzles-dialog");
  assert.equal(await page.locator("dialog").count(), 1);
  await page.keyboard.press("Escape");
  await open(page, 1);
});
