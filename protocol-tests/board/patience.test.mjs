// What people wait for in a real browser: engines that would move faster than anybody can follow, and clicks that are on
// their way.

import assert from "node:assert/strict";
import { cell, delayEngine, newGame, stone, stones, suite } from "./page.mjs";

const { boardTest } = suite();

// Loads the page anew, where the engine says only what is `spoken` until the page may hear the rest. What still waits
// when the page is closed is not said.
async function silenceEngine(page, spoken) {
  await page.routeWebSocket(/\/talk$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage(async (text) => {
      if (spoken.test(text) || (await page.waitForFunction(() => window.mayAnswer).catch(() => null)))
        socket.send(text);
    });
  });
  await page.reload();
  await page.waitForSelector("html[data-state=ready][data-engine=ready]", { state: "attached" });
}

boardTest("a game of two engines can be followed, as fast as it is set", async (page) => {
  // When stones came, told by the page.
  await page.evaluate(() => {
    window.times = [];
    new MutationObserver(() => {
      if (document.documentElement.dataset.moves > window.times.length) window.times.push(performance.now());
    }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-moves"] });
  });
  await newGame(page, { players: "watch", strength: "3" });
  await page.waitForFunction(() => window.times.length > 3);
  const gaps = await page.evaluate(() => window.times.slice(1, 4).map((time, n) => time - window.times[n]));
  // Timers of browsers are a little early at times.
  assert.ok(
    gaps.every((gap) => gap > 450),
    gaps.join(", "),
  );
  await page.click("#show-settings");
  assert.equal(await page.locator("#set-pace option:checked").textContent(), "0.5 s against itself");
  assert.deepEqual(await page.locator("#set-pace option").allTextContents(), [
    "None",
    "0.5 s against itself",
    "0.5 s",
    "1 s",
    "2 s",
  ]);
  await page.selectOption("#set-pace", "0");
  await page.click("#settings-dialog button[value=close]");
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("kagetsu.settings")).pace), "0");
});

boardTest("a click that is on its way is seen at once, and said to be after a second", async (page) => {
  await delayEngine(page);
  await newGame(page, { players: "two", rule: "standard" });
  await cell(page, "h8").click();
  await page.waitForSelector('#board .sent.black[data-at="h8"]');
  assert.equal(await stones(page), 0);
  assert.equal(await cell(page, "h8").getAttribute("aria-label"), "h8, empty, on its way");
  await stone(page, "h8");
  assert.equal(await page.locator("#board .sent").count(), 0);
  assert.equal(await cell(page, "h8").getAttribute("aria-label"), "h8, Black, move 1");
  // The engine stays silent until it is told to speak.
  await silenceEngine(page, /"hello"|version/);
  const place = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("#board, #controls, #state, #actions")].map((node) => {
        const { x, y, height } = node.getBoundingClientRect();
        return [x, y, height];
      }),
    );
  const before = await place();
  await cell(page, "i9").click();
  await page.waitForSelector('#board .sent.white[data-at="i9"]');
  await page.waitForFunction(() => document.querySelector("#state").textContent === "Your move to i9 is on its way …");
  // Nothing has moved, and another click does not change what was meant.
  assert.deepEqual(await place(), before);
  await cell(page, "j10").click();
  await page.evaluate(() => {
    window.mayAnswer = true;
  });
  await stone(page, "i9");
  await page.waitForFunction(() => /Black to move/.test(document.querySelector("#state").textContent));
  assert.equal(await stones(page), 2);
});

boardTest("in an opening a click on its way is told where the opening speaks", async (page) => {
  await newGame(page, { players: "two", opening: "swap" });
  await silenceEngine(page, /version/);
  await cell(page, "h8").click();
  await page.waitForFunction(
    () => document.querySelector("#prompt-text").textContent === "Your move to h8 is on its way …",
  );
  await page.evaluate(() => {
    window.mayAnswer = true;
  });
  await stone(page, "h8");
  await page.waitForFunction(() => /places 2 more stones/.test(document.querySelector("#prompt-text").textContent));
});
