// The course of a game: Black's share of the point after each move. A click goes to the move.

import { byId, percent, shape } from "../../page/elements.js";
import { path } from "../../page/charts.js";
import { judgement } from "./analysis.js";
import { t } from "./words.js";

const HEIGHT = 110;
const EDGE = 6;

export class Graph {
  constructor(goTo) {
    this.goTo = goTo;
    this.drawing = byId("graph");
    this.line = [];
    this.drawing.addEventListener("click", (event) => {
      const box = this.drawing.getBoundingClientRect();
      const at = Math.round((event.clientX - box.left - EDGE) / (box.width - 2 * EDGE) * (this.line.length - 1));
      const node = this.line[Math.max(0, Math.min(this.line.length - 1, at))];
      if (node) this.goTo(node);
    });
  }

  show(game) {
    this.line = game.shownLine();
    const known = this.line.filter(({ value }) => value).length;
    byId("graph-card").hidden = known < 2;
    if (known < 2) return;
    const width = Math.max(200, this.drawing.clientWidth);
    const placeX = (n) => EDGE + n * (width - 2 * EDGE) / Math.max(1, this.line.length - 1);
    const placeY = (share) => EDGE + (1 - share) * (HEIGHT - 2 * EDGE);
    const points = this.line.map(({ value }, n) => [n, value ? value.black : null]);
    const now = this.line.indexOf(game.current);
    const parts = [
      shape("rect", { class: "graph-back", x: 0, y: 0, width, height: HEIGHT, rx: 6 }),
      shape("line", { class: "zero", x1: EDGE, x2: width - EDGE, y1: placeY(0.5), y2: placeY(0.5) }),
      shape("path", { class: "line share", d: path(points, placeX, placeY) }),
      ...this.line.map((node, n) => [node, n]).filter(([node]) => node.value && judgement(node))
        .map(([node, n]) => shape("circle", { class: "turning " + node.color, cx: placeX(n), cy: placeY(node.value.black), r: 4 }, shape("title", {}, n + " " + judgement(node)))),
      shape("line", { class: "cross", x1: placeX(now), x2: placeX(now), y1: 0, y2: HEIGHT }),
    ];
    this.drawing.setAttribute("viewBox", "0 0 " + width + " " + HEIGHT);
    this.drawing.setAttribute("aria-label", t("graph-label") + (game.current.value ? ": " + percent(game.current.value.black, 0) : ""));
    this.drawing.replaceChildren(...parts);
  }
}
