// Games into the page and out of it: files, the clipboard, the address, pictures.

import { boardPlaces, drawBoard } from "../../page/board.js";
import { shape } from "../../page/elements.js";
import { Game } from "./game.js";
import { settings } from "./store.js";

// More than any collection of games that a person opens.
export const MOST_TEXT = 8 << 20;

// Reads games from a text of any format; the error tells the place. `rule` and `size` are for formats that do not say.
export async function readGames(link, text, { rule, width, height }) {
  if (text.length > MOST_TEXT) throw { code: "too-large" };
  const answer = await link.ask("read", { text, rule, width, height, rows: settings.rows });
  return answer.games.map((tree) => Game.fromTree(tree, rule));
}

export async function writeGame(link, game, format) {
  const tree = game.toTree();
  const { text } = await link.ask("write", { game: { ...tree, current: undefined, nodes: tree.nodes.map(({ value, left, ...node }) => node) }, format, node: tree.current, rows: settings.rows });
  return text;
}

export function download(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Files are read as bytes: those of old programs are in UTF-16 or in a code page.
export async function textOf(file) {
  if (file.size > 2 * MOST_TEXT) throw { code: "too-large" };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// Colours that a picture carries with it, since it leaves the page's style behind.
const PICTURE_STYLE = `
.wood{fill:#e8bf7f}.lines{stroke:#6b4d20;fill:none}.star{fill:#6b4d20}text{font:12px sans-serif}.coordinate{fill:#3b2a0e}
.stone{stroke:#0006;stroke-width:.6}.stone-number{font-weight:600}.stone-number.black{fill:#f4f4f4}.stone-number.white{fill:#16181b}
.last{fill:none;stroke:#c62828;stroke-width:2.6}.win{stroke:#c2185b;stroke-width:8;stroke-linecap:round;opacity:.8}
.mark{fill:none;stroke:#1565c0;stroke-width:2}.mark-text{fill:#1565c0;font-weight:700}.foul,.forbidden{stroke:#c62828;stroke-width:3;fill:none}`;

// The position as a drawing that stands for itself.
export function boardPicture(options) {
  const { size } = boardPlaces(options.width, options.height, options.coordinates !== false);
  const drawing = shape("svg", { width: 2 * size[0], height: 2 * size[1] });
  drawBoard(drawing, { ...options, heat: [], hints: [], ghosts: [], threats: [] });
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
