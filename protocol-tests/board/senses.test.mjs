// What is seen, heard and reached: the same on the board whether somebody looks at it, has it read out, or has neither a
// mouse nor the colours of the page.

import assert from "node:assert/strict";
import { cell, newGame, openText, play, suite } from "./page.mjs";

const { boardTest } = suite();

const label = (page, point) => cell(page, point).getAttribute("aria-label");
const state = (page) => page.locator("#state").textContent();

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
  await page.waitForFunction(() => [...document.querySelectorAll(".cell")].some((cell) => /, empty, line 1: \d+ %$/.test(cell.getAttribute("aria-label"))));
  await page.click("#analyse");
  assert.equal(await page.locator("#proof-state").getAttribute("role"), "status");
  await newGame(page, { players: "two", rule: "renju", opening: "soosorv8" });
  await play(page, "h8", "i9", "j9");
  await page.click('[data-choice="stay"]');
  await play(page, "g7");
  await page.click('[data-choice="fifths-2"]');
  await page.click('[data-choice="stay"]');
  await cell(page, "k10").click();
  await page.waitForFunction(() => document.querySelector('[data-point="k10"]').getAttribute("aria-label") === "k10, empty, offered fifth move");
});

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
