//! The deferral table: which moves some thread is searching just now, so that other threads do something else first.
//!
//! This is T. Kerrigan's [simplified ABDADA](http://www.tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA/), a
//! form of [ABDADA](https://www.chessprogramming.org/ABDADA). All threads walk the same tree. A thread that comes to a
//! move which another is searching defers it until nobody searches it any more, when the transposition table mostly
//! answers for it, or else to the end of its list.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::params::DEFERRAL_SLOTS;

/// The keys of the positions being searched. Two keys that fall into one slot only cost work, never correctness.
pub struct DeferralTable(Box<[AtomicU64]>);

impl Default for DeferralTable {
    fn default() -> DeferralTable {
        DeferralTable((0..DEFERRAL_SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl DeferralTable {
    #[inline]
    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[(key >> 32) as usize % DEFERRAL_SLOTS]
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
