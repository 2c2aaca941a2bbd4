//! Training samples: which positions of games an evaluation learns from, and what it is to say of them.

use super::loss::{SCALE, sigmoid};
use crate::data::{Origin, TrainingGame, TrainingMove};
use crate::eval::score::Score;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::search::params::{QUIESCENCE_VCF_FOURS, QUIESCENCE_VCF_NODES};
use crate::search::threats::{ForcedReply, sure_win};
use crate::solve::VcfSearch;

/// One game in so many is held out. Games of both sizes take turns, so an even number would hold out one size.
pub(super) const HELD_OUT: usize = 13;

/// The score of the search that chose this move; `None` where nothing was searched.
pub(super) fn score_of(played: &TrainingMove) -> Option<Score> {
    played.score.filter(|_| played.origin == Origin::Search)
}

/// The first move whose result counts: who wins after a random move says nothing about the positions before.
pub(super) fn first_with_result(game: &TrainingGame) -> usize {
    game.moves.iter().rposition(|played| played.origin == Origin::Random).map_or(0, |n| n + 1)
}

/// The share of a win that a position is worth to the side to move: a mean of result and score.
pub(super) fn target(result: i32, score: Score, result_share: f32) -> f32 {
    result_share * (result as f32 + 1.0) / 2.0 + (1.0 - result_share) * sigmoid(score as f32 / SCALE)
}

/// Memory of [`Leaves`], in bytes.
const LEAF_TABLE: usize = 1 << 16;

/// Tells which positions are evaluated at the leaves of a search, and which it settles otherwise.
pub(super) struct Leaves(VcfSearch);

impl Leaves {
    pub(super) fn new() -> Leaves {
        Leaves(VcfSearch::new(LEAF_TABLE))
    }

    /// What counts of threats decide is never evaluated, nor what has to stop a five, nor a win by as many
    /// fours as leaves look for. Positions that only a deeper search finds decided are, and the evaluation
    /// has to know them best; so are those with an open four to stop, more than a third of the positions of games.
    pub(super) fn evaluates<R: RuleSet>(&mut self, position: &mut Position<R>, reply: ForcedReply) -> bool {
        if matches!(reply, ForcedReply::StopFive(_)) || sure_win(position).is_some() {
            return false;
        }
        // Not quite the leaf's own search: this one goes one four deeper each time, but counts only own fours.
        !self.0.has_vcf(position, QUIESCENCE_VCF_FOURS.into(), QUIESCENCE_VCF_NODES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::formats::moves::position as moves_of;
    use crate::rules::Standard;
    use crate::search::threats::forced_reply;

    fn evaluates(moves: &str) -> bool {
        let stones = moves_of(moves, Size::square(20)).unwrap();
        let mut position = Position::<Standard>::from_stones(&stones, &mut ());
        let reply = forced_reply(&mut position);
        Leaves::new().evaluates(&mut position, reply)
    }

    #[test]
    fn wins_by_fours_are_no_samples() {
        // From the suite of wins by fours: seven plies, none of which counts of threats tell.
        assert!(!evaluates("j13l7h11i10j12k8j10i8k9g13l8i12g12g11j6h12n7"));
        assert!(evaluates("j13l7h11i10j12k8"));
    }

    #[test]
    fn what_leaves_see_is_a_sample() {
        assert!(evaluates("h8a1h9a2h10"), "an open three, to be stopped");
        assert!(!evaluates("h8a1h9a2h10a3h11"), "a five to stop is searched on");
        assert!(!evaluates("h8a1h9a2h10a3"), "an open four is a win");
    }
}
