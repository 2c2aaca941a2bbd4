//! [Selectivity](https://www.chessprogramming.org/Selectivity): which moves of a node are left out, and which are
//! searched less deep, by what is known of them before they are searched.

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

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct NodeFacts {
    pub reply: ForcedReply,
    pub depth: Depth,
    /// Whether one good reply should refute the move that led here.
    pub cut_node: bool,
    /// Whether the side to move stands better than at its last turn.
    pub improving: bool,
    /// Whether the node belongs to the principal variation, or once did.
    pub pv: bool,
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
    /// What it makes.
    pub own: Threat,
    /// What it takes from the opponent.
    pub other: Threat,
    /// Whether it comes back after another thread was searching it.
    pub was_deferred: bool,
}

/// The least threat whose making is urgent.
const URGENT_TO_MAKE: Threat = Threat::Four;
/// The least threat of the opponent whose taking is urgent.
const URGENT_TO_TAKE: Threat = Threat::FourPlus;

/// The points of moves that are urgent for the side to move, which no count of moves leaves out.
#[must_use]
pub(super) fn urgent_points<R: RuleSet>(position: &Position<R>) -> PointSet {
    let (map, own) = (position.map(), position.to_move());
    map.points_from(own, URGENT_TO_MAKE) | map.points_from(!own, URGENT_TO_TAKE)
}

impl Candidate {
    /// Makes or takes something that a good player would look at.
    fn is_important(self) -> bool {
        self.own >= Threat::DoubleTwo || self.other >= Threat::OpenThree
    }

    /// Makes a four, or takes one that would come with another threat: see [`urgent_points`].
    fn is_urgent(self) -> bool {
        self.own >= URGENT_TO_MAKE || self.other >= URGENT_TO_TAKE
    }

    /// Offers nothing to either side.
    fn is_trivial(self) -> bool {
        self.own <= Threat::Forbidden && self.other <= Threat::Forbidden
    }

    /// Whether a node with nothing to stop may leave the move out. [Late move
    /// pruning](https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning) (LMP) leaves out what comes
    /// late: first moves that make and take nothing, and later also the others, for most positions have twenty of them,
    /// most of these threats that lead nowhere. [Futility
    /// pruning](https://www.chessprogramming.org/Futility_Pruning) leaves out moves that make and take nothing where
    /// the evaluation is far below alpha, and near the leaves a move that offers nothing at all goes as well.
    ///
    /// `depth` is that of the node when it was entered, `eval` its evaluation, if one is meaningful.
    #[inline]
    pub(super) fn is_pruned(
        self,
        is_pv: bool,
        depth: Depth,
        improving: bool,
        eval: Option<Score>,
        alpha: Score,
    ) -> bool {
        if self.is_urgent() {
            return false;
        }
        if self.is_important() {
            return self.number > margins::important_late_move_limit(depth, improving);
        }
        let is_late = self.number > margins::late_move_limit(depth, improving);
        let is_futile = depth < child_futility_depth()
            && eval.is_some_and(|eval| eval + margins::child_futility_margin(depth) <= alpha);
        let is_trivial = depth < trivial_depth() && self.is_trivial();
        is_late || !is_pv && (is_futile || is_trivial)
    }

    /// Whether the move comes so late that of all that come after it only urgent ones are not pruned either.
    #[inline]
    pub(super) fn ends_all_but_urgent(self, depth: Depth, improving: bool) -> bool {
        let limit = margins::late_move_limit(depth, improving);
        self.number > limit.max(margins::important_late_move_limit(depth, improving))
    }

    /// How much less deep the move is searched at first: [late move
    /// reductions](https://www.chessprogramming.org/Late_Move_Reductions) (LMR). `history` is what history says of it.
    #[inline]
    pub(super) fn reduction(self, node: &NodeFacts, history: i32) -> Depth {
        let mut reduction = margins::late_move_reduction(node.depth, self.number);
        if !node.improving {
            reduction += lmr_not_improving();
        }
        if node.cut_node {
            reduction += lmr_cut_node();
        }
        if node.pv {
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

    /// Whether the move is searched less deep at all.
    #[inline]
    pub(super) fn is_reduced(self, node: &NodeFacts) -> bool {
        !node.must_stop_five() && node.depth >= lmr_depth() && self.number >= 2 && self.own < Threat::FourPlus
    }
}
