// The page: what stands where.

import { byId, count, element, extremes, percent, signed, table, time } from "../page/elements.js";
import { barChart, lineChart } from "../page/charts.js";
import { readMoves } from "../page/points.js";
import { ENDS, loserOf, nameOf } from "./ends.js";
import { applyFilters, buildControls, buildFilters, followAddress } from "./games.js";
import { CONTENTS, engineColor, engineName } from "./names.js";

function buildHead() {
  byId("facts").append(
    ...CONTENTS.facts.map(([label, words]) => element("div", {}, element("dt", {}, label), element("dd", {}, words))),
  );
  byId("writer").textContent = "Written by " + CONTENTS.writer + ".";
  const notes = byId("notes");
  notes.hidden = CONTENTS.notes.length === 0;
  notes.append(...CONTENTS.notes.map((note) => element("li", {}, note)));
}

// Two engines: the result in figures and as a bar.
function buildDuel() {
  if (CONTENTS.engines.length !== 2 || CONTENTS.encounters.length !== 1) return;
  const {
    wdl: [wins, draws, losses],
    pentanomial,
    score: share,
    elo: [elo, low, high],
    los,
  } = CONTENTS.encounters[0];
  const games = wins + draws + losses;
  const part = (kind, number, style) =>
    number === 0
      ? null
      : element(
          "span",
          { class: "part " + kind, style: "flex-grow:" + number + ";" + style, title: number + " " + kind },
          String(number),
        );
  const figure = (label, value, more) =>
    element(
      "div",
      { class: "figure" },
      element("dt", {}, label),
      element("dd", {}, value, more ? element("small", {}, more) : null),
    );
  const figures = [
    figure("Score", percent(share), wins + draws / 2 + " of " + games),
    figure("Wins – draws – losses", wins + "–" + draws + "–" + losses),
    figure(
      "Elo difference",
      signed(elo),
      "95 %: " + (low === null ? "−∞" : signed(low)) + " to " + (high === null ? "+∞" : signed(high)),
    ),
    figure("LOS", percent(los)),
    figure("Pentanomial", pentanomial.join("–"), "pairs of games with 0, ½, 1, 1½, 2 points"),
  ];
  if (CONTENTS.sprt) {
    const { what, verdict, bounds, points } = CONTENTS.sprt;
    const llr = points.length ? points[points.length - 1][1] : 0;
    figures.push(
      figure(
        "Sequential test: " + verdict,
        "LLR " + signed(llr, 2),
        what + "; bounds " + bounds.map((bound) => signed(bound, 2)).join(", "),
      ),
    );
  }
  const box = byId("duel");
  box.hidden = false;
  box.append(
    element("p", { class: "versus" }, engineName(0), " against ", engineName(1)),
    element(
      "div",
      {
        class: "bar-of-results",
        role: "img",
        "aria-label": wins + " wins, " + draws + " draws, " + losses + " losses of " + nameOf(0),
      },
      part("wins", wins, "background:var(--e0)"),
      part("draws", draws, "background:var(--draw)"),
      part("losses", losses, "background:var(--e1)"),
    ),
    element("dl", { class: "figures" }, figures),
  );
}

function encounterOf(row, column) {
  for (const {
    engines: [first, second],
    wdl,
  } of CONTENTS.encounters) {
    if (first === row && second === column) return wdl;
    if (first === column && second === row) return [...wdl].reverse();
  }
  return null;
}

// Best first; a click on a cell chooses the games of these two.
function buildCrossTable() {
  const order = CONTENTS.ratings.map((rating) => rating.engine);
  const rows = CONTENTS.ratings.map(({ engine, elo, error }, rank) => {
    const { black, white } = CONTENTS.engines[engine];
    const games = black[0] + white[0],
      points = black[1] + white[1];
    return [
      String(rank + 1),
      engineName(engine),
      signed(elo),
      error === null ? "∞" : error.toFixed(1),
      games,
      points + "",
      games ? percent(points / games) : "–",
      ...order.map((other) => {
        const wdl = encounterOf(engine, other);
        return wdl
          ? element(
              "span",
              {
                class: "cell",
                title: wdl[0] + " wins, " + wdl[1] + " draws, " + wdl[2] + " losses against " + nameOf(other),
              },
              wdl.join("–"),
            )
          : "";
      }),
    ];
  });
  byId("cross").append(
    table(
      [
        "#",
        "Engine",
        ["Elo", "against the average of all"],
        ["±", "half the 95 % interval"],
        "Games",
        "Points",
        "Score",
        ...order.map((other, rank) => ["vs " + (rank + 1), nameOf(other)]),
      ],
      rows,
      "Wins–draws–losses from the point of view of the row",
    ),
  );
  if (CONTENTS.engines.length > 2) {
    byId("encounters-card").hidden = false;
    byId("encounters").append(
      table(
        ["First", "Second", "W–D–L", "Score", "Elo", "95 %", "LOS", ["Pairs", "by points: 0, ½, 1, 1½, 2"]],
        CONTENTS.encounters.map(({ engines: [first, second], wdl, score: share, elo, los, pentanomial }) => [
          engineName(first),
          engineName(second),
          wdl.join("–"),
          percent(share),
          signed(elo[0]),
          (elo[1] === null ? "−∞" : signed(elo[1])) + " to " + (elo[2] === null ? "+∞" : signed(elo[2])),
          percent(los),
          pentanomial.join("–"),
        ]),
      ),
    );
  }
}

// For each kind of end how many games each engine lost by it; how Black fared; how long games were.
function buildEnds() {
  const kinds = Object.keys(ENDS).filter((word) => CONTENTS.games.some((game) => game.y === word));
  const rows = kinds.map((word) => {
    const games = CONTENTS.games.filter((game) => game.y === word);
    return [
      ENDS[word].name,
      games.length,
      ...CONTENTS.engines.map((_, n) => games.filter((game) => loserOf(game) === n).length || ""),
    ];
  });
  const all = CONTENTS.games.length;
  const black = CONTENTS.games.filter((game) => game.r === "b").length,
    draws = CONTENTS.games.filter((game) => game.r === "d").length;
  const lengths = CONTENTS.games.map((game) => readMoves(game.m).length);
  const [shortest, longest] = extremes(lengths);
  byId("ends").append(
    table(
      [
        "End",
        "Games",
        ...CONTENTS.engines.map((engine) => ["lost by " + engine.name, "games that " + engine.name + " lost so"]),
      ],
      rows,
    ),
    element(
      "p",
      { class: "dim" },
      "Black won " +
        percent(black / all) +
        ", White " +
        percent((all - black - draws) / all) +
        ", drawn " +
        percent(draws / all) +
        ". Games took " +
        shortest +
        " to " +
        longest +
        " stones, " +
        (lengths.reduce((sum, length) => sum + length, 0) / all).toFixed(1) +
        " on average.",
    ),
  );
}

function buildEngines() {
  const side = ([games, points]) => (games ? percent(points / games) : "–");
  byId("engines").append(
    table(
      [
        "Engine",
        "As Black",
        "As White",
        "Moves",
        ["Time", "mean time of a move"],
        ["Longest", "longest time of a move"],
        ["Depth", "mean, in plies"],
        ["Nodes", "mean number searched for a move"],
        ["Speed", "nodes per second"],
        ["Faults", "games lost by its own fault"],
        ["On time", "games lost on time"],
        "Played with",
      ],
      CONTENTS.engines.map((engine, n) => [
        engineName(n),
        side(engine.black),
        side(engine.white),
        engine.moves,
        engine.ms ? time(engine.ms[0]) : "–",
        engine.ms ? time(engine.ms[1]) : "–",
        engine.depth === null ? "–" : engine.depth.toFixed(1),
        count(engine.nodes),
        engine.speed === null ? "–" : count(engine.speed) + "/s",
        engine.faults[0],
        engine.faults[1],
        element("span", { class: "how" }, engine.how),
      ]),
    ),
  );
}

function buildCharts() {
  const engines = CONTENTS.engines;
  const isDuel = engines.length === 2;
  const grid = byId("chart-grid");
  const interval = (low, high) =>
    "[" + (low === null ? "−∞" : signed(low)) + ", " + (high === null ? "+∞" : signed(high)) + "]";
  const charts = [
    lineChart({
      id: "chart-elo",
      title: isDuel ? "Elo over games" : "Ratings over games",
      note: isDuel
        ? engines[0].name + " against " + engines[1].name + ", with the 95 % interval"
        : "against the average of all, with 95 % intervals",
      x: { name: "games" },
      y: { name: "Elo" },
      from: 0,
      settled: 0.15,
      floor: 0,
      series: CONTENTS.elo.map((curve) => ({
        name: isDuel ? "Elo of " + engines[0].name : engines[curve.engine].name,
        color: engineColor(curve.engine),
        points: curve.points.map(([games, elo]) => [games, ...elo]),
        band: true,
      })),
      say: (series, [, value, low, high]) =>
        series.name + " " + (value === null ? "infinite" : signed(value)) + " " + interval(low, high),
    }),
  ];
  if (CONTENTS.sprt) {
    const [low, high] = CONTENTS.sprt.bounds;
    charts.push(
      lineChart({
        id: "chart-llr",
        title: "Sequential test",
        note: CONTENTS.sprt.what + ": " + CONTENTS.sprt.verdict,
        x: { name: "games" },
        y: { name: "log-likelihood ratio" },
        from: 0,
        levels: [
          { value: low, name: "fails at " + signed(low, 2) },
          { value: high, name: "passes at " + signed(high, 2) },
        ],
        series: [{ name: "LLR", color: engineColor(0), points: [[0, 0], ...CONTENTS.sprt.points] }],
        say: (_, point) => "LLR " + signed(point[1], 2),
      }),
    );
  }
  const curves = (value) =>
    engines.map((engine, n) => ({
      name: engine.name,
      color: engineColor(n),
      points: engine.by_ply.map(value).filter((point) => point !== null),
    }));
  const times = curves(([ply, ms]) => (ms ? [ply, ...ms] : null));
  const longest = extremes([0, ...times.flatMap((series) => series.points.map((point) => point[3]))])[1];
  const inSeconds = longest >= 2000;
  const unit = inSeconds ? 1000 : 1;
  const limits = [
    ...new Set(engines.map((engine) => engine.turn).filter((turn) => turn !== null && turn <= 2 * longest)),
  ];
  if (times.some((series) => series.points.length))
    charts.push(
      lineChart({
        id: "chart-time",
        title: "Time of a move",
        note: "median, and from the tenth to the ninetieth percentile",
        x: { name: "stones on the board" },
        y: { name: inSeconds ? "seconds" : "milliseconds" },
        from: 0,
        floor: 0,
        series: times.map((series) => ({
          ...series,
          band: true,
          points: series.points.map(([ply, ...ms]) => [ply, ...ms.map((value) => value / unit)]),
        })),
        levels: limits.map((turn) => ({ value: turn / unit, name: "limit " + time(turn) })),
        say: (series, [, value]) => series.name + " " + time(value * unit),
      }),
    );
  const depths = curves(([ply, , depth]) => (depth === null ? null : [ply, depth]));
  if (depths.some((series) => series.points.length))
    charts.push(
      lineChart({
        id: "chart-depth",
        title: "Depth",
        note: "mean depth that the engines report",
        x: { name: "stones on the board" },
        y: { name: "plies" },
        from: 0,
        floor: 0,
        series: depths,
        say: (series, [, value]) => series.name + " " + value.toFixed(1),
      }),
    );
  const shares = engines
    .map((engine, n) => ({ name: engine.name, color: engineColor(n), values: engine.times }))
    .filter((series) => series.values.length);
  if (shares.length) {
    const used = CONTENTS.time_steps
      .map((_, n) => n)
      .concat(CONTENTS.time_steps.length)
      .filter((n) => shares.some((series) => series.values[n] > 0));
    const [from, to] = extremes(used);
    const end = (n) => time(CONTENTS.time_steps[n]).replace(/\.0+ |(\.\d*?)0+ /, "$1 ");
    charts.push(
      barChart({
        id: "chart-times",
        title: "Times of all moves",
        note: "how many moves took less than so long, and no less than the step before",
        x: { name: "time of a move" },
        y: { name: "% of the moves" },
        steps: [...Array(to - from + 1).keys()].map((n) =>
          from + n < CONTENTS.time_steps.length ? "<\u2009" + end(from + n) : "more",
        ),
        series: shares.map((series) => ({ ...series, values: series.values.slice(from, to + 1) })),
        say: (series, value) => series.name + " " + value.toFixed(1) + " %",
      }),
    );
  }
  grid.append(...charts);
  charts.forEach((chart) => chart.redraw());
  let width = grid.clientWidth;
  addEventListener("resize", () => {
    if (grid.clientWidth !== width) {
      width = grid.clientWidth;
      charts.forEach((chart) => chart.redraw());
    }
  });
}

buildHead();
buildDuel();
buildCrossTable();
buildEnds();
buildEngines();
buildCharts();
if (CONTENTS.games.length) {
  buildFilters();
  buildControls();
  applyFilters();
  followAddress();
  addEventListener("hashchange", followAddress);
}
document.documentElement.dataset.state = "ready";
