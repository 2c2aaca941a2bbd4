//! The deferral table: which moves some thread is searching just now, so that other threads search something else
//! first.
//!
//! This is T. Kerrigan's [simplified ABDADA](http://www.tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA/), a
//! form of [ABDADA](https://www.chessprogramming.org/ABDADA). All threads search the same tree. When a thread comes to
//! a move that another thread is searching, it defers the move until no thread is searching it any more, when the
//! transposition table usually has the result, or else to the end of its list.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::params::DEFERRAL_SLOTS;

/// The keys of the positions being searched. If two keys fall into one slot, that only costs work, never correctness.
pub(super) struct DeferralTable(Box<[AtomicU64]>);

impl Default for DeferralTable {
    fn default() -> DeferralTable {
        DeferralTable((0..DEFERRAL_SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl DeferralTable {
    /// The position with this key.
    #[inline]
    pub(super) fn child(&self, key: u64) -> Child<'_> {
        Child { slot: &self.0[(key >> 32) as usize % DEFERRAL_SLOTS], key }
    }
}

/// The position after a move, and its slot in the table.
#[derive(Clone, Copy)]
pub(super) struct Child<'a> {
    slot: &'a AtomicU64,
    key: u64,
}

impl<'a> Child<'a> {
    /// Whether a thread is searching the position.
    #[inline]
    pub(super) fn is_being_searched(self) -> bool {
        self.slot.load(Relaxed) == self.key
    }

    /// Tells the other threads that this one is searching the position, until the claim is dropped.
    #[inline]
    pub(super) fn claim(self) -> Claim<'a> {
        self.slot.store(self.key, Relaxed);
        Claim(self)
    }
}

/// A position that a thread is searching.
pub(super) struct Claim<'a>(Child<'a>);

impl Drop for Claim<'_> {
    #[inline]
    fn drop(&mut self) {
        // Another position may have taken over the slot meanwhile.
        if self.0.is_being_searched() {
            self.0.slot.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_holds_until_it_is_dropped() {
        let table = DeferralTable::default();
        let (child, other) = (table.child(5 << 32), table.child(5 << 32 | 1));
        let claim = child.claim();
        assert!(child.is_being_searched() && !other.is_being_searched());
        // Both share one slot: the later claim wins, and dropping the earlier one leaves it alone.
        let later = other.claim();
        drop(claim);
        assert!(!child.is_being_searched() && other.is_being_searched());
        drop(later);
        assert!(!other.is_being_searched());
    }
}
