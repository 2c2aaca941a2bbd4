// What is seen, heard and reached: the same on the board whether somebody looks at it, has it read out, or has neither a
// mouse nor the colours of the page.

import assert from "node:assert/strict";
import { suite } from "./page.mjs";

const { boardTest } = suite();


boardTest("arrows move over a small board, where the focus stays through the game", async (page) => {
  await page.click("#small-games");
  await page.waitForSelector(".small-cell:not([aria-disabled])");
  await page.focus('.small-cell[tabindex="0"]');
  const at = () => page.evaluate(() => document.activeElement.dataset.cell);
  for (const key of ["ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await at(), "1,1");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".small-board .stone").length === 2 && document.querySelector(".small-cell:not([aria-disabled])"));
  assert.equal(await at(), "1,1");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^b2, Black$/);
  for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  assert.equal(await at(), "2,1");
});
