//! A move with its [move-ordering](https://www.chessprogramming.org/Move_Ordering) score, and a quick way to find the
//! next best move of a list.

use wide::i32x8;

use crate::board::{POINT_COUNT, Point};

/// A move and its move-ordering score in one number. Greater is better; among equal scores, the first move in row order
/// is greater. Every step of every node looks for the best of a list, and plain numbers can be compared several at a
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ScoredMove(i32);

impl ScoredMove {
    const POINTS: i32 = POINT_COUNT as i32;
    const LIMIT: i32 = i32::MAX / ScoredMove::POINTS - 1;
    /// Comes before all moves.
    pub(super) const BEST: ScoredMove = ScoredMove(i32::MAX);
    /// Comes after all moves, and has no point.
    const NONE: ScoredMove = ScoredMove(i32::MIN);
    /// Number of moves that are compared at a time.
    pub(super) const LANES: usize = 8;

    pub(super) fn new(point: Point, score: i32) -> ScoredMove {
        let score = score.clamp(-ScoredMove::LIMIT, ScoredMove::LIMIT);
        ScoredMove(score * ScoredMove::POINTS + (ScoredMove::POINTS - point.index() as i32))
    }

    pub(super) fn point(self) -> Option<Point> {
        Point::from_cell((ScoredMove::POINTS - self.0.rem_euclid(ScoredMove::POINTS)) as usize)
    }

    /// Pads a list with entries that are not moves, so that it can be read in groups of [`ScoredMove::LANES`].
    #[inline]
    pub(super) fn pad(all: &mut Vec<ScoredMove>) {
        all.resize(all.len().next_multiple_of(ScoredMove::LANES), ScoredMove::NONE);
    }

    /// The best move after this one in a list that was [padded](ScoredMove::pad). If there is none, the result has
    /// no point.
    #[inline]
    pub(super) fn next(self, all: &[ScoredMove]) -> ScoredMove {
        let (last, least) = (i32x8::splat(self.0), i32x8::splat(ScoredMove::NONE.0));
        let (eights, _) = all.as_chunks::<{ ScoredMove::LANES }>();
        let best = eights.iter().fold(least, |best, eight| {
            let eight = i32x8::new(eight.map(|scored| scored.0));
            best.max(eight.simd_lt(last).select(eight, least))
        });
        ScoredMove(best.to_array().into_iter().fold(i32::MIN, i32::max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_by_score_and_then_in_row_order() {
        let scores = [0, -7, 3, 3, i32::MAX, 0, i32::MIN, 12, 3, -7, 5_000, 0, -1, 1, 0, 2, -9, 3, 0, 40];
        for len in 0..scores.len() {
            let points = |n| Point::new(n % 15, n / 15);
            let mut moves: Vec<ScoredMove> =
                (0..len).map(|n| ScoredMove::new(points(n), scores[n])).collect();
            ScoredMove::pad(&mut moves);
            let mut expected: Vec<usize> = (0..len).collect();
            expected.sort_by_key(|&n| (std::cmp::Reverse(scores[n]), n));
            let mut last = ScoredMove::BEST;
            for n in expected {
                last = last.next(&moves);
                assert_eq!(last.point(), Some(points(n)), "{len} moves");
            }
            assert_eq!(last.next(&moves).point(), None, "{len} moves");
        }
    }
}
