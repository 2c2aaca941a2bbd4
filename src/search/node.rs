//! The search of one node: a [principal variation search](https://www.chessprogramming.org/Principal_Variation_Search)
//! in numbered steps.
//!
//! Terms used throughout (see [node types](https://www.chessprogramming.org/Node_Types)): a *PV node* is searched with
//! an open window and may become part of the principal variation. A node with a zero-width window is expected to be a
//! *cut node* if one good reply should refute the move that led to it, and otherwise an *all node*, all of whose moves
//! are expected to fail low.
//!
//! When a search is interrupted, every node takes back the move it has played and passes [`Interrupted`] on to its
//! parent. This ends early only at a node that another thread has settled meanwhile.

use arrayvec::ArrayVec;

use super::candidates::Candidates;
use super::margins;
use super::params::*;
use super::selectivity::{Candidate, NodeFacts};
use super::spent_points::{spent_score, waiting_move};
use super::table::{Bound, Entry};
use super::threats::{ForcedReply, forced_reply, is_lost, sure_win};
use super::worker::{Interrupted, NodeBounds, Worker};
use crate::board::Point;
use crate::eval::Evaluator;
use crate::eval::score::{self, DRAW, INFINITE, Score};
use crate::rules::RuleSet;
use crate::shapes::Threat;

/// The kind of a node, as a type.
pub(super) trait NodeKind {
    /// Whether the window is open.
    const PV: bool;
}

/// A node whose window is open.
pub(super) struct Pv;

/// A node with a zero-width window, which only has to say whether its score is above a bound.
pub(super) struct NonPv;

impl NodeKind for Pv {
    const PV: bool = true;
}

impl NodeKind for NonPv {
    const PV: bool = false;
}

/// The moves of a node that were searched before the one that caused a cutoff, as far as the history learns from them.
type TriedMoves = ArrayVec<Point, TRIED_MOVES>;

/// The static evaluation of a node.
#[derive(Clone, Copy)]
struct Evaluation {
    /// As the evaluator computed it.
    computed: Score,
    /// Corrected by what searches of similar positions have found.
    corrected: Score,
    /// The same, or what a search that the table remembers has found instead.
    by_table: Score,
    /// Whether the side to move stands better than at its last turn.
    improving: bool,
}

impl<R: RuleSet, E: Evaluator<R>> Worker<'_, R, E> {
    /// The score of the position for the side to move, as exactly as the window asks: a score of at most `alpha` is an
    /// upper bound, one of at least `beta` a lower bound.
    pub(super) fn search<N: NodeKind>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        cut_node: bool,
    ) -> Result<Score, Interrupted> {
        self.poll()?;
        if N::PV {
            self.frame().pv.clear();
            self.selective_depth = self.selective_depth.max(self.ply);
        }
        if self.position.stones().is_full() {
            return Ok(DRAW);
        }
        let excluded = self.frame().excluded;

        // Step 1. Positions that the threat counts alone settle.
        if excluded.is_none()
            && let Some(score) = self.score_by_threats()
        {
            return Ok(score);
        }

        // Step 2. Quiescence search. A five that must be stopped usually has only one answer, so that answer is still
        // searched.
        let other = !self.position.to_move();
        let is_leaf = depth <= 0 && self.position.map().count(other, Threat::Five) == 0;
        if is_leaf || self.at_last_ply() {
            let known = self.shared.table.probe(self.key(), self.ply);
            return self.quiescence(known, beta);
        }

        // Step 3. Mate distance pruning (https://www.chessprogramming.org/Mate_Distance_Pruning): a faster win, or a
        // later loss, is known already.
        alpha = alpha.max(score::lost_in(self.ply));
        beta = beta.min(score::win_in(self.ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }

        // Step 4. Transposition table. What it knows of a node says nothing about the moves without the excluded one.
        let key = self.key();
        let entry = if excluded.is_none() { self.shared.table.probe(key, self.ply) } else { None };
        let bounds = NodeBounds { key, alpha, beta, depth };
        // A single thread searches its PV nodes again, which keeps the principal variation complete. Several threads
        // would each repeat most of the work of such a node.
        let can_be_settled_elsewhere =
            self.shared.deferral.is_some() && excluded.is_none() && depth >= DEFER_DEPTH;
        let may_be_settled = !N::PV || can_be_settled_elsewhere;
        if let Some(entry) = entry.filter(|entry| may_be_settled && bounds.is_settled_by(entry)) {
            return Ok(self.settled_score::<N>(entry.score));
        }
        let entry = entry.unwrap_or_default();
        if !can_be_settled_elsewhere {
            return self.search_unsettled::<N>(bounds, cut_node, &entry);
        }
        self.frame().bounds = Some(bounds);
        let searched = self.search_unsettled::<N>(bounds, cut_node, &entry);
        self.frame().bounds = None;
        searched.or_else(|Interrupted| self.score_found_elsewhere::<N>())
    }

    /// The score of a node that is settled without searching it here, whose principal variation is in the table.
    #[inline]
    fn settled_score<N: NodeKind>(&mut self, score: Score) -> Score {
        if N::PV {
            self.recall_pv();
        }
        score
    }

    /// Ends the interruption if this is the node that another thread has settled: the search goes on with that score.
    fn score_found_elsewhere<N: NodeKind>(&mut self) -> Result<Score, Interrupted> {
        let score = self.take_settled().ok_or(Interrupted)?;
        Ok(self.settled_score::<N>(score))
    }

    /// The score of a position that the threat counts alone settle.
    #[inline]
    fn score_by_threats(&mut self) -> Option<Score> {
        if let Some(win) = sure_win(&mut self.position) {
            return Some(score::win_in(self.ply + win.plies));
        }
        is_lost(&mut self.position).then(|| score::lost_in(self.ply + 2))
    }

    /// Searches a node that neither threats nor the table settle.
    fn search_unsettled<N: NodeKind>(
        &mut self,
        bounds: NodeBounds,
        cut_node: bool,
        entry: &Entry,
    ) -> Result<Score, Interrupted> {
        let NodeBounds { mut alpha, beta, depth, .. } = bounds;
        let excluded = self.frame().excluded;
        let reply = forced_reply(&mut self.position);

        // Step 5. Static evaluation, left out while the opponent threatens a five or an open four, where pruning by it
        // does not pay, and in the singular test, which shares the frame of the node that it tests a move of.
        let may_prune_here =
            matches!(reply, ForcedReply::Free | ForcedReply::StopFourThree(_)) && excluded.is_none();
        let evaluation = may_prune_here.then(|| self.evaluate_node(entry));
        self.frame().eval = evaluation.map(|evaluation| evaluation.corrected);

        // Steps 6 to 8. Pruning of the whole node.
        if let Some(evaluation) = evaluation
            && !N::PV
            && !score::is_decided(beta)
            && let Some(score) = self.prune_node(bounds, cut_node, evaluation, entry)?
        {
            return Ok(score);
        }

        let node = NodeFacts {
            reply,
            depth,
            is_pv: N::PV,
            cut_node,
            improving: evaluation.is_some_and(|evaluation| evaluation.improving),
            ever_pv: N::PV || entry.pv,
        };
        // What is left of the depth for the moves. Pruning goes by the depth of the node.
        let mut remaining = depth;

        // Step 9. Internal iterative reductions (https://www.chessprogramming.org/Internal_Iterative_Reductions), IIR:
        // without a table move the move order is poor, and a cheaper search finds a move for the next visit. A PV node
        // whose entry is from an earlier iteration is searched to a depth between that of the entry and its own.
        if !node.must_stop_five() {
            if entry.point.is_none() && depth >= iir_depth() {
                remaining -= iir_reduction();
            } else if N::PV && entry.point.is_some() {
                remaining -= margins::stale_reduction(depth, entry.depth);
            }
        }

        // Step 10. Singular extensions (https://www.chessprogramming.org/Singular_Extensions): the table's move is the
        // only good one.
        let singular = match excluded {
            None => self.singular_extension::<N>(&node, remaining, entry, beta)?,
            Some(_) => 0,
        };
        self.poll()?;

        // Step 11. The moves, best first. Deferred moves come in between or at the end.
        let eval = evaluation.map(|evaluation| evaluation.by_table);
        let mut best = -INFINITE;
        let mut best_point = None;
        let mut tried = TriedMoves::new();
        let mut moves = Candidates::new(reply, entry.point, excluded);
        while let Some(candidate) = self.next_candidate(&mut moves) {
            // Step 12. Late move pruning (LMP), futility pruning and pruning of trivial moves, once a move is known
            // that does not lose. A deferred move has passed this step before.
            let may_prune =
                may_prune_here && !candidate.was_deferred && !score::is_loss(best) && candidate.number > 1;
            if may_prune && candidate.is_pruned(&node, eval, alpha) {
                if candidate.ends_all_but_urgent(&node) {
                    self.skip_unless_urgent(&mut moves);
                }
                continue;
            }

            // Step 13. Simplified ABDADA: a move that another thread is searching is deferred, because its result will
            // be in the table. The first move is not deferred at a PV node, where it decides how the others are
            // searched, nor at a cut node large enough for two threads, which it usually settles.
            let first_decides = N::PV || cut_node && depth >= JOIN_DEPTH;
            let may_defer = depth >= DEFER_DEPTH && (candidate.number > 1 || !first_decides);
            let child = if may_defer { self.shared_child(candidate.point) } else { None };
            if child.is_some_and(|child| child.is_being_searched()) && moves.defer(candidate) {
                continue;
            }

            // Step 14. Search the move, and let the other threads see that it is being searched.
            let extension = match candidate.number {
                _ if node.must_stop_five() => forced_extension(),
                1 if entry.point == Some(candidate.point) => singular,
                _ => 0,
            };
            let score = {
                let _claim = child.map(|child| child.claim());
                self.search_move::<N>(&node, candidate, remaining + extension, alpha, beta)?
            };
            self.poll()?;

            // Step 15. What the move is worth.
            best = best.max(score);
            if score > alpha {
                alpha = score;
                best_point = Some(candidate.point);
                if N::PV {
                    self.extend_pv(candidate.point);
                }
                if score >= beta {
                    break;
                }
                // A move that beats this one as well will usually show it at less depth.
                if !score::is_decided(score) {
                    remaining -= margins::raised_alpha_reduction(depth);
                }
            }
            if !tried.is_full() {
                tried.push(candidate.point);
            }
        }

        // Step 16. No move at all: no forced reply can be played, or no useful move.
        if moves.count() == 0 {
            return match reply.plies_to_loss() {
                _ if excluded.is_some() => Ok(alpha),
                Some(plies) => Ok(score::lost_in(self.ply + plies)),
                None => self.search_waiting::<N>(&node, alpha, beta),
            };
        }

        // Step 17. Learn from the result, and store it in the table.
        if let Some(point) = best_point.filter(|_| best >= beta && !node.must_stop_five()) {
            self.learn_cutoff(point, &tried, depth);
        }
        if excluded.is_none() {
            let bound = bounds.bound_of(best);
            if let Some(Evaluation { corrected, .. }) = evaluation
                && bound.excludes(corrected, best)
                && !score::is_decided(best)
            {
                self.learn_correction(best - corrected, depth);
            }
            let entry = Entry {
                point: best_point,
                score: best,
                bound,
                depth,
                eval: evaluation.map(|evaluation| evaluation.computed),
                pv: node.ever_pv,
                exhausted_vcf: 0,
            };
            self.shared.table.store(bounds.key, self.ply, entry);
        }
        Ok(best)
    }

    /// Rewards a move that caused a cutoff, at the expense of those that were searched in vain before it.
    fn learn_cutoff(&mut self, point: Point, tried: &[Point], depth: Depth) {
        let last = self.position.stones().recent(0).map(|(point, _)| point);
        let bonus = margins::history_bonus(depth);
        self.shared.history.reward(self.position.to_move(), point, tried, last, bonus);
    }

    /// The static evaluation of a node, of which the table may know something.
    fn evaluate_node(&mut self, entry: &Entry) -> Evaluation {
        let computed = entry.eval.unwrap_or_else(|| self.evaluator.evaluate(&self.position));
        let corrected = self.corrected(computed);
        let by_table = match entry.bound {
            Bound::Exact => entry.score,
            Bound::Lower => entry.score.max(corrected),
            Bound::Upper => entry.score.min(corrected),
            Bound::None => corrected,
        };
        let before = self.ply.checked_sub(2).and_then(|ply| self.frames[ply].eval);
        Evaluation {
            computed,
            corrected,
            by_table,
            improving: before.is_some_and(|before| corrected > before),
        }
    }

    /// The score with which a node is left before any of its moves is searched, if its evaluation allows that.
    fn prune_node(
        &mut self,
        NodeBounds { alpha, beta, depth, .. }: NodeBounds,
        cut_node: bool,
        Evaluation { computed, by_table: eval, improving, .. }: Evaluation,
        entry: &Entry,
    ) -> Result<Option<Score>, Interrupted> {
        // Step 6. Razoring (https://www.chessprogramming.org/Razoring): far below alpha only a VCF can help.
        if depth < razor_depth() && eval + margins::razor_margin(depth) < alpha {
            let score = self.quiescence(Some(Entry { eval: Some(computed), ..*entry }), beta)?;
            self.poll()?;
            if score <= alpha || score::is_win(score) {
                return Ok(Some(score));
            }
        }

        // Step 7. Reverse futility pruning (https://www.chessprogramming.org/Reverse_Futility_Pruning), RFP: the
        // evaluation is so far above beta that the opponent's moves will not bring it below.
        if depth < rfp_depth() && eval - margins::rfp_margin(depth, improving) >= beta {
            return Ok(Some(eval));
        }

        // Step 8. Null move pruning (https://www.chessprogramming.org/Null_Move_Pruning): if even passing is good
        // enough, a move will be.
        if depth >= null_move_depth() && eval >= beta + null_move_margin() && cut_node {
            let score = self.search_pass(beta, depth - margins::null_move_reduction(depth))?;
            if score >= beta {
                self.poll()?;
                // A line with a pass cannot be played, so a win in it has no distance: only the cutoff counts.
                return Ok(Some(if score::is_win(score) { beta } else { score }));
            }
        }
        Ok(None)
    }

    /// Plays a move and searches the position after it. Late moves are first searched at reduced depth. At a PV node, a
    /// move after the first gets the open window only if it turns out better than expected. The move is taken back even
    /// if the search is interrupted.
    fn search_move<N: NodeKind>(
        &mut self,
        node: &NodeFacts,
        candidate: Candidate,
        depth: Depth,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Interrupted> {
        let reduction = if candidate.is_reduced(node, depth) {
            let history = self.shared.history.of(self.position.to_move(), candidate.point);
            candidate.reduction(node, depth, history)
        } else {
            0
        };
        self.play(candidate.point);
        if N::PV {
            // It is filled only if the move gets the open window.
            self.frame().pv.clear();
        }
        let score =
            self.search_child::<N>(node.cut_node, candidate.number, depth - PLY, reduction, alpha, beta);
        self.undo();
        score
    }

    /// The score of the move just played, for the side that played it.
    fn search_child<N: NodeKind>(
        &mut self,
        cut_node: bool,
        number: usize,
        depth: Depth,
        reduction: Depth,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Interrupted> {
        let mut score = Score::MIN;
        if number > 1 || !N::PV {
            let reduced = (depth - reduction).max(PLY).min(depth);
            let child_cuts = reduction > 0 || !cut_node;
            score = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, child_cuts)?;
            if score > alpha && reduced < depth {
                score = -self.search::<NonPv>(-alpha - 1, -alpha, depth, !cut_node)?;
            }
        }
        if N::PV && (number == 1 || score > alpha && score < beta) {
            score = -self.search::<Pv>(-beta, -alpha, depth, false)?;
        }
        Ok(score)
    }

    /// The score of a node without useful moves.
    #[cold]
    fn search_waiting<N: NodeKind>(
        &mut self,
        node: &NodeFacts,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Interrupted> {
        let Some(point) = waiting_move(&mut self.position) else {
            return Ok(spent_score(&mut self.position, self.ply));
        };
        self.play(point);
        let score = self.search_child::<N>(node.cut_node, 1, node.depth - PLY, 0, alpha, beta);
        self.undo();
        let score = score?;
        self.poll()?;
        if N::PV && score > alpha {
            self.extend_pv(point);
        }
        Ok(score)
    }

    /// Depth to add for the table's move: more if all other moves are clearly worse, less if they are not and either
    /// the singular bound or the table's score reaches beta. `remaining` is the depth left for the moves of the node.
    fn singular_extension<N: NodeKind>(
        &mut self,
        node: &NodeFacts,
        remaining: Depth,
        entry: &Entry,
        beta: Score,
    ) -> Result<Depth, Interrupted> {
        let applies = margins::is_singular_candidate(remaining, entry.depth)
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && !score::is_decided(entry.score)
            && !node.must_stop_five();
        let Some(point) = entry.point.filter(|_| applies) else { return Ok(0) };
        let bound = margins::singular_bound(entry.score, remaining);
        // The test runs in this node's own frame and overwrites its evaluation.
        let eval = self.frame().eval;
        self.frame().excluded = Some(point);
        let test_depth = margins::singular_test_depth(remaining);
        let score = self.search::<NonPv>(bound - 1, bound, test_depth, node.cut_node);
        self.frame().eval = eval;
        self.frame().excluded = None;
        let score = score?;
        Ok(if score < bound {
            singular_extension()
        } else if !N::PV && bound >= beta {
            -singular_bound_cut()
        } else if !N::PV && entry.score >= beta {
            -singular_score_cut()
        } else {
            0
        })
    }

    /// The score of a null move for the side that passes, with a zero-width window just below `beta`.
    fn search_pass(&mut self, beta: Score, depth: Depth) -> Result<Score, Interrupted> {
        self.position.pass();
        self.evaluator.push(None);
        self.ply += 1;
        let score = self.search::<NonPv>(-beta, -beta + 1, depth, false);
        self.ply -= 1;
        self.evaluator.pop();
        self.position.pass();
        Ok(-score?)
    }
}

#[cfg(test)]
#[path = "node_tests.rs"]
mod tests;
