// The lines of play that the analysis has found. Their rows stay in place while news come in several times a second, so
// that no click is lost and the keyboard keeps its place; only what they say changes.

import { scoreText } from "./analysis.js";
import { percent } from "./figures.js";
import { opposite } from "./game.js";
import { Preview } from "./preview.js";
import { t } from "./words.js";
import { byId, element } from "../../page/elements.js";

const MOST_MOVES = 16;

export class FoundLines {
  // `panel` names points and puts stones of a line on the board; `take` is called with the line to play.
  constructor(panel, take) {
    const stones = ({ line }) =>
      line &&
      line.moves.map((at, n) => ({ at, color: n % 2 === 0 ? line.color : opposite(line.color), number: n + 1 }));
    const preview = new Preview(stones, (shown) => panel.point(shown));
    Object.assign(this, { panel, take, preview, list: byId("lines"), rows: [] });
    this.list.replaceChildren();
  }

  // `isWaiting` tells that lines of this position are on their way: rows that say something then wait for them. There is
  // always `room` for so many, so that what stands below does not move.
  show(lines, isWaiting, room) {
    const count = Math.max(lines.length, room);
    while (this.rows.length < count) this.rows.push(this.row());
    for (const row of this.rows.splice(count)) {
      this.preview.end(row);
      row.item.remove();
    }
    const deepest = Math.max(...lines.map(({ depth }) => depth));
    this.rows.forEach((row, n) =>
      n < lines.length
        ? this.fill(row, lines[n], lines[n].depth < deepest)
        : this.clear(row, isWaiting && !lines.length),
    );
  }

  clear(row, isWaiting) {
    row.line = null;
    this.preview.end(row);
    if (isWaiting) return row.item.classList.toggle("waiting", !row.item.classList.contains("empty"));
    row.item.className = "empty";
    for (const part of [row.share, row.score, row.depth, row.moves]) part.textContent = "";
  }

  // A line of an iteration before says how deep it is.
  fill(row, line, isShallow) {
    row.line = line;
    row.item.className = isShallow ? "shallow" : "";
    row.item.firstChild.title = t("play-line");
    row.share.textContent = percent(line.win_rate);
    row.score.textContent = scoreText(line);
    row.depth.textContent = isShallow ? t("line-depth", { depth: line.depth }) + " " : "";
    row.moves.textContent = line.moves.slice(0, MOST_MOVES).map(this.panel.name).join(" ");
    this.preview.refresh(row);
  }

  row() {
    const part = (name, tag = "span") => element(tag, { class: name });
    const row = {
      line: null,
      share: part("share", "strong"),
      score: part("score"),
      depth: part("depth"),
      moves: part("found-moves"),
    };
    row.item = element(
      "li",
      { class: "empty" },
      element(
        "button",
        {
          type: "button",
          class: "found-line",
          ...this.preview.listeners(row, () => row.line && this.take(row.line)),
        },
        row.share,
        " ",
        row.score,
        " ",
        row.depth,
        row.moves,
      ),
    );
    this.list.append(row.item);
    return row;
  }
}
