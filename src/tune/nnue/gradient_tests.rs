//! Compares the gradient with finite differences of a second, plain network in double precision.

use std::ops::Range;

use rand::RngExt;

use super::*;
use crate::board::Size;
use crate::eval::nnue::dims::{BOARD_SHIFT, CODE_LIMIT, FEATURE_ONE, LINE_LIMIT, LOCAL_SHIFT};
use crate::random::{crowded_game, rng};
use crate::rules::Renju;
use crate::shapes::Code;
use crate::shapes::table::shapes_of_code;
use crate::tune::nnue::factoriser::transformer;
use crate::tune::nnue::layout::{CODES, FEATURE_BIAS, HEAD, HEADS, LINE_FEATURES, SHAPES, code_at, shape_at};

/// The number of weights of each kind that are compared.
const COMPARED: usize = 48;
/// Weights are moved by this much either way: so little that next to no activation crosses a kink of the clipped ReLU.
const STEP: f64 = 1e-7;

/// The weight of a code for a feature.
fn feature_weight(weights: &[f64], whose: usize, code: usize, n: usize) -> f64 {
    let shapes = shapes_of_code(code as Code).into_iter();
    let sum = weights[code_at(whose, code) + n]
        + shapes.map(|shape| weights[shape_at(whose, shape) + n]).sum::<f64>()
        + if whose == 0 { weights[FEATURE_BIAS + n] } else { 0.0 };
    let most = f64::from(CODE_LIMIT) / f64::from(FEATURE_ONE);
    sum.clamp(-most, most)
}

/// The network's output for a sample, by its definition.
fn logit(weights: &[f64], samples: &Samples, sample: &Sample) -> f64 {
    let one = f64::from(FEATURE_ONE);
    let clipped = |x: f64| x.clamp(0.0, 1.0);
    let mut sums = [[0.0; VIEWS]; REGIONS];
    let most_of_line = f64::from(LINE_LIMIT) / one;
    for point in samples.points(sample, &mut Boards::default()) {
        for view in 0..2 {
            let ([own, other], lines) = (point.codes(view), point.lines(view));
            for n in 0..FEATURES {
                let of_line = |line: usize| {
                    weights[LINE_FEATURES + line * FEATURES + n].clamp(-most_of_line, most_of_line)
                };
                let codes = feature_weight(weights, 0, own, n) + feature_weight(weights, 1, other, n);
                let feature = codes + lines.map(of_line).iter().sum::<f64>();
                sums[usize::from(point.region)][view * FEATURES + n] += clipped(feature);
            }
        }
    }
    let head = &weights[head_range(sample.head.into())];
    let mut inputs = [0.0; INPUTS];
    for region in &sums {
        for output in 0..OUTPUTS {
            let mut local = head[LOCAL_BIAS + output];
            for input in 0..VIEWS {
                let scaled = region[input] * one / f64::from(1 << LOCAL_SHIFT);
                local += head[LOCAL + input * OUTPUTS + output] * scaled;
            }
            inputs[VIEWS + output] += clipped(local);
        }
        for input in 0..VIEWS {
            inputs[input] += region[input] * one / f64::from(1 << BOARD_SHIFT);
        }
    }
    let mut logit = head[BIAS] + head[HCE_SHARE] * f64::from(sample.hand_crafted) / f64::from(SCALE);
    for output in 0..OUTPUTS {
        let hidden = head[HIDDEN_BIAS + output]
            + (0..INPUTS).map(|n| head[BOARD + n * OUTPUTS + output] * inputs[n]).sum::<f64>();
        logit += head[HIDDEN + output] * clipped(hidden);
    }
    logit + (0..INPUTS).map(|n| head[DIRECT + n] * inputs[n]).sum::<f64>()
}

/// The cross entropy, summed over all samples.
fn loss(weights: &[f64], samples: &Samples) -> f64 {
    let loss = |sample: &Sample| {
        let p = 1.0 / (1.0 + (-logit(weights, samples, sample)).exp());
        let target = f64::from(sample.target);
        -(target * p.ln() + (1.0 - target) * (1.0 - p).ln())
    };
    samples.all.iter().map(loss).sum()
}

/// Every kind of weight with its name and its range of indices, for each head separately.
fn kinds() -> Vec<(String, Range<usize>)> {
    let named = |name: &str, range: Range<usize>| (name.to_owned(), range);
    let half = |from: usize, to: usize| from + (to - from) / 2;
    let mut kinds = vec![
        named("codes of the own side", CODES..half(CODES, SHAPES)),
        named("codes of the opponent", half(CODES, SHAPES)..SHAPES),
        named("shapes of the own side", SHAPES..half(SHAPES, FEATURE_BIAS)),
        named("shapes of the opponent", half(SHAPES, FEATURE_BIAS)..FEATURE_BIAS),
        named("bias of the features", FEATURE_BIAS..LINE_FEATURES),
        named("lines", LINE_FEATURES..HEADS),
    ];
    for head in 0..2 {
        let first = HEADS + head * HEAD;
        for (name, from, to) in [
            ("local layer, own view", LOCAL, half(LOCAL, LOCAL_BIAS)),
            ("local layer, other view", half(LOCAL, LOCAL_BIAS), LOCAL_BIAS),
            ("bias of the local layer", LOCAL_BIAS, BOARD),
            ("board layer, own view", BOARD, BOARD + FEATURES * OUTPUTS),
            ("board layer, other view", BOARD + FEATURES * OUTPUTS, BOARD + VIEWS * OUTPUTS),
            ("board layer, from the regions", BOARD + VIEWS * OUTPUTS, HIDDEN_BIAS),
            ("bias of the board layer", HIDDEN_BIAS, HIDDEN),
            ("output layer", HIDDEN, DIRECT),
            ("skip connections, own view", DIRECT, DIRECT + FEATURES),
            ("skip connections, other view", DIRECT + FEATURES, DIRECT + VIEWS),
            ("skip connections from the regions", DIRECT + VIEWS, BIAS),
            ("bias of the output", BIAS, HCE_SHARE),
            ("share of the hand-crafted evaluation", HCE_SHARE, HEAD),
        ] {
            kinds.push((format!("head {head}: {name}"), first + from..first + to));
        }
    }
    kinds
}

/// Positions on boards of different sizes with different targets, half of them for each head.
fn samples() -> Samples {
    let mut samples = Samples::default();
    for (seed, size) in [(1, Size::square(15)), (2, Size::square(9)), (3, Size::new(7, 20).unwrap())] {
        let mut n = 0;
        crowded_game(size, seed).on_whole_board().replay::<Renju>(|position| {
            n += 1;
            if n % 8 == 0 {
                let head = position.to_move().index() as u8;
                samples.add_position(position, head, 37 * (n % 11) - 200, (n % 9) as f32 / 10.0 + 0.1);
            }
        });
    }
    samples
}

/// Weights of about the magnitude that training produces.
fn weights() -> Vec<f32> {
    let mut random = rng(3);
    let mut weights = vec![0.0; head_range(2).start];
    for (n, weight) in weights.iter_mut().enumerate() {
        let spread = match n {
            CODES..SHAPES | LINE_FEATURES..HEADS => 0.05,
            SHAPES..HEADS => 0.15,
            _ => 0.25,
        };
        *weight = spread * random.random_range(-1.0..=1.0);
    }
    weights
}

#[test]
fn the_gradient_is_that_of_finite_differences_for_every_kind_of_weight() {
    let (weights, samples) = (weights(), samples());
    let batch: Vec<u32> = (0..samples.all.len() as u32).collect();
    assert!(samples.all.iter().filter(|sample| sample.head == 1).count() * 3 > batch.len());
    let (found, summed) = gradient(&weights, &transformer(&weights), &samples, &batch, Learned::All);
    let mut precise: Vec<f64> = weights.iter().map(|&weight| f64::from(weight)).collect();
    let exact = loss(&precise, &samples);
    assert!((summed - exact).abs() < 1e-4 * exact, "{summed}, not {exact}");
    let covered: usize = kinds().iter().map(|(_, range)| range.len()).sum();
    assert_eq!(covered, weights.len(), "no kind of weight is left out");
    for (name, range) in kinds() {
        // The weights that matter: a code that occurs nowhere has no gradient, nor has a weight behind a dead unit.
        let steep: Vec<usize> = range.clone().filter(|&n| found[n] != 0.0).collect();
        assert!(steep.len() >= range.len().min(8), "{name}: only {} of {} matter", steep.len(), range.len());
        let flat = range.clone().filter(|&n| found[n] == 0.0).step_by(range.len().div_ceil(4));
        let chosen = steep.iter().step_by(steep.len().div_ceil(COMPARED)).copied().chain(flat);
        for n in chosen {
            let weight = precise[n];
            precise[n] = weight + STEP;
            let above = loss(&precise, &samples);
            precise[n] = weight - STEP;
            let below = loss(&precise, &samples);
            precise[n] = weight;
            let (slope, found) = ((above - below) / (2.0 * STEP), f64::from(found[n]));
            assert!((slope - found).abs() < 1e-5 + 1e-4 * slope.abs(), "{name}, {n}: {found}, not {slope}");
        }
    }
}

#[test]
fn behind_features_that_stay_the_layers_have_the_same_gradient() {
    let (weights, samples) = (weights(), samples());
    let batch: Vec<u32> = (0..samples.all.len() as u32).collect();
    let of = |learned| gradient(&weights, &transformer(&weights), &samples, &batch, learned).0;
    let (all, layers) = (of(Learned::All), of(Learned::Layers));
    assert_eq!(all[HEADS..], layers[HEADS..]);
    assert!(layers[..HEADS].iter().all(|&slope| slope == 0.0));
    assert!(all[SHAPES..FEATURE_BIAS].iter().any(|&slope| slope != 0.0));
}
