// The result of a game, and whether it is that of the main line, which files hold as the game. In the analysis another
// line may become the main one, and moves may be added to it or deleted.

// A result as files give it.
export function resultCode(winner, reason) {
  return winner === null ? "0" : (winner === "black" ? "B+" : "W+") + ({ resign: "R", time: "T" }[reason] || "");
}

// What the result of a file says: {winner, how}, where `winner` is null for a draw and `how` stands behind the sign; null
// where it says something else.
export function readResult(text) {
  if (/^(0|draw)$/i.test(text)) return { winner: null, how: "" };
  const [, side, how] = /^([BW])\+(.*)$/i.exec(text) || [];
  return side ? { winner: side.toUpperCase() === "B" ? "black" : "white", how } : null;
}

// Why a game is over that one of these rows has won; where no row is known, as a five.
export function rowReason(rows) {
  return rows.length && rows.every((row) => row && row.length > 5) ? "overline" : "five";
}

// Whether this is where the game ended that was opened, or that was played and is analysed now.
export function isItsEnd(game, node, { mode, isOpened, endAt, lastPly, leftAt }) {
  if (mode === "play") return true;
  if (!isOpened) return game.keyOf(node) === leftAt;
  // Games that older pages have kept only say after how many moves.
  return endAt === undefined ? game.ply(node) === lastPly : game.keyOf(node) === endAt;
}

// The game as it is written down. Where its main line does not lead through the end of the game, the result is what the
// rule says of its own end. Moves that were only added after the end leave the result alone.
export async function withItsResult(link, game, match) {
  const line = game.mainLine();
  if (line.findLast((node) => isItsEnd(game, node, match))) return game;
  return game.withInfo({ ...game.info, result: await resultByRule(link, game.position(line.at(-1))) });
}

// Undefined where the game goes on, and while the engine is not there to tell.
async function resultByRule(link, position) {
  if (link.state !== "ready") return undefined;
  try {
    const { kind, winner } = (await link.ask("position", { position })).verdict;
    return kind === "ongoing" ? undefined : resultCode(winner ?? null);
  } catch {
    // The line may go on after its end.
    return undefined;
  }
}
