//! The fit: value weights so that the logistic function of the evaluation foretells result and score, and
//! promises so that the softmax over the moves of a position foretells the move that the search chose.
//!
//! Both start from weights that are known and keep to them where the games say nothing: a weight is the known
//! one, plus what its parts add (each of the four lines, the threat that they make together), plus what
//! is its own alone. All three are drawn to zero, the last the most, so that the thousands of rare codes follow
//! the few parts that are seen all the time.

use super::descent::Descent;
use super::lesson::{
    HELD_OUT, Leaves, SCALE, cross_entropy, decay, first_with_result, score_of, sigmoid, target,
};
use crate::board::{ByColor, Color, Point};
use crate::data::Game;
use crate::eval::classical::facts::{self, FACT_COUNT};
use crate::eval::classical::nearness::{self, NEARNESS_COUNT};
use crate::eval::classical::weights::{AllWeights, UNIT, Weights};
use crate::eval::score::is_decided;
use crate::position::Position;
use crate::rules::{Rule, RuleSet};
use crate::search::threats::{ForcedReply, forced_reply};
use crate::search::useful_moves;
use crate::shapes::table::shapes_of_code;
use crate::shapes::{ByCode, CODE_COUNT, Code, Shape, ShapeObserver, Threat};
use crate::with_rule;

/// Units of promise that multiply the odds by e.
const PROMISE_SCALE: f32 = 32.0;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Passes over all positions.
    pub epochs: usize,
    /// Share of the game's result in the target; the rest is the score of the search.
    pub result_share: f32,
    /// Fit only these; the others stay as they are.
    pub only: Option<Kind>,
}

/// What weights are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// The evaluation
    Values,
    /// The order of moves
    Promises,
}

/// What a fit came to, for one rule.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// Positions fitted to.
    pub positions: usize,
    /// Mean cross entropy of the value on games held out, before and after.
    pub value: [f32; 2],
    /// Mean cross entropy of the move on games held out, before and after.
    pub promise: [f32; 2],
}

/// Fits the weights of one rule to its games.
#[must_use]
pub fn fit(rule: Rule, games: &[Game], start: &AllWeights, recipe: Recipe) -> (ByColor<Weights>, Loss) {
    with_rule!(rule, R => fit_rule::<R>(games, &start[rule.index()], recipe))
}

/// The code of a point where no line leads anywhere. The evaluation counts only changes of codes, from an
/// empty board on, and examples leave this one out: it is worth nothing, whatever its parts add up to.
const NOTHING: Code = 0;
/// Examples between two steps of the weights.
const BATCH: usize = 2048;

fn fit_rule<R: RuleSet>(
    games: &[Game],
    start: &ByColor<Weights>,
    recipe: Recipe,
) -> (ByColor<Weights>, Loss) {
    let (mut train, mut test) = (Examples::default(), Examples::default());
    for (n, game) in games.iter().enumerate() {
        let set = if n % HELD_OUT == 0 { &mut test } else { &mut train };
        collect::<R>(game, recipe, set);
    }
    let positions = train.values.len();
    let epochs_of = |kind, epochs| if recipe.only.is_none_or(|only| only == kind) { epochs } else { 0 };

    let mut values = Model::new(value_parameters(start), value_parts::<R>(), VALUE_SPREAD, positions);
    let value_before = value_loss(&test, &values.weights);
    let epochs = epochs_of(Kind::Values, recipe.epochs);
    for epoch in 0..epochs {
        let rate = VALUE_RATE * decay(epoch, epochs);
        for batch in train.values.chunks(BATCH) {
            let mut gradient = vec![0.0; values.weights.len()];
            for example in batch {
                let eval = example.eval(&train, &values.weights);
                let error = (sigmoid(eval / SCALE) - example.target) / SCALE;
                example.spread(&train, error, &mut gradient);
            }
            values.step(&gradient, batch.len(), rate);
        }
    }
    let value_after = value_loss(&test, &values.weights);

    let choices = train.choices.len();
    let mut promises = Model::new(promise_parameters(start), promise_parts::<R>(), PROMISE_SPREAD, choices);
    let promise_before = promise_loss(&test, &promises.weights);
    let epochs = epochs_of(Kind::Promises, recipe.epochs / 2);
    for epoch in 0..epochs {
        let rate = PROMISE_RATE * decay(epoch, epochs);
        for batch in train.choices.chunks(BATCH) {
            let mut gradient = vec![0.0; promises.weights.len()];
            for choice in batch {
                let moves = choice.moves(&train);
                let odds = softmax(moves, &promises.weights);
                for (n, (parameters, odds)) in moves.iter().zip(odds).enumerate() {
                    let error = (odds - f32::from(u8::from(n == 0))) / PROMISE_SCALE;
                    parameters.iter().for_each(|&n| gradient[usize::from(n)] += error);
                }
            }
            promises.step(&gradient, batch.len(), rate);
        }
    }
    let promise_after = promise_loss(&test, &promises.weights);
    let loss =
        Loss { positions, value: [value_before, value_after], promise: [promise_before, promise_after] };
    (to_weights(&values.weights, &promises.weights), loss)
}

/// Positions of games as the numbers of the weights that they touch.
#[derive(Default)]
struct Examples {
    values: Vec<ValueExample>,
    /// Pairs of a parameter of the value and how often it counts, in halves; the sign is the side's.
    terms: Vec<(u16, i16)>,
    choices: Vec<Choice>,
    /// What the promise of each move is made of.
    moves: Vec<PromiseParameters>,
}

/// Parameters of a promise: own, other, and one for each of the last stones.
type PromiseParameters = [u16; 2 + nearness::STONES];

struct ValueExample {
    first: u32,
    count: u16,
    tempo: u16,
    target: f32,
}

impl ValueExample {
    fn terms<'a>(&self, all: &'a Examples) -> &'a [(u16, i16)] {
        &all.terms[self.first as usize..self.first as usize + usize::from(self.count)]
    }

    fn eval(&self, all: &Examples, weights: &[f32]) -> f32 {
        let sum: f32 = self.terms(all).iter().map(|&(n, times)| weights[n as usize] * f32::from(times)).sum();
        sum / 2.0 + weights[self.tempo as usize]
    }

    fn spread(&self, all: &Examples, error: f32, gradient: &mut [f32]) {
        for &(n, times) in self.terms(all) {
            gradient[n as usize] += error * f32::from(times) / 2.0;
        }
        gradient[self.tempo as usize] += error;
    }
}

/// The moves of a position, the chosen one first.
struct Choice {
    first: u32,
    count: u16,
}

impl Choice {
    fn moves<'a>(&self, all: &'a Examples) -> &'a [PromiseParameters] {
        &all.moves[self.first as usize..self.first as usize + usize::from(self.count)]
    }
}

// Parameters of the value: worth by code for Black and White, then tempo for Black and White. A rule that
// treats the colours alike has only Black's.
fn value_parameter(color: Color, code: Code) -> u16 {
    color.index() as u16 * CODE_COUNT as u16 + code
}

fn tempo_parameter(color: Color, facts: usize) -> u16 {
    (2 * CODE_COUNT + color.index() * FACT_COUNT + facts) as u16
}

// Parameters of the promise: own by code for Black and White to move, then other, then nearness.
fn own_parameter(mover: Color, code: Code) -> u16 {
    mover.index() as u16 * CODE_COUNT as u16 + code
}

fn other_parameter(mover: Color, code: Code) -> u16 {
    (2 + mover.index() as u16) * CODE_COUNT as u16 + code
}

fn nearness_parameter(mover: Color, nearness: usize) -> u16 {
    (4 * CODE_COUNT + mover.index() * NEARNESS_COUNT + nearness) as u16
}

/// The colour whose weights a colour uses.
fn stands_for<R: RuleSet>(color: Color) -> Color {
    if R::treats_colors_alike() { Color::Black } else { color }
}

fn value_parameters(weights: &ByColor<Weights>) -> Vec<f32> {
    let points = |table: &[i16]| table.iter().map(|&n| f32::from(n) / UNIT as f32).collect::<Vec<f32>>();
    let worth = weights.0.iter().flat_map(|weights| points(weights.value.values()));
    let tempo = weights.0.iter().flat_map(|weights| points(&*weights.tempo));
    worth.chain(tempo).collect()
}

fn promise_parameters(weights: &ByColor<Weights>) -> Vec<f32> {
    let own = weights.0.iter().flat_map(|weights| weights.own_promise.values());
    let other = weights.0.iter().flat_map(|weights| weights.other_promise.values());
    let nearness = weights.0.iter().flat_map(|weights| weights.nearness.iter());
    own.chain(other).chain(nearness).map(|&n| f32::from(n)).collect()
}

fn to_weights(values: &[f32], promises: &[f32]) -> ByColor<Weights> {
    let round = |x: f32| x.round().clamp(f32::from(i16::MIN + 1), f32::from(i16::MAX)) as i16;
    ByColor::from_fn(|color| Weights {
        value: ByCode::from_fn(|code| match code {
            NOTHING => 0,
            code => round(values[value_parameter(color, code) as usize] * UNIT as f32),
        }),
        tempo: Box::new(std::array::from_fn(|facts| {
            round(values[tempo_parameter(color, facts) as usize] * UNIT as f32)
        })),
        own_promise: ByCode::from_fn(|code| round(promises[own_parameter(color, code) as usize])),
        other_promise: ByCode::from_fn(|code| round(promises[other_parameter(color, code) as usize])),
        nearness: Box::new(std::array::from_fn(|n| round(promises[nearness_parameter(color, n) as usize]))),
    })
}

/// Copies Black's parameters to White where the rule treats both alike: done once, after fitting.
pub(crate) fn share_colors(rule: Rule, weights: &mut ByColor<Weights>) {
    if with_rule!(rule, R => R::treats_colors_alike()) {
        weights[Color::White] = weights[Color::Black].clone();
    }
}

/// Counts how often each colour has each code on the board.
struct Counts(ByColor<Vec<i32>>);

impl ShapeObserver for Counts {
    fn changed(&mut self, _: Point, old: ByColor<Code>, new: ByColor<Code>) {
        for color in Color::ALL {
            self.0[color][usize::from(old[color])] -= 1;
            self.0[color][usize::from(new[color])] += 1;
        }
    }
}

fn collect<R: RuleSet>(game: &Game, recipe: Recipe, examples: &mut Examples) {
    let mut counts = Counts(ByColor::from_fn(|_| vec![0; CODE_COUNT]));
    let mut position = Position::<R>::new(game.size, &mut counts);
    let mut before = counts.0.clone();
    let mut leaves = Leaves::new();
    let first_lesson = first_with_result(game);
    for (n, played) in game.moves.iter().enumerate() {
        let own = position.to_move();
        if let Some(score) = score_of(played).filter(|_| n >= first_lesson) {
            let reply = forced_reply(&mut position);
            if leaves.evaluates(&mut position, reply) {
                let target = target(game.result_for(own), score, recipe.result_share);
                examples.add_value::<R>(&position, &counts.0, &before, target);
            }
            if !matches!(reply, ForcedReply::StopFive(_)) && !is_decided(score) {
                examples.add_choice::<R>(&position, reply, played.point);
            }
        }
        before.clone_from(&counts.0);
        position.play(played.point, &mut counts);
    }
}

impl Examples {
    fn add_value<R: RuleSet>(
        &mut self,
        position: &Position<R>,
        now: &ByColor<Vec<i32>>,
        before: &ByColor<Vec<i32>>,
        target: f32,
    ) {
        let own = position.to_move();
        let first = self.terms.len();
        for color in Color::ALL {
            let sign = if color == own { 1 } else { -1 };
            for code in usize::from(NOTHING) + 1..CODE_COUNT {
                let times = now[color][code] + before[color][code];
                if times != 0 {
                    let parameter = value_parameter(stands_for::<R>(color), code as Code);
                    self.terms.push((parameter, (sign * times) as i16));
                }
            }
        }
        self.values.push(ValueExample {
            first: first as u32,
            count: (self.terms.len() - first) as u16,
            tempo: tempo_parameter(stands_for::<R>(own), facts::index(position)),
            target,
        });
    }

    fn add_choice<R: RuleSet>(&mut self, position: &Position<R>, reply: ForcedReply, chosen: Point) {
        let own = position.to_move();
        let candidates = useful_moves(position, reply);
        let stone = |age| position.stones().recent(age).map(|(stone, _)| stone);
        let (Some(last), Some(before)) = (stone(0), stone(1)) else { return };
        if !candidates.contains(chosen) {
            return;
        }
        let side = stands_for::<R>(own);
        let parameters = |point| {
            let map = position.map();
            let near = |age, stone| nearness_parameter(side, nearness::index(age, point, stone));
            [
                own_parameter(side, map.code(point, own)),
                other_parameter(side, map.code(point, !own)),
                near(0, last),
                near(1, before),
            ]
        };
        let first = self.moves.len();
        self.moves.push(parameters(chosen));
        self.moves.extend(candidates.iter().filter(|&point| point != chosen).map(parameters));
        self.choices.push(Choice { first: first as u32, count: (self.moves.len() - first) as u16 });
    }
}

fn value_loss(examples: &Examples, weights: &[f32]) -> f32 {
    let loss =
        |example: &ValueExample| cross_entropy(example.target, example.eval(examples, weights) / SCALE);
    mean(examples.values.iter().map(loss))
}

fn softmax(moves: &[PromiseParameters], weights: &[f32]) -> Vec<f32> {
    let logit = |parameters: &PromiseParameters| {
        parameters.iter().map(|&n| weights[usize::from(n)]).sum::<f32>() / PROMISE_SCALE
    };
    let logits: Vec<f32> = moves.iter().map(logit).collect();
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / sum).collect()
}

fn promise_loss(examples: &Examples, weights: &[f32]) -> f32 {
    mean(examples.choices.iter().map(|choice| -softmax(choice.moves(examples), weights)[0].max(1e-9).ln()))
}

fn mean(numbers: impl Iterator<Item = f32>) -> f32 {
    let (sum, count) = numbers.fold((0.0f64, 0u32), |(sum, count), x| (sum + f64::from(x), count + 1));
    (sum / f64::from(count.max(1))) as f32
}

/// What each weight shares with others: the numbers of its parts, each as often as it counts.
struct Parts {
    of: Vec<Vec<u16>>,
    count: usize,
}

/// The parts of a table by code: its four lines, and the threat that they make for `color`.
fn code_parts<R: RuleSet>(parts: &mut Parts, color: Color) {
    let (lines, threats) = (parts.count, parts.count + Shape::COUNT);
    parts.count += Shape::COUNT + Threat::COUNT;
    for code in 0..CODE_COUNT {
        let shapes = shapes_of_code(code as Code);
        let threat = Threat::of::<R>(shapes, color);
        let lines = shapes.iter().map(|&shape| (lines + shape as usize) as u16);
        parts.of.push(lines.chain([(threats + threat as usize) as u16]).collect());
    }
}

fn value_parts<R: RuleSet>() -> Parts {
    let mut parts = Parts { of: Vec::new(), count: 0 };
    Color::ALL.into_iter().for_each(|color| code_parts::<R>(&mut parts, color));
    for _ in Color::ALL {
        let first = parts.count;
        parts.count += FACT_COUNT.ilog2() as usize;
        let bits = |facts: usize| (0..FACT_COUNT.ilog2()).filter(move |bit| facts >> bit & 1 != 0);
        parts.of.extend(
            (0..FACT_COUNT).map(|facts| bits(facts).map(|bit| (first as u32 + bit) as u16).collect()),
        );
    }
    parts
}

fn promise_parts<R: RuleSet>() -> Parts {
    let mut parts = Parts { of: Vec::new(), count: 0 };
    for taken in [false, true] {
        for mover in Color::ALL {
            code_parts::<R>(&mut parts, if taken { !mover } else { mover });
        }
    }
    // Distances have nothing in common.
    parts.of.extend((0..2 * NEARNESS_COUNT).map(|_| Vec::new()));
    parts
}

/// How far parameters are expected to lie from zero, as standard deviations.
#[derive(Clone, Copy)]
struct Spread {
    /// What a part adds.
    part: f32,
    /// What is a weight's own.
    own: f32,
}

/// Spread of the value, in points.
const VALUE_SPREAD: Spread = Spread { part: 30.0, own: 8.0 };
/// Spread of the promise, in its units.
const PROMISE_SPREAD: Spread = Spread { part: 80.0, own: 32.0 };
/// First steps of the value, in points.
const VALUE_RATE: f32 = 0.3;
/// First steps of the promise, in its units.
const PROMISE_RATE: f32 = 1.0;

/// Weights made of parts.
struct Model {
    /// What is fitted, as sums: what examples look at.
    weights: Vec<f32>,
    start: Vec<f32>,
    parts: Parts,
    own: Descent,
    shared: Descent,
    /// What draws them back to zero.
    pulls: Spread,
}

impl Model {
    /// Starts with these weights; `examples` is how many there are in all.
    fn new(start: Vec<f32>, parts: Parts, spread: Spread, examples: usize) -> Model {
        let pull = |spread: f32| 1.0 / (spread * spread * examples.max(1) as f32);
        let own = Descent::new(vec![0.0; start.len()]);
        let shared = Descent::new(vec![0.0; parts.count]);
        let pulls = Spread { part: pull(spread.part), own: pull(spread.own) };
        Model { weights: start.clone(), start, parts, own, shared, pulls }
    }

    fn step(&mut self, gradient: &[f32], examples: usize, rate: f32) {
        let slopes: Vec<f32> = gradient.iter().map(|sum| sum / examples as f32).collect();
        let mut shared = vec![0.0; self.parts.count];
        for (parts, slope) in self.parts.of.iter().zip(&slopes) {
            parts.iter().for_each(|&part| shared[usize::from(part)] += slope);
        }
        self.own.step(&slopes, rate, |_| self.pulls.own);
        self.shared.step(&shared, rate, |_| self.pulls.part);
        for (n, weight) in self.weights.iter_mut().enumerate() {
            let parts: f32 = self.parts.of[n].iter().map(|&part| self.shared.values[usize::from(part)]).sum();
            *weight = self.start[n] + self.own.values[n] + parts;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::eval::classical::weights;
    use crate::eval::{Classical, Evaluator};

    /// What is fitted must be what is played with: the evaluation of an example is that of the search.
    fn examples_are_what_the_search_evaluates<R: RuleSet>() {
        let weights = weights::of::<R>();
        let parameters = value_parameters(weights);
        let mut counts = Counts(ByColor::from_fn(|_| vec![0; CODE_COUNT]));
        let size = Size::square(15);
        let mut fitted = Position::<R>::new(size, &mut counts);
        let mut before = counts.0.clone();
        let mut evaluator = <Classical as Evaluator<R>>::new(size);
        let mut played = Position::<R>::new(size, &mut evaluator);
        for n in 0..60 {
            // A walk over the board that touches its edges and fills its middle.
            let point = Point::new(n * 7 % 15, n * 11 % 15 / (1 + n % 2));
            if !played.stones().is_empty_at(point) {
                continue;
            }
            before.clone_from(&counts.0);
            fitted.play(point, &mut counts);
            Evaluator::<R>::push(&mut evaluator);
            played.play(point, &mut evaluator);
            let mut examples = Examples::default();
            examples.add_value::<R>(&fitted, &counts.0, &before, 0.5);
            let found = examples.values[0].eval(&examples, &parameters);
            let expected = Evaluator::<R>::evaluate(&mut evaluator, &played);
            assert!((found - expected as f32).abs() < 1.5, "{:?}: {found} {expected}", R::RULE);
        }
    }

    #[test]
    fn examples_are_what_the_search_evaluates_under_every_rule() {
        for rule in Rule::ALL {
            with_rule!(rule, R => examples_are_what_the_search_evaluates::<R>());
        }
    }
}
