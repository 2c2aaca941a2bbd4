//! The loss of the fit, and its gradient with respect to every parameter.

use super::samples::{Choice, MoveParameters, Samples, ValueSample};
use crate::tune::loss::{SCALE, cross_entropy, mean, sigmoid};

/// The number of units of the ordering score that multiplies the odds of a move by e.
const ORDERING_SCALE: f32 = 32.0;

/// The evaluation of a sample, in points.
fn evaluation(samples: &Samples, sample: &ValueSample, weights: &[f32]) -> f32 {
    let term = |&(n, times): &(u16, i16)| weights[usize::from(n)] * f32::from(times);
    let sum: f32 = sample.terms(samples).iter().map(term).sum();
    sum / 2.0 + weights[usize::from(sample.tempo)]
}

/// The mean loss of the value over all samples.
pub(super) fn value_loss(samples: &Samples, weights: &[f32]) -> f32 {
    let loss =
        |sample: &ValueSample| cross_entropy(sample.target, evaluation(samples, sample, weights) / SCALE);
    mean(samples.values.iter().map(loss))
}

/// The gradient of the value's loss, summed over a batch of samples.
pub(super) fn value_gradient(samples: &Samples, batch: &[ValueSample], weights: &[f32]) -> Vec<f32> {
    let mut gradient = vec![0.0; weights.len()];
    for sample in batch {
        let error = (sigmoid(evaluation(samples, sample, weights) / SCALE) - sample.target) / SCALE;
        for &(n, times) in sample.terms(samples) {
            gradient[usize::from(n)] += error * f32::from(times) / 2.0;
        }
        gradient[usize::from(sample.tempo)] += error;
    }
    gradient
}

/// The probability that each move is the chosen one.
fn softmax(moves: &[MoveParameters], weights: &[f32]) -> Vec<f32> {
    let logit = |parameters: &MoveParameters| {
        parameters.iter().map(|&n| weights[usize::from(n)]).sum::<f32>() / ORDERING_SCALE
    };
    let logits: Vec<f32> = moves.iter().map(logit).collect();
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / sum).collect()
}

/// The mean loss of the ordering score over all choices.
pub(super) fn ordering_loss(samples: &Samples, weights: &[f32]) -> f32 {
    mean(samples.choices.iter().map(|choice| -softmax(choice.moves(samples), weights)[0].max(1e-9).ln()))
}

/// The gradient of the ordering score's loss, summed over a batch of choices.
pub(super) fn ordering_gradient(samples: &Samples, batch: &[Choice], weights: &[f32]) -> Vec<f32> {
    let mut gradient = vec![0.0; weights.len()];
    for choice in batch {
        let moves = choice.moves(samples);
        let probabilities = softmax(moves, weights);
        for (n, (parameters, probability)) in moves.iter().zip(probabilities).enumerate() {
            let error = (probability - f32::from(u8::from(n == 0))) / ORDERING_SCALE;
            parameters.iter().for_each(|&n| gradient[usize::from(n)] += error);
        }
    }
    gradient
}

#[cfg(test)]
#[path = "gradient_tests.rs"]
mod tests;
