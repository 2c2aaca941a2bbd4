//! What worked before: moves that refuted others, wherever they stood in the tree.

use super::params::{HISTORY_LIMIT, counter_move_promise, history_per_promise};
use crate::board::{ByColor, Color, POINT_COUNT, Point};

/// How often and how deep moves caused cutoffs, and which move answered which.
#[derive(Clone)]
pub struct History {
    /// By colour and point, within ±[`HISTORY_LIMIT`].
    points: ByColor<Box<[i16; POINT_COUNT]>>,
    /// By colour that answers and the move it answers.
    counters: ByColor<Box<[Option<Point>; POINT_COUNT]>>,
}

const _: () = assert!(2 * HISTORY_LIMIT <= i16::MAX as i32);

impl Default for History {
    fn default() -> History {
        History {
            points: ByColor::from_fn(|_| Box::new([0; POINT_COUNT])),
            counters: ByColor::from_fn(|_| Box::new([None; POINT_COUNT])),
        }
    }
}

impl History {
    /// What a move has done so far, within ±[`HISTORY_LIMIT`].
    #[must_use]
    #[inline]
    pub fn of(&self, color: Color, point: Point) -> i32 {
        self.points[color][point.index()].into()
    }

    /// The move of `color` that last refuted the opponent's stone at `last`.
    #[must_use]
    #[inline]
    pub fn counter(&self, color: Color, last: Option<Point>) -> Option<Point> {
        self.counters[color][last?.index()]
    }

    /// History in points of promise, for ordering.
    #[must_use]
    #[inline]
    pub fn promise(&self, color: Color, point: Point, counter: Option<Point>) -> i32 {
        let counter = if counter == Some(point) { counter_move_promise() } else { 0 };
        self.of(color, point) / history_per_promise() + counter
    }

    /// A move of `color` caused a cutoff after the moves in `tried` did not.
    pub fn reward(&mut self, color: Color, point: Point, tried: &[Point], last: Option<Point>, bonus: i32) {
        self.add(color, point, bonus);
        for &other in tried {
            self.add(color, other, -bonus);
        }
        if let Some(last) = last {
            self.counters[color][last.index()] = Some(point);
        }
    }

    /// Values drift towards the limit and never pass it: what is near it gains little and loses much.
    fn add(&mut self, color: Color, point: Point, bonus: i32) {
        let value = &mut self.points[color][point.index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    /// Halves all values, so that a new search starts from a fading memory.
    pub fn fade(&mut self) {
        for points in &mut self.points.0 {
            points.iter_mut().for_each(|value| *value /= 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params::history_bonus_limit;

    #[test]
    fn values_stay_within_the_limit() {
        let mut history = History::default();
        let [good, bad] = [Point::new(1, 1), Point::new(2, 2)];
        for _ in 0..1000 {
            history.reward(Color::White, good, &[bad], Some(bad), history_bonus_limit());
        }
        assert!((1..=HISTORY_LIMIT).contains(&history.of(Color::White, good)));
        assert!((-HISTORY_LIMIT..0).contains(&history.of(Color::White, bad)));
        assert_eq!(history.of(Color::Black, good), 0);
        assert_eq!(history.counter(Color::White, Some(bad)), Some(good));
        assert_eq!(history.counter(Color::White, None), None);
    }
}
