// The list of puzzles, which of them are solved, and the window in which one is chosen.

import { ask, select } from "./dialogs.js";
import { changeSetting, settings } from "./store.js";
import { t } from "./words.js";
import { byId, element } from "../../page/elements.js";

let loading = null;

// The list of all puzzles, {id, rule, fours, stones, number} each, where `number` counts those of a rule from 1.
export async function allPuzzles() {
  loading ||= fetch("puzzles.json").then((answer) => {
    if (!answer.ok) throw answer.status;
    return answer.json();
  });
  try {
    const counts = {};
    return (await loading).map((puzzle) => {
      counts[puzzle.rule] = (counts[puzzle.rule] || 0) + 1;
      return { ...puzzle, number: counts[puzzle.rule] };
    });
  } catch {
    loading = null;
    throw { code: "puzzles", message: "the puzzles could not be loaded" };
  }
}

// Other programs of the same address may have written something else there.
const listed = (ids) => (Array.isArray(ids) ? ids : []);

function isSolved({ id }) {
  return listed(settings.puzzles).includes(id);
}

export function noteSolved({ id }) {
  changeSetting("puzzles", (ids) => [...new Set([...listed(ids), id])]);
}

// The next puzzle of a rule that is not solved, after the one with this id; the one after it where all are.
export function nextOf(puzzles, rule, id) {
  const own = puzzles.filter((puzzle) => puzzle.rule === rule);
  const at = own.findIndex((puzzle) => puzzle.id === id) + 1;
  const inTurn = [...own.slice(at), ...own.slice(0, at)];
  return inTurn.find((puzzle) => !isSolved(puzzle) && puzzle.id !== id) ?? inTurn[0];
}

// The puzzle that somebody chooses; null if none, or where the window is open already. The window shows those of a rule,
// and marks the one that is on the board, if there is one: `{id, rule}`.
export async function pickPuzzle({ id, rule: usual }) {
  const puzzles = await allPuzzles();
  if (byId("puzzles-dialog")) return null;
  const rules = [...new Set(puzzles.map(({ rule }) => rule))];
  let rule = rules.includes(usual) ? usual : rules[0];
  let chosen = null;
  const state = element("p", { id: "puzzles-state", class: "dim", role: "status" });
  const list = element("div", { id: "puzzles-list", class: "puzzles-list" });
  const button = (puzzle) => {
    const name = t("puzzle-name", { number: puzzle.number });
    const choose = () => {
      chosen = puzzle;
      byId("puzzles-dialog").close("open");
    };
    return element(
      "button",
      {
        type: "button",
        class: isSolved(puzzle) ? "solved" : undefined,
        "aria-label": isSolved(puzzle) ? name + ", " + t("puzzle-done") : name,
        "aria-current": puzzle.id === id ? "true" : undefined,
        click: choose,
      },
      String(puzzle.number),
    );
  };
  const draw = () => {
    const own = puzzles.filter((puzzle) => puzzle.rule === rule);
    state.textContent = t("puzzles-solved", { n: own.filter(isSolved).length, all: own.length });
    const lengths = [...new Set(own.map(({ fours }) => fours))];
    list.replaceChildren(
      ...lengths.map((fours) => {
        const title = t("puzzle-fours", { n: fours });
        const buttons = own.filter((puzzle) => puzzle.fours === fours).map(button);
        return element(
          "div",
          { role: "group", "aria-label": title },
          element("span", { class: "dim" }, title),
          element("div", {}, buttons),
        );
      }),
    );
  };
  const choice = select(
    "puzzle-rule",
    t("rule"),
    rules.map((name) => [name, t("rule-" + name)]),
    rule,
    (name) => {
      rule = name;
      draw();
    },
  );
  draw();
  const answer = await ask(
    t("puzzles"),
    [element("p", { class: "dim" }, t("puzzles-note")), element("div", { class: "fields" }, choice), state, list],
    [
      ["next", "puzzle-next", true],
      ["close", "close"],
    ],
    { id: "puzzles-dialog" },
  );
  return answer === "next" ? nextOf(puzzles, rule, id) : chosen;
}
