// Games that come into the page and leave it: files, the clipboard, the address, pictures. What is opened takes the place
// of the game that is shown, which is kept and can be taken up again.

import { ask, say, select } from "./dialogs.js";
import { boardBitmap, boardPicture, download, readGames, textOf, writeGame } from "./files.js";
import { fromAddress, Game, toAddress } from "./game.js";
import { leaveGame, noteAddress, returnToGame } from "./store.js";
import { t } from "./words.js";
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

  async openText(text, name) {
    try {
      const games = await readGames(this.link, text, this.play.game);
      const game = games.length > 1 ? await this.pick(games) : games[0];
      if (!game) return;
      game.current = game.root;
      game.step("last");
      await this.open(game, name || t("text"));
    } catch (error) {
      // The game there was is still there.
      this.tell(error.code ? error : { code: "unreadable", message: String(error) });
    }
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

  async askForText() {
    const box = element("div", { class: "fields" },
      element("button", { type: "button", id: "choose-file", click: () => byId("file").click() }, t("choose-file")),
      element("label", { class: "field wide-field" }, element("span", {}, t("or-paste")), element("textarea", { id: "pasted", rows: 7, spellcheck: "false" })),
      element("p", { class: "dim" }, t("open-note")));
    let pasted = "";
    box.addEventListener("input", () => { pasted = byId("pasted").value; });
    const choice = await ask(t("open"), [box], [["open", "open", true], ["cancel", "cancel"]], { id: "open-dialog" });
    if (choice && pasted.trim()) await this.openText(pasted);
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
    const game = new Game(wanted.rule, wanted.width, wanted.height);
    for (const point of readMoves(wanted.moves, wanted.height, "bottom")) {
      if (point[1] < 0 || point[1] >= game.height || point[0] >= game.width || game.stoneAt(point)) break;
      game.play(point);
    }
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

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(t("copied"));
  } catch {
    await ask(t("copy"), [element("textarea", { rows: 8, readonly: true }, text)], [["close", "close", true]]);
  }
}
