//! The training set: positions of games of all rules, and the recipe of how often and at which learning rates to train
//! on them.

use std::ops::Range;

use rayon::prelude::*;

use super::samples::Samples;
use crate::board::{ByColor, Color};
use crate::data::TrainingGame;
use crate::eval::nnue::buckets::{BUCKETS, heads_of};
use crate::rules::{Rule, RuleSet, with_rule};
use crate::tune::sample::{HELD_OUT, Leaves};

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct TrainingRecipe {
    /// Passes over all positions, for features and layers.
    pub epochs: usize,
    /// Passes after that for the layers alone, on features that are rounded.
    pub layer_epochs: usize,
    /// The initial learning rate, for each of the two stages.
    pub rate: f32,
    /// Share of the game's result in the target; the rest is the score of the search.
    pub result_share: f32,
}

/// The samples of one rule among all.
#[derive(Clone, Debug)]
pub(super) struct RuleSamples {
    pub rule: Rule,
    /// Including those held out.
    pub games: usize,
    /// Its heads among those of all rules.
    pub heads: Range<usize>,
    pub train: Range<usize>,
    pub test: Range<usize>,
}

/// The samples of the games of all rules.
pub struct TrainingSet {
    pub(super) recipe: TrainingRecipe,
    pub(super) train: Samples,
    /// The samples of held-out games.
    pub(super) test: Samples,
    pub(super) rules: Vec<RuleSamples>,
}

impl TrainingSet {
    /// An empty set.
    #[must_use]
    pub fn new(recipe: TrainingRecipe) -> TrainingSet {
        TrainingSet { recipe, train: Samples::default(), test: Samples::default(), rules: Vec::new() }
    }

    /// Adds the games of a rule that was not added before.
    pub fn add(&mut self, rule: Rule, games: &[TrainingGame]) {
        let first = self.head_count();
        let heads = first..first + with_rule!(rule, R => heads_of::<R>());
        let head_of = ByColor::from_fn(
            |color| if color == Color::Black { heads.start } else { heads.end - BUCKETS } as u8,
        );
        let result_share = self.recipe.result_share;
        // In groups, so that no more than one group is in memory twice.
        let collect = |all: &mut Samples, held_out: bool| {
            let first = all.all.len();
            for group in games.chunks(HELD_OUT * 1024) {
                let chosen = group.iter().enumerate().filter(|(n, _)| (n % HELD_OUT == 0) == held_out);
                let chosen: Vec<&TrainingGame> = chosen.map(|(_, game)| game).collect();
                let parts: Vec<Samples> = chosen
                    .par_chunks(256)
                    .map(|games| with_rule!(rule, R => samples_of::<R>(games, head_of, result_share)))
                    .collect();
                parts.into_iter().for_each(|part| all.append(part));
            }
            first..all.all.len()
        };
        let train = collect(&mut self.train, false);
        let test = collect(&mut self.test, true);
        self.rules.push(RuleSamples { rule, games: games.len(), heads, train, test });
    }

    pub(super) fn head_count(&self) -> usize {
        self.rules.last().map_or(0, |of_rule| of_rule.heads.end)
    }
}

fn samples_of<R: RuleSet>(games: &[&TrainingGame], heads: ByColor<u8>, result_share: f32) -> Samples {
    let mut samples = Samples::default();
    let mut leaves = Leaves::new();
    games.iter().for_each(|game| samples.add::<R>(game, heads, result_share, &mut leaves));
    samples
}
