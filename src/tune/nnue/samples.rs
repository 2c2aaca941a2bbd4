//! Positions of games as the network sees them.

use std::ops::Range;

use rayon::prelude::*;

use crate::board::ByColor;
use crate::data::TrainingGame;
use crate::eval::nnue::buckets::bucket;
use crate::eval::nnue::regions::{has_features, region};
use crate::eval::{Evaluator, HandCraftedEval, Score};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::search::threats::forced_reply;
use crate::shapes::{Code, Tables};
use crate::tune::loss::cross_entropy;
use crate::tune::sample::{Leaves, first_with_result, score_of, target};

/// Points of a region with the same codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    pub region: u8,
    pub count: u8,
    pub own: Code,
    pub other: Code,
}

impl Group {
    /// The codes of the colour that looks and of its opponent, where the side to move (view 0) or the other looks.
    pub(super) fn codes(&self, view: usize) -> [usize; 2] {
        let [own, other] = [self.own, self.other].map(usize::from);
        if view == 0 { [own, other] } else { [other, own] }
    }
}

/// A position from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub first: u32,
    pub count: u16,
    /// The head of the network that serves the side to move.
    pub head: u8,
    /// Points that the hand-crafted evaluation gives.
    pub hand_crafted: f32,
    pub target: f32,
}

/// Positions and what their points look like.
#[derive(Default)]
pub(super) struct Samples {
    pub all: Vec<Sample>,
    pub groups: Vec<Group>,
}

impl Samples {
    /// Adds every position of a game that an evaluation learns from; `heads` are the first of those that serve Black and
    /// White to move.
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
                let target = target(result, score, share);
                let points = Evaluator::<R>::evaluate(&mut hand_crafted, &position);
                let head = heads[position.to_move()] + bucket(position.stones()) as u8;
                self.add_position(&position, head, points, target);
            }
            Evaluator::<R>::push(&mut hand_crafted);
            position.play(played.point, &mut hand_crafted);
        }
    }

    /// Adds a position that the hand-crafted evaluation gives so many points.
    pub(super) fn add_position<R: RuleSet>(
        &mut self,
        position: &Position<R>,
        head: u8,
        hand_crafted: Score,
        target: f32,
    ) {
        let (own, map, size) = (position.to_move(), position.map(), position.stones().size());
        let free = Tables::of::<R>().free_codes();
        let codes = |point| ByColor::from_fn(|color| map.code(point, color));
        let mut points: Vec<Group> = position
            .empty_points()
            .iter()
            .map(|point| (region(point, size) as u8, codes(point)))
            .filter(|&(_, codes)| has_features(codes, free))
            .map(|(region, codes)| Group { region, count: 1, own: codes[own], other: codes[!own] })
            .collect();
        points.sort_unstable();
        let first = self.groups.len();
        for points in points.chunk_by(|a, b| a == b) {
            self.groups.push(Group { count: points.len() as u8, ..points[0] });
        }
        self.all.push(Sample {
            first: first as u32,
            count: (self.groups.len() - first) as u16,
            head,
            hand_crafted: hand_crafted as f32,
            target,
        });
    }

    /// Adds the samples of another collection.
    pub(super) fn append(&mut self, mut other: Samples) {
        let offset = self.groups.len() as u32;
        self.groups.append(&mut other.groups);
        self.all
            .extend(other.all.into_iter().map(|sample| Sample { first: sample.first + offset, ..sample }));
    }

    /// What a sample's points look like.
    pub(super) fn groups(&self, sample: &Sample) -> &[Group] {
        &self.groups[sample.first as usize..sample.first as usize + usize::from(sample.count)]
    }

    /// The mean loss over some of the samples.
    pub(super) fn mean_loss(&self, which: Range<usize>, logit: impl Fn(&Sample) -> f32 + Sync) -> f32 {
        let loss = |sample: &Sample| f64::from(cross_entropy(sample.target, logit(sample)));
        let count = which.len().max(1) as f64;
        // Summed up in order, so that the result does not depend on threads.
        let sums: Vec<f64> =
            self.all[which].par_chunks(1024).map(|all| all.iter().map(loss).sum::<f64>()).collect();
        (sums.iter().sum::<f64>() / count) as f32
    }
}
