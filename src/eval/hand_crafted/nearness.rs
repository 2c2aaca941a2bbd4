//! How near a move lies to the last stones, as a term of the move-ordering score: an attack continues where it is, and
//! so does its defence.

#[cfg(any(feature = "tools", test))]
use crate::board::Point;

/// The number of last stones that are considered.
pub const STONES: usize = 2;
/// Distances of this much or more all count the same.
const FAR: usize = 7;
/// The number of values that [`index`] can return.
pub const NEARNESS_COUNT: usize = STONES * (FAR + 1) * (FAR + 1);

/// The index of the weight for a move at `point`, given a stone at `stone` of this age, 0 for the last stone. There is
/// one weight for each unordered pair of distances along rows and columns.
#[cfg(any(feature = "tools", test))]
#[must_use]
pub fn index(age: usize, point: Point, stone: Point) -> usize {
    index_of(age, point.x().abs_diff(stone.x()), point.y().abs_diff(stone.y()))
}

/// The same, given the distances along rows and columns.
#[inline]
pub(super) fn index_of(age: usize, dx: usize, dy: usize) -> usize {
    let (dx, dy) = (dx.min(FAR), dy.min(FAR));
    (age * (FAR + 1) + dx.max(dy)) * (FAR + 1) + dx.min(dy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Size, Symmetry};

    #[test]
    fn weights_are_the_same_however_the_board_is_turned() {
        let size = Size::square(22);
        let stone = Point::new(9, 4);
        for (age, point) in size.points().enumerate().map(|(n, point)| (n % STONES, point)) {
            let found = index(age, point, stone);
            assert!(found < NEARNESS_COUNT);
            for turn in Symmetry::of(size) {
                assert_eq!(index(age, turn.apply(point, size), turn.apply(stone, size)), found);
            }
        }
    }

    #[test]
    fn distances_differ_as_long_as_they_are_short() {
        let stone = Point::new(10, 10);
        let of = |x, y| index(1, Point::new(x, y), stone);
        assert_ne!(of(11, 10), of(12, 10));
        assert_ne!(of(12, 11), of(12, 12));
        assert_ne!(of(11, 10), index(0, Point::new(11, 10), stone));
        assert_eq!(of(17, 10), of(20, 10));
    }
}
