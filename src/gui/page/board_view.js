// The board that people play on: the drawing, and above it a grid of cells that can be clicked, reached by keys and read
// aloud.

import { boardPlaces, CELL, drawBoard } from "../../page/board.js";
import { byId, element } from "../../page/elements.js";
import { pointName } from "../../page/points.js";
import { t } from "./words.js";

// Where there is little room, in one column or in two; there the board is named on two sides only.
const NARROW = matchMedia("(max-width: 599px)");
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Points as texts, each with the labels of what is drawn there.
function labelsByPoint(drawn) {
  const labels = new Map();
  for (const { at, label } of drawn) if (label) labels.set(String(at), [...(labels.get(String(at)) || []), label]);
  return labels;
}

export class BoardView {
  // `onPoint` is called with a point that was chosen, whether by a finger, which may have met its neighbour, and whether it
  // is the second click of a double click.
  constructor(onPoint) {
    this.onPoint = onPoint;
    this.grid = byId("grid");
    this.drawing = byId("board");
    this.cells = [];
    this.shape = "";
    this.cursor = [7, 7];
    this.options = null;
    // A click leaves the arrow keys to those who step through the game: only whoever came to the board by keys has the
    // focus there, and keeps it. Elsewhere it ends as with any other click, so that nobody goes on typing by mistake.
    this.grid.addEventListener("mousedown", (event) => {
      event.preventDefault();
      if (!this.hasFocus) document.activeElement?.blur();
    });
    // Not every browser says with a click what has clicked.
    let pointer = "";
    this.grid.addEventListener("pointerdown", ({ pointerType }) => {
      pointer = pointerType;
    });
    // What was clicked last. Whoever clicks a button twice, or a point, has meant it once, also where the button is gone by
    // then and the board lies under the pointer; another point of the board is always meant.
    let latest = null;
    document.addEventListener(
      "click",
      ({ target }) => {
        if (!this.grid.contains(target)) latest = null;
      },
      true,
    );
    this.grid.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-x]");
      if (!cell) return;
      const isAgain = event.detail > 1 && [null, cell].includes(latest);
      latest = cell;
      this.moveCursor([Number(cell.dataset.x), Number(cell.dataset.y)], this.hasFocus);
      this.onPoint(this.cursor, (event.pointerType ?? pointer) === "touch", isAgain);
    });
    NARROW.addEventListener("change", () => {
      if (this.options) this.show(this.options);
    });
    // What reads the page aloud puts the focus on a cell by itself, and keys then mean that one.
    this.grid.addEventListener("focusin", ({ target }) => {
      const cell = target.closest("[data-x]");
      if (cell) this.moveCursor([Number(cell.dataset.x), Number(cell.dataset.y)], false);
    });
    this.grid.addEventListener("keydown", (event) => this.onKey(event));
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = ARROWS[event.key];
    if (step) {
      const clamp = (n, side) => Math.max(0, Math.min(side - 1, n));
      this.moveCursor(
        [clamp(this.cursor[0] + step[0], this.width), clamp(this.cursor[1] + step[1], this.height)],
        true,
      );
    } else if (event.key === "Enter" || event.key === " ") {
      this.onPoint(this.cursor, false, false);
    } else {
      return;
    }
    event.preventDefault();
  }

  get hasFocus() {
    return this.grid.contains(document.activeElement);
  }

  cellAt([x, y]) {
    return this.cells[y * this.width + x];
  }

  moveCursor(point, focus) {
    const old = this.cellAt(this.cursor);
    if (old) old.tabIndex = -1;
    this.cursor = point;
    const cell = this.cellAt(point);
    cell.tabIndex = 0;
    if (focus) cell.focus();
  }

  // A new grid where the board's size has changed.
  fit(width, height, coordinates, sides) {
    const shape = [width, height, coordinates, sides].join();
    if (shape === this.shape) return;
    Object.assign(this, { shape, width, height });
    const { margin, origin, size } = boardPlaces(width, height, coordinates, sides);
    const part = (length, all) => ((100 * length) / all).toFixed(4) + "%";
    this.grid.parentElement.style.aspectRatio = size[0] + " / " + size[1];
    // The columns of the page depend on the board's form as well.
    document.documentElement.style.setProperty("--board-share", (size[0] / size[1]).toFixed(4));
    Object.assign(this.grid.style, {
      left: part(margin - origin[0], size[0]),
      top: part(margin - origin[1], size[1]),
      width: part(CELL * width, size[0]),
      height: part(CELL * height, size[1]),
      gridTemplateColumns: "repeat(" + width + ", 1fr)",
    });
    this.cells = [];
    const rows = Array.from({ length: height }, (_, y) =>
      element(
        "div",
        { role: "row", class: "row" },
        Array.from({ length: width }, (_, x) => {
          const cell = element("div", { role: "gridcell", class: "cell", tabindex: -1, "data-x": x, "data-y": y });
          this.cells.push(cell);
          return cell;
        }),
      ),
    );
    this.grid.replaceChildren(...rows);
    this.grid.setAttribute("aria-rowcount", height);
    this.grid.setAttribute("aria-colcount", width);
    this.cursor = [Math.min(this.cursor[0], width - 1), Math.min(this.cursor[1], height - 1)];
    this.moveCursor(this.cursor, false);
  }

  // options: those of drawBoard; `next`, the colour of a stone that may be placed, or null; and `isBarred`, which tells of a
  // point whether the opening keeps it from that stone, if there is an opening. What the `label` of a mark
  // or a hint says is read out with its point, that of a stone of a line in place of what lies there, and that of a threat
  // is shown to whoever points at it: the cells lie above the drawing, which nobody reads out. What `shares` say of points,
  // which the heat shows as a colour, is both.
  show(options) {
    const { width, height, stones, rows, next } = options;
    const sides = NARROW.matches ? 2 : 4;
    this.options = options;
    this.fit(width, height, options.coordinates !== false, sides);
    drawBoard(this.drawing, { ...options, sides });
    const there = new Map(stones.map((stone) => [String(stone.at), stone]));
    const foul = new Set((options.forbidden || []).map(String));
    const dead = new Set((options.dead || []).map(String));
    const said = labelsByPoint([
      ...(options.marks || []),
      ...(options.hints || []),
      ...(options.sent ? [options.sent] : []),
      ...(options.shares || []),
    ]);
    const ghosts = labelsByPoint(options.ghosts || []);
    const pointedAt = labelsByPoint([...(options.threats || []), ...(options.shares || [])]);
    this.grid.dataset.next = next || "";
    for (const cell of this.cells) {
      const point = [Number(cell.dataset.x), Number(cell.dataset.y)];
      const stone = there.get(String(point));
      const name = pointName(point, height, rows);
      const what = stone
        ? t(stone.number ? "cell-stone-number" : "cell-stone", { color: t(stone.color), number: stone.number })
        : dead.has(String(point))
          ? t("cell-dead")
          : foul.has(String(point))
            ? t("cell-forbidden")
            : t("cell-empty");
      const label = [name, ...(ghosts.get(String(point)) || [what]), ...(said.get(String(point)) || [])].join(", ");
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      const title = (pointedAt.get(String(point)) || []).join("\n");
      if (cell.title !== title) cell.title = title;
      cell.dataset.point = name;
      const isTaken = stone || dead.has(String(point)) || foul.has(String(point));
      cell.classList.toggle("free", !isTaken && !options.isBarred?.(point));
    }
  }
}
