// Mistakes of these scripts are told on the page, where people and tests see them.

import { byId, element } from "../../page/elements.js";

// One that comes with every message of the engine need not fill the page.
const MOST = 5;
const told = new Set();

addEventListener("error", (event) => tell(event.message));
addEventListener("unhandledrejection", (event) => {
  const reason = event.reason;
  if (reason && reason.code === "lost") return event.preventDefault();
  tell((reason && (reason.message || reason.code)) || String(reason));
});

function tell(text) {
  if (told.size === MOST || told.has(text)) return;
  told.add(text);
  const box = byId("errors");
  box.hidden = false;
  box.append(element("p", {}, "This page has a mistake: " + text));
}
