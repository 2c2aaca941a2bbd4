// Small games for learners: tic-tac-toe and its relatives against perfect play, with the value of every move, the tree of
// what can follow, and what each improvement of the search saves.

import { drawBoard } from "../../page/board.js";
import { byId, element, shape, table } from "../../page/elements.js";
import { pointName, stonesOf, samePoint } from "../../page/points.js";
import { ARROWS } from "./board_view.js";
import { ask, checkField, numberField, select } from "./dialogs.js";
import { count } from "./figures.js";
import { opposite } from "./game.js";
import { settings } from "./store.js";
import { errorText, t } from "./words.js";

// Columns, rows, stones in a row.
const GAMES = [
  [3, 3, 3],
  [4, 3, 3],
  [4, 4, 4],
  [5, 4, 4],
  [4, 4, 3],
];
// What other games may be chosen: the engine keeps (columns + 1) times rows bits in one word.
const LEAST_SIDE = 2;
const MOST_SIDE = 8;
const BITS = 64;
// Empty cells from which the tree is drawn: more of it is no picture any more.
const TREE_FROM = 5;
const LEAF = 40;
const LEVEL = 74;

const METHODS = ["minimax", "alpha_beta", "ordered", "forced", "table"];

class SmallGame {
  constructor(link) {
    this.link = link;
    this.sides = GAMES[0];
    this.moves = [];
    this.opponent = "white";
    this.showsValues = false;
    this.answer = null;
    this.asked = 0;
    // The cell that the arrow keys have reached, which is the one that can be reached with Tab.
    this.cursor = [0, 0];
    this.board = element("div", { class: "small-board", keydown: (event) => this.onKey(event) });
    this.state = element("p", { role: "status", id: "small-state" });
    // While a window is open nothing outside of it is read out.
    this.heard = element("div", { class: "hidden-text", "aria-live": "polite", id: "small-heard" });
    this.figures = element("div", { class: "wide", id: "small-nodes" });
    this.tree = element("div", { class: "wide small-tree", id: "small-tree" });
    this.content = element(
      "div",
      { class: "small-game" },
      element(
        "div",
        { class: "small-choices" },
        select(
          "small-kind",
          t("small-kind"),
          [...GAMES.map(([w, h, k], n) => [n, t("small-name", { w, h, k })]), ["own", t("small-own")]],
          0,
          (n) => (n === "own" ? byId("small-width").focus() : this.choose(GAMES[n])),
        ),
        element(
          "div",
          {
            class: "small-sizes",
            change: () => this.choose(["width", "height", "line"].map((name) => Number(byId("small-" + name).value))),
          },
          [
            ["width", t("columns")],
            ["height", t("rows")],
            ["line", t("small-line")],
          ].map(([name, label], n) =>
            numberField("small-" + name, label, this.sides[n], { min: LEAST_SIDE, max: MOST_SIDE }),
          ),
        ),
        select(
          "small-opponent",
          t("small-opponent"),
          ["white", "black", "nobody"].map((side) => [side, t("small-perfect-" + side)]),
          "white",
          (side) => {
            this.opponent = side;
            this.restart();
          },
        ),
        checkField("small-values", t("small-values"), false, (isOn) => {
          this.showsValues = isOn;
          this.draw();
        }),
        element("button", { type: "button", id: "small-undo", click: () => this.undo() }, t("undo")),
        element("button", { type: "button", id: "small-again", click: () => this.restart() }, t("small-again")),
      ),
      element("div", { class: "small-columns" }, element("div", {}, this.board, this.state, this.heard), this.figures),
      this.tree,
    );
    // Enter in a field takes what stands there, and does not press the button that closes the window.
    for (const field of this.content.querySelectorAll("input")) field.setAttribute("form", "");
  }

  get isOver() {
    return this.answer !== null && this.answer.children.length === 0;
  }

  get toMove() {
    return this.moves.length % 2 === 0 ? "black" : "white";
  }

  // Another game, as near to what was asked for as there is one.
  choose([width, height, line]) {
    const within = (value, most) => Math.min(Math.max(Math.round(value) || LEAST_SIDE, LEAST_SIDE), most);
    const columns = within(width, MOST_SIDE);
    const rows = within(height, Math.min(MOST_SIDE, Math.floor(BITS / (columns + 1))));
    this.sides = [columns, rows, within(line, Math.max(columns, rows))];
    ["width", "height", "line"].forEach((name, n) => {
      byId("small-" + name).value = this.sides[n];
    });
    // What was found out about the game before says nothing of this one.
    this.figures.replaceChildren();
    this.tree.replaceChildren();
    const known = GAMES.findIndex((sides) => String(sides) === String(this.sides));
    byId("small-kind").value = known < 0 ? "own" : known;
    return this.restart();
  }

  restart() {
    this.moves = [];
    return this.refresh();
  }

  undo() {
    this.moves.pop();
    if (this.toMove === this.opponent) this.moves.pop();
    return this.refresh();
  }

  // Asks about the position, and lets the perfect player move where it is its turn. Meanwhile nobody else does. `heard`
  // is the move that it has just made, in words.
  async refresh(heard = "") {
    this.heard.textContent = heard;
    const number = ++this.asked;
    const [width, height, line] = this.sides;
    this.answer = null;
    this.draw();
    const moves = [...this.moves];
    let answer;
    try {
      // Questions are answered one after the other, and those of moves wait as well: what nobody waits for any more is
      // not asked.
      await this.asking?.catch(() => {});
      if (number !== this.asked) return;
      answer = await (this.asking = this.link.ask("small", { width, height, line, moves, full_from: TREE_FROM }));
    } catch (error) {
      if (number !== this.asked) return;
      this.state.textContent = errorText(error);
      // The engine comes back, and whoever waits for it goes on.
      if (error.code === "lost")
        this.link.addEventListener("change", () => number === this.asked && this.state.isConnected && this.refresh(), {
          once: true,
        });
      return;
    }
    if (number !== this.asked) return;
    this.answer = answer;
    if (!this.isOver && this.toMove === this.opponent) {
      const best = answer.children
        .filter(({ value }) => value !== null && value === answer.value)
        .map(({ move }) => move);
      const point = best.length ? best[Math.floor(Math.random() * best.length)] : answer.choice;
      this.moves.push(point);
      return this.refresh(
        t("heard-move", {
          color: t(this.opponent),
          point: pointName(point, height, settings.rows),
          number: this.moves.length,
        }),
      );
    }
    this.draw();
  }

  onKey(event) {
    const step = ARROWS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.moveCursor(
      this.cursor.map((at, n) => at + step[n]),
      true,
    );
  }

  moveCursor(point, focus) {
    const cell = ([x, y]) => this.board.querySelector(`[data-cell="${x},${y}"]`);
    const old = cell(this.cursor);
    if (old) old.tabIndex = -1;
    this.cursor = point.map((at, n) => Math.max(0, Math.min(this.sides[n] - 1, at)));
    cell(this.cursor).tabIndex = 0;
    if (focus) cell(this.cursor).focus();
  }

  play(point) {
    this.moveCursor(point, false);
    if (!this.answer || !this.answer.children.some(({ move }) => samePoint(move, point))) return;
    this.moves.push(point);
    this.refresh();
  }

  draw() {
    const [width, height] = this.sides;
    const drawing = shape("svg", { class: "board", "aria-hidden": "true" });
    const children = this.answer ? this.answer.children : [];
    const shown = this.showsValues ? children.filter(({ value }) => value) : [];
    drawBoard(drawing, {
      width,
      height,
      stones: stonesOf(this.moves),
      coordinates: false,
      last: this.moves[this.moves.length - 1],
      hints: shown.map(({ move, value }) => ({
        at: move,
        rank: { win: 0, draw: 1, loss: 3 }[value],
        text: t("short-" + value),
      })),
    });
    const cells = element(
      "div",
      { class: "small-cells", role: "group", "aria-label": t("board") },
      Array.from({ length: width * height }, (_, n) => {
        const point = [n % width, Math.floor(n / width)];
        const index = this.moves.findIndex((move) => samePoint(move, point));
        const child = children.find(({ move }) => samePoint(move, point));
        // A cell that is taken keeps the focus and says what lies on it.
        return element("button", {
          type: "button",
          class: "small-cell",
          "aria-disabled": child ? undefined : "true",
          tabindex: -1,
          "data-cell": point.join(),
          click: () => this.play(point),
          "aria-label":
            pointName(point, height, settings.rows) +
            ", " +
            (index >= 0 ? t(index % 2 === 0 ? "black" : "white") : t("cell-empty")) +
            (child && child.value && this.showsValues ? ", " + t("value-" + child.value) : ""),
        });
      }),
    );
    cells.style.gridTemplateColumns = "repeat(" + width + ", 1fr)";
    // Who plays by keys stays on the board, whose cells are all new.
    const hasFocus = this.board.contains(document.activeElement);
    this.board.replaceChildren(drawing, cells);
    this.moveCursor(this.cursor, hasFocus);
    if (!this.answer) {
      this.state.textContent = t(this.link.isAway ? "engine-waited" : "thinking");
      return;
    }
    const { value } = this.answer;
    const color = t(this.toMove);
    this.state.textContent = this.isOver
      ? value === "draw"
        ? t("small-drawn")
        : t("small-won", { color: t(opposite(this.toMove)) })
      : t("small-to-move", { color }) +
        (value === null ? " " + t("small-unsolved") : this.showsValues ? " " + t("small-worth-" + value) : "");
    const { nodes } = this.answer;
    this.figures.replaceChildren(
      table(
        [t("small-method"), t("nodes")],
        METHODS.map((method) => [t("method-" + method), nodes[method] === null ? t("too-many") : count(nodes[method])]),
        t("small-nodes-note"),
      ),
    );
    this.drawTree();
  }

  drawTree() {
    if (!this.answer.tree) {
      this.tree.replaceChildren(element("p", { class: "dim" }, t("small-tree-later", { n: TREE_FROM })));
      return;
    }
    const [width, height] = this.sides;
    const parts = [];
    let leaves = 0;
    let depth = 0;
    const cell = Math.min(9, 30 / Math.max(width, height));
    const visit = (node, moves, level, isCut) => {
      depth = Math.max(depth, level);
      const cut = isCut || node.cut;
      const places = node.children.map((child) => visit(child, [...moves, child.move], level + 1, cut));
      const x = places.length ? (places[0].x + places[places.length - 1].x) / 2 : LEAF * (leaves++ + 0.5);
      const y = LEVEL * level + 8;
      for (const place of places)
        parts.push(
          shape("path", {
            class: "branch" + (place.cut ? " cut" : ""),
            d: `M${x} ${y + cell * height + 14}L${place.x} ${place.y}`,
          }),
        );
      const group = shape("g", {
        class: "tree-node" + (cut ? " cut" : ""),
        transform: `translate(${x - (cell * width) / 2} ${y})`,
      });
      group.append(shape("rect", { class: "wood", width: cell * width, height: cell * height, rx: 2 }));
      moves.forEach(([mx, my], n) =>
        group.append(
          shape("circle", {
            class: "tree-stone " + (n % 2 === 0 ? "black" : "white") + (n === moves.length - 1 ? " newest" : ""),
            cx: cell * (mx + 0.5),
            cy: cell * (my + 0.5),
            r: cell * 0.4,
          }),
        ),
      );
      const window = node.alpha === undefined || node.alpha === null ? "" : ` (α ${node.alpha}, β ${node.beta})`;
      group.append(
        shape(
          "text",
          { class: "tree-value", x: (cell * width) / 2, y: cell * height + 11, "text-anchor": "middle" },
          node.value > 0 ? "+1" : node.value < 0 ? "−1" : "0",
        ),
        shape(
          "title",
          {},
          t(node.value > 0 ? "tree-black-wins" : node.value < 0 ? "tree-white-wins" : "tree-draw") +
            window +
            (cut ? ", " + t("tree-cut") : ""),
        ),
      );
      parts.push(group);
      return { x, y, cut };
    };
    const root = visit(this.answer.tree, [...this.moves], 0, false);
    const size = [Math.max(LEAF * leaves, 60), LEVEL * (depth + 1)];
    this.tree.replaceChildren(
      element("p", { class: "dim small-tree-note" }, t("small-tree-note")),
      shape(
        "svg",
        {
          width: size[0],
          height: size[1],
          viewBox: "0 0 " + size.join(" "),
          role: "img",
          "aria-label": t("small-tree-note"),
        },
        parts,
      ),
    );
    this.tree.scrollLeft = root.x - this.tree.clientWidth / 2;
  }
}

export async function showSmallGames(link) {
  const game = new SmallGame(link);
  const closed = ask(
    t("small-games"),
    [element("p", { class: "dim" }, t("small-note")), game.content],
    [["close", "close", true]],
    { id: "small-dialog", wide: true },
  );
  await game.restart();
  byId("small-kind")?.focus();
  return closed;
}
