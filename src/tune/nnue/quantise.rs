//! Conversion from weights in training to the integers that the evaluation uses, and back.

use super::factoriser::Transformer;
use super::forward::BOARD_UNIT;
use super::layout::{
    BIAS, BOARD, CODES, DIRECT, HCE_SHARE, HEADS, HIDDEN, HIDDEN_BIAS, LINE_FEATURES, LOCAL, LOCAL_BIAS,
    VIEWS, code_at,
};
use crate::eval::nnue::dims::{FEATURE_ONE, HIDDEN_ONE, OUTPUTS, WEIGHT_LIMIT};
use crate::eval::nnue::weights::{FeatureWeights, Head};
use crate::tune::loss::SCALE;

/// The transformer in the form that the evaluation uses.
pub(super) fn to_feature_weights(transformer: &Transformer) -> FeatureWeights {
    let mut rounded = FeatureWeights::zero();
    let FeatureWeights { own, other, lines } = &mut rounded;
    let Transformer { codes: [of_own, of_other], lines: of_lines } = transformer;
    for (table, vectors) in [(&mut own[..], of_own), (&mut other[..], of_other), (&mut lines[..], of_lines)] {
        for (row, vector) in table.iter_mut().zip(vectors) {
            *row = vector.map(|x| (x * f32::from(FEATURE_ONE)).round() as i8);
        }
    }
    rounded
}

/// Replaces the weights of the transformer by those of the evaluation. The weight of a code becomes its own component;
/// shapes and the bias get zero.
pub(super) fn from_feature_weights(weights: &mut [f32], features: &FeatureWeights) {
    weights[CODES..HEADS].fill(0.0);
    let FeatureWeights { own, other, lines } = features;
    for (first, table) in
        [(code_at(0, 0), &own[..]), (code_at(1, 0), &other[..]), (LINE_FEATURES, &lines[..])]
    {
        for (weight, feature) in weights[first..].iter_mut().zip(table.as_flattened()) {
            *weight = f32::from(*feature) / f32::from(FEATURE_ONE);
        }
    }
}

/// Calls `tell` for each number of a head, with its index among a head's weights in training and with the number that
/// represents a weight of 1.
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
    tell(&mut head.hce_share, HCE_SHARE, 256.0);
}

/// A head in the form that the evaluation uses.
pub(super) fn to_head(weights: &[f32]) -> Head {
    let limit = f32::from(WEIGHT_LIMIT);
    let mut head = Head::zero();
    for_each_number(&mut head, |number, place, unit| {
        *number = (weights[place] * unit).round().clamp(-limit, limit) as i16;
    });
    head
}

/// Sets a head's weights in training from a head of the evaluation.
pub(super) fn from_head(weights: &mut [f32], head: &Head) {
    for_each_number(&mut head.clone(), |number, place, unit| weights[place] = f32::from(*number) / unit);
}
