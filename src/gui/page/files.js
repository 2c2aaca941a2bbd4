// Games into the page and out of it: files, the clipboard, the address, pictures.

import { boardPlaces, drawBoard } from "../../page/board.js";
import { shape } from "../../page/elements.js";
import { guessEncoding, isUtf8 } from "./encoding.js";
import { Game, misplaced, mover } from "./game.js";
import { propertiesOf } from "./hindsight.js";
import { settings } from "./store.js";
import { decidedText, reasonText, t } from "./words.js";
import { pointName } from "../../page/points.js";

// More than any collection of games that a person opens.
const MOST_TEXT = 8 << 20;
// The most bytes of it in a message, where a sign that cannot be printed is six letters; longer ones end the connection.
const MOST_SENT = 15 << 20;
// How pictures begin, as PNG, JPEG and GIF, whatever their files are called; of others the browser knows what they are.
const PICTURES = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
];
// How the libraries of RenLib begin, but for the oldest, which are known by their names.
const RENLIB = [0xff, 0x52, 0x65, 0x6e, 0x4c, 0x69, 0x62, 0xff];
const NAME_OF_RENLIB = /\.lib$/i;
// So many bytes become characters at a time.
const PIECE = 1 << 13;
// Libraries and databases that the command line reads, by how their names end.
const OTHERS = /\.(db|kgl)$/i;
// Where a file that is not UTF-8 must have named its encoding.
const MOST_BEFORE_ENCODING = 4096;
// Ends of variations that the engine is asked about: files with more are collections of lines, and take their time.
const MOST_ENDS = 200;
// The most characters that are shown of the name of a rule.
const LONGEST_RULE = 40;
// What properties of SGF are called here.
const INFO = [
  ["PB", "black"],
  ["PW", "white"],
  ["EV", "event"],
  ["DT", "date"],
  ["PC", "place"],
  ["RE", "result"],
  ["GC", "comment"],
];
const MARKS = [
  ["LB", "label"],
  ["TR", "triangle"],
  ["SQ", "square"],
  ["CR", "circle"],
  ["MA", "cross"],
];

// Reads games from a text of any format; the error tells the place. The board and the rule are for texts that do not
// say; that a rule is only assumed is written down with the game. Returns {games, remark}: what is to be said of the text.
export async function readGames(link, text, { width, height }, rule) {
  if (/^\s*<(svg|\?xml[^]*?<svg)\b/i.test(text)) throw { code: "picture" };
  // The limits are those of bytes, as the engine counts.
  const bytes = (text) => new Blob([text]).size;
  if (bytes(text) > MOST_TEXT || bytes(JSON.stringify(text)) > MOST_SENT) throw { code: "too-large" };
  const answer = await link.ask("read", { text, width, height, rows: settings.rows });
  const games = answer.games.map((tree) =>
    Object.assign(Game.fromTree(tree, rule), {
      assumed: tree.rule ? null : { name: tree.unknown_rule?.slice(0, LONGEST_RULE) ?? null },
    }),
  );
  const words = [
    leftOutText(answer),
    answer.without_end ? t("no-end") : "",
    answer.on_larger_board ? t("larger-board") : "",
  ];
  return { games, remark: words.filter(Boolean).join(" ") };
}

// Reads a library of RenLib, which names neither its rule nor the encoding of its texts. One that is larger than a page can
// show is for the command line. Returns {game, remark}, as readGames() does.
export async function readLibrary(link, { bytes, name }, { width, height }) {
  const tooLarge = { code: "collection", message: name };
  if (bytes.length > MOST_TEXT) throw tooLarge;
  let library = "";
  for (let at = 0; at < bytes.length; at += PIECE) library += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  const answer = await link.ask("read", { library, width, height }).catch((error) => {
    throw error.code === "too-large" ? tooLarge : error;
  });
  const [tree] = answer.games;
  const guess = decodeTexts(tree.nodes);
  const words = [answer.without_end ? t("no-end") : "", guess ? t("guessed-encoding", { encoding: guess }) : ""];
  const game = Object.assign(Game.fromTree(tree, "renju"), { assumed: { name: null } });
  return { game, remark: words.filter(Boolean).join(" ") };
}

// Decodes the texts of nodes that came with a character for each byte. Returns the encoding that they were taken for, or
// null where they are UTF-8.
function decodeTexts(nodes) {
  const bytesOf = (text) => Uint8Array.from(text, (byte) => byte.charCodeAt(0));
  const all = nodes.flatMap(({ comment, marks }) => [comment, ...marks.map(({ text }) => text)]).filter(Boolean);
  const { encoding, guess } = encodingFor(bytesOf(all.join("\n")));
  const decode = (text) => text && new TextDecoder(encoding).decode(bytesOf(text));
  for (const node of nodes) {
    node.comment = decode(node.comment);
    for (const mark of node.marks) if (mark.text) mark.text = decode(mark.text);
  }
  return guess;
}

// Which games of a collection could not be read, and where and why the first of them is wrong.
function leftOutText({ left_out: n, first_left_out: first }) {
  return n ? t("left-out", { n, where: t("said-of", { what: t("at-place", first), text: reasonText(first) }) }) : "";
}

// What is wrong with a move, in words.
export function wrongMove(game, { reason, number, point }, rows = settings.rows) {
  return t("move-" + reason, { number, point: pointName(point, game.height, rows), rule: t("rule-" + game.rule) });
}

// Throws what is wrong with a game that cannot have been played. It is refused as a whole, since one that is opened half
// looks like the game. Whether it goes on after its end is for the engine to say; where that is away, it is taken as it
// is. A move that the rule forbids is no reason: renju games end with one. Nor is a variation that goes on too long: a game
// that was continued under another rule keeps what was played under the first one.
export async function ensurePossible(link, game) {
  const refuse = (wrong) => {
    throw { code: "impossible", message: wrongMove(game, wrong) };
  };
  const wrong = misplaced(game);
  if (wrong) refuse(wrong);
  const ends = game
    .nodes()
    .filter(({ children }) => !children.length)
    .slice(0, MOST_ENDS);
  for (const end of ends) {
    const position = game.position(end);
    try {
      await link.ask("position", { position });
    } catch (error) {
      if (error.code === "lost") return;
      if (error.code === "bad-position") throw error;
      if (error.reason !== "over" || !game.isMainLine(end)) continue;
      const { stones } = game.standing(end);
      const stone = stones[stones.length - position.moves.length + error.move];
      refuse({ reason: "over", number: stone.number, point: stone.at });
    }
  }
}

// Whether the line to a node goes on after the game is over by this rule, as a line that was played under another one may.
export async function goesOnAfterItsEnd(link, game, node, rule) {
  try {
    await link.ask("position", { position: { ...game.position(node), rule } });
    return false;
  } catch (error) {
    return error.reason === "over";
  }
}

// SGF is written here, so that no game is lost because the engine is away; `version` is that of the program, and `stand`
// the node where the game stands, if it is one that is played. A list of moves goes on to the node `last`, and a drawing
// shows the current position. A rule that is only assumed is not written.
export async function writeGame(
  link,
  game,
  format,
  version,
  { last = game.current, stand = null, isRuleAssumed = false } = {},
) {
  if (format === "sgf") return writeSgf(endingAt(game, stand), version, isRuleAssumed);
  if (format !== "picture" && game.dead.length) throw { code: "not-possible", message: t("dead-in-line") };
  if (link.state !== "ready") throw { code: "needs-engine" };
  const { rule, width, height, info } = game;
  // Variations and words are of no use there, and may be more than a message holds.
  const path = game.pathTo(format === "picture" ? game.current : last);
  const nodes = path.map(({ move, color, setup }, n) => ({ move, color, setup, children: path[n + 1] ? [n + 1] : [] }));
  const { text } = await link.ask("write", {
    game: { rule, width, height, info, nodes },
    format,
    node: path.length - 1,
    rows: settings.rows,
  });
  return text;
}

// The game with a main line that ends where it stands. What follows there was taken back or only tried out. In SGF the
// first variation is the game, and nothing says where it ends; so that is a node without a move, which says it in words.
function endingAt(game, stand) {
  if (!stand?.children.length || !game.isMainLine(stand)) return game;
  const place = game.nodes().indexOf(stand);
  const copy = Game.fromTree(game.toTree());
  copy.current = copy.nodes()[place];
  copy.branch(t("game-stands"));
  return copy;
}

function letters([x, y]) {
  return String.fromCharCode(97 + x, 97 + y);
}

// A property with its values; nothing where there are none.
function property(name, values) {
  return values.length ? name + values.map((value) => "[" + value.replace(/[\\\]]/g, "\\$&") + "]").join("") : "";
}

// `version` is that of the program, if it is known.
function rootProperties({ rule, width, height, info }, version, isRuleAssumed) {
  const size = width === height ? String(width) : width + ":" + height;
  const facts = [
    ["FF", "4"],
    ["GM", "4"],
    ["CA", "UTF-8"],
    ["AP", "Kagetsu" + (version ? ":" + version : "")],
    ["SZ", size],
    ["RU", isRuleAssumed ? null : rule],
    ...INFO.map(([name, key]) => [name, info[key]]),
  ];
  return facts.map(([name, value]) => property(name, value ? [value] : [])).join("");
}

// What was decided in the opening while the game stood at a node, in words, since SGF has no property for it.
function decisions({ stages }, height) {
  const inWords = (stage) => {
    const { decided, opening } = stage ?? {};
    const said = decided ? [decidedText(t(decided.color), decided.choice)] : [];
    const isOffered = opening?.steps[0]?.do === "pick" && opening.offered.length > 1;
    const points = isOffered && opening.offered.map((point) => pointName(point, height, "bottom")).join(" ");
    return isOffered ? [t("offered-fifths", { points }), ...said] : said;
  };
  return (stages ?? []).flatMap(inWords);
}

function nodeProperties(node, height) {
  const { move, color, setup, marks } = node;
  const comment = [node.comment, ...decisions(node, height)].filter(Boolean).join("\n");
  const { black = [], white = [], empty = [] } = setup || {};
  const initial = (side) => (side === "white" ? "W" : "B");
  return (
    (move ? property(initial(color), [letters(move)]) : "") +
    [
      ["AB", black],
      ["AW", white],
      ["AE", empty],
    ]
      .map(([name, points]) => property(name, points.map(letters)))
      .join("") +
    // Where nothing is played somebody passes, or a position was set up, and it is said whose turn it is.
    (move || !color
      ? ""
      : node.parent && !setup
        ? property(initial(mover(node)), [""])
        : property("PL", [initial(color)])) +
    property("C", comment ? [comment] : []) +
    MARKS.map(([name, kind]) =>
      property(
        name,
        marks
          .filter((mark) => mark.kind === kind)
          .map(({ point, text }) => letters(point) + (kind === "label" ? ":" + (text || "") : "")),
      ),
    ).join("")
  );
}

// A game as SGF, letter for letter as the engine writes it; a test holds the two equal.
function writeSgf(game, version, isRuleAssumed) {
  if (game.dead.length) throw { code: "not-possible", message: t("dead-in-sgf") };
  const parts = ["("];
  // What is still to be written, the next last: nodes with what stands before them, and brackets that close.
  const open = [")", { node: game.root, before: ";" }];
  while (open.length) {
    const next = open.pop();
    if (next === ")") {
      parts.push(next);
      continue;
    }
    const { node, before } = next;
    const isRoot = node === game.root;
    parts.push(before, isRoot ? rootProperties(game, version, isRuleAssumed) : "", nodeProperties(node, game.height));
    // What the text calls a rule that nobody knew holds until another is named.
    const kept = propertiesOf(node).filter(([name]) => !isRoot || name !== "RU" || isRuleAssumed);
    parts.push(...kept.map(([name, values]) => property(name, values)));
    const { children } = node;
    if (children.length === 1) open.push({ node: children[0], before: "\n;" });
    else for (const child of [...children].reverse()) open.push(")", { node: child, before: "\n(;" });
  }
  return parts.join("") + "\n";
}

export function download(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Files are read as bytes: those of old programs are in UTF-16 or in a code page. Returns {text, guess}: the encoding that
// the text was taken for where it does not say, or null; of a library of RenLib {bytes}.
export async function decoded(file) {
  const head = new Uint8Array(await file.slice(0, RENLIB.length).arrayBuffer());
  const begins = (begin) => begin.every((byte, n) => byte === head[n]);
  if (file.type.startsWith("image/") || PICTURES.some(begins)) throw { code: "picture" };
  if (OTHERS.test(file.name ?? "")) throw { code: "collection", message: file.name };
  if (file.size > 2 * MOST_TEXT) throw { code: "too-large" };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (begins(RENLIB) || NAME_OF_RENLIB.test(file.name ?? "")) return { bytes };
  const read = (encoding) => new TextDecoder(encoding).decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: read("utf-16le"), guess: null };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: read("utf-16be"), guess: null };
  const { encoding, guess } = encodingFor(bytes);
  return { text: read(encoding), guess };
}

// The encoding of a text, and as `guess` the same where the text does not say, or null. UTF-8 is read as such whatever it
// calls itself, because editors convert files and leave the name. ASCII alone may be in an encoding that switches by
// escapes.
function encodingFor(bytes) {
  const isAscii = bytes.every((byte) => byte < 128);
  if (!isAscii && isUtf8(bytes)) return { encoding: "utf-8", guess: null };
  const named = encodingOf(bytes);
  const guess = named || isAscii ? null : guessEncoding(bytes);
  return { encoding: named ?? guess ?? "utf-8", guess };
}

// The encoding that an SGF file which is not UTF-8 names, if browsers know it; else null. In some of them a character may
// contain the byte of a bracket or a backslash, so that moves are lost where they are taken for another.
function encodingOf(bytes) {
  const begin = new TextDecoder("latin1").decode(bytes.subarray(0, MOST_BEFORE_ENCODING));
  const label = /\bCA\s*\[\s*([^\]\s]+)\s*\]/.exec(begin)?.[1];
  try {
    const { encoding } = new TextDecoder(label);
    return encoding === "utf-8" ? null : encoding;
  } catch {
    return null;
  }
}

// Colours that a picture carries with it, since it leaves the page's style behind.
const PICTURE_STYLE = `
.wood{fill:#e8bf7f}.lines{stroke:#6b4d20;fill:none}.star{fill:#6b4d20}text{font:12px sans-serif}.coordinate{fill:#3b2a0e}
.stone{stroke:#0006;stroke-width:.6}.stone-number{font-weight:600}.stone-number.black{fill:#f4f4f4}.stone-number.white{fill:#16181b}
.last{fill:none;stroke:#c62828;stroke-width:2.6}.last.on-black{stroke:#ff9a8d}.win{stroke:#c2185b;stroke-width:8;stroke-linecap:round;opacity:.8}
.mark{fill:none;stroke:#1565c0;stroke-width:2}.mark-text{fill:#1565c0;font-weight:700;font-size:16px;paint-order:stroke;stroke:#e8bf7f;stroke-width:3px}
.mark.on-black{stroke:#a8d4ff}.mark-text.on-black{fill:#a8d4ff;stroke:#16181b}
.mark.on-white{stroke:#0d4f9e}.mark-text.on-white{fill:#0d4f9e;stroke:#fbfbfb}
.dead{fill:#5b5f68;opacity:.6}.foul,.forbidden{stroke:#c62828;stroke-width:3;fill:none}`;

// The position as a drawing that stands for itself.
export function boardPicture(options) {
  const { size } = boardPlaces(options.width, options.height, options.coordinates !== false);
  const drawing = shape("svg", { width: 2 * size[0], height: 2 * size[1] });
  drawBoard(drawing, { ...options, heat: [], hints: [], ghosts: [], threats: [], sent: null });
  drawing.prepend(shape("style", {}, PICTURE_STYLE));
  return new XMLSerializer().serializeToString(drawing);
}

export async function boardBitmap(options) {
  const text = boardPicture(options);
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  URL.revokeObjectURL(picture.src);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
