//! Root splitting: the root moves of a position are distributed among the workers.
//!
//! All workers first search the first root move together, as in the [young brothers wait
//! concept](https://www.chessprogramming.org/Young_Brothers_Wait_Concept): they search the same tree, defer moves that
//! another worker is searching, and share results through the transposition table. Then each worker takes the next move
//! from a shared queue and searches it with the shared alpha. A worker that finds the queue empty helps with the moves
//! that are still being searched. A single worker does the same in plain order, so a search with one thread is
//! deterministic.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::margins;
use super::node::{NonPv, Pv};
use super::params::PLY;
use super::progress::SearchProgress;
use super::root_search::RootSearch;
use super::worker::{Interrupted, Worker};
use crate::board::Point;
use crate::eval::Evaluator;
use crate::eval::score::{self, Score};
use crate::rules::RuleSet;

impl<R: RuleSet, E: Evaluator<R>> Worker<'_, R, E> {
    /// Takes part in a root search until nothing is left to do.
    pub(super) fn search_root(&mut self, root: &Arc<RootSearch>, report: &(dyn Fn(SearchProgress) + Sync)) {
        // An interruption ends the search of one move only: either another thread has settled the move, or the whole
        // search is to stop, which is checked before each move.
        let _ = self.search_root_move(root, 0, report);
        loop {
            let n = root.take_next();
            if n >= root.moves.len() || root.is_over() || self.shared.stop.load(Relaxed) {
                break;
            }
            let _ = self.search_root_move(root, n, report);
        }
        for n in 0..root.moves.len() {
            if root.is_over() || self.shared.stop.load(Relaxed) {
                break;
            }
            if !root.is_settled(n) {
                let _ = self.search_root_move(root, n, report);
            }
        }
        self.root_move = None;
        self.flush_nodes();
    }

    /// Searches the `n`-th move of the root and settles it.
    fn search_root_move(
        &mut self,
        root: &Arc<RootSearch>,
        n: usize,
        report: &(dyn Fn(SearchProgress) + Sync),
    ) -> Result<(), Interrupted> {
        self.root_move = Some((Arc::clone(root), n));
        self.resume();
        self.poll()?;
        let point = root.moves[n];
        let nodes = self.nodes;
        self.selective_depth = 1;
        report(SearchProgress::MoveStarted(point));
        let end = self.score_if_over_after(point);
        self.play(point);
        let score = match end {
            Some(score) => {
                self.frame().pv.clear();
                Ok(score)
            }
            None => self.root_move_score(root, n),
        };
        let mut pv = vec![point];
        pv.extend_from_slice(&self.frame().pv);
        self.undo();
        root.add_nodes(n, self.nodes - nodes);
        let score = score?;
        self.poll()?;
        if root.settle(n, score, pv, self.selective_depth) {
            report(SearchProgress::NewBest(point));
        }
        report(SearchProgress::MoveFinished { point, lost: score::is_loss(score) });
        Ok(())
    }

    /// The score for the side to move if this move ends the game: a five, for which only searches for several lines get
    /// here, or a forbidden move, of which there is one only where all others are forbidden as well.
    pub(super) fn score_if_over_after(&mut self, point: Point) -> Option<Score> {
        if self.position.wins_at(point) {
            Some(score::win_in(self.ply + 1))
        } else if self.position.is_forbidden(point) {
            Some(score::lost_in(self.ply + 1))
        } else {
            None
        }
    }

    /// The score of the `n`-th move of the root, which has just been played, for the side that played it.
    fn root_move_score(&mut self, root: &RootSearch, n: usize) -> Result<Score, Interrupted> {
        let depth = root.depth - PLY;
        let alpha = root.alpha();
        if n > 0 {
            let reduction = margins::root_reduction(root.depth, n + 1);
            let mut score = -self.search::<NonPv>(-alpha - 1, -alpha, depth - reduction, true)?;
            if score > alpha && reduction > 0 {
                score = -self.search::<NonPv>(-alpha - 1, -alpha, depth, true)?;
            }
            if score <= alpha {
                self.frame().pv.clear();
                return Ok(score);
            }
        }
        // Another thread may have raised alpha meanwhile; then this move has to beat the new alpha.
        let alpha = root.alpha();
        if alpha >= root.beta {
            return Ok(alpha);
        }
        Ok(-self.search::<Pv>(-root.beta, -alpha, depth, false)?)
    }
}
