// The course of a game: Black's expected score after each move, with the turning points.

import { byId } from "../../page/elements.js";
import { Course } from "../../page/course.js";
import { percent } from "./figures.js";
import { mover } from "./game.js";
import { alikeValue, judgement } from "./hindsight.js";
import { drawGraphNotes } from "./notes.js";
import { t } from "./words.js";

const ROOM = { height: 110, left: 6, right: 6, top: 6, bottom: 104 };

export class Graph {
  constructor(goTo) {
    this.line = [];
    this.course = new Course(byId("graph"), ROOM, (ply) => goTo(this.line[ply]));
  }

  // `line` is the one that is stepped through.
  show(game, line) {
    this.line = line;
    // Where the whole game was analysed its values were found alike; elsewhere the live ones have to do.
    const values = this.line.map(alikeValue);
    const known = values.filter(Boolean).length;
    byId("graph-card").hidden = known < 2;
    if (known < 2) return;
    const turning = this.line.map((node, ply) => ({ node, ply })).filter(({ node }) => judgement(node));
    this.course.show({
      plies: this.line.length - 1,
      now: this.line.indexOf(game.current),
      ends: [t("black"), t("white")],
      levels: [{ share: 0.5, kind: "zero" }],
      curves: [{ points: values.map((value, ply) => [ply, value ? value.black : null]), kind: "share" }],
      marks: turning.map(({ node, ply }) => ({
        ply,
        share: values[ply].black,
        kind: "turning " + mover(node),
        title: (node.move ? game.ply(node) : t("pass")) + " " + judgement(node),
      })),
    });
    drawGraphNotes(turning.length);
    const now = values[this.line.indexOf(game.current)];
    const label = t("graph-label");
    byId("graph").setAttribute("aria-label", now ? t("said-of", { what: label, text: percent(now.black) }) : label);
  }
}
