// Games that come into the page and leave it: files, the clipboard, the address, pictures. What is opened takes the place
// of the game that is shown, which is kept and can be taken up again.

import { isListed, noteGame } from "./archive.js";
import { assumedText, assumeRule, ensurePossibleUnderItsRule, isRuleAssumed } from "./assumed_rule.js";
import { localDate } from "./clock.js";
import { pickGame } from "./collection.js";
import { ask, closeWindows, say, select, unsay } from "./dialogs.js";
import {
  boardBitmap,
  boardPicture,
  decoded,
  download,
  ensurePossible,
  readGames,
  readLibrary,
  writeGame,
  wrongMove,
} from "./files.js";
import { Game, misplaced, readAddress, SIDES, toAddress } from "./game.js";
import { withItsResult } from "./result.js";
import {
  forgetAddress,
  formerGame,
  keepFormerGame,
  keepGame,
  leaveGame,
  noteAddress,
  noteFormer,
  returnToGame,
} from "./store.js";
import { noteLeft, strengthName } from "./strength.js";
import { errorText, t } from "./words.js";
import { byId, element } from "../../page/elements.js";
import { pointName, readMoves } from "../../page/points.js";

const FORMATS = {
  sgf: ["sgf", "application/x-go-sgf"],
  psq: ["psq", "text/plain"],
  moves: ["txt", "text/plain"],
  picture: ["txt", "text/plain"],
};
// Browsers refuse to change an address too often: in Safari 100 times in 30 seconds.
const ADDRESS_EVERY = 350;
// The most characters of a date or a player's name in the name of a file.
const LONGEST_PART = 40;

// The position that is shown as an address begins with it; null where stones were set up, which no address can say.
export function addressOf(game) {
  const { moves, setup } = game.position();
  return setup ? null : toAddress(game, moves.map((point) => pointName(point, game.height, "bottom")).join(""));
}

export class Exchange {
  // `tell` is called with what went wrong, `picture` gives what the board is drawn from.
  constructor(link, play, tell, picture) {
    Object.assign(this, {
      link,
      play,
      tell,
      picture,
      timer: null,
      addressed: 0,
      written: location.hash,
      former: null,
      version: null,
    });
    play.addEventListener("rule-assumed", ({ detail: rule }) => assumeRule(link, play, rule).catch(tell));
  }

  // ----- The game before -----

  // To be called before another game takes the place of the one that is there, to which a way back is kept then. A blank
  // game is not worth one, nor is a puzzle, except by the browser's way back from a link, and leaves the way to the game
  // before it. Returns the offer to go back, for say().
  leave(isByLink = false) {
    const { play } = this;
    if (play.game.isBlank || (isBarePuzzle(play) && !isByLink)) return null;
    noteLeft(play);
    this.note();
    const state = structuredClone(play.state());
    keepGame(state);
    this.former = { state, key: leaveGame() };
    return { label: t("back-to-former"), act: () => this.backToFormer() };
  }

  // Puts the game that is there among the former ones, if it was played.
  note() {
    Object.assign(this.play.match, noteGame(this.play.state()));
  }

  // Brings a former game that is shown again up to date.
  noteAgain() {
    const { play } = this;
    if (!isListed(play.match)) return;
    this.note();
    keepGame(play.state());
  }

  // Back to the game before. Where the one that is there now is not to be forgotten, it becomes the game before, so that
  // this can be undone as well.
  async backToFormer(isKept = !this.play.game.isBlank) {
    const { former, play } = this;
    if (!former) return;
    this.former = null;
    unsay("choice");
    if (isKept) this.note();
    const state = isKept ? structuredClone(play.state()) : null;
    if (state) keepGame(state);
    const key = await returnToGame(former.key, isKept);
    if (state) this.former = { state, key };
    play.restore(former.state);
  }

  // The game before as another load of the page has left it.
  recallFormer() {
    const found = formerGame();
    this.former = found && found.state.version === 1 ? found : null;
    let noted = null;
    try {
      noted = this.former && noteGame(this.former.state);
    } catch {
      // It is damaged.
      this.former = null;
    }
    if (!noted) return;
    Object.assign(this.former.state.match, noted);
    keepFormerGame(this.former.state);
  }

  // Shows a game from the list of former ones: one that is over as it ended, another for looking at until somebody plays on.
  openFormer(state) {
    const offer = this.leave();
    // A new game still begins with what was played last.
    this.play.restore({ ...state, usual: this.play.usual });
    if (!this.play.isOver) this.play.setMode("analyse");
    say(t("opened", { name: t("the-game") }), "info", offer);
  }

  // ----- In -----

  // Shows another game, with a way back to the one that was there. `remark` is said of what it was read from.
  open(game, name, remark = "", isByLink = false) {
    const offer = this.leave(isByLink);
    this.play.open(game);
    // A text may be SGF and yet hold nothing that is known, such as properties in small letters.
    const isEmpty = !game.nodes().some(({ move, setup }) => move || setup);
    const words = [t(isEmpty ? "opened-empty" : "opened", { name }), assumedText(game), remark];
    say(words.filter(Boolean).join(" "), "info", offer);
  }

  // Opens a text of any kind; `note` is said of it. What goes wrong is told; the game that there was is still there then.
  async openText(text, name, note = "") {
    try {
      const found = await this.read(text);
      await this.openFound({ ...found, remark: [found.remark, note].filter(Boolean).join(" ") }, name);
    } catch (error) {
      this.tell(asRefusal(error));
    }
  }

  // What a text holds: {games, name, remark}. Links of the page are read here, all else by the engine. A game that cannot have
  // been played is refused, where there is a choice once it was made.
  async read(text) {
    const linked = gameOfLink(text);
    const found = linked
      ? { games: [linked], name: t("link") }
      : { ...(await readGames(this.link, text, this.play.game, this.play.usual.rule)), name: t("text") };
    if (found.games.length === 1) await ensurePossibleUnderItsRule(this.link, found.games[0]);
    return found;
  }

  async openFound({ games, name: usual, remark }, name = usual) {
    const game = games.length > 1 ? await pickGame(games) : games[0];
    if (!game) return;
    if (games.length > 1) await ensurePossibleUnderItsRule(this.link, game);
    game.current = game.root;
    game.step("last");
    this.open(game, name, remark);
  }

  async openFile(file) {
    try {
      const { text, guess, bytes } = await decoded(file);
      if (bytes) return await this.openLibrary({ bytes, name: file.name });
      await this.openText(text, file.name, guess ? t("guessed-encoding", { encoding: guess }) : "");
    } catch (error) {
      this.tell(error);
    }
  }

  // Shows a library of RenLib from its root.
  async openLibrary(file) {
    const { game, remark } = await readLibrary(this.link, file, this.play.game);
    await ensurePossibleUnderItsRule(this.link, game);
    this.open(game, file.name, remark);
  }

  // Asks for a text until one can be read, or none is wanted any more.
  async askForText() {
    let found = null;
    const problem = element("p", { id: "open-problem", class: "problem", role: "alert" });
    const accept = async () => {
      const { value } = byId("pasted");
      problem.textContent = "";
      found = null;
      try {
        found = await this.read(value);
        return true;
      } catch (error) {
        problem.textContent = errorText(asRefusal(error));
        return false;
      }
    };
    const box = element(
      "div",
      { class: "fields" },
      element("button", { type: "button", id: "choose-file", click: () => byId("file").click() }, t("choose-file")),
      element(
        "label",
        { class: "field wide-field" },
        element("span", {}, t("or-paste")),
        element("textarea", { id: "pasted", rows: 7, spellcheck: "false", "aria-describedby": "open-problem" }),
      ),
      problem,
      element("p", { class: "dim" }, t("open-note")),
    );
    const choice = await ask(
      t("open"),
      [box],
      [
        ["open", "open", true],
        ["cancel", "cancel"],
      ],
      { id: "open-dialog", accept },
    );
    if (choice && found) await this.openFound(found).catch((error) => this.tell(asRefusal(error)));
  }

  // What is dropped on the page or pasted into it.
  async take({ files: [file, ...more], text }) {
    // Beside what is said of that file.
    if (more.length) say(t("first-file-only", { name: file.name }), "error");
    if (file) await this.openFile(file);
    else if (text) await this.openText(text);
  }

  // ----- The address -----

  // The address names what is shown, as soon as it may be changed.
  showAddress() {
    if (this.timer !== null) return;
    const wait = this.addressed + ADDRESS_EVERY - performance.now();
    if (wait > 0) this.timer = setTimeout(() => this.setAddress(), wait);
    else this.setAddress();
  }

  setAddress() {
    clearTimeout(this.timer);
    Object.assign(this, { timer: null, addressed: performance.now() });
    // The browser has gone elsewhere, and the page is about to be told.
    if (location.hash !== this.written) return;
    const address = addressOf(this.play.game);
    const wanted = address === null ? "" : "#" + address;
    // What stands before the # may be the token of the server, which is nobody else's business.
    if (wanted !== location.hash || location.search) history.replaceState(null, "", location.pathname + wanted);
    this.written = location.hash;
    noteAddress(wanted);
  }

  // Opens the position that an address names, unless it is shown already; where it is that of the game before, as when the
  // browser goes back over a link, that game goes on. What is wrong with a link is told, the game that was there stays, and
  // the address names that again. `isFirst` tells that the page was loaded with it, and that the game of the tab is
  // therefore the one before; `left` is the address that stood there until then.
  followAddress(hash, isFirst = false, left = null) {
    const { play } = this;
    const { former } = this;
    closeWindows();
    this.written = location.hash;
    // An address is written a little later than the move that it ends with, and may lack that.
    const noteLeft = () => {
      if (this.former && this.former !== former) this.former.address = left;
    };
    // A game with stones that were set up has an empty one.
    if (former && former.address === hash) return this.backToFormer().then(noteLeft, this.tell);
    try {
      const game = gameOfAddress(hash.slice(1));
      if (!game || addressOf(game) === addressOf(play.game)) return;
      if (this.isFormer("#" + addressOf(game))) return this.backToFormer().then(noteLeft, this.tell);
      const before = { state: structuredClone(play.state()), former, isFirst };
      this.open(game, t("link"), "", true);
      noteLeft();
      this.withdrawImpossible(game, before);
    } catch (error) {
      this.tell(error);
      this.showAddress();
    }
  }

  // Whether this is the address of the game before, or was when a link took its place.
  isFormer(address) {
    const { former } = this;
    return former !== null && [former.address, "#" + addressOf(gameOfState(former.state))].includes(address);
  }

  // The engine may come later than the page, and nobody waits for it to see a link; so what it says against the game comes
  // when that is there already.
  async withdrawImpossible(game, { state, former, isFirst }) {
    const { play } = this;
    try {
      await ensurePossible(this.link, game);
    } catch (error) {
      forgetAddress("#" + addressOf(game));
      if (play.game !== game) return;
      if (this.former === former && !(isFirst && former)) play.restore(state);
      else await this.backToFormer(false);
      this.former = isFirst ? null : former;
      noteFormer(this.former ? former.key : "");
      play.dispatchEvent(new CustomEvent("change", { detail: "former" }));
      this.tell(error);
    }
  }

  // ----- Out -----

  async save() {
    let format = "sgf";
    const note = element(
      "p",
      { id: "save-format-note", class: "dim", role: "status" },
      t("format-" + format + "-note"),
    );
    const choose = (name) => {
      format = name;
      note.textContent = t("format-" + name + "-note");
    };
    const box = element(
      "div",
      { class: "fields" },
      select(
        "save-format",
        t("format"),
        ["sgf", "psq", "moves", "picture", "svg", "png"].map((name) => [name, t("format-" + name)]),
        format,
        choose,
      ),
      note,
    );
    const choice = await ask(
      t("save"),
      [box],
      [
        ["save", "save-file", true],
        ["copy", "copy"],
        ["link", "copy-link"],
        ["cancel", "cancel"],
      ],
      { id: "save-dialog" },
    );
    if (!choice) return;
    if (choice !== "link") nameGame(this.play.game, this.play);
    try {
      if (choice === "link") await this.copyLink();
      else if (format === "png") await this.saveBitmap(choice);
      else await this.saveText(choice, format);
    } catch (error) {
      this.tell(error);
    }
  }

  async copyLink() {
    this.setAddress();
    if (addressOf(this.play.game) === null) return say(t("no-link"), "error");
    await copy(location.href);
  }

  async saveText(choice, format) {
    const { play } = this;
    const game = await withItsResult(this.link, play.game, play.match);
    const text =
      format === "svg"
        ? boardPicture(this.picture())
        : await writeGame(this.link, game, format, this.version, {
            last: play.shownLine().at(-1),
            stand: play.stand,
            isRuleAssumed: isRuleAssumed(play.match),
          });
    const [end, type] = FORMATS[format] || ["svg", "image/svg+xml"];
    if (choice === "copy") await copy(text);
    else download(fileName(play.game, end), text, type);
  }

  async saveBitmap(choice) {
    const made = boardBitmap(this.picture());
    if (choice !== "copy") return download(fileName(this.play.game, "png"), await made, "image/png");
    try {
      // Safari wants the promise, as long as the click is fresh.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": made })]);
      say(t("copied"));
    } catch {
      say(t("no-picture-copy"), "error");
    }
  }
}

// The players' names go into what is saved: those of a game that is played are those on the page, whoever has swapped, and
// with Kagetsu's goes how strong it played. So does the day on which it was played last, `at`.
export function nameGame(game, { match, options }, at = match.at ?? Date.now()) {
  for (const color of ["black", "white"]) {
    const { name, kind } = match.players[match.sides[color]];
    if (name && (!match.isOpened || !game.info[color])) game.info[color] = name;
    else if (!match.isOpened) delete game.info[color];
    if (!match.isOpened) game.setRank(color, kind === "engine" ? strengthName(options.strength) : "");
  }
  if (!match.isOpened && !game.info.date) game.info.date = localDate(new Date(at));
}

// The name of a file with a game: when it was played and by whom, as far as that is known. Only letters and digits are
// taken from what strangers have written.
function fileName({ info: { date, black, white } }, end) {
  const parts = [date, black, white].map((text) =>
    [...(text || "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")].slice(0, LONGEST_PART).join(""),
  );
  return ["kagetsu", ...parts].filter(Boolean).join("-") + "." + end;
}

// Whether it is a puzzle that nobody has written anything about.
function isBarePuzzle({ match, game }) {
  return Boolean(match.puzzle) && !game.nodes().some(({ comment, marks }) => comment || marks.length);
}

// What an address names, as a game; null for what is no address. Throws what is wrong with one, in which rows are counted
// from the bottom.
function gameOfAddress(address) {
  const wanted = readAddress(address);
  if (!wanted) return null;
  const refuse = (message) => {
    throw { code: "link", message };
  };
  const { fault, rule, width, height, moves } = wanted;
  if (fault) refuse(t(fault, { example: "#renju/15x15/h8i9", least: SIDES[0], most: SIDES[1] }));
  const game = new Game(rule, width, height);
  for (const point of readMoves(moves, height, "bottom")) game.play(point);
  const wrong = misplaced(game);
  if (wrong) refuse(wrongMove(game, wrong, "bottom"));
  return game;
}

// A game that was kept, as it was shown.
export function gameOfState({ tree }) {
  return Game.fromTree(tree, tree.rule);
}

// Whether an address is that of a game that was kept; one that is damaged has none.
export function isShownAt(address, kept) {
  try {
    return kept?.version === 1 && "#" + addressOf(gameOfState(kept)) === address;
  } catch {
    return false;
  }
}

// Whether an address names a game that can be shown.
export function namesGame(hash) {
  try {
    return gameOfAddress(hash.slice(1)) !== null;
  } catch {
    return false;
  }
}

// The game of a link to this page, or of what stands in one behind the #; null for any other text.
function gameOfLink(text) {
  const link = text.trim();
  return /\s/.test(link) ? null : gameOfAddress(link.slice(link.lastIndexOf("#") + 1));
}

// An error as the engine tells them.
function asRefusal(error) {
  return error.code ? error : { code: "unreadable", message: String(error) };
}

// Over plain HTTP browsers have no clipboard for the page. They may copy what is selected there; else people do.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { rows: 8, readonly: true, "aria-label": t("text") }, text);
    const closed = ask(t("copy"), [field], [["close", "close", true]], { id: "copy-dialog" });
    field.focus();
    field.select();
    const isCopied = document.execCommand("copy");
    if (isCopied) byId("copy-dialog").close();
    await closed;
    if (!isCopied) return;
  }
  say(t("copied"));
}
