//! [Selectivity](https://www.chessprogramming.org/Selectivity): which moves of a node are pruned and which are reduced,
//! judged by what is known of them before they are searched.

use super::margins;
use super::params::{
    Depth, PLY, child_futility_depth, lmr_cut_node, lmr_depth, lmr_history, lmr_important, lmr_not_improving,
    lmr_pv, lmr_trivial, trivial_depth,
};
use super::threats::ForcedReply;
use crate::board::{Point, PointSet};
use crate::eval::Score;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence::hidden_fours;

/// What is known of a node before its moves are tried, and stays so.
#[derive(Clone, Copy)]
pub(super) struct NodeFacts {
    pub reply: ForcedReply,
    /// The depth to which the node is to be searched, before any reduction.
    pub depth: Depth,
    /// Whether the window is open.
    pub is_pv: bool,
    /// Whether this is a cut node: one good reply should refute the move that led here.
    pub cut_node: bool,
    /// Whether the side to move stands better than at its last turn.
    pub improving: bool,
    /// Whether the node is a PV node, or once was.
    pub ever_pv: bool,
}

impl NodeFacts {
    /// Whether a five of the opponent must be stopped now.
    #[inline]
    pub(super) fn must_stop_five(&self) -> bool {
        matches!(self.reply, ForcedReply::StopFive(_))
    }
}

/// What is known of a move before it is searched.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub point: Point,
    /// 1 for the first legal move of the node, 2 for the second ...
    pub number: usize,
    /// The threat that the move makes.
    pub own: Threat,
    /// The threat that the move takes from the opponent: what the opponent's stone would make here.
    pub other: Threat,
    /// Whether the move was deferred before, because another thread was searching it.
    pub was_deferred: bool,
}

/// The weakest threat that is urgent to make.
const URGENT_TO_MAKE: Threat = Threat::Four;
/// The weakest threat of the opponent that is urgent to take.
const URGENT_TO_TAKE: Threat = Threat::FourPlus;

/// The points where a move is urgent for the side to move. No move count prunes such a move.
#[must_use]
pub(super) fn urgent_points<R: RuleSet>(position: &Position<R>) -> PointSet {
    let (map, own) = (position.map(), position.to_move());
    map.points_from(own, URGENT_TO_MAKE) | hidden_fours(map, own) | map.points_from(!own, URGENT_TO_TAKE)
}

impl Candidate {
    /// Whether the move makes or takes something that a good player would look at.
    fn is_important(self) -> bool {
        self.own >= Threat::DoubleTwo || self.other >= Threat::OpenThree
    }

    /// Whether the move makes a four, or takes one that would come with another threat: see [`urgent_points`].
    fn is_urgent(self) -> bool {
        self.own >= URGENT_TO_MAKE || self.other >= URGENT_TO_TAKE
    }

    /// Whether the move offers nothing to either side. A point that looks forbidden counts as nothing to the opponent,
    /// because whether it really is would have to be found out on the board.
    fn is_trivial(self) -> bool {
        self.own <= Threat::LooksForbidden && self.other <= Threat::LooksForbidden
    }

    /// Whether a quiet node may prune the move. [Late move
    /// pruning](https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning) (LMP) leaves out moves that
    /// come late in the order: at first those that make and take nothing, and later the others too, because most
    /// positions have twenty of those, most of them threats that lead nowhere. [Futility
    /// pruning](https://www.chessprogramming.org/Futility_Pruning) leaves out moves that make and take nothing where
    /// the evaluation is far below alpha. Near the leaves, moves that offer nothing at all are left out as well.
    ///
    /// `eval` is the evaluation of the node, if a meaningful one exists.
    #[inline]
    pub(super) fn is_pruned(self, node: &NodeFacts, eval: Option<Score>, alpha: Score) -> bool {
        if self.is_urgent() {
            return false;
        }
        let NodeFacts { depth, improving, is_pv, .. } = *node;
        if self.is_important() {
            return self.number > margins::important_late_move_limit(depth, improving);
        }
        let is_late = self.number > margins::late_move_limit(depth, improving);
        let is_futile = depth < child_futility_depth()
            && eval.is_some_and(|eval| eval + margins::child_futility_margin(depth) <= alpha);
        let is_trivial = depth < trivial_depth() && self.is_trivial();
        is_late || !is_pv && (is_futile || is_trivial)
    }

    /// Whether the move comes so late that all moves after it are pruned too, except for urgent ones.
    #[inline]
    pub(super) fn ends_all_but_urgent(self, node: &NodeFacts) -> bool {
        let NodeFacts { depth, improving, .. } = *node;
        let limit = margins::late_move_limit(depth, improving);
        self.number > limit.max(margins::important_late_move_limit(depth, improving))
    }

    /// By how much the depth of the move is reduced at first: [late move
    /// reductions](https://www.chessprogramming.org/Late_Move_Reductions) (LMR). `depth` is what is left of the node's
    /// depth, and `history` the history value of the move.
    #[inline]
    pub(super) fn reduction(self, node: &NodeFacts, depth: Depth, history: i32) -> Depth {
        let mut reduction = margins::late_move_reduction(depth, self.number);
        if !node.improving {
            reduction += lmr_not_improving();
        }
        if node.cut_node {
            reduction += lmr_cut_node();
        }
        if node.ever_pv {
            reduction -= lmr_pv();
        }
        if self.is_important() {
            reduction -= lmr_important();
        } else if self.is_trivial() {
            reduction += lmr_trivial();
        }
        reduction -= history * PLY / lmr_history();
        reduction.max(0)
    }

    /// Whether the move is reduced at all. `depth` is what is left of the depth of the node.
    #[inline]
    pub(super) fn is_reduced(self, node: &NodeFacts, depth: Depth) -> bool {
        !node.must_stop_five() && depth >= lmr_depth() && self.number >= 2 && self.own < Threat::FourPlus
    }
}
