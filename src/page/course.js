// The course of a game: how it stood after each move and, where that is known, how long each move took. A click goes to
// the move.

import { shape } from "./elements.js";
import { path, ticks } from "./charts.js";

export class Course {
  // `room` is in pixels: the height of the drawing; from its edges to the values `left` and `right`; `top` and `bottom`,
  // between which the values lie; and `floor`, on which the bars of the times stand, where there are any.
  constructor(drawing, room, goTo) {
    this.drawing = drawing;
    this.room = room;
    this.shown = null;
    this.cross = shape("line", { class: "cross", y1: room.top, y2: room.floor || room.bottom });
    drawing.setAttribute("height", room.height);
    drawing.addEventListener("click", (event) => {
      if (!this.shown) return;
      const box = drawing.getBoundingClientRect();
      const ply = Math.round((event.clientX - box.left - room.left) / this.step());
      goTo(Math.max(0, Math.min(this.shown.plies, ply)));
    });
    addEventListener("resize", () => {
      if (this.shown && drawing.clientWidth !== this.width) this.show(this.shown);
    });
  }

  step() {
    return (this.width - this.room.left - this.room.right) / Math.max(1, this.shown.plies);
  }

  placeX(ply) {
    return this.room.left + ply * this.step();
  }

  // `course` is what there is to see: the number of `plies`; the ply `now`; `curves` [{points: [[ply, share]], kind,
  // color, dots}] with shares from 0, all lost for Black, to 1; `levels` [{share, name, kind}], lines across with their
  // names; `marks` [{ply, share, kind, title}]; `bars` [{ply, share, color}] with their share of the longest, whose
  // name is `longest`; whether plies are `numbered`; and `ends`, the names of who has won above and below, if they stand
  // within the drawing.
  show(course) {
    this.shown = course;
    const { drawing, room } = this;
    this.width = Math.max(200, drawing.clientWidth);
    const right = this.width - room.right;
    const placeX = (ply) => this.placeX(ply);
    const placeY = (share) => room.bottom + share * (room.top - room.bottom);
    const across = (kind, y) => shape("line", { class: kind, x1: room.left, x2: right, y1: y, y2: y });
    const beside = (y, text) => shape("text", { class: "tick", x: room.left - 5, y, "text-anchor": "end" }, text);
    const parts = [shape("rect", { class: "course-back", x: 0, y: 0, width: this.width, height: room.height, rx: 6 })];
    for (const { share, name, kind } of course.levels) {
      if (kind) parts.push(across(kind, placeY(share)));
      if (name) parts.push(beside(placeY(share) + 4, name));
    }
    if (room.floor) parts.push(across("axis", room.floor), beside(room.bottom + 16, course.longest));
    for (const { ply, share, color } of course.bars || []) {
      const tall = Math.max(0.5, (room.floor - room.bottom - 6) * share);
      parts.push(
        shape("rect", {
          class: "bar",
          x: placeX(ply) - this.step() * 0.4,
          y: room.floor - tall,
          width: this.step() * 0.8,
          height: tall,
          style: "fill:" + color,
        }),
      );
    }
    for (const { points, kind, color, dots } of course.curves) {
      parts.push(
        shape("path", {
          class: kind ? "line " + kind : "line",
          d: path(points, placeX, placeY),
          style: color && "stroke:" + color,
          "data-points": points.length,
        }),
      );
      if (dots)
        points.forEach(([ply, share]) =>
          parts.push(
            shape("circle", {
              cx: placeX(ply),
              cy: placeY(share),
              r: Math.min(2.6, this.step() * 0.4),
              style: "fill:" + color,
            }),
          ),
        );
    }
    for (const { ply, share, kind, title } of course.marks || []) {
      parts.push(shape("circle", { class: kind, cx: placeX(ply), cy: placeY(share), r: 4 }, shape("title", {}, title)));
    }
    for (const ply of course.numbered ? ticks(0, course.plies, 10).filter((ply) => Number.isInteger(ply)) : []) {
      parts.push(
        shape("text", { class: "tick", x: placeX(ply), y: room.floor + 15, "text-anchor": "middle" }, String(ply)),
      );
    }
    (course.ends || []).forEach((name, n) =>
      parts.push(
        shape("text", { class: "course-end", x: room.left + 4, y: n ? room.bottom - 4 : room.top + 13 }, name),
      ),
    );
    drawing.setAttribute("viewBox", "0 0 " + this.width + " " + room.height);
    drawing.replaceChildren(...parts, this.cross);
    this.goTo(course.now);
  }

  // Marks the place where one is.
  goTo(ply) {
    this.shown.now = ply;
    this.cross.setAttribute("x1", this.placeX(ply));
    this.cross.setAttribute("x2", this.placeX(ply));
  }
}
