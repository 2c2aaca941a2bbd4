// Words that have room in every language: what can be chosen is read as a whole, on phones and on desktops.

import assert from "node:assert/strict";
import { openWindow, ready, suite } from "./page.mjs";

const { boardTest } = suite();

// Choices that are wider than their field, and words that are wider than what they stand in.
const clipped = (page) =>
  page.evaluate(() => {
    const found = [];
    for (const select of [...document.querySelectorAll("select")].filter((node) => node.checkVisibility())) {
      const { width } = select.getBoundingClientRect();
      for (const option of select.options) {
        const copy = select.cloneNode(false);
        copy.removeAttribute("id");
        copy.append(option.cloneNode(true));
        copy.style.cssText = "position: absolute; left: 0; width: max-content; min-width: 0; max-width: none";
        select.parentElement.append(copy);
        if (copy.getBoundingClientRect().width > width + 0.5) found.push(select.id + ": " + option.text);
        copy.remove();
      }
    }
    for (const node of document.querySelectorAll("dialog button, dialog label, dialog p, dialog h2")) {
      if (node.checkVisibility() && node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1)
        found.push(node.textContent.slice(0, 60));
    }
    return found;
  });

for (const [what, widths, options] of [
  ["phones", [320, 360, 390], { hasTouch: true, isMobile: true }],
  ["a desktop", [1280], {}],
]) {
  boardTest(
    "what can be chosen can be read, on " + what,
    async (page) => {
      for (const language of ["en", "zh", "ja", "ru", "cs"]) {
        await page.evaluate(
          (language) => localStorage.setItem("kagetsu.settings", JSON.stringify({ language })),
          language,
        );
        await page.reload();
        await ready(page);
        for (const dialog of [
          "#new-game",
          "#save-game",
          "#open-game",
          "#former-games",
          "#show-settings",
          "#show-puzzles",
          "#small-games",
        ]) {
          await openWindow(page, dialog);
          for (const width of widths) {
            await page.setViewportSize({ width, height: 740 });
            assert.deepEqual(await clipped(page), [], [language, dialog, width].join(" "));
          }
          await page.keyboard.press("Escape");
          await page.waitForSelector("dialog", { state: "detached" });
        }
      }
    },
    { viewport: { width: widths[0], height: 740 }, ...options },
  );
}

boardTest("what a format holds is told below it, and what a level is", async (page) => {
  await page.click("#save-game");
  assert.equal(await page.locator("#save-format-note").textContent(), "The game with variations and comments.");
  await page.selectOption("#save-format", "psq");
  assert.equal(await page.locator("#save-format-note").textContent(), "The moves, for Piskvork. The rule is not kept.");
  await page.keyboard.press("Escape");
  await page.click("#new-game");
  const note = () => page.locator("#new-strength-note").textContent();
  assert.equal(await note(), "");
  await page.selectOption("#new-strength", "3");
  assert.match(await note(), /^An engine for teaching/);
  await page.selectOption("#new-strength", "5");
  assert.equal(await note(), "");
  assert.equal(await page.locator("#new-players-note").isVisible(), true);
  await page.selectOption("#new-players", "two");
  assert.equal(await page.locator("#new-players-note").isVisible(), false);
});
