//! The weight of a code for a feature is a component of its own plus a component for each of its four shapes, so that
//! thousands of rare codes follow the few shapes that occur all the time. Trainers of NNUE networks call this a
//! [factoriser](https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md#feature-factorization); the
//! network used in play has only the sums.

use super::layout::{FEATURE_BIAS, HEADS, LINE_FEATURES, code_at, shape_at};
use crate::eval::nnue::dims::{CODE_LIMIT, FEATURE_ONE, FEATURES, LINE_LIMIT};
use crate::eval::nnue::lines::LINES;
use crate::shapes::table::shapes_of_code;
use crate::shapes::{CODE_COUNT, Code};

/// One number for each feature.
pub(super) type Vector = [f32; FEATURES];

/// The feature transformer: the weights of each code and of each line for every feature; or the gradient with respect
/// to these.
#[derive(Clone)]
pub(super) struct Transformer {
    /// By code of the perspective colour, then by code of its opponent.
    pub codes: [Vec<Vector>; 2],
    /// As the perspective colour sees them.
    pub lines: Vec<Vector>,
}

impl Transformer {
    /// All weights zero.
    pub(super) fn zero() -> Transformer {
        let vectors = |count| vec![[0.0; FEATURES]; count];
        Transformer { codes: [vectors(CODE_COUNT), vectors(CODE_COUNT)], lines: vectors(LINES) }
    }

    /// The features of a point before clipping, given the codes of the perspective colour and of its opponent, and the
    /// lines as the perspective colour sees them.
    pub(super) fn sum(&self, [own, other]: [usize; 2], lines: [usize; 4]) -> Vector {
        let mut sum = self.codes[0][own];
        let lines = lines.map(|line| &self.lines[line]);
        for more in [&self.codes[1][other]].into_iter().chain(lines) {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        sum
    }

    /// Adds a vector to every weight vector that [`Transformer::sum`] sums.
    pub(super) fn add(&mut self, [own, other]: [usize; 2], lines: [usize; 4], vector: &Vector) {
        let add = |to: &mut Vector| to.iter_mut().zip(vector).for_each(|(sum, more)| *sum += more);
        let [of_own, of_other] = &mut self.codes;
        add(&mut of_own[own]);
        add(&mut of_other[other]);
        lines.into_iter().for_each(|line| add(&mut self.lines[line]));
    }
}

/// The indices of the weights whose sum is the transformer's vector for a code.
fn factors(whose: usize, code: usize) -> impl Iterator<Item = usize> {
    let shapes = shapes_of_code(code as Code).into_iter().map(move |shape| shape_at(whose, shape));
    let bias = (whose == 0).then_some(FEATURE_BIAS);
    [code_at(whose, code)].into_iter().chain(shapes).chain(bias)
}

/// The transformer that the weights add up to, clamped to the limits of the evaluation.
pub(super) fn transformer(weights: &[f32]) -> Transformer {
    let limited = |limit: i8, vector: Vector| {
        let most = f32::from(limit) / f32::from(FEATURE_ONE);
        vector.map(|x| x.clamp(-most, most))
    };
    let vector = |whose: usize, code: usize| {
        let mut sum: Vector = [0.0; FEATURES];
        for at in factors(whose, code) {
            sum.iter_mut().zip(&weights[at..at + FEATURES]).for_each(|(sum, more)| *sum += more);
        }
        limited(CODE_LIMIT, sum)
    };
    let lines = weights[LINE_FEATURES..HEADS].as_chunks::<FEATURES>().0;
    Transformer {
        codes: [0, 1].map(|whose| (0..CODE_COUNT).map(|code| vector(whose, code)).collect()),
        lines: lines.iter().map(|line| limited(LINE_LIMIT, *line)).collect(),
    }
}

/// Propagates the gradient with respect to the transformer to the weights that it is a sum of. Weights beyond the
/// limits still get a gradient, so that they can come back.
pub(super) fn backpropagate(by_transformer: &Transformer, gradient: &mut [f32]) {
    for (whose, vectors) in by_transformer.codes.iter().enumerate() {
        for (code, vector) in vectors.iter().enumerate().filter(|(_, vector)| **vector != [0.0; FEATURES]) {
            for at in factors(whose, code) {
                gradient[at..at + FEATURES].iter_mut().zip(vector).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }
    let lines = by_transformer.lines.as_flattened();
    gradient[LINE_FEATURES..HEADS].iter_mut().zip(lines).for_each(|(sum, slope)| *sum += slope);
}
