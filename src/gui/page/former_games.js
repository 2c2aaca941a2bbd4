// The window that lists the games that were played in this browser, the latest first: to look at them again, to play on,
// to save them all, and to delete them.

import { boardPlaces, CELL } from "../../page/board.js";
import { byId, element, icon, shape } from "../../page/elements.js";
import { followGames, forgetGame, formerGames, gameOf } from "./archive.js";
import { isRuleAssumed } from "./assumed_rule.js";
import { localDate } from "./clock.js";
import { ask, confirm, CROSS } from "./dialogs.js";
import { nameGame } from "./exchange.js";
import { download, writeGame } from "./files.js";
import { withItsResult } from "./result.js";
import { isUsable } from "./storage.js";
import { followLeftGames, forgetLeftGames, noteLeftGames } from "./store.js";
import { strengthName } from "./strength.js";
import { playerName, resultText } from "./view.js";
import { localeTag, t } from "./words.js";

// The position as a picture of a few parts: a list has many of them.
function picture({ width, height }, stones) {
  const { place, size } = boardPlaces(width, height, false);
  const [right, bottom] = [place(width - 1), place(height - 1)];
  let grid = "";
  for (let x = 0; x < width; x++) grid += "M" + place(x) + " " + place(0) + "V" + bottom;
  for (let y = 0; y < height; y++) grid += "M" + place(0) + " " + place(y) + "H" + right;
  const r = 0.47 * CELL;
  const discs = (color) =>
    stones
      .filter((stone) => stone.color === color)
      .map(({ at: [x, y] }) => `M${place(x) - r} ${place(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`)
      .join("");
  const last = stones.findLast(({ number }) => number);
  return shape(
    "svg",
    { class: "small-picture", viewBox: "0 0 " + size.join(" "), "aria-hidden": "true" },
    shape("rect", { class: "wood", width: size[0], height: size[1], rx: 12 }),
    shape("path", { class: "lines", d: grid }),
    ...["black", "white"].map((color) => shape("path", { class: "discs " + color, d: discs(color) })),
    last &&
      shape("circle", {
        class: last.color === "black" ? "last on-black" : "last",
        cx: place(last.at[0]),
        cy: place(last.at[1]),
        r: CELL * 0.2,
      }),
  );
}

// What is said of a game: its players, how it ended, when it was played.
function factsOf({ at, state }) {
  const { match, options } = state;
  const game = gameOf(state);
  const { stones } = game.standing();
  const playerAt = (color) => match.players[match.sides[color]];
  return {
    game,
    stones,
    name: (color) => playerName(playerAt(color), color),
    level: (color) => (playerAt(color).kind === "engine" ? strengthName(options.strength) : ""),
    result: match.result ? resultText({ playerAt }, match.result) : t("unfinished"),
    moves: t("summary-moves", { n: game.ply() }),
    date: new Intl.DateTimeFormat(localeTag(), { dateStyle: "medium", timeStyle: "short" }).format(at),
    board: t("rule-" + game.rule) + " " + game.width + "×" + game.height,
  };
}

// Facts in a line; where it is broken, the dot between two of them stays above.
function joined(facts) {
  return facts.filter(Boolean).join("\u00a0· ");
}

class FormerGames {
  constructor(exchange) {
    this.exchange = exchange;
    this.list = element("ul", { id: "former-list", class: "former-list", keydown: (event) => this.onKey(event) });
    this.note = element("p", { id: "former-note", class: "dim", role: "status" });
    this.chosen = null;
  }

  // An entry that is damaged is none.
  read() {
    this.entries = formerGames().flatMap((entry) => {
      try {
        return [{ ...entry, facts: factsOf(entry) }];
      } catch {
        return [];
      }
    });
  }

  // The game on the board is one of them if it is over, or was left before.
  isShown({ state }) {
    const { game, match } = this.exchange.play;
    return !game.isEmpty && state.match.id === (match.id ?? match.seed);
  }

  draw() {
    const focused = document.activeElement;
    const kept =
      focused && this.list.contains(focused)
        ? {
            key: focused.closest("li").dataset.key,
            place: [...this.list.children].indexOf(focused.closest("li")),
            what: focused.className,
          }
        : null;
    this.read();
    this.list.replaceChildren(...this.entries.map((entry) => this.row(entry)));
    this.list.hidden = !this.entries.length;
    this.note.textContent = this.entries.length ? t("former-note") : t(isUsable() ? "former-none" : "former-not-kept");
    for (const choice of ["save-all", "delete-all"])
      byId("former-dialog").querySelector("[data-choice=" + choice + "]").hidden = !this.entries.length;
    if (kept)
      this.focus(
        [...this.list.children].find(({ dataset }) => dataset.key === kept.key) ||
          this.list.children[Math.min(kept.place, this.list.children.length - 1)],
        kept.what,
      );
  }

  focus(row, what) {
    if (row) row.querySelector("." + what).focus();
    else byId("former-dialog").querySelector("button.main").focus();
  }

  row(entry) {
    const { game, stones, name, level, result, moves, date, board } = entry.facts;
    const side = (color) =>
      element(
        "span",
        {},
        element("span", { class: "stone-mark " + color, role: "img", "aria-label": t(color) }),
        " ",
        element("strong", {}, name(color)),
        " ",
        element("span", { class: "dim" }, level(color)),
      );
    const isShown = this.isShown(entry);
    return element(
      "li",
      { "data-key": entry.key },
      element(
        "button",
        {
          type: "button",
          class: "former-open",
          "aria-current": isShown ? "true" : undefined,
          click: () => this.choose(entry),
        },
        picture(game, stones),
        element(
          "span",
          { class: "former-words" },
          element("span", { class: "former-players" }, side("black"), " ", side("white")),
          " ",
          element("span", {}, result),
          " ",
          element("span", { class: "dim" }, joined([isShown ? t("on-the-board") : null, date, board, moves])),
        ),
      ),
      element(
        "button",
        {
          type: "button",
          class: "former-delete",
          "aria-label": t("delete-game", { date }),
          title: t("remove-move"),
          click: () => this.remove(entry),
        },
        icon(CROSS),
      ),
    );
  }

  // Arrows lead to the same button of another game, and Delete deletes the game that has the focus.
  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const row = event.target.closest("li");
    const rows = [...this.list.children];
    const at = rows.indexOf(row);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === "Delete") this.remove(this.entries[at]);
    else if (to === undefined) return;
    else if (rows[to]) this.focus(rows[to], event.target.className);
    event.preventDefault();
  }

  choose(entry) {
    if (!this.isShown(entry)) this.chosen = entry;
    byId("former-dialog").close("open");
  }

  async remove(entry) {
    const { date, name } = entry.facts;
    if (
      !(await confirm(
        t("delete-game-question", { date, black: name("black"), white: name("white") }),
        "remove-move",
        "cancel",
      ))
    )
      return;
    this.forget([entry]);
  }

  forget(entries) {
    for (const { key } of entries) forgetGame(key);
    forgetLeftGames(entries.map(({ state: { match } }) => match.id));
    this.draw();
  }

  // Games that come into the list meanwhile were not asked about.
  async removeAll() {
    const { entries } = this;
    if (!(await confirm(t("delete-all-question", { n: entries.length }), "delete-all", "cancel"))) return;
    this.forget(entries);
    this.focus();
  }

  // A collection in the order in which the games were played. One that SGF cannot say is left out, and that is told.
  async save() {
    const texts = [];
    const { entries } = this;
    for (const {
      at,
      state,
      facts: { game },
    } of [...entries].reverse()) {
      nameGame(game, state, at);
      try {
        const { link, version } = this.exchange;
        const stand = state.match.isOpened ? null : game.current;
        const options = { stand, isRuleAssumed: isRuleAssumed(state.match) };
        texts.push(await writeGame(link, await withItsResult(link, game, state.match), "sgf", version, options));
      } catch (error) {
        if (error.code !== "not-possible") throw error;
      }
    }
    download("kagetsu-" + localDate() + ".sgf", texts.join(""), "application/x-go-sgf");
    const left = entries.length - texts.length;
    if (left) this.note.textContent = t("not-all-saved", { n: left });
  }

  // What the buttons below the list do; the window stays open until it is closed.
  async accept(value) {
    if (value === "save-all") await this.save();
    if (value === "delete-all") await this.removeAll();
    return false;
  }
}

export async function showFormerGames(exchange) {
  exchange.noteAgain();
  const former = new FormerGames(exchange);
  const closed = ask(
    t("former-games"),
    [former.note, former.list],
    [
      ["save-all", "save-all"],
      ["delete-all", "delete-all"],
      ["close", "close", true],
    ],
    { id: "former-dialog", accept: (value) => former.accept(value) },
  );
  former.draw();
  former.focus(former.list.children[0], "former-open");
  // Tabs are closed before the list is opened and while it is open.
  let isOpen = true;
  const look = async () => {
    if ((await noteLeftGames()) && isOpen) former.draw();
  };
  look();
  const unfollow = [followGames(() => former.draw()), followLeftGames(look)];
  // The game on the board may end meanwhile.
  const onEnd = ({ detail: what }) => {
    if (what === "end") former.draw();
  };
  exchange.play.addEventListener("change", onEnd);
  await closed;
  isOpen = false;
  for (const end of unfollow) end();
  exchange.play.removeEventListener("change", onEnd);
  if (former.chosen) exchange.openFormer(former.chosen.state);
}
