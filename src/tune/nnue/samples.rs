//! Positions of games as inputs of the network.

use std::ops::Range;

use rayon::prelude::*;

use crate::board::{ByColor, Color, Point, Size};
use crate::data::TrainingGame;
use crate::eval::nnue::buckets::bucket;
use crate::eval::nnue::lines::{LineKey, key_deltas, keys_of_empty_board, lines_of_keys};
use crate::eval::nnue::regions::{has_features, region};
use crate::eval::{Evaluator, HandCraftedEval, Score};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::search::threats::forced_reply;
use crate::shapes::{Code, Tables};
use crate::tune::loss::cross_entropy;
use crate::tune::sample::{Leaves, first_with_result, score_of, target};

/// What an empty point offers each side.
#[derive(Clone, Copy, Debug)]
struct PointCodes {
    /// [`Point::index`].
    point: u16,
    own: Code,
    other: Code,
}

/// A stone.
#[derive(Clone, Copy, Debug)]
struct SampleStone {
    point: Point,
    /// Whether it belongs to the side to move.
    is_own: bool,
}

/// The network's inputs at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointInputs {
    /// The keys of its lines, as the side to move sees them.
    keys: [LineKey; 4],
    codes: PointCodes,
    pub region: u8,
}

impl PointInputs {
    /// The codes of the perspective colour and of its opponent, from the perspective of the side to move (view 0) or of
    /// the other side.
    pub(super) fn codes(&self, view: usize) -> [usize; 2] {
        let [own, other] = [self.codes.own, self.codes.other].map(usize::from);
        if view == 0 { [own, other] } else { [other, own] }
    }

    /// The lines as the side to move (view 0) or the other side sees them.
    pub(super) fn lines(&self, view: usize) -> [usize; 4] {
        let lines = lines_of_keys();
        self.keys.map(|key| usize::from(lines[usize::from(key)][view]))
    }
}

/// A position from the side to move's perspective.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    points: (u64, u16),
    stones: (u64, u16),
    size: Size,
    /// The head of the network that serves the side to move.
    pub head: u8,
    /// The hand-crafted evaluation, in points.
    pub hand_crafted: f32,
    pub target: f32,
}

/// Positions with the stones and codes on their boards. Codes are stored because they are slow to compute; lines follow
/// quickly from the stones.
#[derive(Default)]
#[cfg_attr(test, derive(Clone))]
pub(super) struct Samples {
    pub all: Vec<Sample>,
    points: Vec<PointCodes>,
    stones: Vec<SampleStone>,
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
                let target = target(result, score, share);
                let points = Evaluator::<R>::evaluate(&mut hand_crafted, &position);
                let head = heads[position.to_move()] + bucket(position.stones()) as u8;
                self.add_position(&position, head, points, target);
            }
            Evaluator::<R>::play(&mut hand_crafted, &mut position, played.point);
        }
    }

    /// Adds a position with this hand-crafted evaluation.
    pub(super) fn add_position<R: RuleSet>(
        &mut self,
        position: &Position<R>,
        head: u8,
        hand_crafted: Score,
        target: f32,
    ) {
        let (own, map, size) = (position.to_move(), position.map(), position.stones().size());
        let free = Tables::of::<R>().free_codes();
        let (points, stones) = (self.points.len() as u64, self.stones.len() as u64);
        for point in position.empty_points().iter() {
            let codes = ByColor::from_fn(|color| map.code(point, color));
            if has_features(codes, free) {
                let (own, other) = (codes[own], codes[!own]);
                self.points.push(PointCodes { point: point.index() as u16, own, other });
            }
        }
        let history = position.stones().history();
        self.stones.extend(history.iter().map(|&(point, color)| SampleStone { point, is_own: color == own }));
        self.all.push(Sample {
            points: (points, (self.points.len() as u64 - points) as u16),
            stones: (stones, history.len() as u16),
            size,
            head,
            hand_crafted: hand_crafted as f32,
            target,
        });
    }

    /// Adds the samples of another collection.
    pub(super) fn append(&mut self, mut other: Samples) {
        let (points, stones) = (self.points.len() as u64, self.stones.len() as u64);
        self.points.append(&mut other.points);
        self.stones.append(&mut other.stones);
        self.all.extend(other.all.into_iter().map(|sample| Sample {
            points: (sample.points.0 + points, sample.points.1),
            stones: (sample.stones.0 + stones, sample.stones.1),
            ..sample
        }));
    }

    /// The network's inputs at a sample's points.
    pub(super) fn points(&self, sample: &Sample) -> Vec<PointInputs> {
        let part = |(first, count): (u64, u16)| first as usize..first as usize + usize::from(count);
        let mut keys = *keys_of_empty_board(sample.size);
        for stone in &self.stones[part(sample.stones)] {
            let color = if stone.is_own { Color::Black } else { Color::White };
            for (index, direction, grown) in key_deltas(stone.point, color) {
                // On the wall the key has no meaning, and it is never used.
                let key = &mut keys[index][direction.index()];
                *key = key.wrapping_add(grown);
            }
        }
        let looks = |&codes: &PointCodes| {
            let index = usize::from(codes.point);
            let region = region(Point::from_strip(index), sample.size) as u8;
            PointInputs { keys: keys[index], codes, region }
        };
        self.points[part(sample.points)].iter().map(looks).collect()
    }

    /// The mean loss over some of the samples.
    pub(super) fn mean_loss(&self, which: Range<usize>, logit: impl Fn(&Sample) -> f32 + Sync) -> f32 {
        let loss = |sample: &Sample| f64::from(cross_entropy(sample.target, logit(sample)));
        let count = which.len().max(1) as f64;
        // Summed up in order, so that the result does not depend on the number of threads.
        let sums: Vec<f64> =
            self.all[which].par_chunks(1024).map(|all| all.iter().map(loss).sum::<f64>()).collect();
        (sums.iter().sum::<f64>() / count) as f32
    }
}
