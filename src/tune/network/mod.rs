//! Training the [network](crate::eval::network): gradient descent on the same targets as the
//! [fit](super::fit), with the hand-made evaluation as one input.
//!
//! Training counts in floating point, with activations of 0 to 1; at the end weights are rounded to what the
//! evaluation works with. What a code gives to a feature is what it adds by itself, plus what each of its
//! four shapes adds: so the thousands of rare codes follow the few shapes that are seen all the time. What points
//! look like is learned from the games of all rules together, which teach more than those of one, and each rule has
//! layers of its own behind these features. At the end features are rounded and the layers learn to live with it.

mod examples;
mod model;

use std::ops::Range;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::lesson::{HELD_OUT, Leaves, SCALE, decay};
use crate::board::{ByColor, Color};
use crate::data::Game;
use crate::eval::network::weights::{Head, Weights};
use crate::rules::{Rule, RuleSet};
use crate::with_rule;
use examples::Examples;
use model::{Learned, Model};

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Passes over all positions, for features and layers.
    pub epochs: usize,
    /// Passes after that for the layers alone, behind features that are rounded.
    pub layer_epochs: usize,
    /// The first rate of the descent, for each of the two.
    pub rate: f32,
    /// Share of the game's result in the target; the rest is the score of the search.
    pub result_share: f32,
}

/// What training came to, for one rule.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// The rule.
    pub rule: Rule,
    /// Games, those held out included.
    pub games: usize,
    /// Positions learned from.
    pub positions: usize,
    /// Mean cross entropy on games held out, of the hand-made evaluation alone.
    pub by_hand: f32,
    /// The same of the network as training began.
    pub before: f32,
    /// The same of the network.
    pub network: f32,
}

/// Examples between two steps of the weights.
const BATCH: usize = 1024;
/// What first guesses and the order of examples follow from.
const SEED: u64 = 1;

/// The examples of one rule among all.
#[derive(Clone, Debug)]
struct Chapter {
    rule: Rule,
    games: usize,
    /// Its heads among all.
    heads: Range<usize>,
    train: Range<usize>,
    test: Range<usize>,
}

/// What the games of all rules teach.
pub struct Lessons {
    recipe: Recipe,
    train: Examples,
    /// Of games held out.
    test: Examples,
    chapters: Vec<Chapter>,
}

impl Lessons {
    /// Nothing yet.
    #[must_use]
    pub fn new(recipe: Recipe) -> Lessons {
        Lessons { recipe, train: Examples::default(), test: Examples::default(), chapters: Vec::new() }
    }

    /// Adds the games of a rule that was not added before.
    pub fn add(&mut self, rule: Rule, games: &[Game]) {
        let first = self.head_count();
        let heads = first..first + with_rule!(rule, R => if R::treats_colors_alike() { 1 } else { 2 });
        let head_of =
            ByColor::from_fn(|color| if color == Color::Black { heads.start } else { heads.end - 1 } as u8);
        let result_share = self.recipe.result_share;
        // In groups, so that no more than one group is there twice.
        let collect = |all: &mut Examples, held_out: bool| {
            let first = all.all.len();
            for group in games.chunks(HELD_OUT * 1024) {
                let chosen = group.iter().enumerate().filter(|(n, _)| (n % HELD_OUT == 0) == held_out);
                let chosen: Vec<&Game> = chosen.map(|(_, game)| game).collect();
                let parts: Vec<Examples> = chosen
                    .par_chunks(256)
                    .map(|games| with_rule!(rule, R => examples_of::<R>(games, head_of, result_share)))
                    .collect();
                parts.into_iter().for_each(|part| all.append(part));
            }
            first..all.all.len()
        };
        let train = collect(&mut self.train, false);
        let test = collect(&mut self.test, true);
        self.chapters.push(Chapter { rule, games: games.len(), heads, train, test });
    }

    fn head_count(&self) -> usize {
        self.chapters.last().map_or(0, |chapter| chapter.heads.end)
    }

    /// Trains a network for every rule that there are games of, from these weights on or from none. A rule without
    /// games keeps its layers, if it had any. `progress` hears the number of every epoch and the loss on held-out games
    /// after it.
    #[must_use]
    pub fn learn(&self, from: Option<&Weights>, progress: impl Fn(usize, f32)) -> (Weights, Vec<Loss>) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut model = match from {
            None => Model::new(self.head_count(), &mut random),
            Some(weights) => {
                let heads = self.chapters.iter().flat_map(|chapter| {
                    let known = &weights.heads[chapter.rule.index()];
                    (0..chapter.heads.len()).map(|n| known.get(n))
                });
                Model::from_weights(&weights.parts, &heads.collect::<Vec<Option<&Head>>>(), &mut random)
            }
        };
        let loss = |model: &Model| -> Vec<f32> {
            self.chapters.iter().map(|chapter| model.loss(&self.test, chapter.test.clone())).collect()
        };
        let before = loss(&model);
        let Recipe { epochs, layer_epochs, .. } = self.recipe;
        self.descend(&mut model, Learned::All, epochs, &progress);
        model = model.with_rounded_features();
        self.descend(&mut model, Learned::Layers, layer_epochs, |epoch, loss| progress(epochs + epoch, loss));
        let heads = model.rounded_heads();
        let mut weights = Weights {
            parts: model.rounded_parts(),
            heads: from.map(|weights| weights.heads.clone()).unwrap_or_default(),
        };
        for chapter in &self.chapters {
            weights.heads[chapter.rule.index()] = heads[chapter.heads.clone()].to_vec();
        }
        let losses =
            self.chapters.iter().zip(before).zip(loss(&model)).map(|((chapter, before), network)| {
                let by_hand = self.test.mean_loss(chapter.test.clone(), |example| example.by_hand / SCALE);
                let Chapter { rule, games, .. } = *chapter;
                Loss { rule, games, positions: chapter.train.len(), by_hand, before, network }
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

fn examples_of<R: RuleSet>(games: &[&Game], heads: ByColor<u8>, result_share: f32) -> Examples {
    let mut examples = Examples::default();
    let mut leaves = Leaves::new();
    games.iter().for_each(|game| examples.add::<R>(game, heads, result_share, &mut leaves));
    examples
}
