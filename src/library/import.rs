//! Imports into a library in one transaction: all or nothing.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use encoding_rs::Encoding;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::entry::{CommentLines, Entry, GameEnd, Played};
use super::error::LibraryError;
use super::key::{KeyWalk, PositionKey};
use super::rows::{add_games, get, write_row};
use super::store::{Library, Source};
use crate::board::{Color, Point, PointSet, Size, Stones};
use crate::formats::sgf::LeftOutGames;
use crate::formats::{BinaryError, FormatError, TextDecoder};
use crate::rules::judge::{self, Verdict};
use crate::rules::{Rule, with_rule};

/// How many positions of games are counted in memory before they are written: some 40 MB.
const MOST_PENDING: usize = 300_000;
/// How many positions with something to be merged into them are in memory before they are written: some 20 MB without
/// their comments.
const MOST_JOINED: usize = 50_000;
/// How many bytes of comments are in memory before they are written.
const MOST_COMMENT_BYTES: usize = 16 << 20;

/// How files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportOptions {
    /// The rule where a file does not name one.
    pub rule: Rule,
    /// The board where a file does not name one.
    pub size: Size,
    /// The largest number of stones in a position of a game that is kept; positions that people have annotated are
    /// always kept.
    pub most_stones: usize,
    /// Whether comments of games in SGF are kept.
    pub comments: bool,
    /// Whether proofs that a file calls checked count as checked here. Nobody has seen them but the library that wrote
    /// the file, and anyone can write such a file.
    pub trust_proofs: bool,
    /// Whether a RenLib library that ends early is imported as far as it goes.
    pub accept_truncated: bool,
    /// The encoding of texts in files that do not declare it, which RenLib's never do and Yixin's do not always.
    /// Without it UTF-8 is tried, and Latin-1 if the text is not UTF-8.
    pub encoding: Option<&'static Encoding>,
}

impl ImportOptions {
    /// The decoder for texts whose encoding a file does not declare.
    pub(super) fn decoder(&self) -> TextDecoder {
        self.encoding.map_or_else(TextDecoder::default, |encoding| {
            TextDecoder::new(move |bytes| encoding.decode_without_bom_handling(bytes).0.into_owned())
        })
    }
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            rule: Rule::default(),
            size: Size::square(15),
            most_stones: 24,
            comments: true,
            trust_proofs: false,
            accept_truncated: false,
            encoding: None,
        }
    }
}

/// Why nothing was imported.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportError {
    /// A text that cannot be read.
    Format(FormatError),
    /// Bytes that cannot be read.
    Binary(BinaryError),
    /// A line of records or of a table, from 1, and what is wrong with it.
    Line(u64, String),
    /// Games without moves.
    NoMoves,
    /// A file of another program with the extension of a database.
    OtherDatabase,
    /// An error of the library.
    Library(LibraryError),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Format(error) => error.fmt(f),
            ImportError::Binary(error) => error.fmt(f),
            ImportError::Line(line, why) => write!(f, "line {line}: {why}"),
            ImportError::NoMoves => {
                f.write_str("there are no moves; c-gomoku-cli writes those of its games with -sgf")
            }
            ImportError::OtherDatabase => f.write_str("this is no database of Yixin or Rapfi"),
            ImportError::Library(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ImportError {}

impl From<FormatError> for ImportError {
    fn from(error: FormatError) -> ImportError {
        ImportError::Format(error)
    }
}

impl From<BinaryError> for ImportError {
    fn from(error: BinaryError) -> ImportError {
        ImportError::Binary(error)
    }
}

impl From<LibraryError> for ImportError {
    fn from(error: LibraryError) -> ImportError {
        ImportError::Library(error)
    }
}

/// What was imported so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportCount {
    /// Games.
    pub games: u64,
    /// Positions, each as often as it came up.
    pub positions: u64,
    /// Comments for which there was no room, because those of a position have a limit.
    pub comments_left_out: u64,
    /// Comments and labels with U+FFFD, in place of bytes that mean nothing in the encoding of their file.
    pub comments_misread: u64,
    /// Games that name a rule which is not known. They count for the rule of the options.
    pub unknown_rules: u64,
    /// Games whose text names another result than the winning line on their board. They count as the board shows.
    pub results_refuted: u64,
    /// Games in SGF whose result is not understood, and not on their board either. They count as games without one.
    pub results_not_understood: u64,
    /// Games in SGF whose closing bracket is missing. They count as far as they go.
    pub games_without_end: u64,
    /// Games in SGF that name no board and need a larger one than that of the options.
    pub boards_enlarged: u64,
}

/// A game without its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLine {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The moves, Black first and the colours in turn, on different points of the board.
    pub moves: Vec<Point>,
    /// How it is said to have ended. Where that is not known, and where the last move has made a winning line, the
    /// board decides.
    pub end: GameEnd,
}

/// An import in progress. If it is dropped without [`Import::commit`], the library stays as it was.
#[derive(Debug)]
pub struct Import<'l> {
    transaction: Transaction<'l>,
    pub(super) options: ImportOptions,
    pending: HashMap<PositionKey, Played>,
    joined: HashMap<PositionKey, Joined>,
    comment_bytes: usize,
    pub(super) count: ImportCount,
    pub(super) left_out: LeftOutGames,
    stop: Option<Arc<AtomicBool>>,
}

/// What is in the file of a position, and what has been merged with it since.
#[derive(Debug)]
struct Joined {
    found: Option<Entry>,
    entry: Entry,
    lines: CommentLines,
}

impl Library {
    /// Begins an import. Another process that wants to write waits until it ends.
    ///
    /// # Errors
    /// Another process has been writing for long, or the file cannot be written.
    pub fn import(&mut self, options: ImportOptions) -> Result<Import<'_>, LibraryError> {
        Import::begin(self.connection(), options)
    }
}

impl Import<'_> {
    /// Begins an import on this connection.
    pub(super) fn begin(
        connection: &mut Connection,
        options: ImportOptions,
    ) -> Result<Import<'_>, LibraryError> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        Ok(Import {
            transaction,
            options,
            pending: HashMap::new(),
            joined: HashMap::new(),
            comment_bytes: 0,
            count: ImportCount::default(),
            left_out: LeftOutGames::default(),
            stop: None,
        })
    }

    /// From now on this import fails with [`LibraryError::Stopped`] as soon as the flag is set.
    pub fn stop_on(&mut self, flag: Arc<AtomicBool>) {
        self.stop = Some(flag);
    }

    fn ensure_wanted(&self) -> Result<(), LibraryError> {
        let is_stopped = self.stop.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if is_stopped { Err(LibraryError::Stopped) } else { Ok(()) }
    }

    /// What was imported so far.
    #[must_use]
    pub fn count(&self) -> ImportCount {
        self.count
    }

    /// The games of the collection in SGF that was imported last which were left out because they cannot be read.
    #[must_use]
    pub fn left_out(&self) -> &LeftOutGames {
        &self.left_out
    }

    /// Whether this source has been imported before.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn knows(&self, fingerprint: u64) -> Result<bool, LibraryError> {
        let mut statement = self.transaction.prepare_cached("SELECT 1 FROM source WHERE fingerprint = ?1")?;
        Ok(statement.exists(params![fingerprint.cast_signed()])?)
    }

    /// Records the source of an import. What it brought is added to what the same source has brought before.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn note_source(&self, source: &Source) -> Result<(), LibraryError> {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let Source { fingerprint, name, games, positions } = source;
        let sql = "INSERT INTO source (fingerprint, name, games, positions) VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT (fingerprint) DO UPDATE SET name = excluded.name, \
                   games = games + excluded.games, positions = positions + excluded.positions";
        let values = params![fingerprint.cast_signed(), name, number(*games), number(*positions)];
        self.transaction.execute(sql, values)?;
        Ok(())
    }

    /// Adds a game: all its positions up to [`ImportOptions::most_stones`].
    ///
    /// # Errors
    /// Moves that are not on different points of the board; the file cannot be written.
    pub fn add_game(&mut self, game: &GameLine) -> Result<(), LibraryError> {
        let distinct: PointSet = game.moves.iter().copied().collect();
        if distinct.len() != game.moves.len() || !game.moves.iter().all(|&point| game.size.contains(point)) {
            return Err(LibraryError::Moves);
        }
        let end = self.end_of(game.end, verdict(game));
        let played = Played::once(end);
        let mut walk = KeyWalk::new(game.rule, game.size);
        self.add_games(walk.canonical().key, played)?;
        let turns = Color::ALL.into_iter().cycle();
        for (&point, color) in game.moves.iter().zip(turns).take(self.options.most_stones) {
            walk.place(point, color);
            self.add_games(walk.canonical().key, played)?;
        }
        self.count.games += 1;
        Ok(())
    }

    /// Adds games to one position.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add_games(&mut self, key: PositionKey, played: Played) -> Result<(), LibraryError> {
        self.ensure_wanted()?;
        self.count.positions += 1;
        self.pending.entry(key).or_default().add(played);
        if self.pending.len() >= MOST_PENDING { self.flush() } else { Ok(()) }
    }

    /// Merges an entry, in the orientation of its key, with what is there.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add_entry(&mut self, key: &PositionKey, entry: Entry) -> Result<(), LibraryError> {
        self.count.positions += 1;
        self.join(key, entry)
    }

    /// The same without counting it.
    pub(super) fn join(&mut self, key: &PositionKey, mut entry: Entry) -> Result<(), LibraryError> {
        self.ensure_wanted()?;
        if let Some(decided) = &mut entry.decided {
            decided.is_checked &= self.options.trust_proofs;
        }
        self.comment_bytes += entry.comment.len();
        let has_room = match self.joined.get_mut(key) {
            Some(known) => known.entry.merge_by(entry, &mut known.lines),
            None => {
                let found = get(&self.transaction, key)?;
                // What is new is merged as well, because that keeps its texts within their limits.
                let mut known = found.clone().unwrap_or_default();
                self.comment_bytes += known.comment.len();
                let has_room = known.merge(entry);
                let lines = CommentLines::default();
                self.joined.insert(key.clone(), Joined { found, entry: known, lines });
                has_room
            }
        };
        self.count.comments_left_out += u64::from(!has_room);
        let is_full = self.joined.len() >= MOST_JOINED || self.comment_bytes >= MOST_COMMENT_BYTES;
        if is_full { self.flush() } else { Ok(()) }
    }

    /// The rule of a game, which may name one that is not known or none. The first case is counted.
    pub(super) fn rule_of(&mut self, known: Option<Rule>, name: Option<&str>) -> Rule {
        self.count.unknown_rules += u64::from(known.is_none() && name.is_some());
        known.unwrap_or(self.options.rule)
    }

    /// How a game ended that is said to have ended like this. A winning line is believed before a text, in which
    /// colours may be confused. A forbidden move is not: the other side may have overlooked it.
    pub(super) fn end_of(&mut self, said: GameEnd, verdict: Verdict) -> GameEnd {
        let shown = match verdict {
            Verdict::Draw => GameEnd::Drawn,
            verdict => verdict.winner().map_or(GameEnd::Unknown, GameEnd::Won),
        };
        if said == GameEnd::Unknown || said == shown {
            return shown;
        }
        let is_refuted = matches!(verdict, Verdict::Win(_));
        self.count.results_refuted += u64::from(is_refuted);
        if is_refuted { shown } else { said }
    }

    /// Counts an entry whose texts could not be decoded.
    pub(super) fn note_misread(&mut self, entry: &Entry) {
        let is_misread = |text: &str| text.contains(char::REPLACEMENT_CHARACTER);
        let has_misread = is_misread(&entry.comment) || entry.marks.iter().any(|mark| is_misread(&mark.text));
        self.count.comments_misread += u64::from(has_misread);
    }

    /// Writes what was merged and counted, in key order, so that neighbours in the file are written together.
    fn flush(&mut self) -> Result<(), LibraryError> {
        // A position on which thousands of games remark is written once and not for each of them.
        let mut joined: Vec<(PositionKey, Joined)> = self.joined.drain().collect();
        joined.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        self.comment_bytes = 0;
        for (key, Joined { found, entry, .. }) in &joined {
            self.ensure_wanted()?;
            if found.as_ref() != Some(entry) {
                write_row(&self.transaction, key, entry)?;
            }
        }
        let mut counted: Vec<(PositionKey, Played)> = self.pending.drain().collect();
        counted.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        counted.iter().try_for_each(|(key, played)| {
            self.ensure_wanted()?;
            add_games(&self.transaction, key, *played)
        })
    }

    /// Commits all of it to the library.
    ///
    /// # Errors
    /// The file cannot be written; then nothing has changed.
    pub fn commit(mut self) -> Result<ImportCount, LibraryError> {
        self.flush()?;
        self.transaction.commit()?;
        Ok(self.count)
    }
}

/// The verdict after the last move of a game.
fn verdict(game: &GameLine) -> Verdict {
    let mut stones = Stones::new(game.size);
    game.moves.iter().for_each(|&point| stones.place(point, stones.to_move()));
    with_rule!(game.rule, R => judge::verdict::<R>(&stones))
}

#[cfg(test)]
#[path = "import_tests.rs"]
pub(super) mod tests;

#[cfg(test)]
#[path = "import_results_tests.rs"]
mod results_tests;
