// How strong Kagetsu plays: at full strength, at a level, or at the level that fits the person.

import { read, write } from "./storage.js";
import { changeSetting, settings } from "./store.js";
import { t } from "./words.js";

// Results that are kept of each rule.
const MOST_GAMES = 20;

// The levels below full strength, as the program names them; until it is there, as it named them last.
const LEVELS = "kagetsu.levels";
let levels = read(LEVELS) || [];

export function setLevels(known) {
  levels = known;
  write(LEVELS, levels);
}

// The name of the level with this number; nothing where there is none.
export function levelName(number) {
  const { level, group, step } = levels.find((one) => one.level === number) || {};
  return group ? level + ". " + t("level-" + group, { n: step || "" }).trim() : "";
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

// The same options with the level that fits the person who plays, if that is wanted.
export async function fitted(options, link) {
  if (options.strength.kind !== "adaptive") return options;
  const { level } = await link.ask("fit", { rule: options.rule, games: settings.games[options.rule] || [] });
  return { ...options, strength: { kind: "adaptive", level } };
}

// Keeps what a finished game says about a person who played a level without help.
export function noteResult(play) {
  const { match, options } = play;
  const people = match.players.filter(({ kind }) => kind === "person");
  if (!options.strength.level || people.length !== 1 || match.helped || match.noted) return;
  const { winner } = match.result;
  const points = winner === null ? 0.5 : play.playerAt(winner).kind === "person" ? 1 : 0;
  match.noted = [options.strength.level, points];
  changeSetting("games", (games) => ({
    ...games,
    [options.rule]: [...(games[options.rule] || []), match.noted].slice(-MOST_GAMES),
  }));
}

// Forgets the result of a game that goes on after all.
export function withdrawResult({ match, options }) {
  if (match.result || !Array.isArray(match.noted)) return;
  const [level, points] = match.noted;
  match.noted = true;
  changeSetting("games", (games) => {
    const kept = games[options.rule] || [];
    const at = kept.findLastIndex((one) => one[0] === level && one[1] === points);
    return { ...games, [options.rule]: kept.filter((_, n) => n !== at) };
  });
}
