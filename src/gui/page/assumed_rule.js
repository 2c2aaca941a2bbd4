// The rule of a game whose text names none, or one that nobody knows here. It is taken for the rule of the last game
// that was played; the page says so, and lets another one be chosen. `assumed` of a game, and of its match, is {name:
// what the text calls its rule, or null; isChosen: whether somebody has chosen another}; it is null where the rule is known.

import { unsay } from "./dialogs.js";
import { ensurePossible } from "./files.js";
import { Game, RULES } from "./game.js";
import { isItsEnd } from "./result.js";
import { t } from "./words.js";
import { byId, element } from "../../page/elements.js";

// Throws what is wrong with a game that cannot have been played under its rule. Where that is only assumed, it is the
// first under which the game can have been played.
export async function ensurePossibleUnderItsRule(link, game) {
  const { rule, assumed } = game;
  try {
    await ensurePossible(link, game);
  } catch (error) {
    if (!assumed || error.code !== "impossible") throw error;
    for (const other of RULES) {
      game.rule = other;
      const isPossible = await ensurePossible(link, game).then(
        () => true,
        () => false,
      );
      if (isPossible) return;
    }
    game.rule = rule;
    throw error;
  }
}

// Says which rule a game was taken for; nothing where its own is known.
export function assumedText({ rule, assumed }) {
  if (!assumed) return "";
  return t(assumed.name ? "assumed-unknown" : "assumed-unnamed", { name: assumed.name, rule: t("rule-" + rule) });
}

// A game that was opened is shown under another rule than it was taken for. Throws why that does not allow it.
export async function assumeRule(link, play, rule) {
  const { game } = play;
  try {
    await ensurePossible(link, Game.fromTree({ ...game.toTree(), rule }));
  } catch (error) {
    // The list goes back to the rule that holds.
    byId("assumed-rule").querySelector("select").value = game.rule;
    throw error;
  }
  if (play.game !== game || !play.match.isOpened) return;
  const end = game.nodes().find((node) => isItsEnd(game, node, play.match)) ?? null;
  game.changeRule(rule);
  // What was said when it was opened names the other rule.
  unsay("info");
  play.open(Object.assign(game, { assumed: { ...play.match.assumed, isChosen: true } }), end);
}

// Whether the rule of a game is a guess, which is not to be written down as if the file had named it.
export function isRuleAssumed({ isOpened, assumed }) {
  return Boolean(isOpened && assumed && !assumed.isChosen);
}

// Below the players it stays said as long as the game is nobody's own. A choice is told to `play`.
export function drawAssumedRule(play) {
  const { game, match } = play;
  const box = byId("assumed-rule");
  const assumed = match.isOpened && match.assumed;
  box.hidden = !assumed;
  if (!assumed) return;
  // A list that lies open stays.
  const drawn = [document.documentElement.lang, game.rule, assumed.name].join("|");
  if (box.dataset.drawn === drawn) return;
  box.dataset.drawn = drawn;
  const isFocused = box.contains(document.activeElement);
  const choose = ({ target }) => play.dispatchEvent(new CustomEvent("rule-assumed", { detail: target.value }));
  box.replaceChildren(
    element("span", {}, t(assumed.name ? "take-unknown" : "take-unnamed", { name: assumed.name })),
    " ",
    element(
      "select",
      { change: choose },
      RULES.map((rule) => element("option", { value: rule, selected: rule === game.rule }, t("rule-" + rule))),
    ),
  );
  if (isFocused) box.querySelector("select").focus();
}
