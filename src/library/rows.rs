//! An entry as a row of the database, and the SQL statements about one row.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::entry::{Decided, Entry, MOST_GAMES, Mark, MarkKind, Outcome, Played};
use super::error::LibraryError;
use super::key::PositionKey;
use crate::board::Point;

/// The columns that [`entry_of`] reads.
const COLUMNS: &str =
    "games, black, white, draws, score, depth, nodes, outcome, plies, checked, marked, tag, comment, marks";

/// A mark in the database: point, kind, text.
pub(super) type MarkRow = (String, MarkKind, String);

/// The entry of a row. The row is not trusted, since whoever can write to the file can have written anything.
pub(super) fn entry_of(row: &Row<'_>) -> Result<Entry, LibraryError> {
    let no_row = || LibraryError::Row(row.get::<_, Vec<u8>>("key").unwrap_or_default());
    let number = |column: &str| -> Result<Option<i64>, LibraryError> { Ok(row.get(column)?) };
    let count = |column: &str| -> Result<u64, LibraryError> {
        u64::try_from(number(column)?.unwrap_or(0)).map_err(|_| no_row())
    };
    let small = |column: &str| -> Result<Option<u32>, LibraryError> {
        number(column)?.map(|found| u32::try_from(found).map_err(|_| no_row())).transpose()
    };
    let text = |column: &str| -> Result<String, LibraryError> {
        Ok(row.get::<_, Option<String>>(column)?.unwrap_or_default())
    };
    let score = number("score")?.map(|score| i32::try_from(score).map_err(|_| no_row())).transpose()?;
    let outcome = number("outcome")?;
    let outcome = outcome.map(|found| {
        usize::try_from(found).ok().and_then(|n| Outcome::ALL.get(n).copied()).ok_or_else(no_row)
    });
    let (plies, checked) = (small("plies")?, number("checked")?);
    let decided =
        outcome.transpose()?.map(|outcome| Decided { outcome, plies, is_checked: checked == Some(1) });
    let marks = text("marks")?;
    let marks: Vec<MarkRow> =
        if marks.is_empty() { Vec::new() } else { serde_json::from_str(&marks).map_err(|_| no_row())? };
    let mut entry = Entry {
        played: Played {
            games: count("games")?,
            black: count("black")?,
            white: count("white")?,
            draws: count("draws")?,
        },
        score,
        depth: small("depth")?,
        nodes: number("nodes")?.map(|nodes| u64::try_from(nodes).map_err(|_| no_row())).transpose()?,
        decided,
        is_marked: number("marked")? == Some(1),
        tag: text("tag")?.chars().next(),
        comment: text("comment")?,
        marks: marks.into_iter().map(mark_of).collect::<Option<_>>().ok_or_else(no_row)?,
    };
    entry.marks.sort();
    if !entry.marks.is_empty() {
        let key = PositionKey::from_bytes(&row.get::<_, Vec<u8>>("key")?).map_err(|_| no_row())?;
        let size = key.size();
        // It could not be turned with the board.
        if !entry.marks.iter().all(|mark| size.contains(mark.point)) {
            return Err(no_row());
        }
    }
    Ok(entry)
}

/// A statement that selects entries.
pub(super) fn select(condition: &str) -> String {
    format!("SELECT key, {COLUMNS} FROM position WHERE {condition}")
}

/// What is known of a position, in the orientation of its key.
pub(super) fn get(connection: &Connection, key: &PositionKey) -> Result<Option<Entry>, LibraryError> {
    let mut statement = connection.prepare_cached(&select("key = ?1"))?;
    statement.query_row([key.as_bytes()], |row| Ok(entry_of(row))).optional()?.transpose()
}

/// Whether a position is in the library.
pub(super) fn is_there(connection: &Connection, key: &PositionKey) -> Result<bool, LibraryError> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM position WHERE key = ?1")?;
    Ok(statement.exists(params![key.as_bytes()])?)
}

/// Deletes a position; returns whether it was there.
pub(super) fn delete(connection: &Connection, key: &PositionKey) -> Result<bool, LibraryError> {
    let mut statement = connection.prepare_cached("DELETE FROM position WHERE key = ?1")?;
    Ok(statement.execute(params![key.as_bytes()])? > 0)
}

fn mark_of((point, kind, text): MarkRow) -> Option<Mark> {
    point.parse::<Point>().ok().map(|point| Mark { point, kind, text })
}

/// Marks as text; `None` if there are none.
pub(super) fn marks_text(marks: &[Mark]) -> Option<String> {
    if marks.is_empty() {
        return None;
    }
    let rows: Vec<MarkRow> =
        marks.iter().map(|mark| (mark.point.to_string(), mark.kind, mark.text.clone())).collect();
    serde_json::to_string(&rows).ok()
}

/// Writes an entry, replacing what was there.
pub(super) fn write_row(
    connection: &Connection,
    key: &PositionKey,
    entry: &Entry,
) -> Result<(), LibraryError> {
    let sql = format!(
        "INSERT OR REPLACE INTO position (key, {COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"
    );
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let Played { games, black, white, draws } = entry.played;
    let outcome = entry.decided.map(|decided| decided.outcome as i64);
    connection.prepare_cached(&sql)?.execute(params![
        key.as_bytes(),
        number(games),
        number(black),
        number(white),
        number(draws),
        entry.score,
        entry.depth,
        entry.nodes.map(number),
        outcome,
        entry.decided.and_then(|decided| decided.plies),
        entry.decided.map(|decided| decided.is_checked),
        entry.is_marked.then_some(true),
        entry.tag.map(String::from),
        Some(&entry.comment).filter(|comment| !comment.is_empty()),
        marks_text(&entry.marks),
    ])?;
    Ok(())
}

/// Adds games to a position, which may be new.
pub(super) fn add_games(
    connection: &Connection,
    key: &PositionKey,
    played: Played,
) -> Result<(), LibraryError> {
    let mut statement = connection.prepare_cached(
        // A sum beyond 64 bits would be a REAL, which the column refuses.
        "INSERT INTO position (key, games, black, white, draws) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (key) DO UPDATE SET games = min(games + excluded.games, ?6), \
         black = min(black + excluded.black, ?6), white = min(white + excluded.white, ?6), \
         draws = min(draws + excluded.draws, ?6)",
    )?;
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let Played { games, black, white, draws } = played;
    let values = [games, black, white, draws, MOST_GAMES].map(number);
    statement.execute(params![key.as_bytes(), values[0], values[1], values[2], values[3], values[4]])?;
    Ok(())
}
