// The engine as a player: what it is asked when its turn comes, and what its answers to the steps of an opening mean.

import { currentStep } from "./openings.js";
import { isFullStrength } from "./strength.js";

// What an engine that plays without a clock takes for a move unless something else was chosen, in ms.
export const UNTIMED_MOVE = 2000;
// A level stops by itself; this is for machines that are very slow.
const UNTIMED_LEVEL = 60000;
// A level gives a decision of an opening the nodes of a move for each of its searches; slow machines may take no longer
// than this for all of them, in ms.
const LEVEL_DECISION = 1000;
// A person waits no longer for a move than for this part of the engine's clock, and its increment: an engine that plays
// for its rating would think for half a minute where five are left.
const PATIENCE = 1 / 40;
// The least time between moves of engines that play each other, in ms: eyes follow that.
const WATCHED_MOVE = 500;
// What a varied move may give away, in percent of the expected score.
const VARIETY = 3;
// Stones on the board from which the engine may agree to a draw, and the expected score that it must not pass.
const DRAW_FROM = 30;
const DRAW_SHARE = 0.5;

// What the engine calls a step of an opening.
function engineStep(opening) {
  const step = currentStep(opening);
  if (step.do === "place") return opening.kind === "taraguchi10" ? "stone" : "propose";
  if (step.do === "side") return step.mayPlaceTwo ? "second" : "first";
  return step.do;
}

// What it has to know beside the stones.
function openingNumbers({ kind, steps, count, offered }) {
  const [step] = steps;
  if (step.do === "pick") return { offered };
  return step.do === "offer" || (kind === "soosorv8" && step.do === "swap" && count > 0) ? { fifths: count } : {};
}

function openingLimits(play) {
  const { strength } = play.options;
  const allowed = limits(play);
  return strength.level ? { ...allowed, ms: Math.min(LEVEL_DECISION, allowed.ms ?? Infinity) } : allowed;
}

function limits(play) {
  const { strength, time } = play.options;
  // Games that were kept by older pages count nodes.
  const limits = strength.kind === "nodes" ? { nodes: strength.nodes } : {};
  const stops = strength.level && !isFullStrength(strength.level);
  if (time.kind === "none") return { ms: stops ? UNTIMED_LEVEL : (time.think ?? UNTIMED_MOVE), ...limits };
  const left = Math.max(1, Math.floor(play.clock.remaining(play.activeColor())));
  if (time.kind === "move") return { ms: left, ...limits };
  const increment = time.increment || 0;
  const patience = play.hasPerson ? { ms: Math.max(1, Math.min(left, Math.round(left * PATIENCE) + increment)) } : {};
  return { left_ms: left, increment_ms: increment, ...patience, ...limits };
}

// How strong and how varied the engine plays.
function style({ options: { strength, varied }, match }) {
  return {
    seed: match.seed || 0,
    ...(strength.level ? { level: strength.level } : {}),
    ...(varied ? { variety: VARIETY } : {}),
  };
}

// Whether Kagetsu learns from a game with these options if it loses it: unless that was switched off. Games that were kept
// by older pages do not say it.
export function learns({ learns }) {
  return learns ?? true;
}

// Whether this very game is one to learn from: a level stays as strong as it is, and of two that are the same engine one
// loses anyway.
function isToLearnFrom({ options, hasPerson }) {
  return options.strength.kind === "full" && hasPerson && learns(options);
}

// The least time between two moves in ms, as it is set: unless somebody says otherwise, there is one where nobody plays.
export function leastTime(pace, { hasPerson }) {
  return pace === "watch" ? (hasPerson ? 0 : WATCHED_MOVE) : Number(pace);
}

// The question for the engine whose turn it is: {op, fields}.
export function question(play) {
  const { opening } = play.match;
  const position = play.game.position(play.tip);
  if (currentStep(opening))
    return {
      op: "opening",
      fields: {
        position,
        opening: opening.kind,
        step: engineStep(opening),
        ...openingNumbers(opening),
        limits: openingLimits(play),
        style: style(play),
      },
    };
  return {
    op: "think",
    fields: {
      position,
      limits: limits(play),
      threads: play.threads(),
      style: style(play),
      book: play.book(),
      learn: isToLearnFrom(play),
    },
  };
}

// Does what the engine has decided at a step of the opening.
export function carryOut(play, step, answer) {
  if (step.do === "fork") play.openingTurn.decide(answer.offer ? "ten-fifths" : "one-fifth");
  if (answer.offer) return play.openingTurn.offerFifths(answer.offer);
  if (step.do === "swap") return play.openingTurn.choose(answer.swap ? "swap" : "stay");
  if (step.do === "side") {
    if (answer.swap) return play.openingTurn.choose("take-black");
    if (answer.place.length === 2) play.openingTurn.choose("place-two");
    else play.openingTurn.choose("take-white");
    play.interrupt();
  }
  for (const point of answer.place) play.playAtTip(point);
  if (step.do === "fourth") play.openingTurn.choose("fifths-" + answer.fifths);
}

// What the engine expects of the game, as a share of the points: what it found when it had the turn last. Where it
// moved without a search, or the game went on from elsewhere, the best move of the heat map tells: that is there at once,
// and asking for it disturbs no search.
async function expectedShare(play) {
  const { game, tip, lastShare, link } = play;
  const color = play.playerAt("black").kind === "engine" ? "black" : "white";
  const isTurn = game.toMove(tip) === color;
  const searched = game.pathTo(tip).at(isTurn ? -3 : -2);
  if (lastShare && lastShare.at === play.game.keyOf(searched)) return lastShare.share;
  const { points } = await link.ask("heat", { position: game.position(tip) });
  const best = Math.max(0, ...points.map(([, , share]) => share));
  return isTurn ? best : 1 - best;
}

// Whether the engine agrees to a draw; it does late in a game that it does not hope to win.
export async function acceptsDraw(play) {
  return play.game.ply(play.tip) >= DRAW_FROM && (await expectedShare(play)) <= DRAW_SHARE;
}
