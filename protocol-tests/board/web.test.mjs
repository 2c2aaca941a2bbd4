// The board without a server: the same page over static files, and an engine that searches as the native one does.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import { launch, newGame, openText, play, ready, serve, visit } from "./page.mjs";
import { start } from "../../web/worker.js";

const DIST = process.env.KAGETSU_STATIC_BOARD
  ? pathToFileURL(process.env.KAGETSU_STATIC_BOARD + "/")
  : new URL("../../web/dist/", import.meta.url);
// With vectors and without.
const MODULES = ["kagetsu.wasm", "kagetsu-plain.wasm"];
const TYPES = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  json: "application/json",
  svg: "image/svg+xml",
  wasm: "application/wasm",
};

// Engines that fail: one wants a function that nobody has, and the other lacks those that the page calls.
const BROKEN = {
  unstartable: new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 2, 7, 1, 1, 0x61, 1, 0x62, 0, 0]),
  trapping: new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
};

let browser, files, address;

async function listen(handler, port) {
  const server = createServer(handler).listen(port, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  // One that a test leaves behind when it fails does not keep Node.
  return server.unref();
}

// Hands out the files, each through `revise` with its name; on a port of its own where none is wanted.
function serveFiles({ port = 0, revise = (name, content) => content } = {}) {
  return listen(async ({ url }, answer) => {
    // The same files in several folders: in one the engine has no type that browsers know, in two it is broken.
    const [, folder, path] = /^\/(octets|unstartable|trapping)?\/?(.*)$/.exec(new URL(url, "http://x").pathname);
    const name = path || "index.html";
    const ending = name.split(".").pop();
    let content = await readFile(new URL(name, DIST)).catch(() => null);
    // As it would be in a browser that finds a module with vectors wrong.
    if (url.endsWith("?no-vectors"))
      content = String(content).replace("<script", '<script src="no-vectors.js"></script><script');
    if (name === "no-vectors.js") content = "WebAssembly.validate = () => false;";
    if (ending === "wasm" && BROKEN[folder]) content = BROKEN[folder];
    if (content) content = revise(name, content);
    const type = ending === "wasm" && folder === "octets" ? "application/octet-stream" : TYPES[ending] || "text/plain";
    answer.writeHead(content ? 200 : 404, { "content-type": type });
    answer.end(content || "");
  }, port);
}

const addressOf = (server) => "http://127.0.0.1:" + server.address().port + "/";

// A server that is gone at once, with what it had open.
async function close(server) {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

before(async () => {
  browser = await launch();
  files = await serveFiles();
  address = addressOf(files);
});

after(async () => {
  await browser.close();
  files.close();
});

test("it plays, analyses, stops and proves without a server", { timeout: 90000 }, async () => {
  const { page, finish } = await visit(browser, address);
  await newGame(page, { players: "black", time: "move", move: "0.5" });
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await openText(page, "h8 i9 j8 h10");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 3);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(
    () =>
      document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 3 &&
      document.querySelectorAll("#board .stone:not(.ghost)").length === 3,
  );
  await page.click("#analyse");
  await openText(page, "h8 a1 i8 c1 j8 e1");
  await page.click("#solve-vcf");
  await page.waitForFunction(() => /wins by force.*checked/.test(document.querySelector("#proof-state")?.textContent));
  await finish();
});

test("told to move before it has a thought, it moves soon", { timeout: 60000 }, async () => {
  const { page, finish } = await visit(browser, address);
  await page.click("#new-game");
  await page.selectOption("#new-players", "black");
  await page.selectOption("#new-time", "move");
  await page.fill("#new-move", "60");
  await page.check("#new-varied");
  await page.click("#new-game-dialog button[value=start]");
  await play(page, "h8");
  await page.click("#move-now");
  // A sixth of a minute goes by before a search for a varied move tells anything.
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2, null, { timeout: 6000 });
  await finish();
});

test("it plays where the browser has no vectors", { timeout: 60000 }, async () => {
  const { page, finish } = await visit(browser, address + "?no-vectors");
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => name.split("/").pop()),
  );
  assert.deepEqual(
    loaded.filter((name) => name.endsWith(".wasm")),
    ["kagetsu-plain.wasm"],
  );
  await newGame(page, { players: "black", time: "move", move: "0.5" });
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await finish();
});

test("it plays where the server does not know the type of the engine", { timeout: 60000 }, async () => {
  const { page, finish } = await visit(browser, address + "octets/");
  await newGame(page, { players: "black", time: "move", move: "0.5" });
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await finish();
});

// What a server would say whose page is of another build, with or without the sum of that in its list.
const revised = (isListed) => (name, content) => {
  const page = (text) => String(text).replace("<body", '<body data-build="another"');
  if (name === "index.html") return page(content);
  if (name !== "offline.js") return content;
  const index = page(readFileSync(new URL("index.html", DIST)));
  const sum = createHash("sha256").update(index).digest("hex");
  return String(content)
    .replace(/BUILD = "[^"]*"/, 'BUILD = "another"')
    .replace(/\["\.\/", "[^"]*"\]/, (listed) => (isListed ? '["./", "' + sum + '"]' : listed));
};

test("it stays when the network goes, and a new build takes over as a whole", { timeout: 90000 }, async () => {
  const server = await serveFiles();
  const home = addressOf(server);
  const { port } = new URL(home);
  const { page, context, finish } = await visit(browser, home);
  // The files of the only store, once there is one only.
  const stored = () =>
    page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      while (active.state !== "activated") await new Promise((resolve) => setTimeout(resolve, 50));
      const [store, ...others] = await caches.keys();
      if (others.length) throw new Error("other stores are left: " + others);
      const kept = await (await caches.open(store)).keys();
      return kept.map(({ url }) => new URL(url).pathname).sort();
    });
  // What becomes of the worker that the server has now.
  const update = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      const worker = registration.installing || registration.waiting;
      while (worker?.state === "installing") await new Promise((resolve) => setTimeout(resolve, 50));
      return worker?.state || "redundant";
    });
  const first = await stored();
  assert.deepEqual(
    first.filter((name) => name.endsWith(".wasm")),
    ["/kagetsu.wasm"],
  );

  await close(server);
  for (const place of ["", "index.html"]) {
    await page.goto(home + place);
    await ready(page);
    await newGame(page, { players: "black", time: "move", move: "0.5" });
    await play(page, "h8");
    await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  }

  // Files of two builds are not stored.
  const mixed = await serveFiles({ port, revise: revised(false) });
  assert.equal(await update(), "redundant");
  assert.deepEqual(await stored(), first);
  await close(mixed);

  const renewed = await serveFiles({ port, revise: revised(true) });
  assert.equal(await update(), "installed");
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("body[data-build]").count(), 0, "a page that is open changed its build");
  await close(renewed);
  // A browser takes a moment to notice that no page of the first build is left.
  for (let wait = 200; !(await page.locator("body[data-build=another]").count()); wait *= 2) {
    assert.ok(wait < 20000, "the new build does not take over");
    await page.goto("about:blank");
    await page.waitForTimeout(wait);
    await page.goto(home);
    await ready(page);
  }
  assert.deepEqual(await stored(), first);

  // Where something else is served now, that is shown to whoever asks; what is open stays.
  const other = await listen((_, answer) => {
    answer.writeHead(200, { "content-type": "text/html" });
    answer.end("<title>something else</title>");
  }, port);
  const visitor = await context.newPage();
  await visitor.goto(home);
  await visitor.waitForFunction(() => document.title === "something else");
  assert.deepEqual(await visitor.evaluate(() => caches.keys()), []);
  await finish();
  await close(other);
});

test("an engine that fails is told", { timeout: 60000 }, async () => {
  for (const folder of Object.keys(BROKEN)) {
    const page = await browser.newPage();
    await page.goto(address + folder + "/");
    await page.waitForSelector("#lost:not([hidden])", { timeout: 10000 });
    await page.close();
  }
});

test("it is small enough to be loaded", async () => {
  const sizes = await Promise.all(
    MODULES.map(async (name) => gzipSync(await readFile(new URL(name, DIST)), { level: 9 }).length),
  );
  console.log("WebAssembly, compressed: " + sizes.join(" and ") + " bytes");
  const all = sizes.reduce((sum, size) => sum + size);
  assert.ok(all < 2 << 20, "over 2 MB together: " + all);
});

const POSITIONS = [
  [
    "freestyle",
    15,
    [
      [7, 7],
      [8, 6],
      [9, 7],
      [7, 5],
    ],
  ],
  [
    "standard",
    15,
    [
      [7, 7],
      [6, 6],
      [8, 6],
      [6, 8],
      [6, 7],
      [5, 7],
    ],
  ],
  [
    "renju",
    15,
    [
      [7, 7],
      [8, 6],
      [8, 8],
      [6, 6],
      [9, 7],
    ],
  ],
  [
    "caro",
    20,
    [
      [9, 9],
      [10, 9],
      [10, 10],
      [8, 8],
      [11, 11],
    ],
  ],
];
const NODES = 60000;

function question(id, [rule, side, moves]) {
  return {
    id,
    op: "analyse",
    position: { rule, width: side, height: side, moves },
    lines: 1,
    limits: { nodes: NODES },
  };
}

// What a search came to, without how long it took.
function found({ lines, nodes, move }) {
  return { nodes, move, lines: lines.map(({ moves, score, depth }) => ({ moves, score, depth })) };
}

test("it searches exactly what the native engine searches", { timeout: 180000 }, async () => {
  const inPage = [];
  for (const name of MODULES) {
    const frames = [];
    const take = await start(await WebAssembly.compile(await readFile(new URL(name, DIST))), (frame) =>
      frames.push(JSON.parse(frame)),
    );
    POSITIONS.forEach((position, n) => take(JSON.stringify(question(n + 1, position))));
    inPage.push(frames.filter(({ done }) => done));
  }
  const board = await serve();
  const { page, finish } = await visit(browser, board.address, { isPatient: true });
  const native = await page.evaluate(
    (questions) =>
      new Promise((resolve, reject) => {
        const answers = [];
        const socket = new WebSocket("ws://" + location.host + "/talk");
        socket.onopen = () => socket.send(JSON.stringify(questions[0]));
        socket.onerror = reject;
        socket.onmessage = ({ data }) => {
          const frame = JSON.parse(data);
          if (!frame.done) return;
          answers.push(frame);
          if (answers.length === questions.length) resolve(answers);
          else socket.send(JSON.stringify(questions[answers.length]));
        };
      }),
    POSITIONS.map((position, n) => question(n + 1, position)),
  );
  await finish();
  await board.kill();
  const ms = (answers) => answers.reduce((sum, answer) => sum + answer.ms, 0);
  inPage.forEach((answers, n) => {
    assert.deepEqual(answers.map(found), native.map(found), MODULES[n]);
    console.log(
      MODULES[n] +
        " took " +
        (ms(answers) / ms(native)).toFixed(2) +
        " times the native program's time for the same searches",
    );
  });
});
