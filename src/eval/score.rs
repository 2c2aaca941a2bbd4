//! Scores: how good a position is for the side to move.
//!
//! An ordinary score counts points of the evaluation and stays within [`MAX_EVAL`]. A forced win in
//! `n` plies from here is [`WIN`]` - n`, a forced loss its negative, so nearer wins and later losses
//! score better.

/// A score in points, from the point of view of the side to move; positive is good.
pub type Score = i32;

/// A win that is already on the board; no score is higher.
pub const WIN: Score = 30_000;
/// The longest forced win, in plies, that can be distinguished from an ordinary score.
pub const MAX_PLY: usize = 512;
/// The lowest score that means a forced win.
pub const WIN_BOUND: Score = WIN - MAX_PLY as Score;
/// The largest score that an evaluation may return, in either direction.
pub const MAX_EVAL: Score = 20_000;
/// A draw.
pub const DRAW: Score = 0;
/// Larger than every score: the full window is `-INFINITE..INFINITE`.
pub const INFINITE: Score = WIN + 1;

const _: () = assert!(MAX_EVAL < WIN_BOUND && INFINITE <= i16::MAX as Score);

/// The number of points at which the side to move is expected to score 73 % (the logistic function of 1).
pub(crate) const WIN_PROBABILITY_SCALE: f64 = 200.0;

/// The score of a win `plies` plies from now.
#[must_use]
#[inline]
pub const fn win_in(plies: usize) -> Score {
    WIN - plies as Score
}

/// The score of a loss `plies` plies from now.
#[must_use]
#[inline]
pub const fn lost_in(plies: usize) -> Score {
    plies as Score - WIN
}

/// Whether the score says that the side to move wins by force.
#[must_use]
#[inline]
pub const fn is_win(score: Score) -> bool {
    score >= WIN_BOUND
}

/// Whether the score says that the side to move loses by force.
#[must_use]
#[inline]
pub const fn is_loss(score: Score) -> bool {
    score <= -WIN_BOUND
}

/// Whether the score says that either side wins by force.
#[must_use]
#[inline]
pub const fn is_decided(score: Score) -> bool {
    is_win(score) || is_loss(score)
}

/// The number of plies to the forced end: positive if the side to move wins, negative if it loses, `None` for an
/// ordinary score.
///
/// ```
/// use kagetsu::eval::score;
/// assert_eq!(score::plies_to_end(score::win_in(5)), Some(5));
/// assert_eq!(score::plies_to_end(score::lost_in(4)), Some(-4));
/// assert_eq!(score::plies_to_end(17), None);
/// ```
#[must_use]
pub const fn plies_to_end(score: Score) -> Option<i32> {
    if is_win(score) {
        Some(WIN - score)
    } else if is_loss(score) {
        Some(-WIN - score)
    } else {
        None
    }
}

/// Converts a score for the transposition table: distances of forced wins and losses, counted from the root in the
/// search, are stored as counted from the node at `ply`.
#[must_use]
#[inline]
pub const fn to_table(score: Score, ply: usize) -> i16 {
    (if is_win(score) {
        score + ply as Score
    } else if is_loss(score) {
        score - ply as Score
    } else {
        score
    }) as i16
}

/// The inverse of [`to_table`].
#[must_use]
#[inline]
pub const fn from_table(score: i16, ply: usize) -> Score {
    let score = score as Score;
    if is_win(score) {
        score - ply as Score
    } else if is_loss(score) {
        score + ply as Score
    } else {
        score
    }
}

/// The winning probability: the expected score of the side to move, where a win counts 1 and a draw one half.
#[must_use]
pub fn win_probability(score: Score) -> f64 {
    if is_win(score) {
        1.0
    } else if is_loss(score) {
        0.0
    } else {
        1.0 / (1.0 + (-f64::from(score) / WIN_PROBABILITY_SCALE).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_keeps_the_distance_from_the_node() {
        for score in [0, 5, -300, MAX_EVAL, win_in(9), lost_in(12)] {
            for ply in [0, 1, 7] {
                assert_eq!(from_table(to_table(score, ply), ply), score);
            }
        }
        // A win 3 plies below a node at ply 4 is a win in 7 from the root.
        assert_eq!(to_table(win_in(7), 4), win_in(3) as i16);
    }

    #[test]
    fn probabilities_are_symmetric() {
        for score in [0, 40, 500, win_in(3)] {
            assert!((win_probability(score) + win_probability(-score) - 1.0).abs() < 1e-12);
        }
    }
}
