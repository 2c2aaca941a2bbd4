// The list of former games in a real browser: what comes into it, and what can be done with it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  cell,
  message,
  newGame,
  openText,
  openWindow,
  play,
  ready,
  resign,
  seriousFindings,
  stone,
  stones,
  suite,
} from "./page.mjs";

const { boardTest, board } = suite();

// Some of their spaces do not break.
const texts = async (page) => (await games(page).allTextContents()).map((text) => text.replaceAll("\u00a0", " "));
const games = (page) => page.locator("#former-list li");
const focused = (page) => page.evaluate(() => document.activeElement.className);

async function showList(page) {
  await openWindow(page, "#former-games", "#former-dialog");
}

async function closeList(page) {
  await page.click("#former-dialog button[value=close]");
  await page.waitForSelector("#former-dialog", { state: "detached" });
}

// Two games: one that is over, and one against Kagetsu that was left for an empty one.
async function playTwo(page) {
  await newGame(page, { players: "two", name: "Ada", "other-name": "<b>Bo</b>", rule: "caro", size: "9x9" });
  await play(page, "e5", "d4", "c3");
  await resign(page);
  await newGame(page, { players: "black", name: "Ada", rule: "renju", size: "15x15", strength: "6" });
  await play(page, "h8");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await newGame(page, { players: "two" });
}

boardTest("games that were played are listed, the newest first, with what one wants to know of them", async (page) => {
  await showList(page);
  assert.match(await page.locator("#former-note").textContent(), /^There are none yet/);
  assert.deepEqual(await page.locator("#former-dialog .dialog-buttons button:visible").allTextContents(), ["Close"]);
  await closeList(page);
  // Neither is what was only opened, nor a game without a stone.
  await openText(page, "h8 i9");
  await newGame(page, { players: "two" });
  await playTwo(page);
  await showList(page);
  assert.equal(await games(page).count(), 2);
  const [later, earlier] = await texts(page);
  const today = await page.evaluate(() => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" }).format());
  for (const part of ["Ada", "Kagetsu", "6. Novice 2", "Unfinished.", today, "Renju 15×15", "2 moves"])
    assert.ok(later.includes(part), later);
  for (const part of ["Ada", "<b>Bo</b>", "Ada wins: <b>Bo</b> resigned.", "Caro 9×9", "3 moves"])
    assert.ok(earlier.includes(part), earlier);
  // A picture of the position: its stones are the parts of two paths.
  const discs = await page
    .locator("#former-list li")
    .first()
    .locator(".discs")
    .evaluateAll((paths) => paths.map((path) => (path.getAttribute("d").match(/M/g) || []).length));
  assert.deepEqual(discs, [1, 1]);
  await closeList(page);
  // The page speaks another language, and so do its dates.
  await page.click("#show-settings");
  await page.selectOption("#set-language", "cs");
  await page.waitForFunction(() => document.querySelector("#dialog-title")?.textContent === "Nastavení");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await showList(page);
  const date = await page.evaluate(() => new Intl.DateTimeFormat("cs", { dateStyle: "medium" }).format());
  assert.ok((await texts(page))[0].includes(date.replaceAll("\u00a0", " ")));
});

boardTest("a game is dated by the day on which it was played, whenever it is saved", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await resign(page);
  await newGame(page, { players: "two" });
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith("kagetsu.played."));
    const entry = JSON.parse(localStorage.getItem(key));
    entry.at = entry.state.match.at = new Date(2026, 4, 4, 12).getTime();
    localStorage.setItem(key, JSON.stringify(entry));
  });
  await showList(page);
  await page.locator(".former-open").first().click();
  await stone(page, "h8");
  await page.click("#save-game");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-dialog button[value=save]")]);
  assert.equal(file.suggestedFilename(), "kagetsu-2026-05-04.sgf");
  assert.match(readFileSync(await file.path(), "utf8"), /DT\[2026-05-04\]/);
});

boardTest("a former game is one, however often it is shown, undone, reloaded and played on", async (page) => {
  await playTwo(page);
  await showList(page);
  await page.locator(".former-open").first().click();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  // It is looked at, as an opened game is, until somebody plays on.
  assert.equal(await page.locator("#mode").textContent(), "Back to the game");
  await message(page, "The game was opened.");
  await page.click("#mode");
  const point = (await page.locator('#board .stone[data-at="i9"]').count()) ? "j8" : "i9";
  await cell(page, point).click();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 4);
  assert.match(await page.locator("#player-white").textContent(), /Kagetsu.*Novice 2/);
  await page.reload();
  await ready(page);
  await resign(page);
  await page.click("#undo");
  await resign(page);
  await showList(page);
  assert.equal(await games(page).count(), 2);
  assert.match((await texts(page))[0], /Kagetsu wins: Ada resigned\..*on the board.*4 moves/);
  assert.equal(await page.locator(".former-open").first().getAttribute("aria-current"), "true");
  // That one is there already.
  await page.locator(".former-open").first().click();
  await page.waitForSelector("dialog", { state: "detached" });
  // One that is over is shown as it ended.
  await showList(page);
  await page.locator(".former-open").nth(1).click();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
  assert.match(await page.locator("#state").textContent(), /resigned/);
  assert.equal(await page.locator("#summary").isVisible(), true);
  // There is a way back.
  await page.getByRole("button", { name: "Back to the game before" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 4);
  await showList(page);
  assert.equal(await games(page).count(), 2);
});

boardTest(
  "former games are deleted one by one or all at once, if that is wanted, in all tabs",
  async (page, context) => {
    await playTwo(page);
    const other = await context.newPage();
    await other.goto(board().address);
    await ready(other);
    await showList(other);
    assert.equal(await games(other).count(), 2);
    await page.bringToFront();
    await showList(page);
    await page.locator(".former-delete").first().click();
    assert.match(await page.locator("#confirm h2").textContent(), /^Delete the game of .*, Ada against Kagetsu\?$/);
    // The window is called by its own question.
    assert.equal(
      await page
        .locator("#confirm")
        .evaluate((box) => document.getElementById(box.getAttribute("aria-labelledby")) === box.querySelector("h2")),
      true,
    );
    await page.click("#confirm button[value=cancel]");
    assert.equal(await games(page).count(), 2);
    // By keys as well: Delete, and the focus goes on to what is left.
    await page.locator(".former-open").first().focus();
    await page.keyboard.press("Delete");
    await page.click("#confirm button[value=yes]");
    await page.waitForFunction(() => document.querySelectorAll("#former-list li").length === 1);
    assert.equal(await focused(page), "former-open");
    await other.waitForFunction(() => document.querySelectorAll("#former-list li").length === 1);
    await page.click('[data-choice="delete-all"]');
    assert.equal(await page.locator("#confirm h2").textContent(), "Delete this game from this browser?");
    await page.click("#confirm button[value=yes]");
    await page.waitForFunction(() => !document.querySelector("#former-list li"));
    await other.waitForFunction(() => /^There are none yet/.test(document.querySelector("#former-note").textContent));
    // What is on the board stays, and what was deleted there comes back only if it is played on.
    await closeList(page);
    await play(page, "h8");
    await resign(page);
    await showList(page);
    await page.locator(".former-delete").click();
    await page.click("#confirm button[value=yes]");
    await page.waitForFunction(() => !document.querySelector("#former-list li"));
    await closeList(page);
    await stone(page, "h8");
    await newGame(page, { players: "two" });
    await showList(page);
    assert.equal(await games(page).count(), 0);
  },
);

boardTest("all former games are saved as one collection, which can be opened", async (page) => {
  await playTwo(page);
  await showList(page);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click('[data-choice="save-all"]')]);
  assert.match(file.suggestedFilename(), /^kagetsu-\d{4}-\d\d-\d\d\.sgf$/);
  const text = readFileSync(await file.path(), "utf8");
  assert.match(
    text,
    /^\(;FF\[4\].*SZ\[9\]RU\[caro\]PB\[Ada\]PW\[<b>Bo<\/b>\]DT\[\d{4}-\d\d-\d\d\]RE\[[BW]\+R\]\n;B\[ee\]/,
  );
  assert.match(
    text,
    /\n\(;FF\[4\].*SZ\[15\]RU\[renju\]PB\[Ada\]PW\[Kagetsu\]DT\[\d{4}-\d\d-\d\d\]WR\[6\. Novice 2\]\n;B\[hh\]\n;W\[..\]\)\n$/,
  );
  assert.equal(await page.locator("#former-dialog").isVisible(), true);
  await closeList(page);
  await page.click("#open-game");
  await page.fill("#pasted", text);
  await page.click("#open-dialog button[value=open]");
  await page.waitForSelector("#which-dialog[open]");
  assert.match(await page.locator("#which-dialog").textContent(), /2 games are in it/);
  // Each says who played, at which level, how it ended, when, under which rule, on which board, and how long it was.
  const titles = await page.locator("#which-game option").allTextContents();
  const day = /DT\[(.*?)\]/.exec(text)[1];
  assert.match(titles[0], new RegExp(`^1\\. Ada – <b>Bo</b> · (Black|White) wins · ${day} · Caro 9×9 · 3 moves$`));
  assert.equal(titles[1], `2. Ada – Kagetsu (6. Novice 2) · ${day} · Renju 15×15 · 2 moves`);
  await page.selectOption("#which-game", "1");
  await page.click("#which-dialog button[value=open]");
  await page.waitForSelector("#which-dialog", { state: "detached" });
  await page.waitForFunction(() => document.querySelector("#player-white").textContent === "Kagetsu6. Novice 2");
});

boardTest("a game that ends while the list is open comes into it", async (page) => {
  await newGame(page, { players: "two", time: "move", move: "3" });
  await play(page, "h8");
  await showList(page);
  assert.equal(await games(page).count(), 0);
  await page.waitForSelector("#former-list li");
  assert.match((await texts(page))[0], /wins on time/);
});

boardTest("a question about a game is closed when the game ends", async (page) => {
  for (const button of ["#resign", "#offer-draw"]) {
    await newGame(page, { players: "two", time: "move", move: "2" });
    await play(page, "h8");
    await page.focus(button);
    await page.keyboard.press("Enter");
    await page.waitForSelector("#confirm[open]");
    await page.waitForSelector("#confirm", { state: "detached" });
    assert.match(await page.locator("#state").textContent(), /wins on time/);
    assert.equal(await page.evaluate(() => document.activeElement.id), "rematch");
  }
});

// What is asked about cannot be taken back.
boardTest("a key that is held, or pressed twice, answers no question", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await page.focus("#resign");
  for (let n = 0; n < 4; n++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  assert.equal(await page.locator("#confirm[open]").count(), 1);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#confirm").count(), 0);
  await play(page, "i9");
  assert.equal(await stones(page), 2);
});

boardTest("another tab proposes what was played last", async (page, context) => {
  await newGame(page, { players: "white", rule: "renju", strength: "3" });
  const other = await context.newPage();
  await other.goto(board().address);
  await ready(other);
  await other.click("#new-game");
  await other.waitForSelector("#new-game-dialog");
  const chosen = await Promise.all(["players", "rule", "strength"].map((id) => other.inputValue("#new-" + id)));
  assert.deepEqual(chosen, ["white", "renju", "3"]);
  await other.close();
});

boardTest("arrows move through the list, and the rest of the page keeps its keys", async (page) => {
  await playTwo(page);
  await page.keyboard.press("f");
  await page.waitForSelector("#former-dialog");
  const at = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("#former-list li")].findIndex((row) => row.contains(document.activeElement)),
    );
  assert.deepEqual([await focused(page), await at()], ["former-open", 0]);
  await page.keyboard.press("ArrowDown");
  assert.equal(await at(), 1);
  await page.keyboard.press("ArrowDown");
  assert.equal(await at(), 1);
  await page.keyboard.press("Home");
  assert.equal(await at(), 0);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  assert.deepEqual([await focused(page), await at()], ["former-delete", 1]);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#former-dialog", { state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
});

boardTest("where nothing is kept the list says so, and a full one keeps its buttons in sight", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await resign(page);
  // Two hundred of the same, as other days would have left them.
  await page.evaluate(() => {
    const [key] = Object.keys(localStorage).filter((key) => key.startsWith("kagetsu.played."));
    const entry = JSON.parse(localStorage[key]);
    for (let n = 1; n < 200; n++)
      localStorage["kagetsu.played." + n] = JSON.stringify({
        ...entry,
        at: entry.at - n * 60000,
        state: { ...entry.state, match: { ...entry.state.match, id: String(n) } },
      });
    localStorage["kagetsu.played.damaged"] = '{"at":1,"state":{"version":1}}';
  });
  await showList(page);
  assert.equal(await games(page).count(), 200);
  await page.click('[data-choice="save-all"]', { trial: true });
  const [list, dialog] = await Promise.all(
    ["#former-list", "#former-dialog"].map((name) => page.locator(name).boundingBox()),
  );
  assert.ok(list.height > 300 && dialog.y > 0 && dialog.y + dialog.height < 900, JSON.stringify([list, dialog]));
  await closeList(page);
  await page.evaluate(() => {
    localStorage.clear();
    Storage.prototype.setItem = () => {
      throw new Error("forbidden");
    };
  });
  await showList(page);
  assert.match(await page.locator("#former-note").textContent(), /keeps nothing for this page/);
  assert.equal(await stones(page), 1);
});

boardTest("a game that was left comes back with no other tab, nor one that was deleted", async (page, context) => {
  const elsewhere = async () => {
    const other = await context.newPage();
    await other.goto(board().address);
    await ready(other);
    const count = await stones(other);
    await other.close();
    return count;
  };
  for (const moves of [["h8"], ["h8", "i9"], ["h8", "i9", "j8"]]) {
    await newGame(page, { players: "two", time: "game" });
    await play(page, ...moves);
  }
  assert.equal(await elsewhere(), 0);
  await showList(page);
  assert.equal(await games(page).count(), 2);
  await page.click('[data-choice="delete-all"]');
  await page.click("#confirm button[value=yes]");
  await page.waitForFunction(() => document.querySelectorAll("#former-list li").length === 0);
  await closeList(page);
  assert.equal(await elsewhere(), 0);
  // The tab itself has its game, and the one before it.
  assert.equal(
    await page.evaluate(() => Object.values(localStorage).filter((text) => text.includes('"isLeft":true')).length),
    1,
  );
  await page.reload();
  await ready(page);
  assert.equal(await stones(page), 3);
});

boardTest("a game that is taken up again from the list is one still, for other tabs as well", async (page, context) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9", "j8", "h9");
  await newGame(page, { players: "two" });
  await play(page, "a1", "a2");
  await showList(page);
  await page.locator(".former-open").first().click();
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 4);
  await page.click("#mode");
  await play(page, "k8");
  const other = await context.newPage();
  await other.goto(board().address);
  await ready(other);
  for (const tab of [page, other]) {
    await showList(tab);
    // What was left behind is looked at a little later.
    await tab.waitForTimeout(300);
    assert.deepEqual((await texts(tab)).map((text) => /\d+ moves/.exec(text)[0]).sort(), ["2 moves", "5 moves"]);
  }
  await other.close();
});

boardTest("a game that a closed tab has left is listed", async (_, context) => {
  const visitAgain = async () => {
    const page = await context.newPage();
    await page.goto(board().address);
    await ready(page);
    return page;
  };
  const first = await visitAgain();
  await newGame(first, { players: "two" });
  await play(first, "h8", "i9");
  const second = await visitAgain();
  await first.close();
  // Its empty game is the latest, and comes back.
  await second.close();
  for (let n = 0; n < 2; n++) {
    const page = await visitAgain();
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("kagetsu.played.")));
    await showList(page);
    assert.match((await texts(page)).join("|"), /^[^|]*Unfinished\.[^|]*2 moves[^|]*$/);
    await page.close();
  }
});

boardTest("a game of a tab that is closed is listed by the tabs that stay", async (page, context) => {
  const visit = async (...moves) => {
    const other = await context.newPage();
    await other.goto(board().address);
    await ready(other);
    await newGame(other, { players: "two" });
    await play(other, ...moves);
    return other;
  };
  const closed = await visit("h8", "i9");
  const left = await visit("h8", "i9", "j8");
  await closed.close();
  await page.bringToFront();
  await showList(page);
  await page.waitForFunction(() => document.querySelectorAll("#former-list li").length === 1);
  assert.match((await texts(page))[0], /Unfinished\..*2 moves/);
  // While the list is open as well.
  await left.goto("about:blank");
  await page.waitForFunction(() => document.querySelectorAll("#former-list li").length === 2);
  assert.match((await texts(page))[0], /Unfinished\..*3 moves/);
});

boardTest("a language that the system names in its own way does no harm", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8");
  await resign(page);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "languages", { get: () => ["en-US@posix", "en"] });
  });
  await page.reload();
  await ready(page);
  await showList(page);
  assert.equal(await games(page).count(), 1);
  await closeList(page);
  await page.click("#show-settings");
  await page.click("#settings-dialog button[value=close]");
});

boardTest("the menu stands in one line in every language", async (page) => {
  // With all its words.
  await playTwo(page);
  for (const language of ["en", "zh", "ja", "ru", "cs"]) {
    await page.evaluate((language) => localStorage.setItem("kagetsu.settings", JSON.stringify({ language })), language);
    await page.reload();
    await ready(page);
    for (const width of [1500, 1460, 1459, 1260, 1259, 700, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const height = await page.locator("header.top").evaluate((head) => head.getBoundingClientRect().height);
      assert.ok(height < 60, language + " at " + width + ": " + height);
    }
  }
});

for (const [what, options] of [
  ["light", { colorScheme: "light" }],
  ["dark, on a phone", { colorScheme: "dark", viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }],
]) {
  boardTest(
    "a list of games can be read by everybody, " + what,
    async (page) => {
      await playTwo(page);
      const check = async () => {
        assert.deepEqual(await seriousFindings(page), []);
        // Nothing lies beside the window.
        assert.deepEqual(
          await page.evaluate(() =>
            [...document.querySelectorAll("dialog *")]
              .filter(
                (node) =>
                  node.getBoundingClientRect().right > innerWidth ||
                  (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX === "hidden"),
              )
              .map(({ className }) => String(className)),
          ),
          [],
        );
      };
      await showList(page);
      await check();
      await page.locator(".former-delete").first().click();
      await page.waitForSelector("#confirm");
      await check();
    },
    { ...options, bypassCSP: true },
  );
}
