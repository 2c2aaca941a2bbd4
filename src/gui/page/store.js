// What the page remembers: settings for all its tabs, and for each tab its game. Storage may be full or forbidden; then
// the page works without.

import { noteGame, noteOpened } from "./archive.js";
import { hold } from "./locks.js";
import { forget, keysFrom, read, write } from "./storage.js";

const SETTINGS = "kagetsu.settings";
const GAME = "kagetsu.game.";
const TAB = "kagetsu.tab";
const FORMER = "kagetsu.former";
const ADDRESS = "kagetsu.address";
const DAMAGED = "kagetsu.damaged";
const MOST_GAMES = 12;
const MOST_ADDRESSES = 4;
// A tab that is closed keeps its game once more, and has given its lock back so many ms later.
const GONE_AFTER = 500;

const DEFAULTS = {
  language: null,
  theme: "system",
  palette: "wood",
  coordinates: true,
  rows: "bottom",
  numbers: "none",
  sound: false,
  warnings: false,
  confirm: true,
  letters: true,
  threats: false,
  forbidden: true,
  heat: false,
  lines: 3,
  book: "off",
  threads: 1,
  pace: "watch",
  name: "",
  // The options of the last game that was begun in any tab.
  usual: null,
  games: {},
  puzzles: [],
};

export const settings = { ...DEFAULTS, ...read(SETTINGS) };

export function setSetting(name, value) {
  changeSetting(name, () => value);
}

// Changes one setting and leaves the others as they are kept by now: another tab may have changed those, and this one as
// well, which is why `change` is given its value.
export function changeSetting(name, change) {
  const stored = { ...settings, ...read(SETTINGS) };
  settings[name] = change(stored[name]);
  write(SETTINGS, { ...stored, [name]: settings[name] });
}

// Takes over what other tabs set, and tells the names of what is different now.
export function followSettings(tell) {
  addEventListener("storage", ({ key }) => {
    // Without a key all of the storage was emptied.
    if (key !== SETTINGS && key !== null) return;
    const stored = { ...DEFAULTS, ...read(SETTINGS) };
    const changed = Object.keys(stored).filter(
      (name) => JSON.stringify(stored[name]) !== JSON.stringify(settings[name]),
    );
    Object.assign(settings, stored);
    if (changed.length) tell(changed);
  });
}

function games() {
  return keysFrom(GAME)
    .map((key) => {
      const { saved, match, isLeft } = read(key) || {};
      return {
        key,
        saved: saved || 0,
        noted: match?.stamp || 0,
        id: match?.id ?? match?.seed,
        isLeft: Boolean(isLeft),
      };
    })
    .sort((a, b) => b.saved - a.saved);
}

// What the tab remembers over a reload; storage of the session may be forbidden as well.
function readTab(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function writeTab(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // Then a reload takes the latest game.
  }
}

// Addresses that the page has given itself, which are therefore no links that somebody has followed. Several, since one
// that is given while the page is already being loaded again may come too late to be where that begins.
export function isOwnAddress(address) {
  return ownAddresses().includes(address);
}

export function noteAddress(address) {
  writeAddresses([address, ...ownAddressesBut(address)].slice(0, MOST_ADDRESSES));
}

// What turned out to be no game of this tab is a stranger's again.
export function forgetAddress(address) {
  writeAddresses(ownAddressesBut(address));
}

function writeAddresses(addresses) {
  writeTab(ADDRESS, JSON.stringify(addresses));
}

function ownAddressesBut(address) {
  return ownAddresses().filter((other) => other !== address);
}

function ownAddresses() {
  try {
    return JSON.parse(readTab(ADDRESS)) || [];
  } catch {
    return [];
  }
}

// The game that this tab has, and the one that it had before: {key, lock}, where the lock is a promise of what gives it
// back. Both are held, so that no other tab goes on with either of them, and a copied tab does not write over the first.
const NO_GAME = { key: null, lock: Promise.resolve(null) };
let own = NO_GAME;
let former = NO_GAME;

function release({ lock }) {
  lock.then((giveBack) => giveBack && giveBack());
}

// From here on this game is the tab's own. What becomes of the one before is for the caller to say.
function have(game) {
  own = game;
  writeTab(TAB, game.key);
}

// From here on this game is the one that the tab had before. Somebody has left it for another one, so no new tab goes on
// with it, with its clock running, once it is nobody's any more.
function setFormer(game) {
  if (former.key !== game.key) release(former);
  former = game;
  writeTab(FORMER, game.key ?? "");
  const state = game.key && read(game.key);
  if (state) write(game.key, { ...state, isLeft: true }, isPlayed(state));
}

// A game that no other tab has, with its lock; null if one has it.
async function take(key) {
  const giveBack = await hold(key);
  return giveBack && { key, lock: Promise.resolve(giveBack) };
}

// A new game. Nobody else knows its key, so the game is kept there at once and the lock may come later.
function newGame() {
  forgetOldest();
  const key = GAME + crypto.getRandomValues(new Uint32Array(2)).join("");
  return { key, lock: hold(key) };
}

// Does something with each of these games that no open tab has.
async function withLeft(games, act) {
  for (const { key } of games) {
    const isOwn = () => [own.key, former.key].includes(key);
    if (isOwn()) continue;
    const taken = await take(key);
    if (!taken) continue;
    if (!isOwn()) act(key, read(key));
    release(taken);
  }
}

// Lists a game with the former ones, where it is worth that. Nothing can be made of one that is damaged.
function note(state) {
  try {
    return noteGame(state) || noteOpened(state);
  } catch {
    return true;
  }
}

// A game that a closed tab has left is a former game from here on.
function forgetOldest() {
  return withLeft(games().slice(MOST_GAMES), (key, state) => {
    if (state?.version !== 1 || note(state)) forget(key);
  });
}

// Lists what closed tabs have left with the former games: only the latest of these games comes back by itself. Whether
// there was any.
export async function noteLeftGames() {
  const isListed = ({ saved, noted }) => noted > saved;
  const others = games().filter((game) => !isListed(game));
  let isAny = false;
  await withLeft(others, (key, state) => {
    if (state?.version !== 1) return;
    const noted = note(state);
    if (noted.id === undefined) return;
    write(key, { ...state, match: { ...state.match, ...noted } }, isPlayed(state));
    isAny = true;
  });
  return isAny;
}

// Games that were deleted from the list, with these ids, come back with no new tab.
export function forgetLeftGames(ids) {
  return withLeft(
    games().filter(({ id }) => ids.includes(id)),
    (key) => forget(key),
  );
}

// Tells when another tab may have been closed, until what it returns is called.
export function followLeftGames(tell) {
  let timer = null;
  const hear = ({ key }) => {
    if (!key?.startsWith(GAME)) return;
    clearTimeout(timer);
    timer = setTimeout(tell, GONE_AFTER);
  };
  addEventListener("storage", hear);
  return () => {
    clearTimeout(timer);
    removeEventListener("storage", hear);
  };
}

// What was merely opened is still where it came from, so no game that was played makes room for it.
function isPlayed({ match }) {
  return !match?.isOpened;
}

// Whether the game that this tab had before a reload is gone: there was no room for it.
export function hasLostGame() {
  const key = readTab(TAB);
  return Boolean(key) && read(key) === null;
}

// This tab's game: the one it had before a reload, or the latest that a closed tab has shown to the end; null if there is
// none.
// `isWanted` may refuse it, which leaves it for another tab.
export async function claimGame(isWanted = () => true) {
  const wanted = readTab(TAB);
  const others = games()
    .filter(({ key, isLeft }) => key !== wanted && !isLeft)
    .map(({ key }) => key);
  for (const key of wanted ? [wanted, ...others] : others) {
    const game = read(key);
    if (!isWanted(game)) {
      if (key === wanted) noteFormer(key);
      break;
    }
    const taken = await take(key);
    // Where the tab was copied, its game is copied with it.
    if (taken || key === wanted) {
      have(taken || newGame());
      return game;
    }
  }
  have(newGame());
  return null;
}

// The game that this tab has cannot be read. It makes room for another one, and is not lost.
export function setGameAside() {
  const game = read(own.key);
  // Twice there may be no room for it.
  forget(own.key);
  write(DAMAGED, game, false);
}

// From here on this tab keeps another game, and the one that it had stays as it is; its key.
export function leaveGame() {
  const left = own;
  have(newGame());
  setFormer(left);
  return left.key;
}

// Back to a game that was left. The one in between is forgotten, unless that is to be the one that was left now; its key.
export async function returnToGame(key, isKept = false) {
  const between = own;
  const isHeld = former.key === key && (await former.lock) !== null;
  have(isHeld ? former : (await take(key)) || newGame());
  // It is the tab's own now, and its lock stays with it.
  if (isHeld) former = NO_GAME;
  setFormer(isKept ? between : NO_GAME);
  if (!isKept) {
    release(between);
    forget(between.key);
  }
  return between.key;
}

// Which game this tab has left last, where that is another than leaving and returning say.
export function noteFormer(key) {
  if (key !== former.key) setFormer(key ? { key, lock: hold(key) } : NO_GAME);
}

// The game that this tab has left last, also before a reload: {key, state}, or null.
export function formerGame() {
  const key = readTab(FORMER);
  const state = key && read(key);
  if (!state) return null;
  noteFormer(key);
  return { key, state };
}

// The game before has changed.
export function keepFormerGame(game) {
  if (former.key) write(former.key, { ...game, isLeft: true }, isPlayed(game));
}

// Writing a large game takes seconds. One for which there was no room, and that took more than so many ms, is tried again
// after this time.
const MUCH = 100;
const KEEP_AGAIN = 30000;
let waiting = { key: null, until: 0 };

export function keepGame(game) {
  if (!own.key) return true;
  const began = performance.now();
  if (waiting.key === own.key && began < waiting.until) return false;
  const isKept = write(own.key, { ...game, saved: Date.now() }, isPlayed(game));
  const now = performance.now();
  if (!isKept && now - began > MUCH) waiting = { key: own.key, until: now + KEEP_AGAIN };
  return isKept;
}
