//! The fit. Value weights are fitted so that the logistic function of the evaluation predicts result and score, and
//! ordering scores so that the softmax over the moves of a position predicts the move that the search chose.
//!
//! Both start from known weights and keep them where the games say nothing, see `FactoredWeights`. A fit runs pass by
//! pass, so that the caller can save its progress.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::factors::{FactoredWeights, ORDERING_SPREAD, VALUE_SPREAD, ordering_factors, value_factors};
use super::gradient::{ordering_gradient, ordering_loss, value_gradient, value_loss};
use super::parameters::{ordering_parameters, to_weights, value_parameters};
use super::samples::Samples;
use crate::board::{ByColor, Color};
use crate::data::TrainingGame;
use crate::eval::hand_crafted::weights::{ColorWeights, HandCraftedWeights};
use crate::rules::{Rule, RuleSet, with_rule};
use crate::tune::adam::decay;
use crate::tune::checkpoint::CheckpointError;
use crate::tune::sample::is_held_out;
use crate::tune::state::{StateReader, StateWriter};

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitRecipe {
    /// Passes over all positions for the value. The ordering score, which learns faster, gets half as many, rounded up.
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

/// The result of a fit, for one rule.
#[derive(Clone, Copy, Debug)]
pub struct FitLoss {
    /// The number of training positions.
    pub positions: usize,
    /// The number of held-out games.
    pub held_out: usize,
    /// Mean cross entropy of the value on held-out games, before and after.
    pub value: [f32; 2],
    /// Mean cross entropy of the move on held-out games, before and after.
    pub ordering: [f32; 2],
}

/// The initial learning rate of the value, in points.
const VALUE_RATE: f32 = 0.3;
/// The initial learning rate of the ordering score, in its units.
const ORDERING_RATE: f32 = 1.0;
/// Batch size: samples per step of the weights.
const BATCH: usize = 2048;

impl FitRecipe {
    /// Passes for the value, and for the ordering score.
    fn both_passes(self) -> [usize; 2] {
        let passes = |kind, epochs| if self.only.is_none_or(|only| only == kind) { epochs } else { 0 };
        [passes(WeightKind::Values, self.epochs), passes(WeightKind::Ordering, self.epochs.div_ceil(2))]
    }

    /// The total number of passes of a fit.
    #[must_use]
    pub fn passes(self) -> usize {
        self.both_passes().iter().sum()
    }
}

/// A fit of the weights of one rule to its games: first the passes for the value, then those for the ordering score.
pub struct WeightFit {
    recipe: FitRecipe,
    train: Samples,
    /// The samples of held-out games.
    test: Samples,
    /// The number of these games.
    held_out: usize,
    values: FactoredWeights,
    ordering: FactoredWeights,
    /// The losses of both before the fit.
    before: [f32; 2],
    /// The number of finished passes.
    pass: usize,
}

impl WeightFit {
    /// Starts from these weights; those of the rule are fitted to its games. `None` if `stop` is set before all games
    /// have been gone through.
    #[must_use]
    pub fn new(
        rule: Rule,
        games: &[TrainingGame],
        start: &HandCraftedWeights,
        recipe: FitRecipe,
        stop: &AtomicBool,
    ) -> Option<WeightFit> {
        with_rule!(rule, R => WeightFit::of_rule::<R>(games, &start[rule.index()], recipe, stop))
    }

    fn of_rule<R: RuleSet>(
        games: &[TrainingGame],
        start: &ByColor<ColorWeights>,
        recipe: FitRecipe,
        stop: &AtomicBool,
    ) -> Option<WeightFit> {
        let (mut train, mut test) = (Samples::default(), Samples::default());
        let mut held_out = 0;
        for game in games {
            if stop.load(Relaxed) {
                return None;
            }
            let is_held_out = is_held_out(game);
            held_out += usize::from(is_held_out);
            let set = if is_held_out { &mut test } else { &mut train };
            set.collect::<R>(game, recipe.result_share);
        }
        let (values, choices) = (train.values.len(), train.choices.len());
        let values =
            FactoredWeights::new(value_parameters(start), value_factors::<R>(), VALUE_SPREAD, values);
        let ordering = FactoredWeights::new(
            ordering_parameters(start),
            ordering_factors::<R>(),
            ORDERING_SPREAD,
            choices,
        );
        let before = [value_loss(&test, &values.weights), ordering_loss(&test, &ordering.weights)];
        Some(WeightFit { recipe, train, test, held_out, values, ordering, before, pass: 0 })
    }

    /// The number of finished passes.
    #[must_use]
    pub fn passes(&self) -> usize {
        self.pass
    }

    /// Whether all passes are finished.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.pass >= self.recipe.passes()
    }

    /// Runs one pass over all positions.
    ///
    /// # Panics
    /// If all passes are finished.
    pub fn pass(&mut self) {
        assert!(!self.is_done(), "all passes are over");
        let [for_values, for_ordering] = self.recipe.both_passes();
        if self.pass < for_values {
            let rate = VALUE_RATE * decay(self.pass, for_values);
            for batch in self.train.values.chunks(BATCH) {
                let gradient = value_gradient(&self.train, batch, &self.values.weights);
                self.values.step(&gradient, batch.len(), rate);
            }
        } else {
            let rate = ORDERING_RATE * decay(self.pass - for_values, for_ordering);
            for batch in self.train.choices.chunks(BATCH) {
                let gradient = ordering_gradient(&self.train, batch, &self.ordering.weights);
                self.ordering.step(&gradient, batch.len(), rate);
            }
        }
        self.pass += 1;
    }

    /// Everything that has changed since the fit began, for [`WeightFit::restore`].
    #[must_use]
    pub fn state(&self) -> Vec<u8> {
        let mut state = StateWriter::default();
        state.number(self.pass as u64);
        self.values.write(&mut state);
        self.ordering.write(&mut state);
        state.finish()
    }

    /// Resumes from the state of a fit with the same games, recipe and initial weights.
    ///
    /// # Errors
    /// If the bytes are not such a state; this fit is then unusable.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), CheckpointError> {
        let mut state = StateReader(state);
        let mut read = || {
            self.pass = state.index(self.recipe.passes() + 1)?;
            self.values.read(&mut state)?;
            self.ordering.read(&mut state)
        };
        read().and_then(|()| state.finish()).ok_or(CheckpointError::Damaged)
    }

    /// The weights in the form that the evaluation uses, and their losses.
    #[must_use]
    pub fn finish(self) -> (ByColor<ColorWeights>, FitLoss) {
        let WeightFit { train, test, held_out, values, ordering, before, .. } = self;
        let loss = FitLoss {
            positions: train.values.len(),
            held_out,
            value: [before[0], value_loss(&test, &values.weights)],
            ordering: [before[1], ordering_loss(&test, &ordering.weights)],
        };
        (to_weights(&values.weights, &ordering.weights), loss)
    }
}

/// Copies Black's weights to White if the rule treats both alike. This is done once, after fitting.
pub fn share_colors(rule: Rule, weights: &mut ByColor<ColorWeights>) {
    if with_rule!(rule, R => R::treats_colors_alike()) {
        weights[Color::White] = weights[Color::Black].clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Origin;
    use crate::data::record::tests::game;
    use crate::eval::hand_crafted::weights::{builtin, to_bytes};

    #[test]
    fn the_ordering_score_gets_half_the_passes() {
        let passes = |epochs, only| FitRecipe { epochs, result_share: 0.5, only }.both_passes();
        assert_eq!((passes(30, None), passes(0, None)), ([30, 15], [0, 0]));
        assert_eq!(passes(1, Some(WeightKind::Ordering)), [0, 1]);
    }

    #[test]
    fn a_fit_goes_on_to_the_byte_from_wherever_it_was_cut_short() {
        let rule = Rule::ALL[0];
        let games: Vec<TrainingGame> = (0..200)
            .map(game)
            .filter(|game| game.rule == rule)
            .map(|mut game| {
                game.moves.truncate(40);
                let searched = game.moves.iter_mut().filter(|played| played.origin == Origin::Random);
                searched.for_each(|played| played.origin = Origin::Search);
                game
            })
            .collect();
        let recipe = FitRecipe { epochs: 4, result_share: 0.5, only: None };
        let start = builtin();
        let new = |recipe, stop| WeightFit::new(rule, &games, &start, recipe, &AtomicBool::new(stop));
        let begin = || new(recipe, false).unwrap();
        let end = |mut fit: WeightFit| {
            while !fit.is_done() {
                fit.pass();
            }
            let (weights, loss) = fit.finish();
            let mut all = start.clone();
            all[rule.index()] = weights;
            (to_bytes(&all), format!("{loss:?}"))
        };
        let whole = end(begin());
        assert!(whole.0 != to_bytes(&start), "there is something to learn");
        let mut cut = begin();
        for pass in 0..=recipe.passes() {
            let mut other = begin();
            other.restore(&cut.state()).unwrap();
            assert!(end(other) == whole, "cut short after pass {pass}");
            if !cut.is_done() {
                cut.pass();
            }
        }
        let state = cut.state();
        assert!(
            begin().restore(&state[1..]).is_err() && begin().restore(&[&state[..], &[0]].concat()).is_err()
        );
        let shorter = FitRecipe { epochs: 2, ..recipe };
        assert!(new(shorter, false).unwrap().restore(&state).is_err(), "too many passes");
        assert!(new(recipe, true).is_none());
    }
}
