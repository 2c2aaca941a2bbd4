//! Factored weights: related weights share components, so that thousands of rare codes follow the few shapes that occur
//! all the time.
//!
//! A weight is the sum of its initial value, of its factors (each of the four lines, the threat that they make
//! together), and of a component of its own. Regularisation draws factors and own components to zero, own components
//! the most. Trainers of NNUE networks call the same idea a
//! [factoriser](https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md#feature-factorization).

use crate::board::Color;
use crate::eval::hand_crafted::nearness::NEARNESS_COUNT;
use crate::eval::hand_crafted::threat_flags::{COMBINATIONS, FLAG_COUNT};
use crate::rules::RuleSet;
use crate::shapes::table::shapes_of_code;
use crate::shapes::{CODE_COUNT, Code, Shape, Threat};
use crate::tune::adam::{Adam, Regularisation};
use crate::tune::state::{StateReader, StateWriter};

/// The factors of each weight, which it shares with others: their indices, each as often as it counts.
pub(super) struct Factors {
    of: Vec<Vec<u16>>,
    count: usize,
}

/// Adds the factors of a table by code: the code's four lines, and the threat that they make for `color`.
fn add_codes<R: RuleSet>(factors: &mut Factors, color: Color) {
    let (lines, threats) = (factors.count, factors.count + Shape::COUNT);
    factors.count += Shape::COUNT + Threat::COUNT;
    for code in 0..CODE_COUNT {
        let shapes = shapes_of_code(code as Code);
        let threat = Threat::of::<R>(shapes, color);
        let lines = shapes.iter().map(|&shape| (lines + shape as usize) as u16);
        factors.of.push(lines.chain([(threats + threat as usize) as u16]).collect());
    }
}

/// The factors of the value parameters. Those of the tempo are the individual threat flags.
pub(super) fn value_factors<R: RuleSet>() -> Factors {
    let mut factors = Factors { of: Vec::new(), count: 0 };
    Color::ALL.into_iter().for_each(|color| add_codes::<R>(&mut factors, color));
    for _ in Color::ALL {
        let first = factors.count;
        factors.count += FLAG_COUNT;
        let bits = |flags: usize| (0..FLAG_COUNT).filter(move |bit| flags >> bit & 1 != 0);
        factors
            .of
            .extend((0..COMBINATIONS).map(|flags| bits(flags).map(|bit| (first + bit) as u16).collect()));
    }
    factors
}

/// The factors of the ordering parameters.
pub(super) fn ordering_factors<R: RuleSet>() -> Factors {
    let mut factors = Factors { of: Vec::new(), count: 0 };
    for taken in [false, true] {
        for mover in Color::ALL {
            add_codes::<R>(&mut factors, if taken { !mover } else { mover });
        }
    }
    // Distances have nothing in common.
    factors.of.extend((0..2 * NEARNESS_COUNT).map(|_| Vec::new()));
    factors
}

/// How far parameters are expected to lie from zero, as standard deviations.
#[derive(Clone, Copy)]
pub(super) struct Spread {
    /// That of a factor.
    factor: f32,
    /// That of a weight's own component.
    own: f32,
}

/// Spread of the value, in points.
pub(super) const VALUE_SPREAD: Spread = Spread { factor: 30.0, own: 8.0 };
/// Spread of the ordering score, in its units.
pub(super) const ORDERING_SPREAD: Spread = Spread { factor: 80.0, own: 32.0 };

/// Weights that are sums of factors and of components of their own.
pub(super) struct FactoredWeights {
    /// The fitted weights as sums, which samples use.
    pub weights: Vec<f32>,
    start: Vec<f32>,
    factors: Factors,
    own: Adam,
    shared: Adam,
    /// The coefficients of the weight decay towards zero.
    weight_decay: Spread,
}

impl FactoredWeights {
    /// Starts from these weights; `samples` is the total number of samples.
    pub(super) fn new(start: Vec<f32>, factors: Factors, spread: Spread, samples: usize) -> FactoredWeights {
        let decay = |spread: f32| 1.0 / (spread * spread * samples.max(1) as f32);
        let own = Adam::new(vec![0.0; start.len()]);
        let shared = Adam::new(vec![0.0; factors.count]);
        let weight_decay = Spread { factor: decay(spread.factor), own: decay(spread.own) };
        FactoredWeights { weights: start.clone(), start, factors, own, shared, weight_decay }
    }

    /// Takes one step, given the gradient of the loss summed over this many samples.
    pub(super) fn step(&mut self, gradient: &[f32], samples: usize, rate: f32) {
        let gradient: Vec<f32> = gradient.iter().map(|sum| sum / samples as f32).collect();
        let mut shared = vec![0.0; self.factors.count];
        for (factors, slope) in self.factors.of.iter().zip(&gradient) {
            factors.iter().for_each(|&factor| shared[usize::from(factor)] += slope);
        }
        self.own.step(&gradient, rate, |_| Regularisation::weight_decay(self.weight_decay.own));
        self.shared.step(&shared, rate, |_| Regularisation::weight_decay(self.weight_decay.factor));
        self.add_up();
    }

    fn add_up(&mut self) {
        for (n, weight) in self.weights.iter_mut().enumerate() {
            let factors = &self.factors.of[n];
            let shared: f32 = factors.iter().map(|&factor| self.shared.values[usize::from(factor)]).sum();
            *weight = self.start[n] + self.own.values[n] + shared;
        }
    }

    /// Serialises the state of the fit.
    pub(super) fn write(&self, state: &mut StateWriter) {
        self.own.write(state);
        self.shared.write(state);
    }

    /// Restores the state of weights with the same start and factors.
    pub(super) fn read(&mut self, state: &mut StateReader) -> Option<()> {
        self.own.read(state)?;
        self.shared.read(state)?;
        self.add_up();
        Some(())
    }
}
