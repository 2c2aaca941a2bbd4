// What people wait for in a real browser: engines that would move faster than anybody can follow, and clicks that are on
// their way.

import assert from "node:assert/strict";
import { newGame, suite } from "./page.mjs";

const { boardTest } = suite();

boardTest("a game of two engines can be followed, as fast as it is set", async (page) => {
  // When stones came, told by the page.
  await page.evaluate(() => {
    window.times = [];
    new MutationObserver(() => { if (document.documentElement.dataset.moves > window.times.length) window.times.push(performance.now()); }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-moves"] });
  });
  await newGame(page, { players: "watch", strength: "3" });
  await page.waitForFunction(() => window.times.length > 3);
  const gaps = await page.evaluate(() => window.times.slice(1, 4).map((time, n) => time - window.times[n]));
  // Timers of browsers are a little early at times.
  assert.ok(gaps.every((gap) => gap > 450), gaps.join(", "));
  await page.click("#show-settings");
  assert.equal(await page.locator("#set-pace option:checked").textContent(), "0.5 s when Kagetsu plays itself");
  assert.deepEqual(await page.locator("#set-pace option").allTextContents(), ["None", "0.5 s when Kagetsu plays itself", "0.5 s", "1 s", "2 s"]);
  await page.selectOption("#set-pace", "0");
  await page.click("#settings-dialog button[value=close]");
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("kagetsu.settings")).pace), "0");
});
