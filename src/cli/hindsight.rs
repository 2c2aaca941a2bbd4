//! Which moves of an analysed game were mistakes. A search before a move cannot see all that the one after it sees, so
//! a forced win or loss that is found late says something of the positions before it. `hindsight.js` of the board is
//! the same rule for a game with variations, in the language of the page. Knows nothing of how positions are searched.

use crate::board::{Color, Point};
use crate::eval::score::plies_to_end;

/// A move that gives away this much of the expected score is a mistake.
const MISTAKE: f64 = 0.15;
/// A move that gives away this much of the expected score is a blunder.
const BLUNDER: f64 = 0.35;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub(super) to_move: Color,
    /// The expected score of the side to move.
    pub(super) share: f64,
    /// Whether that is a forced end, or one that has come, and not an estimate.
    pub(super) is_forced: bool,
    /// The move that is best, `None` where there is none.
    pub(super) best: Option<Point>,
}

impl Known {
    /// What a search has found.
    pub(super) fn found(to_move: Color, share: f64, score: i32, best: Option<Point>) -> Self {
        Self { to_move, share, is_forced: plies_to_end(score).is_some(), best }
    }

    /// What is known of a game that is over.
    pub(super) fn over(to_move: Color, share: f64) -> Self {
        Self { to_move, share, is_forced: true, best: None }
    }

    /// The expected score of this colour.
    pub(super) fn share_of(&self, color: Color) -> f64 {
        if self.to_move == color { self.share } else { 1.0 - self.share }
    }

    /// Whether the game is over there: a search that finds a forced end knows a move.
    fn is_over(&self) -> bool {
        self.is_forced && self.best.is_none()
    }

    /// 1 for a forced win of this colour, -1 for a forced loss, 0 for all else; a draw is neither.
    fn outcome(&self, color: Color) -> i32 {
        let share = self.share_of(color);
        if self.is_forced { i32::from(share > 0.5) - i32::from(share < 0.5) } else { 0 }
    }
}

/// How a move is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Nothing,
    Mistake,
    Blunder,
}

impl Mark {
    /// As it stands behind a move.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// Corrects what the searches of a game's positions have found, in the order of the game, by what the later ones know.
/// `played` tells for each position the move that the game went on with, and whose it was.
///
/// Estimates of two searches are compared as they are, since neither is better than the other. Where one of them has
/// found a forced end, the later one holds for the position before as well, if the move between them was the best that
/// was known there, or has turned out to be better than that.
pub(super) fn correct(found: &mut [Option<Known>], played: &[Option<(Point, Color)>]) {
    for n in (1..found.len()).rev() {
        let (Some(before), Some(after)) = (found[n - 1], found[n]) else { continue };
        let Some((point, color)) = played[n - 1] else { continue };
        // The other side has passed, so that this was no choice of the side to move, or the game went on after its end.
        if color != before.to_move || before.is_over() || !(before.is_forced || after.is_forced) {
            continue;
        }
        let share = after.share_of(color);
        if before.best == Some(point) || share > before.share {
            found[n - 1] = Some(Known { share, is_forced: after.is_forced, best: Some(point), ..before });
        }
    }
}

/// How much of the expected score this move has given away, between what is known before it and after it. The best move
/// that is known gives away nothing, even if the next search thinks less of it: nothing says that another one would
/// have been better.
pub(super) fn loss(before: &Known, after: &Known, played: Option<Point>) -> f64 {
    if before.best.is_none() || before.best == played {
        return 0.0;
    }
    // The same side moves again after a pass, and where stones of the other side are left out.
    (before.share - after.share_of(before.to_move)).max(0.0)
}

/// The mark of this move. Whoever turns a win into none, or what was not lost into a loss, has made a mistake, however
/// little was expected.
pub(super) fn mark(before: &Known, after: &Known, played: Option<Point>) -> Mark {
    let (lost, color) = (loss(before, after, played), before.to_move);
    if lost >= BLUNDER {
        Mark::Blunder
    } else if lost >= MISTAKE || lost > 0.0 && after.outcome(color) < before.outcome(color) {
        Mark::Mistake
    } else {
        Mark::Nothing
    }
}

#[cfg(test)]
#[path = "hindsight_tests.rs"]
mod tests;
