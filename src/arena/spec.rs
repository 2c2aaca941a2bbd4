//! Which engine plays, and under which limits: `cmd=./old name=old turn=0.1 nodes=20000`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::duration::parse_milliseconds;
use crate::engine::DEFAULT_MEMORY;
use crate::formats::text::{is_invisible, printable};
use crate::levels::{Level, Style, Variety};
use crate::search::TimeControl;

/// Default memory of a built-in player in bytes; several may play at the same time.
pub const DEFAULT_INTERNAL_MEMORY: u64 = 96 << 20;
/// The longest name, in characters.
const MAX_NAME: usize = 40;
/// Default time beyond the limit that is forgiven, in ms, because a busy machine is not the engine's fault.
pub const DEFAULT_MARGIN_MS: u64 = 200;
/// Default time that an engine without a time limit may take for a move, in ms.
pub const DEFAULT_HANG_MS: u64 = 60_000;

/// An engine and its limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in the records; unique within a match.
    pub name: String,
    /// Program and arguments; `None` for the built-in engine.
    pub command: Option<Vec<String>>,
    /// The folder in which the program runs; by default its own, or the current one if the program is found in the
    /// `PATH`.
    pub folder: Option<PathBuf>,
    /// Limit for a move in ms.
    pub turn_ms: Option<u64>,
    /// Limit for a game in ms.
    pub match_ms: Option<u64>,
    /// Increment after each move in ms.
    pub increment_ms: u64,
    /// Node limit for a move.
    pub nodes: Option<u64>,
    /// Depth limit for a move, in plies.
    pub depth: Option<u32>,
    /// Search threads.
    pub threads: usize,
    /// Memory limit for the process in bytes, which is sent and, on Linux, enforced. Without it the limit of
    /// tournaments is sent, but not enforced.
    pub memory: Option<u64>,
    /// Time beyond the limit that is forgiven, in ms.
    pub margin_ms: u64,
    /// How long a move without a time limit may take, in ms.
    pub hang_ms: u64,
    /// Send the whole position for each move (`BOARD`).
    pub send_board: bool,
    /// Further settings, sent as `INFO key value`.
    pub info: Vec<(String, String)>,
    /// Lines sent as they are before each game.
    pub raw: Vec<String>,
    /// The level of the built-in engine; full strength if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<usize>,
    /// How much of the expected score a move of the built-in engine may give away for variety, in percent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub variety: u8,
    /// The file in which the built-in engine remembers lost games.
    #[serde(default, alias = "memory_file", skip_serializing_if = "Option::is_none")]
    pub experience_file: Option<PathBuf>,
    /// The seed of the built-in engine's random choices; `None` if they differ from game to game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

impl EngineSpec {
    /// Reads `key=value` pairs, those of `each` first. Quotes of either kind keep blanks together. There are no
    /// escapes, so that Windows paths can be written as they are.
    ///
    /// In `each`, what only programs understand does not apply to the built-in engine; in its own text it is a mistake.
    ///
    /// # Errors
    /// An unknown key, a value that does not fit, a name that cannot be printed, or an option for programs without one.
    pub fn parse(text: &str, each: &[String]) -> anyhow::Result<EngineSpec> {
        let mut spec = EngineSpec {
            threads: 1,
            margin_ms: DEFAULT_MARGIN_MS,
            hang_ms: DEFAULT_HANG_MS,
            ..EngineSpec::default()
        };
        let mut arguments = Vec::new();
        for text in each.iter().map(String::as_str).chain([text]) {
            for word in split_words(text)? {
                let (key, value) = word
                    .split_once('=')
                    .with_context(|| format!("`{word}` is not KEY=VALUE (in `{text}`)"))?;
                match key {
                    "arg" => arguments.push(value.to_owned()),
                    _ => spec.set(key, value).with_context(|| format!("engine option `{word}`"))?,
                }
            }
        }
        match &mut spec.command {
            Some(command) => {
                let is_plain = spec.level.is_none()
                    && spec.variety == 0
                    && spec.seed.is_none()
                    && spec.experience_file.is_none();
                ensure!(
                    is_plain,
                    "level=, variety=, seed= and experiencefile= are for the built-in engine; others are told by arg= or info. (in `{text}`)"
                );
                command.extend(arguments);
            }
            None => {
                ensure!(arguments.is_empty(), "arg= is for programs: give cmd= as well (in `{text}`)");
                if let Some(word) = EngineSpec::option_for_programs(text) {
                    bail!("`{word}` is for programs: give cmd= as well (in `{text}`)");
                }
            }
        }
        if spec.name.is_empty() {
            spec.name = match &spec.command {
                None => "kagetsu".to_owned(),
                Some(command) => {
                    let file = Path::new(&command[0]).file_stem().unwrap_or_default();
                    shown_name(&file.to_string_lossy()).unwrap_or_else(|| "engine".to_owned())
                }
            };
        }
        Ok(spec)
    }

    /// Whether the options give the engine a name.
    #[must_use]
    pub fn is_named(text: &str) -> bool {
        split_words(text).is_ok_and(|words| words.iter().any(|word| word.starts_with("name=")))
    }

    /// The first of the options that only programs take, and that mean nothing to the built-in engine.
    #[must_use]
    pub fn option_for_programs(text: &str) -> Option<String> {
        let is_for_programs = |key: &str| {
            matches!(key, "dir" | "folder" | "sendboard" | "raw")
                || key.starts_with("info.")
                || key.starts_with("option.")
        };
        let mut words = split_words(text).ok()?.into_iter();
        words.find(|word| word.split_once('=').is_some_and(|(key, _)| is_for_programs(key)))
    }

    /// Program and arguments as a person would write them, those with blanks in quotes; `None` for the built-in engine.
    #[must_use]
    pub fn command_text(&self) -> Option<String> {
        let quoted = |word: &String| match word.contains(char::is_whitespace) || word.is_empty() {
            true => format!("\"{word}\""),
            false => word.clone(),
        };
        let words: Vec<String> = self.command.as_ref()?.iter().map(quoted).collect();
        Some(printable(&words.join(" ")).into_owned())
    }

    fn set(&mut self, key: &str, value: &str) -> anyhow::Result<()> {
        match key {
            "name" => {
                let is_plain = shown_name(value).is_some_and(|name| name == value);
                ensure!(is_plain, "a name has 1 to {MAX_NAME} characters, all of which can be printed");
                value.clone_into(&mut self.name);
            }
            "cmd" | "command" if value == "internal" => self.command = None,
            "cmd" | "command" => {
                // A path may contain blanks: if the whole value is a file, it is the program.
                let is_file = Path::new(value).is_file();
                let words = if is_file { vec![value.to_owned()] } else { split_words(value)? };
                ensure!(!words.is_empty(), "the command is empty");
                self.command = Some(words);
            }
            "dir" | "folder" => self.folder = Some(PathBuf::from(value)),
            "turn" => self.turn_ms = Some(parse_milliseconds(value)?),
            "match" => self.match_ms = some_unless_zero(parse_milliseconds(value)?),
            "inc" | "increment" => self.increment_ms = parse_milliseconds(value)?,
            "tc" => self.set_time_control(value)?,
            "nodes" => self.nodes = some_unless_zero(value.parse()?),
            "depth" => self.depth = some_unless_zero(value.parse()?),
            "threads" | "thread" => self.threads = value.parse()?,
            "memory" | "maxmemory" => self.memory = some_unless_zero(bytes(value)?),
            "margin" => self.margin_ms = parse_milliseconds(value)?,
            "hang" => self.hang_ms = parse_milliseconds(value)?,
            "sendboard" => self.send_board = value.parse()?,
            "raw" => self.raw.push(value.to_owned()),
            "level" => self.level = Some(value.parse::<Level>()?.number()),
            "variety" => {
                self.variety = value.parse()?;
                ensure!(
                    self.variety <= Variety::MOST,
                    "variety is a number of percent up to {}",
                    Variety::MOST
                );
            }
            "seed" => self.seed = Some(value.parse()?),
            "experiencefile" | "memoryfile" => self.experience_file = Some(PathBuf::from(value)),
            _ => match key.strip_prefix("info.").or_else(|| key.strip_prefix("option.")) {
                Some(info) => self.info.push((info.to_owned(), value.to_owned())),
                None => bail!(
                    "unknown key `{key}`; the keys are cmd, arg, name, dir, turn, match, inc, tc, nodes, depth, \
                     threads, memory, margin, hang, sendboard, level, variety, seed, experiencefile, info.KEY and raw"
                ),
            },
        }
        Ok(())
    }

    /// Checks that a key of an engine specification can have this value.
    ///
    /// # Errors
    /// If it cannot; the error says why.
    pub fn check(key: &str, value: &str) -> anyhow::Result<()> {
        EngineSpec::default().set(key, value)
    }

    /// `match/turn+increment` in seconds, as c-gomoku-cli writes it; a match time of 0 means no limit.
    fn set_time_control(&mut self, text: &str) -> anyhow::Result<()> {
        let (times, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (game, turn) = times.split_once('/').unwrap_or((times, times));
        self.match_ms = some_unless_zero(parse_milliseconds(game)?);
        self.turn_ms = some_unless_zero(parse_milliseconds(turn)?);
        self.increment_ms = parse_milliseconds(increment)?;
        Ok(())
    }

    /// Whether any limit ends a search.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        let by_level = self.style().level < Level::FULL;
        by_level
            || self.turn_ms.is_some()
            || self.match_ms.is_some()
            || self.nodes.is_some()
            || self.depth.is_some()
    }

    /// How the built-in engine plays.
    #[must_use]
    pub fn style(&self) -> Style {
        let level = self.level.and_then(Level::from_number).unwrap_or(Level::FULL);
        Style {
            level,
            variety: Variety::percent(self.variety),
            seed: self.seed.unwrap_or_default(),
            repeats: self.seed.is_some(),
        }
    }

    /// The time control at the beginning of a game.
    #[must_use]
    pub fn time_control(&self) -> TimeControl {
        TimeControl {
            turn: self.turn_ms.map(Duration::from_millis),
            left: self.match_ms.map(Duration::from_millis),
            increment: Duration::from_millis(self.increment_ms),
        }
    }

    /// Time beyond the limit that is forgiven.
    #[must_use]
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin_ms)
    }

    /// The memory limit in bytes that is sent to the process.
    #[must_use]
    pub fn memory_sent(&self) -> u64 {
        self.memory.unwrap_or(DEFAULT_MEMORY)
    }
}

/// Numbers engines of the same name: `kagetsu`, `kagetsu-2` ... `named` tells which engines the user named; these keep
/// their names.
///
/// # Errors
/// The user gave two engines the same name.
pub fn make_names_unique(engines: &mut [EngineSpec], named: &[bool]) -> anyhow::Result<()> {
    let mut taken = BTreeSet::new();
    for (engine, _) in engines.iter().zip(named).filter(|&(_, &named)| named) {
        let is_new = taken.insert(engine.name.clone());
        ensure!(is_new, "two engines are called `{}`: give them different names", engine.name);
    }
    for (engine, _) in engines.iter_mut().zip(named).filter(|&(_, &named)| !named) {
        let base = engine.name.clone();
        let mut number = 2;
        while !taken.insert(engine.name.clone()) {
            engine.name = format!("{base}-{number}");
            number += 1;
        }
    }
    Ok(())
}

fn some_unless_zero<N: Default + PartialEq>(number: N) -> Option<N> {
    (number != N::default()).then_some(number)
}

/// A size in bytes, or with a unit: `350M`, `2G`.
fn bytes(text: &str) -> anyhow::Result<u64> {
    let digits = text.trim_end_matches(['B', 'b']).trim_end_matches(['i', 'I']);
    let (number, shift) = match digits.chars().last().map(|c| c.to_ascii_uppercase()) {
        Some('K') => (&digits[..digits.len() - 1], 10),
        Some('M') => (&digits[..digits.len() - 1], 20),
        Some('G') => (&digits[..digits.len() - 1], 30),
        _ => (digits, 0),
    };
    let number: u64 = number.parse().with_context(|| format!("`{text}` is not a size"))?;
    number.checked_mul(1 << shift).with_context(|| format!("`{text}` is too much"))
}

/// The name without unprintable characters and cut to the longest length; `None` if nothing is left.
#[must_use]
pub(super) fn shown_name(name: &str) -> Option<String> {
    let shown: String = name.trim().chars().filter(|&c| !is_invisible(c)).take(MAX_NAME).collect();
    (!shown.is_empty()).then_some(shown)
}

/// Splits a text into words at blanks; quotes of either kind keep blanks inside a word. Libraries that split like a
/// shell remove the backslashes from Windows paths, so there are no escapes here.
fn split_words(text: &str) -> anyhow::Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    ensure!(quote.is_none(), "a quote is not closed in `{text}`");
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let each = ["turn=1 threads=2".to_owned(), "info.caution_factor=3".to_owned()];
        let text = r#"cmd="./my engine/pbrain --x 1" turn=0.1 match=90s inc=50ms nodes=5000 memory=350M"#;
        let spec = EngineSpec::parse(text, &each).unwrap();
        assert_eq!(
            spec.command.as_deref(),
            Some(&["./my", "engine/pbrain", "--x", "1"].map(String::from)[..])
        );
        assert_eq!((spec.turn_ms, spec.match_ms, spec.increment_ms), (Some(100), Some(90_000), 50));
        assert_eq!((spec.nodes, spec.threads, spec.memory), (Some(5000), 2, Some(350 << 20)));
        assert_eq!(spec.info, [("caution_factor".to_owned(), "3".to_owned())]);
        assert_eq!(spec.name, "my");
    }

    #[test]
    fn the_built_in_engine_has_a_style() {
        let spec = EngineSpec::parse("level=3 variety=5 seed=7 experiencefile=losses.txt", &[]).unwrap();
        assert_eq!((spec.style().level.number(), spec.style().seed), (3, 7));
        assert_eq!(spec.style().variety, Variety::percent(5));
        assert_eq!(spec.experience_file.as_deref(), Some(Path::new("losses.txt")));
        // A level limits its search by itself, and full strength does not.
        assert!(spec.is_limited() && !EngineSpec::parse("level=full", &[]).unwrap().is_limited());
        for text in ["level=0", "level=strong", "variety=51", "cmd=./x level=3", "cmd=./x experiencefile=a"] {
            assert!(EngineSpec::parse(text, &[]).is_err(), "{text}");
        }
    }

    #[test]
    fn former_names_are_read() {
        let spec = EngineSpec::parse("experiencefile=losses.txt", &[]).unwrap();
        assert_eq!(EngineSpec::parse("memoryfile=losses.txt", &[]).unwrap(), spec);
        let record = serde_json::to_string(&spec).unwrap().replace("experience_file", "memory_file");
        assert_eq!(serde_json::from_str::<EngineSpec>(&record).unwrap(), spec);
    }

    /// Seed 0 is a seed like any other, also in records, where engines without a seed have no such field.
    #[test]
    fn every_seed_repeats_games() {
        for (options, seed) in [("", None), ("seed=0", Some(0)), ("seed=7", Some(7))] {
            let spec = EngineSpec::parse(options, &[]).unwrap();
            let record = serde_json::to_value(&spec).unwrap();
            assert_eq!(record.get("seed").and_then(serde_json::Value::as_u64), seed);
            assert_eq!(record.get("seed").is_some(), seed.is_some(), "{record}");
            assert_eq!(serde_json::from_value::<EngineSpec>(record).unwrap(), spec);
            assert_eq!((spec.style().seed, spec.style().repeats), (seed.unwrap_or(0), seed.is_some()));
        }
        assert!(EngineSpec::parse("cmd=./x seed=0", &[]).is_err());
    }

    #[test]
    fn blanks_in_a_path() {
        let folder = std::env::temp_dir().join(format!("kagetsu spec {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join("my engine.exe");
        std::fs::write(&program, "").unwrap();
        let path = program.to_str().unwrap();
        let command = |text: &str| EngineSpec::parse(text, &[]).unwrap().command.unwrap();
        // An existing file needs only the quotes that any value with blanks needs.
        assert_eq!(command(&format!("cmd=\"{path}\"")), [path]);
        assert_eq!(command(&format!("cmd='{path}' arg=-x arg='a b'")), [path, "-x", "a b"]);
        // Anything else is split into words, in which quotes of the other kind keep blanks together.
        assert_eq!(command(&format!("cmd=\"'{path}' -x\"")), [path, "-x"]);
        assert_eq!(command(r"cmd=C:\games\pbrain.exe arg=--fast"), [r"C:\games\pbrain.exe", "--fast"]);
        let spec = EngineSpec::parse(&format!("cmd='{path}' arg=-x"), &[]).unwrap();
        assert_eq!(spec.name, "my engine");
        assert_eq!(spec.command_text(), Some(format!("\"{path}\" -x")));
        assert!(EngineSpec::parse("arg=-x nodes=1", &[]).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn names_can_be_printed() {
        let name = |text: &str| EngineSpec::parse(text, &[]).map(|spec| spec.name);
        assert_eq!(name("name='A \"B\"'").unwrap(), "A \"B\"");
        for text in ["name=a\u{1b}[2J", "name='a\nb'", "name='\u{202e}x'", "name=", "name='  '"] {
            assert!(name(text).is_err(), "{text:?}");
        }
        assert!(name(&format!("name={}", "x".repeat(MAX_NAME + 1))).is_err());
        // A file may have any name; its engine may not.
        assert_eq!(name("cmd=./a\u{1b}b.exe").unwrap(), "ab");
        assert!(EngineSpec::is_named("nodes=1 name=x") && !EngineSpec::is_named("cmd='x name=y'"));
    }

    #[test]
    fn time_controls_are_read_as_c_gomoku_cli_writes_them() {
        let times = |text: &str| {
            let spec = EngineSpec::parse(&format!("tc={text}"), &[]).unwrap();
            (spec.match_ms, spec.turn_ms, spec.increment_ms)
        };
        assert_eq!(times("180/30"), (Some(180_000), Some(30_000), 0));
        assert_eq!(times("0/0.1"), (None, Some(100), 0));
        assert_eq!(times("60+0.5"), (Some(60_000), Some(60_000), 500));
    }

    #[test]
    fn mistakes_are_told() {
        for text in ["turn", "turn=x", "turn=-1", "bogus=1", "memory=4T", "cmd=\"a", "nodes=1.5", "turn=1h"] {
            assert!(EngineSpec::parse(text, &[]).is_err(), "{text}");
        }
    }

    #[test]
    fn names_become_unique() {
        let names = |texts: [&str; 3]| {
            let mut engines = texts.map(|text| EngineSpec::parse(text, &[]).unwrap());
            make_names_unique(&mut engines, &texts.map(EngineSpec::is_named))?;
            anyhow::Ok(engines.map(|engine| engine.name))
        };
        assert_eq!(names(["nodes=1"; 3]).unwrap(), ["kagetsu", "kagetsu-2", "kagetsu-3"]);
        // A name that the user gave stays with the engine that was given it.
        let given = ["nodes=1", "nodes=2", "name=kagetsu-2 nodes=3"];
        assert_eq!(names(given).unwrap(), ["kagetsu", "kagetsu-3", "kagetsu-2"]);
        let given = ["nodes=1", "name=kagetsu", "nodes=3"];
        assert_eq!(names(given).unwrap(), ["kagetsu-2", "kagetsu", "kagetsu-3"]);
        let error = names(["name=a", "nodes=2", "name=a"]).unwrap_err().to_string();
        assert!(error.contains("two engines are called `a`"), "{error}");
    }

    #[test]
    fn what_only_programs_understand_is_for_programs() {
        for word in ["info.hash=1", "option.x=1", "raw=INFO", "dir=.", "sendboard=true", "arg=-x"] {
            let error = EngineSpec::parse(&format!("nodes=1 {word}"), &[]).unwrap_err().to_string();
            assert!(error.contains("is for programs"), "{word}: {error}");
            assert!(EngineSpec::parse(&format!("cmd=./x {word}"), &[]).is_ok(), "{word}");
        }
        // For all engines of a match it may be given, because others can use it.
        let each = ["info.hash=1 sendboard=true".to_owned()];
        assert!(EngineSpec::parse("nodes=1", &each).is_ok());
        assert_eq!(EngineSpec::option_for_programs(&each[0]).as_deref(), Some("info.hash=1"));
        assert_eq!(EngineSpec::option_for_programs("name='info. a' nodes=1"), None);
    }
}
