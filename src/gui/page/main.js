// The page: its parts, and what happens when something is pressed.

import { Analysis } from "./analysis.js";
import { takeIn } from "./arrivals.js";
import { buildAnalysisPanel, drawAnalysis, tellBestLine } from "./analysis_panel.js";
import { BoardView } from "./board_view.js";
import { Commands } from "./commands.js";
import { CommentField } from "./comment_field.js";
import { announce, say, tellError, unsay } from "./dialogs.js";
import { Exchange, isShownAt, namesGame } from "./exchange.js";
import { passFocus } from "./focus.js";
import { Graph } from "./graph.js";
import { showHelp } from "./help.js";
import { noteThreats } from "./hint.js";
import { LibraryPanel } from "./library.js";
import { Link, socketChannel } from "./link.js";
import { heardText, MoveList } from "./move_list.js";
import { leastTime } from "./opponent.js";
import { followOverlooked } from "./overlooked.js";
import { DEFAULT_OPTIONS, Play } from "./play.js";
import { proofStateText, proofTitleText } from "./proof_panel.js";
import { Puzzles } from "./puzzles.js";
import { applySettings, LANGUAGE, showSettings } from "./settings.js";
import { SetUp } from "./set_up.js";
import { showSmallGames } from "./small.js";
import { noteResult, resumeLeft, setLevels, withdrawResult } from "./strength.js";
import { knock } from "./sound.js";
import {
  claimGame,
  followSettings,
  hasLostGame,
  isOwnAddress,
  keepGame,
  noteLeftGames,
  setGameAside,
  settings,
} from "./store.js";
import {
  boardOptions,
  decisionText,
  drawOpeningName,
  drawPlayers,
  drawPrompt,
  drawRules,
  drawSummary,
  markingText,
  stateText,
  titleText,
} from "./view.js";
import { showFormerGames } from "./former_games.js";
import "./double_clicks.js";
import "./mistakes.js";
import { drawLayerNotes } from "./notes.js";
import { speak, t } from "./words.js";
import { byId, element, setText } from "../../page/elements.js";
import { pointName, samePoint } from "../../page/points.js";
import { onSteppingKeys } from "../../page/stepping.js";

// Whether there is a game that this tab goes on with.
function restored(kept) {
  if (!kept || kept.version !== 1) return false;
  try {
    play.restore(kept);
    return true;
  } catch {
    setGameAside();
    say(t("game-damaged"));
    return false;
  }
}

applySettings();
await speak(LANGUAGE());

const link = new Link(window.kagetsuChannel || socketChannel);
const server = { threads: 1, can_shut_down: false, library: false, experience: false };
const play = new Play(link, () => Math.min(settings.threads, server.threads));
const analysis = new Analysis(link, play, settings);
const board = new BoardView((point, isTouch, isAgain) => choosePoint(point, isTouch, isAgain));
const list = new MoveList(play);
const graph = new Graph((node) => play.goTo(node));
const library = new LibraryPanel(link, play, analysis);
const exchange = new Exchange(link, play, tellError, () =>
  boardOptions(play, analysis, { ...shown, ghosts: null, aim: null, isPicture: true }),
);
const commands = new Commands(link, play, analysis, exchange);
commands.canLearn = () => server.experience;
play.pace = () => leastTime(settings.pace, play);
play.book = () => (server.library ? library.book() : undefined);
// A kind of mark that clicks on the board set, instead of stones; a line of play that is pointed at; what Kagetsu
// thinks for each side that it plays; and the point that a first touch has aimed at.
const shown = { mark: null, ghosts: null, thoughts: {}, aim: null, refused: null };
// After so many ms without another key a comment is kept.
const KEEP_AFTER = 400;
let keeping = null;
let isKept = true;
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

// ----- Drawing -----

function drawBoardNow() {
  board.show(boardOptions(play, analysis, { ...shown, tool: setUp.tool }));
}

function draw() {
  const { game } = play;
  const focused = document.activeElement;
  drawBoardNow();
  list.show(game, settings.rows);
  graph.show(game, play.shownLine());
  drawPlayers(play, shown);
  drawRules(play);
  drawPrompt(play, choose);
  drawAnalysis(analysis, play, panel);
  commands.draw();
  setUp.draw();
  puzzles.draw();
  drawState();
  drawSummary(play);
  drawOpeningName(play);
  library.show(server.library);
  drawLayerNotes(play, analysis);
  arrangeCards();
  byId("former-game").hidden = exchange.former === null;
  comment.draw();
  document.documentElement.dataset.moves = game.ply();
  passFocus(focused, board);
}

// How things stand. What an opening asks for says more than whose turn it is, and stands in the same place.
function drawState() {
  const proof = analysis.proof && analysis.proof.found;
  setText(
    byId("state"),
    proof ? proofStateText(proof, play.game.standing()) : shown.mark ? markingText(play, shown.mark) : stateText(play),
  );
  byId("state").hidden = !byId("prompt").hidden && play.isShowingTip && !shown.mark;
  const title = (proof ? proofTitleText(proof, play.game.toMove()) : titleText(play)) + " – Kagetsu";
  if (document.title !== title) document.title = title;
}

// While the engine gives no advice, because it plays, its cards say so in one line, and the moves stand first.
function arrangeCards() {
  const root = document.documentElement;
  const help = analysis.isAllowed ? "given" : "none";
  if (root.dataset.help === help) return;
  root.dataset.help = help;
  const [cards, card, moves] = ["cards", "moves-card", "moves"].map(byId);
  const isLast = help === "given";
  // What is moved loses the focus. While somebody types a comment, the other cards are moved past that one.
  if (card.contains(document.activeElement))
    return card[isLast ? "before" : "after"](...[...cards.children].filter((other) => other !== card));
  // It also forgets how far it was scrolled.
  const { scrollTop } = moves;
  cards[isLast ? "append" : "prepend"](card);
  moves.scrollTop = scrollTop;
}

const panel = {
  redraw: () => draw(),
  point: (ghosts) => {
    if (ghosts === shown.ghosts) return;
    shown.ghosts = ghosts;
    drawBoardNow();
  },
  name: (point) => pointName(point, play.game.height, settings.rows),
  toBoard: () => board.moveCursor(board.cursor, true),
};
const setUp = new SetUp(play, analysis, exchange, panel);
const puzzles = new Puzzles(link, play, analysis, exchange, panel);
const comment = new CommentField(play, keepSoon, () => list.show(play.game, settings.rows));

function keep() {
  clearTimeout(keeping);
  const wasKept = isKept;
  isKept = keepGame(play.state());
  if (wasKept && !isKept) say(t("not-kept"), "error");
  exchange.showAddress();
}

function keepSoon() {
  clearTimeout(keeping);
  keeping = setTimeout(keep, KEEP_AFTER);
}

play.addEventListener("change", ({ detail: what }) => {
  if (what === "start" || what === "step" || what === "undo") shown.thoughts = {};
  // Who has the turn thinks anew.
  if (what === "move") delete shown.thoughts[play.activeColor()];
  if (["start", "step", "undo"].includes(what)) comment.follow();
  if (what === "start") {
    shown.refused = null;
    library.forget();
  }
  // Clicks of a new game place stones. And how a game has ended is told where it stands that clicks set marks.
  if (what === "start" || what === "end") chooseMark(null);
  if (!play.isSetUp) setUp.end();
  // Where the stone would lie is another position now, and what was refused may be allowed in it.
  if (!["facts", "values", "hint", "thinking", "sent"].includes(what)) {
    aim(null);
    unsay("refusal");
  }
  // What has been decided in the opening of another game, or was taken back, does not hold any more.
  if (what === "start" || what === "undo") unsay("decision");
  draw();
  // What the result says of a person's level is kept with the game.
  if (["move", "undo"].includes(what) && play.match.mode === "play") resumeLeft(play);
  if (what === "end") {
    noteResult(play);
    drawSummary(play);
    exchange.note();
  } else if (what === "undo" || what === "mode") withdrawResult(play);
  // Whoever holds an arrow key down goes through the whole game, which need not be written at each step.
  if (what === "step") {
    exchange.showAddress();
    keepSoon();
  } else if (!["facts", "sent"].includes(what)) {
    keep();
  }
  followOverlooked(play, what);
  if (what === "move") {
    heard(play.tip);
    noteThreats(play, settings.threats && !analysis.isAllowed);
  }
  if (what === "move" && settings.sound) knock();
  if (what === "step" || what === "undo") heard();
});
play.addEventListener("thought", ({ detail }) => {
  shown.thoughts[play.activeColor()] = detail;
  drawPlayers(play, shown);
});
play.addEventListener("decided", ({ detail }) => {
  // What stands at the edge of the page is read aloud by itself.
  const text = decisionText(play, detail);
  if (detail.player.kind === "engine") say(text, "decision");
  else announce(text);
});
play.addEventListener("opening-left", () => say(t("opening-left")));
for (const source of [play, analysis]) source.addEventListener("trouble", ({ detail }) => tellError(detail));
analysis.addEventListener("change", () => {
  // From here on clicks play it through.
  if (analysis.proof?.found && (shown.mark || setUp.tool)) chooseMark(null);
  drawAnalysis(analysis, play, panel);
  drawState();
  commands.drawSweepButton();
  drawBoardNow();
  list.show(play.game, settings.rows);
  graph.show(play.game, play.shownLine());
});

// It takes a minute, and those who hear the page see no bar that goes.
analysis.addEventListener("swept", () => announce(t("game-analysed")));

analysis.addEventListener("searched", () => tellBestLine(analysis, panel));

// The move that is shown, or was made elsewhere, for those who hear the page.
function heard(node = play.game.current) {
  announce(heardText(play.game, node, settings.rows));
}

// ----- The board -----

async function choosePoint(point, isTouch, isAgain = false) {
  // The second click of a double click says nothing new, but by a finger that has aimed with the first, or where that was
  // refused, as one is that came too early.
  if (isAgain && !samePoint(point, shown.aim) && !samePoint(point, shown.refused)) return;
  if (analysis.proof && analysis.proof.found) return panel.followProof(point);
  if (shown.mark) return toggleMark(point);
  if (setUp.tool) return setUp.click(point);
  // A finger covers more than one point, so the first touch shows which one it has met. What is refused is so at once.
  if (
    isTouch &&
    settings.confirm &&
    !samePoint(point, shown.aim) &&
    puzzles.isReady &&
    [null, "refused-wait"].includes(play.refusal(point))
  ) {
    aim(point);
    drawBoardNow();
    return announce(t("aimed", { point: pointName(point, play.game.height, settings.rows) }));
  }
  if (shown.aim) {
    aim(null);
    drawBoardNow();
  }
  const { match } = play;
  const refusal = await (play.openPuzzle ? puzzles.click(point) : play.tryMove(point));
  // By now it may be another game.
  if (play.match !== match) return;
  shown.refused = refusal ? point : null;
  // Whoever goes on with a new game does not want the one before back.
  if (!refusal && play.match.mode === "play") unsay("choice");
  if (refusal) {
    const name = pointName(point, play.game.height, settings.rows);
    say(t("said-of", { what: name, text: t(refusal) }), "refusal");
  }
}

// The point that the next touch, or the button beside the stepping buttons, plays at.
function aim(point) {
  shown.aim = point;
  const button = byId("place");
  const focused = document.activeElement;
  button.hidden = !point;
  passFocus(focused, board);
  if (!point) return;
  const name = pointName(point, play.game.height, settings.rows);
  button.textContent = "✓ " + name;
  button.setAttribute("aria-label", t("place", { point: name }));
}

// Clicks set marks of this kind from now on, or place stones again where it is null.
function chooseMark(kind) {
  if (kind) analysis.leaveProof();
  aim(null);
  setUp.end();
  shown.mark = kind;
  for (const button of byId("marks").children)
    button.setAttribute("aria-pressed", String(button.id === "mark-" + kind));
  drawBoardNow();
  setUp.draw();
  drawState();
}

function toggleMark(point) {
  const node = play.game.current;
  const rest = node.marks.filter((mark) => !samePoint(mark.point, point));
  // The first letter that no other mark has; whoever needs more than there are begins again.
  const letter = LETTERS.find((one) => !rest.some(({ kind, text }) => kind === "label" && text === one)) || LETTERS[0];
  const isThere = node.marks.some((mark) => samePoint(mark.point, point) && mark.kind === shown.mark);
  node.marks = isThere
    ? rest
    : [...rest, { kind: shown.mark, point, ...(shown.mark === "label" ? { text: letter } : {}) }];
  keep();
  drawBoardNow();
  announce(board.cellAt(point).getAttribute("aria-label"));
}

function choose(choice) {
  play.openingTurn.choose(choice);
}

// ----- Buttons and keys -----

function build() {
  commands.build();
  byId("marks").replaceChildren(
    ...["triangle", "square", "circle", "cross", "label"].map((kind) =>
      element(
        "button",
        {
          type: "button",
          id: "mark-" + kind,
          "aria-pressed": String(shown.mark === kind),
          click: () => chooseMark(shown.mark === kind ? null : kind),
          "data-t": "mark-" + kind,
        },
        t("mark-" + kind),
      ),
    ),
  );
  buildAnalysisPanel(analysis, play, panel);
  library.build(panel);
  setUp.build();
  puzzles.build();
}

const help = () => showHelp(server, link);
for (const [id, action] of [
  ["new-game", () => commands.newGame().catch(tellError)],
  ["open-game", () => exchange.askForText()],
  ["save-game", () => exchange.save()],
  ["show-help", help],
  ["former-game", () => exchange.backToFormer().catch(tellError)],
  ["former-games", () => showFormerGames(exchange).catch(tellError)],
  [
    "set-up",
    () => {
      chooseMark(null);
      setUp.begin();
    },
  ],
  ["show-puzzles", () => puzzles.show().catch(tellError)],
  ["small-games", () => showSmallGames(link).catch(tellError)],
  [
    "show-settings",
    () =>
      showSettings(server.threads, () => {
        aim(null);
        build();
        draw();
      }),
  ],
])
  byId(id).addEventListener("click", action);

byId("place").addEventListener("click", () => choosePoint(shown.aim, true));
// The menu is gone before a window opens, and the focus is back where the menu was opened from.
byId("more-menu").addEventListener(
  "click",
  () => {
    if (byId("more-menu").matches(":popover-open")) byId("more-menu").hidePopover();
  },
  true,
);
// Not by the address, which names the game.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  panel.toBoard();
});
takeIn(exchange);
const KEYS = {
  u: () => play.undo(),
  r: () => play.redo(),
  h: () => byId("hint").click(),
  m: () => byId("move-now").click(),
  a: () => byId("analyse").click(),
  n: () => byId("new-game").click(),
  o: () => exchange.askForText(),
  s: () => exchange.save(),
  f: () => byId("former-games").click(),
  "?": help,
  b: () => panel.toBoard(),
  // Elsewhere the key belongs to the browser, which closes the menu with it.
  get Escape() {
    return (shown.mark || setUp.tool) && !byId("more-menu").matches(":popover-open") ? () => chooseMark(null) : null;
  },
};
// Whoever speaks to the machine may say letters without meaning a key, and can switch these off.
onSteppingKeys(
  (step) => play.step(step),
  new Proxy(KEYS, { get: (keys, name) => (settings.letters || name.length > 1 ? keys[name] : undefined) }),
);

// ----- The engine comes and goes -----

link.addEventListener("change", async () => {
  const box = byId("lost");
  if (link.isAway) play.flag.lost();
  if (["lost", "refused"].includes(link.state)) {
    box.textContent = t("engine-" + link.state);
    box.hidden = false;
  }
  draw();
  if (link.state !== "ready") return;
  Object.assign(server, await link.ask("hello"));
  exchange.version = server.version;
  setLevels(server.levels);
  drawPlayers(play, shown);
  library.show(server.library);
  if (!box.hidden) {
    box.hidden = true;
    say(t("engine-back"));
    // What was under way is asked for again.
    play.proceed();
    analysis.takeUp();
  }
  document.documentElement.dataset.engine = "ready";
});

// What another tab sets holds here too. Results of games are kept there, and nothing of them is shown.
followSettings(async (changed) => {
  if (changed.every((name) => ["games", "puzzles", "usual"].includes(name))) return;
  applySettings();
  if (changed.includes("language")) await speak(LANGUAGE()).then((isSpoken) => isSpoken && unsay("message"), tellError);
  build();
  play.dispatchEvent(new CustomEvent("change", { detail: "settings" }));
});

document.addEventListener("visibilitychange", () => analysis.see(!document.hidden));

setInterval(() => {
  play.flag.check();
  if (play.clock.running) drawPlayers(play, shown);
}, 100);
// The address stays as it is: a page that goes can change it no more, and would take its own for a link when it is back.
addEventListener("pagehide", keep);
addEventListener("hashchange", ({ oldURL }) => exchange.followAddress(location.hash, false, new URL(oldURL).hash));

build();
const address = location.hash;
// A link does not take the place of a game: where it names another, that one is left to the next tab.
const isForeign = !isOwnAddress(address);
const isLink = isForeign && namesGame(address);
const isNamed = (state) => !isLink || isShownAt(address, state);
const isLost = hasLostGame();
const kept = await claimGame(isNamed);
exchange.recallFormer();
if (!restored(kept))
  play.start({ ...DEFAULT_OPTIONS, players: [{ kind: "person", name: settings.name }, DEFAULT_OPTIONS.players[1]] });
// A link is looked at beside the game that was played last.
if (!kept) play.usual = settings.usual ?? exchange.former?.state.usual ?? exchange.former?.state.options ?? play.usual;
if (isForeign) exchange.followAddress(address, isLink);
noteLeftGames();
if (isLost) say(t("was-not-kept"), "error");
document.documentElement.dataset.state = "ready";
