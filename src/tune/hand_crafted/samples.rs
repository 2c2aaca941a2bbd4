//! Positions of games, as the indices of the weights that they use.

use super::parameters::{
    NOTHING, nearness_parameter, other_parameter, own_parameter, stands_for, tempo_parameter, value_parameter,
};
use crate::board::{ByColor, Color, Point};
use crate::data::TrainingGame;
use crate::eval::hand_crafted::{nearness, threat_flags};
use crate::eval::score::is_decided;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::search::threats::{ForcedReply, forced_reply};
use crate::search::useful_moves;
use crate::shapes::{CODE_COUNT, Code, ShapeChange, ShapeObserver};
use crate::tune::sample::{Leaves, first_with_result, score_of, target};

/// The samples of games.
#[derive(Default)]
pub(super) struct Samples {
    /// Positions to learn the value from.
    pub values: Vec<ValueSample>,
    /// Pairs of a value parameter and how often it counts, in halves: positive for the side to move, negative for the
    /// opponent.
    terms: Vec<(u16, i16)>,
    /// Positions to learn the ordering score from.
    pub choices: Vec<Choice>,
    /// The parameters whose sum is the ordering score of each move.
    moves: Vec<MoveParameters>,
}

/// Parameters of an ordering score: own, other, and one for each of the last stones.
pub(super) type MoveParameters = [u16; 2 + nearness::STONES];

/// A position and its target.
pub(super) struct ValueSample {
    first: usize,
    count: u16,
    /// The parameter of its tempo, which counts once.
    pub tempo: u16,
    /// The target: the expected score of the side to move.
    pub target: f32,
}

impl ValueSample {
    /// The value parameters and how often each counts, in halves.
    pub(super) fn terms<'a>(&self, all: &'a Samples) -> &'a [(u16, i16)] {
        &all.terms[self.first..self.first + usize::from(self.count)]
    }
}

/// The moves of a position, the chosen one first.
pub(super) struct Choice {
    first: usize,
    count: u16,
}

impl Choice {
    /// The parameters whose sum is the ordering score of each move.
    pub(super) fn moves<'a>(&self, all: &'a Samples) -> &'a [MoveParameters] {
        &all.moves[self.first..self.first + usize::from(self.count)]
    }
}

/// Counts how often each colour has each code on the board.
pub(super) struct Counts(pub ByColor<Vec<i32>>);

impl Counts {
    pub(super) fn new() -> Counts {
        Counts(ByColor::from_fn(|_| vec![0; CODE_COUNT]))
    }
}

impl ShapeObserver for Counts {
    fn changed(&mut self, changes: &[ShapeChange]) {
        for ShapeChange { old, new, .. } in changes {
            for color in Color::ALL {
                self.0[color][usize::from(old[color])] -= 1;
                self.0[color][usize::from(new[color])] += 1;
            }
        }
    }
}

impl Samples {
    /// Adds the positions of a game; the result has this share in their targets.
    pub(super) fn collect<R: RuleSet>(&mut self, game: &TrainingGame, result_share: f32) {
        let mut counts = Counts::new();
        let mut position = Position::<R>::new(game.size, &mut counts);
        let mut before = counts.0.clone();
        let mut leaves = Leaves::new();
        let first_sample = first_with_result(game);
        for (n, played) in game.moves.iter().enumerate() {
            let own = position.to_move();
            if let Some(score) = score_of(played).filter(|_| n >= first_sample) {
                let reply = forced_reply(&mut position);
                if leaves.evaluates(&mut position, reply) {
                    let target = target(game.result_for(own), score, result_share);
                    self.add_value::<R>(&position, &counts.0, &before, target);
                }
                if !matches!(reply, ForcedReply::StopFive(_)) && !is_decided(score) {
                    self.add_choice::<R>(&position, reply, played.point);
                }
            }
            before.clone_from(&counts.0);
            position.play(played.point, &mut counts);
        }
    }

    /// Adds a position with these counts of codes, now and before the last stone.
    pub(super) fn add_value<R: RuleSet>(
        &mut self,
        position: &Position<R>,
        now: &ByColor<Vec<i32>>,
        before: &ByColor<Vec<i32>>,
        target: f32,
    ) {
        let own = position.to_move();
        let first = self.terms.len();
        for color in Color::ALL {
            let sign = if color == own { 1 } else { -1 };
            for code in usize::from(NOTHING) + 1..CODE_COUNT {
                let times = now[color][code] + before[color][code];
                if times != 0 {
                    let parameter = value_parameter(stands_for::<R>(color), code as Code);
                    self.terms.push((parameter, (sign * times) as i16));
                }
            }
        }
        self.values.push(ValueSample {
            first,
            count: (self.terms.len() - first) as u16,
            tempo: tempo_parameter(stands_for::<R>(own), threat_flags::index(position)),
            target,
        });
    }

    /// Adds the choice of a move, if the search would have considered that move.
    pub(super) fn add_choice<R: RuleSet>(
        &mut self,
        position: &Position<R>,
        reply: ForcedReply,
        chosen: Point,
    ) {
        let own = position.to_move();
        let candidates = useful_moves(position, reply);
        let stone = |age| position.stones().recent(age).map(|(stone, _)| stone);
        let (Some(last), Some(before)) = (stone(0), stone(1)) else { return };
        if !candidates.contains(chosen) {
            return;
        }
        let side = stands_for::<R>(own);
        let parameters = |point| {
            let map = position.map();
            let near = |age, stone| nearness_parameter(side, nearness::index(age, point, stone));
            [
                own_parameter(side, map.code(point, own)),
                other_parameter(side, map.code(point, !own)),
                near(0, last),
                near(1, before),
            ]
        };
        let first = self.moves.len();
        self.moves.push(parameters(chosen));
        self.moves.extend(candidates.iter().filter(|&point| point != chosen).map(parameters));
        self.choices.push(Choice { first, count: (self.moves.len() - first) as u16 });
    }
}
