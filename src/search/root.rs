//! The root split: the first moves of a position are shared out among the workers.
//!
//! The oldest move comes first and everyone works on it (younger brothers wait): the workers walk the same
//! tree, put off what another is busy with and meet in the table. Then each takes the next first move from
//! a shared queue with the shared alpha; who finds the queue empty helps with the moves that are still being
//! searched. One worker alone does the same in plain order, so a single thread is deterministic.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::Relaxed};

use parking_lot::Mutex;

use super::margins;
use super::node::{NonPv, Pv};
use super::params::{Depth, PLY};
use super::report::Report;
use super::worker::Worker;
use crate::board::Point;
use crate::eval::Evaluator;
use crate::eval::score::{self, Score};
use crate::rules::RuleSet;

/// First moves that are searched without reduction.
const FULL_DEPTH_MOVES: usize = 3;

/// What was found out about one first move.
#[derive(Clone, Debug)]
pub(super) struct RootResult {
    pub score: Score,
    /// Whether the score is more than an upper bound.
    pub improves: bool,
    /// From the first move on.
    pub pv: Vec<Point>,
    pub selective_depth: usize,
    /// Nodes of the worker that finished the move.
    pub nodes: u64,
}

/// One search of the first moves with one window.
#[derive(Debug)]
pub struct Attempt {
    moves: Vec<Point>,
    depth: Depth,
    alpha: AtomicI32,
    beta: Score,
    next: AtomicUsize,
    settled: Vec<AtomicBool>,
    results: Mutex<Vec<Option<RootResult>>>,
}

impl Attempt {
    /// To search these first moves in this order.
    pub(super) fn new(moves: Vec<Point>, depth: u32, alpha: Score, beta: Score) -> Attempt {
        Attempt {
            depth: depth as Depth * PLY,
            alpha: AtomicI32::new(alpha),
            beta,
            next: AtomicUsize::new(1),
            settled: moves.iter().map(|_| AtomicBool::new(false)).collect(),
            results: Mutex::new(vec![None; moves.len()]),
            moves,
        }
    }

    /// Whether the result of the `n`-th first move is there.
    #[inline]
    pub(super) fn is_settled(&self, n: usize) -> bool {
        self.settled[n].load(Relaxed)
    }

    fn is_cut(&self) -> bool {
        self.alpha.load(Relaxed) >= self.beta
    }

    fn settle(&self, n: usize, result: RootResult) -> bool {
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

    /// The results by the index of the first move; `None` where the search was stopped or cut.
    pub(super) fn take_results(&self) -> Vec<Option<RootResult>> {
        std::mem::take(&mut *self.results.lock())
    }
}

impl<R: RuleSet, E: Evaluator<R>> Worker<'_, R, E> {
    /// Takes part in an attempt until nothing is left to do.
    pub(super) fn join(&mut self, attempt: &Arc<Attempt>, report: &(dyn Fn(Report) + Sync)) {
        self.search_first_move(attempt, 0, report);
        loop {
            let n = attempt.next.fetch_add(1, Relaxed);
            if n >= attempt.moves.len() || attempt.is_cut() || self.shared.stop.load(Relaxed) {
                break;
            }
            self.search_first_move(attempt, n, report);
        }
        for n in 0..attempt.moves.len() {
            if attempt.is_cut() || self.shared.stop.load(Relaxed) {
                break;
            }
            if !attempt.is_settled(n) {
                self.search_first_move(attempt, n, report);
            }
        }
        self.task = None;
        self.flush_nodes();
    }

    fn search_first_move(&mut self, attempt: &Arc<Attempt>, n: usize, report: &(dyn Fn(Report) + Sync)) {
        self.task = Some((Arc::clone(attempt), n));
        self.resume();
        if self.is_interrupted() {
            return;
        }
        let point = attempt.moves[n];
        let nodes = self.nodes;
        self.selective_depth = 0;
        report(Report::MoveStarted(point));
        self.play(point);
        let score = self.score_of_first_move(attempt, n);
        let mut pv = vec![point];
        pv.extend_from_slice(&self.frame().pv);
        self.undo();
        if self.is_interrupted() {
            return;
        }
        let result = RootResult {
            score,
            improves: false,
            pv,
            selective_depth: self.selective_depth,
            nodes: self.nodes - nodes,
        };
        if attempt.settle(n, result) {
            report(Report::NewBest(point));
        }
        report(Report::MoveFinished { point, lost: score::is_loss(score) });
    }

    fn score_of_first_move(&mut self, attempt: &Attempt, n: usize) -> Score {
        let depth = attempt.depth - PLY;
        let alpha = attempt.alpha.load(Relaxed);
        if n > 0 {
            let reduction = if n < FULL_DEPTH_MOVES {
                0
            } else {
                (margins::base_reduction(attempt.depth, n + 1) - PLY).clamp(0, depth)
            };
            let mut score = -self.search::<NonPv>(-alpha - 1, -alpha, depth - reduction, true);
            if score > alpha && reduction > 0 && !self.is_interrupted() {
                score = -self.search::<NonPv>(-alpha - 1, -alpha, depth, true);
            }
            if score <= alpha || self.is_interrupted() {
                self.frame().pv.clear();
                return score;
            }
        }
        // Another thread may have raised alpha meanwhile: then this move has to beat that.
        let alpha = attempt.alpha.load(Relaxed);
        if alpha >= attempt.beta {
            return alpha;
        }
        -self.search::<Pv>(-attempt.beta, -alpha, depth, false)
    }
}
