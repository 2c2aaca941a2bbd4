//! Why a command was not carried out, in words for the manager.

use std::fmt;

use super::settings::MIN_MEMORY;
use crate::board::{MAX_SIDE, MIN_SIDE, Point};
use crate::rules::OpeningError;

/// Why a command was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionError {
    /// No board was set up yet.
    NoBoard,
    /// A board of this width and height is not supported.
    Size(i64, i64),
    /// The coordinates are off the board.
    Outside(i64, i64),
    /// There is a stone or a dead cell already.
    Occupied(Point),
    /// There is no stone to take back.
    NoStone(Point),
    /// The field of a `BOARD` line is none of 1, 2 and 3.
    Field(i64),
    /// The game has begun already.
    NotEmpty,
    /// No empty cell is left for the move that is asked for.
    Full,
    /// An opening question was asked with this number of stones.
    OpeningStones(usize),
    /// A question of an opening does not fit the rule or the stones.
    Opening(OpeningError),
    /// The engine has found no answer; that is a mistake of this program.
    NoAnswer,
    /// Less memory is allowed than any search needs, in bytes.
    Memory(u64),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::NoBoard => write!(f, "there is no board yet, send START"),
            // The sides asked for are left out: Piskvork searches this text for "20".
            SessionError::Size(..) => {
                write!(f, "unsupported board size, both sides must be {MIN_SIDE} to {MAX_SIDE}")
            }
            SessionError::Outside(x, y) => write!(f, "the point {x},{y} is off the board"),
            SessionError::Occupied(point) => {
                write!(f, "the point {},{} is taken", point.x(), point.y())
            }
            SessionError::NoStone(point) => {
                write!(f, "there is no stone on {},{}", point.x(), point.y())
            }
            SessionError::Field(field) => write!(f, "the field {field} is none of 1, 2 and 3"),
            SessionError::NotEmpty => write!(f, "the board is not empty"),
            SessionError::Full => write!(f, "the board has no room for it"),
            SessionError::OpeningStones(count) => {
                write!(f, "the opening cannot be decided with {count} stones on the board")
            }
            SessionError::Opening(error) => error.fmt(f),
            SessionError::NoAnswer => write!(f, "the engine has found no answer"),
            SessionError::Memory(bytes) => {
                write!(f, "max_memory {bytes} is too low, {MIN_MEMORY} bytes are needed")
            }
        }
    }
}

impl std::error::Error for SessionError {}
