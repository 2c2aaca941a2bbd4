//! The training set: positions of games of all rules, and the recipe of how often and at which learning rates to train
//! on them.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::samples::{Sample, Samples};
use crate::board::{ByColor, Color};
use crate::data::TrainingGame;
use crate::eval::nnue::buckets::{BUCKETS, heads_of};
use crate::rules::{Rule, RuleSet, with_rule};
use crate::tune::sample::{Leaves, is_held_out};

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
    /// Training positions.
    pub positions: usize,
    /// Its heads among those of all rules.
    pub heads: Range<usize>,
}

impl RuleSamples {
    /// Whether a sample is of this rule.
    pub(super) fn has(&self, sample: &Sample) -> bool {
        self.heads.contains(&sample.head.into())
    }

    /// Whether a sample is of this rule and its number of stones selects this bucket.
    pub(super) fn has_in_bucket(&self, sample: &Sample, bucket: usize) -> bool {
        self.has(sample) && (usize::from(sample.head) - self.heads.start) % BUCKETS == bucket
    }
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

    /// Adds the games of a rule that was not added before. Returns false, and leaves the rule out, if none of its
    /// positions can be learned from: they are held out, or have no score. Once `stop` is set, no more games are gone
    /// through, and the set is of no use.
    #[must_use]
    pub fn add(&mut self, rule: Rule, games: &[TrainingGame], stop: &AtomicBool) -> bool {
        let first = self.head_count();
        let heads = first..first + with_rule!(rule, R => heads_of::<R>());
        let head_of = ByColor::from_fn(
            |color| if color == Color::Black { heads.start } else { heads.end - BUCKETS } as u8,
        );
        let result_share = self.recipe.result_share;
        let samples = |held_out: bool| -> Vec<Samples> {
            let chosen: Vec<&TrainingGame> =
                games.iter().filter(|game| is_held_out(game) == held_out).collect();
            let part = |games| with_rule!(rule, R => samples_of::<R>(games, head_of, result_share, stop));
            chosen.par_chunks(256).map(part).collect()
        };
        let train = samples(false);
        let positions = train.iter().map(|part| part.all.len()).sum();
        if positions == 0 {
            return false;
        }
        train.into_iter().for_each(|part| self.train.append(part));
        samples(true).into_iter().for_each(|part| self.test.append(part));
        self.rules.push(RuleSamples { rule, games: games.len(), positions, heads });
        true
    }

    pub(super) fn head_count(&self) -> usize {
        self.rules.last().map_or(0, |of_rule| of_rule.heads.end)
    }
}

fn samples_of<R: RuleSet>(
    games: &[&TrainingGame],
    heads: ByColor<u8>,
    result_share: f32,
    stop: &AtomicBool,
) -> Samples {
    let mut samples = Samples::default();
    let mut leaves = Leaves::new();
    let games = games.iter().take_while(|_| !stop.load(Relaxed));
    games.for_each(|game| samples.add::<R>(game, heads, result_share, &mut leaves));
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::record::tests::game;

    #[test]
    fn games_are_gone_through_until_it_is_stopped() {
        let recipe = TrainingRecipe { epochs: 1, layer_epochs: 1, rate: 0.002, result_share: 0.5 };
        let games: Vec<TrainingGame> = (0..50).map(game).filter(|game| game.rule == Rule::ALL[0]).collect();
        let added = |stop| TrainingSet::new(recipe).add(Rule::ALL[0], &games, &AtomicBool::new(stop));
        assert!(added(false) && !added(true));
    }
}
