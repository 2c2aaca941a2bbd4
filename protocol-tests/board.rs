//! The page of `kagetsu board`: its texts in every language, its parts by themselves, and all of it in a real browser.
//!
//! What clicks and types is Playwright, which Node runs: `npm install` in `protocol-tests/board` fetches it. Where
//! Node, these packages or a browser are missing, the tests that need them are skipped as `harness/browser.rs` says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

#[path = "harness/browser.rs"]
mod browser;
use browser::{browser, on_path, skip};

/// What needs no browser.
const PARTS: [&str; 6] = [
    "game.test.mjs",
    "hindsight.test.mjs",
    "match.test.mjs",
    "waits.test.mjs",
    "store.test.mjs",
    "archive.test.mjs",
];
/// What people do with the page, by subject.
const IN_BROWSER: [&str; 9] = [
    "play.test.mjs",
    "analysis.test.mjs",
    "files.test.mjs",
    "former.test.mjs",
    "manners.test.mjs",
    "patience.test.mjs",
    "puzzles.test.mjs",
    "senses.test.mjs",
    "words.test.mjs",
];
const LANGUAGES: [&str; 5] = ["en", "zh", "ja", "ru", "cs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page_folder() -> PathBuf {
    root().join("src/gui/page")
}

/// A language: each key with its text.
fn texts(language: &str) -> BTreeMap<String, String> {
    let path = page_folder().join(format!("lang/{language}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names in braces of a text.
fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

#[test]
fn every_language_has_every_text() {
    let english = texts("en");
    for language in LANGUAGES {
        let other = texts(language);
        let keys = |texts: &BTreeMap<String, String>| texts.keys().cloned().collect::<BTreeSet<String>>();
        let missing: Vec<String> = keys(&english).difference(&keys(&other)).cloned().collect();
        let strange: Vec<String> = keys(&other).difference(&keys(&english)).cloned().collect();
        assert!(missing.is_empty() && strange.is_empty(), "{language} lacks {missing:?}, has {strange:?}");
        for (key, text) in &other {
            assert!(!text.trim().is_empty(), "{language}: {key} is empty");
            assert_eq!(placeholders(text), placeholders(&english[key]), "{language}: {key}");
        }
    }
}

/// The scripts and the frame of the page.
fn sources() -> Vec<(PathBuf, String)> {
    let is_source =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "js" || extension == "html");
    let files = fs::read_dir(page_folder()).expect("the page is there");
    let paths = files.map(|entry| entry.expect("its files can be read").path()).filter(is_source);
    paths.map(|path| (path.clone(), fs::read_to_string(path).expect("sources are text"))).collect()
}

/// The text between this word and the next quote, wherever the word stands.
fn quoted_after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(word).skip(1).filter_map(|rest| rest.split('"').next())
}

/// What follows `t(` where it is a function by itself, and not the end of `element(`.
fn calls_of_t(source: &str) -> impl Iterator<Item = &str> {
    let is_own =
        |at: usize| !source[..at].ends_with(|before: char| before.is_alphanumeric() || "_.".contains(before));
    source.match_indices("t(").filter(move |&(at, _)| is_own(at)).map(|(at, call)| &source[at + call.len()..])
}

#[test]
fn every_text_that_is_asked_for_is_there() {
    let english = texts("en");
    let (mut fixed, mut chosen) = (0, 0);
    for (path, source) in sources() {
        // `t("key"`, or `t("first-part-" + ...`; in the frame `data-t="key"` and its like.
        let asked = ["t(\"", "data-t=\"", "data-t-label=\"", "data-t-title=\""]
            .into_iter()
            .flat_map(|word| quoted_after(&source, word));
        for key in asked.filter(|key| key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))) {
            let is_known =
                english.contains_key(key) || key.ends_with('-') && english.keys().any(|k| k.starts_with(key));
            // Other functions end in t as well: `element(`, `getElement(`.
            let is_text = calls_of_t(&source).any(|call| call.starts_with(&format!("\"{key}\"")));
            let is_text = is_text || source.contains("<html");
            assert!(is_known || !is_text, "{}: nobody has written {key:?}", path.display());
            fixed += usize::from(is_text);
        }
        // `t(condition ? "key" : "other")`.
        for keys in calls_of_t(&source).filter_map(|call| call.split([',', ')']).next()?.split_once(" ? ")) {
            for key in keys.1.split('"').skip(1).step_by(2) {
                assert!(english.contains_key(key), "{}: nobody has written {key:?}", path.display());
                chosen += 1;
            }
        }
    }
    assert!(fixed > 200 && chosen > 20, "only {fixed} and {chosen} texts are seen to be asked for");
}

/// The codes of refusals as the page hears them, from the names of the cases: `GameOver` is `game-over`.
fn codes() -> Vec<String> {
    let source = fs::read_to_string(root().join("src/gui/messages.rs")).expect("the source is there");
    let cases =
        source.split_once("enum Code {").and_then(|(_, rest)| rest.split_once('}')).expect("it has cases").0;
    let names = cases.lines().map(str::trim).filter(|line| line.starts_with(char::is_uppercase));
    let kebab = |name: &str| {
        let parts = name.trim_end_matches(',').char_indices().flat_map(|(at, letter)| {
            let dash = (at > 0 && letter.is_uppercase()).then_some('-');
            dash.into_iter().chain(letter.to_lowercase())
        });
        parts.collect::<String>()
    };
    names.map(kebab).collect()
}

#[test]
fn every_refusal_is_told_in_every_language() {
    let (english, codes) = (texts("en"), codes());
    assert!(codes.len() >= 10, "{codes:?}");
    for code in codes {
        assert!(english.contains_key(&format!("error-{code}")), "nobody has written \"error-{code}\"");
    }
}

#[test]
fn every_reason_that_people_meet_is_told_in_every_language() {
    let english = texts("en");
    let mut seen = 0;
    for (file, word, kind) in [
        ("files/reading.rs", "of(\"", "unreadable-"),
        ("files/reading.rs", "reason: Some(\"", "unreadable-"),
        ("files/writing.rs", "reason: Some(\"", "unwritable-"),
        ("position.rs", "=> (\"", "refused-"),
        ("position.rs", "None => Some((\"", "refused-"),
        ("position.rs", "reason: Some(\"", "refused-"),
    ] {
        let source = fs::read_to_string(root().join("src/gui").join(file)).expect("the source is there");
        for reason in quoted_after(&source, word) {
            // The bounds of boards stand in a text about links.
            let is_told = reason == "size" || english.contains_key(&format!("{kind}{reason}"));
            assert!(is_told, "{file}: nobody has written \"{kind}{reason}\"");
            seen += 1;
        }
    }
    assert!(seen >= 27, "only {seen} reasons are seen");
}

#[test]
fn every_test_in_the_browser_is_run() {
    let files = fs::read_dir(root().join("protocol-tests/board")).expect("the tests are there");
    let names =
        files.map(|file| file.expect("they can be listed").file_name().to_string_lossy().into_owned());
    let tests: BTreeSet<String> = names.filter(|name| name.ends_with(".test.mjs")).collect();
    let run = IN_BROWSER.iter().chain(&PARTS).chain(&["web.test.mjs"]).map(|&name| name.to_owned());
    assert_eq!(tests, run.collect::<BTreeSet<String>>());
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let mut all = sources();
    for folder in ["src/page", "src/gui/page"] {
        let files = fs::read_dir(root().join(folder)).expect("it is there");
        let paths = files.map(|file| file.expect("it can be listed").path());
        let is_style = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "css");
        all.extend(paths.filter(|path| folder == "src/page" || is_style(path)).map(|path| {
            let source = fs::read_to_string(&path).expect("parts of pages are text");
            (path, source)
        }));
    }
    assert!(all.iter().any(|(path, _)| path.ends_with("board.css")));
    for (path, source) in all {
        for word in
            ["url(", "http:", "https:", "//cdn", "@import", "eval(", "innerHTML = t", "style=\"", "onclick"]
        {
            // The socket's address is made from the page's own, whose scheme is asked for.
            let said = source.replace("\"https:\"", "").replace("url(#", "");
            assert!(!said.contains(word), "{} has {word:?}", path.display());
        }
    }
}

/// Runs files of tests, two at a time: pages wait for engines and engines for pages.
fn run_node(node: &Path, files: &[&str], browser: Option<&Path>) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = root().join("protocol-tests/board");
    let mut command = Command::new(node);
    command.args(["--test", "--test-concurrency=2", "--test-reporter=spec"]).args(files).current_dir(folder);
    command.env("KAGETSU_PROGRAM", env!("CARGO_BIN_EXE_kagetsu"));
    if let Some(browser) = browser {
        command.env("KAGETSU_BROWSER", browser);
    }
    let output = command.output().expect("Node starts");
    let told = String::from_utf8_lossy(&output.stdout);
    println!("{told}");
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_parts_of_the_page_work_by_themselves() {
    if let Some(node) = node() {
        run_node(&node, &PARTS, None);
    }
}

/// Node, where it is there; otherwise the test is skipped.
fn node() -> Option<PathBuf> {
    let node = on_path(&["node", "node.exe"]);
    if node.is_none() {
        skip("there is no Node");
    }
    node
}

/// Node and a browser, where both are there and Playwright is installed; otherwise the test is skipped.
fn node_and_browser() -> Option<(PathBuf, PathBuf)> {
    let node = node()?;
    if !root().join("protocol-tests/board/node_modules/playwright-core").is_dir() {
        skip("Playwright is not there (npm install in protocol-tests/board)");
        return None;
    }
    Some((node, browser()?))
}

#[test]
fn people_play_and_analyse_in_the_browser() {
    if let Some((node, browser)) = node_and_browser() {
        run_node(&node, &IN_BROWSER, Some(&browser));
    }
}

#[test]
fn the_board_needs_no_server() {
    // KAGETSU_STATIC_BOARD names another folder, for this and for what Node runs.
    let folder =
        std::env::var_os("KAGETSU_STATIC_BOARD").map_or_else(|| root().join("web/dist"), PathBuf::from);
    if !folder.join("kagetsu.wasm").is_file() {
        return skip("the static board was not built (web/build.sh)");
    }
    if let Some((node, browser)) = node_and_browser() {
        run_node(&node, &["web.test.mjs"], Some(&browser));
    }
}
