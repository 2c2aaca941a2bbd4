//! Which moves are being searched by some thread just now, so that others do something else first.
//!
//! The idea of "simplified ABDADA" (T. Kerrigan): all threads walk the same tree; who comes to a move that
//! is already being searched puts it off until nobody searches it any more, when the table mostly answers for it,
//! or to the end of his list.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SLOTS: usize = 1 << 12;

/// The keys of the positions being searched. Collisions only cost work, never correctness.
pub struct Busy(Box<[AtomicU64]>);

impl Default for Busy {
    fn default() -> Busy {
        Busy((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Busy {
    #[inline]
    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[(key >> 32) as usize % SLOTS]
    }

    /// Whether a thread is searching the position with this key.
    #[must_use]
    #[inline]
    pub fn contains(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    /// A thread begins to search the position with this key.
    #[inline]
    pub fn enter(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    /// A thread has searched the position with this key.
    #[inline]
    pub fn leave(&self, key: u64) {
        let slot = self.slot(key);
        if slot.load(Relaxed) == key {
            slot.store(0, Relaxed);
        }
    }
}
