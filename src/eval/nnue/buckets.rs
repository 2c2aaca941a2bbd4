//! The set of layers for a position, selected by the number of stones on the board: a feature is not worth the same in
//! an opening as in a crowded endgame. Engines with [NNUE](https://www.chessprogramming.org/NNUE) call these sets layer
//! stacks or output buckets. Only one of them is evaluated, so they cost memory but no time.

use crate::board::Stones;
#[cfg(any(test, feature = "tools"))]
use crate::rules::RuleSet;

/// Sets of layers for each colour to move.
pub const BUCKETS: usize = 4;

/// The step from one bucket to the next, in stones.
const STONES: usize = 16;

/// The bucket of a position with these stones, 0 to [`BUCKETS`] - 1.
#[inline]
#[must_use]
pub fn bucket(stones: &Stones) -> usize {
    (stones.history().len() / STONES).min(BUCKETS - 1)
}

/// The numbers of stones that select a bucket, as text: from the fewest to the most.
#[cfg(feature = "cli")]
#[must_use]
pub fn stones_of(bucket: usize) -> String {
    let fewest = bucket * STONES;
    if bucket == BUCKETS - 1 { format!("{fewest}+") } else { format!("{fewest}-{}", fewest + STONES - 1) }
}

/// The number of heads of a network for `R`: one for each bucket if both colours share them, otherwise one for each
/// colour and bucket.
#[cfg(any(test, feature = "tools"))]
#[must_use]
pub fn heads_of<R: RuleSet>() -> usize {
    if R::treats_colors_alike() { BUCKETS } else { 2 * BUCKETS }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Size};

    #[test]
    fn stones_count_and_dead_cells_do_not() {
        let mut stones = Stones::new(Size::square(15));
        let points: Vec<_> = stones.size().points().collect();
        points[100..140].iter().for_each(|&point| stones.kill(point));
        for (n, &point) in points[..100].iter().enumerate() {
            assert_eq!(bucket(&stones), (n / 16).min(3), "{n} stones");
            stones.place(point, Color::Black);
        }
    }
}
