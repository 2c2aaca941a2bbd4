// The moves as a tree: the main line, and after each move the other ways in brackets.

import { byId, element } from "../../page/elements.js";
import { pointName } from "../../page/points.js";
import { betterMove, judgement } from "./analysis.js";
import { t } from "./words.js";

// Games longer than this show the part around the current move only; nobody reads more at a time.
const MOST_SHOWN = 1500;

// What stands beside the numbers in a line of an engine's figures.
const FIGURES = new Set(["ms", "s", "score", "depth", "nodes", "time", "eval", "nps"]);

// A comment without the lines in which an engine tells depths, scores and times; a library leaves out the same ones.
export function withoutFigures(comment) {
  return comment
    .split("\n")
    .filter((line) => !isReport(line))
    .join("\n");
}

// Whether a line was written by a program: a message of an engine, numbers with their units and names, or what
// c-gomoku-cli writes at moves of an opening.
function isReport(line) {
  if (/^(MESSAGE|DEBUG) /.test(line) || line.trim() === "opening move") return true;
  const words = line
    .split(/[\s,:/]/)
    .map((word) => word.replace(/[^\p{L}]/gu, "").toLowerCase())
    .filter(Boolean);
  return /[0-9]/.test(line) && words.length > 0 && words.every((word) => FIGURES.has(word));
}

export class MoveList {
  constructor(goTo) {
    Object.assign(this, {
      goTo,
      box: byId("moves"),
      nodes: new Map(),
      buttons: new Map(),
      drawn: "",
      root: null,
      current: null,
    });
    this.box.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-node]");
      if (button) this.goTo(this.nodes.get(button.dataset.node));
    });
  }

  // Draws the tree where it has changed, and marks the current move. Whoever has scrolled elsewhere stays there until
  // another move is the current one.
  show(game, rows) {
    const drawn = this.signature(game, rows);
    const isNew = drawn !== this.drawn || game.root !== this.root;
    if (isNew) this.draw(game, rows);
    Object.assign(this, { drawn, root: game.root });
    if (!isNew && game.current === this.current) return;
    const before = this.buttons.get(this.current);
    if (before) before.removeAttribute("aria-current");
    const button = this.buttons.get(game.current);
    if (button) button.setAttribute("aria-current", "true");
    if (button && game.current !== this.current) this.scrollTo(button);
    this.current = game.current;
  }

  // All that the list shows, but for which move is the current one.
  signature(game, rows) {
    return (
      game
        .nodes()
        .map((node) => [node.color, node.move, node.children.length, judgement(node), node.comment].join())
        .join(";") + [rows, game.height, document.documentElement.lang].join()
    );
  }

  scrollTo(button) {
    const top = button.offsetTop - this.box.offsetTop;
    if (top < this.box.scrollTop || top > this.box.scrollTop + this.box.clientHeight - 30)
      this.box.scrollTop = top - this.box.clientHeight / 2;
  }

  draw(game, rows) {
    const focused = document.activeElement.closest("#moves button");
    const hadFocus = focused && this.nodes.get(focused.dataset.node);
    const { scrollTop } = this.box;
    this.nodes.clear();
    this.buttons.clear();
    this.left = MOST_SHOWN;
    const name = (point) => pointName(point, game.height, rows);
    const start = this.button(game.root, { class: "move start" }, t("start-position"));
    this.box.replaceChildren(
      start,
      ...this.said(game.root, "p"),
      element("div", { class: "line-of-moves" }, this.line(game.root, 1, name)),
    );
    this.box.scrollTop = scrollTop;
    const button = this.buttons.get(hadFocus);
    if (button) button.focus({ preventScroll: true });
  }

  button(node, attributes, ...content) {
    const key = String(this.nodes.size);
    const button = element("button", { type: "button", "data-node": key, ...attributes }, ...content);
    this.nodes.set(key, node);
    this.buttons.set(node, button);
    return button;
  }

  // What people have said of a node. Where an engine has written its figures there is a dot that shows them to whoever
  // points at it; the field for the comment has all of it.
  said({ comment }, kind) {
    if (!comment) return [];
    const words = withoutFigures(comment);
    const figures =
      words === comment ? null : element("span", { class: "figures", title: comment, "aria-hidden": "true" }, "•");
    return [words ? element(kind, { class: "comment" }, words) : null, figures].filter(Boolean);
  }

  // The moves after a node, with their variations.
  line(node, ply, name) {
    const parts = [];
    let at = node;
    let number = ply;
    while (at.children.length && this.left-- > 0) {
      const [first, ...others] = at.children;
      parts.push(...this.move(first, number, name));
      for (const other of others)
        parts.push(
          element("div", { class: "variation" }, this.move(other, number, name), this.line(other, number + 1, name)),
        );
      at = first;
      number++;
    }
    if (at.children.length) parts.push(element("span", { class: "dim" }, " …"));
    return parts;
  }

  // A move, what would have been better where it was a mistake, and what is said of it.
  move(node, number, name) {
    const sign = judgement(node);
    const better = betterMove(node);
    return [
      this.button(
        node,
        {
          class: "move " + (node.color || "") + (sign ? " doubtful" : ""),
          title: sign ? t(sign === "??" ? "blunder" : "mistake") : undefined,
        },
        element("span", { class: "number" }, String(number)),
        " ",
        node.color
          ? element("span", { class: "stone-mark " + node.color, role: "img", "aria-label": t(node.color) })
          : null,
        " " + (node.move ? name(node.move) : t("set-up")) + sign,
      ),
      better ? element("span", { class: "better" }, t("better-was", { point: name(better) })) : null,
      ...this.said(node, "span"),
    ].filter(Boolean);
  }
}
