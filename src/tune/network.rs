//! Training the [network](crate::eval::network): gradient descent on the same targets as the
//! [fit](super::fit), with the hand-made evaluation as one input.
//!
//! Training counts in floating point, with activations of 0 to 1; at the end weights are rounded to what the
//! evaluation works with. A part of a feature is what its code adds by itself, plus what each of its four
//! shapes adds: so the thousands of rare codes follow the few shapes that are seen all the time.

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rayon::prelude::*;

use super::descent::Descent;
use super::lesson::{Leaves, SCALE, cross_entropy, decay, score_of, sigmoid, target};
use crate::board::{ByColor, Color};
use crate::data::Game;
use crate::eval::classical::Classical;
use crate::eval::network::weights::{
    BOARD_SHIFT, FEATURE_ONE, FEATURES, HIDDEN_ONE, LOCAL_SHIFT, OUTPUTS, PART_LIMIT, Side, WEIGHT_LIMIT,
};
use crate::eval::network::{REGIONS, region};
use crate::eval::{Evaluator, Score};
use crate::position::Position;
use crate::rules::{Rule, RuleSet};
use crate::search::threats::duty;
use crate::shapes::table::shapes_of_code;
use crate::shapes::{CODE_COUNT, Code, Shape, Tables};
use crate::with_rule;

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Passes over all positions.
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
    /// The same of the network.
    pub network: f32,
}

/// One game in so many is held out.
const HELD_OUT: usize = 12;
/// Examples between two steps of the weights.
const BATCH: usize = 1024;
/// Parts of a batch whose gradients are summed apart, so that the result does not depend on threads.
const SHARES: usize = 4;
/// The first rate of the descent.
const RATE: f32 = 0.002;
/// What draws weights to zero: those of a single code, and all others.
const PULL_CODES: f32 = 1e-4;
const PULL: f32 = 1e-6;
/// What first guesses and the order of examples follow from.
const SEED: u64 = 1;

fn pull(weight: usize) -> f32 {
    if weight % WEIGHTS < SHAPES { PULL_CODES } else { PULL }
}

/// Trains a network for one rule on its games: one side, or two where the colours differ. `progress` hears
/// the number of every epoch and the loss on held-out games after it.
#[must_use]
pub fn train(rule: Rule, games: &[Game], recipe: Recipe, progress: impl Fn(usize, f32)) -> (Vec<Side>, Loss) {
    with_rule!(rule, R => train_rule::<R>(games, recipe, progress))
}

fn train_rule<R: RuleSet>(
    games: &[Game],
    recipe: Recipe,
    progress: impl Fn(usize, f32),
) -> (Vec<Side>, Loss) {
    // In groups, so that no more than one group is there twice.
    let collect = |held_out: bool| {
        let mut all = Examples::default();
        for group in games.chunks(HELD_OUT * 1024) {
            let chosen = group.iter().enumerate().filter(|(n, _)| (n % HELD_OUT == 0) == held_out);
            let chosen: Vec<&Game> = chosen.map(|(_, game)| game).collect();
            let parts: Vec<Examples> = chosen
                .par_chunks(256)
                .map(|games| {
                    let mut examples = Examples::default();
                    let mut leaves = Leaves::new();
                    games.iter().for_each(|game| examples.add::<R>(game, recipe, &mut leaves));
                    examples
                })
                .collect();
            parts.into_iter().for_each(|part| all.append(part));
        }
        all
    };
    let (train, test) = (collect(false), collect(true));
    let by_hand = test.mean_loss(|example| example.by_hand / SCALE);
    let mut order: Vec<u32> = (0..train.all.len() as u32).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut model = Model::new(if R::treats_colors_alike() { 1 } else { 2 }, &mut random);
    let mut network = f32::NAN;
    for epoch in 0..recipe.epochs {
        order.shuffle(&mut random);
        let rate = RATE * decay(epoch, recipe.epochs);
        for batch in order.chunks(BATCH) {
            let slopes = model.slopes(&train, batch);
            model.weights.step(&slopes, rate, pull);
        }
        let parts = model.parts();
        network = test.mean_loss(|example| model.logit(&parts, &test, example).0);
        progress(epoch, network);
    }
    (model.sides(), Loss { positions: train.all.len(), by_hand, network })
}

/// Points of a region with the same codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    region: u8,
    count: u8,
    own: Code,
    other: Code,
}

/// A position from the view of the side to move.
#[derive(Clone, Copy, Debug)]
struct Example {
    first: u32,
    count: u16,
    color: Color,
    /// Points that the hand-made evaluation gives.
    by_hand: f32,
    target: f32,
}

#[derive(Default)]
struct Examples {
    all: Vec<Example>,
    groups: Vec<Group>,
}

impl Examples {
    fn add<R: RuleSet>(&mut self, game: &Game, recipe: Recipe, leaves: &mut Leaves) {
        let mut classical = <Classical as Evaluator<R>>::new(game.size);
        let mut position = Position::<R>::new(game.size, &mut classical);
        for (n, played) in game.moves.iter().enumerate() {
            let duty = duty(&mut position);
            if let Some(score) = score_of(played)
                && leaves.evaluates(&mut position, duty)
            {
                let result = game.result_for(position.to_move());
                let target = target(game, n, result, score, recipe.result_share);
                let by_hand = Evaluator::<R>::evaluate(&mut classical, &position);
                self.add_position(&position, by_hand, target);
            }
            Evaluator::<R>::push(&mut classical);
            position.play(played.point, &mut classical);
        }
    }

    fn add_position<R: RuleSet>(&mut self, position: &Position<R>, by_hand: Score, target: f32) {
        let (own, map, size) = (position.to_move(), position.map(), position.stones().size());
        let free = Tables::of::<R>().free_codes();
        let codes = |point| ByColor::from_fn(|color| map.code(point, color));
        let mut points: Vec<Group> = position
            .empty_points()
            .iter()
            .filter(|&point| codes(point).0 != [0, 0] && codes(point) != free)
            .map(|point| {
                let codes = codes(point);
                Group { region: region(point, size) as u8, count: 1, own: codes[own], other: codes[!own] }
            })
            .collect();
        points.sort_unstable();
        let first = self.groups.len();
        for points in points.chunk_by(|a, b| a == b) {
            self.groups.push(Group { count: points.len() as u8, ..points[0] });
        }
        self.all.push(Example {
            first: first as u32,
            count: (self.groups.len() - first) as u16,
            color: own,
            by_hand: by_hand as f32,
            target,
        });
    }

    fn append(&mut self, mut other: Examples) {
        let offset = self.groups.len() as u32;
        self.groups.append(&mut other.groups);
        self.all.extend(
            other.all.into_iter().map(|example| Example { first: example.first + offset, ..example }),
        );
    }

    fn groups(&self, example: &Example) -> &[Group] {
        &self.groups[example.first as usize..example.first as usize + usize::from(example.count)]
    }

    fn mean_loss(&self, logit: impl Fn(&Example) -> f32 + Sync) -> f32 {
        let loss = |example: &Example| f64::from(cross_entropy(example.target, logit(example)));
        let sum: f64 = self.all.par_chunks(1024).map(|all| all.iter().map(loss).sum::<f64>()).sum();
        (sum / self.all.len().max(1) as f64) as f32
    }
}

/// Inputs of the layer that looks at a region: features in the view of the side to move, then the other's.
const VIEWS: usize = 2 * FEATURES;
/// Inputs of the layer that looks at the board.
const INPUTS: usize = VIEWS + OUTPUTS;
/// What sums of features are multiplied with before they enter a layer, and in the evaluation shifts do.
const REGION_UNIT: f32 = (1 << LOCAL_SHIFT) as f32;
const BOARD_UNIT: f32 = (1 << BOARD_SHIFT) as f32;
const FROM_REGION: f32 = FEATURE_ONE as f32 / REGION_UNIT;
const FROM_BOARD: f32 = FEATURE_ONE as f32 / BOARD_UNIT;

// Where the weights of a side stand among its numbers.
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

type Vector = [f32; FEATURES];
/// Parts of features by code: of the viewer's own codes, then of the other's.
type Parts = [Vec<Vector>; 2];

fn cut(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// The slope of [`cut`].
fn passes(x: f32) -> f32 {
    f32::from(u8::from(x > 0.0 && x < 1.0))
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

/// One side or two, as numbers to be learned.
struct Model {
    sides: usize,
    weights: Descent,
}

impl Model {
    fn new(sides: usize, random: &mut impl Rng) -> Model {
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
            let (own, by_other) = sums.split_at_mut(FEATURES);
            let pairs = [
                (own, &parts[mover][0][usize::from(group.own)], &parts[mover][1][usize::from(group.other)]),
                (
                    by_other,
                    &parts[other][0][usize::from(group.other)],
                    &parts[other][1][usize::from(group.own)],
                ),
            ];
            for (sums, a, b) in pairs {
                for n in 0..FEATURES {
                    sums[n] += count * cut(a[n] + b[n]);
                }
            }
        }
        let weights = self.side(mover);
        let mut trace =
            Trace { sums, local: [[0.0; OUTPUTS]; REGIONS], inputs: [0.0; INPUTS], hidden: [0.0; OUTPUTS] };
        for (sums, local) in trace.sums.iter().zip(&mut trace.local) {
            for (n, local) in local.iter_mut().enumerate() {
                let row = &weights[LOCAL + n * VIEWS..][..VIEWS];
                let sum: f32 = row.iter().zip(sums).map(|(weight, sum)| weight * sum).sum();
                *local = sum * FROM_REGION + weights[LOCAL_BIAS + n];
                trace.inputs[VIEWS + n] += cut(*local);
            }
            for (input, sum) in trace.inputs.iter_mut().zip(sums) {
                *input += sum * FROM_BOARD;
            }
        }
        let mut logit = weights[BIAS] + weights[BY_HAND] * example.by_hand / SCALE;
        for n in 0..OUTPUTS {
            let row = &weights[BOARD + n * INPUTS..][..INPUTS];
            let sum: f32 = row.iter().zip(&trace.inputs).map(|(weight, input)| weight * input).sum();
            trace.hidden[n] = sum + weights[HIDDEN_BIAS + n];
            logit += cut(trace.hidden[n]) * weights[HIDDEN + n];
        }
        let direct = &weights[DIRECT..DIRECT + INPUTS];
        logit += direct.iter().zip(&trace.inputs).map(|(weight, input)| weight * input).sum::<f32>();
        (logit, trace)
    }

    /// The slopes of the mean loss over these examples.
    fn slopes(&self, examples: &Examples, batch: &[u32]) -> Vec<f32> {
        let parts = self.parts();
        let share = batch.len().div_ceil(SHARES);
        let shares: Vec<Vec<f32>> =
            batch.par_chunks(share).map(|batch| self.sum_of_slopes(&parts, examples, batch)).collect();
        let mut slopes = vec![0.0; self.weights.values.len()];
        for share in shares {
            slopes.iter_mut().zip(share).for_each(|(sum, slope)| *sum += slope / batch.len() as f32);
        }
        slopes
    }

    fn sum_of_slopes(&self, parts: &[Parts], examples: &Examples, batch: &[u32]) -> Vec<f32> {
        let mut slopes = vec![0.0; self.weights.values.len()];
        let zero = || vec![[0.0; FEATURES]; CODE_COUNT];
        let mut part_slopes: Vec<Parts> = parts.iter().map(|_| [zero(), zero()]).collect();
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
            for group in examples.groups(example) {
                let by_sums = &by_sums[usize::from(group.region)];
                let count = f32::from(group.count);
                let (own, code_of_other) = (usize::from(group.own), usize::from(group.other));
                let views = [(mover, own, code_of_other, 0), (other, code_of_other, own, FEATURES)];
                for (side, a, b, at) in views {
                    let [by_own, by_other] = &parts[side];
                    let (part_a, part_b) = (&by_own[a], &by_other[b]);
                    let slope: Vector =
                        std::array::from_fn(|n| by_sums[at + n] * count * passes(part_a[n] + part_b[n]));
                    let [by_own, by_other] = &mut part_slopes[side];
                    by_own[a].iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
                    by_other[b].iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
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
        for n in 0..OUTPUTS {
            slopes[HIDDEN + n] += error * cut(trace.hidden[n]);
            let slope = error * weights[HIDDEN + n] * passes(trace.hidden[n]);
            slopes[HIDDEN_BIAS + n] += slope;
            for input in 0..INPUTS {
                slopes[BOARD + n * INPUTS + input] += slope * trace.inputs[input];
                by_inputs[input] += slope * weights[BOARD + n * INPUTS + input];
            }
        }
        let mut by_sums = [[0.0; VIEWS]; REGIONS];
        for ((by_sums, sums), local) in by_sums.iter_mut().zip(&trace.sums).zip(&trace.local) {
            for n in 0..VIEWS {
                by_sums[n] = by_inputs[n] * FROM_BOARD;
            }
            for n in 0..OUTPUTS {
                let slope = by_inputs[VIEWS + n] * passes(local[n]);
                slopes[LOCAL_BIAS + n] += slope;
                for input in 0..VIEWS {
                    slopes[LOCAL + n * VIEWS + input] += slope * sums[input] * FROM_REGION;
                    by_sums[input] += slope * weights[LOCAL + n * VIEWS + input] * FROM_REGION;
                }
            }
        }
        by_sums
    }

    /// The sides, rounded.
    fn sides(&self) -> Vec<Side> {
        let parts = self.parts();
        self.weights
            .values
            .chunks_exact(WEIGHTS)
            .zip(&parts)
            .map(|(weights, parts)| to_side(weights, parts))
            .collect()
    }
}

/// Hands the slopes of parts on to what they are sums of.
fn spread(parts: &Parts, slopes: &mut [f32]) {
    for (whose, parts) in parts.iter().enumerate() {
        for (code, slope) in parts.iter().enumerate() {
            if *slope == [0.0; FEATURES] {
                continue;
            }
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

/// The weights as the evaluation takes them.
fn to_side(weights: &[f32], parts: &Parts) -> Side {
    let limit = f32::from(WEIGHT_LIMIT);
    let one = f32::from(HIDDEN_ONE);
    // 256ths of a point for one unit of an input.
    let direct = |of_unit: f32| 256.0 * SCALE * of_unit;
    let round = |at: usize, unit: f32| (weights[at] * unit).round().clamp(-limit, limit) as i16;
    let round_parts = |parts: &[Vector]| {
        let part = |x: f32| {
            let limit = f32::from(PART_LIMIT);
            (x * f32::from(FEATURE_ONE)).round().clamp(-limit, limit) as i8
        };
        Box::new(std::array::from_fn(|code| parts[code].map(part)))
    };
    let mut side = Side { own: round_parts(&parts[0]), other: round_parts(&parts[1]), ..Side::zero() };
    let head = &mut side.head;
    for n in 0..OUTPUTS {
        head.local[n] = std::array::from_fn(|input| round(LOCAL + n * VIEWS + input, one));
        head.local_bias[n] = round(LOCAL_BIAS + n, one);
        head.board[n] = std::array::from_fn(|input| round(BOARD + n * INPUTS + input, one));
        head.from_local[n] = std::array::from_fn(|input| round(BOARD + n * INPUTS + VIEWS + input, one));
        head.hidden_bias[n] = round(HIDDEN_BIAS + n, one);
        head.hidden[n] = round(HIDDEN + n, direct(1.0 / one));
        head.local_direct[n] = round(DIRECT + VIEWS + n, direct(1.0 / one));
    }
    head.board_direct = std::array::from_fn(|input| round(DIRECT + input, direct(1.0 / BOARD_UNIT)));
    head.bias = round(BIAS, SCALE);
    head.by_hand = round(BY_HAND, 256.0);
    side
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Point, Size};
    use crate::eval::NetworkEval;
    use crate::eval::network::Network;

    /// What is trained must be what is played with, but for rounding.
    fn training_sees_what_the_search_evaluates<R: RuleSet>() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let model = Model::new(if R::treats_colors_alike() { 1 } else { 2 }, &mut random);
        let parts = model.parts();
        let network: &'static Network = Box::leak(Box::new(Network::new(&model.sides()).unwrap()));
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
        let slopes = model.slopes(&examples, &batch);
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

    #[test]
    fn training_learns_and_does_not_depend_on_threads() {
        use crate::rules::Freestyle;
        let mut position = Position::<Freestyle>::new(Size::square(15), &mut ());
        let mut examples = Examples::default();
        for (n, (x, y)) in [(7, 7), (8, 8), (7, 8), (7, 9), (6, 8), (8, 6)].into_iter().enumerate() {
            position.play(Point::new(x, y), &mut ());
            examples.add_position(&position, 0, if n % 2 == 0 { 0.1 } else { 0.9 });
        }
        let batch: Vec<u32> = (0..examples.all.len() as u32).collect();
        let learn = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut model = Model::new(1, &mut Xoshiro256PlusPlus::seed_from_u64(1));
                let loss = |model: &Model| {
                    let parts = model.parts();
                    examples.mean_loss(|example| model.logit(&parts, &examples, example).0)
                };
                let before = loss(&model);
                for _ in 0..40 {
                    let slopes = model.slopes(&examples, &batch);
                    model.weights.step(&slopes, 0.01, pull);
                }
                assert!(loss(&model) < before - 0.1, "{before} to {}", loss(&model));
                model.sides()
            })
        };
        assert_eq!(learn(1), learn(3));
    }
}
