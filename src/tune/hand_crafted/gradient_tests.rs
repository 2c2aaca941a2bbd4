use super::*;
use crate::board::Size;
use crate::eval::hand_crafted::weights;
use crate::eval::{Evaluator, HandCraftedEval};
use crate::position::Position;
use crate::random::{crowded_game, lively_games};
use crate::rules::{Renju, Rule, RuleSet, with_rule};
use crate::search::threats::forced_reply;
use crate::tune::hand_crafted::parameters::{ordering_parameters, value_parameters};
use crate::tune::hand_crafted::samples::Counts;

/// Every position of a random game as a sample, with the search's evaluation of it.
fn value_samples<R: RuleSet>(size: Size, seed: u64) -> (Samples, Vec<i32>) {
    let (mut samples, mut evaluations) = (Samples::default(), Vec::new());
    let game = crowded_game(size, seed);
    let (mut counts, mut evaluator) = (Counts::new(), <HandCraftedEval as Evaluator<R>>::new(size));
    let mut counted = Position::<R>::from_stones(&game.start, &mut counts);
    let mut played = Position::<R>::from_stones(&game.start, &mut evaluator);
    for (n, &(point, color)) in game.moves.iter().enumerate() {
        if played.to_move() != color {
            played.pass();
            counted.pass();
        }
        let before = counts.0.clone();
        counted.play(point, &mut counts);
        Evaluator::<R>::play(&mut evaluator, &mut played, point);
        samples.add_value::<R>(&counted, &counts.0, &before, (n % 9) as f32 / 10.0 + 0.1);
        evaluations.push(Evaluator::<R>::evaluate(&mut evaluator, &played));
    }
    (samples, evaluations)
}

/// The fit must use the same evaluation as the search, except for rounding to points.
#[test]
fn samples_are_what_the_search_evaluates_under_every_rule() {
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            let parameters = value_parameters(weights::of::<R>());
            let (samples, evaluations) = value_samples::<R>(Size::square(15), rule.index() as u64);
            for (sample, expected) in samples.values.iter().zip(evaluations) {
                let found = evaluation(&samples, sample, &parameters);
                assert!((found - expected as f32).abs() < 1.5, "{rule}: {found} {expected}");
            }
        });
    }
}

/// Compares a gradient with finite differences of the loss in double precision, for parameters whose gradient is not
/// zero. Returns how many of these there are below each of the `places`, not counting those below the place before.
fn compare(found: &[f32], start: &[f32], places: &[usize], loss: impl Fn(&[f64]) -> f64) -> Vec<usize> {
    const STEP: f64 = 1e-4;
    let mut precise: Vec<f64> = start.iter().map(|&weight| f64::from(weight)).collect();
    let steep: Vec<usize> = (0..found.len()).filter(|&n| found[n] != 0.0).collect();
    for &n in steep.iter().step_by(steep.len().div_ceil(400)) {
        let weight = precise[n];
        precise[n] = weight + STEP;
        let above = loss(&precise);
        precise[n] = weight - STEP;
        let below = loss(&precise);
        precise[n] = weight;
        let (slope, found) = ((above - below) / (2.0 * STEP), f64::from(found[n]));
        assert!((slope - found).abs() < 1e-7 + 1e-3 * slope.abs(), "parameter {n}: {found}, not {slope}");
    }
    let mut first = 0;
    let count = |&end: &usize| {
        let count = steep.iter().filter(|&&n| (first..end).contains(&n)).count();
        first = end;
        count
    };
    places.iter().map(count).collect()
}

#[test]
fn the_gradient_of_the_value_is_that_of_finite_differences() {
    use crate::shapes::CODE_COUNT;
    let (samples, _) = value_samples::<Renju>(Size::square(15), 3);
    let start = value_parameters(weights::of::<Renju>());
    let found = value_gradient(&samples, &samples.values, &start);
    let loss = |weights: &[f64]| {
        let loss = |sample: &ValueSample| {
            let terms = sample.terms(&samples).iter();
            let sum: f64 = terms.map(|&(n, times)| weights[usize::from(n)] * f64::from(times)).sum();
            let points = sum / 2.0 + weights[usize::from(sample.tempo)];
            let p = 1.0 / (1.0 + (-points / f64::from(SCALE)).exp());
            let target = f64::from(sample.target);
            -(target * p.ln() + (1.0 - target) * (1.0 - p).ln())
        };
        samples.values.iter().map(loss).sum::<f64>()
    };
    // Values of Black's and White's codes, then the tempo of both.
    let kinds = compare(&found, &start, &[CODE_COUNT, 2 * CODE_COUNT, found.len()], loss);
    assert!(kinds.iter().all(|&count| count > 10), "{kinds:?}");
}

#[test]
fn the_gradient_of_the_ordering_is_that_of_finite_differences() {
    use crate::shapes::CODE_COUNT;
    let mut samples = Samples::default();
    for game in lively_games::<Renju>(6) {
        let mut position = Position::<Renju>::new(game.size(), &mut ());
        for &(point, _) in game.history() {
            let reply = forced_reply(&mut position);
            samples.add_choice(&position, reply, point);
            position.play(point, &mut ());
        }
    }
    assert!(samples.choices.len() > 50, "{} choices", samples.choices.len());
    let start = ordering_parameters(weights::of::<Renju>());
    let found = ordering_gradient(&samples, &samples.choices, &start);
    let loss = |weights: &[f64]| {
        let loss = |choice: &Choice| {
            let logit = |parameters: &MoveParameters| {
                parameters.iter().map(|&n| weights[usize::from(n)]).sum::<f64>() / f64::from(ORDERING_SCALE)
            };
            let logits: Vec<f64> = choice.moves(&samples).iter().map(logit).collect();
            logits.iter().map(|logit| logit.exp()).sum::<f64>().ln() - logits[0]
        };
        samples.choices.iter().map(loss).sum::<f64>()
    };
    // Own codes of both movers, other codes of both, then nearness.
    let places: Vec<usize> = (1..=4).map(|n| n * CODE_COUNT).chain([found.len()]).collect();
    let kinds = compare(&found, &start, &places, loss);
    assert!(kinds.iter().all(|&count| count > 10), "{kinds:?}");
}
