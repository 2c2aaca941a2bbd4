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
    /// Nothing asked yet.
    #[must_use]
    pub fn new() -> Arc<Stop> {
        Arc::new(Stop::default())
    }

    /// Ends the match because someone outside wants it, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
        self.ask();
    }

    /// Ends the match because it has reached its aim.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
        self.searches.lock().iter().for_each(|control| control.stop());
    }

    /// Whether games in progress are to be given up.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Whether someone outside wanted the end.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// Runs a search that this stop ends as well.
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
