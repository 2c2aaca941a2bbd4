"use strict";
// Small helpers for what the page is made of. Text always goes in as text: names come from strangers.

// Mistakes of these scripts are told on the page, where people and tests see them.
addEventListener("error", (event) => tell(event.message));
addEventListener("unhandledrejection", (event) => tell(String(event.reason)));

function tell(text) {
  const box = document.getElementById("errors");
  box.hidden = false;
  box.append(element("p", {}, "This page has a mistake: " + text));
}

function byId(id) {
  return document.getElementById(id);
}

// `attributes` whose value is undefined or false are left out; functions become listeners.
function furnish(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== undefined && value !== false && value !== null) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

function element(name, attributes = {}, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

// The namespace is asked of a drawing that is there, so the page holds no address of anything.
const DRAWING = byId("board").namespaceURI;

function shape(name, attributes = {}, ...children) {
  return furnish(document.createElementNS(DRAWING, name), attributes, children);
}

// A table: heads are texts or [text, title], cells are texts, nodes or numbers. Columns of numbers stand to the right.
function table(heads, rows, caption) {
  const isNumber = (content) => typeof content === "number" || (typeof content === "string" && /^[+−]?[\d.]+( ?[%a-z/]+)?$/i.test(content));
  const numbers = heads.map((_, place) => rows.some((row) => isNumber(row[place])));
  const kind = (place) => numbers[place] ? "number" : undefined;
  const head = (text, place) => Array.isArray(text)
    ? element("th", { scope: "col", class: kind(place), title: text[1] }, text[0])
    : element("th", { scope: "col", class: kind(place) }, text);
  const cell = (content, place) => element(place === 0 ? "th" : "td", { scope: place === 0 ? "row" : undefined, class: kind(place) },
    content instanceof Node ? content : String(content));
  return element("table", {},
    caption ? element("caption", {}, caption) : null,
    element("thead", {}, element("tr", {}, heads.map(head))),
    element("tbody", {}, rows.map((row) => element("tr", {}, row.map(cell)))));
}

// An engine's name with the mark of its colour on this page.
function engineName(number) {
  return element("span", { class: "engine" }, swatch(number), CONTENTS.engines[number].name);
}

function swatch(number) {
  return element("span", { class: "swatch", style: "background:" + engineColor(number), "aria-hidden": "true" });
}

// A small stone; letters like ● turn white on dark pages.
function stoneMark(side) {
  const name = side === 0 ? "Black" : "White";
  return element("span", { class: "stone-mark " + name.toLowerCase(), role: "img", "aria-label": name });
}

function engineColor(number) {
  return "var(--e" + (number % 8) + ")";
}

// ----- Numbers as people read them -----

function signed(value, digits = 1) {
  if (value === null || value === undefined) return "–";
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "" : value < 0 ? "−" : "+") + text;
}

function percent(share, digits = 1) {
  return (100 * share).toFixed(digits) + " %";
}

function time(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms >= 60000) return Math.floor(ms / 60000) + " min " + Math.round((ms % 60000) / 1000) + " s";
  if (ms >= 10000) return (ms / 1000).toFixed(1) + " s";
  if (ms >= 1000) return (ms / 1000).toFixed(2) + " s";
  return (ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(1) : ms.toFixed(2)) + " ms";
}

function count(value) {
  if (value === null || value === undefined) return "–";
  if (value >= 1e9) return (value / 1e9).toFixed(2) + " G";
  if (value >= 1e6) return (value / 1e6).toFixed(2) + " M";
  if (value >= 1e4) return (value / 1e3).toFixed(1) + " k";
  return String(Math.round(value));
}

// A score from the engine's own view; forced wins are distances.
function score(value) {
  if (value === null || value === undefined) return "–";
  const [bound, win] = CONTENTS.wins;
  if (value >= bound && value <= win) return "wins in " + (win - value);
  if (value <= -bound && value >= -win) return "lost in " + (win + value);
  return signed(value, 0);
}

function isDecided(value) {
  return Math.abs(value) >= CONTENTS.wins[0];
}

const CONTENTS = JSON.parse(byId("contents").textContent);
