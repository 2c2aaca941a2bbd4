// The panel of a library of positions: what was played here, how often, how it ended, and what the engine says of it.

import { scoreText } from "./analysis.js";
import { select } from "./dialogs.js";
import { count, percent } from "./figures.js";
import { Preview } from "./preview.js";
import { setSetting, settings } from "./store.js";
import { errorText, t } from "./words.js";
import { byId, element, table } from "../../page/elements.js";

// The expected score that the engine gives away for variety, for each way of playing from a library.
const VARIETY = { best: 0, varied: 0.03, free: 0.1 };
const MOST_MOVES = 12;

export class LibraryPanel {
  constructor(link, play, analysis) {
    Object.assign(this, { link, play, analysis, node: null, asked: null, panel: null, page: null });
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
    const share = (value) => (value === null ? "" : percent(value));
    const more = page.moves.length - MOST_MOVES;
    moves.replaceChildren(
      table(
        [t("library-move"), t("library-games"), t("black"), t("white"), t("library-engine"), t("library-said")],
        page.moves
          .slice(0, MOST_MOVES)
          .map((found) => [
            this.button(found),
            found.games ? count(found.games) : "",
            share(found.black),
            share(found.white),
            judgement(found),
            [labels.get(String(found.move)), found.tag, found.comment.split("\n")[0]]
              .filter(Boolean)
              .join(" ")
              .slice(0, 60),
          ]),
      ),
      more > 0 ? element("p", { class: "dim" }, t("library-more", { n: more })) : "",
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
        ...this.preview.listeners(found, () => {
          if (this.play.match.mode === "analyse") this.play.place(found.move);
        }),
      },
      this.panel.name(found.move),
    );
  }
}

// What the engine or a proof says.
function judgement(entry) {
  if (entry.win_rate === null) return "";
  const proof = entry.proved ? " ✓" : "";
  if (entry.outcome && entry.plies_to_end === null) return t("outcome-" + entry.outcome) + proof;
  if (entry.plies_to_end !== null) return scoreText(entry) + proof;
  return percent(entry.win_rate) + proof;
}
