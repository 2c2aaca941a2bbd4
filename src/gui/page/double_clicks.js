// Double clicks on buttons. Whoever clicks a button twice has meant it once, also where another one lies under the pointer
// by then; BoardView looks after the points of the board.

// Buttons that are meant to be clicked quickly in a row, and those of lines, which a first touch only shows.
const QUICK = [
  "#controls button",
  "#undo",
  "#redo",
  "#proof-back",
  "#proof-on",
  "#small-undo",
  ".small-cell",
  ".move",
  ".close-message",
  ".found-line",
  ".library-move",
].join();

let wasQuick = false;

// Keys that are held press a button once.
document.addEventListener(
  "keydown",
  (event) => {
    const button = event.target.closest("button");
    if (event.repeat && ["Enter", " "].includes(event.key) && button && !button.matches(QUICK)) event.preventDefault();
  },
  true,
);

// What is pressed by keys counts no clicks.
document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("button");
    const isQuick = Boolean(button?.matches(QUICK));
    const isMeant = event.detail < 2 || (isQuick && wasQuick);
    wasQuick = isQuick;
    if (!button || isMeant) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
