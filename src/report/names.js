// Names and scores as this page shows them.

import { byId, element, signed } from "../page/elements.js";

// Mistakes of these scripts are told on the page, where people and tests see them.
addEventListener("error", (event) => tell(event.message));
addEventListener("unhandledrejection", (event) => tell(String(event.reason)));

function tell(text) {
  const box = byId("errors");
  box.hidden = false;
  box.append(element("p", {}, "This page has a mistake: " + text));
}

export const CONTENTS = JSON.parse(byId("contents").textContent);

// An engine's name with the mark of its colour on this page.
export function engineName(number) {
  return element("span", { class: "engine" }, swatch(number), CONTENTS.engines[number].name);
}

export function swatch(number) {
  return element("span", { class: "swatch", style: "background:" + engineColor(number), "aria-hidden": "true" });
}

// A small stone; letters like ● turn white on dark pages.
export function stoneMark(side) {
  const name = side === 0 ? "Black" : "White";
  return element("span", { class: "stone-mark " + name.toLowerCase(), role: "img", "aria-label": name });
}

export function engineColor(number) {
  return "var(--e" + (number % 8) + ")";
}

// A score from the engine's own view; forced wins are distances.
export function score(value) {
  if (value === null || value === undefined) return "–";
  const [bound, win] = CONTENTS.wins;
  if (value >= bound && value <= win) return "wins in " + (win - value);
  if (value <= -bound && value >= -win) return "lost in " + (win + value);
  return signed(value, 0);
}

export function isDecided(value) {
  return Math.abs(value) >= CONTENTS.wins[0];
}
