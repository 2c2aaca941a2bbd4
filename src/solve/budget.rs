//! When a search must end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Positions between two looks at the clock: some tenths of a millisecond.
const CLOCK_EVERY: u64 = 512;

/// Counts positions, and says when it is enough.
#[derive(Debug)]
pub struct Budget<'a> {
    nodes: u64,
    limit: u64,
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
    is_spent: bool,
}

impl<'a> Budget<'a> {
    /// Allows so many positions, until the deadline, and until `stop` is set.
    #[must_use]
    pub fn new(limit: u64, deadline: Option<Instant>, stop: &'a AtomicBool) -> Budget<'a> {
        Budget { nodes: 0, limit, deadline, stop, is_spent: false }
    }

    /// Counts a position; false when nothing is left.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_EVERY) {
            self.is_spent |= self.stop.load(Ordering::Relaxed)
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.is_spent |= self.nodes > self.limit;
        !self.is_spent
    }

    /// Whether a search was cut short.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// Positions so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}
