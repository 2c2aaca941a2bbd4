//! A root search, which searches all root moves with one window: the state that its workers share.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::Relaxed};

use parking_lot::Mutex;

use super::params::{Depth, PLY};
use crate::board::Point;
use crate::eval::score::Score;

/// What was found out about one root move.
#[derive(Clone, Debug)]
pub(super) struct RootResult {
    pub score: Score,
    /// Whether the score is more than an upper bound.
    pub improves: bool,
    /// The principal variation, starting with the root move.
    pub pv: Vec<Point>,
    pub selective_depth: usize,
    /// Nodes searched by the worker that finished the move.
    pub nodes: u64,
}

/// One search of the root moves with one window.
#[derive(Debug)]
pub(super) struct RootSearch {
    pub(super) moves: Vec<Point>,
    pub(super) depth: Depth,
    pub(super) alpha: AtomicI32,
    pub(super) beta: Score,
    /// The move that the next free worker takes.
    pub(super) next: AtomicUsize,
    settled: Vec<AtomicBool>,
    results: Mutex<Vec<Option<RootResult>>>,
}

impl RootSearch {
    /// A search of these root moves in this order.
    pub(super) fn new(moves: Vec<Point>, depth: u32, alpha: Score, beta: Score) -> RootSearch {
        RootSearch {
            depth: depth as Depth * PLY,
            alpha: AtomicI32::new(alpha),
            beta,
            next: AtomicUsize::new(1),
            settled: moves.iter().map(|_| AtomicBool::new(false)).collect(),
            results: Mutex::new(vec![None; moves.len()]),
            moves,
        }
    }

    /// Whether there is a result for the `n`-th root move.
    #[inline]
    pub(super) fn is_settled(&self, n: usize) -> bool {
        self.settled[n].load(Relaxed)
    }

    /// Whether a move has reached beta, so that the others no longer matter.
    pub(super) fn is_cut(&self) -> bool {
        self.alpha.load(Relaxed) >= self.beta
    }

    /// Notes the result of the `n`-th root move, unless another worker was quicker. Returns whether it is the best so
    /// far.
    pub(super) fn settle(&self, n: usize, result: RootResult) -> bool {
        let mut results = self.results.lock();
        if results[n].is_some() {
            return false;
        }
        // Another thread may have raised alpha meanwhile.
        let is_best = result.score > self.alpha.fetch_max(result.score, Relaxed);
        results[n] = Some(RootResult { improves: is_best, ..result });
        self.settled[n].store(true, Relaxed);
        is_best
    }

    /// The results by the index of the root move; `None` where the search was stopped or cut off.
    pub(super) fn take_results(&self) -> Vec<Option<RootResult>> {
        std::mem::take(&mut *self.results.lock())
    }
}
