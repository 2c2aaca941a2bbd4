//! Ending a game before it is over, by its length or by what the engines say of it.
//!
//! Knows scores in the order of the moves and nothing of the board.

use serde::{Deserialize, Serialize};

use super::outcome::{GameResult, Reason};
use crate::board::Color;

/// When a game is ended before it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// A draw when so many stones are on the board.
    pub draw_after: Option<usize>,
    /// A draw after so many moves in a row with scores no further from 0 than this.
    pub quiet: Option<(usize, i32)>,
    /// A loss after so many own moves in a row with scores of minus this or less.
    pub resign: Option<(usize, i32)>,
    /// The opponent's scores must agree with a resignation.
    pub resign_both: bool,
}

impl Adjudication {
    /// How the game ends after these moves, if it does. `scores` has one entry for each stone on the board, from the
    /// view of the engine that placed it; stones of the opening and moves without a score have none. `to_move` has
    /// the next move.
    #[must_use]
    pub(super) fn end(&self, scores: &[Option<i32>], to_move: Color) -> Option<(GameResult, Reason)> {
        if let Some((count, score)) = self.resign {
            let lost = last_scores(scores, 0, count).is_some_and(|own| own.iter().all(|&s| s <= -score));
            let agreed = || last_scores(scores, 1, count).is_some_and(|own| own.iter().all(|&s| s >= score));
            if lost && (!self.resign_both || agreed()) {
                // The loser has just moved.
                return Some((GameResult::win(to_move), Reason::Resignation));
            }
        }
        if self.draw_after.is_some_and(|limit| scores.len() >= limit) {
            return Some((GameResult::Draw, Reason::Length));
        }
        if let Some((count, score)) = self.quiet {
            let last: Vec<i32> = scores.iter().rev().map_while(|&score| score).take(count).collect();
            if last.len() == count && last.iter().all(|&s| s.abs() <= score) {
                return Some((GameResult::Draw, Reason::Quiet));
            }
        }
        None
    }
}

/// The last `count` scores of the side that moved `back` moves before the last; `None` if there are fewer.
fn last_scores(scores: &[Option<i32>], back: usize, count: usize) -> Option<Vec<i32>> {
    let own: Vec<i32> =
        scores.iter().rev().skip(back).step_by(2).map_while(|&score| score).take(count).collect();
    (own.len() == count).then_some(own)
}
