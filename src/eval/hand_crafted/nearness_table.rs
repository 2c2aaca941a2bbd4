//! Lookup tables for [`nearness`](super::nearness): its weights laid out around a stone.

use std::sync::OnceLock;

use super::nearness::{NEARNESS_COUNT, STONES, index_of};
use super::weights;
use crate::board::point::STRIDE;
use crate::board::{ByColor, Point, Stones};
use crate::rules::{Rule, RuleSet};

/// The number of columns, and of rows, of a table: enough for the distance between any two points of the largest board,
/// in either direction.
const SIDE: usize = 2 * STRIDE;
/// Where the stone stands in a table.
const CENTER: usize = SIDE / 2 * SIDE + SIDE / 2;

/// The weights around a stone of one age, by column and row, so that no distance has to be computed.
#[derive(Debug)]
pub(super) struct NearnessTable(Box<[i16; SIDE * SIDE]>);

impl NearnessTable {
    fn new(weights: &[i16; NEARNESS_COUNT], age: usize) -> NearnessTable {
        let distance = |place: usize| place.abs_diff(SIDE / 2);
        let mut table = Box::new([0; SIDE * SIDE]);
        for (place, weight) in table.iter_mut().enumerate() {
            *weight = weights[index_of(age, distance(place % SIDE), distance(place / SIDE))];
        }
        NearnessTable(table)
    }
}

/// The tables of a rule, by colour to move and age of the stone.
pub(super) fn tables_of<R: RuleSet>() -> &'static ByColor<[NearnessTable; STONES]> {
    static ALL: [OnceLock<ByColor<[NearnessTable; STONES]>>; Rule::ALL.len()] =
        [const { OnceLock::new() }; Rule::ALL.len()];
    ALL[R::RULE.index()].get_or_init(|| {
        ByColor::from_fn(|color| {
            let weights = &weights::of::<R>()[color].nearness;
            std::array::from_fn(|age| NearnessTable::new(weights, age))
        })
    })
}

/// The index of a point in a table of [`SIDE`] columns.
#[inline(always)]
fn place(point: Point) -> usize {
    let index = point.index();
    index + index / STRIDE * (SIDE - STRIDE)
}

/// The sum of what a move's distances from the last stones add to its move-ordering score.
#[inline]
pub(super) fn around<'t>(
    tables: &'t [NearnessTable; STONES],
    stones: &Stones,
) -> impl Fn(Point) -> i32 + use<'t> {
    // A stone that has not been played yet adds nothing.
    static NOTHING: [i16; SIDE * SIDE] = [0; SIDE * SIDE];
    let around: [(&[i16; SIDE * SIDE], usize); STONES] =
        std::array::from_fn(|age| match stones.recent(age) {
            Some((stone, _)) => (&*tables[age].0, CENTER.wrapping_sub(place(stone))),
            None => (&NOTHING, 0),
        });
    move |point| {
        let place = place(point);
        around.iter().map(|(table, from)| i32::from(table[place.wrapping_add(*from) % (SIDE * SIDE)])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::nearness::index;
    use super::*;
    use crate::board::Size;

    #[test]
    fn tables_say_what_distances_say() {
        let weights = std::array::from_fn(|index| 3 * index as i16 - 100);
        let tables = std::array::from_fn(|age| NearnessTable::new(&weights, age));
        let size = Size::new(22, 13).unwrap();
        let mut stones = Stones::new(size);
        for last in [Point::new(0, 0), Point::new(21, 12), Point::new(9, 3), Point::new(21, 0)] {
            stones.place(last, stones.to_move());
            let near = around(&tables, &stones);
            for point in size.points() {
                let slowly = |age| Some(i32::from(weights[index(age, point, stones.recent(age)?.0)]));
                assert_eq!(near(point), (0..STONES).filter_map(slowly).sum::<i32>(), "{point} after {last}");
            }
        }
    }
}
