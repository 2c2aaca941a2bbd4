//! The network in floating point: what it says of a position, and how that follows from every weight.

use std::ops::Range;

use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::examples::{Example, Examples, Group};
use crate::board::Color;
use crate::eval::network::REGIONS;
use crate::eval::network::weights::{
    self, BOARD_SHIFT, FEATURE_ONE, FEATURES, HIDDEN_ONE, Head, LOCAL_SHIFT, OUTPUTS, PART_LIMIT,
    WEIGHT_LIMIT,
};
use crate::shapes::table::shapes_of_code;
use crate::shapes::{CODE_COUNT, Code, Shape};
use crate::tune::descent::Descent;
use crate::tune::lesson::{SCALE, sigmoid};

/// Parts of a batch whose gradients are summed apart, so that the result does not depend on threads.
const SHARES: usize = 4;
/// What draws weights home: those of a single code, of which there are thousands, and all others.
const PULL_CODES: f32 = 1e-4;
const PULL: f32 = 1e-6;

/// Inputs of the layer that looks at a region: features in the view of the side to move, then the other's.
const VIEWS: usize = 2 * FEATURES;
/// Inputs of the layer that looks at the board.
const INPUTS: usize = VIEWS + OUTPUTS;
/// What sums of features are multiplied with before they enter a layer, and in the evaluation shifts do.
const REGION_UNIT: f32 = (1 << LOCAL_SHIFT) as f32;
const BOARD_UNIT: f32 = (1 << BOARD_SHIFT) as f32;
const FROM_REGION: f32 = FEATURE_ONE as f32 / REGION_UNIT;
const FROM_BOARD: f32 = FEATURE_ONE as f32 / BOARD_UNIT;

// Where the weights of a side stand among its numbers. Those of a layer stand input by input.
const CODES: usize = 0;
const SHAPES: usize = CODES + 2 * CODE_COUNT * FEATURES;
const PART_BIAS: usize = SHAPES + 2 * Shape::COUNT * FEATURES;
const LOCAL: usize = PART_BIAS + FEATURES;
const LOCAL_BIAS: usize = LOCAL + OUTPUTS * VIEWS;
const BOARD: usize = LOCAL_BIAS + OUTPUTS;
const HIDDEN_BIAS: usize = BOARD + OUTPUTS * INPUTS;
const HIDDEN: usize = HIDDEN_BIAS + OUTPUTS;
const DIRECT: usize = HIDDEN + OUTPUTS;
const BIAS: usize = DIRECT + INPUTS;
const BY_HAND: usize = BIAS + 1;
const WEIGHTS: usize = BY_HAND + 1;

fn pull(weight: usize) -> f32 {
    if weight % WEIGHTS < SHAPES { PULL_CODES } else { PULL }
}

type Vector = [f32; FEATURES];
/// Parts of features by code: of the viewer's own codes, then of the other's.
type Parts = [Vec<Vector>; 2];

impl Group {
    /// The parts of these points' features as the side to move (view 0) or the other sees them.
    fn looks<'a>(&self, view: usize, [own, other]: &'a Parts) -> [&'a Vector; 2] {
        let [a, b] = self.codes(view);
        [&own[a], &other[b]]
    }

    fn looks_mut<'a>(&self, view: usize, [own, other]: &'a mut Parts) -> [&'a mut Vector; 2] {
        let [a, b] = self.codes(view);
        [&mut own[a], &mut other[b]]
    }

    /// The codes of the viewer and of the other.
    fn codes(&self, view: usize) -> [usize; 2] {
        let [own, other] = [self.own, self.other].map(usize::from);
        if view == 0 { [own, other] } else { [other, own] }
    }
}

fn cut(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// The slope of [`cut`].
fn passes(x: f32) -> f32 {
    f32::from(u8::from(x > 0.0 && x < 1.0))
}

/// The outputs of a layer before they are cut, whose inputs are multiplied with `unit` first.
fn outputs<const N: usize>(weights: &[f32], inputs: &[f32; N], bias: &[f32], unit: f32) -> [f32; OUTPUTS] {
    let mut outputs: [f32; OUTPUTS] = std::array::from_fn(|n| bias[n]);
    for (weights, input) in weights.as_chunks::<OUTPUTS>().0.iter().zip(inputs) {
        let input = input * unit;
        for n in 0..OUTPUTS {
            outputs[n] += weights[n] * input;
        }
    }
    outputs
}

/// Adds the slopes of a layer's weights, and those of its inputs to `by_inputs`, given those of its outputs.
fn add_slopes<const N: usize>(
    slopes: &mut [f32],
    weights: &[f32],
    inputs: &[f32; N],
    by_outputs: &[f32; OUTPUTS],
    unit: f32,
    by_inputs: &mut [f32; N],
) {
    let slopes = slopes.as_chunks_mut::<OUTPUTS>().0;
    let weights = weights.as_chunks::<OUTPUTS>().0;
    for (((slopes, weights), input), by_input) in slopes.iter_mut().zip(weights).zip(inputs).zip(by_inputs) {
        let input = input * unit;
        let mut products = [0.0; OUTPUTS];
        for n in 0..OUTPUTS {
            slopes[n] += by_outputs[n] * input;
            products[n] = by_outputs[n] * weights[n];
        }
        // In halves, so that the sum is made of vectors.
        let mut width = OUTPUTS;
        while width > 1 {
            width /= 2;
            for n in 0..width {
                products[n] += products[n + width];
            }
        }
        *by_input += products[0] * unit;
    }
}

/// Which weights are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Learned {
    /// Every weight.
    All,
    /// Those behind the features: the features stay as they are.
    Layers,
}

/// What a network comes to on the way to its output.
struct Trace {
    /// By region: features as the side to move sees them, then as the other side does.
    sums: [[f32; VIEWS]; REGIONS],
    /// By region, before they are cut.
    local: [[f32; OUTPUTS]; REGIONS],
    inputs: [f32; INPUTS],
    /// Before they are cut.
    hidden: [f32; OUTPUTS],
}

/// A network in training, of one side or two.
pub struct Model {
    sides: usize,
    weights: Descent,
}

impl Model {
    /// Knows nothing; what it guesses is small.
    pub(super) fn new(sides: usize, random: &mut impl Rng) -> Model {
        let mut weights = vec![0.0; sides * WEIGHTS];
        for side in weights.chunks_exact_mut(WEIGHTS) {
            // From, to, mean and spread of the first guess.
            let guesses = [
                (CODES, SHAPES, 0.0, 0.02),
                (SHAPES, PART_BIAS, 0.0, 0.15),
                (LOCAL, BOARD, 0.0, 0.2),
                (BOARD, HIDDEN_BIAS, 0.0, 0.3),
                (HIDDEN_BIAS, HIDDEN, 0.3, 0.3),
                (HIDDEN, DIRECT, 0.0, 0.3),
                (BY_HAND, WEIGHTS, 1.0, 0.0),
            ];
            for (from, to, mean, spread) in guesses {
                side[from..to]
                    .iter_mut()
                    .for_each(|weight| *weight = mean + spread * random.random_range(-1.0..=1.0));
            }
        }
        Model { sides, weights: Descent::new(weights) }
    }

    /// So many sides that each start from this model, which has one. Their features are those that the
    /// evaluation works with, so that the layers learn to live with the rounding.
    pub(super) fn with_sides(&self, sides: usize) -> Model {
        let mut side = self.side(0).to_vec();
        side[CODES..LOCAL].fill(0.0);
        let rounded = self.rounded_parts();
        let parts = rounded.own.as_flattened().iter().chain(rounded.other.as_flattened());
        for (weight, part) in side[CODES..SHAPES].iter_mut().zip(parts) {
            *weight = f32::from(*part) / f32::from(FEATURE_ONE);
        }
        Model { sides, weights: Descent::from_home(side.repeat(sides)) }
    }

    /// Which side's weights serve the colour to move, and which its opponent.
    fn sides_of(&self, color: Color) -> [usize; 2] {
        if self.sides == 1 { [0, 0] } else { [color.index(), (!color).index()] }
    }

    fn side(&self, side: usize) -> &[f32] {
        &self.weights.values[side * WEIGHTS..(side + 1) * WEIGHTS]
    }

    /// The parts of features that the weights amount to, for every side.
    fn parts(&self) -> Vec<Parts> {
        let most = f32::from(PART_LIMIT) / f32::from(FEATURE_ONE);
        let part = |weights: &[f32], whose: usize, code: usize| {
            let vector = |at: usize| -> &[f32] { &weights[at..at + FEATURES] };
            let mut part: Vector = [0.0; FEATURES];
            let mut add = |more: &[f32]| part.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            add(vector(CODES + (whose * CODE_COUNT + code) * FEATURES));
            for shape in shapes_of_code(code as Code) {
                add(vector(SHAPES + (whose * Shape::COUNT + shape as usize) * FEATURES));
            }
            if whose == 0 {
                add(vector(PART_BIAS));
            }
            part.map(|x| x.clamp(-most, most))
        };
        let of_side = |weights: &[f32]| {
            [0, 1].map(|whose| (0..CODE_COUNT).map(|code| part(weights, whose, code)).collect())
        };
        self.weights.values.chunks_exact(WEIGHTS).map(of_side).collect()
    }

    /// What the network says of a position, in units of [`SCALE`] points, and how it comes to it.
    fn logit(&self, parts: &[Parts], examples: &Examples, example: &Example) -> (f32, Trace) {
        let [mover, other] = self.sides_of(example.color);
        let mut sums = [[0.0; VIEWS]; REGIONS];
        for group in examples.groups(example) {
            let sums = &mut sums[usize::from(group.region)];
            let count = f32::from(group.count);
            for (view, side) in [mover, other].into_iter().enumerate() {
                let [a, b] = group.looks(view, &parts[side]);
                for n in 0..FEATURES {
                    sums[view * FEATURES + n] += count * cut(a[n] + b[n]);
                }
            }
        }
        let weights = self.side(mover);
        let mut trace =
            Trace { sums, local: [[0.0; OUTPUTS]; REGIONS], inputs: [0.0; INPUTS], hidden: [0.0; OUTPUTS] };
        for (sums, local) in trace.sums.iter().zip(&mut trace.local) {
            *local = outputs(&weights[LOCAL..], sums, &weights[LOCAL_BIAS..], FROM_REGION);
            for (input, output) in trace.inputs[VIEWS..].iter_mut().zip(local) {
                *input += cut(*output);
            }
            for (input, sum) in trace.inputs.iter_mut().zip(sums) {
                *input += sum * FROM_BOARD;
            }
        }
        trace.hidden = outputs(&weights[BOARD..], &trace.inputs, &weights[HIDDEN_BIAS..], 1.0);
        let mut logit = weights[BIAS] + weights[BY_HAND] * example.by_hand / SCALE;
        for n in 0..OUTPUTS {
            logit += cut(trace.hidden[n]) * weights[HIDDEN + n];
        }
        let direct = &weights[DIRECT..DIRECT + INPUTS];
        logit += direct.iter().zip(&trace.inputs).map(|(weight, input)| weight * input).sum::<f32>();
        (logit, trace)
    }

    /// The mean loss over some of the examples.
    pub(super) fn loss(&self, examples: &Examples, which: Range<usize>) -> f32 {
        let parts = self.parts();
        examples.mean_loss(which, |example| self.logit(&parts, examples, example).0)
    }

    /// One step down the mean loss over these examples.
    pub(super) fn step(&mut self, examples: &Examples, batch: &[u32], rate: f32, learned: Learned) {
        let slopes = self.slopes(examples, batch, learned);
        self.weights.step(&slopes, rate, pull);
    }

    /// The slopes of the mean loss over these examples.
    fn slopes(&self, examples: &Examples, batch: &[u32], learned: Learned) -> Vec<f32> {
        let parts = self.parts();
        let share = batch.len().div_ceil(SHARES);
        let shares: Vec<Vec<f32>> = batch
            .par_chunks(share)
            .map(|batch| self.sum_of_slopes(&parts, examples, batch, learned))
            .collect();
        let mut slopes = vec![0.0; self.weights.values.len()];
        for share in shares {
            slopes.iter_mut().zip(share).for_each(|(sum, slope)| *sum += slope / batch.len() as f32);
        }
        slopes
    }

    fn sum_of_slopes(
        &self,
        parts: &[Parts],
        examples: &Examples,
        batch: &[u32],
        learned: Learned,
    ) -> Vec<f32> {
        let mut slopes = vec![0.0; self.weights.values.len()];
        let mut part_slopes: Vec<Parts> = parts
            .iter()
            .map(|parts| parts.each_ref().map(|parts| vec![[0.0; FEATURES]; parts.len()]))
            .collect();
        for &n in batch {
            let example = &examples.all[n as usize];
            let (logit, trace) = self.logit(parts, examples, example);
            let error = sigmoid(logit) - example.target;
            let [mover, other] = self.sides_of(example.color);
            let by_sums = self.slopes_of_layers(
                &mut slopes[mover * WEIGHTS..(mover + 1) * WEIGHTS],
                self.side(mover),
                example,
                &trace,
                error,
            );
            if learned == Learned::Layers {
                continue;
            }
            for group in examples.groups(example) {
                let by_sums = &by_sums[usize::from(group.region)];
                let count = f32::from(group.count);
                for (view, side) in [mover, other].into_iter().enumerate() {
                    let [a, b] = group.looks(view, &parts[side]);
                    let slope: Vector =
                        std::array::from_fn(|n| by_sums[view * FEATURES + n] * count * passes(a[n] + b[n]));
                    for part in group.looks_mut(view, &mut part_slopes[side]) {
                        part.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
                    }
                }
            }
        }
        for (slopes, parts) in slopes.chunks_exact_mut(WEIGHTS).zip(&part_slopes) {
            spread(parts, slopes);
        }
        slopes
    }

    /// Adds the slopes of the layers, and returns those of the sums of features.
    fn slopes_of_layers(
        &self,
        slopes: &mut [f32],
        weights: &[f32],
        example: &Example,
        trace: &Trace,
        error: f32,
    ) -> [[f32; VIEWS]; REGIONS] {
        slopes[BIAS] += error;
        slopes[BY_HAND] += error * example.by_hand / SCALE;
        let mut by_inputs = [0.0; INPUTS];
        for n in 0..INPUTS {
            slopes[DIRECT + n] += error * trace.inputs[n];
            by_inputs[n] = error * weights[DIRECT + n];
        }
        let mut by_outputs = [0.0; OUTPUTS];
        for n in 0..OUTPUTS {
            slopes[HIDDEN + n] += error * cut(trace.hidden[n]);
            by_outputs[n] = error * weights[HIDDEN + n] * passes(trace.hidden[n]);
            slopes[HIDDEN_BIAS + n] += by_outputs[n];
        }
        add_slopes(&mut slopes[BOARD..], &weights[BOARD..], &trace.inputs, &by_outputs, 1.0, &mut by_inputs);
        let mut by_sums = [[0.0; VIEWS]; REGIONS];
        for ((by_sums, sums), local) in by_sums.iter_mut().zip(&trace.sums).zip(&trace.local) {
            for n in 0..VIEWS {
                by_sums[n] = by_inputs[n] * FROM_BOARD;
            }
            for n in 0..OUTPUTS {
                by_outputs[n] = by_inputs[VIEWS + n] * passes(local[n]);
                slopes[LOCAL_BIAS + n] += by_outputs[n];
            }
            add_slopes(&mut slopes[LOCAL..], &weights[LOCAL..], sums, &by_outputs, FROM_REGION, by_sums);
        }
        by_sums
    }

    /// The parts of features as the evaluation takes them; those of the first side, if sides differ.
    #[must_use]
    pub fn rounded_parts(&self) -> weights::Parts {
        let mut rounded = weights::Parts::zero();
        let weights::Parts { own, other } = &mut rounded;
        let tables = [&mut own[..], &mut other[..]];
        for (table, parts) in tables.into_iter().zip(&self.parts()[0]) {
            for (row, part) in table.iter_mut().zip(parts) {
                *row = part.map(|x| (x * f32::from(FEATURE_ONE)).round() as i8);
            }
        }
        rounded
    }

    /// The layers of each side as the evaluation takes them.
    pub(super) fn rounded_heads(&self) -> Vec<Head> {
        self.weights.values.chunks_exact(WEIGHTS).map(to_head).collect()
    }
}

/// Hands the slopes of parts on to what they are sums of.
fn spread(parts: &Parts, slopes: &mut [f32]) {
    for (whose, parts) in parts.iter().enumerate() {
        for (code, slope) in parts.iter().enumerate().filter(|(_, slope)| **slope != [0.0; FEATURES]) {
            let mut add = |at: usize| {
                slopes[at..at + FEATURES].iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
            };
            add(CODES + (whose * CODE_COUNT + code) * FEATURES);
            for shape in shapes_of_code(code as Code) {
                add(SHAPES + (whose * Shape::COUNT + shape as usize) * FEATURES);
            }
            if whose == 0 {
                add(PART_BIAS);
            }
        }
    }
}

/// The layers as the evaluation takes them.
fn to_head(weights: &[f32]) -> Head {
    let limit = f32::from(WEIGHT_LIMIT);
    let one = f32::from(HIDDEN_ONE);
    // 256ths of a point for one unit of an input.
    let direct = |of_unit: f32| 256.0 * SCALE * of_unit;
    let round = |at: usize, unit: f32| (weights[at] * unit).round().clamp(-limit, limit) as i16;
    let mut head = Head::zero();
    for n in 0..OUTPUTS {
        head.local[n] = std::array::from_fn(|input| round(LOCAL + input * OUTPUTS + n, one));
        head.local_bias[n] = round(LOCAL_BIAS + n, one);
        head.board[n] = std::array::from_fn(|input| round(BOARD + input * OUTPUTS + n, one));
        head.from_local[n] = std::array::from_fn(|input| round(BOARD + (VIEWS + input) * OUTPUTS + n, one));
        head.hidden_bias[n] = round(HIDDEN_BIAS + n, one);
        head.hidden[n] = round(HIDDEN + n, direct(1.0 / one));
        head.local_direct[n] = round(DIRECT + VIEWS + n, direct(1.0 / one));
    }
    head.board_direct = std::array::from_fn(|input| round(DIRECT + input, direct(1.0 / BOARD_UNIT)));
    head.bias = round(BIAS, SCALE);
    head.by_hand = round(BY_HAND, 256.0);
    head
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use crate::board::{Point, Size};
    use crate::eval::classical::Classical;
    use crate::eval::network::{self, Network};
    use crate::eval::{Evaluator, NetworkEval};
    use crate::position::Position;
    use crate::rules::{Rule, RuleSet};
    use crate::tune::lesson::cross_entropy;
    use crate::with_rule;

    /// What is trained must be what is played with, but for rounding.
    fn training_sees_what_the_search_evaluates<R: RuleSet>() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let [common, other] = [(); 2].map(|()| Model::new(1, &mut random));
        let mut model = common.with_sides(if R::treats_colors_alike() { 1 } else { 2 });
        if let Some(white) = model.weights.values.get_mut(WEIGHTS + LOCAL..2 * WEIGHTS) {
            white.copy_from_slice(&other.side(0)[LOCAL..WEIGHTS]);
        }
        let parts = model.parts();
        let looks = Arc::new(network::Looks::new(&model.rounded_parts()));
        let network: &'static Network =
            Box::leak(Box::new(Network::new(&looks, &model.rounded_heads()).unwrap()));
        let size = Size::square(15);
        let mut evaluator = NetworkEval::with_network::<R>(size, Some(network));
        let mut classical = <Classical as Evaluator<R>>::new(size);
        let mut position = Position::<R>::new(size, &mut evaluator);
        let mut by_hand = Position::<R>::new(size, &mut classical);
        let mut furthest = 0.0f32;
        for n in 0..60 {
            // A walk over the board that touches its edges and fills its middle.
            let point = Point::new(n * 7 % 15, n * 11 % 15 / (1 + n % 2));
            if !position.stones().is_empty_at(point) {
                continue;
            }
            Evaluator::<R>::push(&mut evaluator);
            position.play(point, &mut evaluator);
            Evaluator::<R>::push(&mut classical);
            by_hand.play(point, &mut classical);
            let mut examples = Examples::default();
            let hand = Evaluator::<R>::evaluate(&mut classical, &by_hand);
            examples.add_position(&position, hand, 0.5);
            let expected = model.logit(&parts, &examples, &examples.all[0]).0 * SCALE;
            let found = Evaluator::<R>::evaluate(&mut evaluator, &position) as f32;
            furthest = furthest.max((found - expected).abs() / (100.0 + (expected - hand as f32).abs()));
        }
        assert!(furthest < 0.1, "{:?}: {furthest}", R::RULE);
    }

    #[test]
    fn training_sees_what_the_search_evaluates_under_every_rule() {
        for rule in Rule::ALL {
            with_rule!(rule, R => training_sees_what_the_search_evaluates::<R>());
        }
    }

    /// Slopes against differences: what descent rests on.
    #[test]
    fn slopes_are_those_of_the_loss() {
        use crate::rules::Renju;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut model = Model::new(2, &mut random);
        let mut position = Position::<Renju>::new(Size::square(15), &mut ());
        let mut examples = Examples::default();
        for (x, y) in [(7, 7), (8, 8), (7, 8), (7, 9), (6, 8), (8, 6), (9, 7), (5, 8), (6, 7), (10, 10)] {
            position.play(Point::new(x, y), &mut ());
            examples.add_position(&position, 30, 0.8);
        }
        let batch: Vec<u32> = (0..examples.all.len() as u32).collect();
        let slopes = model.slopes(&examples, &batch, Learned::All);
        let loss = |model: &Model| {
            let parts = model.parts();
            let logit = |example: &Example| model.logit(&parts, &examples, example).0;
            let losses = examples.all.iter().map(|e| f64::from(cross_entropy(e.target, logit(e))));
            losses.sum::<f64>() / examples.all.len() as f64
        };
        let mut compared = 0;
        // One weight of each kind that matters, of both sides; a kink of `cut` may spoil a few.
        let mut wrong = 0;
        let steep = (0..slopes.len()).filter(|&n| slopes[n].abs() > 2e-3).step_by(7);
        for n in steep {
            let weight = model.weights.values[n];
            let step = 2e-3;
            model.weights.values[n] = weight + step;
            let above = loss(&model);
            model.weights.values[n] = weight - step;
            let below = loss(&model);
            model.weights.values[n] = weight;
            let slope = (above - below) / f64::from(2.0 * step);
            compared += 1;
            wrong += usize::from((slope - f64::from(slopes[n])).abs() > 0.1 * slope.abs() + 2e-4);
        }
        assert!(compared > 100 && wrong * 10 < compared, "{wrong} of {compared} slopes are wrong");
    }

    /// Six positions, every other one good.
    fn examples() -> (Examples, Vec<u32>) {
        use crate::rules::Freestyle;
        let mut position = Position::<Freestyle>::new(Size::square(15), &mut ());
        let mut examples = Examples::default();
        for (n, (x, y)) in [(7, 7), (8, 8), (7, 8), (7, 9), (6, 8), (8, 6)].into_iter().enumerate() {
            position.play(Point::new(x, y), &mut ());
            examples.add_position(&position, 0, if n % 2 == 0 { 0.1 } else { 0.9 });
        }
        let all = (0..examples.all.len() as u32).collect();
        (examples, all)
    }

    #[test]
    fn training_learns_and_does_not_depend_on_threads() {
        let (examples, batch) = examples();
        let learn = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut model = Model::new(1, &mut Xoshiro256PlusPlus::seed_from_u64(1));
                let loss = |model: &Model| model.loss(&examples, 0..examples.all.len());
                let before = loss(&model);
                for _ in 0..40 {
                    model.step(&examples, &batch, 0.01, Learned::All);
                }
                assert!(loss(&model) < before - 0.1, "{before} to {}", loss(&model));
                (model.rounded_parts(), model.rounded_heads())
            })
        };
        assert_eq!(learn(1), learn(3));
    }

    #[test]
    fn layers_learn_for_themselves_behind_features_that_stay() {
        let (examples, batch) = examples();
        let common = Model::new(1, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        let mut model = common.with_sides(2);
        assert_eq!(model.rounded_parts(), common.rounded_parts(), "rounding twice changes nothing");
        let loss = |model: &Model| model.loss(&examples, 0..examples.all.len());
        let before = loss(&model);
        assert!((before - loss(&common)).abs() < 0.05, "{before} and {}", loss(&common));
        for _ in 0..40 {
            model.step(&examples, &batch, 0.01, Learned::Layers);
        }
        assert!(loss(&model) < before - 0.05, "{before} to {}", loss(&model));
        assert_eq!(model.rounded_parts(), common.rounded_parts());
        let heads = model.rounded_heads();
        assert!(heads.len() == 2 && heads[0] != heads[1], "the colours are taught different things");
    }
}
