//! How a running match is told to end: at once, from a signal handler or from the match itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::search::Control;

/// A request to end, seen by every game in progress within a tenth of a second.
#[derive(Debug, Default)]
pub struct Stop {
    asked: AtomicBool,
    interrupted: AtomicBool,
    searches: Mutex<Vec<Arc<Control>>>,
}

impl Stop {
    /// A stop that nobody has requested yet.
    #[must_use]
    pub fn new() -> Arc<Stop> {
        Arc::new(Stop::default())
    }

    /// Ends the match on a request from outside, such as Ctrl-C.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
        self.ask();
    }

    /// Ends the match for a reason of its own, such as a decided test.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
        self.searches.lock().iter().for_each(|control| control.stop());
    }

    /// Begins another match: a reason that the one before had of its own is none for this one. A request from outside
    /// stays.
    pub fn begin(&self) {
        self.asked.store(self.is_interrupted(), Ordering::SeqCst);
        // The request may have come between the two.
        if self.is_interrupted() {
            self.ask();
        }
    }

    /// Whether games in progress are to be abandoned.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Whether the request came from outside.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// Runs a search that this stop also ends.
    pub fn during<T>(&self, search: impl FnOnce(&Control) -> T) -> T {
        let control = Arc::new(Control::new());
        self.searches.lock().push(Arc::clone(&control));
        if self.is_asked() {
            control.stop();
        }
        let result = search(&control);
        self.searches.lock().retain(|other| !Arc::ptr_eq(other, &control));
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_begins_anew_unless_people_want_the_end() {
        let stop = Stop::new();
        stop.ask();
        stop.begin();
        assert!(!stop.is_asked());
        stop.interrupt();
        stop.begin();
        assert!(stop.is_asked() && stop.is_interrupted());
    }
}
