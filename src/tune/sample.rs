//! Training samples: which positions of games an evaluation is trained on, and their targets.

use super::loss::{SCALE, sigmoid};
use crate::data::{Origin, TrainingGame, TrainingMove};
use crate::eval::score::Score;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::search::params::{QUIESCENCE_VCF_FOURS, QUIESCENCE_VCF_NODES};
use crate::search::threats::{ForcedReply, sure_win};
use crate::solve::VcfSearch;

/// One game in about this many is held out.
const HELD_OUT: u32 = 13;

/// Whether a game is held out from training. It depends on the moves alone, which rescoring keeps: so whoever trains on
/// from weights that learned from the same games holds out the same ones, whatever files they are in and in which
/// order.
pub(super) fn is_held_out(game: &TrainingGame) -> bool {
    let mut hash = crc32fast::Hasher::new();
    game.moves.iter().for_each(|played| hash.update(&[played.point.x() as u8, played.point.y() as u8]));
    hash.finalize().is_multiple_of(HELD_OUT)
}

/// The score of the search that chose this move; `None` if no search chose it.
pub(super) fn score_of(played: &TrainingMove) -> Option<Score> {
    played.score.filter(|_| played.origin == Origin::Search)
}

/// The index of the first move for which the result counts: who wins after a random move says nothing about the
/// positions before it.
pub(super) fn first_with_result(game: &TrainingGame) -> usize {
    game.moves.iter().rposition(|played| played.origin == Origin::Random).map_or(0, |n| n + 1)
}

/// The training target: the expected score of the side to move, as a weighted mean of the game's result and the
/// search's score.
pub(super) fn target(result: i32, score: Score, result_share: f32) -> f32 {
    result_share * (result as f32 + 1.0) / 2.0 + (1.0 - result_share) * sigmoid(score as f32 / SCALE)
}

/// The size of the table of [`Leaves`], in bytes.
const LEAF_TABLE: usize = 1 << 16;

/// Tells which positions a search evaluates at its leaves, and which it settles without the evaluation.
pub(super) struct Leaves(VcfSearch);

impl Leaves {
    pub(super) fn new() -> Leaves {
        Leaves(VcfSearch::new(LEAF_TABLE))
    }

    /// Whether a search would evaluate this position at a leaf. It never evaluates positions that counts of threats
    /// decide, positions with a five to stop, or wins by as many fours as leaves look for. It does evaluate positions
    /// that only a deeper search finds decided, and these the evaluation has to know best. It also evaluates positions
    /// with an open four to stop, which are more than a third of the positions of games.
    pub(super) fn evaluates<R: RuleSet>(&mut self, position: &mut Position<R>, reply: ForcedReply) -> bool {
        if matches!(reply, ForcedReply::StopFive(_)) || sure_win(position).is_some() {
            return false;
        }
        // Not quite the leaf's own search: this one deepens iteratively, by one four each time, but counts only own
        // fours.
        !self.0.has_vcf(position, QUIESCENCE_VCF_FOURS.into(), QUIESCENCE_VCF_NODES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::data::record::tests::game;
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
    fn a_game_is_held_out_for_its_moves() {
        let held_out: Vec<TrainingGame> = (0..400).map(game).filter(is_held_out).collect();
        assert!((15..50).contains(&held_out.len()), "{} of 400", held_out.len());
        for mut game in held_out {
            game.number += 1;
            game.moves.iter_mut().for_each(|played| played.score = played.score.map(|score| score / 2));
            assert!(is_held_out(&game), "the same game, rescored and in another file");
        }
    }

    #[test]
    fn wins_by_fours_are_no_samples() {
        // From the suite of wins by fours: seven plies, a win that counts of threats do not reveal.
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
