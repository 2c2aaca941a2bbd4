// The panel of a library of positions: what was played here, how often, how it ended, and what the engine says of it.

import { scoreText } from "./analysis.js";
import { select } from "./dialogs.js";
import { count, percent } from "./figures.js";
import { areKeysInUse } from "./focus.js";
import { areAlike } from "./openings.js";
import { Preview } from "./preview.js";
import { setSetting, settings } from "./store.js";
import { errorText, t } from "./words.js";
import { byId, element, table } from "../../page/elements.js";

// The expected score that the engine gives away for variety, for each way of playing from a library.
const VARIETY = { best: 0, varied: 0.03, free: 0.1 };
const MOST_MOVES = 12;

export class LibraryPanel {
  constructor(link, play, analysis) {
    Object.assign(this, { link, play, analysis, node: null, asked: null, panel: null, page: null, isLedByKeys: false });
    this.preview = new Preview(
      ({ move }) => [{ at: move, color: play.game.toMove(this.node), number: 1 }],
      (shown) => this.panel.point(shown),
    );
  }

  build(panel) {
    this.panel = panel;
    byId("library-buttons").replaceChildren(
      select(
        "library-book",
        t("library-book"),
        ["off", ...Object.keys(VARIETY)].map((name) => [name, t("book-" + name)]),
        settings.book,
        (name) => setSetting("book", name),
      ),
    );
    this.draw();
  }

  // How the engine plays from the library, as it is asked for; nothing if it does not.
  book() {
    if (!(settings.book in VARIETY)) return undefined;
    return { variety: VARIETY[settings.book], seed: Math.floor(Math.random() * 2 ** 32) };
  }

  // Asks for the position that is shown, unless it has been asked for already.
  async show(isThere) {
    byId("library-card").hidden = !isThere;
    if (!isThere) return;
    const node = this.play.game.current;
    const isAllowed = this.analysis.isAllowed;
    if (node === this.node && isAllowed === this.wasAllowed) return;
    Object.assign(this, { node, wasAllowed: isAllowed, page: null, asked: null });
    this.draw();
    if (!isAllowed) return;
    const asked = this.link.ask("library", { position: this.play.game.position(node) });
    this.asked = asked;
    let page;
    try {
      page = await asked;
    } catch (error) {
      if (this.asked !== asked) return;
      // Asked again when the engine is back.
      if (error.code === "lost") return this.forget();
      page = { entry: null, moves: [], error: errorText(error) };
    }
    if (this.asked !== asked) return;
    this.page = page;
    this.draw();
    this.passFocus();
  }

  // Whoever goes through the library by keys goes on at the first move that it has next, or else at the board.
  passFocus() {
    if (this.isLedByKeys && document.activeElement === document.body) {
      const next = byId("library-moves").querySelector("button");
      if (next) next.focus();
      else this.panel.toBoard();
    }
    this.isLedByKeys = false;
  }

  // What is shown next is asked for, even if it is the same node: another game may have it under another rule.
  forget() {
    this.node = this.asked = null;
  }

  draw() {
    this.preview.end();
    const { page } = this;
    const state = byId("library-state");
    const comment = byId("library-comment");
    const moves = byId("library-moves");
    const known = page && page.entry;
    // That Kagetsu does not help is said once, in the card of the analysis.
    state.textContent =
      !this.wasAllowed || !page
        ? ""
        : page.error
          ? page.error
          : !known && !page.moves.length
            ? t("library-unknown")
            : known
              ? this.summary(known)
              : t("library-moves-only");
    comment.textContent = known ? known.comment : "";
    comment.hidden = !comment.textContent;
    if (!page || !page.moves.length) return moves.replaceChildren();
    const labels = new Map(
      (known ? known.marks : []).filter(({ kind }) => kind === "label").map(({ point, text }) => [String(point), text]),
    );
    const different = this.unalike(page.moves);
    const more = different.length - MOST_MOVES;
    moves.replaceChildren(
      this.movesTable(different.slice(0, MOST_MOVES), labels),
      more > 0 ? element("p", { class: "dim" }, t("library-more", { n: more })) : "",
    );
  }

  // The first of all moves that are the same when the board is turned or mirrored: of each, the library knows the same.
  unalike(moves) {
    const { width, height } = this.play.game;
    const { stones } = this.play.game.standing(this.node);
    const found = [];
    for (const move of moves)
      if (!found.some((other) => areAlike(other.move, move.move, stones, width, height))) found.push(move);
    return found;
  }

  // What is known of these moves; a column in which nothing would stand is left out.
  movesTable(found, labels) {
    const share = (value) => (value === null ? "" : percent(value));
    const columns = [
      [t("library-move"), (move) => this.button(move)],
      [t("library-games"), ({ games }) => (games ? count(games) : "")],
      [t("black"), ({ black }) => share(black)],
      [t("white"), ({ white }) => share(white)],
      [t("library-engine"), judgement],
      [t("library-said"), (move) => said(move, labels)],
    ]
      .map(([head, cell]) => ({ head, cells: found.map(cell) }))
      .filter(({ cells }) => cells.some((content) => content !== ""));
    return table(
      columns.map(({ head }) => head),
      found.map((_, row) => columns.map(({ cells }) => cells[row])),
    );
  }

  summary(entry) {
    const parts = [];
    if (entry.games)
      parts.push(
        t("library-played", { n: count(entry.games), black: entry.black === null ? "–" : percent(entry.black) }),
      );
    if (entry.win_rate !== null) parts.push(t("library-worth", { worth: judgement(entry) }));
    return parts.join(" ") || t("library-known");
  }

  button(found) {
    return element(
      "button",
      {
        type: "button",
        class: "library-move",
        // In a game it only shows where the move is.
        "aria-disabled": this.play.match.mode === "analyse" ? undefined : "true",
        ...this.preview.listeners(found, () => {
          if (this.play.match.mode !== "analyse") return;
          this.isLedByKeys = areKeysInUse();
          this.play.place(found.move);
        }),
      },
      this.panel.name(found.move),
    );
  }
}

// The beginning of what people have said of a move: its letter on the board, its tag, and its comment.
function said({ move, tag, comment }, labels) {
  return [labels.get(String(move)), tag, comment.split("\n")[0]].filter(Boolean).join(" ").slice(0, 60);
}

// What the engine or a proof says.
function judgement(entry) {
  if (entry.win_rate === null) return "";
  const proof = entry.proved ? " ✓" : "";
  if (entry.outcome && entry.plies_to_end === null) return t("outcome-" + entry.outcome) + proof;
  if (entry.plies_to_end !== null) return scoreText(entry) + proof;
  return percent(entry.win_rate) + proof;
}
