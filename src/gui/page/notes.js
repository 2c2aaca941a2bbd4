// What the marks on the board and the dots of the graph mean, said where they are switched on or shown.

import { settings } from "./store.js";
import { t } from "./words.js";
import { byId, element } from "../../page/elements.js";

export function drawLayerNotes(play, analysis) {
  const notes = [];
  const color = (side) => element("span", { class: "of-" + side }, t(side));
  if (settings.threats)
    notes.push([color("black"), " ", color("white"), t("said-of", { what: "", text: t("note-threats") })]);
  // Under most rules nothing is forbidden, and then there is nothing to explain.
  if (settings.forbidden && play.facts && play.facts.forbidden.length) notes.push([t("note-forbidden")]);
  if (settings.heat && analysis.isAllowed) notes.push([t("note-heat")]);
  byId("layer-notes").replaceChildren(...notes.map((parts) => element("li", {}, parts)));
}

// `mistakes` is how many dots there are.
export function drawGraphNotes(mistakes) {
  byId("graph-notes").hidden = !mistakes;
  byId("graph-notes").textContent = mistakes ? t("note-mistakes") : "";
}

// The tools of the page in a few words: [what it is called, what it does].
export function toolNotes() {
  return [
    [t("analyse"), t("help-analyse")],
    [t("solve-vcf"), t("vcf-means")],
    [t("solve-vct"), t("vct-means")],
    [t("balance-one"), t("help-balance")],
    [t("layers"), t("help-layers")],
    ["? ??", t("help-mistakes")],
  ];
}
