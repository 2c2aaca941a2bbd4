// Where the focus of the keys goes on when what had it is gone.

import { byId } from "../../page/elements.js";

// From buttons that may be of no use any more once they were pressed.
const NEXT = {
  first: "next",
  previous: "next",
  next: "previous",
  last: "previous",
  undo: "redo",
  redo: "undo",
  promote: "moves",
  "remove-move": "moves",
  "move-now": null,
  place: null,
  rematch: null,
  "set-up-done": null,
  "puzzle-try-again": null,
  "puzzle-solution": "puzzle-next",
  "proof-back": "proof-on",
  "proof-on": "proof-back",
};
// Where these go with what they stand in, as a proof does when somebody steps to another position: not at the board, where
// the arrows would step no more.
const PART_NEXT = { "proof-back": "solve-vcf", "proof-on": "solve-vcf" };

// Whether keys, or what reads the page aloud, were used last, and neither the mouse nor a finger.
let isByKeys = true;
function note({ type }) {
  isByKeys = type === "keydown";
}
for (const name of ["keydown", "pointerdown"]) document.addEventListener(name, note, true);

export function areKeysInUse() {
  return isByKeys;
}

// Whoever came by keys to a button that is gone or disabled now goes on at the next choice of an opening, at the button
// that does the opposite or comes next, at the list of moves that it has changed, or at the board. After a click the arrows belong to
// those who step through the game.
export function passFocus(focused, board) {
  const isChoice = focused?.dataset.choice !== undefined;
  if (!focused || (!isChoice && !(focused.id in NEXT))) return;
  const isUsable = (node) => node?.isConnected && !node.disabled && node.checkVisibility();
  if (isUsable(focused)) return;
  const nexts = isChoice
    ? [document.querySelector("#prompt-choices button")]
    : [NEXT[focused.id], PART_NEXT[focused.id]].map((id) => id && byId(id));
  const next = nexts.find(isUsable);
  if (next) next.focus();
  else if (isByKeys) board.moveCursor(board.cursor, true);
}
