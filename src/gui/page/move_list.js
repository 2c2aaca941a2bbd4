// The moves as a tree: the main line, and after each move the other ways in blocks of their own.

import { byId, element } from "../../page/elements.js";
import { pointName } from "../../page/points.js";
import { betterLine, betterMove, signOf } from "./hindsight.js";
import { mover } from "./game.js";
import { t } from "./words.js";

// Of trees with more nodes only the part around the current move is shown; nobody reads more at a time.
const MOST_SHOWN = 1500;

// What stands beside the numbers in a line of an engine's figures.
const FIGURES = new Set(["ms", "s", "score", "depth", "nodes", "time", "eval", "nps"]);

// A comment without the lines in which an engine tells depths, scores and times; a library leaves out the same ones.
function withoutFigures(comment) {
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

// What a node without a move is called.
function otherWord({ setup, color }) {
  return t(setup ? "set-up" : color ? "pass" : "comment");
}

// A node in words, for those who hear the page.
export function heardText(game, node, rows) {
  if (node.move)
    return t("heard-move", {
      color: t(node.color),
      point: pointName(node.move, game.height, rows),
      number: game.ply(node),
    });
  if (!node.parent) return t("start-position");
  const color = mover(node);
  return (color ? t(color) + ", " : "") + otherWord(node);
}

// The part of a large tree that is shown: the line through the current move, unless that is very long; what branches
// off it, first of all near that move; and what branches off that.
function nearby(game) {
  const line = game.shownLine();
  const at = line.indexOf(game.current);
  const byDistance = line
    .map((node, n) => ({ node, distance: Math.abs(n - at) }))
    .sort((one, other) => one.distance - other.distance);
  const nodes = new Set(byDistance.slice(0, MOST_SHOWN / 2).map(({ node }) => node));
  // What is added on the way is gone through as well.
  for (const { children } of nodes) for (const child of children) if (nodes.size < MOST_SHOWN) nodes.add(child);
  return nodes;
}

export class MoveList {
  constructor(play) {
    Object.assign(this, {
      box: byId("moves"),
      shown: new Set(),
      nodes: new Map(),
      buttons: new Map(),
      drawn: "",
      root: null,
      current: null,
      stop: null,
    });
    this.box.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (!button) return;
      const node = this.nodes.get(button.dataset.node);
      if (button.matches(".better")) play.tryLine(node.parent, betterLine(node));
      else play.goTo(node);
    });
    this.box.addEventListener("focusin", ({ target }) => {
      const button = target.closest("button");
      if (button) this.stopAt(button);
    });
    this.box.addEventListener("keydown", (event) => this.onKey(event));
  }

  // The tab key stops at one move only, from which arrows go to the others; those to the sides step through the game.
  stopAt(button) {
    if (this.stop) this.stop.tabIndex = -1;
    this.stop = button;
    button.tabIndex = 0;
  }

  onKey(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const buttons = [...this.box.querySelectorAll("button")];
    const at = buttons.indexOf(event.target);
    if (!step || at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    buttons[at + step]?.focus();
    event.preventDefault();
  }

  // Draws the tree where it has changed, and marks the current move. Whoever has scrolled elsewhere stays there until
  // another move is the current one.
  show(game, rows) {
    const isMoved = game.current !== this.current;
    const isNew =
      game.root !== this.root || this.signature(game, rows) !== this.drawn || (isMoved && !this.isAround(game.current));
    if (isNew) {
      this.draw(game, rows);
      Object.assign(this, { drawn: this.signature(game, rows), root: game.root });
    }
    if (!isNew && !isMoved) return;
    const before = this.buttons.get(this.current);
    if (before) before.removeAttribute("aria-current");
    const button = this.buttons.get(game.current);
    if (button) button.setAttribute("aria-current", "true");
    if (button && isMoved) this.scrollTo(button);
    this.stopAt(button ?? this.buttons.get(game.root));
    this.current = game.current;
  }

  // Whether the list shows a node with what stands before it and after it.
  isAround(node) {
    return [node, node.parent ?? node, ...node.children].every((one) => this.shown.has(one));
  }

  // All that the list shows, but for which move is the current one. Whatever is added to the tree or taken away follows a
  // node that is shown, or is left out of sight.
  signature(game, rows) {
    const ofNode = (node) => {
      const sign = signOf(node);
      const place = node.parent ? node.parent.children.indexOf(node) : 0;
      const { color, move, children, comment } = node;
      return [color, move, place, children.length, sign, sign && betterMove(node), comment].join();
    };
    return [...this.shown].map(ofNode).join(";") + [rows, game.height, document.documentElement.lang].join();
  }

  // A move that is out of sight comes to the middle; deep in variations it may lie beside what is seen.
  scrollTo(button) {
    const [box, move] = [this.box, button].map((node) => node.getBoundingClientRect());
    const { clientWidth, clientHeight } = this.box;
    if (move.top < box.top || move.bottom > box.top + clientHeight)
      this.box.scrollTop += move.top - box.top - clientHeight / 2;
    if (move.left < box.left || move.right > box.left + clientWidth)
      this.box.scrollLeft += (move.left + move.right - clientWidth) / 2 - box.left;
  }

  draw(game, rows) {
    const focused = document.activeElement.closest("#moves button");
    const hadFocus = focused && this.nodes.get(focused.dataset.node);
    const { scrollLeft, scrollTop } = this.box;
    this.nodes.clear();
    this.buttons.clear();
    const nodes = game.nodes();
    this.shown = nodes.length > MOST_SHOWN ? nearby(game) : new Set(nodes);
    const first = game.pathTo().find((node) => this.shown.has(node));
    const before = first.parent ?? first;
    const name = (point) => pointName(point, game.height, rows);
    const start = this.button(game.root, { class: "move start" }, t("start-position"));
    this.box.replaceChildren(
      start,
      ...this.said(game.root, "p"),
      element(
        "div",
        { class: "line-of-moves" },
        first.parent ? this.gap() : null,
        this.line(before, game.ply(before), name),
      ),
    );
    Object.assign(this.box, { scrollLeft, scrollTop });
    const button = this.buttons.get(hadFocus);
    if (button) button.focus({ preventScroll: true });
  }

  button(node, attributes, ...content) {
    const key = String(this.nodes.size);
    const button = element("button", { type: "button", tabindex: -1, "data-node": key, ...attributes }, ...content);
    this.nodes.set(key, node);
    this.buttons.set(node, button);
    return button;
  }

  // What would have been better than the move of a node: it is shown as a variation where it is chosen.
  better(node, point) {
    const key = this.buttons.get(node).dataset.node;
    const attributes = { type: "button", tabindex: -1, class: "better", "data-node": key, title: t("show-better") };
    return element("button", attributes, t("better-was", { point }));
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

  // Something is left out here.
  gap() {
    return element("span", { class: "dim" }, " … ");
  }

  // The moves after a node, with their variations; `ply` is how many moves were played up to it.
  line(node, ply, name) {
    const parts = [];
    let at = node;
    let before = ply;
    while (at.children.length) {
      const shown = at.children.filter((child) => this.shown.has(child));
      const numbers = shown.map(({ move }) => before + (move ? 1 : 0));
      shown.forEach((child, n) => {
        const move = this.move(child, numbers[n], name);
        if (n === 0) parts.push(...move);
        else parts.push(element("div", { class: "variation" }, move, this.line(child, numbers[n], name)));
      });
      if (shown.length < at.children.length) parts.push(this.gap());
      if (!shown.length) break;
      [at] = shown;
      [before] = numbers;
    }
    return parts;
  }

  // A move with its number, what would have been better where it was a mistake, and what is said of it.
  move(node, number, name) {
    const sign = signOf(node);
    const better = betterMove(node);
    const color = mover(node);
    return [
      this.button(
        node,
        {
          class: "move " + (color || "") + (sign ? " doubtful" : ""),
          title: sign ? t(sign === "??" ? "blunder" : "mistake") : undefined,
        },
        node.move ? element("span", { class: "number" }, String(number)) : null,
        " ",
        color ? element("span", { class: "stone-mark " + color, role: "img", "aria-label": t(color) }) : null,
        " " + (node.move ? name(node.move) : otherWord(node)) + sign,
      ),
      better ? this.better(node, name(better)) : null,
      ...this.said(node, "span"),
    ].filter(Boolean);
  }
}
