//! Which engine plays, and under which limits: `cmd=./old name=old turn=0.1 nodes=20000`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::engine::{DEFAULT_MEMORY, MAX_THREADS};
use crate::formats::duration::{ParseDurationError, parse_duration};
use crate::formats::text::{is_invisible, printable};
use crate::levels::{Level, Style, Variety};
use crate::search::TimeControl;

/// Default memory of a built-in player in bytes; several may play at the same time.
pub const DEFAULT_INTERNAL_MEMORY: u64 = 96 << 20;
/// The least memory that an engine may be given, in bytes.
const LEAST_MEMORY: u64 = 1 << 20;
/// The least memory of the built-in engine in bytes, as in `kagetsu play`.
const LEAST_INTERNAL_MEMORY: u64 = 32 << 20;
/// The most memory of an engine in bytes.
const MOST_MEMORY: u64 = 1 << 40;
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
                    "level=, variety=, seed= and experiencefile= are for the built-in engine; others are told by arg= or info. ({})",
                    place_of(&["level", "variety", "seed", "experiencefile", "memoryfile"], text, each)
                );
                command.extend(arguments);
            }
            None => {
                ensure!(
                    arguments.is_empty(),
                    "arg= is for programs: give cmd= as well ({})",
                    place_of(&["arg"], text, each)
                );
                ensure!(
                    spec.memory.is_none_or(|bytes| bytes >= LEAST_INTERNAL_MEMORY),
                    "the built-in engine needs memory=32M or more ({})",
                    place_of(&["memory", "maxmemory"], text, each)
                );
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
            "threads" | "thread" => {
                self.threads = value.parse()?;
                let is_possible = (1..=MAX_THREADS).contains(&self.threads);
                ensure!(is_possible, "threads is a number from 1 to {MAX_THREADS}");
            }
            "memory" | "maxmemory" => {
                self.memory = some_unless_zero(bytes(value)?);
                // Without a unit it is bytes, which is hardly ever meant.
                let is_possible =
                    self.memory.is_none_or(|bytes| (LEAST_MEMORY..=MOST_MEMORY).contains(&bytes));
                ensure!(is_possible, "memory is a size from 1M to 1024G");
            }
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

    /// Whether only limits on nodes and depth end the searches, each with one thread, so that the games do not depend
    /// on time. With two threads, not even the same nodes are searched twice.
    #[must_use]
    pub fn is_timeless(&self) -> bool {
        self.turn_ms.is_none() && self.match_ms.is_none() && self.threads <= 1
    }

    /// Whether it plays a game the same way again, unless it is a program that makes random choices.
    #[must_use]
    pub fn repeats_itself(&self) -> bool {
        let is_random = self.seed.is_none() && (self.level.is_some() || self.variety > 0);
        self.is_timeless() && !is_random && self.experience_file.is_none()
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

/// A time in whole ms.
fn parse_milliseconds(text: &str) -> Result<u64, ParseDurationError> {
    Ok((parse_duration(text)?.as_secs_f64() * 1e3).round() as u64)
}

fn some_unless_zero<N: Default + PartialEq>(number: N) -> Option<N> {
    (number != N::default()).then_some(number)
}

/// Where one of these keys has a value: in the options of an engine or, if it is not to blame, in those for every
/// engine.
fn place_of(keys: &[&str], text: &str, each: &[String]) -> String {
    let has_key = |text: &str| {
        let words = split_words(text).unwrap_or_default();
        words.iter().any(|word| word.split_once('=').is_some_and(|(key, _)| keys.contains(&key)))
    };
    match each.iter().find(|each| has_key(each)) {
        Some(each) if !has_key(text) => format!("in --each `{each}`"),
        _ => format!("in `{text}`"),
    }
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
#[path = "spec_tests.rs"]
mod tests;
