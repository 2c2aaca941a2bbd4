//! The fit: value weights so that the logistic function of the evaluation foretells result and score, and
//! ordering scores so that the softmax over the moves of a position foretells the move that the search chose.
//!
//! Both start from weights that are known and keep to them where the games say nothing, see
//! `FactoredWeights`.

use super::factors::{FactoredWeights, ORDERING_SPREAD, VALUE_SPREAD, ordering_factors, value_factors};
use super::gradient::{ordering_gradient, ordering_loss, value_gradient, value_loss};
use super::parameters::{ordering_parameters, to_weights, value_parameters};
use super::samples::Samples;
use crate::board::{ByColor, Color};
use crate::data::TrainingGame;
use crate::eval::hand_crafted::weights::{ColorWeights, HandCraftedWeights};
use crate::rules::{Rule, RuleSet, with_rule};
use crate::tune::adam::decay;
use crate::tune::sample::HELD_OUT;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitRecipe {
    /// Passes over all positions.
    pub epochs: usize,
    /// Share of the game's result in the target; the rest is the score of the search.
    pub result_share: f32,
    /// Fit only these; the others stay as they are.
    pub only: Option<WeightKind>,
}

/// What weights are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightKind {
    /// The evaluation
    Values,
    /// The move-ordering scores
    Ordering,
}

/// What a fit came to, for one rule.
#[derive(Clone, Copy, Debug)]
pub struct FitLoss {
    /// Positions fitted to.
    pub positions: usize,
    /// Mean cross entropy of the value on games held out, before and after.
    pub value: [f32; 2],
    /// Mean cross entropy of the move on games held out, before and after.
    pub ordering: [f32; 2],
}

/// First steps of the value, in points.
const VALUE_RATE: f32 = 0.3;
/// First steps of the ordering score, in its units.
const ORDERING_RATE: f32 = 1.0;
/// Samples between two steps of the weights.
const BATCH: usize = 2048;

/// Fits the weights of one rule to its games.
#[must_use]
pub fn fit(
    rule: Rule,
    games: &[TrainingGame],
    start: &HandCraftedWeights,
    recipe: FitRecipe,
) -> (ByColor<ColorWeights>, FitLoss) {
    with_rule!(rule, R => fit_rule::<R>(games, &start[rule.index()], recipe))
}

fn fit_rule<R: RuleSet>(
    games: &[TrainingGame],
    start: &ByColor<ColorWeights>,
    recipe: FitRecipe,
) -> (ByColor<ColorWeights>, FitLoss) {
    let (mut train, mut test) = (Samples::default(), Samples::default());
    for (n, game) in games.iter().enumerate() {
        let set = if n % HELD_OUT == 0 { &mut test } else { &mut train };
        set.collect::<R>(game, recipe.result_share);
    }
    let epochs_of = |kind, epochs| if recipe.only.is_none_or(|only| only == kind) { epochs } else { 0 };

    let positions = train.values.len();
    let mut values =
        FactoredWeights::new(value_parameters(start), value_factors::<R>(), VALUE_SPREAD, positions);
    let value_before = value_loss(&test, &values.weights);
    let epochs = epochs_of(WeightKind::Values, recipe.epochs);
    for epoch in 0..epochs {
        let rate = VALUE_RATE * decay(epoch, epochs);
        for batch in train.values.chunks(BATCH) {
            let gradient = value_gradient(&train, batch, &values.weights);
            values.step(&gradient, batch.len(), rate);
        }
    }
    let value_after = value_loss(&test, &values.weights);

    let choices = train.choices.len();
    let mut ordering =
        FactoredWeights::new(ordering_parameters(start), ordering_factors::<R>(), ORDERING_SPREAD, choices);
    let ordering_before = ordering_loss(&test, &ordering.weights);
    let epochs = epochs_of(WeightKind::Ordering, recipe.epochs / 2);
    for epoch in 0..epochs {
        let rate = ORDERING_RATE * decay(epoch, epochs);
        for batch in train.choices.chunks(BATCH) {
            let gradient = ordering_gradient(&train, batch, &ordering.weights);
            ordering.step(&gradient, batch.len(), rate);
        }
    }
    let ordering_after = ordering_loss(&test, &ordering.weights);
    let loss = FitLoss {
        positions,
        value: [value_before, value_after],
        ordering: [ordering_before, ordering_after],
    };
    (to_weights(&values.weights, &ordering.weights), loss)
}

/// Copies Black's weights to White where the rule treats both alike: done once, after fitting.
pub fn share_colors(rule: Rule, weights: &mut ByColor<ColorWeights>) {
    if with_rule!(rule, R => R::treats_colors_alike()) {
        weights[Color::White] = weights[Color::Black].clone();
    }
}
