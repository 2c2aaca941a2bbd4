//! `library`: what a library knows about a position and its moves, and moves played from the library.

use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::messages::{At, Code, Rejection, at};
use super::position::PositionMessage;
use crate::board::Color;
use crate::eval::score::{Score, plies_to_end, win_probability};
use crate::game::Game;
use crate::library::{
    AccessError, BookMove, BookOptions, Entry, LibraryAccess, MarkKind, Outcome, book_move,
};

/// The library that a message handler answers from, if it has one.
pub(super) type Library = Option<Arc<dyn LibraryAccess>>;

/// The question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LibraryQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    position: PositionMessage,
}

/// How a move is to be played from the library; part of a `think` question.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BookMessage {
    /// How far the expected score of a move may lie below that of the best.
    variety: f64,
    seed: u64,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct LibraryAnswer {
    /// The position itself, for the side to move; `None` if the library does not have it.
    entry: Option<EntryMessage>,
    /// Its moves, the most played first, with values for the side that plays them.
    moves: Vec<MoveMessage>,
}

#[derive(Debug, Serialize)]
struct MoveMessage {
    #[serde(rename = "move")]
    point: At,
    #[serde(flatten)]
    entry: EntryMessage,
}

#[derive(Debug, Serialize)]
struct EntryMessage {
    games: u64,
    /// Each side's score in the games, 0 to 1; `None` without results.
    black: Option<f64>,
    white: Option<f64>,
    score: Option<Score>,
    win_rate: Option<f64>,
    plies_to_end: Option<i32>,
    depth: Option<u32>,
    nodes: Option<u64>,
    outcome: Option<Outcome>,
    proved: bool,
    marked: bool,
    tag: Option<char>,
    comment: String,
    marks: Vec<MarkMessage>,
}

#[derive(Debug, Serialize)]
struct MarkMessage {
    point: At,
    kind: MarkKind,
    text: String,
}

impl EntryMessage {
    /// The entry from the point of view of the side to move or, if `is_turned`, of the side that has just moved.
    fn new(entry: &Entry, is_turned: bool) -> EntryMessage {
        let score = entry.value().map(|score| if is_turned { -score } else { score });
        let turned = |outcome| match outcome {
            Outcome::Win if is_turned => Outcome::Loss,
            Outcome::Loss if is_turned => Outcome::Win,
            other => other,
        };
        let mark = |mark: &crate::library::Mark| MarkMessage {
            point: at(mark.point),
            kind: mark.kind,
            text: mark.text.clone(),
        };
        // The length of a win is shown only if it was counted.
        let is_counted = entry.decided.is_none_or(|decided| decided.plies.is_some());
        EntryMessage {
            games: entry.played.games,
            black: entry.played.share(Color::Black),
            white: entry.played.share(Color::White),
            score,
            win_rate: score.map(win_probability),
            plies_to_end: score.filter(|_| is_counted).and_then(plies_to_end),
            depth: entry.depth,
            nodes: entry.nodes,
            outcome: entry.decided.map(|decided| turned(decided.outcome)),
            proved: entry.decided.is_some_and(|decided| decided.is_checked),
            marked: entry.is_marked,
            tag: entry.tag,
            comment: entry.comment.clone(),
            marks: entry.marks.iter().map(mark).collect(),
        }
    }
}

fn unreadable(error: &AccessError) -> Rejection {
    Rejection::new(Code::Library, error.to_string())
}

impl LibraryQuestion {
    /// Looks the position up.
    pub fn answer(&self, library: &Library) -> Result<LibraryAnswer, Rejection> {
        let none = || Rejection::new(Code::NotSupported, "there is no library here");
        let library = library.as_deref().ok_or_else(none)?;
        let game = self.position.game()?;
        let mut record =
            library.position_record(game.rule(), game.stones()).map_err(|error| unreadable(&error))?;
        record.sort_branches();
        let message = |branch: &crate::library::Branch| MoveMessage {
            point: at(branch.point),
            entry: EntryMessage::new(&branch.entry, true),
        };
        Ok(LibraryAnswer {
            entry: record.entry.as_ref().map(|entry| EntryMessage::new(entry, false)),
            moves: record.branches.iter().map(message).collect(),
        })
    }
}

impl BookMessage {
    /// The move that the library plays, if it knows one.
    pub fn choose(self, library: &Library, game: &Game) -> Option<BookMove> {
        let variety = if self.variety.is_finite() { self.variety.clamp(0.0, 1.0) } else { 0.0 };
        let options = BookOptions { variety, seed: self.seed };
        book_move(library.as_deref()?, game.rule(), game.stones(), options)
    }
}
