//! A library as lines: a JSON object or a row of a table (CSV) for each position. Both hold all that a library knows.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};

use super::entry::{Decided, Entry, LONGEST_COMMENT, MarkKind, Outcome, Played};
use super::error::LibraryError;
use super::export::{ExportCount, ExportError};
use super::import::{Import, ImportError};
use super::key::PositionKey;
use super::rows::{MarkRow, marks_text};
use super::store::Library;
use crate::board::{Color, Point, Size, Stones};
use crate::eval::score::Score;
use crate::formats::moves;
use crate::rules::Rule;

/// The columns of a table, as [`Line`] names its fields. They stand in a table without rows, too.
const COLUMNS: [&str; 19] = [
    "rule",
    "size",
    "to_move",
    "black",
    "white",
    "games",
    "black_wins",
    "white_wins",
    "draws",
    "score",
    "depth",
    "nodes",
    "outcome",
    "plies",
    "checked",
    "marked",
    "tag",
    "comment",
    "marks",
];

/// The longest line that is read, in bytes.
const LONGEST_LINE: usize = 8 << 20;

/// A position as a line; `M` is how its marks are written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<M> {
    rule: String,
    size: String,
    to_move: String,
    /// `h8i9`, rows counted from the top.
    black: String,
    white: String,
    games: u64,
    black_wins: u64,
    white_wins: u64,
    draws: u64,
    score: Option<Score>,
    depth: Option<u32>,
    nodes: Option<u64>,
    outcome: Option<Outcome>,
    plies: Option<u32>,
    checked: bool,
    marked: bool,
    tag: Option<char>,
    comment: String,
    marks: M,
}

impl<M> Line<M> {
    fn new(key: &PositionKey, entry: Entry, marks: M) -> Line<M> {
        let of = |wanted: Color| {
            let points: Vec<Point> =
                key.stones().filter(|&(_, color)| color == wanted).map(|(point, _)| point).collect();
            moves::letters(&points, "")
        };
        let Played { games, black, white, draws } = entry.played;
        Line {
            rule: key.rule().name().to_owned(),
            size: key.size().to_string(),
            to_move: key.to_move().name().to_lowercase(),
            black: of(Color::Black),
            white: of(Color::White),
            games,
            black_wins: black,
            white_wins: white,
            draws,
            score: entry.score,
            depth: entry.depth,
            nodes: entry.nodes,
            outcome: entry.decided.map(|decided| decided.outcome),
            plies: entry.decided.and_then(|decided| decided.plies),
            checked: entry.decided.is_some_and(|decided| decided.is_checked),
            marked: entry.is_marked,
            tag: entry.tag,
            comment: entry.comment,
            marks,
        }
    }

    /// The position of a line, and what is known of it.
    fn read(self, marks: Vec<MarkRow>) -> Result<(PositionKey, Entry), String> {
        let rule: Rule = self.rule.parse().map_err(|error| format!("{error}"))?;
        let size: Size = self.size.parse().map_err(|error| format!("{error}"))?;
        let mut stones = Stones::new(size);
        for (text, color) in [(&self.black, Color::Black), (&self.white, Color::White)] {
            for point in moves::read(text, size).map_err(|error| error.mistake.to_string())? {
                if !stones.is_empty_at(point) {
                    return Err(format!("{point} is taken"));
                }
                stones.place(point, color);
            }
        }
        stones.set_to_move(match self.to_move.as_str() {
            "black" => Color::Black,
            "white" => Color::White,
            other => return Err(format!("`{other}` is neither black nor white")),
        });
        let mut entry = Entry {
            played: Played {
                games: self.games,
                black: self.black_wins,
                white: self.white_wins,
                draws: self.draws,
            },
            score: self.score,
            depth: self.depth,
            nodes: self.nodes,
            decided: self.outcome.map(|outcome| Decided {
                outcome,
                plies: self.plies,
                is_checked: self.checked,
            }),
            is_marked: self.marked,
            tag: self.tag,
            ..Entry::default()
        };
        if let Some(mistake) = entry.mistake() {
            return Err(mistake);
        }
        if !entry.add_comment(&self.comment) {
            return Err(format!("the comment has more than {} MB", LONGEST_COMMENT >> 20));
        }
        for (point, kind, text) in marks {
            let point = point.parse::<Point>().ok().filter(|&point| size.contains(point));
            let point = point.ok_or_else(|| "a mark is off the board".to_owned())?;
            let text = if kind == MarkKind::Label { text } else { String::new() };
            entry.put_mark(super::entry::Mark { point, kind, text });
        }
        let found = PositionKey::of(rule, &stones).ok_or_else(|| LibraryError::DeadCells.to_string())?;
        let entry = entry.turned(found.symmetry, size);
        Ok((found.key, entry))
    }
}

fn mark_rows(entry: &Entry) -> Vec<MarkRow> {
    entry.marks.iter().map(|mark| (mark.point.to_string(), mark.kind, mark.text.clone())).collect()
}

impl Library {
    /// Writes a line with a JSON object for each position that is wanted. Rows that mean nothing are left out and
    /// counted.
    ///
    /// # Errors
    /// The library cannot be read, or the writer fails.
    pub fn write_json_lines(
        &self,
        out: &mut dyn Write,
        is_wanted: impl Fn(&PositionKey) -> bool,
    ) -> Result<ExportCount, ExportError> {
        self.for_each_wanted(is_wanted, |key, entry| {
            let marks = mark_rows(&entry);
            let line =
                serde_json::to_string(&Line::new(&key, entry, marks)).map_err(std::io::Error::other)?;
            Ok(writeln!(out, "{line}")?)
        })
    }

    /// Writes a table with a row for each position that is wanted. Rows that mean nothing are left out and counted.
    ///
    /// # Errors
    /// The library cannot be read, or the writer fails.
    pub fn write_csv(
        &self,
        out: &mut dyn Write,
        is_wanted: impl Fn(&PositionKey) -> bool,
    ) -> Result<ExportCount, ExportError> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(out);
        writer.write_record(COLUMNS).map_err(as_io_error)?;
        let count = self.for_each_wanted(is_wanted, |key, entry| {
            let marks = marks_text(&entry.marks).unwrap_or_default();
            Ok(writer.serialize(Line::new(&key, entry, marks)).map_err(as_io_error)?)
        })?;
        writer.flush()?;
        Ok(count)
    }

    /// Passes the positions that are wanted to a function that may fail, and counts them. Where pages of the file
    /// cannot be read, those before the first such page come in order, and those behind the last one from the end on.
    fn for_each_wanted(
        &self,
        is_wanted: impl Fn(&PositionKey) -> bool,
        mut write: impl FnMut(PositionKey, Entry) -> Result<(), ExportError>,
    ) -> Result<ExportCount, ExportError> {
        let mut count = ExportCount::default();
        let mut pass = |last: &mut Vec<u8>, key: &[u8], row| {
            last.clear();
            last.extend(key);
            match row {
                Err(_) => count.left_out += 1,
                Ok((key, entry)) if is_wanted(&key) => {
                    write(key, entry)?;
                    count.positions += 1;
                }
                Ok(_) => {}
            }
            Ok::<(), ExportError>(())
        };
        let mut last = Vec::new();
        match self.for_each_row_where("1 ORDER BY key", None, |key, row| pass(&mut last, key, row)) {
            Err(error @ ExportError::Library(_)) => {
                let before = last.clone();
                let behind = "key > ?1 ORDER BY key DESC";
                match self.for_each_row_where(behind, Some(&before), |key, row| pass(&mut last, key, row)) {
                    Ok(()) | Err(ExportError::Library(_)) if last.is_empty() => return Err(error),
                    Ok(()) | Err(ExportError::Library(_)) => count.is_cut = true,
                    failed => failed?,
                }
            }
            done => done?,
        }
        Ok(count)
    }
}

/// The error of the output itself, if it is one, so that a reader who has left can be told from a full disk.
fn as_io_error(error: csv::Error) -> std::io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => std::io::Error::other(text),
    }
}

impl Import<'_> {
    /// Imports lines of JSON.
    ///
    /// # Errors
    /// A line that is not a position, or that is too long; the file cannot be written, or the input cannot be read.
    pub fn add_json_lines(&mut self, mut input: impl BufRead) -> Result<(), ImportError> {
        for number in 1.. {
            let at = |why: String| ImportError::Line(number, why);
            let Some(line) = next_line(&mut input).map_err(at)? else { return Ok(()) };
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let mut line: Line<Vec<MarkRow>> =
                serde_json::from_slice(&line).map_err(|error| at(error.to_string()))?;
            let marks = std::mem::take(&mut line.marks);
            let (key, entry) = line.read(marks).map_err(at)?;
            self.add_entry(&key, entry)?;
        }
        Ok(())
    }

    /// Imports a CSV table.
    ///
    /// # Errors
    /// A header that is not that of such a table, a row that is not a position; the file cannot be written, or the
    /// input cannot be read.
    pub fn add_csv(&mut self, input: impl std::io::Read) -> Result<(), ImportError> {
        let mut reader = csv::Reader::from_reader(RowReader { input, left: LONGEST_LINE });
        let header = reader.headers().map_err(|error| ImportError::Line(1, error.to_string()))?.clone();
        if !header.iter().any(|name| name == "rule") {
            return Err(ImportError::Line(
                1,
                "a table of positions begins with its columns: rule, size ...".into(),
            ));
        }
        let mut row = csv::StringRecord::new();
        loop {
            // A field may hold line breaks, so rows are not lines.
            let before = reader.position().line();
            reader.get_mut().left = LONGEST_LINE;
            if !reader.read_record(&mut row).map_err(|error| ImportError::Line(before, error.to_string()))? {
                return Ok(());
            }
            let line = row.position().map_or(before, csv::Position::line);
            let at = |why: String| ImportError::Line(line, why);
            let own: csv::StringRecord = row.iter().zip(&header).map(as_written).collect();
            let row: Line<String> = own.deserialize(Some(&header)).map_err(|error| at(error.to_string()))?;
            let marks = if row.marks.is_empty() { Ok(Vec::new()) } else { serde_json::from_str(&row.marks) };
            let (key, entry) = row.read(marks.map_err(|error| at(error.to_string()))?).map_err(at)?;
            self.add_entry(&key, entry)?;
        }
    }
}

/// The input of a table, of which only so much is read for each row: a quote that nobody closes would take in the rest.
struct RowReader<R> {
    input: R,
    left: usize,
}

impl<R: std::io::Read> std::io::Read for RowReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 && !buffer.is_empty() {
            return Err(std::io::Error::other(too_long()));
        }
        let most = buffer.len().min(self.left);
        let count = self.input.read(&mut buffer[..most])?;
        self.left -= count;
        Ok(count)
    }
}

fn too_long() -> String {
    format!("lines have at most {} MB", LONGEST_LINE >> 20)
}

/// A field as it was written here: spreadsheets save `true` and `false` in capitals.
fn as_written((field, column): (&str, &str)) -> String {
    if matches!(column, "checked" | "marked") { field.to_ascii_lowercase() } else { field.to_owned() }
}

/// The next line without its end; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let mut line = Vec::new();
    let read = std::io::Read::take(&mut *input, LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
    read.map_err(|error| error.to_string())?;
    if line.len() > LONGEST_LINE {
        return Err(too_long());
    }
    Ok((!line.is_empty()).then_some(line))
}

#[cfg(test)]
#[path = "tables_tests.rs"]
mod tests;
