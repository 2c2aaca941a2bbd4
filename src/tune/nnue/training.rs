//! The course of a training: which games teach what, in how many passes, at which rates.

use std::ops::Range;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::gradient::Learned;
use super::model::Model;
use super::samples::Samples;
use crate::board::{ByColor, Color};
use crate::data::TrainingGame;
use crate::eval::nnue::weights::{Head, NnueWeights};
use crate::rules::{Rule, RuleSet, with_rule};
use crate::tune::adam::decay;
use crate::tune::loss::SCALE;
use crate::tune::sample::{HELD_OUT, Leaves};

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct TrainingRecipe {
    /// Passes over all positions, for features and layers.
    pub epochs: usize,
    /// Passes after that for the layers alone, behind features that are rounded.
    pub layer_epochs: usize,
    /// The first learning rate, for each of the two.
    pub rate: f32,
    /// Share of the game's result in the target; the rest is the score of the search.
    pub result_share: f32,
}

/// What training came to, for one rule.
#[derive(Clone, Copy, Debug)]
pub struct TrainingLoss {
    /// The rule.
    pub rule: Rule,
    /// Games, those held out included.
    pub games: usize,
    /// Positions learned from.
    pub positions: usize,
    /// Mean cross entropy on games held out, of the hand-crafted evaluation alone.
    pub hand_crafted: f32,
    /// The same of the network as training began.
    pub before: f32,
    /// The same of the network.
    pub network: f32,
}

/// Samples between two steps of the weights.
const BATCH: usize = 1024;
/// What first guesses and the order of samples follow from.
const SEED: u64 = 1;

/// The samples of one rule among all.
#[derive(Clone, Debug)]
struct RuleSamples {
    rule: Rule,
    games: usize,
    /// Its heads among all.
    heads: Range<usize>,
    train: Range<usize>,
    test: Range<usize>,
}

/// The samples of the games of all rules.
pub struct TrainingSet {
    recipe: TrainingRecipe,
    train: Samples,
    /// Of games held out.
    test: Samples,
    rules: Vec<RuleSamples>,
}

impl TrainingSet {
    /// Nothing yet.
    #[must_use]
    pub fn new(recipe: TrainingRecipe) -> TrainingSet {
        TrainingSet { recipe, train: Samples::default(), test: Samples::default(), rules: Vec::new() }
    }

    /// Adds the games of a rule that was not added before.
    pub fn add(&mut self, rule: Rule, games: &[TrainingGame]) {
        let first = self.head_count();
        let heads = first..first + with_rule!(rule, R => if R::treats_colors_alike() { 1 } else { 2 });
        let head_of =
            ByColor::from_fn(|color| if color == Color::Black { heads.start } else { heads.end - 1 } as u8);
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

    fn head_count(&self) -> usize {
        self.rules.last().map_or(0, |of_rule| of_rule.heads.end)
    }

    /// Trains a network for every rule that there are games of, from these weights on or from none. A rule without
    /// games keeps its layers, if it had any. `progress` hears the number of every epoch and the loss on held-out games
    /// after it.
    #[must_use]
    pub fn learn(
        &self,
        from: Option<&NnueWeights>,
        progress: impl Fn(usize, f32),
    ) -> (NnueWeights, Vec<TrainingLoss>) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut model = match from {
            None => Model::new(self.head_count(), &mut random),
            Some(weights) => {
                let heads = self.rules.iter().flat_map(|of_rule| {
                    let known = &weights.heads[of_rule.rule.index()];
                    (0..of_rule.heads.len()).map(|n| known.get(n))
                });
                Model::from_weights(&weights.features, &heads.collect::<Vec<Option<&Head>>>(), &mut random)
            }
        };
        let loss = |model: &Model| -> Vec<f32> {
            self.rules.iter().map(|of_rule| model.loss(&self.test, of_rule.test.clone())).collect()
        };
        let before = loss(&model);
        let TrainingRecipe { epochs, layer_epochs, .. } = self.recipe;
        self.descend(&mut model, Learned::All, epochs, &progress);
        model = model.with_rounded_features();
        self.descend(&mut model, Learned::Layers, layer_epochs, |epoch, loss| progress(epochs + epoch, loss));
        let heads = model.rounded_heads();
        let mut weights = NnueWeights {
            features: model.rounded_features(),
            heads: from.map(|weights| weights.heads.clone()).unwrap_or_default(),
        };
        for of_rule in &self.rules {
            weights.heads[of_rule.rule.index()] = heads[of_rule.heads.clone()].to_vec();
        }
        let losses = self.rules.iter().zip(before).zip(loss(&model)).map(|((of_rule, before), network)| {
            let hand_crafted =
                self.test.mean_loss(of_rule.test.clone(), |sample| sample.hand_crafted / SCALE);
            let RuleSamples { rule, games, .. } = *of_rule;
            TrainingLoss { rule, games, positions: of_rule.train.len(), hand_crafted, before, network }
        });
        (weights, losses.collect())
    }

    fn descend(&self, model: &mut Model, learned: Learned, epochs: usize, progress: impl Fn(usize, f32)) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut order: Vec<u32> = (0..self.train.all.len() as u32).collect();
        let batches = order.len().div_ceil(BATCH);
        for epoch in 0..epochs {
            order.shuffle(&mut random);
            for (n, batch) in order.chunks(BATCH).enumerate() {
                let rate = self.recipe.rate * decay(epoch * batches + n, epochs * batches);
                model.step(&self.train, batch, rate, learned);
            }
            progress(epoch, model.loss(&self.test, 0..self.test.all.len()));
        }
    }
}

fn samples_of<R: RuleSet>(games: &[&TrainingGame], heads: ByColor<u8>, result_share: f32) -> Samples {
    let mut samples = Samples::default();
    let mut leaves = Leaves::new();
    games.iter().for_each(|game| samples.add::<R>(game, heads, result_share, &mut leaves));
    samples
}
