// The games that were played in this browser. Whoever plays notes a game when it ends or another takes its place; it is
// one entry, however often it is resumed. Entries are {at, stamp, line, state}: when it was played last, which writing of
// the entry this is, its moves with its result, and what Play restores it from.

import { Game } from "./game.js";
import { isItsEnd } from "./result.js";
import { forget, PLAYED, playedGames, read, write } from "./storage.js";
import { pointName } from "../../page/points.js";

const MOST = 200;
// A game with an analysis that is longer, in characters, is kept without its variations, so that the others have room.
const LONGEST = 400000;
// What parts the moves of an entry from its result.
const END = "|";

// The game of a state at the place where it stands; whoever analyses it may look elsewhere.
export function gameOf({ tree, tip, match }) {
  const game = Game.fromTree({ ...tree, current: tip }, tree.rule);
  const isLeft = (node) => game.keyOf(node) === match.leftAt;
  if (match.mode === "analyse" && match.leftAt) game.current = game.nodes().find(isLeft) || game.current;
  // What was played is the main line, whatever the analysis has made of it.
  if (!match.isOpened) game.promote(game.current);
  return game;
}

// Whether somebody has placed a stone beyond those with which the game began: those of its opening, or of the game that
// it goes on from. What was merely opened was not played.
function isPlayed(game, match) {
  if (match.isOpened && match.mode !== "play") return false;
  if (match.result ? match.endedIn : match.opening) return false;
  const path = game.pathTo();
  const opened = path.findLast(({ stages }) => stages?.length);
  return game.ply() > Math.max(match.from || 0, opened ? game.ply(opened) : 0);
}

function lineOf(game, { result }) {
  const moves = game
    .pathTo()
    .filter(({ move }) => move)
    .map(({ move }) => pointName(move, game.height) + " ");
  return moves.join("") + END + (result ? [result.winner, result.reason].join() : "");
}

// Writes down the game of this state of Play. What it returns belongs to the game, and is to be kept with it: `id`,
// `stamp` and `listed` of its match. Null where it is not kept.
export function noteGame(state) {
  const { match } = state;
  const game = gameOf(state);
  let id = match.id ?? match.seed;
  if (id === undefined || !isPlayed(game, match)) return null;
  // Where the analysis has deleted its end, it is listed as it was.
  if (match.result && !isItsEnd(game, game.current, match)) return null;
  const line = lineOf(game, match);
  let known = read(PLAYED + id);
  const isOther = known !== null && known.stamp !== match.stamp && known.line !== line;
  // Nothing has been played since it was listed: it was deleted, or this copy was left behind where the game went on.
  if (match.listed === line && (!known || isOther)) return null;
  // Another tab has played it on otherwise, from a copy: these are two games now.
  if (isOther && !line.startsWith(known.line.split(END)[0])) {
    id = crypto.getRandomValues(new Uint32Array(2)).join("");
    known = null;
  }
  const noted = { id, stamp: Math.max(Date.now(), (known?.stamp || 0) + 1), listed: line };
  const at = known && known.line === line ? known.at : match.at || Date.now();
  if (!write(PLAYED + id, entry(at, noted, state, game))) return null;
  forgetOverMost();
  return noted;
}

// Writes down a game that was merely opened and that no tab has any more, if somebody may have written into it. It stays
// what it is, and is listed with those that were played. Returns what noteGame() does, true where nothing is to be
// written down, and false where there is no room.
export function noteOpened(state) {
  const { match, tree } = state;
  if (!match.isOpened || !tree.nodes.some(({ comment }) => comment)) return true;
  const id = match.id ?? crypto.getRandomValues(new Uint32Array(2)).join("");
  const noted = { id, stamp: Date.now(), listed: lineOf(gameOf(state), match) };
  // It was deleted.
  if (match.listed === noted.listed && !read(PLAYED + id)) return true;
  const entry = {
    at: state.saved || Date.now(),
    stamp: noted.stamp,
    line: noted.listed,
    state: { ...state, match: { ...match, ...noted } },
  };
  if (!write(PLAYED + id, entry, false)) return false;
  forgetOverMost();
  return noted;
}

function forgetOverMost() {
  for (const { key } of playedGames().slice(MOST)) forget(key);
}

// The entry with as much of the game as there is room for: all, the line that was played with comments, or without.
function entry(at, noted, state, game) {
  const { isOpened, ...match } = state.match;
  const whole = game.toTree();
  const made = (tree) => ({
    at,
    stamp: noted.stamp,
    line: noted.listed,
    state: { ...state, tree, tip: tree.current, match: { ...match, ...noted, mode: "play", isPaused: false } },
  });
  const path = game.pathTo();
  const places = new Map(game.nodes().map((node, n) => [node, n]));
  const line = (change) => ({
    ...whole,
    current: path.length - 1,
    nodes: path.map((node, n) => ({
      ...change(whole.nodes[places.get(node)]),
      children: n + 1 < path.length ? [n + 1] : [],
    })),
  });
  const forms = [
    () => whole,
    () => line((node) => node),
    () => line((node) => ({ ...node, comment: null, marks: [], properties: [] })),
  ];
  for (const form of forms.slice(0, -1)) {
    const tried = made(form());
    if (JSON.stringify(tried).length <= LONGEST) return tried;
  }
  return made(forms.at(-1)());
}

export function isListed({ id, seed }) {
  return read(PLAYED + (id ?? seed)) !== null;
}

// The games that are kept, the latest first: {key, at, state}.
export function formerGames() {
  return playedGames().filter(({ state }) => state.version === 1);
}

export function forgetGame(key) {
  forget(key);
}

// Tells when another tab has changed the list, until what it returns is called.
export function followGames(tell) {
  const hear = ({ key }) => {
    if (key === null || key.startsWith(PLAYED)) tell();
  };
  addEventListener("storage", hear);
  return () => removeEventListener("storage", hear);
}
