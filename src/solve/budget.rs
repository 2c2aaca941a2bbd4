//! How much a search may spend: the limits that a caller sets, and the node count that is checked against
//! them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a [`Solver`](super::Solver) may spend on a position. The search ends with whichever limit is reached
/// first; without limits it goes on until the position is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverLimits {
    /// Time from the beginning of the search; `None` is no limit.
    pub time: Option<Duration>,
    /// Nodes, that is positions searched; `None` is no limit. With this limit alone the answer is the same on
    /// every machine.
    pub nodes: Option<u64>,
    /// Memory of the tables in bytes. A proof that is found takes some 100 bytes per node on top.
    pub memory: usize,
}

impl Default for SolverLimits {
    /// No limit but 320 MiB for the tables, which leaves room in the 350 MB that tournaments allow a program.
    fn default() -> SolverLimits {
        SolverLimits { time: None, nodes: None, memory: 320 << 20 }
    }
}

/// Shared between a running search and those who wait for it: the request to stop, and the node count.
#[derive(Debug, Default)]
pub struct SolverControl {
    /// Set to end the search.
    pub(super) stop: AtomicBool,
    /// Nodes so far, updated every few hundred nodes.
    pub(super) nodes: AtomicU64,
}

impl SolverControl {
    /// A control without a request to stop.
    #[must_use]
    pub fn new() -> SolverControl {
        SolverControl::default()
    }

    /// Asks the search to stop. It does so within a millisecond or so, and then returns what it has found
    /// out.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Nodes between two checks of the clock: some tenths of a millisecond.
const CLOCK_EVERY: u64 = 512;

/// Counts nodes, and says when a limit is reached.
#[derive(Debug)]
pub(super) struct NodeBudget<'a> {
    nodes: u64,
    limit: u64,
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
    /// Where the count is published to other threads from time to time.
    shown: Option<&'a AtomicU64>,
    is_spent: bool,
}

impl<'a> NodeBudget<'a> {
    /// A budget of `limit` nodes, which also ends at the deadline and when `stop` is set.
    #[must_use]
    pub(super) fn new(limit: u64, deadline: Option<Instant>, stop: &'a AtomicBool) -> NodeBudget<'a> {
        NodeBudget { nodes: 0, limit, deadline, stop, shown: None, is_spent: false }
    }

    /// Also adds the nodes spent to this count, a few hundred at a time.
    #[must_use]
    pub(super) fn shown_in(self, count: &'a AtomicU64) -> NodeBudget<'a> {
        NodeBudget { shown: Some(count), ..self }
    }

    /// Counts a node; false if the budget is spent. No more nodes are counted than the limit allows.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        self.is_spent |= self.nodes >= self.limit;
        if self.is_spent {
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_EVERY) {
            self.look_up();
        }
        !self.is_spent
    }

    /// Checks the clock and the request to stop, and publishes the count.
    fn look_up(&mut self) {
        self.is_spent |= self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if let Some(shown) = self.shown {
            shown.fetch_add(CLOCK_EVERY, Ordering::Relaxed);
        }
    }

    /// Whether a search was cut short.
    #[must_use]
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// Nodes so far.
    #[must_use]
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }
}
