//! The positions that the network is trained on.

use rayon::prelude::*;

use super::inputs::{Boards, PointInputs};
use crate::board::{ByColor, Color, Point, Size};
use crate::data::TrainingGame;
use crate::eval::nnue::buckets::bucket;
use crate::eval::{Evaluator, HandCraftedEval};
use crate::position::Position;
use crate::rules::{Rule, RuleSet};
use crate::search::threats::forced_reply;
use crate::tune::loss::cross_entropy;
use crate::tune::sample::{Leaves, first_with_result, score_of, target};

/// A game, as far as its positions need it.
#[derive(Clone, Copy, Debug)]
struct SampleGame {
    rule: Rule,
    size: Size,
    /// The index of its first move.
    first_move: u64,
}

/// A position from the side to move's perspective.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// The index of its game.
    game: u32,
    /// How many moves of the game lead to it.
    moves: u16,
    /// The head of the network that serves it.
    pub head: u8,
    /// The hand-crafted evaluation, in points.
    pub hand_crafted: f32,
    pub target: f32,
}

/// Positions, and the games that they are from.
#[derive(Default)]
#[cfg_attr(test, derive(Clone))]
pub(super) struct Samples {
    pub all: Vec<Sample>,
    games: Vec<SampleGame>,
    /// The moves of all games, one after the other.
    moves: Vec<(Point, Color)>,
}

/// The loss over some samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanLoss {
    /// The number of samples.
    pub samples: usize,
    /// Their mean cross entropy; 0 if there are none.
    pub loss: f32,
}

impl MeanLoss {
    /// The mean, if there are samples to take it of.
    #[must_use]
    pub fn known(self) -> Option<f32> {
        (self.samples > 0).then_some(self.loss)
    }

    /// The loss over the samples of all of these parts.
    pub(super) fn of_all(parts: &[MeanLoss]) -> MeanLoss {
        let samples = parts.iter().map(|part| part.samples).sum();
        let sum: f64 = parts.iter().map(|part| part.samples as f64 * f64::from(part.loss)).sum();
        MeanLoss { samples, loss: (sum / samples.max(1) as f64) as f32 }
    }
}

impl Samples {
    /// Adds every position of a game that an evaluation is trained on; `heads` are the first of the heads that serve
    /// Black and White to move.
    pub(super) fn add<R: RuleSet>(
        &mut self,
        game: &TrainingGame,
        heads: ByColor<u8>,
        result_share: f32,
        leaves: &mut Leaves,
    ) {
        let mut hand_crafted = <HandCraftedEval as Evaluator<R>>::new(game.size);
        let mut position = Position::<R>::new(game.size, &mut hand_crafted);
        let first_with_result = first_with_result(game);
        for (n, played) in game.moves.iter().enumerate() {
            let reply = forced_reply(&mut position);
            if let Some(score) = score_of(played)
                && leaves.evaluates(&mut position, reply)
            {
                let result = game.result_for(position.to_move());
                let share = if n >= first_with_result { result_share } else { 0.0 };
                self.all.push(Sample {
                    game: self.games.len() as u32,
                    moves: n as u16,
                    head: heads[position.to_move()] + bucket(position.stones()) as u8,
                    hand_crafted: Evaluator::<R>::evaluate(&mut hand_crafted, &position) as f32,
                    target: target(result, score, share),
                });
            }
            Evaluator::<R>::play(&mut hand_crafted, &mut position, played.point);
        }
        self.add_game(&position);
    }

    /// Adds a position with this hand-crafted evaluation.
    #[cfg(test)]
    pub(super) fn add_position<R: RuleSet>(
        &mut self,
        position: &Position<R>,
        head: u8,
        hand_crafted: crate::eval::Score,
        target: f32,
    ) {
        self.all.push(Sample {
            game: self.games.len() as u32,
            moves: position.stones().history().len() as u16,
            head,
            hand_crafted: hand_crafted as f32,
            target,
        });
        self.add_game(position);
    }

    /// Adds the game that has led to a position.
    fn add_game<R: RuleSet>(&mut self, position: &Position<R>) {
        let stones = position.stones();
        debug_assert_eq!(stones.dead_cells().next(), None, "games to learn from have no dead cells");
        self.games.push(SampleGame {
            rule: R::RULE,
            size: stones.size(),
            first_move: self.moves.len() as u64,
        });
        self.moves.extend(stones.history());
    }

    /// Adds the samples of another collection.
    pub(super) fn append(&mut self, mut other: Samples) {
        let (games, moves) = (self.games.len() as u32, self.moves.len() as u64);
        self.all.extend(other.all.into_iter().map(|sample| Sample { game: sample.game + games, ..sample }));
        let games = other.games.into_iter();
        self.games.extend(games.map(|game| SampleGame { first_move: game.first_move + moves, ..game }));
        self.moves.append(&mut other.moves);
    }

    /// The network's inputs at a sample's points.
    pub(super) fn points(&self, sample: &Sample, boards: &mut Boards) -> Vec<PointInputs> {
        let game = &self.games[sample.game as usize];
        let first = game.first_move as usize;
        boards.inputs(game.rule, game.size, &self.moves[first..first + usize::from(sample.moves)])
    }

    /// The mean loss over the samples that `counts` selects.
    pub(super) fn mean_loss(
        &self,
        counts: impl Fn(&Sample) -> bool + Sync,
        logit: impl Fn(&Sample, &mut Boards) -> f32 + Sync,
    ) -> MeanLoss {
        let part = |part: &[Sample]| {
            let mut boards = Boards::default();
            part.iter().filter(|sample| counts(sample)).fold((0, 0.0), |(samples, sum), sample| {
                (samples + 1, sum + f64::from(cross_entropy(sample.target, logit(sample, &mut boards))))
            })
        };
        // Summed up in order, so that the result does not depend on the number of threads.
        let parts: Vec<(usize, f64)> = self.all.par_chunks(1024).map(part).collect();
        let (samples, sum) = parts.iter().fold((0, 0.0), |all, part| (all.0 + part.0, all.1 + part.1));
        MeanLoss { samples, loss: (sum / samples.max(1) as f64) as f32 }
    }
}
