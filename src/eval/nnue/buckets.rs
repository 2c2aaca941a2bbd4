//! Which set of layers a position has, by how many stones are on the board: what a feature is worth in an opening and
//! in a crowded ending is not the same. Engines with [NNUE](https://www.chessprogramming.org/NNUE) call these sets
//! layer stacks or output buckets; only one of them runs, so they cost memory and no time.

use crate::board::Stones;
#[cfg(any(test, feature = "tools"))]
use crate::rules::RuleSet;

/// Sets of layers for each colour to move.
pub const BUCKETS: usize = 4;

/// Stones from one bucket to the next.
const STONES: usize = 16;

/// The bucket of a position with these stones, 0 to [`BUCKETS`] - 1.
#[inline]
#[must_use]
pub fn bucket(stones: &Stones) -> usize {
    let count = stones.size().area() - stones.empty_count();
    (count / STONES).min(BUCKETS - 1)
}

/// Heads that a network for `R` has: those of all buckets, once for both colours or for each.
#[cfg(any(test, feature = "tools"))]
#[must_use]
pub fn heads_of<R: RuleSet>() -> usize {
    if R::treats_colors_alike() { BUCKETS } else { 2 * BUCKETS }
}
