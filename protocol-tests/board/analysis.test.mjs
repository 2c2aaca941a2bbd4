// What the page finds out about positions and games, in a real browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cell, message, newGame, openText, openWindow, play, ready, stone, stones, suite, written } from "./page.mjs";

const { boardTest } = suite();

// What "Save" writes into a file.
async function saved(page, format) {
  await page.click("#save-game");
  await page.selectOption("#save-format", format);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-dialog button[value=save]")]);
  return readFileSync(await file.path(), "utf8");
}

boardTest("a click that ends the typing of a comment is a click", async (page) => {
  await openText(page, "h8 i9 j8 h10");
  await page.click("#comment");
  await page.keyboard.type("The first words make the list of moves longer, and what is below it moves down.");
  const { x, y, width, height } = await page.locator("#mark-circle").boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.waitForTimeout(50);
  await page.mouse.up();
  assert.equal(await page.locator("#mark-circle").getAttribute("aria-pressed"), "true");
  await page.waitForFunction(() => /The first words/.test(document.querySelector("#moves").textContent));
});

boardTest("analysis streams, follows the position and stops", async (page) => {
  await openText(page, "h8 i9 j8 h10");
  await page.click("#analyse");
  await page.waitForFunction(() => /Depth \d/.test(document.querySelector("#analysis-state").textContent));
  const nodes = () => page.locator("#analysis-state").textContent();
  const first = await nodes();
  await page.waitForFunction((text) => document.querySelector("#analysis-state").textContent !== text, first);
  assert.equal(await page.locator("#lines li:not(.empty, .waiting)").count(), 3);
  await page.locator("#lines button").first().hover();
  await page.waitForSelector("#board .ghost");
  await page.mouse.move(5, 5);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(
    () =>
      document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 3 &&
      document.querySelectorAll("#board .stone:not(.ghost)").length === 3,
  );
  await page.click("#analyse");
  await page.waitForTimeout(300);
  const last = await nodes();
  await page.waitForTimeout(700);
  assert.equal(await nodes(), last);
  assert.equal(await page.locator("#lines li:not(.empty, .waiting)").count(), 3);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 0);
});

boardTest("an analysis waits for an engine that has room", async (page) => {
  let asked = 0;
  await page.routeWebSocket(/\/talk$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, op } = JSON.parse(text);
      if (op !== "analyse" || ++asked > 2) return server.send(text);
      socket.send(JSON.stringify({ id, done: true, error: { code: "busy", message: "full" } }));
    });
  });
  await page.reload();
  await ready(page);
  await openText(page, "h8 i9 j8 h10");
  await page.click("#analyse");
  await page.waitForFunction(() => /^Too many/.test(document.querySelector("#analysis-state").textContent));
  await page.waitForFunction(() => /Depth \d/.test(document.querySelector("#analysis-state").textContent));
  assert.equal(asked, 3);
  await page.click("#analyse");
});

boardTest("a position is set up, analysed, saved and played on", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9", "j8");
  await page.click("#set-up");
  await message(page, "The game was kept.");
  assert.equal(await page.locator("#set-up-black").getAttribute("aria-pressed"), "true");
  assert.equal(await page.inputValue("#set-up-turn"), "white");
  await play(page, "i8", "k8");
  await page.click("#set-up-white");
  await cell(page, "i9").click();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 4);
  await play(page, "a1");
  await page.click("#set-up-empty");
  await cell(page, "a1").click();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 4);
  assert.equal(await page.inputValue("#set-up-turn"), "white");
  await page.selectOption("#set-up-turn", "black");
  await page.click("#set-up-done");
  assert.equal(await page.locator("#set-up-bar").isHidden(), true);
  assert.match(await page.locator("#state").textContent(), /Black to move/);
  assert.match(await written(page, "sgf"), /AB(\[\w\w\]){4}PL\[B\]/);
  // Four in a row are won, and a click plays again.
  await page.click("#solve-vcf");
  await page.waitForFunction(() => /wins/.test(document.querySelector("#proof").textContent));
  await page.click("#proof-close");
  await play(page, "l8");
  assert.match(await page.locator("#state").textContent(), /Black has won/);
  await page.click("#former-game");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
});

boardTest("an empty board is set up by keys, and Escape ends it", async (page) => {
  await page.click("#set-up");
  await page.keyboard.press("b");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#board .stone.black");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("#board .stone"));
  await page.click("#set-up-white");
  await play(page, "c3");
  await page.click("#set-up-clear");
  await page.waitForFunction(() => !document.querySelector("#board .stone"));
  await page.click('.message[data-sort="choice"] button:not(.close-message)');
  await stone(page, "c3");
  await page.click("#set-up-clear");
  await page.waitForFunction(() => !document.querySelector("#board .stone"));
  await play(page, "d4");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#set-up-bar").isHidden(), true);
  // It goes on where it was left, and what is played after it begins another one.
  await page.click("#set-up");
  await play(page, "e5");
  await page.click("#set-up-done");
  await play(page, "h8");
  await page.click("#set-up");
  await message(page, "The game was kept.");
  assert.equal(await stones(page), 3);
  await page.click("#mark-circle");
  assert.equal(await page.locator("#set-up-bar").isHidden(), true);
});

boardTest("neither the board nor the tools move with what is known", async (page) => {
  await openText(page, "h8 i9 j8 h10");
  const places = () =>
    page.evaluate(() =>
      ["#board", "#solve-vcf"].map((id) => {
        const { x, y, width } = document.querySelector(id).getBoundingClientRect();
        return [x, y, width];
      }),
    );
  const before = await places();
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 3);
  assert.equal(await page.locator("#eval-bar").isVisible(), true);
  assert.deepEqual(await places(), before);
  await page.click("#analyse");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => getComputedStyle(document.querySelector("#eval-bar")).visibility === "hidden");
  assert.deepEqual(await places(), before);
});

boardTest("lines are in order, and those of an iteration before say so", async (page) => {
  let search = null;
  let tell = null;
  await page.routeWebSocket(/\/talk$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, op } = JSON.parse(text);
      if (op !== "analyse") return server.send(text);
      search = id;
      tell = (lines) =>
        lines.forEach(([rank, depth, x, win_rate]) =>
          socket.send(
            JSON.stringify({
              id,
              event: "line",
              rank,
              depth,
              moves: [[x, 0]],
              win_rate,
              score: Math.round(1000 * win_rate),
              plies_to_end: null,
              nodes: 1000 * depth,
              ms: depth > 7 ? 10 : 0,
            }),
          ),
        );
    });
  });
  await page.reload();
  await ready(page);
  await openText(page, "h8 i9 j8 h10");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelector("#analysis-state").textContent === "thinking …");
  assert.ok(search);
  const rows = async (wanted) => {
    await page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll("#lines li:not(.empty, .waiting)")].map((row) => row.textContent).join("|") ===
        wanted.join("|"),
      wanted,
    );
    // The board numbers the same moves in the same order.
    const shares = wanted.map((row) => /^\d+/.exec(row)[0]);
    assert.deepEqual(await page.locator("#board .hint-text").allTextContents(), shares);
    assert.equal(await page.locator("#board .hint-move").first().getAttribute("class"), "hint-move rank-0");
  };
  tell([
    [0, 7, 0, 0.5],
    [1, 7, 1, 0.6],
    [2, 7, 2, 0.4],
  ]);
  await rows(["60% +600 b15", "50% +500 a15", "40% +400 c15"]);
  const told = () => page.locator("#analysis-state").textContent();
  assert.equal(await told(), "Depth 7, 7000 nodes");
  tell([[0, 8, 2, 0.55]]);
  await rows(["55% +550 c15", "60% +600 depth 7 b15", "50% +500 depth 7 a15"]);
  assert.equal(await told(), "Depth 8, 8000 nodes, 800.0 k/s, 10.0 ms");
  assert.equal(await page.locator("#lines .shallow").count(), 2);
  tell([
    [1, 8, 0, 0.57],
    [2, 8, 1, 0.3],
  ]);
  await rows(["57% +570 a15", "55% +550 c15", "30% +300 b15"]);
});

boardTest("a whole game is analysed with its turning points", async (page) => {
  await openText(page, "h8 i9 i8 a1 j8 a2 g8 a3 f8");
  assert.equal(await page.locator("#analyse-game").isEnabled(), true);
  await page.click("#analyse-game");
  await page.waitForSelector("#graph-card:not([hidden])");
  await page.waitForFunction(() => document.querySelector("#sweep").hidden, null, { timeout: 60000 });
  assert.match(await page.locator("#moves").textContent(), /a\d+\?/);
  assert.ok((await page.locator("#graph .turning").count()) >= 1);
  assert.deepEqual(await page.locator("#graph .course-end").allTextContents(), ["Black", "White"]);
  assert.match(await page.locator("#graph-notes").textContent(), /filled by Black/);
  // What would have been better stands beside the mistake, and the bar shows what was found.
  assert.match(await page.locator("#moves .better").first().textContent(), /^best: [a-o]\d+$/);
  assert.equal(await page.locator("#eval-bar").isVisible(), true);
  // It is shown where it is chosen, as a variation with what would follow.
  const better = page.locator("#moves .better").first();
  const name = (await better.textContent()).slice("best: ".length);
  const moves = await page.locator("#moves .move").count();
  await better.click();
  await stone(page, name);
  assert.equal(await page.locator("#board .stone.ghost").count(), 0);
  const shown = await stones(page);
  assert.ok(shown <= 9);
  assert.match(await page.locator("#moves [aria-current]").textContent(), new RegExp(name + "$"));
  assert.equal(await page.locator("#moves .variation [aria-current]").count(), 1);
  assert.ok((await page.locator("#moves .move").count()) > moves + 1);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((count) => document.querySelectorAll("#board .stone").length === count, shown + 1);
  // Once more it is the same variation.
  const all = await page.locator("#moves .move").count();
  await page.locator("#moves .better").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((count) => document.querySelectorAll("#board .stone").length === count, shown);
  assert.equal(await page.locator("#moves .move").count(), all);
  // The arrows up and down lead past it.
  await page.locator("#moves .better").first().focus();
  await page.keyboard.press("ArrowUp");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /\?$/);
});

for (const width of [320, 375, 1280]) {
  boardTest(
    "the best lines are read to their end in a window of " + width + " pixels",
    async (page) => {
      await openText(page, "h8 i9 j8 h10");
      await page.click("#analyse");
      await page.waitForFunction(() => document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 3);
      // The longest that there are, with the depth of an iteration before.
      const rows = await page.evaluate(() =>
        [...document.querySelectorAll("#lines button")].map((button) => {
          button.querySelector(".depth").textContent = "depth 14 ";
          button.querySelector(".found-moves").textContent = Array(16).fill("m13").join(" ");
          const room = button.getBoundingClientRect();
          const range = document.createRange();
          range.selectNodeContents(button);
          return [...range.getClientRects()].every(
            ({ left, right, top, bottom }) =>
              left >= room.left && right <= room.right + 0.5 && top >= room.top && bottom <= room.bottom,
          );
        }),
      );
      assert.deepEqual(rows, [true, true, true]);
    },
    { viewport: { width, height: 812 }, ...(width < 600 ? { hasTouch: true, isMobile: true } : {}) },
  );
}

boardTest("whose share the lines tell is said where they stand", async (page) => {
  await openText(page, "h8 i9 j8 h10");
  assert.equal(await page.locator("#lines-note").isHidden(), true);
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 3);
  assert.match(await page.locator("#lines-note").innerText(), /side to move/);
});

boardTest("a win is proved and played through", async (page) => {
  await openText(page, "h8 a1 i8 c1 j8 e1");
  await page.click("#solve-vcf");
  await page.waitForFunction(() => /wins by force/.test(document.querySelector("#proof-state")?.textContent), null, {
    timeout: 60000,
  });
  assert.match(await page.locator("#proof-state").textContent(), /checked/);
  let steps = 0;
  while ((await page.locator("#proof-on").isEnabled()) && steps++ < 60) await page.click("#proof-on");
  assert.ok((await page.locator("#board .ghost").count()) >= 3);
  await page.click("#proof-back");
  await page.click("#proof-close");
  assert.equal(await page.locator("#board .ghost").count(), 0);
});

boardTest("a proof that ends with a row of six calls it no five", async (page) => {
  await openText(page, "h8 a1 i8 a3 j8 a5 l8 a7 m8 a9");
  await page.click("#solve-vcf");
  await page.waitForFunction(() => /^Black wins/.test(document.querySelector("#state").textContent));
  assert.equal(await text(page, "#state"), "Black wins with more than five in a row.");
});

boardTest(
  "what the solver finds is scrolled into sight on a phone",
  async (page) => {
    // Between the board, which stays at the top, and the lower edge of the window.
    const isInSight = (id) =>
      page.waitForFunction((id) => {
        const { top, bottom } = document.querySelector(id).getBoundingClientRect();
        return top >= document.querySelector(".board-row").getBoundingClientRect().bottom && bottom <= innerHeight;
      }, id);
    await openText(page, "h8 a1 i8 c1 j8 e1");
    await page.click(".close-message");
    await page.click("#solve-vcf");
    await page.waitForFunction(() => /wins by force/.test(document.querySelector("#proof-state").textContent));
    for (const id of ["#proof-state", "#proof-on", "#proof-close"]) await isInSight(id);
    await page.click("#proof-close");
    // Also where somebody has scrolled past it.
    await openText(page, "h8 i9");
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.evaluate(() => document.querySelector("#solve-vcf").click());
    await page.waitForFunction(() => /no win/.test(document.querySelector("#proof-state").textContent));
    await isInSight("#proof-state");
  },
  { viewport: { width: 390, height: 844 } },
);

// Numbers the rows of the lines, to tell later whether they are still the same nodes.
const tag = (page) =>
  page.evaluate(() =>
    document.querySelectorAll("#lines button, #proof-close, #moves button").forEach((node, n) => {
      node.dataset.tag = n;
    }),
  );
const text = (page, id) => page.locator(id).textContent();
const newsOf = async (page, id) => {
  const before = await text(page, id);
  await page.waitForFunction(([id, before]) => document.querySelector(id).textContent !== before, [id, before]);
};

boardTest("what can be clicked stays in place while news stream in", async (page) => {
  await openText(page, "h8 i9 j8 h10");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 3);
  await page.waitForFunction(() => /Depth \d\d/.test(document.querySelector("#analysis-state").textContent));
  await tag(page);
  await page.focus("#lines button");
  await newsOf(page, "#analysis-state");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.tag), "0");
  assert.equal(await page.locator("#moves button[data-tag]").count(), 5);
  // A click whose press and release lie on both sides of the news plays the line.
  const at = await page.locator("#lines button").nth(1).boundingBox();
  await page.mouse.move(at.x + 60, at.y + 8);
  await page.mouse.down();
  await newsOf(page, "#analysis-state");
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone:not(.ghost)").length === 5);
});

boardTest("the live analysis goes on after the most even moves were looked for", async (page) => {
  await openText(page, "h8");
  await page.click("#analyse");
  await page.waitForFunction(() => /Depth \d/.test(document.querySelector("#analysis-state").textContent));
  await page.click("#balance-one");
  // What was found stays for as long as the position is shown.
  const even = (moves) =>
    page.waitForFunction(
      (moves) =>
        new RegExp(
          "^Most even: \\w+" + " \\w+".repeat(moves - 1) + "(\\. White can then expect a score of \\d+%\\.)?$",
        ).test(document.querySelector("#even").textContent),
      moves,
    );
  await even(1);
  assert.equal(await page.locator("#board .hint-text", { hasText: "★" }).count(), 1);
  await newsOf(page, "#analysis-state");
  assert.equal(await page.getAttribute("#analyse", "aria-pressed"), "true");
  await page.click("#analyse");
  await page.click("#balance-two");
  await even(2);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator("#even").isHidden(), true);
});

boardTest("a win by threats is found, and a proof follows replies that it does not list", async (page) => {
  await openText(page, "h8 a1 i7 c1 h10 e1");
  await page.click("#solve-vct");
  await page.waitForFunction(() => /wins by force/.test(document.querySelector("#proof-state")?.textContent), null, {
    timeout: 60000,
  });
  await openText(page, "h8 a1 i8 c1 j8 e1");
  await page.click("#solve-vcf");
  await page.waitForFunction(() => /wins by force/.test(document.querySelector("#proof-state")?.textContent), null, {
    timeout: 60000,
  });
  // Far away nothing is stopped: the four becomes five.
  await cell(page, "a15").click();
  await message(page, "the threat is carried out");
  assert.equal(await page.locator("#board .ghost").count(), 3);
  assert.match(await text(page, "#proof-moves"), /2\. a15 3\. \w+$/);
  assert.equal(await text(page, "#proof-stage"), "This ends the game.");
  assert.equal(await text(page, "#state"), "Black wins with five in a row.");
  assert.equal(await page.isDisabled("#proof-on"), true);
  await page.click("#proof-back");
  assert.equal(await page.locator("#board .ghost").count(), 1);
  // It belongs to its position, and stays there.
  await page.click("#proof-on");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("#proof", { state: "hidden" });
  await page.waitForSelector("#board .ghost", { state: "detached" });
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("#proof", { state: "visible" });
  assert.equal(await page.locator("#board .ghost").count(), 3);
  await page.click("#proof-close");
  assert.equal(await page.locator("#board .ghost").count(), 0);
});

boardTest("what is chosen while a proof is shown takes its place", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "a1", "h9", "c1", "h10", "e1");
  const prove = async () => {
    await page.click("#solve-vcf");
    await page.waitForSelector("#proof-on:not([hidden])");
    await page.waitForSelector("#board .ghost");
  };
  const isOver = () => page.waitForSelector("#proof", { state: "hidden" });
  await openWindow(page, "#show-settings");
  await page.selectOption("#set-numbers", "all");
  await page.keyboard.press("Escape");
  const before = await saved(page, "svg");
  await prove();
  // A picture is one of the game.
  assert.equal(await saved(page, "svg"), before);
  await page.click("#mark-triangle");
  await isOver();
  await cell(page, "n14").click();
  await page.waitForSelector("#board .mark");
  assert.match(await written(page, "sgf"), /TR\[nb\]/);
  // A proof ends what clicks have done before.
  await prove();
  assert.equal(await page.locator("#mark-triangle").getAttribute("aria-pressed"), "false");
  await page.click("#hint");
  await isOver();
  await page.waitForFunction(() => /^Hint/.test(document.querySelector("#state").textContent));
  await prove();
  await page.click("#balance-one");
  await isOver();
  await page.waitForFunction(() => document.querySelector("#even").textContent.includes("%"));
  await prove();
  await page.click("#set-up");
  await isOver();
  await cell(page, "k4").click();
  await stone(page, "k4");
  await page.selectOption("#set-up-turn", "black");
  await page.click("#solve-vcf");
  await page.waitForSelector("#proof-on:not([hidden])");
  assert.equal(await page.locator("#set-up-bar").isHidden(), true);
});

boardTest("a proof is followed through a threat that nothing answers", async (page) => {
  await openText(page, "h8 a1 i8 c1 j8 e1");
  // As the solver would tell of a move without a reply that helps.
  await page.routeWebSocket(/\/talk$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, op } = JSON.parse(text);
      if (op !== "solve") return server.send(text);
      const nodes = [
        { move: [10, 7], threat: 1, replies: [] },
        { move: [6, 7], threat: null, replies: [] },
      ];
      socket.send(
        JSON.stringify({
          id,
          done: true,
          verdict: "win",
          plies: 3,
          nodes: 2,
          ms: 1,
          checked: true,
          proof: { root: 0, nodes },
        }),
      );
    });
  });
  await page.reload();
  await ready(page);
  await page.check("#layer-threats");
  await page.waitForSelector("#board .threat");
  await page.click("#solve-vcf");
  await page.waitForFunction(() => /No reply helps/.test(document.querySelector("#proof-stage")?.textContent));
  const told = async () => [await text(page, "#state"), await page.title()];
  assert.deepEqual(await told(), ["White to reply.", "White to move – Kagetsu"]);
  // The threats are those below the stones of the proof.
  assert.equal(await page.locator("#board .threat").count(), 0);
  await page.click("#proof-on");
  assert.deepEqual(await told(), ["Black wins with five in a row.", "Black wins – Kagetsu"]);
  assert.deepEqual(
    [await text(page, "#proof-moves"), await text(page, "#proof-stage")],
    ["1. k8 3. g8", "This ends the game."],
  );
  await page.click("#proof-close");
  assert.deepEqual(await told(), ["Black to move.", "Black to move – Kagetsu"]);
  await page.waitForSelector("#board .threat");
});

boardTest("stepping away from a search for a win ends it", async (page) => {
  let solving = null;
  let timer = null;
  const stopped = [];
  // A search that tells how it goes and finds nothing until it is stopped.
  await page.routeWebSocket(/\/talk$/, (socket) => {
    const server = socket.connectToServer();
    const send = (frame) => socket.send(JSON.stringify(frame));
    socket.onMessage((text) => {
      const { id, op, target } = JSON.parse(text);
      if (op === "stop") stopped.push(target);
      if (op === "stop" && target === solving) {
        clearInterval(timer);
        send({ id, done: true });
        send({ id: solving, done: true, verdict: "unknown", plies: 0, nodes: 1, ms: 1, stopped: true });
      } else if (op === "solve") {
        solving = id;
        let nodes = 0;
        timer = setInterval(
          () => send({ id, event: "progress", space: "vct", nodes: (nodes += 1000), plies: 5, ms: nodes }),
          100,
        );
      } else {
        server.send(text);
      }
    });
  });
  await page.reload();
  await ready(page);
  await openText(page, "h8 i9 j8");
  await page.click("#solve-vct");
  await page.waitForFunction(() => /nodes/.test(document.querySelector("#proof-state").textContent));
  await tag(page);
  await newsOf(page, "#proof-state");
  assert.equal(await page.locator("#proof-close[data-tag]").count(), 1);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector("#proof").hidden);
  assert.deepEqual(stopped, [solving]);
  // And by hand.
  await page.click("#solve-vct");
  await page.waitForFunction(() => /nodes/.test(document.querySelector("#proof-state").textContent));
  await page.click("#proof-close");
  await page.waitForFunction(() => document.querySelector("#proof").hidden);
});

boardTest("the analysis of a whole game is cancelled, by hand and by a new game", async (page) => {
  for (const end of ["cancel", "new game"]) {
    await openText(page, "h8 i9 j8 h10 k11 c3 d12 e5 f6 g9 l12 m3");
    await page.click("#analyse-game");
    await page.waitForFunction(
      () => document.querySelector("#sweep-progress").value >= 1 && !document.querySelector("#sweep").hidden,
      null,
      { timeout: 30000 },
    );
    assert.equal(await page.isDisabled("#solve-vcf"), true);
    if (end === "cancel") await page.click("#analyse-game");
    else await newGame(page, { players: "white", time: "none" });
    await page.waitForFunction(() => document.querySelector("#sweep").hidden);
  }
  // Kagetsu's search for its move is left alone, and nobody is helped against it.
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 1);
  assert.equal(await page.locator("#layer-heat").isHidden(), true);
  await page.evaluate(() => document.querySelector("#layer-heat").click());
  await page.waitForTimeout(500);
  assert.equal(await page.locator("#board .heat").count(), 0);
  assert.equal(await page.locator(".message.error").count(), 0);
});

boardTest("a line that is found in a game of two people is tried in the analysis", async (page) => {
  await newGame(page, { players: "two", time: "none" });
  await play(page, "h8");
  await page.click("#analyse");
  const line = page.locator(".found-line").first();
  await page.waitForFunction(() => /[a-o]\d/.test(document.querySelector(".found-line").textContent));
  await line.click();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  assert.equal(await page.textContent("#mode"), "Back to the game");
  await page.click("#mode");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 1);
});

// Whether a game that is kept counts as one with help.
function isHelped(page) {
  return page.evaluate(() => Object.values(localStorage).some((kept) => kept.includes('"helped":true')));
}

boardTest("threats that are shown during a game against Kagetsu are help", async (page) => {
  await newGame(page, { players: "black", time: "none" });
  await page.check("#layer-threats");
  await page.uncheck("#layer-threats");
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  assert.equal(await isHelped(page), true);
  // Without them the next game is played without help, and with those that are still shown it is not.
  await newGame(page, { players: "black", time: "none" });
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 0);
  await page.evaluate(() => localStorage.clear());
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  assert.equal(await isHelped(page), false);
  await page.check("#layer-threats");
  await play(page, "a1");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 4);
  assert.equal(await isHelped(page), true);
});

boardTest("a move that overlooks an open four or a five is told, where that is wanted", async (page) => {
  await page.click("#show-settings");
  await page.check("#set-warnings");
  await page.click("#settings-dialog button[value=close]");
  await newGame(page, { players: "black", time: "none" });
  // Whoever plays in the corners overlooks everything.
  const warning = page.locator(".message.warning");
  const corners = ["a1", "o15", "o1", "a15", "c1", "m15", "o3", "a13"];
  let count = 0;
  for (const corner of corners) {
    await play(page, corner);
    count += 2;
    await page.waitForFunction((count) => document.querySelectorAll("#board .stone").length === count, count);
    if (await warning.count()) break;
  }
  assert.match(await warning.textContent(), /^White can make (five|an open four): [a-o]\d+/);
  // Who lets the move stand has had no help, and who takes it back has.
  assert.equal(await isHelped(page), false);
  await warning.getByText("Undo").click();
  assert.equal(await warning.count(), 0);
  await page.waitForFunction((count) => document.querySelectorAll("#board .stone").length === count, count - 2);
  assert.equal(await isHelped(page), true);
});

boardTest(
  "a search for a win is not cut by the live analysis, and says so where another search has cut it",
  async (page) => {
    await openText(page, "#freestyle/15x15/h8i9h10h9g9i10i8g7j7k8e11f10e8");
    const proof = (pattern) =>
      page.waitForFunction(
        (pattern) => new RegExp(pattern).test(document.querySelector("#proof-state").textContent),
        pattern,
        { timeout: 90000 },
      );
    await page.click("#analyse");
    await page.click("#balance-two");
    await page.click("#solve-vct");
    await page.selectOption("#line-count", "5");
    await page.waitForFunction(
      () => document.querySelector("#even").textContent === "The search was stopped before its end.",
    );
    await proof("wins by force");
    await page.click("#proof-close");
    await openText(page, "h8 i9");
    await page.click("#solve-vct");
    await page.click("#balance-one");
    await proof("^(The search was stopped before its end|There is no win)");
  },
);

boardTest("no win by continuous fours decides nothing", async (page) => {
  await openText(page, "h8 i9");
  await page.click("#solve-vcf");
  await page.waitForFunction(() =>
    /^There is no win by VCF; that decides nothing \(.* nodes, .*\)\.$/.test(
      document.querySelector("#proof-state").textContent,
    ),
  );
});

boardTest(
  "the first touch shows a line and the second plays it",
  async (page) => {
    await openText(page, "h8 i9 j8 h10");
    // No mouse is left lying on a line, which it would show.
    await page.mouse.move(0, 0);
    await page.locator("#analyse").tap();
    await page.waitForFunction(() => document.querySelectorAll("#lines li:not(.empty, .waiting)").length === 3);
    await page.locator("#lines button").nth(1).tap();
    await page.waitForSelector("#board .ghost");
    assert.equal(await stones(page), 4);
    await page.locator("#lines button").nth(1).tap();
    await page.waitForFunction(() => document.querySelectorAll("#board .stone:not(.ghost)").length === 5);
  },
  { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true },
);

boardTest("the button says Stop only while there is something to stop", async (page) => {
  await openText(page, "h8 a1 i8 c1 j8 e1 k8 g1 l8");
  const label = (wanted) =>
    page.waitForFunction(
      (wanted) =>
        document.querySelector("#analyse").textContent === wanted &&
        document.querySelector("#analyse").getAttribute("aria-pressed") === String(wanted === "Stop"),
      wanted,
    );
  // The game is over.
  await page.click("#analyse");
  await page.waitForFunction(
    () => document.querySelector("#analysis-state").textContent === "There is nothing to search here.",
  );
  await label("Analyse");
  // The analysis follows to where there is something; a five is found at once, and then the search has ended by itself.
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelectorAll("#lines li:not(.empty, .waiting)").length > 0);
  await page.keyboard.press("Home");
  await label("Stop");
  await page.click("#analyse");
  await label("Analyse");
  await page.waitForTimeout(300);
  await label("Analyse");
  assert.equal(await page.locator(".message.error").count(), 0);
});
