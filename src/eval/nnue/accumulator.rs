//! The accumulator: the features of all points summed up by region, kept current move by move.
//!
//! Changes are only noted down while stones come and go. They are summed up when the position is evaluated, and the
//! sums of the positions on the way are kept, for most of what is evaluated next begins with the same moves.

use std::ops::Range;

use bytemuck::cast;
use wide::{i8x16, i16x16, u8x32};

use super::regions::{REGIONS, has_features, region};
use super::transformer::{FeatureTransformer, Features};
use crate::board::{ByColor, POINT_COUNT, Size};
use crate::rules::RuleSet;
use crate::shapes::{Code, ShapeChange, Tables};

/// Features summed up, as Black sees them and as White does.
pub(super) type RegionSum = [i16x16; 2];

/// The sums over each region.
pub(super) type Accumulator = [RegionSum; REGIONS];

/// The accumulators of a position and of those that led to it.
#[derive(Clone)]
pub(super) struct AccumulatorStack {
    /// Codes of a point that is as free as a point can be: it counts for nothing.
    free: ByColor<Code>,
    /// By [`Point::index`].
    regions: Box<[u8; POINT_COUNT]>,
    /// All changes since the empty board, and how many there were before each stone.
    changes: Vec<ShapeChange>,
    marks: Vec<u32>,
    /// The sums after so many changes, for positions that led here; the first is the one without any.
    known: Vec<(u32, Accumulator)>,
}

impl AccumulatorStack {
    /// An empty board of this size whose shapes have not been announced yet.
    pub(super) fn new<R: RuleSet>(size: Size) -> AccumulatorStack {
        let mut regions = Box::new([0; POINT_COUNT]);
        for point in size.points() {
            regions[point.index()] = region(point, size) as u8;
        }
        AccumulatorStack {
            free: Tables::of::<R>().free_codes(),
            regions,
            changes: Vec::with_capacity(8 * POINT_COUNT),
            marks: Vec::with_capacity(size.area()),
            known: vec![(0, [[i16x16::ZERO; 2]; REGIONS])],
        }
    }

    /// Notes what points offer from now on.
    #[inline]
    pub(super) fn note(&mut self, changes: &[ShapeChange]) {
        self.changes.extend_from_slice(changes);
    }

    /// A stone is about to be placed.
    #[inline]
    pub(super) fn push(&mut self) {
        self.marks.push(self.changes.len() as u32);
    }

    /// The last stone was taken back.
    #[inline]
    pub(super) fn pop(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        self.changes.truncate(mark as usize);
        while self.known.last().is_some_and(|known| known.0 > mark) {
            self.known.pop();
        }
    }

    /// The sums of the position as it is now.
    pub(super) fn current(&mut self, transformer: &FeatureTransformer) -> &Accumulator {
        let known = self.last_known().0;
        let unknown = self.marks.partition_point(|&mark| mark <= known);
        for n in unknown..=self.marks.len() {
            let upto = self.marks.get(n).map_or(self.changes.len(), |&mark| mark as usize);
            let (from, sums) = *self.last_known();
            if (from as usize) < upto {
                let sums = self.changed_sums(transformer, sums, from as usize..upto);
                self.known.push((upto as u32, sums));
            }
        }
        &self.last_known().1
    }

    fn last_known(&self) -> &(u32, Accumulator) {
        self.known.last().expect("the first sums are never taken away")
    }

    /// These sums after some of the changes.
    #[inline]
    fn changed_sums(
        &self,
        transformer: &FeatureTransformer,
        mut sums: Accumulator,
        changes: Range<usize>,
    ) -> Accumulator {
        for change in &self.changes[changes] {
            let grown = self.features(transformer, change.new) - self.features(transformer, change.old);
            let [black, white]: [i8x16; 2] = cast(grown);
            let sum = &mut sums[usize::from(self.regions[change.point.index()])];
            *sum = [sum[0] + i16x16::from_i8x16(black), sum[1] + i16x16::from_i8x16(white)];
        }
        sums
    }

    /// The features of a point with these codes, where it has any.
    #[inline]
    fn features(&self, transformer: &FeatureTransformer, codes: ByColor<Code>) -> Features {
        let counts = if has_features(codes, self.free) { u8::MAX } else { 0 };
        transformer.features(codes) & u8x32::splat(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::weights::NnueWeights;
    use crate::position::Position;
    use crate::random::crowded_games;
    use crate::rules::{Rule, with_rule};
    use crate::shapes::ShapeObserver;

    impl ShapeObserver for AccumulatorStack {
        fn changed(&mut self, changes: &[ShapeChange]) {
            self.note(changes);
        }
    }

    /// However often it was asked on the way, and whatever was tried and taken back.
    #[test]
    fn sums_do_not_depend_on_the_way() {
        let transformer = FeatureTransformer::new(&NnueWeights::builtin().features);
        for rule in Rule::ALL {
            with_rule!(rule, R => for game in crowded_games(6) {
                let mut asked = AccumulatorStack::new::<R>(game.start.size());
                let mut position = Position::<R>::from_stones(&game.start, &mut asked);
                for (n, &(point, color)) in game.moves.iter().enumerate() {
                    if position.to_move() != color {
                        position.pass();
                    }
                    for tries in 0..=n % 3 {
                        asked.push();
                        position.play(point, &mut asked);
                        if (n + tries) % 2 == 0 {
                            asked.current(&transformer);
                        }
                        if tries < n % 3 {
                            position.undo();
                            asked.pop();
                        }
                    }
                    let mut fresh = AccumulatorStack::new::<R>(game.start.size());
                    let _ = Position::<R>::from_stones(position.stones(), &mut fresh);
                    let expected = *fresh.current(&transformer);
                    assert_eq!(*asked.clone().current(&transformer), expected, "{rule} after {}", n + 1);
                }
            });
        }
    }
}
