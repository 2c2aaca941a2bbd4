//! Positions of games as the network sees them.

use std::ops::Range;

use rayon::prelude::*;

use crate::board::ByColor;
use crate::data::Game;
use crate::eval::classical::Classical;
use crate::eval::network::{has_features, region};
use crate::eval::{Evaluator, Score};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::search::threats::forced_reply;
use crate::shapes::{Code, Tables};
use crate::tune::lesson::{Leaves, cross_entropy, first_with_result, score_of, target};

/// Points of a region with the same codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    pub region: u8,
    pub count: u8,
    pub own: Code,
    pub other: Code,
}

/// A position from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Example {
    pub first: u32,
    pub count: u16,
    /// The head of the network that serves the side to move.
    pub head: u8,
    /// Points that the hand-made evaluation gives.
    pub by_hand: f32,
    pub target: f32,
}

/// Positions and what their points look like.
#[derive(Default)]
pub(super) struct Examples {
    pub all: Vec<Example>,
    pub groups: Vec<Group>,
}

impl Examples {
    /// Adds every position of a game that an evaluation learns from; `heads` serve Black and White to move.
    pub(super) fn add<R: RuleSet>(
        &mut self,
        game: &Game,
        heads: ByColor<u8>,
        result_share: f32,
        leaves: &mut Leaves,
    ) {
        let mut classical = <Classical as Evaluator<R>>::new(game.size);
        let mut position = Position::<R>::new(game.size, &mut classical);
        let first_with_result = first_with_result(game);
        for (n, played) in game.moves.iter().enumerate() {
            let reply = forced_reply(&mut position);
            if let Some(score) = score_of(played)
                && leaves.evaluates(&mut position, reply)
            {
                let result = game.result_for(position.to_move());
                let share = if n >= first_with_result { result_share } else { 0.0 };
                let target = target(result, score, share);
                let by_hand = Evaluator::<R>::evaluate(&mut classical, &position);
                self.add_position(&position, heads[position.to_move()], by_hand, target);
            }
            Evaluator::<R>::push(&mut classical);
            position.play(played.point, &mut classical);
        }
    }

    /// Adds a position that the hand-made evaluation gives so many points.
    pub(super) fn add_position<R: RuleSet>(
        &mut self,
        position: &Position<R>,
        head: u8,
        by_hand: Score,
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
        self.all.push(Example {
            first: first as u32,
            count: (self.groups.len() - first) as u16,
            head,
            by_hand: by_hand as f32,
            target,
        });
    }

    /// Adds the examples of another collection.
    pub(super) fn append(&mut self, mut other: Examples) {
        let offset = self.groups.len() as u32;
        self.groups.append(&mut other.groups);
        self.all.extend(
            other.all.into_iter().map(|example| Example { first: example.first + offset, ..example }),
        );
    }

    /// What an example's points look like.
    pub(super) fn groups(&self, example: &Example) -> &[Group] {
        &self.groups[example.first as usize..example.first as usize + usize::from(example.count)]
    }

    /// The mean loss over some of the examples.
    pub(super) fn mean_loss(&self, which: Range<usize>, logit: impl Fn(&Example) -> f32 + Sync) -> f32 {
        let loss = |example: &Example| f64::from(cross_entropy(example.target, logit(example)));
        let count = which.len().max(1) as f64;
        let sum: f64 = self.all[which].par_chunks(1024).map(|all| all.iter().map(loss).sum::<f64>()).sum();
        (sum / count) as f32
    }
}
