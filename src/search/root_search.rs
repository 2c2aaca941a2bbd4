//! A root search, which searches all root moves with one window: the state that its workers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use parking_lot::Mutex;

use super::params::{Depth, MAX_DEPTH, PLY};
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
}

/// One search of the root moves with one window.
#[derive(Debug)]
pub(super) struct RootSearch {
    pub(super) moves: Vec<Point>,
    pub(super) depth: Depth,
    alpha: AtomicI32,
    pub(super) beta: Score,
    /// The move that the next free worker takes.
    next: AtomicUsize,
    settled: Vec<AtomicBool>,
    /// Whether it was ended early.
    is_ended: AtomicBool,
    /// Nodes that all workers have searched below each root move, those of the next iteration among them.
    nodes: Arc<[AtomicU64]>,
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
            is_ended: AtomicBool::new(false),
            nodes: moves.iter().map(|_| AtomicU64::new(0)).collect(),
            results: Mutex::new(vec![None; moves.len()]),
            moves,
        }
    }

    /// The next iteration of this search, with the window that this one has now. Nodes count for both.
    pub(super) fn next_iteration(&self) -> RootSearch {
        let depth = ((self.depth / PLY) as u32 + 1).min(MAX_DEPTH);
        let nodes = Arc::clone(&self.nodes);
        RootSearch { nodes, ..RootSearch::new(self.moves.clone(), depth, self.alpha(), self.beta) }
    }

    /// Ends the search, because nothing that it would still find is needed.
    pub(super) fn end(&self) {
        self.is_ended.store(true, Relaxed);
    }

    /// The number of the next root move that no worker has taken; the count of moves or more when there is none left.
    pub(super) fn take_next(&self) -> usize {
        self.next.fetch_add(1, Relaxed)
    }

    /// The score that a move has to beat. Another worker may raise it at any time.
    pub(super) fn alpha(&self) -> Score {
        self.alpha.load(Relaxed)
    }

    /// Whether there is a result for the `n`-th root move.
    #[inline]
    pub(super) fn is_settled(&self, n: usize) -> bool {
        self.settled[n].load(Relaxed)
    }

    /// Counts nodes that a worker has searched below the `n`-th root move, whether it has finished it or not.
    pub(super) fn add_nodes(&self, n: usize, nodes: u64) {
        self.nodes[n].fetch_add(nodes, Relaxed);
    }

    /// The nodes below the `n`-th root move. They are complete when the root search is over.
    pub(super) fn nodes(&self, n: usize) -> u64 {
        self.nodes[n].load(Relaxed)
    }

    /// Whether what is left no longer matters, because a move has reached beta or the search was ended.
    pub(super) fn is_over(&self) -> bool {
        self.alpha() >= self.beta || self.is_ended.load(Relaxed)
    }

    /// Notes the result of the `n`-th root move, unless another worker was quicker. Returns whether it is the best so
    /// far.
    pub(super) fn settle(&self, n: usize, score: Score, pv: Vec<Point>, selective_depth: usize) -> bool {
        let mut results = self.results.lock();
        if results[n].is_some() {
            return false;
        }
        // Another thread may have raised alpha meanwhile.
        let improves = score > self.alpha.fetch_max(score, Relaxed);
        results[n] = Some(RootResult { score, improves, pv, selective_depth });
        self.settled[n].store(true, Relaxed);
        improves
    }

    /// The results by the index of the root move; `None` where the search was stopped or cut off.
    pub(super) fn take_results(&self) -> Vec<Option<RootResult>> {
        std::mem::take(&mut *self.results.lock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root_of_three() -> RootSearch {
        let moves: Vec<Point> = (0..3).map(|x| Point::new(x, 0)).collect();
        RootSearch::new(moves, 4, -10, 10)
    }

    #[test]
    fn nodes_of_all_workers_count() {
        let root = root_of_three();
        std::thread::scope(|scope| {
            for nodes in [5, 7, 9] {
                let root = &root;
                scope.spawn(move || root.add_nodes(1, nodes));
            }
        });
        assert_eq!([0, 1, 2].map(|n| root.nodes(n)), [0, 21, 0]);
    }

    #[test]
    fn the_next_iteration_has_results_of_its_own_and_counts_for_both() {
        let root = root_of_three();
        root.settle(0, 3, Vec::new(), 1);
        let next = root.next_iteration();
        assert_eq!((next.depth, next.alpha(), next.beta), (5 * PLY, 3, 10));
        assert!(root.is_settled(0) && !next.is_settled(0));
        next.add_nodes(2, 8);
        assert_eq!(root.nodes(2), 8);
        next.end();
        assert!(next.is_over() && !root.is_over());
    }

    #[test]
    fn nothing_lies_deeper_than_the_deepest_iteration() {
        let root = RootSearch::new(Vec::new(), MAX_DEPTH, -10, 10);
        assert_eq!(root.next_iteration().depth, root.depth);
    }
}
