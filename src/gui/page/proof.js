// A win that the solver has found, played through move by move: the winner's moves are those of the proof, the replies
// are the defender's choice.
//
// A proof as it is sent is a list of nodes: {move, replies: [[x, y, next]], threat, cut}. `threat` is the node that
// wins after every reply that is not listed; a node without one makes five, or is `cut`: what follows it was not sent.
// The path is how far it was played: {number, reply}, the reply that led to the node; null if the defender played
// anywhere.

import { opposite } from "./game.js";
import { samePoint } from "../../page/points.js";

export function beginProof(answer) {
  return { ...answer.proof, path: [{ number: 0, reply: null }] };
}

function lastNode({ nodes, path }) {
  return nodes[path[path.length - 1].number];
}

// The replies that are listed: those that would stop the threat, if the proof had no answer to them.
export function proofReplies(proof) {
  return lastNode(proof).replies.map(([x, y]) => [x, y]);
}

// Stones along the path; a reply that may lie anywhere has a number but no stone.
export function proofStones({ nodes, path }, attacker) {
  const defender = opposite(attacker);
  return path.flatMap(({ number, reply }, n) => [
    ...(reply ? [{ at: reply, color: defender, number: 2 * n }] : []),
    { at: nodes[number].move, color: attacker, number: 2 * n + 1 },
  ]);
}

// "five" where the game ends here, "replies" and "threat" where it goes on, "cut" where the rest was not sent.
export function proofStage(proof) {
  const { replies, threat, cut } = lastNode(proof);
  if (cut) return "cut";
  if (replies.length) return "replies";
  return threat !== null && threat !== undefined ? "threat" : "five";
}

// Plays a reply and the move that wins against it. Returns whether the reply was listed, or null if it cannot be played.
export function reply(proof, point) {
  const { replies, threat } = lastNode(proof);
  const listed = replies.find(([x, y]) => samePoint([x, y], point));
  const next = listed ? listed[2] : threat;
  if (next === null || next === undefined || proofStones(proof, "black").some(({ at }) => samePoint(at, point)))
    return null;
  proof.path.push({ number: next, reply: point });
  return Boolean(listed);
}

// Plays the reply that holds out longest, as far as the proof was sent; where none is listed, the threat is carried out.
export function longestReply(proof) {
  const { nodes, path } = proof;
  const lengths = new Map();
  const length = (number) => {
    if (number === null || number === undefined) return 0;
    if (!lengths.has(number)) {
      lengths.set(number, 0);
      const { replies, threat } = nodes[number];
      lengths.set(number, 1 + Math.max(length(threat), ...replies.map(([, , next]) => length(next))));
    }
    return lengths.get(number);
  };
  const { replies, threat } = lastNode(proof);
  if (replies.length) {
    const [x, y, next] = replies.reduce((best, other) => (length(other[2]) > length(best[2]) ? other : best));
    path.push({ number: next, reply: [x, y] });
  } else if (threat !== null && threat !== undefined) {
    path.push({ number: threat, reply: null });
  }
}
