//! Training the [network](crate::eval::network): gradient descent on the same targets as the
//! [fit](super::fit), with the hand-made evaluation as one input.
//!
//! Training counts in floating point, with activations of 0 to 1; at the end weights are rounded to what the
//! evaluation works with. What a code gives to a feature is what it adds by itself, plus what each of its
//! four shapes adds: so the thousands of rare codes follow the few shapes that are seen all the time. What points
//! look like is learned from the games of all rules together, which teach more than those of one; then every rule
//! learns layers of its own behind these features.

mod examples;
mod model;

use std::ops::Range;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::lesson::{Leaves, SCALE, decay};
use crate::data::Game;
use crate::eval::network::weights::Head;
use crate::rules::{Rule, RuleSet};
use crate::with_rule;
use examples::Examples;
use model::Learned;
pub use model::Model;

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Passes over the positions of all rules, for the features and first layers.
    pub common_epochs: usize,
    /// Passes over the positions of each rule, for its own layers.
    pub epochs: usize,
    /// Share of the game's result in the target; the rest is the score of the search.
    pub result_share: f32,
}

/// What training came to, for one rule.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// Positions learned from.
    pub positions: usize,
    /// Mean cross entropy on games held out, of the hand-made evaluation alone.
    pub by_hand: f32,
    /// The same of the network that learned from all rules.
    pub common: f32,
    /// The same of the rule's own network.
    pub network: f32,
}

/// One game in so many is held out.
const HELD_OUT: usize = 12;
/// Examples between two steps of the weights.
const BATCH: usize = 1024;
/// The first rate of the descent.
const RATE: f32 = 0.002;
/// What first guesses and the order of examples follow from.
const SEED: u64 = 1;

/// The examples of one rule among all.
#[derive(Clone, Debug)]
struct Chapter {
    rule: Rule,
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
        let recipe = self.recipe;
        // In groups, so that no more than one group is there twice.
        let collect = |all: &mut Examples, held_out: bool| {
            let first = all.all.len();
            for group in games.chunks(HELD_OUT * 1024) {
                let chosen = group.iter().enumerate().filter(|(n, _)| (n % HELD_OUT == 0) == held_out);
                let chosen: Vec<&Game> = chosen.map(|(_, game)| game).collect();
                let parts: Vec<Examples> = chosen
                    .par_chunks(256)
                    .map(|games| with_rule!(rule, R => examples_of::<R>(games, recipe)))
                    .collect();
                parts.into_iter().for_each(|part| all.append(part));
            }
            first..all.all.len()
        };
        let train = collect(&mut self.train, false);
        let test = collect(&mut self.test, true);
        self.chapters.push(Chapter { rule, train, test });
    }

    /// Trains one network for all rules. `progress` hears the number of every epoch and the loss on held-out
    /// games after it.
    #[must_use]
    pub fn common(&self, progress: impl Fn(usize, f32)) -> Model {
        let mut model = Model::new(1, &mut Xoshiro256PlusPlus::seed_from_u64(SEED));
        let (train, test) = (0..self.train.all.len(), 0..self.test.all.len());
        let epochs = self.recipe.common_epochs;
        self.descend(&mut model, Learned::All, epochs, train, test, progress);
        model
    }

    /// Trains the layers of a rule behind the features for all rules: one head, or two where the colours
    /// differ. `progress` as in [`Lessons::common`]; `None` if there are no games of the rule.
    #[must_use]
    pub fn train(
        &self,
        rule: Rule,
        common: &Model,
        progress: impl Fn(usize, f32),
    ) -> Option<(Vec<Head>, Loss)> {
        let chapter = self.chapters.iter().find(|chapter| chapter.rule == rule)?;
        let mut model =
            common.with_sides(with_rule!(rule, R => if R::treats_colors_alike() { 1 } else { 2 }));
        let Chapter { train, test, .. } = chapter.clone();
        let loss = Loss {
            positions: train.len(),
            by_hand: self.test.mean_loss(test.clone(), |example| example.by_hand / SCALE),
            common: model.loss(&self.test, test.clone()),
            network: f32::NAN,
        };
        self.descend(&mut model, Learned::Layers, self.recipe.epochs, train, test.clone(), progress);
        Some((model.rounded_heads(), Loss { network: model.loss(&self.test, test), ..loss }))
    }

    fn descend(
        &self,
        model: &mut Model,
        learned: Learned,
        epochs: usize,
        train: Range<usize>,
        test: Range<usize>,
        progress: impl Fn(usize, f32),
    ) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut order: Vec<u32> = (train.start as u32..train.end as u32).collect();
        for epoch in 0..epochs {
            order.shuffle(&mut random);
            let rate = RATE * decay(epoch, epochs);
            for batch in order.chunks(BATCH) {
                model.step(&self.train, batch, rate, learned);
            }
            progress(epoch, model.loss(&self.test, test.clone()));
        }
    }
}

fn examples_of<R: RuleSet>(games: &[&Game], recipe: Recipe) -> Examples {
    let mut examples = Examples::default();
    let mut leaves = Leaves::new();
    games.iter().for_each(|game| examples.add::<R>(game, recipe, &mut leaves));
    examples
}
