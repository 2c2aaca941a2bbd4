//! What a code gives to a feature is what it adds by itself, plus what each of its four shapes adds: so the thousands
//! of rare codes follow the few shapes that are seen all the time. Trainers of NNUE networks call this a
//! [factoriser](https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md#feature-factorization);
//! the network that is played with has only the sums.

use super::layout::{FEATURE_BIAS, code_at, shape_at};
use crate::eval::nnue::dims::{FEATURE_LIMIT, FEATURE_ONE, FEATURES};
use crate::shapes::table::shapes_of_code;
use crate::shapes::{CODE_COUNT, Code};

/// One number for each feature.
pub(super) type Vector = [f32; FEATURES];

/// The feature transformer: what each code gives to every feature, the own side's codes first, then the opponent's.
pub(super) type Transformer = [Vec<Vector>; 2];

/// Where the weights stand whose sum is the transformer's vector for a code.
fn factors(whose: usize, code: usize) -> impl Iterator<Item = usize> {
    let shapes = shapes_of_code(code as Code).into_iter().map(move |shape| shape_at(whose, shape));
    let bias = (whose == 0).then_some(FEATURE_BIAS);
    [code_at(whose, code)].into_iter().chain(shapes).chain(bias)
}

/// The transformer that the weights amount to, within the limits of the evaluation.
pub(super) fn transformer(weights: &[f32]) -> Transformer {
    let most = f32::from(FEATURE_LIMIT) / f32::from(FEATURE_ONE);
    let vector = |whose: usize, code: usize| {
        let mut sum: Vector = [0.0; FEATURES];
        for at in factors(whose, code) {
            sum.iter_mut().zip(&weights[at..at + FEATURES]).for_each(|(sum, more)| *sum += more);
        }
        sum.map(|x| x.clamp(-most, most))
    };
    [0, 1].map(|whose| (0..CODE_COUNT).map(|code| vector(whose, code)).collect())
}

/// Hands the gradient by the transformer on to the weights that it is a sum of. What the limits cut off still learns,
/// so that it can come back.
pub(super) fn spread(by_transformer: &Transformer, gradient: &mut [f32]) {
    for (whose, vectors) in by_transformer.iter().enumerate() {
        for (code, vector) in vectors.iter().enumerate().filter(|(_, vector)| **vector != [0.0; FEATURES]) {
            for at in factors(whose, code) {
                gradient[at..at + FEATURES].iter_mut().zip(vector).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }
}
