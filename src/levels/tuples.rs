//! The first teaching engine: the table of five-tuples. Every window of five points has a value by the stones in it, a
//! point is worth the sum of its windows, and the point worth most is played.
//!
//! It sees neither ends nor gaps nor what comes next, so when it answers a three depends only on its table. What makes
//! a five depends on the rule, and the caller knows it.

use super::seeded_random::SeededRandom;
use crate::board::{Cell, Color, Direction, Point, PointSet, Stones};

/// Points in a window.
const LENGTH: usize = 5;
/// The value of a window that holds 0 to 4 own stones and none of the opponent's.
const OWN: [u32; LENGTH] = [1, 6, 30, 150, 100_000];
/// The value of a window that holds 0 to 4 stones of the opponent and no own ones.
const OTHER: [u32; LENGTH] = [1, 4, 14, 55, 9_000];

/// The best of these points by the table; ties are broken at random. `None` if there are none.
pub(super) fn best(stones: &Stones, points: &PointSet, random: SeededRandom) -> Option<Point> {
    let own = stones.to_move();
    points.iter().max_by_key(|&point| (worth(stones, point, own), random.number(point.index() as u64)))
}

/// The sum of the values of the windows that contain the point.
fn worth(stones: &Stones, point: Point, own: Color) -> u32 {
    let mut sum = 0;
    for direction in Direction::ALL {
        for first in 1 - LENGTH as i64..=0 {
            sum += window(stones, point, direction, first, own).unwrap_or(0);
        }
    }
    sum
}

/// The value of the window whose first cell is `first` steps from the point; `None` if it does not fit on the board.
fn window(stones: &Stones, point: Point, direction: Direction, first: i64, own: Color) -> Option<u32> {
    let (dx, dy) = direction.delta();
    let (mut owns, mut others, mut dead) = (0, 0, false);
    for step in first..first + LENGTH as i64 {
        let (x, y) = (point.x() as i64 + step * dx, point.y() as i64 + step * dy);
        match stones.cell(Point::checked(x, y, stones.size())?) {
            Cell::Stone(color) if color == own => owns += 1,
            Cell::Stone(_) => others += 1,
            Cell::Dead => dead = true,
            Cell::Empty => {}
        }
    }
    Some(match (owns, others) {
        _ if dead => 0,
        (owns, 0) => OWN[owns],
        (0, others) => OTHER[others],
        _ => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    fn stones(black: &[&str], white: &[&str]) -> Stones {
        let mut stones = Stones::new(Size::square(15));
        let mut place = |names: &[&str], color| {
            names.iter().for_each(|name| stones.place(name.parse().unwrap(), color));
        };
        place(black, Color::Black);
        place(white, Color::White);
        stones.set_to_move(Color::Black);
        stones
    }

    fn played(stones: &Stones) -> String {
        let empty = stones.size().points().filter(|&point| stones.is_empty_at(point)).collect();
        best(stones, &empty, SeededRandom::new(0, stones)).unwrap().to_string()
    }

    #[test]
    fn the_table_counts_windows() {
        let lone = stones(&[], &[]);
        // A point in the middle is in 20 windows, one in a corner in three.
        assert_eq!(worth(&lone, "h8".parse().unwrap(), Color::Black), 20);
        assert_eq!(worth(&lone, "a1".parse().unwrap(), Color::Black), 3);
        assert_eq!(played(&stones(&["c3", "d3", "e3", "f3"], &["k8", "l8", "m8", "n8", "b3"])), "g3");
        assert_eq!(played(&stones(&["c3", "j8"], &["k8", "l8", "m8", "n8"])), "o8");
    }
}
