//! The root split: the first moves of a position are shared out among the workers.
//!
//! The oldest move comes first and everyone works on it (younger brothers wait): the workers walk the same
//! tree, put off what another is busy with and meet in the table. Then each takes the next first move from
//! a shared queue with the shared alpha; who finds the queue empty helps with the moves that are still being
//! searched. One worker alone does the same in plain order, so a single thread is deterministic.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::margins;
use super::node::{NonPv, Pv};
use super::params::PLY;
use super::report::Report;
use super::root_search::{RootResult, RootSearch};
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::eval::score::{self, Score};
use crate::rules::RuleSet;

impl<R: RuleSet, E: Evaluator<R>> Worker<'_, R, E> {
    /// Takes part in an root until nothing is left to do.
    pub(super) fn join(&mut self, root: &Arc<RootSearch>, report: &(dyn Fn(Report) + Sync)) {
        self.search_first_move(root, 0, report);
        loop {
            let n = root.next.fetch_add(1, Relaxed);
            if n >= root.moves.len() || root.is_cut() || self.shared.stop.load(Relaxed) {
                break;
            }
            self.search_first_move(root, n, report);
        }
        for n in 0..root.moves.len() {
            if root.is_cut() || self.shared.stop.load(Relaxed) {
                break;
            }
            if !root.is_settled(n) {
                self.search_first_move(root, n, report);
            }
        }
        self.task = None;
        self.flush_nodes();
    }

    fn search_first_move(&mut self, root: &Arc<RootSearch>, n: usize, report: &(dyn Fn(Report) + Sync)) {
        self.task = Some((Arc::clone(root), n));
        self.resume();
        if self.is_interrupted() {
            return;
        }
        let point = root.moves[n];
        let nodes = self.nodes;
        self.selective_depth = 0;
        report(Report::MoveStarted(point));
        self.play(point);
        let score = self.score_of_first_move(root, n);
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
        if root.settle(n, result) {
            report(Report::NewBest(point));
        }
        report(Report::MoveFinished { point, lost: score::is_loss(score) });
    }

    fn score_of_first_move(&mut self, root: &RootSearch, n: usize) -> Score {
        let depth = root.depth - PLY;
        let alpha = root.alpha.load(Relaxed);
        if n > 0 {
            let reduction = margins::root_reduction(root.depth, n + 1);
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
        let alpha = root.alpha.load(Relaxed);
        if alpha >= root.beta {
            return alpha;
        }
        -self.search::<Pv>(-root.beta, -alpha, depth, false)
    }
}
