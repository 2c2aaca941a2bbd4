//! Adjudication: ends a game early, by its length or by the scores that the engines report.
//!
//! It sees the scores in the order of the moves and nothing of the board.

use serde::{Deserialize, Serialize};

use super::outcome::{GameResult, Reason};
use crate::board::Color;

/// When a game is ended early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Draw once this many stones are on the board.
    pub draw_after: Option<usize>,
    /// `(moves, score)`: draw after this many consecutive moves whose scores are no further from 0 than `score`, if
    /// both sides give scores.
    pub quiet: Option<(usize, i32)>,
    /// `(moves, score)`: loss after this many consecutive own moves with scores of `-score` or less.
    pub resign: Option<(usize, i32)>,
    /// Whether the opponent's scores must agree before a game counts as resigned.
    pub resign_both: bool,
}

impl Adjudication {
    /// How adjudication ends the game after these moves, if it does. `scores` has one entry for each stone on the
    /// board, from the point of view of the engine that placed it; opening stones and moves without a score have
    /// `None`. `to_move` is the side to move.
    #[must_use]
    pub(super) fn end(&self, scores: &[Option<i32>], to_move: Color) -> Option<(GameResult, Reason)> {
        if let Some((count, score)) = self.resign {
            let lost = last_scores(scores, 0, count)
                .is_some_and(|own| own.iter().all(|&s| s <= score.saturating_neg()));
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
            let scored =
                scores.iter().enumerate().rev().filter_map(|(n, &score)| score.map(|score| (n, score)));
            let last: Vec<(usize, i32)> = scored.take(count).collect();
            let agrees = |side| last.iter().any(|(n, _)| n % 2 == side);
            let is_quiet = last.iter().all(|(_, score_found)| score_found.saturating_abs() <= score);
            if last.len() == count && is_quiet && (count == 1 || agrees(0) && agrees(1)) {
                return Some((GameResult::Draw, Reason::Quiet));
            }
        }
        None
    }
}

/// The last `count` scores of the side that moved `back` moves before the last; `None` if there are fewer. Moves
/// without a score are passed over: a reply that is forced often has none.
fn last_scores(scores: &[Option<i32>], back: usize, count: usize) -> Option<Vec<i32>> {
    let own: Vec<i32> =
        scores.iter().rev().skip(back).step_by(2).filter_map(|&score| score).take(count).collect();
    (own.len() == count).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forced_moves_without_a_score_are_passed_over() {
        let resign = Adjudication { resign: Some((2, 1500)), ..Adjudication::default() };
        let lost = [Some(-1600), Some(1600), None, Some(1700), Some(-1700)];
        assert_eq!(resign.end(&lost, Color::White), Some((GameResult::White, Reason::Resignation)));
        let quiet = Adjudication { quiet: Some((4, 10)), ..Adjudication::default() };
        assert_eq!(
            quiet.end(&[Some(3), Some(90), Some(1), None, Some(2), Some(0), Some(4)], Color::White),
            Some((GameResult::Draw, Reason::Quiet))
        );
        assert_eq!(
            quiet.end(&[Some(3), Some(9), Some(1), None, Some(20), Some(0), Some(4)], Color::White),
            None
        );
        // One side alone does not make a draw.
        assert_eq!(quiet.end(&[Some(3), None, Some(1), None, Some(2), None, Some(4)], Color::White), None);
    }

    #[test]
    fn the_lowest_number_is_a_score_like_others() {
        let scores = [Some(i32::MIN)];
        let quiet = Adjudication { quiet: Some((1, 10)), ..Adjudication::default() };
        assert_eq!(quiet.end(&scores, Color::White), None);
        let resign = Adjudication { resign: Some((1, i32::MAX)), ..Adjudication::default() };
        assert_eq!(resign.end(&scores, Color::White), Some((GameResult::White, Reason::Resignation)));
    }
}
