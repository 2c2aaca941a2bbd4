//! How near a move lies to the stones before it, for the move-ordering score: an attack goes on where it is, and
//! so does its defence.

#[cfg(any(feature = "tools", test))]
use crate::board::Point;

/// So many of the last stones are looked at.
pub const STONES: usize = 2;
/// Distances from this one on are all alike.
const FAR: usize = 7;
/// Answers of [`index`].
pub const NEARNESS_COUNT: usize = STONES * (FAR + 1) * (FAR + 1);

/// Which weight counts for a move at `point` when the stone of this age, 0 for the last, stands at `stone`: one for
/// each pair of distances along rows and columns, whichever of the two is longer.
#[cfg(any(feature = "tools", test))]
#[must_use]
pub fn index(age: usize, point: Point, stone: Point) -> usize {
    index_of(age, point.x().abs_diff(stone.x()), point.y().abs_diff(stone.y()))
}

/// The same for distances along rows and columns.
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
