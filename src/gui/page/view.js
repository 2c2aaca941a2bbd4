// What is shown of a game: stones and layers on the board, the players with their clocks, what an opening asks, and how
// things stand.

import { scoreText } from "./analysis.js";
import { drawAssumedRule } from "./assumed_rule.js";
import { clockText } from "./clock.js";
import { lengthText, nodeText, percent } from "./figures.js";
import { opposite } from "./game.js";
import { bringIntoSight } from "./in_sight.js";
import { actor, choicesOf, currentStep, fifthsOf, objection } from "./openings.js";
import { proofReplies, proofStones } from "./proof.js";
import { isItsEnd, readResult } from "./result.js";
import { settings } from "./store.js";
import { ownLevelText, strengthName } from "./strength.js";
import { decidedText, t } from "./words.js";
import { byId, element, setText } from "../../page/elements.js";
import { pointName, samePoint } from "../../page/points.js";

const NUMBERS = { none: false, last: 6, all: true };
// Threats that are worth a mark, the strongest first.
const MARKED_THREATS = ["five", "open-four", "four-three", "four", "double-three", "open-three"];

// The most characters that are shown of a result, and of a date or an event, that a file gives.
const LONGEST_RESULT = 80;
const LONGEST_FACT = 200;
// The most characters of a name in a sentence; beside the clock it is shown as far as there is room.
const LONGEST_NAME = 30;

// The colour of the stone that a click places; null where it places none. `next` is to move.
function colorToPlace(play, { mark, tool }, proof, next) {
  const { match, facts } = play;
  const isOver = Boolean(facts) && facts.verdict.kind !== "ongoing";
  // While a proof is played through, the stones that are placed are the defender's.
  if (proof) return isOver ? null : opposite(next);
  if (mark || (play.openPuzzle && (play.openPuzzle.failed || play.openPuzzle.color !== next))) return null;
  if (tool) return tool === "empty" ? null : tool;
  if (isOver) return null;
  if (match.mode === "analyse") return next;
  const isTurn = play.isShowingTip && !play.isOver && !match.isPaused && play.active.kind === "person";
  return isTurn && !choicesOf(match.opening).length ? next : null;
}

export function boardOptions(play, analysis, shown) {
  const { game, facts } = play;
  const { stones, next } = game.standing();
  // In a picture of the game there is nothing of a proof.
  const proof = !shown.isPicture && analysis.proof && analysis.proof.found;
  const verdict = facts && facts.verdict;
  const isTip = play.isShowingTip;
  // The layers are about the position below the stones of a proof.
  const shows = (layer) => settings[layer] && !proof;
  const options = {
    width: game.width,
    height: game.height,
    rows: settings.rows,
    coordinates: settings.coordinates,
    stones,
    next: colorToPlace(play, shown, proof, next),
    dead: game.dead,
    numbers: shown.ghosts || proof ? false : NUMBERS[settings.numbers],
    last: game.current.move,
    sent: play.sent && { at: play.sent.at, color: next, label: t("cell-sent") },
    aim: shown.aim && { at: shown.aim, color: next },
    lines: verdict && verdict.kind === "win" && verdict.line ? [verdict.line] : [],
    lost: Boolean(verdict && verdict.kind === "foul"),
    marks: game.current.marks.map(({ point, ...mark }) => ({
      ...mark,
      at: point,
      label: t("mark-" + mark.kind) + (mark.text ? " " + mark.text : ""),
    })),
    forbidden: shows("forbidden") && facts ? facts.forbidden.map(([x, y]) => [x, y]) : [],
    ghosts:
      shown.ghosts ||
      (proof
        ? proofStones(proof, next).map((stone) => ({
            ...stone,
            label: t("cell-proof-stone", { color: t(stone.color), number: stone.number }),
          }))
        : []),
    hints: [],
    heat: [],
    shares: [],
    threats: [],
  };
  if (shows("threats") && facts) {
    for (const color of ["black", "white"]) {
      for (const [x, y, kind] of facts.threats[color]) {
        if (MARKED_THREATS.includes(kind))
          options.threats.push({
            at: [x, y],
            color,
            kind,
            label: t("said-of", { what: t(color), text: t("threat-" + kind) }),
          });
      }
    }
  }
  if (shows("heat") && analysis.heatPoints && analysis.heatNode === game.current) {
    options.heat = relative(analysis.heatPoints);
    options.shares = analysis.heatPoints.map(([x, y, share]) => ({
      at: [x, y],
      label: t("cell-share", { share: percent(share) }),
    }));
  }
  if (proof) options.hints = proofReplies(proof).map((at) => ({ at, rank: 3, text: "?", label: t("cell-reply") }));
  else if (play.hint.moves.length)
    options.hints = play.hint.moves.map((at) => ({
      at,
      rank: 0,
      text: "★",
      label: t(play.hint.found ? "hint" : "cell-even"),
    }));
  else if (analysis.isOn && !shown.ghosts) {
    options.hints = analysis.lines
      .filter((line) => line && line.moves.length)
      .map(({ moves, win_rate: share }, rank) => ({
        at: moves[0],
        rank,
        text: String(Math.round(100 * share)),
        label: t("cell-line", { n: rank + 1, share: percent(share) }),
      }));
  }
  // In the analysis the opening waits where it was left, and any point may be tried out.
  const { opening, mode } = play.match;
  const isPlay = mode === "play";
  if (opening && (isPlay ? isTip : play.isWhereLeft))
    options.marks.push(...opening.offered.map((at) => ({ at, kind: "label", text: "5", label: t("cell-offer") })));
  if (opening && isPlay && isTip) {
    // A click on a move that is offered takes it back, and places no stone.
    const isOffered = (point) =>
      currentStep(opening)?.do === "offer" && opening.offered.some((offered) => samePoint(offered, point));
    options.isBarred = (point) =>
      isOffered(point) || objection(opening, point, stones, game.width, game.height) !== null;
  }
  return options;
}

// The best point is 1, the worst 0: most moves differ by little, and the difference is what one wants to see.
function relative(points) {
  const shares = points.map(([, , share]) => share);
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  return points.map(([x, y, share]) => [x, y, high - low > 0.01 ? (share - low) / (high - low) : 0]);
}

// Signs that turn the direction of what follows would turn the rest of a sentence as well.
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

export function playerName({ name, kind }, color) {
  return name?.replace(TURNS, "") || (kind === "engine" ? "Kagetsu" : t(color));
}

// The same for a sentence: a file may give names that are longer than the page is wide.
function shortName(player, color) {
  const name = [...playerName(player, color)];
  return name.length > LONGEST_NAME
    ? name
        .slice(0, LONGEST_NAME - 1)
        .join("")
        .trimEnd() + "…"
    : name.join("");
}

// A player's name, with the colour where both have the same, as Kagetsu has against itself.
function fullName(play, color, player = play.playerAt(color)) {
  const [one, other] = ["black", "white"].map((side) => shortName(play.playerAt(side), side));
  const name = shortName(player, color);
  return one === other ? t("name-and-color", { name, color: t(color) }) : name;
}

export function drawPlayers(play, shown) {
  // What Kagetsu thinks of the position would help the person who plays against it.
  const mayTell = play.match.mode === "analyse" || play.isOver || !play.hasPerson;
  for (const color of ["black", "white"]) {
    const player = play.playerAt(color);
    const left = play.clock.remaining(color);
    const isThinking = play.engineTurn.search !== null && player.kind === "engine" && play.activeColor() === color;
    const own = shown.thoughts[color];
    const thought =
      mayTell && player.kind === "engine" && own?.moves && (isThinking || play.activeColor() !== color) ? own : null;
    const isActive = !play.isOver && play.match.mode === "play" && play.activeColor() === color;
    const box = byId("player-" + color);
    box.classList.toggle("to-move", isActive);
    box.classList.toggle("short", play.clock.isLow(color));
    box.classList.toggle("watched", !play.hasPerson);
    const { mark, name, under, level, thinking, clock } = playerParts(box, color);
    mark.setAttribute("aria-label", t(color));
    name.title = playerName(player, color);
    setText(name, name.title);
    // A game that was opened may say how strong its players are.
    const rank = play.match.isOpened ? play.game.rankOf(color).slice(0, LONGEST_FACT) : "";
    level.title = player.kind === "engine" ? strengthName(play.options.strength) : rank;
    under.hidden = player.kind !== "engine" && !rank;
    setText(level, level.title);
    setText(
      thinking,
      isThinking && !thought
        ? t("thinking")
        : thought
          ? t("thought", { score: scoreText(thought), depth: thought.depth, nodes: nodeText(thought.nodes) })
          : "",
    );
    clock.hidden = left === null;
    clock.setAttribute("aria-label", t("clock-of", { color: t(color) }));
    setText(clock, clockText(left));
  }
}

// What a player's box consists of. It stays while the clock in it runs, for those who point at it or have it read. What
// Kagetsu thinks has its room at all times, beside the level: nothing moves while it thinks.
function playerParts(box, color) {
  if (!box.firstChild)
    box.append(
      element("span", { class: "stone-mark " + color, role: "img" }),
      element("strong"),
      element(
        "span",
        { class: "dim under" },
        element("span", { class: "strength" }),
        element("span", { class: "thought" }),
      ),
      element("span", { class: "clock", role: "timer" }),
    );
  const [mark, name, under, clock] = box.children;
  const [level, thinking] = under.children;
  return { mark, name, under, level, thinking, clock };
}

// What is played, and on which board: a file or a link may have brought another rule than the last game had.
// With one that was opened stands where it comes from, if that is known.
export function drawRules(play) {
  const { game, match } = play;
  drawAssumedRule(play);
  const { event, date } = match.isOpened ? game.info : {};
  const told = [date, event].map((text) => text?.slice(0, LONGEST_FACT));
  const text = [t("rule-" + game.rule), game.width + "×" + game.height, ...told].filter(Boolean).join(" · ");
  byId("rules").textContent = text;
  byId("rules").title = event ? text : "";
}

// The name of the opening with which a game of renju began.
export function drawOpeningName(play) {
  const { opening } = play.facts || {};
  const box = byId("opening-name");
  if (!play.facts) return;
  box.hidden = !opening;
  if (opening) box.textContent = t("opening-of", opening);
}

export function drawPrompt(play, choose) {
  const box = byId("prompt");
  const { opening, players, sides } = play.match;
  const step = play.match.mode === "play" ? currentStep(opening) : null;
  box.hidden = !step;
  if (!step) return;
  const player = players[actor(opening, sides)];
  const name = fullName(play, sides.black === actor(opening, sides) ? "black" : "white");
  const left = opening.count - opening.offered.length;
  const { isPaused } = play.match;
  const text = play.sent?.isLate
    ? sentText(play)
    : isPaused && play.isShowingTip
      ? t("paused")
      : t(promptKey(step), {
          name,
          n: step.do === "place" ? step.areas.length : left,
          area: step.areas ? step.areas[0] : 0,
        });
  // While the game is paused they stay where they are, so that nothing below them moves.
  const choices = player.kind === "person" && play.isShowingTip ? choicesOf(opening) : [];
  // Buttons that lie there already stay, so that no click on them is lost.
  const drawn = [document.documentElement.lang, text, ...choices].join("|");
  if (box.dataset.drawn === drawn) return;
  box.dataset.drawn = drawn;
  byId("prompt-text").textContent = text;
  byId("prompt-choices").replaceChildren(
    ...choices.map((choice) =>
      element(
        "button",
        { type: "button", "data-choice": choice, disabled: isPaused, click: () => choose(choice) },
        fifthsOf(choice) ?? t("choice-" + choice),
      ),
    ),
  );
  // What is drawn after this may move it.
  if (choices.length) queueMicrotask(() => bringIntoSight(box, step, text));
}

function promptKey({ do: act, areas }) {
  if (act !== "place" || !areas[0]) return "prompt-" + act;
  return areas[0] === 1 ? "prompt-place-centre" : "prompt-place-in";
}

// What a player has decided in the opening.
export function decisionText(play, { player, color, choice }) {
  return decidedText(fullName(play, color, player), choice);
}

// The result that a game was opened with, where its end is shown: {winner, reason, text}, the first two as far as they are
// known, and the last as it was given. Null elsewhere.
function givenResult({ game, match }) {
  const text = match.isOpened && game.info.result?.slice(0, LONGEST_RESULT);
  if (!text || match.mode !== "analyse" || !game.isMainLine(game.current)) return null;
  if (!isItsEnd(game, game.current, match)) return null;
  const { winner, how } = readResult(text) ?? {};
  if (!winner) return { winner, text };
  const reason = /^r(esign)?$/i.test(how) ? "resign" : /^t(ime)?$/i.test(how) ? "time" : how ? "other" : "unknown";
  return { winner, reason, text };
}

// Such a result in words, where there are some for it.
function givenText(play, { winner, reason, text }) {
  if (winner === null) return t("given-draw");
  if (["resign", "time"].includes(reason)) return wonText(play, winner, reason);
  return reason === "unknown" ? t("verdict-win", { color: t(winner) }) : t("result-given", { result: text });
}

function wonText(play, winner, reason) {
  return t("won-" + reason, {
    winner: fullName(play, winner),
    loser: fullName(play, opposite(winner)),
  });
}

// How a game ended.
export function resultText(play, { winner, reason }) {
  return winner === null ? t("drawn-" + reason) : wonText(play, winner, reason);
}

function sentText({ sent, game }) {
  return t("on-its-way", { point: pointName(sent.at, game.height, settings.rows) });
}

// What clicks do while this kind of mark is chosen, also in a game that waits.
export function markingText({ match }, mark) {
  const text = t("marking", { mark: t("mark-" + mark) });
  return match.mode === "play" && match.isPaused ? t("paused") + " " + text : text;
}

// Whose turn it is, or how it ended.
export function stateText(play) {
  const { match, facts } = play;
  if (play.sent?.isLate) return sentText(play);
  if (play.engineTurn.isWaiting) return t("error-busy");
  if (play.hint.asked) return t("hinting");
  if (play.hint.found) return t("hint-found", { point: pointName(play.hint.found, play.game.height, settings.rows) });
  if (match.mode === "play" && match.result) return resultText(play, match.result);
  if (match.mode === "play" && match.isPaused) return t("paused");
  if (match.mode === "play" && !play.isShowingTip) return t("looking-back");
  const verdict = facts && facts.verdict;
  if (verdict && verdict.kind === "win") return t("verdict-win", { color: t(verdict.winner) });
  if (verdict && verdict.kind === "foul") return t("verdict-foul", { color: t(verdict.winner) });
  if (verdict && verdict.kind === "draw") return t("drawn-full");
  const given = givenResult(play);
  if (given) return givenText(play, given);
  const color = play.game.toMove();
  const player = play.playerAt(color);
  if (!player.name && player.kind === "person") return t("to-move-unnamed", { color: t(color) });
  return t("to-move", { color: t(color), name: shortName(player, color) });
}

// How a game that is over can be told in a line, beside its result.
function summaryText(play) {
  const n = play.game.ply(play.tip);
  // Games that older pages have kept do not say how long they took.
  return play.ms === null ? t("summary-moves", { n }) : t("summary", { n, time: lengthText(play.ms) });
}

// What can be said of a game that is over, and what one may want to do with it.
export function drawSummary(play) {
  const isShown = play.match.mode === "play" && play.isOver;
  byId("summary").hidden = !isShown;
  setText(byId("summary-text"), isShown ? summaryText(play) : "");
  const level = isShown ? ownLevelText(play, () => drawSummary(play)) : "";
  byId("summary-level").hidden = !level;
  setText(byId("summary-level"), level);
}

// The same as the state in a few words, for the title of the page: people who wait for Kagetsu look at something else.
export function titleText(play) {
  const { match, facts } = play;
  const verdict = match.mode === "analyse" && facts && facts.verdict.kind !== "ongoing" ? facts.verdict : null;
  const end =
    match.mode === "play"
      ? match.result
      : verdict
        ? { winner: verdict.kind === "draw" ? null : verdict.winner }
        : givenResult(play);
  if (end && end.winner !== undefined)
    return end.winner === null ? t("title-draw") : t("title-wins", { color: t(end.winner) });
  const isYours = match.mode === "play" && play.active.kind === "person" && play.hasEngine;
  const color = match.mode === "play" ? play.activeColor() : play.game.toMove();
  return isYours ? t("title-yours") : t("title-to-move", { color: t(color) });
}
