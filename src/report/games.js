// The games: a list to choose from, and a viewer to step through one. `#game=3&ply=10` is such a place; it
// can be kept as a bookmark and sent to others.

import { byId, count, element, shape, signed, time } from "../page/elements.js";
import { drawBoard } from "../page/board.js";
import { Course } from "../page/course.js";
import { readMoves, stonesOf, winningLines } from "../page/points.js";
import { onSteppingKeys, steppingButtons } from "../page/stepping.js";
import { ENDS, endOf, movesText, nameOf, openingOf, ROWS, shownName, winnerOf } from "./ends.js";
import { CONTENTS, engineColor, engineName, isDecided, score, stoneMark } from "./names.js";

// ----- The list -----

const LIST_PART = 100;

const chooser = { found: [], shown: 0 };

export function buildFilters() {
  const select = (id, label, choices) =>
    element(
      "label",
      {},
      label + " ",
      element(
        "select",
        { id, change: applyFilters },
        choices.map(([value, text]) => element("option", { value }, text)),
      ),
    );
  const used = Object.keys(ENDS).filter((word) => CONTENTS.games.some((game) => game.y === word));
  byId("filters").append(
    select("filter-engine", "Engine", [["", "any"], ...CONTENTS.engines.map((engine, n) => [n, engine.name])]),
    select("filter-result", "Result", [
      ["", "any"],
      ["win", "win"],
      ["draw", "draw"],
      ["loss", "loss"],
      ["decided", "not a draw"],
    ]),
    select("filter-color", "Colour", [
      ["", "any"],
      ["b", "Black"],
      ["w", "White"],
    ]),
    select("filter-end", "End", [["", "any"], ["fault", "any fault"], ...used.map((word) => [word, ENDS[word].name])]),
    select("filter-order", "Order", [
      ["", "as played"],
      ["long", "longest first"],
      ["short", "shortest first"],
      ["opening", "by opening"],
    ]),
    element(
      "label",
      { class: "grow" },
      "Opening or game ",
      element("input", { id: "filter-opening", type: "search", placeholder: "h8i9, or a number", input: applyFilters }),
    ),
  );
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
}

// Result and colour are the chosen engine's; without an engine they are the winner's.
function fits(game, wanted) {
  const engine = wanted.engine === "" ? null : Number(wanted.engine);
  if (engine !== null && game.b !== engine && game.w !== engine) return false;
  const winner = winnerOf(game);
  if (wanted.result === "draw" && winner !== null) return false;
  if (wanted.result !== "" && wanted.result !== "draw" && winner === null) return false;
  if (engine !== null && wanted.result === "win" && winner !== engine) return false;
  if (engine !== null && wanted.result === "loss" && winner === engine) return false;
  if (wanted.color !== "") {
    const color =
      engine !== null
        ? game.b === engine
          ? "b"
          : "w"
        : game.r === "d"
          ? ""
          : wanted.result === "loss"
            ? game.r === "b"
              ? "w"
              : "b"
            : game.r;
    if (color !== wanted.color) return false;
  }
  const isFault = ["time", "illegal", "crash", "memory", "protocol"].includes(game.y);
  if (wanted.end === "fault" ? !isFault : wanted.end !== "" && game.y !== wanted.end) return false;
  const text = wanted.opening;
  // While the last point is being written, h1 may become h12; the points before it are whole.
  const begins = () => {
    const points = text.match(/[a-z]+\d*/g) || [];
    const played = movesText(game, points.length).match(/[a-z]+\d+/g) || [];
    const last = points.length - 1;
    return points.every((point, n) => (n < last ? played[n] === point : (played[n] || "").startsWith(point)));
  };
  return text === "" || (/^\d+$/.test(text) ? game.id === Number(text) || game.opening === Number(text) : begins());
}

export function applyFilters() {
  const value = (name) => byId("filter-" + name).value;
  const wanted = {
    engine: value("engine"),
    result: value("result"),
    color: value("color"),
    end: value("end"),
    opening: value("opening").toLowerCase().replace(/[\s,]/g, ""),
  };
  const order = value("order");
  chooser.found = CONTENTS.games.filter((game) => fits(game, wanted));
  const length = (game) => game.m.length;
  if (order === "long") chooser.found.sort((a, b) => length(b) - length(a));
  if (order === "short") chooser.found.sort((a, b) => length(a) - length(b));
  if (order === "opening") chooser.found.sort((a, b) => a.opening - b.opening || a.id - b.id);
  byId("found").textContent =
    chooser.found.length === CONTENTS.games.length
      ? chooser.found.length + " games"
      : chooser.found.length + " of " + CONTENTS.games.length + " games";
  chooser.shown = 0;
  byId("list").replaceChildren();
  byId("list").scrollTop = 0;
  showMoreGames();
}

// Long lists grow as they are scrolled: thousands of rows at once would make the page slow.
function showMoreGames() {
  const part = chooser.found.slice(chooser.shown, chooser.shown + LIST_PART);
  chooser.shown += part.length;
  byId("list").append(...part.map(gameRow));
}

function gameRow(game) {
  const winner = winnerOf(game);
  const player = (number) =>
    element("span", { class: "player" + (winner === number ? " winner" : "") }, nameOf(number));
  const isShown = viewer.game === game;
  return element(
    "a",
    { href: "#game=" + game.id, class: "game-row", "data-game": game.id, "aria-current": isShown ? "true" : undefined },
    element("span", { class: "number" }, "#" + game.id),
    element(
      "span",
      { class: "pairing" },
      stoneMark(0),
      player(game.b),
      element("wbr"),
      " ",
      stoneMark(1),
      player(game.w),
    ),
    element("span", { class: "result" }, game.r === "b" ? "1–0" : game.r === "w" ? "0–1" : "½–½"),
    element("span", { class: "end dim" }, ENDS[game.y].name + ", " + readMoves(game.m).length + " stones"),
  );
}

// ----- The viewer -----

const viewer = { game: null, moves: [], ply: 0, numbers: true, playing: null };

// Scores above, times below.
const course = new Course(
  byId("scores"),
  { height: 190, left: 74, right: 10, top: 10, bottom: 128, floor: 168 },
  showPosition,
);

export function buildControls() {
  const button = (id, content, label, action) =>
    element("button", { id, type: "button", "aria-label": label, title: label, click: action }, content);
  const labels = {
    first: "To the beginning (Home)",
    previous: "One move back (left arrow)",
    next: "One move on (right arrow)",
    last: "To the end (End)",
  };
  byId("controls").append(
    ...steppingButtons(labels, take),
    button("play", "Play", "Play the game move by move (Space)", togglePlaying),
    element(
      "label",
      { class: "check" },
      element("input", {
        id: "numbers",
        type: "checkbox",
        checked: viewer.numbers,
        change: (event) => {
          viewer.numbers = event.target.checked;
          showPly();
        },
      }),
      " Numbers",
    ),
  );
  byId("list").addEventListener("scroll", (event) => {
    const list = event.currentTarget;
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 300) showMoreGames();
  });
  onSteppingKeys(take, { p: () => stepGame(-1), n: () => stepGame(1), " ": togglePlaying });
}

const STRIDES = { first: -Infinity, previous: -1, next: 1, last: Infinity };

function take(name) {
  step(STRIDES[name]);
}

function step(by) {
  stopPlaying();
  showPosition(viewer.ply + by);
}

function stepGame(by) {
  const at = chooser.found.indexOf(viewer.game);
  const game = chooser.found[at + by];
  if (game) location.hash = "game=" + game.id;
}

function togglePlaying() {
  if (viewer.playing !== null) return stopPlaying();
  if (viewer.ply === viewer.moves.length) showPosition(viewer.game.o);
  byId("play").textContent = "Stop";
  viewer.playing = setInterval(() => {
    showPosition(viewer.ply + 1);
    if (viewer.ply === viewer.moves.length) stopPlaying();
  }, 600);
}

function stopPlaying() {
  clearInterval(viewer.playing);
  viewer.playing = null;
  byId("play").textContent = "Play";
}

// What the address asks for; the first game's end if nothing.
export function followAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (!wanted.has("game") && viewer.game) return;
  const game = CONTENTS.games.find((game) => game.id === Number(wanted.get("game"))) || CONTENTS.games[0];
  const moves = readMoves(game.m);
  const ply = wanted.has("ply") ? Number(wanted.get("ply")) || 0 : moves.length;
  if (game !== viewer.game) showGame(game, moves);
  viewer.ply = Math.max(0, Math.min(moves.length, Math.round(ply)));
  showPly();
  // Beside the list on wide screens, far below it on narrow ones.
  if (wanted.has("game") && byId("viewer").getBoundingClientRect().top > innerHeight * 0.6)
    byId("viewer").scrollIntoView({ behavior: "instant" });
}

function showPosition(ply) {
  viewer.ply = Math.max(0, Math.min(viewer.moves.length, ply));
  history.replaceState(null, "", "#game=" + viewer.game.id + "&ply=" + viewer.ply);
  showPly();
}

function showGame(game, moves) {
  stopPlaying();
  viewer.game = game;
  viewer.moves = moves;
  const [rule, width, height] = CONTENTS.variants[game.v];
  byId("game-title").replaceChildren(
    "Game " + game.id + ": ",
    stoneMark(0),
    engineName(game.b),
    " – ",
    stoneMark(1),
    engineName(game.w),
  );
  byId("game-end").replaceChildren(
    element("strong", {}, endOf(game)),
    ". ",
    element(
      "span",
      { class: "dim" },
      rule +
        " " +
        width +
        "×" +
        height +
        ", " +
        moves.length +
        " stones, opening " +
        game.opening +
        (game.o ? " (" + openingOf(game) + ")" : " (empty board)"),
    ),
  );
  for (const row of byId("list").querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
  const row = byId("list").querySelector('[data-game="' + game.id + '"]');
  if (row) {
    row.setAttribute("aria-current", "true");
    const list = byId("list");
    if (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }
  drawMoveList();
  drawScores();
}

// A value of a stone; undefined where nothing is known.
function valueAt(list, ply) {
  const value = list && list[ply];
  return value === null ? undefined : value;
}

function drawMoveList() {
  const game = viewer.game;
  const name = (point) => shownName(game, point);
  const rows = viewer.moves.map((point, n) =>
    element(
      "tr",
      { "data-ply": n + 1, click: () => step(n + 1 - viewer.ply) },
      element("td", { class: "number" }, String(n + 1)),
      element(
        "td",
        {},
        element(
          "button",
          {
            type: "button",
            class: "move",
            "aria-label": "Move " + (n + 1) + ", " + (n % 2 === 0 ? "Black " : "White ") + name(point),
          },
          stoneMark(n % 2),
          name(point),
        ),
      ),
      n < game.o && [game.ms, game.s, game.d, game.n].every((list) => valueAt(list, n) === undefined)
        ? element("td", { class: "dim", colspan: 4 }, "opening")
        : [
            element("td", { class: "number" }, score(valueAt(game.s, n))),
            element("td", { class: "number" }, valueAt(game.d, n) === undefined ? "–" : String(game.d[n])),
            element("td", { class: "number" }, count(valueAt(game.n, n))),
            element("td", { class: "number" }, time(valueAt(game.ms, n))),
          ],
    ),
  );
  byId("moves").replaceChildren(
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ["#", "Move", "Score", "Depth", "Nodes", "Time"].map((text) => element("th", { scope: "col" }, text)),
        ),
      ),
      element("tbody", {}, rows),
    ),
  );
}

// Scores from Black's view above, times below. Large scores are pressed together, so that small ones can
// still be told apart; forced wins lie at the edge.
function drawScores() {
  const { game, moves } = viewer;
  const view = (n) => (valueAt(game.s, n) === undefined ? undefined : game.s[n] * (n % 2 === 0 ? 1 : -1));
  const known = moves.map((_, n) => view(n)).filter((value) => value !== undefined);
  const most = Math.max(100, ...known.filter((value) => !isDecided(value)).map(Math.abs));
  const press = (value) => Math.asinh(value / 50);
  const share = (value) =>
    0.5 + Math.max(-1, Math.min(1, isDecided(value) ? Math.sign(value) : (0.92 * press(value)) / press(most))) / 2;
  const ends = [
    [1, "Black wins"],
    [-1, "White wins"],
  ]
    .filter(([sign]) => known.some((value) => isDecided(value) && value * sign > 0))
    .map(([sign, name]) => ({ share: share(sign * CONTENTS.wins[1]), name }));
  const steps = [100, 1000, 10000].filter((value) => value <= most).slice(-2);
  const levels = [...steps.map((value) => -value), 0, ...steps]
    .map((value) => ({ share: share(value), name: signed(value, 0), kind: value === 0 ? "zero" : "grid" }))
    // A name at the edge takes the room of the number beside it.
    .filter((level) => ends.every((end) => Math.abs(level.share - end.share) > 0.11));
  const longest = Math.max(1, ...moves.map((_, n) => valueAt(game.ms, n) || 0));
  // Sides are chosen after the opening, so whoever placed its stones may have the other one now.
  const color = (n) => (n < game.o ? "var(--dim)" : engineColor(n % 2 === 0 ? game.b : game.w));
  const each = moves.map((_, n) => ({ n, ply: n + 1, color: color(n) }));
  course.show({
    plies: moves.length,
    now: viewer.ply,
    numbered: true,
    levels: [...levels, ...ends],
    longest: game.ms ? time(longest).replace(" ", "\u2009") : "",
    bars: each
      .filter(({ n }) => valueAt(game.ms, n) !== undefined)
      .map(({ n, ply, color }) => ({ ply, color, share: game.ms[n] / longest })),
    curves: [
      [0, game.b, ""],
      [1, game.w, "of-white"],
    ].map(([side, engine, kind]) => ({
      points: each
        .filter(({ n }) => n % 2 === side && view(n) !== undefined)
        .map(({ n, ply }) => [ply, share(view(n))]),
      kind,
      color: engineColor(engine),
      dots: true,
    })),
  });
  byId("scores-hint").textContent =
    (known.length ? "Above: scores from Black's view, + is good for Black." : "The engines gave no scores.") +
    " Below: time. Click to go to a move.";
}

function showPly() {
  const { game, moves, ply } = viewer;
  const [, width, height] = CONTENTS.variants[game.v];
  const isEnd = ply === moves.length;
  const played = moves.slice(0, ply);
  drawBoard(byId("board"), {
    width,
    height,
    rows: ROWS,
    stones: stonesOf(played, game.o),
    numbers: viewer.numbers,
    last: played[ply - 1],
    lines: isEnd && game.y === "line" ? winningLines(played) : [],
    lost: isEnd && game.y === "foul",
  });
  byId("ply").textContent = ply + " / " + moves.length;
  for (const id of ["first", "previous"]) byId(id).disabled = ply === 0;
  for (const id of ["next", "last"]) byId(id).disabled = isEnd;
  byId("game-end").classList.toggle("now", isEnd);
  byId("position").value = movesText(game, ply);
  course.goTo(ply);
  showPlayers();
  showMessages();
  const list = byId("moves");
  for (const row of list.querySelectorAll(".current")) row.classList.remove("current");
  const row = list.querySelector('[data-ply="' + ply + '"]');
  if (row) {
    row.classList.add("current");
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
  } else {
    list.scrollTop = 0;
  }
  Object.assign(document.documentElement.dataset, { game: game.id, ply });
}

// For each side what it thought when it last moved, and the time it has used.
function showPlayers() {
  const { game, ply } = viewer;
  byId("players").replaceChildren(
    ...[
      [0, game.b],
      [1, game.w],
    ].map(([side, engine]) => {
      let last = ply - 1;
      while (last >= 0 && last % 2 !== side) last--;
      const said = last >= game.o ? last : -1;
      let used = game.ms ? 0 : undefined;
      for (let n = side; game.ms && n < ply; n += 2) if (n >= game.o) used += valueAt(game.ms, n) || 0;
      const depth = said >= 0 ? valueAt(game.d, said) : undefined;
      return element(
        "div",
        { class: "player-card" + (ply < viewer.moves.length && ply % 2 === side ? " to-move" : "") },
        element("div", { class: "player-name" }, stoneMark(side), engineName(engine)),
        element("div", { class: "player-score" }, said >= 0 ? score(valueAt(game.s, said)) : "–"),
        element(
          "div",
          { class: "dim" },
          "depth " + (depth ?? "–") + " · " + count(said >= 0 ? valueAt(game.n, said) : undefined) + " nodes",
        ),
        element(
          "div",
          { class: "dim" },
          time(said >= 0 ? valueAt(game.ms, said) : undefined) + " · " + time(used) + " in all",
        ),
      );
    }),
  );
}

function showMessages() {
  const said = (viewer.game.say || {})[viewer.ply - 1];
  const box = byId("messages");
  box.hidden = !said;
  box.replaceChildren(...(said || []).map((line) => element("div", {}, line)));
}
