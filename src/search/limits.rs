//! What a search is asked, within which limits, and how it is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::board::{Point, PointSet};
use crate::eval::score::Score;

/// The time that a manager allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Limit for this move; zero asks for an answer at once, and `None` sets no limit.
    pub turn: Option<Duration>,
    /// Time left for the whole game; `None` is unlimited.
    pub left: Option<Duration>,
    /// Added to the time left after each move.
    pub increment: Duration,
}

impl TimeControl {
    /// The most time that the move may take; `None` without a limit.
    #[must_use]
    pub fn limit(&self) -> Option<Duration> {
        self.turn.into_iter().chain(self.left).min()
    }
}

/// When a search must end: at the first of these limits that is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time for the move.
    pub time: TimeControl,
    /// Nodes searched by all threads together.
    pub nodes: Option<u64>,
    /// Depth of the deepest iteration, in plies.
    pub depth: Option<u32>,
}

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The best moves, best first: as many lines as asked for, and at least one.
    Best {
        /// How many different root moves to rank.
        lines: usize,
    },
    /// The single move after which the mover's score is nearest to `bias`.
    BalanceOne {
        /// In points, from the view of the side that makes the move.
        bias: Score,
    },
    /// Two moves, one of each colour, after which the mover's score is nearest to `bias`.
    BalanceTwo {
        /// In points, from the view of the side that is to move now and again after the two.
        bias: Score,
    },
}

/// One question to the search.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is to be found.
    pub task: Task,
    /// When to end.
    pub limits: Limits,
    /// Points that may not be chosen as the root move (unless nothing else is legal).
    pub blocked: PointSet,
    /// When the manager's command arrived. The clock runs from here.
    pub started: Instant,
}

impl Request {
    /// Asks for the best move within the limits, starting now.
    #[must_use]
    pub fn best(limits: Limits) -> Request {
        Request { task: Task::Best { lines: 1 }, limits, blocked: PointSet::EMPTY, started: Instant::now() }
    }
}

/// Shared by a running search and its caller, so that the caller can stop it. All methods take effect at once.
#[derive(Debug, Default)]
pub struct Control {
    orders: Arc<Orders>,
    best: Mutex<Option<Point>>,
}

/// What the caller tells all searches of one move.
#[derive(Debug, Default)]
struct Orders {
    stop: AtomicBool,
    changed: AtomicBool,
    time: Mutex<Option<TimeControl>>,
}

impl Control {
    /// A control that gives no orders yet.
    #[must_use]
    pub fn new() -> Control {
        Control::default()
    }

    /// A control for a side search, which obeys the same orders but keeps its best move to itself.
    #[must_use]
    pub fn companion(&self) -> Control {
        Control { orders: Arc::clone(&self.orders), best: Mutex::default() }
    }

    /// Ends the search; it answers with the best it has.
    pub fn stop(&self) {
        self.orders.stop.store(true, Ordering::Relaxed);
    }

    /// Whether [`Control::stop`] was called.
    #[must_use]
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.orders.stop.load(Ordering::Relaxed)
    }

    /// Replaces the time control of the running search; the time already used counts.
    pub fn set_time(&self, time: TimeControl) {
        *self.orders.time.lock() = Some(time);
        self.orders.changed.store(true, Ordering::Release);
    }

    /// Called by the search to note its best root move so far: a legal one, unless every empty point is forbidden.
    pub(crate) fn note_best(&self, point: Point) {
        *self.best.lock() = Some(point);
    }

    /// The best root move so far, for callers that cannot wait for the answer; `None` at the very beginning, and always
    /// for tasks other than [`Task::Best`].
    #[must_use]
    pub fn best(&self) -> Option<Point> {
        *self.best.lock()
    }

    /// The time control last set, returned only once.
    pub(crate) fn take_time(&self) -> Option<TimeControl> {
        if !self.orders.changed.swap(false, Ordering::Acquire) {
            return None;
        }
        self.orders.time.lock().take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_obey_the_same_orders_and_keep_their_best_to_themselves() {
        let control = Control::new();
        let aside = control.companion();
        control.note_best(Point::new(1, 2));
        assert_eq!(aside.best(), None);
        aside.note_best(Point::new(3, 4));
        assert_eq!(control.best(), Some(Point::new(1, 2)));
        let time = TimeControl { turn: Some(Duration::from_secs(3)), ..TimeControl::default() };
        control.set_time(time);
        assert_eq!((aside.take_time(), control.take_time()), (Some(time), None));
        assert!(!aside.is_stopped());
        control.stop();
        assert!(aside.is_stopped());
    }
}
