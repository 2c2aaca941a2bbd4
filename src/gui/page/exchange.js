// Games that come into the page and leave it: files, the clipboard, the address, pictures. What is opened takes the place
// of the game that is shown, which is kept and can be taken up again.

import { ask, say, select } from "./dialogs.js";
import { boardBitmap, boardPicture, download, readGames, textOf, writeGame } from "./files.js";
import { fromAddress, Game, toAddress } from "./game.js";
import { leaveGame, noteAddress, returnToGame } from "./store.js";
import { errorText, t } from "./words.js";
import { byId, element } from "../../page/elements.js";
import { pointName, readMoves } from "../../page/points.js";

const FORMATS = { sgf: ["sgf", "application/x-go-sgf"], psq: ["psq", "text/plain"], moves: ["txt", "text/plain"], picture: ["txt", "text/plain"] };
// Games of a collection that a list offers.
const MOST_OFFERED = 500;
// Browsers refuse to change an address too often: in Safari 100 times in 30 seconds.
const ADDRESS_EVERY = 350;

// The position that is shown as an address begins with it; null where stones were set up, which no address can say.
export function addressOf(game) {
  const { moves, setup } = game.position();
  return setup ? null : toAddress(game, moves.map((point) => pointName(point, game.height, "bottom")).join(""));
}

export class Exchange {
  // `tell` is called with what went wrong, `picture` gives what the board is drawn from.
  constructor(link, play, tell, picture) {
    Object.assign(this, { link, play, tell, picture, timer: null, addressed: 0 });
  }

  // ----- In -----

  // Shows another game, with a way back to the one that was there.
  async open(game, name) {
    const { play } = this;
    const former = play.game.isEmpty ? null : { state: structuredClone(play.state()), key: await leaveGame() };
    play.open(game);
    say(t("opened", { name }), "info", former && { label: t("back-to-former"), act: () => this.reopen(former) });
  }

  async reopen({ state, key }) {
    await returnToGame(key);
    this.play.restore(state);
  }

  // Opens a text of any kind. What goes wrong is told; the game that there was is still there then.
  async openText(text, name) {
    try {
      await this.openFound(await this.read(text), name);
    } catch (error) {
      this.tell(asRefusal(error));
    }
  }

  // What a text holds: {games, name}. Links of the page are read here, all else by the engine.
  async read(text) {
    const linked = gameOfLink(text);
    if (linked) return { games: [linked], name: t("link") };
    return { games: await readGames(this.link, text, this.play.game), name: t("text") };
  }

  async openFound({ games, name: usual }, name = usual) {
    const game = games.length > 1 ? await this.pick(games) : games[0];
    if (!game) return;
    game.current = game.root;
    game.step("last");
    await this.open(game, name);
  }

  // Which game of a collection; null if none.
  async pick(games) {
    const title = ({ info }, n) => (n + 1) + ". " + [info.black, info.white].filter(Boolean).join(" – ") + (info.result ? " " + info.result : "");
    let which = 0;
    const box = element("div", { class: "fields" },
      select("which-game", t("which-game", { n: games.length }), games.slice(0, MOST_OFFERED).map((game, n) => [n, title(game, n)]), 0, (n) => { which = Number(n); }));
    return await ask(t("open"), [box], [["open", "open", true], ["cancel", "cancel"]], { id: "which-dialog" }) ? games[which] : null;
  }

  async openFile(file) {
    try {
      await this.openText(await textOf(file), file.name);
    } catch (error) {
      this.tell(error);
    }
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
        if (value.trim()) found = await this.read(value);
        return true;
      } catch (error) {
        problem.textContent = errorText(asRefusal(error));
        return false;
      }
    };
    const box = element("div", { class: "fields" },
      element("button", { type: "button", id: "choose-file", click: () => byId("file").click() }, t("choose-file")),
      element("label", { class: "field wide-field" }, element("span", {}, t("or-paste")), element("textarea", { id: "pasted", rows: 7, spellcheck: "false", "aria-describedby": "open-problem" })),
      problem,
      element("p", { class: "dim" }, t("open-note")));
    const choice = await ask(t("open"), [box], [["open", "open", true], ["cancel", "cancel"]], { id: "open-dialog", accept });
    if (choice && found) await this.openFound(found);
  }

  // What is dropped on the page or pasted into it.
  async take({ files: [file], text }) {
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
    const address = addressOf(this.play.game);
    const wanted = address === null ? "" : "#" + address;
    if (wanted !== location.hash) history.replaceState(null, "", location.pathname + location.search + wanted);
    noteAddress(wanted);
  }

  // Opens the position that an address names, unless it is shown already.
  async followAddress(hash) {
    const wanted = fromAddress(hash.slice(1));
    if (!wanted) return;
    const { game } = gameOf(wanted);
    if (addressOf(game) !== addressOf(this.play.game)) await this.open(game, t("link"));
  }

  // ----- Out -----

  async save() {
    let format = "sgf";
    const box = element("div", { class: "fields" },
      select("save-format", t("format"), ["sgf", "psq", "moves", "picture", "svg", "png"].map((name) => [name, t("format-" + name)]), format, (name) => { format = name; }));
    const choice = await ask(t("save"), [box], [["save", "save-file", true], ["copy", "copy"], ["link", "copy-link"], ["cancel", "cancel"]], { id: "save-dialog" });
    if (!choice) return;
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
    this.nameGame();
    const text = format === "svg" ? boardPicture(this.picture()) : await writeGame(this.link, this.play.game, format);
    const [end, type] = FORMATS[format] || ["svg", "image/svg+xml"];
    if (choice === "copy") await copy(text);
    else download("kagetsu." + end, text, type);
  }

  async saveBitmap(choice) {
    const made = boardBitmap(this.picture());
    if (choice !== "copy") return download("kagetsu.png", await made, "image/png");
    try {
      // Safari wants the promise, as long as the click is fresh.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": made })]);
      say(t("copied"));
    } catch {
      say(t("no-picture-copy"), "error");
    }
  }

  // The players' names go into what is saved: those of a game that is played are those on the page, whoever has swapped.
  nameGame() {
    const { game, match } = this.play;
    for (const color of ["black", "white"]) {
      const { name } = this.play.playerAt(color);
      if (name && (!match.isOpened || !game.info[color])) game.info[color] = name;
      else if (!match.isOpened) delete game.info[color];
    }
    if (!game.info.date) game.info.date = new Date().toISOString().slice(0, 10);
  }
}

// What an address names, as a game: as far as its moves lie on free points, and whether all of them do.
function gameOf({ rule, width, height, moves }) {
  const game = new Game(rule, width, height);
  for (const point of readMoves(moves, height, "bottom")) {
    if (point[1] < 0 || point[1] >= height || point[0] >= width || game.stoneAt(point)) return { game, isWhole: false };
    game.play(point);
  }
  return { game, isWhole: true };
}

// The game of a link to this page, or of what stands in one behind the #; null for any other text.
export function gameOfLink(text) {
  const wanted = /^(?:\S*#)?(\S+)$/.exec(text.trim());
  const address = wanted && fromAddress(wanted[1]);
  if (!address) return null;
  const { game, isWhole } = gameOf(address);
  return isWhole ? game : null;
}

// An error as the engine tells them.
function asRefusal(error) {
  return error.code ? error : { code: "unreadable", message: String(error) };
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(t("copied"));
  } catch {
    await ask(t("copy"), [element("textarea", { rows: 8, readonly: true }, text)], [["close", "close", true]]);
  }
}
