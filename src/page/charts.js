// Charts: lines with bands, and bars. Drawn at the size that the page has for them, and again when that
// changes, so that letters keep their size.

import { element, extremes, shape } from "./elements.js";

const CHART = { height: 260, left: 56, right: 14, top: 12, bottom: 42 };

// Round numbers that divide the range into about `wanted` parts.
export function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999);
  const all = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) all.push(n * step);
  return all;
}

function plain(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return value / 1e6 + " M";
  if (size >= 1e4) return value / 1e3 + " k";
  return String(Number(value.toPrecision(6))).replace("-", "−");
}

// A card with a title, a legend, a drawing and a line that reads out the place under the pointer.
function chartCard(options, draw) {
  const drawing = shape("svg", {
    role: "img",
    "aria-label": options.title + (options.summary ? ": " + options.summary : ""),
  });
  const readout = element("p", { class: "readout dim", "aria-hidden": "true" }, options.hint || "\u00a0");
  const legend = element(
    "p",
    { class: "legend" },
    (options.series || []).map((series) =>
      element(
        "span",
        { class: "engine" },
        element("span", { class: "swatch", style: "background:" + series.color, "aria-hidden": "true" }),
        series.name,
      ),
    ),
  );
  const card = element(
    "figure",
    { class: "card chart", id: options.id },
    element(
      "figcaption",
      {},
      element("h3", {}, options.title),
      options.note ? element("p", { class: "dim" }, options.note) : null,
    ),
    legend,
    drawing,
    readout,
  );
  const redraw = () => {
    const width = Math.max(240, card.clientWidth - 32);
    drawing.setAttribute("width", width);
    drawing.setAttribute("height", CHART.height);
    drawing.setAttribute("viewBox", "0 0 " + width + " " + CHART.height);
    drawing.replaceChildren(...draw(width, readout));
  };
  card.redraw = redraw;
  return card;
}

// Axes with names; returns where numbers lie. `x` and `y` are {low, high, name, format, ticks}.
function axes(width, x, y) {
  const box = { left: CHART.left, right: width - CHART.right, top: CHART.top, bottom: CHART.height - CHART.bottom };
  const at = (value, axis, from, to) => from + ((value - axis.low) / (axis.high - axis.low || 1)) * (to - from);
  const placeX = (value) => at(value, x, box.left, box.right);
  const placeY = (value) => at(value, y, box.bottom, box.top);
  const parts = [];
  for (const value of y.ticks || ticks(y.low, y.high, 5)) {
    parts.push(
      shape("line", {
        class: value === 0 ? "zero" : "grid",
        x1: box.left,
        x2: box.right,
        y1: placeY(value),
        y2: placeY(value),
      }),
    );
    parts.push(
      shape(
        "text",
        { class: "tick", x: box.left - 6, y: placeY(value) + 4, "text-anchor": "end" },
        (y.format || plain)(value),
      ),
    );
  }
  for (const value of x.ticks || ticks(x.low, x.high, width / 90)) {
    parts.push(
      shape("line", { class: "grid", x1: placeX(value), x2: placeX(value), y1: box.bottom, y2: box.bottom + 4 }),
    );
    parts.push(
      shape(
        "text",
        { class: "tick", x: placeX(value), y: box.bottom + 17, "text-anchor": "middle" },
        (x.format || plain)(value),
      ),
    );
  }
  parts.push(shape("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }));
  parts.push(
    shape(
      "text",
      { class: "name", x: (box.left + box.right) / 2, y: CHART.height - 6, "text-anchor": "middle" },
      x.name,
    ),
  );
  const middle = (box.top + box.bottom) / 2;
  parts.push(
    shape(
      "text",
      { class: "name", x: 13, y: middle, "text-anchor": "middle", transform: "rotate(-90 13 " + middle + ")" },
      y.name,
    ),
  );
  return { box, placeX, placeY, parts };
}

// A path through points whose numbers exist; a gap where one does not.
export function path(points, placeX, placeY) {
  let text = "",
    pen = "M";
  for (const [x, y] of points) {
    if (y === null || y === undefined) pen = "M";
    else {
      text += pen + placeX(x).toFixed(1) + " " + placeY(y).toFixed(1);
      pen = "L";
    }
  }
  return text;
}

// The filled space between two bounds; where a bound is infinite it reaches to the edge.
function band(points, placeX, placeY, low, high) {
  const edge = (value, side) => placeY(value === null || value === undefined ? side : value).toFixed(1);
  const there = points.map(([x, , , above]) => placeX(x).toFixed(1) + " " + edge(above, high));
  const back = points.map(([x, , below]) => placeX(x).toFixed(1) + " " + edge(below, low)).reverse();
  return points.length > 1 ? "M" + there.join("L") + "L" + back.join("L") + "Z" : "";
}

let clips = 0;

// options: id, title, note, x and y (name, format), series [{name, color, points: [[x, y, low, high]], band}],
// levels [{value, name}], from (left end of x), settled (share of x after which y decides the range), floor (least y).
export function lineChart(options) {
  const xs = options.series.flatMap((series) => series.points.map((point) => point[0]));
  const [first, last] = extremes(xs);
  const x = { low: options.from ?? first, high: last, ...options.x };
  if (x.high === x.low) x.high += 1;
  const settled = x.low + (options.settled || 0) * (x.high - x.low);
  const ys = (options.levels || []).map((level) => level.value);
  for (const series of options.series) {
    for (const [at, value, below, above] of series.points) {
      if (at < settled) continue;
      ys.push(
        ...(series.band ? [value, below, above] : [value]).filter((value) => value !== null && value !== undefined),
      );
    }
  }
  if (options.floor !== undefined) ys.push(options.floor);
  let [low, high] = ys.length ? extremes(ys) : [0, 1];
  if (high === low) high += 1;
  const room = 0.06 * (high - low);
  const y = { low: low === options.floor ? low : low - room, high: high + room, ...options.y };
  const clip = "clip-" + ++clips;
  return chartCard(options, (width, readout) => {
    const { box, placeX, placeY, parts } = axes(width, x, y);
    parts.unshift(
      shape(
        "clipPath",
        { id: clip },
        shape("rect", {
          x: box.left,
          y: box.top - 2,
          width: box.right - box.left + 2,
          height: box.bottom - box.top + 4,
        }),
      ),
    );
    const inside = shape("g", { "clip-path": "url(#" + clip + ")" });
    for (const series of options.series.filter((series) => series.band)) {
      inside.append(
        shape("path", {
          class: "band",
          d: band(series.points, placeX, placeY, y.low, y.high),
          style: "fill:" + series.color,
        }),
      );
    }
    for (const series of options.series) {
      const dots = series.points.length < 3;
      inside.append(
        shape("path", {
          class: "line",
          d: path(series.points, placeX, placeY),
          style: "stroke:" + series.color,
          "data-points": series.points.length,
        }),
      );
      if (dots)
        series.points
          .filter((point) => point[1] !== null)
          .forEach((point) =>
            inside.append(
              shape("circle", { cx: placeX(point[0]), cy: placeY(point[1]), r: 3.5, style: "fill:" + series.color }),
            ),
          );
    }
    parts.push(inside);
    for (const level of options.levels || []) {
      const place = placeY(level.value);
      const above = place > box.top + 18;
      parts.push(shape("line", { class: "level", x1: box.left, x2: box.right, y1: place, y2: place }));
      parts.push(
        shape("text", { class: "level-name", x: box.left + 6, y: above ? place - 5 : place + 14 }, level.name),
      );
    }
    const cross = shape("line", { class: "cross", y1: box.top, y2: box.bottom, visibility: "hidden" });
    const pad = shape("rect", {
      class: "pad",
      x: box.left,
      y: box.top,
      width: box.right - box.left,
      height: box.bottom - box.top,
      pointermove: (event) => {
        const left = event.currentTarget.ownerSVGElement.getBoundingClientRect().left;
        const wanted = x.low + ((event.clientX - left - box.left) / (box.right - box.left)) * (x.high - x.low);
        const nearest = (points) =>
          points.reduce((best, point) => (Math.abs(point[0] - wanted) < Math.abs(best[0] - wanted) ? point : best));
        const found = options.series
          .filter((series) => series.points.length)
          .map((series) => [series, nearest(series.points)]);
        if (!found.length) return;
        const place = found[0][1][0];
        cross.setAttribute("x1", placeX(place));
        cross.setAttribute("x2", placeX(place));
        cross.setAttribute("visibility", "visible");
        readout.textContent =
          options.x.name +
          " " +
          plain(place) +
          ": " +
          found.map(([series, point]) => options.say(series, point)).join("; ");
      },
      pointerleave: () => {
        cross.setAttribute("visibility", "hidden");
        readout.textContent = options.hint || "\u00a0";
      },
    });
    parts.push(cross, pad);
    return parts;
  });
}

// options: id, title, note, steps (names of the groups), x and y (name), series [{name, color, values}]
export function barChart(options) {
  const high = extremes([1, ...options.series.flatMap((series) => series.values)])[1] * 1.06;
  return chartCard(options, (width, readout) => {
    const steps = options.steps;
    const every = Math.ceil(steps.length / Math.max(1, (width - 70) / 62));
    const x = {
      low: 0,
      high: steps.length,
      ...options.x,
      ticks: steps.map((_, n) => n + 0.5).filter((_, n) => n % every === 0),
      format: (at) => steps[Math.floor(at)],
    };
    const { box, placeX, placeY, parts } = axes(width, x, { low: 0, high, ...options.y });
    const room = ((placeX(1) - placeX(0)) * 0.8) / options.series.length;
    options.series.forEach((series, n) =>
      series.values.forEach((value, step) => {
        if (value > 0)
          parts.push(
            shape("rect", {
              class: "bar",
              x: placeX(step + 0.1) + n * room,
              y: placeY(value),
              width: Math.max(1, room - 1),
              height: Math.max(1, box.bottom - placeY(value)),
              style: "fill:" + series.color,
              pointerenter: () => {
                readout.textContent = steps[step] + ": " + options.say(series, value);
              },
              pointerleave: () => {
                readout.textContent = options.hint || "\u00a0";
              },
            }),
          );
      }),
    );
    return parts;
  });
}
