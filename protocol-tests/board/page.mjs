// The page in a real browser, and the program that serves it.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const PROGRAM = process.env.KAGETSU_PROGRAM;
const BROWSER = process.env.KAGETSU_BROWSER || "/usr/bin/chromium";

// Starts `kagetsu board` and waits for its address.
export async function serve(...options) {
  const child = spawn(
    PROGRAM,
    [
      "board",
      "--no-open",
      ...(process.env.KAGETSU_ASSETS ? ["--assets", process.env.KAGETSU_ASSETS] : []),
      ...(options.includes("--port") ? [] : ["--port", "0"]),
      ...options,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const address = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error("the board ended with " + code)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /http:\/\/\S+/.exec(line);
      if (found) resolve(found[0]);
    });
  });
  // A test that fails leaves its server behind; nobody waits for that, and it ends with the tests.
  child.unref();
  child.stdout.unref();
  process.once("exit", () => child.kill("SIGKILL"));
  const kill = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.ref();
      child.once("exit", resolve);
      child.kill("SIGKILL");
    });
  return { child, address, port: new URL(address).port, kill };
}

export function launch() {
  return chromium.launch({
    executablePath: BROWSER,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

// A fresh page with storage of its own. Whatever a script complains of fails the test that closes it.
// `isPatient` is for tests of the engine itself, which are not hastened.
export async function visit(browser, address, { isPatient = false, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: "en-GB",
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  // What takes longer hangs; searches that may are waited for in words of their own.
  context.setDefaultTimeout(30000);
  const page = await context.newPage();
  if (!isPatient) await page.addInitScript(hasten);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A refused connection is part of what is tested.
    if (message.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(address);
  await ready(page);
  const finish = async () => {
    const told = await page.locator("#errors").textContent();
    await context.close();
    if (told.trim() || complaints.length) throw new Error("the page complained: " + told + complaints.join("; "));
  };
  return { page, context, finish };
}

// Runs in the page. What is tested is the page and not how well the engine plays, so where the page itself sets a limit
// for a decision or an analysis, a tenth of it will do.
function hasten() {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    const question = JSON.parse(text);
    if (["opening", "balance", "analyse"].includes(question.op))
      for (const name of ["ms", "nodes"])
        if (question.limits?.[name]) question.limits[name] = Math.ceil(question.limits[name] / 10);
    return send.call(this, JSON.stringify(question));
  };
}

// A browser and a server for the tests of a file. `boardTest` visits the page for each of them; `options` are those of the
// browser's context, and `place` what follows the address.
export function suite() {
  let browser, board;
  before(
    async () => {
      [browser, board] = await Promise.all([launch(), serve()]);
    },
    { timeout: 60000 },
  );
  after(
    async () => {
      // Node waits for what a browser that does not close has left open.
      setTimeout(() => process.exit(), 20000).unref();
      await browser.close();
      await board.kill();
    },
    { timeout: 15000 },
  );
  const boardTest = (name, act, options) =>
    test(name, { timeout: 180000 }, async () => {
      const { page, context, finish } = await visit(browser, board.address + (options?.place || ""), options);
      await act(page, context);
      await finish();
    });
  return { boardTest, browser: () => browser, board: () => board };
}

export async function ready(page) {
  await page.waitForSelector("html[data-state=ready][data-engine=ready]", { state: "attached" });
}

// Loads the page anew with an engine whose every word comes a second late.
export async function delayEngine(page) {
  await page.routeWebSocket(/\/talk$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => setTimeout(() => socket.send(text), 1000));
  });
  await page.reload();
  await ready(page);
}

// Loads the page anew; what it returns waits until the engine next says something like `pattern`.
export async function listenToEngine(page) {
  let hear = () => {};
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => hear(String(payload))));
  await page.reload();
  await ready(page);
  return (pattern) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("the engine said nothing like " + pattern)), 30000);
      hear = (said) => {
        if (!pattern.test(said)) return;
        clearTimeout(late);
        hear = () => {};
        resolve();
      };
    });
}

export function cell(page, point) {
  return page.locator('[data-point="' + point + '"]');
}

// Clicks the points one after the other and waits for each stone.
export async function play(page, ...points) {
  for (const point of points) {
    await cell(page, point).click();
    await stone(page, point);
  }
}

export async function stone(page, point) {
  await page.waitForSelector('#board .stone[data-at="' + point + '"]:not(.ghost)');
}

export function stones(page) {
  return page.locator("#board .stone:not(.ghost)").count();
}

// Opens a window by its button, which may be folded into the menu.
export async function openWindow(page, button, dialog = "dialog") {
  if (await page.locator(button).isHidden()) await page.click("#more");
  await page.click(button);
  await page.waitForSelector(dialog + "[open]");
}

// Starts a game through the window for it; `choices` are ids of fields and their values.
export async function newGame(page, choices) {
  await page.click("#new-game");
  for (const [id, value] of Object.entries(choices)) {
    const field = page.locator("#new-" + id);
    if ((await field.evaluate((node) => node.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForSelector("#new-game-dialog", { state: "detached" });
}

// Resigns for whoever is to move.
export async function resign(page) {
  await page.click("#resign");
  await page.click("#confirm button[value=yes]");
  await page.waitForSelector("#summary:not([hidden])");
}

// Opens a text through the window for it, and waits until the page has said what became of it, which is after the window
// is gone: the engine reads it.
export async function openText(page, text) {
  await page.evaluate(() =>
    document.querySelectorAll(".message").forEach((node) => {
      node.dataset.former = "";
    }),
  );
  await page.click("#open-game");
  await page.fill("#pasted", text);
  await page.click("#open-dialog button[value=open]");
  await page.waitForSelector("#open-dialog", { state: "detached" });
  await page.waitForSelector(".message:not([data-former])");
}

// Tries to open a text that cannot be read, and closes the window in which that is said; what was said.
export async function failToOpen(page, text) {
  await page.click("#open-game");
  await page.fill("#pasted", text);
  await page.click("#open-dialog button[value=open]");
  await page.waitForFunction(() => document.querySelector("#open-problem").textContent);
  const said = await page.locator("#open-problem").textContent();
  if ((await page.inputValue("#pasted")) !== text) throw new Error("the text is gone");
  await page.click("#open-dialog button[value=cancel]");
  await page.waitForSelector("#open-dialog", { state: "detached" });
  return said;
}

// What "Save" would write in a format, by way of the clipboard.
export async function written(page, format) {
  await page.evaluate(() => document.querySelector("#messages").replaceChildren());
  await page.click("#save-game");
  await page.selectOption("#save-format", format);
  await page.click("#save-dialog button[value=copy]");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".message")].some((node) => node.textContent === "Copied."),
  );
  return page.evaluate(() => navigator.clipboard.readText());
}

export async function message(page, text) {
  await page.waitForFunction(
    (text) => [...document.querySelectorAll(".message")].some((node) => node.textContent.includes(text)),
    text,
  );
}

// What axe-core finds wrong with the page for people who hear it or use it by keys, as far as it is serious. The page's
// policy must let the test's own scripts in (`bypassCSP`).
export async function seriousFindings(page) {
  if (!(await page.evaluate(() => "axe" in window)))
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(async () =>
    (await window.axe.run()).violations.filter(({ impact }) => impact === "serious" || impact === "critical"),
  );
  return found.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 120)).join(" | "));
}

// A game with variations, comments, marks and texts that would do harm as HTML.
export const VARIATIONS =
  "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[A \\] <i>]PW[B];B[hh]C[first\\: <script>alert(1)</script>];W[hi](;B[ii]TR[hh]LB[ii:x];W[jj])(;B[gg]C[other](;W[aa])(;W[bb])))";
