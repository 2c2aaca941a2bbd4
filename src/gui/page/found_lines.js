// The lines of play that the analysis has found. Their rows stay in place while news come in several times a second, so
// that no click is lost and the keyboard keeps its place; only what they say changes.

import { scoreText } from "./analysis.js";
import { t } from "./words.js";
import { byId, element, percent } from "../../page/elements.js";

const MOST_MOVES = 16;

export class FoundLines {
  // `panel` names points and puts stones of a line on the board; `take` is called with the line to play.
  constructor(panel, take) {
    Object.assign(this, { panel, take, list: byId("lines"), rows: [], previewed: null });
    this.list.replaceChildren();
    // Where there is no pointer to move away, the next touch elsewhere ends what is shown.
    document.addEventListener("pointerdown", ({ target }) => {
      if (this.previewed && !this.previewed.item.contains(target)) this.hide(this.previewed);
    });
  }

  // `isWaiting` tells that lines of this position are on their way: the rows then wait for them.
  show(lines, isWaiting) {
    const known = lines.filter(Boolean);
    while (this.rows.length < known.length) this.rows.push(this.row());
    this.rows.forEach((row, n) => this.fill(row, known[n] || null));
    if (isWaiting && !known.length) return;
    for (const row of this.rows.splice(known.length)) row.item.remove();
  }

  fill(row, line) {
    row.line = line;
    row.item.classList.toggle("waiting", !line);
    if (!line) return this.hide(row);
    row.item.firstChild.title = t("play-line");
    row.share.textContent = percent(line.win_rate, 0);
    row.score.textContent = scoreText(line);
    row.moves.textContent = line.moves.slice(0, MOST_MOVES).map(this.panel.name).join(" ");
    if (this.previewed === row) this.preview(row);
  }

  row() {
    const [share, score, moves] = [element("strong", { class: "share" }), element("span", { class: "score" }), element("span", { class: "found-moves" })];
    const row = { line: null, share, score, moves };
    // The first touch shows the line and the second plays it; a mouse has shown it by then.
    let isTouch = false;
    let wasPreviewed = false;
    row.item = element("li", {
      pointerenter: ({ pointerType }) => { if (pointerType !== "touch") this.preview(row); },
      pointerleave: ({ pointerType }) => { if (pointerType !== "touch") this.hide(row); },
    }, element("button", {
      type: "button", class: "found-line", focus: () => this.preview(row), blur: () => this.hide(row),
      pointerdown: ({ pointerType }) => {
        isTouch = pointerType === "touch";
        wasPreviewed = this.previewed === row;
      },
      click: () => {
        if (!row.line) return;
        if (isTouch && !wasPreviewed) return this.preview(row);
        const { line } = row;
        this.hide(row);
        this.take(line);
      },
    }, share, " ", score, " ", moves));
    this.list.append(row.item);
    return row;
  }

  preview(row) {
    if (!row.line) return;
    this.previewed = row;
    const { color, moves } = row.line;
    const other = color === "black" ? "white" : "black";
    this.panel.point(moves.map((at, n) => ({ at, color: n % 2 === 0 ? color : other, number: n + 1 })));
  }

  hide(row) {
    if (this.previewed !== row) return;
    this.previewed = null;
    this.panel.point(null);
  }
}
