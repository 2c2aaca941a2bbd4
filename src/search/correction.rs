//! The [correction history](https://www.chessprogramming.org/Static_Evaluation_Correction_History): by how much
//! searches disagreed with the static evaluation of positions that have something in common with this one. What the
//! evaluation overlooks in one position it mostly overlooks in the next as well.

use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

use super::params::{
    CORRECTION_LIMIT, CORRECTION_PLIES, CORRECTION_SLOTS, Depth, PLY, correction_by_moves,
    correction_by_stones, correction_rate,
};
use crate::board::{Stones, zobrist};
use crate::eval::Score;

/// What positions can have in common: the stones of the side to move, those of its opponent, or the last two moves.
const ASPECTS: usize = 3;

/// The corrections. All threads of a search write into one table; an update that is lost now and then does no harm.
pub(super) struct CorrectionHistory {
    /// By aspect, and by [`CorrectionSlots`] within it; within ±[`CORRECTION_LIMIT`].
    values: Box<[[AtomicI16; CORRECTION_SLOTS]; ASPECTS]>,
}

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        CorrectionHistory {
            values: Box::new([const { [const { AtomicI16::new(0) }; CORRECTION_SLOTS] }; ASPECTS]),
        }
    }
}

/// Where the corrections for a position are, by aspect. Different positions may share a slot.
#[derive(Clone, Copy)]
pub(super) struct CorrectionSlots([usize; ASPECTS]);

impl CorrectionSlots {
    /// The slots of a position.
    #[must_use]
    #[inline]
    pub(super) fn of(stones: &Stones) -> CorrectionSlots {
        let own = stones.to_move();
        let index = |back| stones.recent(back).map_or(0, |(point, _)| point.index() as u64);
        let moves = zobrist::extra(index(0) << u16::BITS | index(1));
        let keys = [stones.hash_of(own), stones.hash_of(!own), moves];
        // What the other colour has learned of the same stones is about another side to move.
        CorrectionSlots(
            keys.map(|key| {
                zobrist::place_of(key, CORRECTION_SLOTS / 2) + own.index() * (CORRECTION_SLOTS / 2)
            }),
        )
    }
}

impl CorrectionHistory {
    /// What to add to the static evaluation of a position, in points.
    #[must_use]
    #[inline]
    pub(super) fn of(&self, CorrectionSlots(slots): CorrectionSlots) -> Score {
        let [own, other, moves] = std::array::from_fn(|n| i32::from(self.values[n][slots[n]].load(Relaxed)));
        (correction_by_stones() * (own + other) + correction_by_moves() * moves) / CORRECTION_LIMIT
    }

    /// Learns from a search of this depth whose score differs by `difference` from the corrected evaluation.
    pub(super) fn learn(&self, CorrectionSlots(slots): CorrectionSlots, difference: Score, depth: Depth) {
        let plies = (depth / PLY).clamp(1, CORRECTION_PLIES);
        let step = difference.saturating_mul(plies * correction_rate());
        let step = step.clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (values, slot) in self.values.iter().zip(slots) {
            // With "gravity", as in the history of moves.
            let old = i32::from(values[slot].load(Relaxed));
            values[slot].store((old + step - old * step.abs() / CORRECTION_LIMIT) as i16, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Point, Size};

    fn stones(moves: &[(usize, usize)]) -> Stones {
        let mut stones = Stones::new(Size::square(15));
        for &(x, y) in moves {
            stones.place(Point::new(x, y), stones.to_move());
        }
        stones
    }

    #[test]
    fn what_was_learned_is_added_and_stays_within_its_limit() {
        let corrections = CorrectionHistory::default();
        let here = CorrectionSlots::of(&stones(&[(7, 7), (8, 8), (6, 8)]));
        assert_eq!(corrections.of(here), 0);
        corrections.learn(here, 20, 4 * PLY);
        let once = corrections.of(here);
        assert!(once > 0);
        for _ in 0..1000 {
            corrections.learn(here, Score::MAX, 100 * PLY);
        }
        let most = 2 * correction_by_stones() + correction_by_moves();
        assert!((once + 1..=most).contains(&corrections.of(here)));
        corrections.learn(here, -20, 4 * PLY);
        assert!(corrections.of(here) < most);
    }

    #[test]
    fn positions_share_what_they_have_in_common() {
        let slots = |moves| CorrectionSlots::of(&stones(moves)).0;
        let [own, other, moves] = slots(&[(7, 7), (8, 8), (6, 8), (5, 5)]);
        let turned = slots(&[(6, 8), (8, 8), (7, 7), (5, 5)]);
        assert_eq!((turned[0], turned[1]), (own, other), "the order of stones does not count");
        assert_ne!(turned[2], moves, "but the last two moves do");
        let elsewhere = slots(&[(7, 7), (8, 8), (6, 8), (9, 9)]);
        assert_eq!(elsewhere[0], own);
        assert_ne!(elsewhere[1], other);
        let mut passed = stones(&[(7, 7), (8, 8), (6, 8), (5, 5)]);
        passed.set_to_move(Color::White);
        assert_ne!(CorrectionSlots::of(&passed).0[2], moves, "each side to move has its own");
    }
}
