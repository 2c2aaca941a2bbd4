//! The network in floating point: what it says of a position, and how that follows from every weight.

use std::ops::Range;

use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::examples::{Example, Examples, Group};
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

// Where the weights of features stand among a model's numbers.
const CODES: usize = 0;
const SHAPES: usize = CODES + 2 * CODE_COUNT * FEATURES;
const PART_BIAS: usize = SHAPES + 2 * Shape::COUNT * FEATURES;
/// The first head stands behind them, then the others.
const HEADS: usize = PART_BIAS + FEATURES;

// Where the weights of a head stand among its numbers. Those of a layer stand input by input.
const LOCAL: usize = 0;
const LOCAL_BIAS: usize = LOCAL + OUTPUTS * VIEWS;
const BOARD: usize = LOCAL_BIAS + OUTPUTS;
const HIDDEN_BIAS: usize = BOARD + OUTPUTS * INPUTS;
const HIDDEN: usize = HIDDEN_BIAS + OUTPUTS;
const DIRECT: usize = HIDDEN + OUTPUTS;
const BIAS: usize = DIRECT + INPUTS;
const BY_HAND: usize = BIAS + 1;
const HEAD: usize = BY_HAND + 1;

fn pull(weight: usize) -> f32 {
    if weight < SHAPES { PULL_CODES } else { PULL }
}

/// Where the numbers of a head stand.
fn head_range(head: usize) -> Range<usize> {
    HEADS + head * HEAD..HEADS + (head + 1) * HEAD
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

/// A network in training: features that all heads share, and the heads.
pub(super) struct Model {
    weights: Descent,
}

impl Model {
    /// Knows nothing; what it guesses is small.
    pub(super) fn new(heads: usize, random: &mut impl Rng) -> Model {
        let mut weights = vec![0.0; head_range(heads).start];
        let mut guess = |weights: &mut [f32], mean: f32, spread: f32| {
            weights.iter_mut().for_each(|weight| *weight = mean + spread * random.random_range(-1.0..=1.0));
        };
        guess(&mut weights[CODES..SHAPES], 0.0, 0.02);
        guess(&mut weights[SHAPES..PART_BIAS], 0.0, 0.15);
        for head in weights[HEADS..].chunks_exact_mut(HEAD) {
            guess(&mut head[LOCAL..BOARD], 0.0, 0.2);
            guess(&mut head[BOARD..HIDDEN_BIAS], 0.0, 0.3);
            guess(&mut head[HIDDEN_BIAS..HIDDEN], 0.3, 0.3);
            guess(&mut head[HIDDEN..DIRECT], 0.0, 0.3);
            guess(&mut head[BY_HAND..], 1.0, 0.0);
        }
        Model { weights: Descent::new(weights) }
    }

    /// Starts from these features and heads. A head that is `None` knows nothing yet.
    pub(super) fn from_weights(
        parts: &weights::Parts,
        heads: &[Option<&Head>],
        random: &mut impl Rng,
    ) -> Model {
        let mut values = Model::new(heads.len(), random).weights.values;
        set_parts(&mut values, parts);
        for (place, head) in values[HEADS..].chunks_exact_mut(HEAD).zip(heads) {
            if let Some(head) = head {
                from_head(place, head);
            }
        }
        Model { weights: Descent::from_home(values) }
    }

    /// The same with the features that the evaluation works with, so that the heads learn to live with the rounding.
    pub(super) fn with_rounded_features(self) -> Model {
        let parts = self.rounded_parts();
        let mut values = self.weights.values;
        set_parts(&mut values, &parts);
        Model { weights: Descent::from_home(values) }
    }

    fn head(&self, head: usize) -> &[f32] {
        &self.weights.values[head_range(head)]
    }

    /// The parts of features that the weights amount to.
    fn parts(&self) -> Parts {
        let weights = &self.weights.values;
        let most = f32::from(PART_LIMIT) / f32::from(FEATURE_ONE);
        let part = |whose: usize, code: usize| {
            let mut part: Vector = [0.0; FEATURES];
            let mut add = |at: usize| {
                part.iter_mut().zip(&weights[at..at + FEATURES]).for_each(|(sum, more)| *sum += more);
            };
            add(CODES + (whose * CODE_COUNT + code) * FEATURES);
            for shape in shapes_of_code(code as Code) {
                add(SHAPES + (whose * Shape::COUNT + shape as usize) * FEATURES);
            }
            if whose == 0 {
                add(PART_BIAS);
            }
            part.map(|x| x.clamp(-most, most))
        };
        [0, 1].map(|whose| (0..CODE_COUNT).map(|code| part(whose, code)).collect())
    }

    /// What the network says of a position, in units of [`SCALE`] points, and how it comes to it.
    fn logit(&self, parts: &Parts, examples: &Examples, example: &Example) -> (f32, Trace) {
        let mut sums = [[0.0; VIEWS]; REGIONS];
        for group in examples.groups(example) {
            let sums = &mut sums[usize::from(group.region)];
            let count = f32::from(group.count);
            for view in 0..2 {
                let [a, b] = group.looks(view, parts);
                for n in 0..FEATURES {
                    sums[view * FEATURES + n] += count * cut(a[n] + b[n]);
                }
            }
        }
        let weights = self.head(example.head.into());
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

    fn sum_of_slopes(&self, parts: &Parts, examples: &Examples, batch: &[u32], learned: Learned) -> Vec<f32> {
        let mut slopes = vec![0.0; self.weights.values.len()];
        let mut part_slopes: Parts = [(); 2].map(|()| vec![[0.0; FEATURES]; CODE_COUNT]);
        for &n in batch {
            let example = &examples.all[n as usize];
            let (logit, trace) = self.logit(parts, examples, example);
            let error = sigmoid(logit) - example.target;
            let head = head_range(example.head.into());
            let weights = &self.weights.values[head.clone()];
            let by_sums = slopes_of_layers(&mut slopes[head], weights, example, &trace, error);
            if learned == Learned::Layers {
                continue;
            }
            for group in examples.groups(example) {
                let by_sums = &by_sums[usize::from(group.region)];
                let count = f32::from(group.count);
                for view in 0..2 {
                    let [a, b] = group.looks(view, parts);
                    let slope: Vector =
                        std::array::from_fn(|n| by_sums[view * FEATURES + n] * count * passes(a[n] + b[n]));
                    for part in group.looks_mut(view, &mut part_slopes) {
                        part.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
                    }
                }
            }
        }
        if learned == Learned::All {
            spread(&part_slopes, &mut slopes);
        }
        slopes
    }

    /// The parts of features as the evaluation takes them.
    pub(super) fn rounded_parts(&self) -> weights::Parts {
        let mut rounded = weights::Parts::zero();
        let weights::Parts { own, other } = &mut rounded;
        let tables = [&mut own[..], &mut other[..]];
        for (table, parts) in tables.into_iter().zip(&self.parts()) {
            for (row, part) in table.iter_mut().zip(parts) {
                *row = part.map(|x| (x * f32::from(FEATURE_ONE)).round() as i8);
            }
        }
        rounded
    }

    /// The heads as the evaluation takes them.
    pub(super) fn rounded_heads(&self) -> Vec<Head> {
        self.weights.values[HEADS..].chunks_exact(HEAD).map(to_head).collect()
    }
}

/// Puts parts in the place of the weights that features are made of.
fn set_parts(weights: &mut [f32], parts: &weights::Parts) {
    weights[CODES..HEADS].fill(0.0);
    let parts = parts.own.as_flattened().iter().chain(parts.other.as_flattened());
    for (weight, part) in weights[CODES..SHAPES].iter_mut().zip(parts) {
        *weight = f32::from(*part) / f32::from(FEATURE_ONE);
    }
}

/// Adds the slopes of the layers, and returns those of the sums of features.
fn slopes_of_layers(
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

/// Goes through the numbers of a head: each with its place among a head's weights in training, and with what stands
/// for a weight of 1.
fn for_each_number(head: &mut Head, mut tell: impl FnMut(&mut i16, usize, f32)) {
    let one = f32::from(HIDDEN_ONE);
    // 256ths of a point for one unit of an input.
    let direct = |of_unit: f32| 256.0 * SCALE * of_unit;
    for n in 0..OUTPUTS {
        for input in 0..VIEWS {
            tell(&mut head.local[n][input], LOCAL + input * OUTPUTS + n, one);
            tell(&mut head.board[n][input], BOARD + input * OUTPUTS + n, one);
        }
        for input in 0..OUTPUTS {
            tell(&mut head.from_local[n][input], BOARD + (VIEWS + input) * OUTPUTS + n, one);
        }
        tell(&mut head.local_bias[n], LOCAL_BIAS + n, one);
        tell(&mut head.hidden_bias[n], HIDDEN_BIAS + n, one);
        tell(&mut head.hidden[n], HIDDEN + n, direct(1.0 / one));
        tell(&mut head.local_direct[n], DIRECT + VIEWS + n, direct(1.0 / one));
    }
    for input in 0..VIEWS {
        tell(&mut head.board_direct[input], DIRECT + input, direct(1.0 / BOARD_UNIT));
    }
    tell(&mut head.bias, BIAS, SCALE);
    tell(&mut head.by_hand, BY_HAND, 256.0);
}

/// A head as the evaluation takes it.
fn to_head(weights: &[f32]) -> Head {
    let limit = f32::from(WEIGHT_LIMIT);
    let mut head = Head::zero();
    for_each_number(&mut head, |number, place, unit| {
        *number = (weights[place] * unit).round().clamp(-limit, limit) as i16;
    });
    head
}

/// The weights in training of a head that the evaluation has.
fn from_head(weights: &mut [f32], head: &Head) {
    for_each_number(&mut head.clone(), |number, place, unit| weights[place] = f32::from(*number) / unit);
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
        let heads = if R::treats_colors_alike() { 1 } else { 2 };
        let model = Model::new(heads, &mut random).with_rounded_features();
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
            let head = if heads == 1 { 0 } else { position.to_move().index() as u8 };
            examples.add_position(&position, head, hand, 0.5);
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
            examples.add_position(&position, position.to_move().index() as u8, 30, 0.8);
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
        // One weight of each kind that matters, of both heads; a kink of `cut` may spoil a few.
        let mut wrong = 0;
        let steep = (0..slopes.len()).filter(|&n| slopes[n].abs() > 2e-3).step_by(3);
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
            examples.add_position(&position, (n % 2) as u8, 0, if n % 2 == 0 { 0.1 } else { 0.9 });
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
                let mut model = Model::new(2, &mut Xoshiro256PlusPlus::seed_from_u64(1));
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
        let rough = Model::new(2, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        let (parts, exact) = (rough.rounded_parts(), rough.loss(&examples, 0..examples.all.len()));
        let mut model = rough.with_rounded_features();
        assert_eq!(model.rounded_parts(), parts, "rounding twice changes nothing");
        let loss = |model: &Model| model.loss(&examples, 0..examples.all.len());
        let before = loss(&model);
        assert!((before - exact).abs() < 0.05, "{before} and {exact}");
        for _ in 0..40 {
            model.step(&examples, &batch, 0.01, Learned::Layers);
        }
        assert!(loss(&model) < before - 0.05, "{before} to {}", loss(&model));
        assert_eq!(model.rounded_parts(), parts);
        let heads = model.rounded_heads();
        assert!(heads.len() == 2 && heads[0] != heads[1], "the heads are taught different things");
    }

    #[test]
    fn training_goes_on_where_weights_were_left() {
        let random = || Xoshiro256PlusPlus::seed_from_u64(5);
        let model = Model::new(2, &mut random());
        let (parts, heads) = (model.rounded_parts(), model.rounded_heads());
        let again = Model::from_weights(&parts, &[Some(&heads[1]), None], &mut random());
        assert_eq!(again.rounded_parts(), parts);
        assert_eq!(again.rounded_heads(), [heads[1].clone(), heads[1].clone()], "the second is a new guess");
    }
}
