//! How a game ended: who won, and why.

use serde::{Deserialize, Serialize};

use super::player::Fault;
use crate::board::Color;

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// Black.
    Black,
    /// White.
    White,
    /// Nobody.
    Draw,
}

impl GameResult {
    /// The win of a colour.
    #[must_use]
    pub fn win(color: Color) -> GameResult {
        match color {
            Color::Black => GameResult::Black,
            Color::White => GameResult::White,
        }
    }

    /// The colour that wins.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Black => Some(Color::Black),
            GameResult::White => Some(Color::White),
            GameResult::Draw => None,
        }
    }
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Reason {
    /// The winner has made a winning line.
    Line,
    /// The loser has made a forbidden move.
    Foul,
    /// No empty cell is left.
    FullBoard,
    /// The game has reached the length at which it is called a draw.
    Length,
    /// Both engines' scores stayed close to 0 for a given number of moves.
    Quiet,
    /// The scores say that the loser has lost.
    Resignation,
    /// The loser has failed.
    Fault {
        /// How.
        fault: Fault,
    },
}
