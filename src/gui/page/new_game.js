// What is settled before a game: rule, board, opening, players, time and strength.

import { byId, element } from "../../page/elements.js";
import { ask, checkField, numberField, optionsOf, select, textField, valueOf } from "./dialogs.js";
import { followLevels, isForTeaching, strengthChoices, strengthOf, strengthValue } from "./strength.js";
import { RULES, SIDES } from "./game.js";
import { learns, UNTIMED_MOVE } from "./opponent.js";
import { fitsOpening, OPENINGS } from "./openings.js";
import { errorText, t } from "./words.js";

// How long Kagetsu may think about a move where there is no clock, in seconds.
const THINKING = [0.5, 1, 2, 5, 10, 30, 60];
const SIZES = [
  [15, 15],
  [20, 20],
  [19, 19],
  [13, 13],
  [9, 9],
];

// `options` are proposed. `from` is the game that is shown, whose position may be where the new one begins; `isFrom` whether
// that is proposed, or null where it cannot, since the game is over there. `canLearn` says whether Kagetsu has where to
// remember the games that it loses. `levelText` says which level fits under a rule. `prepare` is given what was chosen, with
// `isFrom` for whether that is where it begins, and promises what is answered.
export async function askForGame(options, ownName, from, isFrom, canLearn, levelText, prepare) {
  const [first, second] = options.players;
  const canBegin = !from.isEmpty && isFrom !== null;
  // Who plays on takes the side to move.
  const kind = isFrom
    ? from.toMove()
    : first.kind === "engine"
      ? second.kind === "engine"
        ? "watch"
        : "white"
      : second.kind === "engine"
        ? "black"
        : "two";
  const isUsual = SIZES.some(([w, h]) => w === options.width && h === options.height);
  const person = [first, second].find((player) => player.kind === "person");
  const name = ownName || (person && person.name) || "";
  // After a rematch one's own name is the second.
  const other = second.name === name ? first.name : second.name;
  // A position is proposed under the rule of its game.
  const rule = (begins) => (begins ? from.rule : options.rule);
  const inSeconds = (ms) => ms / 1000;
  // The opening that was chosen, also while the rule or the board does not let it be played.
  let wanted = options.opening;
  const fields = element(
    "div",
    { class: "fields" },
    canBegin ? checkField("new-from", t("new-from"), isFrom, turnRule) : null,
    select(
      "new-players",
      t("players"),
      ["black", "white", "two", "watch"].map((name) => [name, t("players-" + name)]),
      kind,
      refresh,
    ),
    element("p", { id: "new-players-note", class: "dim" }, t("players-note")),
    textField("new-name", t("your-name"), name),
    textField("new-other-name", t("other-name"), kind === "two" ? other : ""),
    select(
      "new-rule",
      t("rule"),
      RULES.map((one) => [one, t("rule-" + one)]),
      rule(isFrom),
      refresh,
    ),
    element("p", { id: "new-rule-note", class: "dim" }),
    select(
      "new-size",
      t("board"),
      [...SIZES.map(([w, h]) => [w + "x" + h, w + "×" + h]), ["other", t("other-size")]],
      isUsual ? options.width + "x" + options.height : "other",
      refresh,
    ),
    element(
      "div",
      { id: "new-sides", class: "pair" },
      numberField("new-width", t("columns"), options.width, { min: SIDES[0], max: SIDES[1] }),
      numberField("new-height", t("rows"), options.height, { min: SIDES[0], max: SIDES[1] }),
    ),
    select(
      "new-opening",
      t("opening"),
      Object.keys(OPENINGS).map((name) => [name, t("opening-" + name)]),
      options.opening,
      (name) => {
        wanted = name;
        refresh();
      },
    ),
    element("p", { id: "new-opening-note", class: "dim" }),
    select(
      "new-time",
      t("time"),
      ["none", "move", "game"].map((name) => [name, t("time-" + name)]),
      options.time.kind,
      refresh,
    ),
    element(
      "div",
      { id: "new-time-move", class: "pair" },
      numberField("new-move", t("seconds-a-move"), inSeconds(options.time.move || 10000), {
        min: 0.1,
        max: 3600,
        step: 0.1,
      }),
    ),
    element(
      "div",
      { id: "new-time-game", class: "pair" },
      numberField("new-base", t("minutes"), (options.time.base || 300000) / 60000, { min: 0.1, max: 600, step: 0.1 }),
      numberField("new-increment", t("increment"), inSeconds(options.time.increment || 0), {
        min: 0,
        max: 600,
        step: 0.1,
      }),
    ),
    element(
      "div",
      { id: "new-strengths", class: "fields" },
      select("new-strength", t("strength"), strengthChoices(), strengthValue(options.strength), refresh),
      element("p", { id: "new-strength-note", class: "dim" }),
      select(
        "new-think",
        t("think"),
        THINKING.map((n) => [n, String(n)]),
        inSeconds(options.time.think ?? UNTIMED_MOVE),
      ),
      checkField("new-varied", t("varied"), Boolean(options.varied)),
      canLearn ? checkField("new-learns", t("learns"), learns(options)) : null,
    ),
  );

  // Whether the game begins where the one that is shown stands.
  function begins() {
    return canBegin && byId("new-from").checked;
  }

  // A rule that was chosen by hand stays.
  function turnRule() {
    const field = byId("new-rule");
    if (field.value === rule(!begins())) field.value = rule(begins());
    refresh();
  }

  function size() {
    const chosen = valueOf("new-size");
    return chosen === "other"
      ? [Number(valueOf("new-width")), Number(valueOf("new-height"))]
      : chosen.split("x").map(Number);
  }

  // The engine may say later which level fits.
  function noteStrength() {
    if (!fields.isConnected) return;
    const strength = valueOf("new-strength");
    const found = strength === "adaptive" ? levelText(valueOf("new-rule"), noteStrength) : "";
    const kind = strength === "adaptive" ? "adaptive" : isForTeaching(strength) ? "teaching" : null;
    const note = kind ? t("strength-" + kind + "-note") : "";
    byId("new-strength-note").textContent = [found, note].filter(Boolean).join(" ");
  }

  function refresh() {
    const players = valueOf("new-players");
    byId("new-players-note").hidden = !["black", "white"].includes(players);
    byId("new-name").parentElement.hidden = players === "watch";
    byId("new-other-name").parentElement.hidden = players !== "two";
    byId("new-strengths").hidden = players === "two";
    noteStrength();
    for (const id of ["new-size", "new-opening"]) byId(id).parentElement.hidden = begins();
    byId("new-opening-note").hidden = begins();
    byId("new-sides").hidden = begins() || valueOf("new-size") !== "other";
    byId("new-time-move").hidden = valueOf("new-time") !== "move";
    // A level stops by itself.
    byId("new-think").parentElement.hidden = valueOf("new-time") !== "none" || valueOf("new-strength") !== "full";
    // It learns from people alone, and at full strength.
    if (canLearn) byId("new-learns").parentElement.hidden = players === "watch" || valueOf("new-strength") !== "full";
    byId("new-time-game").hidden = valueOf("new-time") !== "game";
    for (const field of fields.querySelectorAll("input[type=number]"))
      field.disabled = field.closest("[hidden]") !== null;
    byId("new-rule-note").textContent = t("rule-" + valueOf("new-rule") + "-note");
    const opening = byId("new-opening");
    const fits = (name) => fitsOpening(name, valueOf("new-rule"), ...size());
    for (const choice of opening.options) choice.disabled = !fits(choice.value);
    opening.value = fits(wanted) ? wanted : "free";
    const notes = ["opening-" + opening.value + "-note", ...(fits("soosorv8") ? [] : ["opening-renju-only"])];
    byId("new-opening-note").textContent = notes.map((key) => t(key)).join(" ");
  }

  const problem = element("p", { id: "new-problem", class: "problem", role: "alert" });
  let prepared = null;
  // Where that cannot be, or not without the engine, the window stays with all that was chosen.
  async function accept() {
    problem.textContent = "";
    try {
      prepared = await prepare(read());
      return true;
    } catch (error) {
      problem.textContent = errorText(error);
      return false;
    }
  }

  const asked = ask(
    t("new-game"),
    [fields, problem],
    [
      ["start", "start-game", true],
      ["cancel", "cancel"],
    ],
    { id: "new-game-dialog", accept },
  );
  refresh();
  // The engine may be still on its way, and name its levels while somebody chooses.
  followLevels(() => {
    const list = byId("new-strength");
    list.replaceChildren(...optionsOf(strengthChoices(), list.value));
    refresh();
  });
  fields.addEventListener("input", (event) => {
    if (["new-width", "new-height"].includes(event.target.id)) refresh();
  });

  function read() {
    const players = valueOf("new-players");
    const me = { kind: "person", name: valueOf("new-name").trim() };
    const engine = { kind: "engine", name: "Kagetsu" };
    const strength = valueOf("new-strength");
    const time = valueOf("new-time");
    const [width, height] = size();
    return {
      rule: valueOf("new-rule"),
      width,
      height,
      opening: valueOf("new-opening"),
      players: {
        black: [me, engine],
        white: [engine, me],
        two: [me, { kind: "person", name: valueOf("new-other-name").trim() }],
        watch: [engine, { ...engine }],
      }[players],
      time:
        time === "none"
          ? { kind: "none", think: Math.round(1000 * valueOf("new-think")) }
          : time === "move"
            ? { kind: "move", move: Math.round(1000 * valueOf("new-move")) }
            : {
                kind: "game",
                base: Math.round(60000 * valueOf("new-base")),
                increment: Math.round(1000 * valueOf("new-increment")),
              },
      strength: strengthOf(strength),
      varied: byId("new-varied").checked,
      learns: canLearn ? byId("new-learns").checked : learns(options),
      isFrom: begins(),
    };
  }

  const answer = await asked;
  followLevels(null);
  return answer === "start" ? prepared : null;
}
