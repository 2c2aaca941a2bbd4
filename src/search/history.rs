//! What worked before: moves that caused cutoffs, wherever in the tree, are tried early elsewhere (the [history
//! heuristic](https://www.chessprogramming.org/History_Heuristic) and the [countermove
//! heuristic](https://www.chessprogramming.org/Countermove_Heuristic)).

use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

use super::correction::CorrectionHistory;
use super::params::{HISTORY_LIMIT, counter_move_bonus, history_per_ordering_point};
use crate::board::{ByColor, Color, POINT_COUNT, Point};

/// How often and at what depth moves caused cutoffs, and which move refuted which. All threads of a search write into
/// one history, so that each sees what the others have refuted; an update that is lost now and then does no harm.
pub(crate) struct History {
    /// By colour and point, within ±[`HISTORY_LIMIT`].
    points: ByColor<Box<[AtomicI16; POINT_COUNT]>>,
    /// By the colour that answers and the move that it answers: the index of the counter move, or 0.
    counters: ByColor<Box<[AtomicU16; POINT_COUNT]>>,
    /// How searches disagreed with the static evaluation.
    pub(super) corrections: CorrectionHistory,
}

const _: () = assert!(2 * HISTORY_LIMIT <= i16::MAX as i32);

impl Default for History {
    fn default() -> History {
        History {
            points: ByColor::from_fn(|_| Box::new([const { AtomicI16::new(0) }; POINT_COUNT])),
            counters: ByColor::from_fn(|_| Box::new([const { AtomicU16::new(0) }; POINT_COUNT])),
            corrections: CorrectionHistory::default(),
        }
    }
}

impl History {
    /// The history value of a move, within ±[`HISTORY_LIMIT`].
    #[must_use]
    #[inline]
    pub(super) fn of(&self, color: Color, point: Point) -> i32 {
        self.points[color][point.index()].load(Relaxed).into()
    }

    /// The counter move: the move of `color` that last refuted the opponent's stone at `last`.
    #[must_use]
    #[inline]
    pub(super) fn counter(&self, color: Color, last: Option<Point>) -> Option<Point> {
        Point::from_cell(self.counters[color][last?.index()].load(Relaxed).into())
    }

    /// What history adds to the [move-ordering](https://www.chessprogramming.org/Move_Ordering) scores of moves, in
    /// points of that score.
    #[inline]
    pub(super) fn ordering_scores(&self, color: Color, counter: Option<Point>) -> impl Fn(Point) -> i32 {
        let points = &self.points[color];
        move |point| {
            let counter = if counter == Some(point) { counter_move_bonus() } else { 0 };
            i32::from(points[point.index()].load(Relaxed)) / history_per_ordering_point() + counter
        }
    }

    /// Rewards a move of `color` that caused a cutoff after the moves in `tried` did not.
    pub(super) fn reward(
        &self,
        color: Color,
        point: Point,
        tried: &[Point],
        last: Option<Point>,
        bonus: i32,
    ) {
        self.add(color, point, bonus);
        for &other in tried {
            self.add(color, other, -bonus);
        }
        if let Some(last) = last {
            self.counters[color][last.index()].store(point.index() as u16, Relaxed);
        }
    }

    /// Adds with "gravity": values drift towards the limit but never pass it, since a value near the limit gains little
    /// and loses much.
    fn add(&self, color: Color, point: Point, bonus: i32) {
        let value = &self.points[color][point.index()];
        let old = i32::from(value.load(Relaxed));
        value.store((old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16, Relaxed);
    }

    /// Halves the values of moves, so that old results fade as new searches begin. Counter moves and corrections stay.
    pub(super) fn fade(&mut self) {
        for points in &mut self.points.0 {
            points.iter_mut().for_each(|value| *value.get_mut() /= 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params::history_bonus_limit;

    #[test]
    fn values_stay_within_the_limit() {
        let history = History::default();
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
