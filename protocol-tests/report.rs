//! The page that `kagetsu report` writes, looked at in a real browser.
//!
//! Chromium loads the page, runs its scripts and prints what it has made of it. `harness/browser.rs` says what happens
//! where it is missing.

use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

#[path = "harness/browser.rs"]
mod browser;
use browser::browser;

const KAGETSU: &str = env!("CARGO_BIN_EXE_kagetsu");
/// A page that takes longer is stuck.
const PATIENCE: Duration = Duration::from_secs(90);

/// What a hostile program might call itself, and what would be seen if it got through.
const HOSTILE: &str = "</script><script>document.body.dataset.owned=1</script><img src=x \
                       onerror=document.body.dataset.owned=2>\"'&amp;";

// ----- Records -----

/// The first line of records, written as the files have it rather than by the library.
fn header(names: &[&str], sprt: bool) -> Value {
    let engine = |name: &&str| {
        json!({
            "name": name, "command": null, "folder": null, "turn_ms": null, "match_ms": null, "increment_ms": 0,
            "nodes": 100, "depth": null, "threads": 1, "memory": null, "margin_ms": 200, "hang_ms": 60000,
            "send_board": false, "info": [], "raw": [],
        })
    };
    let test = json!({ "elo0": 0.0, "elo1": 10.0, "alpha": 0.05, "beta": 0.05 });
    json!({
        "type": "match", "version": 1, "runner": "test", "engines": names.iter().map(engine).collect::<Vec<_>>(),
        "gauntlet": false, "games": 4, "rule": "freestyle", "size": [15, 15], "openings": HOSTILE,
        "openings_fingerprint": "0", "repeat": true, "transform": true, "seed": 7, "swap2": false,
        "adjudication": { "draw_after": null, "quiet": null, "resign": null, "resign_both": false },
        "sprt": if sprt { test } else { Value::Null },
    })
}

/// Black plays a1 to e1 and wins with the ninth stone; the first stone is the opening.
fn game(id: usize, engines: (usize, usize), names: &[&str]) -> Value {
    let black = if id.is_multiple_of(2) { engines.0 } else { engines.1 };
    let white = engines.0 + engines.1 - black;
    let moves = ["a1", "a3", "b1", "c3", "c1", "e3", "d1", "g3", "e1"];
    let record = |(n, at): (usize, &&str)| match n {
        0 => json!({ "at": at }),
        2 => json!({ "at": at, "ms": 22.0, "score": 20, "depth": 5, "nodes": 1234, "messages": [HOSTILE] }),
        8 => json!({ "at": at, "ms": 28.0, "score": 29_999, "depth": 5, "nodes": 1234 }),
        _ => json!({ "at": at, "ms": 20.0 + n as f64, "score": 10 * n, "depth": 5, "nodes": 1234 }),
    };
    json!({
        "type": "game", "id": id, "pair": id / 2, "engines": [engines.0, engines.1], "black": black,
        "names": [names[black], names[white]], "rule": "freestyle", "size": [15, 15], "opening": 1,
        "moves": moves.iter().enumerate().map(record).collect::<Vec<_>>(),
        "result": "black", "reason": { "by": "line" }, "duration_ms": 100 + id, "overhead_ms": 0.4,
    })
}

/// Four games: the first engine wins three of them, the last because the second is late.
fn duel() -> Vec<Value> {
    let names = ["plain", HOSTILE];
    let mut games: Vec<Value> = (0..4).map(|id| game(id, (0, 1), &names)).collect();
    games[3]["result"] = json!("white");
    games[3]["reason"] =
        json!({ "by": "fault", "fault": { "kind": "late", "limit_ms": 100, "used_ms": 400 } });
    games[3]["moves"].as_array_mut().unwrap().truncate(4);
    let note = json!({ "type": "note", "text": HOSTILE });
    [header(&names, true), note].into_iter().chain(games).collect()
}

/// Writes the lines, and half a line more, as if the match were still running.
fn write_records(folder: impl AsRef<Path>, lines: &[Value]) -> PathBuf {
    let mut text = String::new();
    for line in lines {
        writeln!(text, "{line}").unwrap();
    }
    text.push_str("{\"type\":\"game\",\"id\":");
    let path = folder.as_ref().join("games.jsonl");
    std::fs::write(&path, text).unwrap();
    path
}

fn report(arguments: &[&str]) -> Output {
    Command::new(KAGETSU).arg("report").args(arguments).output().unwrap()
}

fn page_of(folder: impl AsRef<Path>, lines: &[Value]) -> PathBuf {
    let records = write_records(folder, lines);
    let output = report(&[records.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    records.with_extension("html")
}

// ----- The browser -----

/// The page as the browser has it in the end, without the records that stand in it. `place` follows the `#`
/// of the address.
fn seen(browser: &Path, page: &Path, place: &str) -> String {
    seen_with(browser, page, place, &[])
}

/// The same with more options of the browser.
fn seen_with(browser: &Path, page: &Path, place: &str, options: &[&str]) -> String {
    let profile = page.with_extension("profile");
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--window-size=1300,900", "--virtual-time-budget=5000", "--dump-dom"])
        .args(options)
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}#{place}", page.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the browser did not come to an end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = reader.join().unwrap().unwrap();
    let _ = std::fs::remove_dir_all(&profile);
    let (before, rest) = text.split_once("id=\"contents\">").expect("the page has contents");
    let (_, after) = rest.split_once("</script>").unwrap();
    let (between, _) = after.split_once("<script>").expect("the page has scripts");
    let text = format!("{before}{between}");
    assert!(text.contains("data-state=\"ready\""), "the page was not finished: {text}");
    assert!(inside(&text, "errors").is_empty(), "{}", inside(&text, "errors"));
    text
}

/// What stands in the first element with this id, up to the next element of the frame; tags included.
fn inside<'a>(page: &'a str, id: &str) -> &'a str {
    let at = page.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no element {id}"));
    let rest = &page[at..];
    let begin = rest.find('>').unwrap() + 1;
    let name_at = page[..at].rfind('<').unwrap() + 1;
    let name = page[name_at..].split([' ', '>']).next().unwrap();
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut depth = 1;
    let mut end = begin;
    while depth > 0 {
        let next_close = rest[end..].find(&close).expect("elements are closed") + end;
        match rest[end..next_close].find(&open) {
            Some(next_open) => {
                depth += 1;
                end += next_open + open.len();
            }
            None => {
                depth -= 1;
                end = next_close + close.len();
            }
        }
    }
    &rest[begin..end - close.len()]
}

/// Text without tags.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if !is_tag => text.push(c),
            _ => {}
        }
    }
    text
}

/// The values of an attribute of all elements that have this class (the attribute `class` begins with it).
fn values<'a>(html: &'a str, class: &str, attribute: &str) -> Vec<&'a str> {
    let elements = html.split('<').filter(|tag| tag.contains(&format!("class=\"{class}")));
    let value = |tag: &'a str| {
        let (_, rest) = tag.split_once(&format!("{attribute}=\""))?;
        Some(rest.split('"').next().unwrap())
    };
    elements.filter_map(value).collect()
}

// ----- Tests -----

#[test]
fn a_position_is_shown_as_it_was_played() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = page_of(&folder, &duel());
    let text = seen(&browser, &page, "game=1&ply=5");
    assert!(text.contains("data-game=\"1\"") && text.contains("data-ply=\"5\""));
    let board = inside(&text, "board");
    assert_eq!(values(board, "stone black", "data-at"), ["a15", "b15", "c15"]);
    assert_eq!(values(board, "stone white", "data-at"), ["a13", "c13"]);
    assert_eq!(values(board, "last", "data-at"), ["c15"]);
    assert!(values(board, "win", "data-stones").is_empty());
    assert_eq!(text_of(inside(&text, "ply")), "5 / 9");
    // In game 1 the second engine has Black; it has just moved with score 40, its opponent with 30.
    let players = text_of(inside(&text, "players"));
    assert!(players.contains("+40") && players.contains("+30"), "{players}");
    // White's scores are drawn beside Black's.
    assert_eq!(values(inside(&text, "scores"), "line", "data-points"), ["4", "4"]);

    let text = seen(&browser, &page, "game=0");
    let board = inside(&text, "board");
    assert_eq!(values(board, "win", "data-stones"), ["a15 b15 c15 d15 e15"]);
    assert_eq!(values(board, "stone", "data-at").len(), 9);
    assert_eq!(text_of(inside(&text, "game-end")).split('.').next(), Some("plain wins with five in a row"));
    assert!(text_of(inside(&text, "players")).contains("wins in 1"));
}

/// The arguments of a function must fit on the stack. It is small here, so that few games are enough to overflow it.
#[test]
fn a_page_has_room_for_many_games() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let names = ["plain", "other"];
    let mut game = game(0, (0, 1), &names);
    game["moves"].as_array_mut().unwrap().truncate(2);
    let games = (0..16_000).map(|id| {
        game["id"] = json!(id);
        game["pair"] = json!(id / 2);
        game.clone()
    });
    let page = page_of(&folder, &std::iter::once(header(&names, false)).chain(games).collect::<Vec<_>>());
    let text = seen_with(&browser, &page, "", &["--js-flags=--stack-size=100"]);
    let ends = text_of(inside(&text, "ends"));
    assert!(ends.contains("Games took 2 to 2 stones"), "{ends}");
}

#[test]
fn figures_and_curves_are_those_of_the_match() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    // As with swap2, an engine thought about two of the stones of the opening.
    let mut lines = duel();
    lines[5]["opening"] = json!(3);
    let text = seen(&browser, &page_of(&folder, &lines), "game=3");
    assert_eq!(text_of(inside(&text, "moves")).matches("opening").count(), 1);
    let duel = text_of(inside(&text, "duel"));
    // Three wins and a loss in two pairs of 1 and 2 points, as the match prints them.
    for figure in ["75.0 %", "3–0–1", "+190.8", "0–0–1–0–1", "undecided"] {
        assert!(duel.contains(figure), "{figure}: {duel}");
    }
    let cross = text_of(inside(&text, "cross"));
    assert!(cross.contains("3–0–1") && cross.contains("1–0–3"), "{cross}");
    assert!(text_of(inside(&text, "ends")).contains("loss on time"));
    assert_eq!(values(inside(&text, "chart-elo"), "line", "data-points"), ["4"]);
    // The curve of the test begins at 0 games.
    assert_eq!(values(inside(&text, "chart-llr"), "line", "data-points"), ["5"]);
    for chart in ["chart-elo", "chart-llr", "chart-time", "chart-depth", "chart-times"] {
        let names = values(inside(&text, chart), "name", "x").len();
        assert_eq!(names, 2, "{chart} has two axes with names");
    }
    let end = text_of(inside(&text, "game-end"));
    assert!(end.starts_with("plain wins: ") && end.contains("overstepped the time: 400 of 100 ms"), "{end}");
    assert_eq!(values(inside(&text, "list"), "game-row", "data-game"), ["0", "1", "2", "3"]);
}

#[test]
fn names_and_messages_stay_text() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let records = write_records(&folder, &duel());
    let out = folder.path().join("out.html");
    let arguments = [records.to_str().unwrap(), "-o", out.to_str().unwrap(), "--title", HOSTILE];
    assert!(report(&arguments).status.success());
    // A message of the third stone is shown.
    let text = seen(&browser, &out, "game=0&ply=3");
    assert!(!text.contains("data-owned") && !text.contains("<img"), "{text}");
    let written = "&lt;img src=x";
    for id in ["messages", "game-title", "notes", "cross", "facts", "players", "list", "chart-time"] {
        assert!(inside(&text, id).contains(written), "{id}: {}", inside(&text, id));
    }
    assert!(text.contains("<title>&lt;/script&gt;"));
}

/// What a person does, done by a script that is added to the page: keys, filters, clicks. It writes down
/// what follows from it.
const PERSON: &str = r##"<script>
const log = [];
const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const ply = () => document.documentElement.dataset.ply;
const choose = (name, value) => {
  const field = document.getElementById("filter-" + name);
  field.value = value;
  field.dispatchEvent(new Event(name === "opening" ? "input" : "change"));
  log.push(name + value + ":" + document.querySelectorAll(".game-row").length);
};
for (const name of ["Home", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight"]) { key(name); log.push(name + ply()); }
log.push(location.hash);
document.querySelector('[data-ply="4"] button').click();
log.push("move" + ply());
document.getElementById("numbers").click();
log.push("numbers" + document.querySelectorAll(".stone-number").length);
const box = document.getElementById("scores").getBoundingClientRect();
document.getElementById("scores").dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.right - 1, clientY: box.top + 5 }));
log.push("graph" + ply());
choose("engine", "1"); choose("result", "win"); choose("result", "loss"); choose("end", "time"); choose("end", ""); choose("color", "w");
choose("engine", ""); choose("result", ""); choose("color", ""); choose("end", "fault"); choose("end", ""); choose("opening", "A15"); choose("opening", "h8"); choose("opening", "");
key("n");
setTimeout(() => {
  log.push("next" + document.documentElement.dataset.game);
  const list = document.getElementById("list");
  list.scrollTop = list.scrollHeight;
  list.dispatchEvent(new Event("scroll"));
  log.push("rows" + document.querySelectorAll(".game-row").length);
  log.push("loaded" + performance.getEntriesByType("resource").length);
  document.body.dataset.log = log.join(" ");
}, 200);
</script></body>"##;

fn done_by_a_person(browser: &Path, page: &Path) -> String {
    let html = std::fs::read_to_string(page).unwrap();
    std::fs::write(page, html.replace("</body>", PERSON)).unwrap();
    let text = seen(browser, page, "game=0");
    text.split_once("data-log=\"").expect("the script ran").1.split('"').next().unwrap().to_owned()
}

#[test]
fn keys_clicks_and_filters_work() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let log = done_by_a_person(&browser, &page_of(&folder, &duel()));
    assert_eq!(
        log,
        "Home0 ArrowRight1 ArrowRight2 ArrowLeft1 End9 ArrowRight9 #game=0&amp;ply=9 move4 numbers0 graph9 \
         engine1:4 resultwin:1 resultloss:3 endtime:1 end:3 colorw:2 \
         engine:3 result:1 color:4 endfault:1 end:4 openingA15:4 openingh8:0 opening:4 next1 rows4 loaded0"
    );
}

#[test]
fn a_long_match_of_many_engines_stays_usable() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let names = ["a", "b", "c"];
    let mut lines = vec![header(&names, false)];
    // 60 stones each: the game repeats itself on other rows until the last stone wins.
    for id in 0..2000 {
        let mut game = game(id, [(0, 1), (0, 2), (1, 2)][id / 2 % 3], &names);
        let moves = game["moves"].as_array_mut().unwrap();
        let quiet = |n: usize| {
            let mut quiet = moves[1].clone();
            quiet["at"] = json!(format!("{}{}", char::from(b'a' + (n % 13) as u8), 5 + 2 * (n / 13)));
            quiet
        };
        let quiet: Vec<Value> = (0..52).map(quiet).collect();
        moves.splice(1..1, quiet);
        lines.push(game);
    }
    let page = page_of(&folder, &lines);
    let size = std::fs::metadata(&page).unwrap().len();
    assert!(size < 6_000_000, "{size} bytes");
    let log = done_by_a_person(&browser, &page);
    assert!(log.contains("Home0 ArrowRight1") && log.contains("End61") && log.contains("move4"), "{log}");
    // Rows are added as the list is scrolled.
    assert!(log.contains("opening:100 ") && log.contains("rows200 ") && log.ends_with("loaded0"), "{log}");
    // Without the added script.
    let text = seen(&browser, &page_of(&folder, &lines), "game=1999&ply=1");
    assert_eq!(values(inside(&text, "board"), "stone", "data-at"), ["a15"]);
    assert_eq!(values(inside(&text, "chart-elo"), "line", "data-points").len(), 3);
}

#[test]
fn what_cannot_be_shown_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let complaint = |arguments: &[&str]| {
        let output = report(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let error = complaint(&[&path("missing.jsonl")]);
    assert!(error.contains("missing.jsonl") && error.to_lowercase().contains("no such file"), "{error}");
    std::fs::write(path("empty.jsonl"), "").unwrap();
    assert!(complaint(&[&path("empty.jsonl")]).contains("no finished game"));
    std::fs::write(path("other.txt"), "hello\nworld\n").unwrap();
    assert!(complaint(&[&path("other.txt")]).contains("no record of `kagetsu match`"));
    // Bytes without the end of a line are no match that has just begun.
    std::fs::write(path("other.lib"), b"\xFFRenLib\xFF\x03\x00\xFF\xFF\x78\x00").unwrap();
    assert!(complaint(&[&path("other.lib")]).contains("no record of `kagetsu match`"));
    let records = write_records(&folder, &duel());
    let records = records.to_str().unwrap();
    assert!(complaint(&[records, "-o", records]).contains("choose another file"));
    // A folder stands for the records in it; several files are put together, and no game counts twice.
    let merged = path("merged.html");
    let output = report(&[&folder.path().display().to_string(), records, "-o", &merged]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("4 games in more than one of the files"));
    let html = std::fs::read_to_string(merged).unwrap();
    assert!(html.ends_with("</html>\n") && html.contains("\"wdl\":[3,0,1]"), "{html}");
}

#[test]
fn a_page_can_go_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let records = write_records(&folder, &duel());
    let output = Command::new(KAGETSU)
        .args(["report", "games.jsonl", "-o", "-"])
        .current_dir(&folder)
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(output.status.success());
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.starts_with("<!") && page.ends_with("</html>\n"));
    // Neither a file called `-` nor one that was begun.
    assert_eq!(folder.path().read_dir().unwrap().count(), 1, "{}", records.display());
}

/// As `head -1` does.
#[test]
fn a_reader_who_leaves_ends_it_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let records = write_records(&folder, &duel()).display().to_string();
    let mut lines: Vec<String> =
        ["--help", "demo", "openings --nodes 20 --count 3", "bench --depth 3"].map(String::from).to_vec();
    lines.push("match -e nodes=20 -e nodes=30 --size 9 --games 100000".to_owned());
    lines.extend(["-o -", "--title x"].map(|more| format!("report {records} {more}")));
    lines.extend(["csv", "binpack"].map(|format| format!("samples {records} --format {format}")));
    for line in lines {
        let mut child = Command::new(KAGETSU)
            .args(line.split_whitespace())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !error.contains("pipe"), "{line}: {error}");
    }
}

/// Whoever reads them.
#[test]
fn records_of_another_version_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = duel();
    lines[0]["version"] = json!(2);
    // Nor is more asked of them than that.
    let mut strange = lines.clone();
    strange[0].as_object_mut().unwrap().remove("engines");
    for lines in [lines, strange] {
        let records = write_records(&folder, &lines);
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        let folder = folder.path().display().to_string();
        let match_ = [words("match -e nodes=1 -e nodes=1 --out"), vec![folder]].concat();
        for arguments in [words("report"), words("samples")]
            .map(|mut words| {
                words.push(records.display().to_string());
                words
            })
            .into_iter()
            .chain([match_])
        {
            let output = Command::new(KAGETSU).args(&arguments).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                !output.status.success() && error.contains("records of version 2"),
                "{arguments:?}: {error}"
            );
        }
    }
}

#[test]
fn a_match_writes_its_report() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("match.html");
    let arguments = "-e nodes=30 -e nodes=20 --size 9 --games 2 --quiet --report";
    let run = |more: &[&str]| {
        let words = arguments.split_whitespace();
        Command::new(KAGETSU).arg("match").args(words).args(more).output().unwrap()
    };
    assert!(run(&[page.to_str().unwrap()]).status.success());
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("<title>kagetsu – kagetsu-2</title>") && html.contains("\"id\":1,"));
    let output = run(&[page.to_str().unwrap(), "--json"]);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["games"], &result["engines"]), (&json!(2), &json!(["kagetsu", "kagetsu-2"])));
    let encounter = &result["encounters"][0];
    let games = ["wins", "draws", "losses"].map(|result| encounter[result].as_u64().unwrap());
    assert_eq!(games.iter().sum::<u64>(), 2, "{result}");
    // Beside its record, whose folder is made by the match.
    let record = folder.path().join("record");
    let beside = record.join("report.html");
    assert!(run(&[beside.to_str().unwrap(), "--out", record.to_str().unwrap()]).status.success());
    assert!(beside.is_file());
    // A folder in it is refused before anything is played.
    let inside = record.join("psq");
    std::fs::create_dir_all(&inside).unwrap();
    let refused = run(&[inside.to_str().unwrap(), "--out", record.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--report"), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("it is a folder"), "{refused:?}");
    let nowhere = run(&[folder.path().join("no/such.html").to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("no such folder"));
}
