// How strong Kagetsu plays: at full strength, at a level, or at the level that fits the person.

import { read, write } from "./storage.js";
import { changeSetting, settings } from "./store.js";
import { t } from "./words.js";

// Results that are kept of each rule.
const MOST_GAMES = 20;
// With so many the level fits.
const ENOUGH_GAMES = 10;

// With fewer stones on the board, a game that is left says nothing.
const LEFT_FROM = 10;

// The levels below full strength, as the program names them; until it is there, as it named them last.
const LEVELS = "kagetsu.levels";
let levels = read(LEVELS) || [];

// Called when other levels are known; null where nobody asks.
let follow = null;

export function setLevels(known) {
  const isNew = JSON.stringify(known) !== JSON.stringify(levels);
  levels = known;
  write(LEVELS, levels);
  if (isNew) follow?.();
}

export function followLevels(tell) {
  follow = tell;
}

// The name of the level with this number; nothing where there is none.
function levelName(number) {
  const { level, group, step } = levels.find((one) => one.level === number) || {};
  return group ? level + ". " + t("level-" + group, { n: step || "" }).trim() : "";
}

// How strong Kagetsu plays in a game, in words; nothing where the level is not known.
export function strengthName({ level }) {
  return (level && levelName(level)) || (!level || isFullStrength(level) ? t("level-full") : "");
}

// Whether the level with this number is none below full strength: what fits a very strong player is one more.
export function isFullStrength(number) {
  return levels.length > 0 && !levels.some(({ level }) => level === number);
}

// Whether the level with this number is an engine that shows how such engines work.
export function isForTeaching(number) {
  return ["tuples", "patterns"].includes(levels.find((one) => one.level === Number(number))?.group);
}

// Choices for a list, the strongest first.
export function strengthChoices() {
  return [
    ["full", t("strength-full")],
    ["adaptive", t("strength-adaptive")],
    ...levels.map(({ level }) => [level, levelName(level)]).reverse(),
  ];
}

export function strengthValue({ kind, level }) {
  return kind === "level" ? level : kind === "adaptive" ? "adaptive" : "full";
}

export function strengthOf(value) {
  return ["full", "adaptive"].includes(value) ? { kind: value } : { kind: "level", level: Number(value) };
}

// The same options with the level that fits the person who plays, if that is wanted. What is played now is left for it.
export async function fitted(options, link, play) {
  if (options.strength.kind !== "adaptive") return options;
  const games = settings.games[options.rule] || [];
  const left = play.options.rule === options.rule ? resultIfLeft(play) : null;
  const results = (left ? [...games, left] : games).map(([level, points]) => [level, points]);
  const { level } = await link.ask("fit", { rule: options.rule, games: results });
  return { ...options, strength: { kind: "adaptive", level } };
}

// What the engine has made of the results so far: the level that fits, or null while it is asked.
const fits = new Map();

// Which level fits the person under a rule, and after how many games, in words; nothing where there was none. Until the
// engine has said it there is nothing either, and `tell` is called once it has.
export function foundLevelText(link, rule, tell) {
  const games = (settings.games[rule] || []).map(([level, points]) => [level, points]);
  if (!games.length) return "";
  const key = JSON.stringify([rule, games]);
  if (!fits.has(key)) {
    fits.set(key, null);
    link.ask("fit", { rule, games }).then(
      ({ level }) => {
        fits.set(key, level);
        tell();
      },
      () => fits.delete(key),
    );
  }
  const level = fits.get(key);
  if (level === null) return "";
  const n = games.length;
  const values = { level: strengthName({ level }), n, all: ENOUGH_GAMES };
  return t(n < ENOUGH_GAMES ? "your-level" : "your-level-found", values);
}

// The same at the end of a game for which Kagetsu has chosen its level, with whether that game counts.
export function ownLevelText({ link, match, options }, tell) {
  if (options.strength.kind !== "adaptive" || !match.players.some(({ kind }) => kind === "person")) return "";
  const counts = Array.isArray(match.noted) ? "" : t("not-counted");
  return [counts, foundLevelText(link, options.rule, tell)].filter(Boolean).join(" ");
}

// Keeps what a finished game says about a person who played a level without help.
export function noteResult(play) {
  const { winner } = play.match.result;
  note(play, resultOf(play, winner === null ? 0.5 : play.playerAt(winner).kind === "person" ? 1 : 0));
}

// The same of a game that is left for another one. It is lost, else somebody who never plays a lost game to its end would
// never meet a weaker level.
export function noteLeft(play) {
  const result = resultIfLeft(play);
  note(play, result);
  if (result) play.match.isLeft = true;
}

function resultIfLeft(play) {
  return !play.isOver && play.game.pathTo(play.tip).length > LEFT_FROM ? resultOf(play, 0) : null;
}

// The level and the points of the person, and whose game it is, if that tells how well the person plays and has not been
// kept before.
function resultOf({ match, options }, points) {
  const people = match.players.filter(({ kind }) => kind === "person");
  const isTelling = options.strength.level && people.length === 1 && !match.helped && !match.noted;
  return isTelling ? [options.strength.level, points, match.seed] : null;
}

function note({ match, options }, result) {
  if (!result) return;
  match.noted = result;
  changeSetting("games", (games) => ({
    ...games,
    [options.rule]: [...(games[options.rule] || []), result].slice(-MOST_GAMES),
  }));
}

// To be called when a game goes on: one that was left has not been lost yet.
export function resumeLeft({ match, options }) {
  if (!match.isLeft) return;
  forget(options.rule, match.noted);
  match.isLeft = false;
  match.noted = null;
}

// Forgets the result of a game that goes on after its end, from now on as one with help.
export function withdrawResult({ match, options }) {
  if (match.result || match.isLeft || !Array.isArray(match.noted)) return;
  forget(options.rule, match.noted);
  match.noted = true;
}

// The game may be open in several tabs, so its result may be gone.
function forget(rule, [, , seed]) {
  changeSetting("games", (games) => ({ ...games, [rule]: (games[rule] || []).filter((one) => one[2] !== seed) }));
}
