// Games that come into the page and leave it, and what survives, in a real browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  cell,
  delayEngine,
  failToOpen,
  message,
  newGame,
  openText,
  openWindow,
  play,
  ready,
  serve,
  stone,
  stones,
  suite,
  VARIATIONS,
  visit,
  written,
} from "./page.mjs";

const { boardTest, board, browser } = suite();

boardTest("a game with variations is opened, edited, saved and opened again the same", async (page) => {
  await openText(page, VARIATIONS);
  await message(page, "was opened");
  assert.equal(await page.locator(".variation").count(), 2);
  assert.match(await page.locator("#moves").textContent(), /first: <script>/);
  // A new variation, a comment, a mark; another variation becomes the main line.
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await play(page, "c3");
  await page.fill("#comment", "new [here] \\ ok");
  await page.click("#mark-circle");
  await cell(page, "c3").click();
  await page.click("#mark-circle");
  await page.click("#promote");
  const once = await written(page, "sgf");
  assert.match(once, /CR\[cm\]/);
  assert.match(once, /C\[new \[here\\\] \\\\ ok\]/);
  await newGame(page, { players: "two" });
  await openText(page, once);
  await message(page, "was opened");
  assert.equal(await written(page, "sgf"), once);
  assert.equal(await page.locator(".variation").count(), 3);
  // Delete what was added.
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.click("#remove-move");
  await page.waitForFunction(() => document.querySelectorAll(".variation").length === 2);
  await page.click('.message[data-sort="choice"] button:not(.close-message)');
  await page.waitForFunction(() => document.querySelectorAll(".variation").length === 3);
  assert.equal(await written(page, "sgf"), once);
});

boardTest("figures of an engine fold to a dot among the moves, and people's words stay", async (page) => {
  const figures = "score 914, depth 9, nodes 3001, 3 ms";
  await openText(
    page,
    "(;GM[4]SZ[15];B[hh]C[" +
      figures +
      "];W[ih]C[A good move.\n" +
      figures +
      "\nMESSAGE depth 3];B[ii]C[depth of thought])",
  );
  await message(page, "was opened");
  assert.deepEqual(await page.locator("#moves .comment").allTextContents(), ["A good move.", "depth of thought"]);
  assert.equal(await page.locator("#moves .figures").count(), 2);
  assert.equal(await page.locator("#moves .figures").first().getAttribute("title"), figures);
  // All of it stands where it is written, and goes into what is saved.
  await page.locator("#moves .move", { hasText: /^1\b/ }).first().click();
  await page.waitForFunction((text) => document.querySelector("#comment").value === text, figures);
  assert.ok((await written(page, "sgf")).includes(figures));
});

boardTest("passes and comments without a move have no number, and are called what they are", async (page) => {
  await openText(page, "(;GM[4]SZ[15]RU[freestyle];C[intro];B[hh];W[];B[ii];AW[aa])");
  const listed = page.locator("#moves .line-of-moves .move");
  assert.deepEqual(
    (await listed.allTextContents()).map((text) => text.trim().replace(/\s+/g, " ")),
    ["Comment", "1 h8", "pass", "2 i7", "set up"],
  );
  assert.equal(await listed.nth(2).locator(".stone-mark").getAttribute("aria-label"), "White");
  await page.keyboard.press("Home");
  for (const said of ["Start", "Comment", "Black h8, move 1", "White, pass", "Black i7, move 2", "set up"]) {
    await page.waitForFunction((said) => document.querySelector("#live").textContent === said, said);
    await page.keyboard.press("ArrowRight");
  }
});

// Whether all of the current move lies in the part of the list that is seen.
const showsCurrentMove = (page) =>
  page.evaluate(() => {
    const [box, move] = ["#moves", "#moves [aria-current]"].map((name) =>
      document.querySelector(name).getBoundingClientRect(),
    );
    return move.top >= box.top && move.bottom <= box.bottom && move.left >= box.left && move.right <= box.right;
  });

boardTest("of a large tree the list shows what lies around the current move", async (page) => {
  // Colours that alternate in every other row make no five.
  const columns = "abcdefghijklmno";
  const moves = (from, to) =>
    Array.from({ length: to - from }, (_, k) => from + k)
      .map((n) => (n % 2 ? ";W[" : ";B[") + columns[n % 15] + columns[2 * Math.floor(n / 15)] + "]")
      .join("");
  const variations = Array.from(
    { length: 60 },
    (_, k) => "(;W[" + columns[k % 15] + columns[1 + 2 * Math.floor(k / 15)] + "]" + moves(2, 80) + ")",
  );
  await openText(
    page,
    "(;GM[4]SZ[15]RU[freestyle]" + moves(0, 1) + "(" + moves(1, 100) + ")" + variations.join("") + ")",
  );
  const isAt = (number) =>
    page.waitForFunction(
      (number) => new RegExp("^" + number + " ").test(document.querySelector("#moves [aria-current]")?.textContent),
      number,
    );
  await isAt(100);
  assert.ok((await page.locator("#moves .move").count()) <= 1501);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await isAt(1);
  await page.locator(".line-of-moves > .variation > .move:first-child").last().click();
  await isAt(2);
  await page.keyboard.press("End");
  await isAt(80);
  assert.equal(await showsCurrentMove(page), true);
  await page.keyboard.press("ArrowLeft");
  await isAt(79);
});

boardTest("the current move is in sight however deeply its variation is nested", async (page) => {
  const depth = 40;
  // Every other row stays empty, so that no colour makes five.
  const point = (n) => "abcdefghijklmno"[n % 15] + "acegikmo"[Math.floor(n / 15)];
  const branch = (n) => "(;W[" + point(2 * n + 1) + "];B[" + point(2 * n + 2) + "]";
  const branches = Array.from({ length: depth }, (_, n) => "(;W[ob])" + branch(n)).join("");
  await openText(page, "(;GM[4]SZ[15]RU[freestyle];B[aa]" + branches + ")".repeat(depth + 1));
  const deepest = page.locator("#moves " + ".variation ".repeat(depth) + ".move").last();
  await deepest.evaluate((move) => move.click());
  assert.equal(await deepest.getAttribute("aria-current"), "true");
  assert.equal(await showsCurrentMove(page), true);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.equal(await showsCurrentMove(page), true);
});

boardTest("a mistake is told with the move that was found best last", async (page) => {
  const told = await page.evaluate(async () => {
    const { Game } = await import("./game.js");
    const { MoveList } = await import("./move_list.js");
    const list = new MoveList({});
    const game = new Game("renju", 15, 15);
    game.play([7, 7]).value = { black: 0.1 };
    return [
      [0, 14],
      [1, 14],
    ].map((move) => {
      game.root.value = { black: 0.9, move };
      list.show(game, "bottom");
      return document.querySelector("#moves .better").textContent;
    });
  });
  assert.deepEqual(told, ["best: a1", "best: b1"]);
});

boardTest("a list of moves is read and written as the board names its points", async (page) => {
  await openText(page, "h8 i9 j4");
  await stone(page, "j4");
  assert.equal(await written(page, "moves"), "h8 i9 j4");
  assert.match(await written(page, "picture"), /^15 /m);
  await openText(page, "7,7 8,6");
  await stone(page, "i9");
  assert.match(await written(page, "psq"), /^9,7,0$/m);
  // Wherever one looks, all of the game is written, and a board as it is shown.
  const drawn = await written(page, "picture");
  await page.click("#first");
  assert.equal(await written(page, "moves"), "h8 i9");
  assert.match(await written(page, "psq"), /^9,7,0$/m);
  assert.notEqual(await written(page, "picture"), drawn);
});

boardTest("what was taken back is saved as a variation of the game", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9", "g7");
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await play(page, "f6");
  assert.match((await written(page, "sgf")).replace(/\s/g, ""), /;B\[hh\];W\[ig\]\(;B\[fj\]\)\(;B\[gi\]\)\)$/);
});

boardTest("what was only tried out, or taken back before the end, is saved beside the game", async (page) => {
  const noted = "C[The game has come as far as this. What else follows here was taken back or only tried out.]";
  const saved = async () => (await written(page, "sgf")).replace(/\n/g, "");
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9", "j8", "h9", "k8");
  await page.click("#undo");
  await page.click("#mode");
  await play(page, "a1", "a2");
  const tree = ";B[hh];W[ig];B[jh];W[hg](;" + noted + ")(;B[kh])(;B[ao];W[an]))";
  // In the analysis, back in the game, and when it is over.
  assert.ok((await saved()).endsWith(tree), await saved());
  await page.click("#mode");
  assert.ok((await saved()).endsWith(tree), await saved());
  await page.click("#resign");
  await page.click("#confirm [data-choice=yes]");
  const text = await saved();
  assert.ok(text.includes("RE[W+R]") && text.endsWith(tree), text);
  await openWindow(page, "#former-games");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click('[data-choice="save-all"]')]);
  assert.equal(readFileSync(await file.path(), "utf8").replace(/\n/g, ""), text);
  await page.keyboard.press("Escape");
  // The page reads it as the game that it was.
  await openText(page, text);
  assert.equal(await stones(page), 4);
  assert.equal(await page.locator("#state").textContent(), "White wins: Black resigned.");
  assert.equal((await saved()).replace(/AP\[.*?\]/, ""), text.replace(/AP\[.*?\]/, ""));
  assert.equal((await written(page, "moves")).trim(), "h8 i9 j8 h9");
});

boardTest("what cannot be read is told with its place, and the game stays", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  assert.match(await failToOpen(page, "(;SZ[15];B[hh];W[zz])"), /line 1, column/);
  assert.equal(await stones(page), 2);
  assert.match(await failToOpen(page, "x".repeat(100)), /cannot be read/);
  assert.match(await failToOpen(page, " "), /nothing to read/);
  // Ten million characters of rubbish do no harm.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "<\u0000(;[".repeat(2500000));
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await message(page, "too large");
  assert.equal(await stones(page), 2);
  await play(page, "a1");
});

boardTest("where the page speaks another language, what cannot be read is told without English words", async (page) => {
  await page.evaluate(() => localStorage.setItem("kagetsu.settings", JSON.stringify({ language: "cs" })));
  await page.reload();
  await ready(page);
  assert.match(
    await failToOpen(page, "(;SZ[15];B[hh];W[zz])"),
    /^řádek 1, sloupec \d+: Nelze přečíst: zz leží mimo desku$/,
  );
  assert.equal(await failToOpen(page, " "), "Nelze přečíst: není co číst");
});

boardTest("a picture is told from a game", async (page) => {
  await play(page, "h8");
  const drop = (name, bytes) =>
    page.evaluate(
      ([name, bytes]) => {
        document.querySelector("#messages").replaceChildren();
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], name));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [name, bytes],
    );
  for (const [name, bytes] of [
    ["a.sgf", [0x89, 0x50, 0x4e, 0x47, 13, 10]],
    ["b.txt", [0xff, 0xd8, 0xff, 0xe0]],
    ["c.svg", [...Buffer.from('\n<svg width="9">')]],
  ]) {
    await drop(name, bytes);
    await message(page, "This is a picture.");
  }
  assert.match(await failToOpen(page, '<?xml version="1.0"?><svg/>'), /^This is a picture/);
  await stone(page, "h8");
});

boardTest("a file is read in the encoding that it names", async (page) => {
  const read = (bytes) =>
    page.evaluate(async (bytes) => {
      const { decoded } = await import("./files.js");
      return (await decoded(new File([new Uint8Array(bytes)], "a.sgf"))).text;
    }, bytes);
  const named = (name, label) => [...Buffer.from(`(;CA[${label}]PB[`), ...name, ...Buffer.from("];B[hh])")];
  // The second byte of this name is a backslash: taken for Latin-1 it would swallow the end of its property.
  assert.equal(await read(named([0x83, 0x5c], "Shift_JIS")), "(;CA[Shift_JIS]PB[ソ];B[hh])");
  assert.equal(await read(named([0xbb, 0xa8], " gb18030 ")), "(;CA[ gb18030 ]PB[花];B[hh])");
  for (const label of ["UTF-8", "no-such-encoding", ""]) {
    assert.equal(await read(named([0xe9], label)), `(;CA[${label}]PB[é];B[hh])`);
  }
  assert.equal(await read([0xe9]), "é");
});

boardTest(
  "a file that does not name its encoding is read in the one that it looks like, which is said",
  async (page) => {
    const texts = await page.evaluate(async () => {
      const { decoded } = await import("./files.js");
      const bytes = (hex) => hex.match(/../g).map((digits) => parseInt(digits, 16));
      const ascii = (text) => [...text].map((c) => c.charCodeAt(0));
      const read = async (hex, label = "") => {
        const name = bytes(hex);
        const whole = [
          ...ascii("(;GM[4]" + label + "PB["),
          ...name,
          ...ascii("];B[hh]C["),
          ...name,
          ...ascii("];W[ii])"),
        ];
        const { text, guess } = await decoded(new File([new Uint8Array(whole)], "a.sgf"));
        return [guess, /PB\[(.*?)\];B\[hh\]C\[(.*?)\];W\[ii\]/.exec(text)?.slice(1).join("|")];
      };
      return [
        await read("b2dcb6ac"),
        await read("b2dcb6ac", "CA[UTF-8]"),
        await read("b2dcb6ac", "CA[GBK]"),
        // An editor has converted this one, and one whose bytes are all ASCII.
        await read("e5a5bde6a38be5ad90", "CA[GBK]"),
        await read("1b2442253d1b2842", "CA[ISO-2022-JP]"),
        await read("835c"),
        await read("928691ba96ce"),
        await read("b169bcdda4e5"),
        await read("b1e8bcf6c7f6"),
        await read("d1f3f8eaeee2"),
        await read("4a69f8ed"),
        await read("52656ee9"),
      ];
    });
    const twice = (text) => text + "|" + text;
    assert.deepEqual(texts, [
      ["gb18030", twice("曹冬")],
      ["gb18030", twice("曹冬")],
      [null, twice("曹冬")],
      [null, twice("好棋子")],
      [null, twice("ソ")],
      ["shift_jis", twice("ソ")],
      ["shift_jis", twice("中村茂")],
      ["big5", twice("張毅文")],
      ["euc-kr", twice("김수현")],
      ["windows-1251", twice("Сушков")],
      ["windows-1250", twice("Jiří")],
      ["windows-1252", twice("René")],
    ]);
    await page.evaluate(() => {
      const name = [0xb2, 0xdc, 0xb6, 0xac];
      const ascii = (text) => [...text].map((c) => c.charCodeAt(0));
      const data = new DataTransfer();
      const bytes = new Uint8Array([...ascii("(;GM[4]SZ[15]RU[renju]PB["), ...name, ...ascii("];B[hh];W[ii])")]);
      data.items.add(new File([bytes], "a.sgf"));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await message(page, "It is not UTF-8 and names no encoding that fits; it was read as gb18030.");
    assert.equal(await stones(page), 2);
  },
);

boardTest("the encoding is guessed from letters, from the last bracket and from the whole file", async (page) => {
  const guessOf = (bytes) =>
    page.evaluate(async (bytes) => {
      const { guessEncoding } = await import("./encoding.js");
      return guessEncoding(new Uint8Array(bytes));
    }, bytes);
  const joined = (...parts) => [...Buffer.concat(parts.map((part) => Buffer.from(part)))];
  for (const [encoding, text, hex] of [
    ["windows-1251", "МОСКВА", "ccced1cac2c0"],
    ["windows-1251", "ТУРНИР", "d2d3d0cdc8d0"],
    ["windows-1251", "СССР", "d1d1d1d0"],
    ["windows-1251", "белые выигрывают", "e1e5ebfbe520e2fbe8e3f0fbe2e0fef2"],
    ["koi8-r", "МОСКВА", "edeff3ebf7e1"],
    ["koi8-r", "СССР", "f3f3f3f2"],
    ["koi8-r", "ошибка", "cfdbc9c2cbc1"],
    ["koi8-r", "москва", "cdcfd3cbd7c1"],
    ["koi8-r", "белые выигрывают", "c2c5ccd9c520d7d9c9c7d2d9d7c1c0d4"],
    ["euc-jp", "中村茂", "c3e6c2bcccd0"],
    ["euc-jp", "河村典彦", "b2cfc2bcc5b5c9a7"],
    ["euc-jp", "長谷川一人", "c4b9c3abc0eeb0ecbfcd"],
  ]) {
    const name = Buffer.from(hex, "hex");
    const whole = ["(;GM[4]SZ[15]PB[", name, "]PW[a]EV[", name, "];B[hh]C[", name, "];W[ii])"];
    assert.equal(await guessOf(joined(...whole)), encoding, text);
  }
  for (const [text, hex] of [
    ["ФИНАЛ", "d4c8cdc0cb"],
    ["Ш", "d8"],
    ["финал", "c6c9cec1cc"],
    ["Вася", "f7c1d3d1"],
    ["Å", "c5"],
    ["Malmö, Umeå", "4d616c6df62c20556d65e5"],
  ]) {
    const bytes = joined("(;GM[4]SZ[15];B[hh]C[", Buffer.from(hex, "hex"), "])");
    const read = new TextDecoder(await guessOf(bytes)).decode(new Uint8Array(bytes));
    assert.ok(read.endsWith("])"), text);
  }
  // A single bad byte makes no other text of a long one.
  const games = "(;CA[UTF-8]GM[4];B[hh]C[黑棋必胜])".repeat(300);
  const bytes = joined("(;PB[Ren", [0xe9], "])", "(;B[hh])".repeat(1 << 14), games);
  assert.equal(await guessOf(bytes), "utf-8");
});

boardTest("what other programs say of a game is saved with it, and no rule that is only assumed", async (page) => {
  const text =
    "(;GM[4]SZ[15]GN[a \\] b]BR[3 dan]US[me]\n;B[hh]BL[599.5]N[first]BM[1]AR[aa:bb]\n(;W[ii]TE[])\n(;W[hi]XYZ[own]))";
  await openText(page, text);
  await page.reload();
  await ready(page);
  const saved = await written(page, "sgf");
  assert.ok(
    saved.includes(
      "GN[a \\] b]BR[3 dan]US[me]\n;B[hh]BL[599.5]N[first]BM[1]AR[aa:bb]\n(;W[ii]TE[])\n(;W[hi]XYZ[own]))",
    ),
  );
  assert.doesNotMatch(saved, /RU\[/);
  assert.equal(await written(page, "moves"), "h8 i7");
  await openText(page, text.replace("SZ", "RU[Gomoku]SZ"));
  assert.match(await written(page, "sgf"), /RU\[Gomoku\]/);
  await page.selectOption("#assumed-rule select", "renju");
  await page.waitForFunction(() => document.querySelector("#rules").textContent.startsWith("Renju"));
  const named = await written(page, "sgf");
  assert.match(named, /RU\[renju\]/);
  assert.doesNotMatch(named, /Gomoku/);
  // A position that is set up from its stones belongs to no rule that anybody named, and a game that goes on from it to
  // nobody who played the other.
  await openText(page, text);
  await page.click("#set-up");
  await page.click("#set-up-done");
  assert.doesNotMatch(await written(page, "sgf"), /RU\[/);
  await openText(page, text);
  await page.click("#new-game");
  await page.check("#new-from");
  await page.selectOption("#new-players", "two");
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForSelector("#new-game-dialog", { state: "detached" });
  const own = await written(page, "sgf");
  assert.match(own, /;B\[hh\]BL\[599.5\]N\[first\]/);
  assert.doesNotMatch(own, /BR\[3 dan\]|US\[me\]/);
});

boardTest("what was decided in an opening is saved as a comment, and not what was taken back", async (page) => {
  await newGame(page, { players: "two", rule: "renju", opening: "taraguchi10" });
  const decide = async (choice) => {
    await page.click('[data-choice="' + choice + '"]');
    await page.waitForSelector('[data-choice="' + choice + '"]', { state: "detached" });
  };
  await play(page, "h8");
  await decide("stay");
  await page.click("#undo");
  await page.waitForSelector('[data-choice="swap"]');
  assert.doesNotMatch(await written(page, "sgf"), /Keep sides/);
  await decide("swap");
  await page.fill("#comment", "A note.");
  for (const point of ["h9", "h10", "i10"]) {
    await play(page, point);
    await decide("stay");
  }
  await decide("ten-fifths");
  const offered = ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "a2", "b2", "c2"];
  for (const point of offered) await cell(page, point).click();
  await play(page, "c1");
  const saved = await written(page, "sgf");
  assert.match(saved, /;B\[hh\]C\[A note\.\nWhite: Swap sides\]/);
  assert.match(saved, /C\[Black: Keep sides\nBlack: Offer ten fifth moves\nFifth moves offered: a1 b1 c1 /);
  // Read again, it is a comment, and it is saved once.
  await openText(page, saved);
  assert.equal((await written(page, "sgf")).match(/Swap sides/g).length, 1);
});

boardTest("a game without an end or a board is opened with a remark", async (page) => {
  await openText(page, "(;GM[4]RU[renju];B[hh];W[ss]");
  await message(page, "Its end is missing; what is there was read. It names no board and does not fit on this one");
  assert.equal(await stones(page), 2);
});

boardTest("a bad game of a collection is left out, which is said", async (page) => {
  await openText(page, "From: a@b (c)\n\n(;GM[1]SZ[19];B[dd])\n(;GM[4]SZ[15]RU[renju];B[hh];W[ii])");
  await message(page, "A part of it was left out because it cannot be read (line 3, column 6: this is game 1 (Go)");
  assert.equal(await stones(page), 2);
  assert.match(await failToOpen(page, "(;GM[1]SZ[19];B[dd])"), /Go/);
});

boardTest("a time is rounded before its unit is chosen", async (page) => {
  const times = await page.evaluate(async () => {
    const { time } = await import("../../page/elements.js");
    return [1234, 9994, 9996, 59949, 59990, 60000, 119700, 125000].map((ms) => time(ms));
  });
  assert.deepEqual(times, ["1.23 s", "9.99 s", "10.0 s", "59.9 s", "1 min 0 s", "1 min 0 s", "2 min 0 s", "2 min 5 s"]);
});

boardTest("a text is as large as its bytes", async (page) => {
  const asked = (sign, count) =>
    page.evaluate(
      async ([sign, count]) => {
        const { readGames } = await import("./files.js");
        const link = { ask: async () => ({ games: [] }) };
        return readGames(link, sign.repeat(count), { rule: "renju", width: 15, height: 15 }).then(
          () => "asked",
          ({ code }) => code,
        );
      },
      [sign, count],
    );
  assert.deepEqual([await asked("ж", 4 << 20), await asked("ж", (4 << 20) + 1)], ["asked", "too-large"]);
  // And a message as large as its letters: the program hangs up on a longer one.
  assert.deepEqual([await asked("\n", 7 << 20), await asked("\u0001", 3 << 20)], ["asked", "too-large"]);
});

boardTest("how an opened game ended is told at its end, and where it was played", async (page) => {
  const state = () => page.locator("#state").textContent();
  const opened = async (result) => {
    await openText(
      page,
      "(;GM[4]SZ[15]RU[renju]PB[Ada]PW[Bo]EV[Cup]DT[2019-08-01]RE[" + result + "];B[hh];W[ii](;B[jj])(;B[aa]))",
    );
    return state();
  };
  for (const [result, told] of [
    ["W+T", "Bo wins on time."],
    ["B+", "Black has won."],
    ["0", "A draw."],
    ["Void", "Result: Void"],
    ["B+F", "Result: B+F"],
    ["", "White to move (Bo)."],
  ])
    assert.equal(await opened(result), told);
  assert.equal(await opened("B+Resign"), "Ada wins: Bo resigned.");
  assert.equal(await page.locator("#rules").textContent(), "Renju · 15×15 · 2019-08-01 · Cup");
  assert.equal(await page.title(), "Black wins – Kagetsu");
  // Elsewhere, and where the game is played on, it is somebody's turn.
  await page.keyboard.press("ArrowLeft");
  assert.equal(await state(), "Black to move (Ada).");
  await page.locator(".variation button").first().click();
  assert.equal(await state(), "White to move (Bo).");
  await page.reload();
  await ready(page);
  await page.keyboard.press("ArrowLeft");
  await page.locator(".line-of-moves > button", { hasText: "j6" }).click();
  assert.equal(await state(), "Ada wins: Bo resigned.");
  await play(page, "c3");
  assert.equal(await state(), "Black to move (Ada).");
  // Another move in place of the last one is not how the game ended.
  await openText(page, "(;GM[4]SZ[15]PB[Ada]PW[Bo]RE[B+R];B[hh];W[ii];B[jj])");
  await page.click("#remove-move");
  await play(page, "c3");
  assert.equal(await state(), "White to move (Bo).");
  await newGame(page, { players: "two", rule: "renju" });
  assert.equal(await page.locator("#rules").textContent(), "Renju · 15×15");
});

const savedResult = async (page) => /RE\[[^\]]*\]/.exec(await written(page, "sgf"))?.[0];
const deleteAndPutBack = async (page) => {
  await page.click("#remove-move");
  await page.click('.message[data-sort="choice"] button:not(.close-message)');
};

boardTest("the result of a game is saved with what was played, whatever the analysis makes of it", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8");
  await page.waitForSelector("#summary:not([hidden])");
  assert.equal(await savedResult(page), "RE[B+]");
  await page.click("#mode");
  await deleteAndPutBack(page);
  assert.equal(await savedResult(page), "RE[B+]");
  await page.click("#remove-move");
  assert.equal(await savedResult(page), undefined);
  // Another game may begin meanwhile; the list of former ones has it as it was played.
  await openWindow(page, "#former-games");
  assert.match(await page.locator(".former-open").textContent(), /Black wins with five in a row\..*9 moves/);
  await page.keyboard.press("Escape");
  await play(page, "l8");
  assert.equal(await savedResult(page), "RE[B+]");
  // Another line becomes the main one: first the game goes on in it, and then White wins.
  await page.keyboard.press("ArrowLeft");
  await play(page, "c3");
  assert.equal(await savedResult(page), "RE[B+]");
  await page.click("#promote");
  assert.equal(await savedResult(page), undefined);
  await play(page, "a5");
  assert.equal(await savedResult(page), "RE[W+]");
  await page.click("#mode");
  await page.waitForSelector("#summary:not([hidden])");
  assert.equal(await savedResult(page), "RE[B+]");
});

boardTest("the result of an opened game is saved as long as the main line leads through its end", async (page) => {
  await openText(page, "(;GM[4]SZ[15]PB[Ada]PW[Bo]RE[B+R];B[hh];W[ii];B[jj];W[kk])");
  assert.equal(await savedResult(page), "RE[B+R]");
  await play(page, "c3");
  assert.equal(await savedResult(page), "RE[B+R]");
  await page.click("#remove-move");
  await page.click("#remove-move");
  assert.equal(await savedResult(page), undefined);
  await play(page, "k5");
  assert.equal(await savedResult(page), "RE[B+R]");
  await page.keyboard.press("ArrowLeft");
  await play(page, "a1");
  await page.click("#promote");
  assert.equal(await savedResult(page), undefined);
  // Nor does it come to that line with a reload or another rule.
  await page.reload();
  await ready(page);
  await page.selectOption("#assumed-rule select", "renju");
  await page.waitForFunction(() => /^Renju/.test(document.querySelector("#rules").textContent));
  assert.equal(await savedResult(page), undefined);
  await page.locator("#moves .variation button").first().click();
  await page.click("#promote");
  assert.equal(await savedResult(page), "RE[B+R]");
  assert.equal(await page.locator("#state").textContent(), "Ada wins: Bo resigned.");
});

boardTest(
  "the browser goes back over a link to the game that was played, and on to what the link showed",
  async (page) => {
    await newGame(page, { players: "two", name: "Ada", time: "game", base: "5" });
    await play(page, "h8", "i9", "j8");
    const count = (wanted) =>
      page.waitForFunction((wanted) => document.querySelectorAll("#board .stone").length === wanted, wanted);
    await page.evaluate(() => {
      location.hash = "renju/15x15/h8i9";
    });
    await count(2);
    await page.goBack();
    await count(3);
    assert.match(await page.locator("#mode").textContent(), /Analyse/);
    assert.match(await page.locator("#player-black").textContent(), /Ada[45]:/);
    await play(page, "k8");
    await page.goForward();
    await count(2);
    assert.match(await page.locator("#rules").textContent(), /^Renju/);
    await page.goBack();
    await count(4);
    await stone(page, "k8");
    // A game whose stones were set up has no address of its own.
    await openText(page, "(;GM[4]SZ[15]AB[aa][bb]AW[cc]PL[W];W[dd];B[ee])");
    await count(5);
    await page.evaluate(() => {
      location.hash = "renju/15x15/h8i9";
    });
    await count(2);
    await page.goBack();
    await count(5);
  },
);

boardTest("a window that asks something about a game is gone with it when the browser goes back", async (page) => {
  await openText(page, "h8 i9 j8");
  await page.waitForFunction(() => location.hash.endsWith("h8i9j8"));
  await page.evaluate(() => {
    location.hash = "renju/15x15/a1b2";
  });
  await stone(page, "b2");
  await page.click("#first");
  await page.click("#next");
  await page.click("#remove-move");
  await page.waitForSelector("#confirm[open]");
  await page.goBack();
  await stone(page, "j8");
  assert.equal(await page.locator("dialog").count(), 0);
  assert.equal(await stones(page), 3);
});

boardTest("the game survives a reload, and a copied tab has its own", async (page, context) => {
  await newGame(page, { players: "two", name: "Ada" });
  await play(page, "h8", "i9", "j8");
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
  assert.match(await page.locator("#player-black").textContent(), /Ada/);
  const other = await context.newPage();
  await other.goto(board().address);
  await ready(other);
  await newGame(other, { players: "two" });
  await play(other, "a1");
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
  // A position in the address.
  const link = page.url();
  assert.match(link, /#freestyle\/15x15\/h8i9j8$/);
  const third = await context.newPage();
  await third.goto(link);
  await ready(third);
  await third.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
});

boardTest("links to the page are opened like games", async (page) => {
  const link = board().address + "#renju/15x15/h8i9";
  await openText(page, link);
  await message(page, "The link was opened");
  assert.equal(await stones(page), 2);
  await openText(page, " freestyle/20x20/a1b2c3\n");
  assert.equal(await stones(page), 3);
  assert.equal(await page.locator("#grid .row").count(), 20);
  // A move beside the board is no move; the window says so, and the text can be mended in it.
  await page.click("#open-game");
  await page.fill("#pasted", "renju/15x15/h8h16");
  await page.click("#open-dialog button[value=open]");
  await page.waitForFunction(() => document.querySelector("#open-problem").textContent);
  await page.fill("#pasted", "renju/15x15/h8h15");
  await page.click("#open-dialog button[value=open]");
  await page.waitForSelector("#open-dialog", { state: "detached" });
  await stone(page, "h15");
});

boardTest("files are dropped on the page, and saved as games and pictures", async (page) => {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    // As an editor on Windows saves it: UTF-16 with its mark.
    const units = new Uint16Array([0xfeff, ...Array.from(text, (c) => c.charCodeAt(0))]);
    data.items.add(new File([units], "dropped.sgf"));
    data.items.add(new File(["h8"], "another.txt"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, VARIATIONS);
  await message(page, "dropped.sgf was opened");
  await message(page, "Only the first of these files was opened: dropped.sgf.");
  for (const [format, name, begins] of [
    ["sgf", "kagetsu-A-i-B.sgf", "(;"],
    ["svg", "kagetsu-A-i-B.svg", "<svg"],
    ["png", "kagetsu-A-i-B.png", "\x89PNG"],
  ]) {
    await page.click("#save-game");
    await page.selectOption("#save-format", format);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click("#save-dialog button[value=save]"),
    ]);
    assert.equal(download.suggestedFilename(), name);
    const content = readFileSync(await download.path(), "latin1");
    assert.ok(content.startsWith(begins) && content.length > 100, name + ": " + content.slice(0, 80));
  }
  // A game that did not begin on an empty board is none that Piskvork can open.
  await openText(page, "(;SZ[15]AB[hh][ii]PL[B];B[jj])");
  await page.click("#save-game");
  await page.selectOption("#save-format", "psq");
  await page.click("#save-dialog button[value=copy]");
  await message(page, "cannot be written in this format");
});

boardTest("a file that is dropped while it is asked what to open is seen at once", async (page) => {
  await page.click("#open-game");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["h8 i9"], "dropped.txt"));
    document
      .querySelector("#pasted")
      .dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await message(page, "dropped.txt was opened");
  assert.equal(await page.locator("dialog").count(), 0);
  await stone(page, "i9");
});

const proposed = async (page, button, ...names) => {
  await page.click(button);
  const values = await Promise.all(names.map((name) => page.inputValue("#new-" + name)));
  await page.click("#new-game-dialog button[value=cancel]");
  await page.waitForSelector("#new-game-dialog", { state: "detached" });
  return values;
};

boardTest(
  "after something was opened, the game that was played last is proposed, and no stranger's name",
  async (page) => {
    await newGame(page, {
      players: "white",
      name: "Ada",
      rule: "caro",
      size: "19x19",
      time: "game",
      base: "7",
      strength: "4",
    });
    await openText(page, "(;GM[4]SZ[15]RU[renju]PB[Stranger]PW[Nobody];B[hh];W[ii])");
    const usual = ["players", "name", "other-name", "rule", "size", "time", "base", "strength"];
    const ofLastGame = ["white", "Ada", "", "caro", "19x19", "game", "7", "4"];
    assert.deepEqual(await proposed(page, "#new-game", ...usual), ofLastGame);
    await page.reload();
    await ready(page);
    assert.deepEqual(await proposed(page, "#new-game", ...usual), ofLastGame);
    // The position goes on under its own rule, and only there.
    assert.deepEqual(await proposed(page, "#mode", "name", "rule", "time", "strength"), ["Ada", "renju", "game", "4"]);
    await page.click("#mode");
    await page.uncheck("#new-from");
    assert.equal(await page.inputValue("#new-rule"), "caro");
    await page.click("#new-game-dialog button[value=cancel]");
    // A name that is set holds from then on; the other of two people keeps theirs after a rematch.
    await page.click("#show-settings");
    await page.fill("#set-name", "Cleo");
    await page.click("#settings-dialog button[value=close]");
    assert.deepEqual(await proposed(page, "#new-game", "name"), ["Cleo"]);
    await newGame(page, { players: "two", "other-name": "Bo" });
    await play(page, "h8");
    await page.click("#resign");
    await page.click("#confirm button[value=yes]");
    await page.click("#rematch");
    await page.waitForFunction(() => /Bo/.test(document.querySelector("#player-black").textContent));
    assert.deepEqual(await proposed(page, "#new-game", "name", "other-name"), ["Cleo", "Bo"]);
  },
);

boardTest("what a file says of its game is no part of the one that goes on from it", async (page) => {
  await openText(
    page,
    "(;GM[4]SZ[15]RU[renju]PB[Stranger]PW[Nobody]EV[Cup]DT[2019-08-01]PC[Tokyo]RE[B+R]GC[A famous game.];B[hh];W[ii]C[good])",
  );
  await page.click("#mode");
  await page.selectOption("#new-players", "two");
  await page.fill("#new-name", "Ada");
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForFunction(() => /Ada/.test(document.querySelector("#player-black").textContent));
  const text = await written(page, "sgf");
  const today = await page.evaluate(async () => (await import("./clock.js")).localDate());
  assert.ok(text.includes("PB[Ada]") && text.includes("DT[" + today + "]") && text.includes("C[good]"), text);
  assert.doesNotMatch(text, /Stranger|Nobody|Cup|Tokyo|RE\[|GC\[/);
});

boardTest("a picture shows letters and dead points as the board does", async (page) => {
  const [text, dead] = await page.evaluate(async () => {
    const { boardBitmap, boardPicture } = await import("./files.js");
    const options = {
      width: 15,
      height: 15,
      stones: [],
      dead: [[1, 1]],
      marks: [{ at: [7, 7], kind: "label", text: "A" }],
    };
    const bitmap = await createImageBitmap(await boardBitmap(options));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    // Twice as large as the board is drawn: in the middle of a cell, beside the lines.
    return [boardPicture(options), [...canvas.getImageData(2 * (26 + 45) + 10, 2 * (26 + 45) + 10, 1, 1).data]];
  });
  assert.match(text, /\.mark-text\{[^}]*font-size:16px;paint-order:stroke;stroke:/);
  for (const color of ["black", "white"]) assert.match(text, new RegExp("\\.mark-text\\.on-" + color + "\\{fill:"));
  // Grey, where one without a style would be black.
  assert.ok(
    dead.slice(0, 3).every((part) => part > 80 && part < 200),
    dead.join(),
  );
});

boardTest("a link takes the place of no game, and what it showed can be left again", async (_, context) => {
  const page = await context.newPage();
  await page.goto(board().address);
  await ready(page);
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9", "j8");
  // In the tab of a game: the way back stands beside the message.
  await page.evaluate(() => {
    location.hash = "renju/15x15/h8i9";
  });
  await message(page, "The link was opened");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await page.click(".message button");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
  assert.match(await page.locator("#mode").textContent(), /Analyse/);
  // In a new tab after the game's own was closed.
  await page.close();
  const other = await context.newPage();
  await other.goto(board().address + "#renju/15x15/a1");
  await ready(other);
  await stone(other, "a1");
  await other.close();
  const third = await context.newPage();
  await third.goto(board().address + "#%");
  await ready(third);
  await stone(third, "a1");
  // That of the page that every test begins with, that of the first tab, what its link showed, and that of the others.
  assert.equal(
    await third.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kagetsu.game.")).length),
    4,
  );
});

boardTest("a game that is damaged is set aside, and the page goes on", async (page, context) => {
  await page.evaluate(() => {
    localStorage.setItem("kagetsu.game.1", JSON.stringify({ version: 1, saved: 9e15 }));
  });
  // A link is shown all the same.
  const linked = await context.newPage();
  await linked.goto(board().address + "#renju/15x15/h8");
  await ready(linked);
  await stone(linked, "h8");
  await linked.close();
  const other = await context.newPage();
  await other.goto(page.url().split("#")[0]);
  await ready(other);
  await message(other, "is damaged");
  await play(other, "h8");
  assert.equal(await other.evaluate(() => JSON.parse(localStorage.getItem("kagetsu.damaged")).saved), 9e15);
  await other.reload();
  await ready(other);
  await stone(other, "h8");
  assert.equal(await other.locator("#errors").textContent(), "");
  await other.close();
});

boardTest("what is pasted is opened, unless it goes into a field", async (page) => {
  const paste = (selector) =>
    page.evaluate((selector) => {
      const data = new DataTransfer();
      data.setData("text/plain", "h8 i9 j7");
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
      document.querySelector(selector).dispatchEvent(event);
    }, selector);
  await paste("#comment");
  await paste("#layer-threats");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 3);
  assert.equal(await page.locator(".message.error").count(), 0);
});

boardTest("what is pasted over a game can be undone", async (page) => {
  await newGame(page, { players: "two", time: "game", base: "5" });
  await play(page, "h8");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "a1 b2 c3");
    // As spreadsheets do.
    data.items.add(new File([new Uint8Array(8)], "image.png", { type: "image/png" }));
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await stone(page, "c3");
  await page.click(".message button");
  await stone(page, "h8");
  assert.equal(await stones(page), 1);
  assert.match(await page.locator("#player-black .clock").textContent(), /^[45]:/);
  await page.reload();
  await ready(page);
  await stone(page, "h8");
});

boardTest("a tab that the browser copies has a copy of the game", async (page, context) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  // A window that is opened by a page begins with a copy of its session, as a copied tab does.
  const [copy] = await Promise.all([
    context.waitForEvent("page"),
    page.evaluate(() => {
      window.open(location.href);
    }),
  ]);
  await ready(copy);
  await stone(copy, "i9");
  await copy.locator('[data-point="a1"]').click();
  await stone(copy, "a1");
  await page.reload();
  await ready(page);
  await stone(page, "i9");
  assert.equal(await stones(page), 2);
});

boardTest("a position that was set up has no link, and dead points are no place for stones", async (page) => {
  await openText(page, ". . . . .\n. # . . .\n. . . . .\n. . . . .\n. . . X .");
  await message(page, "was opened");
  await cell(page, "b4").click();
  await message(page, "b4: taken");
  await page.click("#save-game");
  await page.click("#save-dialog button[value=link]");
  await message(page, "A link holds only moves in turn");
  for (const format of ["psq", "moves"]) {
    await page.evaluate(() => document.querySelector("#messages").replaceChildren());
    await page.click("#save-game");
    await page.selectOption("#save-format", format);
    await page.click("#save-dialog button[value=copy]");
    await message(page, "it knows no dead points");
  }
  assert.equal(new URL(page.url()).hash, "");
});

boardTest("a picture is copied as a picture", async (page) => {
  await play(page, "h8");
  await page.click("#save-game");
  await page.selectOption("#save-format", "png");
  await page.click("#save-dialog button[value=copy]");
  await message(page, "Copied.");
  assert.deepEqual(await page.evaluate(async () => (await navigator.clipboard.read())[0].types), ["image/png"]);
});

boardTest("without a clipboard for the page what is selected is copied, or can be", async (page) => {
  await openText(page, "h8 i9");
  // As over plain HTTP.
  const hideClipboard = () =>
    page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
  const copy = async () => {
    await page.click("#save-game");
    await page.selectOption("#save-format", "moves");
    await page.click("#save-dialog button[value=copy]");
  };
  await hideClipboard();
  await copy();
  await message(page, "Copied.");
  assert.equal(await page.locator("dialog").count(), 0);
  const copied = await page.evaluate(() => {
    delete navigator.clipboard;
    return navigator.clipboard.readText();
  });
  assert.equal(copied, "h8 i9");
  // Where the browser does not, whoever reads it only has to press the keys.
  await hideClipboard();
  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await copy();
  const selected = await page.getByRole("textbox", { name: "The text" }).evaluate((field) => {
    const { value, selectionStart, selectionEnd } = field;
    return [document.activeElement === field, value.slice(selectionStart, selectionEnd)];
  });
  assert.deepEqual(selected, [true, "h8 i9"]);
});

boardTest("the names that are saved are those of who holds the colours", async (page) => {
  await newGame(page, { players: "two", name: "Ada", "other-name": "Bo" });
  await play(page, "h8");
  assert.match(await written(page, "sgf"), /PB\[Ada\]\s*PW\[Bo\]/);
  await page.click("#swap-sides");
  assert.match(await written(page, "sgf"), /PB\[Bo\]\s*PW\[Ada\]/);
});

boardTest("a text that is dropped into the comment stays there", async (page) => {
  await play(page, "h8");
  // Whether a drop is left to the browser, which puts it into the field.
  const isLeft = (where, isFile) =>
    page.evaluate(
      ([where, isFile]) => {
        const data = new DataTransfer();
        if (isFile) data.items.add(new File(["a1"], "a.txt"));
        else data.setData("text/plain", "a1 b2");
        return ["dragover", "drop"].map((name) =>
          document
            .querySelector(where)
            .dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true })),
        );
      },
      [where, isFile],
    );
  assert.deepEqual(await isLeft("#comment", false), [true, true]);
  await page.waitForTimeout(200);
  assert.equal(await page.locator(".message").count(), 0);
  assert.deepEqual(await isLeft("#comment", true), [false, false]);
  await message(page, "a.txt was opened");
  assert.deepEqual(await isLeft("#moves", false), [false, false]);
  await stone(page, "b2");
});

// A paste on the page, outside of any window.
const paste = (page, text) =>
  page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  }, text);

boardTest("a comment that is long already can be longer", async (page) => {
  await openText(page, "(;GM[4]SZ[15];B[hh]C[" + "long ".repeat(3000) + "])");
  await page.focus("#comment");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("end");
  assert.match(await written(page, "sgf"), /long end\]/);
});

boardTest("a text that looks like many links is refused at once", async (page) => {
  const begin = Date.now();
  await failToOpen(page, "#".repeat(200000) + " h8");
  assert.ok(Date.now() - begin < 10000, String(Date.now() - begin));
});

boardTest("it is said which rule a game is taken for that names none, and another can be chosen", async (page) => {
  const rules = (text) =>
    page.waitForFunction((text) => document.querySelector("#rules").textContent.startsWith(text), text);
  const list = page.locator("#assumed-rule select");
  await openText(page, "(;GM[4]SZ[15]RU[renju];B[hh];W[ih])");
  assert.equal(await page.isHidden("#assumed-rule"), true);
  // What was merely looked at before says nothing of another text.
  await openText(page, "(;GM[4]SZ[15]RU[Gomoku];B[hh];W[ih];B[gg])");
  await message(page, "The text was opened. Its rule “Gomoku” is not known here, so it is taken for Freestyle Gomoku.");
  assert.match(await page.textContent("#assumed-rule"), /^The rule “Gomoku” is not known\. Taken for:/);
  await rules("Freestyle Gomoku");
  await page.click("#previous");
  await list.selectOption("renju");
  await rules("Renju");
  // The page says no more that it is taken for the other.
  assert.doesNotMatch((await page.locator(".message").allTextContents()).join(), /Freestyle/);
  assert.equal(await stones(page), 2);
  await page.reload();
  await ready(page);
  assert.equal(await list.inputValue(), "renju");
  await page.click("#last");
  await page.waitForSelector("#opening-name:not([hidden])");
  // The rule of the last game that was played is the likeliest.
  await newGame(page, { players: "two", rule: "caro" });
  assert.equal(await page.isHidden("#assumed-rule"), true);
  await openText(page, "h8 i9");
  await message(page, "It names no rule, so it is taken for Caro.");
  // A row of five in which both ends are blocked wins in caro only if it is longer.
  const blocked =
    "Piskvorky 15x15, 11:11, 0\n2,1,0\n1,1,0\n3,1,0\n7,1,0\n4,1,0\n9,9,0\n5,1,0\n9,3,0\n6,1,0\n9,5,0\n-1\n";
  await openText(page, blocked);
  await rules("Caro");
  await list.selectOption("freestyle");
  await message(page, "by its rule (Freestyle Gomoku) it was over before move 10");
  assert.equal(await list.inputValue(), "caro");
  // Where the likeliest rule does not allow a game, another one does.
  await newGame(page, { players: "two", rule: "renju" });
  await openText(page, blocked);
  await message(page, "It names no rule, so it is taken for Caro.");
});

boardTest("a game that cannot have been played is refused with the reason, and the game stays", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  for (const [text, said] of [
    ["(;GM[4]SZ[15];B[hh];W[hh])", /cannot have been played: move 2 is on h8, which is taken/],
    ["(;GM[4]SZ[15]AB[hh];W[ii](;B[jj])(;B[hh]))", /move 2 is on h8, which is taken/],
    [
      "(;GM[4]SZ[15]RU[freestyle];B[ha];W[aa];B[hb];W[ca];B[hc];W[ea];B[hd];W[ga];B[he];W[ia])",
      /by its rule \(Freestyle Gomoku\) it was over before move 10, i15/,
    ],
    ["(;GM[4]SZ[3];B[aa])", /3x3/],
    ["(;GM[4]SZ[40];B[aa])", /40/],
    ["renju/15x15/h8h16", /move 2 is on h16, which is not on the board/],
    ["freestyle/15x15/a1a3b1b3c1c3d1d3e1e3", /over before move 10, e3/],
  ]) {
    assert.match(await failToOpen(page, text), said, text);
    assert.equal(await stones(page), 2);
  }
  // Where nobody has a window open for it, a word says so.
  await paste(page, "(;GM[4]SZ[15];B[hh];W[hh])");
  await message(page, "move 2 is on h8, which is taken");
  assert.equal(await stones(page), 2);
  await play(page, "j10");
  // In a collection the game that was chosen counts, and what ends a variation may be played on in no other.
  await page.click("#open-game");
  await page.fill("#pasted", "(;SZ[15];B[hh];W[hh])(;SZ[15];B[aa])");
  await page.click("#open-dialog button[value=open]");
  await page.click("#which-dialog button[value=open]");
  await message(page, "move 2 is on h8, which is taken");
  await stone(page, "j10");
  // What was played under the rule of another game is kept as a variation.
  await openText(
    page,
    "(;GM[4]SZ[15]RU[freestyle];B[ha];W[aa](;B[oo])(;B[hb];W[ca];B[hc];W[ea];B[hd];W[ga];B[he];W[ia]))",
  );
  await stone(page, "o1");
  assert.match(await written(page, "sgf"), /;B\[he\]\s*;W\[ia\]/);
  // A renju game may end with a foul.
  await openText(page, "(;GM[4]SZ[15]RU[renju];B[hg];W[aa];B[hf];W[ba];B[ih];W[ac];B[jh];W[bc];B[hh])");
  await stone(page, "h8");
  assert.equal(await stones(page), 9);
});

boardTest(
  "what the address of the page asks the server for is no part of a link",
  async (page) => {
    await openText(page, "h8 i9");
    await page.click("#save-game");
    await page.click("#save-dialog button[value=link]");
    await message(page, "Copied.");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /\/#freestyle\/15x15\/h8i9$/);
    assert.doesNotMatch(link, /token/);
  },
  { place: "?token=secret" },
);

boardTest("games of a collection are told apart by all that their file says", async (page) => {
  await page.click("#open-game");
  await page.fill(
    "#pasted",
    "(;SZ[15]PB[" +
      "A".repeat(50) +
      "]BR[3 dan]RE[0]EV[Cup]DT[2019]RU[renju];B[hh];W[ii](;B[jj])(;B[aa];W[bb]))" +
      "(;SZ[20]RU[Gomoku];B[aa])(;SZ[15]RE[Void])",
  );
  await page.click("#open-dialog button[value=open]");
  await page.waitForSelector("#which-dialog[open]");
  assert.deepEqual(await page.locator("#which-game option").allTextContents(), [
    "1. " + "A".repeat(40) + " (3 dan) – White · Draw · 2019 · Cup · Renju 15×15 · 3 moves",
    "2. Black – White · Gomoku 20×20 · 1 move",
    "3. Black – White · Void · 15×15 · 0 moves",
  ]);
  await page.click("#which-dialog button[value=open]");
  await page.waitForFunction(() => /^A{50}3 dan$/.test(document.querySelector("#player-black").textContent));
  assert.match(await written(page, "sgf"), /BR\[3 dan\]/);
});

boardTest("games in PGN are opened, and a list of moves with a result behind it", async (page) => {
  const text =
    '[Event "Cup"]\n[Date "2024.01.02"]\n[White "Bo"]\n[Black "Ada"]\n[Result "0-1"]\n\n1. h8 i9 2. j8 i8 0-1\n';
  await page.setInputFiles("#file", { name: "a.pgn", mimeType: "text/plain", buffer: Buffer.from(text) });
  await stone(page, "j8");
  assert.equal(await stones(page), 4);
  assert.equal(await page.locator("#state").textContent(), "Black has won.");
  assert.match(await page.locator("#player-black").textContent(), /Ada/);
  assert.match(await page.locator("#rules").textContent(), / · 2024-01-02 · Cup$/);
  for (const result of ["0-1", "1-0", "1/2-1/2", "*"]) {
    await openText(page, "1. h8 i9 2. j8 " + result);
    assert.equal((await written(page, "moves")).trim(), "h8 i9 j8", result);
  }
});

const openBytes = (page, name, bytes) =>
  page.setInputFiles("#file", { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
const RENLIB = [0xff, ...Buffer.from("RenLib"), 0xff, 3, 0, ...Array(10).fill(0xff)];

boardTest("a library of RenLib is opened with its variations, marks and texts", async (page) => {
  const root = [0, 0];
  // A comment in GB 18030, 花月 and the line below it, and a label at h8 before it is played.
  const comment = [0xbb, 0xa8, 0xd4, 0xc2, 8, ...Buffer.from("26 openings."), 0];
  const h8 = [0x78, 0x09, 0, 1, ...comment, ...Buffer.from("A"), 0];
  const [i9, h9] = [
    [0x69, 0xd0],
    [0x68, 0x40],
  ];
  await openBytes(page, "kagetsu", [...RENLIB, ...root, ...h8, ...i9, ...h9]);
  await message(page, "kagetsu was opened.");
  assert.equal(await stones(page), 0);
  assert.match(await page.locator("#rules").textContent(), /^Renju · 15×15/);
  assert.match(await page.locator(".message").last().textContent(), /taken for Renju.*gb18030/);
  assert.match(await page.locator('[data-point="h8"]').getAttribute("aria-label"), /Letter A/);
  await page.keyboard.press("ArrowRight");
  await stone(page, "h8");
  assert.equal(await page.inputValue("#comment"), "花月\n26 openings.");
  const sgf = await written(page, "sgf");
  assert.match(sgf, /LB\[hh:A\]/);
  assert.match(sgf, /\(;W\[ig\]CR\[ig\]\)\s*\(;W\[hg\]\)/);
  // One that ends early is read as far as it goes, one of another kind is refused.
  await openBytes(page, "cut.lib", [...RENLIB, ...root, 0x78, 0, ...i9]);
  await message(page, "Its end is missing");
  await openBytes(page, "other.lib", [1, 2, 3]);
  await message(page, "not a library of RenLib");
});

boardTest("a database that is opened by mistake is told from a game", async (page) => {
  await openBytes(page, "openings.kgl", [1, 2, 3]);
  await message(
    page,
    "openings.kgl cannot be opened here. The command “kagetsu library import” reads games and libraries of other programs, " +
      "and “kagetsu board --library” shows a library of Kagetsu.",
  );
  await openBytes(page, "games.db", [1, 2, 3]);
  await message(page, "games.db cannot be opened here.");
});

boardTest("long names make no page wider", async (page) => {
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  const long = "W".repeat(80);
  await openText(page, "(;GM[4]SZ[15]RU[freestyle]PB[" + long + "]PW[" + long + "];B[hh];W[ii])");
  assert.match(await page.locator("#state").textContent(), /^Black to move \(W{29}…\)\.$/);
  assert.equal(await page.locator("#player-black strong").getAttribute("title"), long);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    assert.ok(await fits(), String(width));
  }
  await page.click("#new-game");
  await page.selectOption("#new-players", "two");
  for (const id of ["name", "other-name"]) await page.fill("#new-" + id, long.slice(0, 60));
  await page.selectOption("#new-opening", "swap");
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForSelector("#prompt:not([hidden])");
  assert.match(await page.locator("#prompt-text").textContent(), /^W{29}… \(Black\) places/);
  assert.ok(await fits());
});

boardTest("what is dropped while a window asks something is not opened below it", async (page) => {
  // Whether the engine is asked what it is, which it is at once or not at all.
  const drop = () =>
    page.evaluate(() => {
      const { send } = WebSocket.prototype;
      const asked = [];
      WebSocket.prototype.send = function (text) {
        asked.push(JSON.parse(text).op);
        return send.call(this, text);
      };
      const data = new DataTransfer();
      data.setData("text/plain", "h8 i9 j8");
      document
        .querySelector("main")
        .dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      WebSocket.prototype.send = send;
      return asked.includes("read");
    });
  await page.click("#new-game");
  assert.equal(await drop(), false);
  await page.click("#new-game-dialog button[value=cancel]");
  await page.click("#open-game");
  assert.equal(await drop(), true);
  await stone(page, "j8");
  assert.equal(await page.locator("dialog").count(), 0);
});

boardTest("a game that ends with a foul is lost by it, and is analysed to its end", async (page) => {
  await openText(page, "(;GM[4]SZ[15]RU[renju]RE[W+F];B[gh];W[ao];B[hh];W[am];B[ig];W[ak];B[if];W[ai];B[ih])");
  await page.waitForFunction(() =>
    /^White has won by the opponent's forbidden move/.test(document.querySelector("#state").textContent),
  );
  assert.equal(await page.isDisabled("#mode"), true);
  await cell(page, "a15").click();
  await message(page, "a15: the game is over");
  const tools = ["#solve-vcf", "#solve-vct", "#balance-one", "#balance-two", "#analyse-game"];
  const areDisabled = () => Promise.all(tools.map((id) => page.isDisabled(id)));
  assert.deepEqual(await areDisabled(), [true, true, true, true, false]);
  await page.click("#previous");
  await page.waitForFunction(() => !document.querySelector("#solve-vcf").disabled);
  await page.click("#next");
  await page.click("#analyse-game");
  await page.waitForFunction(
    () => document.querySelector("#live").textContent === "The whole game has been analysed.",
    null,
    { timeout: 60000 },
  );
  assert.equal(await page.locator(".message.error").count(), 0);
  // One move before, it goes on under every rule; with that move it begins under none that forbids it.
  await openText(page, "(;GM[4]SZ[15]RU[freestyle];B[gh];W[ao];B[hh];W[am];B[ig];W[ak];B[if];W[ai];B[ih])");
  await page.click("#new-game");
  await page.check("#new-from");
  await page.selectOption("#new-rule", "renju");
  await page.click("#new-game-dialog button[value=start]");
  await page.waitForFunction(() => /^The rule does not allow/.test(document.querySelector("#new-problem").textContent));
});

boardTest("a game that the engine refuses late is a stranger's when its link is opened again", async (page) => {
  await delayEngine(page);
  const impossible = "#freestyle/15x15/a1a3b1b3c1c3d1d3e1e3";
  // Long enough for the page to write the address of what it shows.
  await page.evaluate((hash) => {
    location.hash = hash;
  }, impossible);
  await message(page, "over before move 10");
  await page.goto("about:blank");
  await page.goto(board().address + impossible);
  await ready(page);
  await message(page, "over before move 10");
  assert.equal(await stones(page), 0);
});

boardTest("a link that is broken is told, and neither shown nor left in the address", async (page, context) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  for (const [hash, said] of [
    ["renju/15x15/h8h8", "move 2 is on h8, which is taken"],
    ["renju/15x15/h8h16", "not on the board"],
    ["renju/4x15/", "5 to 22 columns"],
    ["go/19x19/a1", "does not know its rule"],
    ["renju/15x15/h8<i9", "as in #renju/15x15/h8i9"],
    ["renju/15/h8", "as in #renju/15x15/h8i9"],
    // Only the engine knows this.
    ["freestyle/15x15/a1a3b1b3c1c3d1d3e1e3", "over before move 10, e3"],
  ]) {
    await page.evaluate((hash) => {
      document.querySelector("#messages").replaceChildren();
      location.hash = hash;
    }, hash);
    await message(page, said);
    await page.waitForFunction(() => location.hash === "#freestyle/15x15/h8i9");
    assert.equal(await stones(page), 2);
    assert.equal(await page.locator("#former-game").isHidden(), true);
  }
  // What is no link stays what it is: nothing.
  await page.evaluate(() => {
    document.querySelector("#messages").replaceChildren();
    location.hash = "grid";
  });
  await page.waitForTimeout(300);
  assert.equal(await page.locator(".message").count(), 0);
  // With a broken link a tab is loaded with the game that it had.
  await page.goto("about:blank");
  await page.goto(board().address + "#renju/15x15/h8h8");
  await ready(page);
  await message(page, "cannot be opened: move 2");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  await page.goto("about:blank");
  await page.goto(board().address + "#freestyle/15x15/a1a3b1b3c1c3d1d3e1e3");
  await ready(page);
  await message(page, "over before move 10");
  await page.waitForFunction(() => document.querySelectorAll("#board .stone").length === 2);
  assert.equal(await page.locator("#former-game").isHidden(), true);
  await page.waitForFunction(() => location.hash === "#freestyle/15x15/h8i9");
  // With a good one, its own game is the one before.
  await page.goto("about:blank");
  await page.goto(board().address + "#renju/15x15/c3");
  await ready(page);
  await stone(page, "c3");
  // Where the page is slow to load, it has named the empty game that it began with.
  await page.waitForFunction(() => location.hash === "#renju/15x15/c3");
  const other = await context.newPage();
  await other.goto(board().address + "#renju/15x15");
  await ready(other);
  await message(other, "as in #renju");
});

boardTest("a link that is withdrawn leaves the way to the game before as it was", async (page) => {
  await newGame(page, { players: "two" });
  await play(page, "h8", "i9");
  await newGame(page, { players: "two" });
  await play(page, "a1");
  await page.evaluate(() => {
    location.hash = "freestyle/15x15/a1a3b1b3c1c3d1d3e1e3";
  });
  await message(page, "over before move 10");
  await page.waitForFunction(
    () => document.querySelectorAll("#board .stone").length === 1 && location.hash === "#freestyle/15x15/a1",
  );
  await page.reload();
  await ready(page);
  await page.click("#former-game");
  await stone(page, "i9");
});

boardTest("SGF is saved without the engine, and is what the engine would write", async (page) => {
  for (const text of [
    VARIATIONS,
    "(;FF[4]GM[4]SZ[20:15]RU[renju]PB[A [x\\]]EV[Cup]DT[2026-11-24]PC[Tokyo]RE[B+]GC[a\nnote]AB[aa:ba][cc]AW[oo]PL[W]C[two\nlines: \\\\ and \\]];W[ii]TR[aa]SQ[bb][cc]CR[dd]MA[ee]LB[ff:1][gg:a:b](;B[hh];W[];B[jj];AE[aa]AB[kk]PL[B])(;B[hi]C[worse](;W[ad])(;W[bb])))",
    "(;GM[4]SZ[15]RU[Gomoku]GN[a \\] b]DT[2026]RO[2];B[hh]BL[5.5]N[x](;W[ii]TE[]AR[aa:bb][cc:dd])(;W[jj]))",
    "(;GM[4]SZ[15]DT[2026];B[hh])",
  ]) {
    await openText(page, text);
    await message(page, "was opened");
    const engine = await page.evaluate(
      (text) =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket("ws://" + location.host + "/talk");
          const ask = (fields) => socket.send(JSON.stringify({ id: 1, ...fields }));
          socket.onerror = reject;
          socket.onopen = () => ask({ op: "read", text, width: 15, height: 15 });
          socket.onmessage = ({ data }) => {
            const { games, text } = JSON.parse(data);
            if (games) return ask({ op: "write", game: games[0], format: "sgf", node: 0 });
            socket.close();
            resolve(text || data);
          };
        }),
      text,
    );
    // The page adds the day on which a game without one was saved.
    const ours = await written(page, "sgf");
    assert.equal(text === VARIATIONS ? ours.replace(/DT\[[-\d]+\]/, "") : ours, engine);
  }
});

test("a game is saved while nobody answers", { timeout: 60000 }, async () => {
  const own = await serve();
  const { page, finish } = await visit(browser(), own.address);
  await newGame(page, { players: "two", name: "Ada" });
  await play(page, "h8", "i9");
  await own.kill();
  await page.waitForSelector("#lost:not([hidden])");
  assert.match(await written(page, "sgf"), /PB\[Ada\][^]*;B\[hh\]\n;W\[ig\]\)\n$/);
  await page.click("#save-game");
  await page.selectOption("#save-format", "psq");
  await page.click("#save-dialog button[value=save]");
  await message(page, "This format needs the engine");
  await page.click("#save-game");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-dialog button[value=save]")]);
  assert.match(readFileSync(await download.path(), "utf8"), /^\(;FF\[4\]GM\[4\]/);
  await finish();
});
