//! The complete records of a match as JSON lines, and how they are read.
//!
//! Each line is written in one go when a game is over, so a match that is killed at any moment loses only the games in
//! progress. A line that was cut off is ignored. [`recorder`](super::recorder) writes the lines.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::game::PlayedGame;
use super::identity::Identity;
use super::outcome::{GameResult, Reason};
use super::player::Fault;
use super::spec::EngineSpec;
use super::sprt::Sprt;
use crate::board::{Color, Size};
use crate::files::lock::take_current;
use crate::files::write_whole_by;
use crate::formats::text::decode;
use crate::rules::Rule;

/// The file of JSON lines in the output folder.
pub const GAMES_FILE: &str = "games.jsonl";
/// How many stones swap2 places at most before the sides are fixed.
pub(crate) const SWAP2_STONES: usize = 5;
/// The largest number of a game or a pair that records may have: ten times as many games as a match has at most. So
/// numbers of several matches can be added without care.
const MOST_ID: usize = 100_000_000;
/// Increased when the meaning of a line changes.
pub const VERSION: u32 = 1;

/// What every line begins with.
const BEGINNING: &[u8] = b"{\"type\":\"";
/// What is said of a file of another kind, such as the games in SGF beside the records.
const NO_RECORDS: &str = "this is no record of `kagetsu match`: give its games.jsonl, or the folder";

/// What is said of the file of another kind that has these bytes. An editor may have saved a record in this way.
fn other_kind(bytes: &[u8]) -> &'static str {
    let is_record = decode(bytes).as_bytes().starts_with(BEGINNING);
    if is_record {
        "this record was saved in another encoding; save it as UTF-8 without a mark"
    } else {
        NO_RECORDS
    }
}

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum RecordLine {
    /// How the match is played; the first line.
    Match(Box<MatchHeader>),
    /// A finished game.
    Game(Box<GameRecord>),
    /// A note about the match.
    Note {
        /// In words.
        text: String,
    },
}

impl RecordLine {
    /// The line with its end.
    ///
    /// # Errors
    /// None are known.
    pub(crate) fn text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

/// Everything that decides which games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// The version of the format, `VERSION` when it was written here.
    pub version: u32,
    /// The runner's own version.
    pub runner: String,
    /// The engines in order.
    pub engines: Vec<EngineSpec>,
    /// Who plays under their descriptions, in the same order; empty in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identities: Vec<Identity>,
    /// Gauntlet (the first engine plays all others) instead of a round robin.
    pub gauntlet: bool,
    /// Games per encounter.
    pub games: usize,
    /// The rule's name.
    pub rule: String,
    /// Columns and rows.
    pub size: (usize, usize),
    /// Where openings come from, in words.
    pub openings: String,
    /// [`Book::fingerprint`](super::opening_book::Book::fingerprint), in hexadecimal.
    pub openings_fingerprint: String,
    /// Whether each opening is played with both colours.
    #[serde(default = "yes")]
    pub repeat: bool,
    /// Whether openings are rotated and mirrored once the book is used up.
    pub transform: bool,
    /// The seed of the openings, of their order, and of the random choices of built-in engines.
    pub seed: u64,
    /// Sides are chosen by swap2.
    pub swap2: bool,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// When the match is ended early.
    pub sprt: Option<Sprt>,
}

/// The value for records from before this was an option.
fn yes() -> bool {
    true
}

impl MatchHeader {
    /// The first difference that makes the games of both headers incompatible; `None` if they are compatible. The
    /// number of games and the SPRT may differ. `self` is the older one.
    #[must_use]
    pub fn conflict(&self, other: &MatchHeader) -> Option<String> {
        // Whoever adds a field decides here whether games that differ in it may be mixed.
        let MatchHeader {
            version: _,
            runner: _,
            engines,
            identities,
            gauntlet,
            games: _,
            rule,
            size,
            openings: _,
            openings_fingerprint,
            repeat,
            transform,
            seed,
            swap2,
            adjudication,
            sprt: _,
        } = self;
        let differences = [
            (*engines != other.engines, "the engines or their options"),
            (*gauntlet != other.gauntlet, "the kind of tournament"),
            (*rule != other.rule, "the rule"),
            (*size != other.size, "the board"),
            (*openings_fingerprint != other.openings_fingerprint, "the openings or their order"),
            (*seed != other.seed, "the seed"),
            (*repeat != other.repeat, "the repetition of openings"),
            (*transform != other.transform, "the turning of openings"),
            (*swap2 != other.swap2, "swap2"),
            (*adjudication != other.adjudication, "the adjudication"),
        ];
        let first = differences.into_iter().find(|&(differs, _)| differs).map(|(_, what)| what.to_owned());
        let mut players = engines.iter().zip(identities.iter().zip(&other.identities));
        first.or_else(|| {
            players.find_map(|(engine, (then, now))| {
                then.change(now).map(|what| format!("{what} of {}", engine.name))
            })
        })
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game's number in the schedule.
    pub id: usize,
    /// The number of its pair of games with the same opening in this encounter, from 0.
    pub pair: usize,
    /// The two engines of the encounter, as indices into the header's list, the lower first.
    pub engines: (usize, usize),
    /// The engine that had Black in the end.
    pub black: usize,
    /// Names of Black and White.
    pub names: (String, String),
    /// The rule's name.
    pub rule: String,
    /// Columns and rows.
    pub size: (usize, usize),
    /// How many of the moves are opening stones. Records of older versions give other numbers for swap2.
    pub opening: usize,
    /// All stones, Black first.
    pub moves: Vec<MoveRecord>,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// How long the game took, in ms.
    pub duration_ms: u64,
    /// The runner's own part of that time, in ms; absent after a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead_ms: Option<f64>,
}

/// One stone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// `h8`: column letter, row from the top.
    pub at: String,
    /// Time used by the answer that ends with this stone; absent if no engine chose it, and for the stones of an answer
    /// in swap2 before its last. It is 0 if it was left out; [`MoveRecord::time`] is for those who want the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// In the engine's units, from its view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// In plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The engine's messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
}

impl MoveRecord {
    /// The time in ms, if it is known.
    #[must_use]
    pub fn time(&self) -> Option<f64> {
        self.ms.filter(|&ms| ms > 0.0)
    }
}

impl GameRecord {
    /// Half points of the first engine of the encounter: 0, 1 or 2.
    #[must_use]
    pub fn half_points(&self) -> usize {
        match self.result.winner() {
            None => 1,
            Some(Color::Black) if self.black == self.engines.0 => 2,
            Some(Color::White) if self.black == self.engines.1 => 2,
            Some(_) => 0,
        }
    }

    /// The fault that decided the game.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match &self.reason {
            Reason::Fault { fault } => Some(fault),
            _ => None,
        }
    }

    /// The loser's name.
    #[must_use]
    pub fn loser(&self) -> Option<&str> {
        Some(match self.result.winner()? {
            Color::Black => &self.names.1,
            Color::White => &self.names.0,
        })
    }

    /// How many answers of engines placed stones. In swap2 some of them belong to the opening.
    #[must_use]
    pub fn answers(&self) -> usize {
        self.moves.iter().filter(|played| played.ms.is_some()).count()
    }

    /// The same game without its times. What remains depends on the moves alone, so two machines that play the same
    /// game under node limits write the same record.
    #[must_use]
    pub fn without_times(mut self) -> GameRecord {
        // A move time becomes 0 but stays, because it marks the moves that an engine chose.
        self.moves.iter_mut().filter_map(|played| played.ms.as_mut()).for_each(|ms| *ms = 0.0);
        self.duration_ms = 0;
        self.overhead_ms = None;
        self
    }

    /// The moves of a played game.
    #[must_use]
    pub fn moves_of(game: &PlayedGame) -> Vec<MoveRecord> {
        let record = |played: &super::game::PlayedMove| {
            let at = played.point.to_string();
            match &played.thinking {
                None => MoveRecord { at, ..MoveRecord::default() },
                Some(thinking) => MoveRecord {
                    at,
                    ms: Some(milliseconds(thinking.elapsed)),
                    score: thinking.score,
                    depth: thinking.depth,
                    nodes: thinking.nodes,
                    messages: thinking.messages.clone(),
                },
            }
        };
        game.moves.iter().map(record).collect()
    }
}

/// The contents of a file of JSON lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// The last header.
    pub header: Option<MatchHeader>,
    /// Games in the order in which they ended, each once.
    pub games: Vec<GameRecord>,
    /// Notes in order.
    pub notes: Vec<String>,
    /// Bytes of complete lines.
    pub length: usize,
}

impl Records {
    /// Reads lines, and ignores a last one that was cut off.
    ///
    /// # Errors
    /// A complete line is not a record, or the records have another version.
    pub fn parse(bytes: &[u8]) -> anyhow::Result<Records> {
        let mut records = Records::default();
        let mut seen = BTreeSet::new();
        for (n, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let is_last = records.length + line.len() == bytes.len();
            if is_last && !line.ends_with(b"\n") {
                // A match that was killed leaves such a line. If there is no other, it must begin as records do.
                let is_begun = n > 0 || BEGINNING.starts_with(line) || line.starts_with(BEGINNING);
                ensure!(is_begun, other_kind(bytes));
                break;
            }
            match serde_json::from_slice(line) {
                Ok(RecordLine::Match(header)) => {
                    check_version(header.version)?;
                    // A match that is continued may add headers, of which the last counts.
                    let other = records.header.as_ref().and_then(|before| before.conflict(&header));
                    if let Some(what) = other {
                        bail!(
                            "line {}: another match begins here, which differs in {what}; the files of two matches \
                             are not joined, but named one after the other",
                            n + 1
                        );
                    }
                    records.header = Some(*header);
                }
                Ok(RecordLine::Game(game)) => {
                    let most = game.id.max(game.pair);
                    ensure!(most <= MOST_ID, "line {}: no match has a game with the number {most}", n + 1);
                    if seen.insert(game.id) {
                        records.games.push(*game);
                    }
                }
                Ok(RecordLine::Note { text }) => records.notes.push(text),
                Err(error) => {
                    // Other versions may have other fields.
                    serde_json::from_slice(line)
                        .map_or(Ok(()), |Versioned { version }| check_version(version))?;
                    ensure!(n > 0 || line.starts_with(b"{"), other_kind(bytes));
                    bail!(
                        "line {}, column {}: this is not a record: {}",
                        n + 1,
                        error.column(),
                        reason(&error)
                    )
                }
            }
            records.length += line.len();
        }
        Ok(records)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or holds something else.
    pub fn read(path: &Path) -> anyhow::Result<Records> {
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        Records::parse(decode(&bytes).as_bytes()).with_context(|| path.display().to_string())
    }
}

/// Opens the records in a folder for reading and writing, creating the file if necessary, and locks them until the file
/// is closed.
///
/// # Errors
/// A match is being written there, or the file cannot be opened or locked.
pub(crate) fn hold(folder: &Path) -> anyhow::Result<File> {
    let path = folder.join(GAMES_FILE);
    let held = take_current(&path)?;
    held.with_context(|| format!("another match is being written to {}", folder.display()))
}

/// Records that are about to be replaced. Their file stays locked until they are, even if it had to be created for
/// that: whoever else begins to write meanwhile would write into a file without a name.
#[derive(Debug)]
pub(crate) struct Replacement {
    path: PathBuf,
    before: File,
    is_finished: bool,
}

impl Replacement {
    /// Locks the records in a folder.
    ///
    /// # Errors
    /// A match is being written there, or the file cannot be opened.
    pub(crate) fn begin(folder: &Path) -> anyhow::Result<Replacement> {
        Ok(Replacement { path: folder.join(GAMES_FILE), before: hold(folder)?, is_finished: false })
    }

    /// The records that are there.
    ///
    /// # Errors
    /// The file cannot be read or holds something else.
    pub(crate) fn before(&self) -> anyhow::Result<Records> {
        let mut bytes = Vec::new();
        // Through the same handle, because Windows lets no other one read a locked file.
        (&self.before).read_to_end(&mut bytes).with_context(|| format!("reading {}", self.path.display()))?;
        Records::parse(decode(&bytes).as_bytes()).with_context(|| self.path.display().to_string())
    }

    /// Puts these games in their place, in one go.
    ///
    /// # Errors
    /// The file cannot be written; then the old one stays.
    pub(crate) fn finish<'a>(
        mut self,
        header: &MatchHeader,
        games: impl IntoIterator<Item = &'a GameRecord>,
    ) -> anyhow::Result<()> {
        write_whole_by(&self.path, |file| {
            file.write_all(RecordLine::Match(Box::new(header.clone())).text()?.as_bytes())?;
            games.into_iter().try_for_each(|game| {
                Ok(file.write_all(RecordLine::Game(Box::new(game.clone())).text()?.as_bytes())?)
            })
        })?;
        self.is_finished = true;
        Ok(())
    }
}

impl Drop for Replacement {
    /// Removes the file if it was created for the lock alone.
    fn drop(&mut self) {
        if !self.is_finished && self.before.metadata().is_ok_and(|file| file.len() == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// What is wrong, without the position, which counts within the line.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// The field that the first line has in every version.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// The one place where records of another version are refused, for all readers.
fn check_version(version: u32) -> anyhow::Result<()> {
    ensure!(
        version == VERSION,
        "records of version {version}, but this program knows version {VERSION} only"
    );
    Ok(())
}

/// A time in ms, to the microsecond, which is precise enough and short.
#[must_use]
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// The board size as headers and games record it.
#[must_use]
pub fn sides(size: Size) -> (usize, usize) {
    (size.width(), size.height())
}

/// The rule as headers and games record it.
#[must_use]
pub fn rule_name(rule: Rule) -> String {
    rule.name().to_owned()
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;
