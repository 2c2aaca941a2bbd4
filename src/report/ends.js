// How games ended, and how their moves are written.

import { pointName, readMoves } from "../page/points.js";
import { CONTENTS } from "./names.js";

export const ROWS = CONTENTS.rows_from_top ? "top" : "bottom";

// How a game can end: in the list, and in a sentence about its winner, its loser, or nobody.
export const ENDS = {
  line: { name: "five in a row", say: (winner) => winner + " wins with five in a row" },
  foul: { name: "forbidden move", say: (winner, loser) => winner + " wins: " + loser + " made a forbidden move" },
  full: { name: "full board", say: () => "A draw on a full board" },
  length: { name: "drawn by length", say: () => "Called a draw at this length" },
  quiet: { name: "drawn by quiet scores", say: () => "Called a draw: both held it for even" },
  resignation: {
    name: "resigned by score",
    say: (winner, loser) => winner + " wins: the scores say that " + loser + " has lost",
  },
  time: { name: "loss on time", say: (winner, loser, why) => winner + " wins: " + loser + " " + why },
  illegal: { name: "illegal move", say: (winner, loser, why) => winner + " wins: " + loser + " played an " + why },
  crash: { name: "crash", say: (winner, loser, why) => winner + " wins: " + loser + " " + why },
  memory: { name: "too much memory", say: (winner, loser, why) => winner + " wins: " + loser + " " + why },
  protocol: { name: "wrong reply", say: (winner, loser, why) => winner + " wins: " + loser + ", " + why },
};

export function nameOf(number) {
  return CONTENTS.engines[number].name;
}

export function winnerOf(game) {
  return game.r === "b" ? game.b : game.r === "w" ? game.w : null;
}

export function loserOf(game) {
  return game.r === "b" ? game.w : game.r === "w" ? game.b : null;
}

export function endOf(game) {
  const winner = winnerOf(game);
  return ENDS[game.y].say(
    winner === null ? "" : nameOf(winner),
    winner === null ? "" : nameOf(loserOf(game)),
    game.t || "",
  );
}

// The stones as text; columns are letters, so each name begins with one.
export function movesText(game, length) {
  return readMoves(game.m)
    .slice(0, length)
    .map((point) => shownName(game, point))
    .join("");
}

// As people read it; records count rows from the top in any case.
export function shownName(game, point) {
  return pointName(point, CONTENTS.variants[game.v][2], ROWS);
}

export function openingOf(game) {
  return movesText(game, game.o);
}
