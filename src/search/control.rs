//! How a running search is told to stop, or to take another time, and how its caller learns the best move so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use parking_lot::Mutex;

use super::limits::{Limits, TimeControl};
use crate::board::Point;

/// Shared by a running search and its caller, so that the caller can stop it. All methods take effect at once.
#[derive(Debug)]
pub struct Control {
    orders: Arc<Orders>,
    best: Arc<Mutex<Option<Point>>>,
    /// What this search may use of a time control that replaces the first, in percent.
    percent: u32,
    /// The number of time controls that this search has taken notice of.
    seen: AtomicU32,
}

/// What the caller tells all searches of one move.
#[derive(Debug, Default)]
struct Orders {
    stop: AtomicBool,
    /// How often the time control was replaced.
    changes: AtomicU32,
    /// The latest one.
    time: Mutex<Option<TimeControl>>,
}

impl Default for Control {
    fn default() -> Control {
        Control { orders: Arc::default(), best: Arc::default(), percent: 100, seen: AtomicU32::new(0) }
    }
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
        Control { best: Arc::default(), ..self.with_share(100) }
    }

    /// A control for one of several searches that answer together. It obeys orders that are given from now on, and uses
    /// this percentage of a time control that replaces the present one.
    #[must_use]
    pub(crate) fn with_share(&self, percent: u32) -> Control {
        let (orders, best) = (Arc::clone(&self.orders), Arc::clone(&self.best));
        let seen = AtomicU32::new(orders.changes.load(Ordering::Acquire));
        Control { orders, best, percent, seen }
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
        self.orders.changes.fetch_add(1, Ordering::Release);
    }

    /// The time control that has replaced the one of the request, if any.
    #[must_use]
    pub fn time(&self) -> Option<TimeControl> {
        *self.orders.time.lock()
    }

    /// These limits, with the time control that has replaced theirs.
    #[must_use]
    pub(crate) fn latest(&self, limits: Limits) -> Limits {
        Limits { time: self.time().unwrap_or(limits.time), ..limits }
    }

    /// Called by the search to note its best root move so far: a legal one, unless every empty point is forbidden.
    pub(crate) fn note_best(&self, point: Point) {
        *self.best.lock() = Some(point);
    }

    /// The best root move so far, for callers that cannot wait for the answer; `None` at the very beginning, and always
    /// where moves are to be balanced.
    #[must_use]
    pub fn best(&self) -> Option<Point> {
        *self.best.lock()
    }

    /// The time control last set, if this search has not been given it yet, and the percentage of it that is for this
    /// search.
    pub(super) fn new_time(&self) -> Option<(TimeControl, u32)> {
        let changes = self.orders.changes.load(Ordering::Acquire);
        if self.seen.load(Ordering::Relaxed) == changes
            || self.seen.swap(changes, Ordering::Relaxed) == changes
        {
            return None;
        }
        self.time().map(|time| (time, self.percent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn companions_obey_the_same_orders_and_keep_their_best_to_themselves() {
        let control = Control::new();
        let aside = control.companion();
        control.note_best(Point::new(1, 2));
        assert_eq!(aside.best(), None);
        aside.note_best(Point::new(3, 4));
        assert_eq!(control.best(), Some(Point::new(1, 2)));
        let part = control.with_share(70);
        let time = TimeControl { turn: Some(Duration::from_secs(3)), ..TimeControl::default() };
        control.set_time(time);
        // Each search is given it once, and a search that begins later knows it already.
        assert_eq!((control.new_time(), control.new_time()), (Some((time, 100)), None));
        assert_eq!((part.new_time(), part.new_time()), (Some((time, 70)), None));
        assert_eq!((aside.new_time(), control.companion().new_time()), (Some((time, 100)), None));
        assert_eq!(part.time(), Some(time));
        part.note_best(Point::new(5, 6));
        assert_eq!(control.best(), Some(Point::new(5, 6)));
        assert!(!aside.is_stopped());
        control.stop();
        assert!(aside.is_stopped());
    }
}
