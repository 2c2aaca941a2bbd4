// Which game of a collection somebody wants to see: a list with what its file says of each of them.

import { ask, select } from "./dialogs.js";
import { readResult } from "./result.js";
import { t } from "./words.js";
import { element } from "../../page/elements.js";

// Games of a collection that the list offers.
const MOST_OFFERED = 500;
// The most characters of a name or a fact.
const LONGEST = 40;

const short = (text) => [...(text || "").trim()].slice(0, LONGEST).join("");

// A game in a line, as far as it is known: who played, how it ended, when and for what, under which rule, and how long.
function titleOf(game) {
  const { info, assumed, rule, width, height } = game;
  const player = (color) => {
    const [name, rank] = [short(info[color]) || t(color), short(game.rankOf(color))];
    return rank ? name + " (" + rank + ")" : name;
  };
  const { winner } = readResult(info.result || "") ?? {};
  const result = winner
    ? t("title-wins", { color: t(winner) })
    : winner === null
      ? t("title-draw")
      : short(info.result);
  // What a rule is only taken for says nothing of the game.
  const ruleName = assumed ? short(assumed.name) : t("rule-" + rule);
  const facts = [
    player("black") + " – " + player("white"),
    result,
    short(info.date),
    short(info.event),
    [ruleName, width + "×" + height].filter(Boolean).join(" "),
    t("summary-moves", { n: game.ply(game.mainLine().at(-1)) }),
  ];
  return facts.filter(Boolean).join(" · ");
}

// The game that is chosen; null if none.
export async function pickGame(games) {
  let which = 0;
  const list = select(
    "which-game",
    t(games.length > MOST_OFFERED ? "which-of-first" : "which-game", { n: games.length, most: MOST_OFFERED }),
    games.slice(0, MOST_OFFERED).map((game, n) => [n, n + 1 + ". " + titleOf(game)]),
    0,
    (n) => {
      which = Number(n);
    },
  );
  list.classList.add("wide-field");
  const choice = await ask(
    t("open"),
    [element("div", { class: "fields" }, list)],
    [
      ["open", "open", true],
      ["cancel", "cancel"],
    ],
    { id: "which-dialog", wide: true },
  );
  return choice ? games[which] : null;
}
