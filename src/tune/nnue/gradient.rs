//! The backward pass of the network: the gradient of the loss with respect to every weight
//! ([backpropagation](https://en.wikipedia.org/wiki/Backpropagation)).

use super::factoriser::{Transformer, Vector, backpropagate};
use super::forward::{FROM_BOARD, FROM_REGION, Trace, clipped_relu, clipped_relu_derivative, run};
use super::inputs::Boards;
use super::layout::{
    BIAS, BOARD, DIRECT, HCE_SHARE, HIDDEN, HIDDEN_BIAS, INPUTS, LOCAL, LOCAL_BIAS, VIEWS, head_range,
};
use super::samples::{Sample, Samples};
use crate::eval::nnue::dims::{FEATURES, OUTPUTS};
use crate::eval::nnue::regions::REGIONS;
use crate::tune::loss::{SCALE, cross_entropy, sigmoid};

/// Which weights are trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Learned {
    /// Every weight.
    All,
    /// Only the layers after the features, which stay as they are.
    Layers,
}

/// The gradient of the summed loss over these samples, weight by weight, and that loss; `transformer` is the one that
/// the weights add up to.
pub(super) fn gradient(
    weights: &[f32],
    transformer: &Transformer,
    samples: &Samples,
    batch: &[u32],
    learned: Learned,
) -> (Vec<f32>, f64) {
    let mut gradient = vec![0.0; weights.len()];
    let mut loss = 0.0;
    let mut by_transformer = Transformer::zero();
    let mut boards = Boards::default();
    for &n in batch {
        let sample = &samples.all[n as usize];
        let points = samples.points(sample, &mut boards);
        let head = head_range(sample.head.into());
        let trace = run(&weights[head.clone()], transformer, sample, &points);
        loss += f64::from(cross_entropy(sample.target, trace.logit));
        let error = sigmoid(trace.logit) - sample.target;
        let by_sums = through_layers(&mut gradient[head.clone()], &weights[head], sample, &trace, error);
        if learned == Learned::Layers {
            continue;
        }
        for point in points {
            let by_sums = by_sums[usize::from(point.region)].as_chunks::<FEATURES>().0;
            for (view, by_sums) in by_sums.iter().enumerate() {
                let (codes, lines) = (point.codes(view), point.lines(view));
                let features = transformer.sum(codes, lines);
                let slope: Vector =
                    std::array::from_fn(|n| by_sums[n] * clipped_relu_derivative(features[n]));
                by_transformer.add(codes, lines, &slope);
            }
        }
    }
    if learned == Learned::All {
        backpropagate(&by_transformer, &mut gradient);
    }
    (gradient, loss)
}

/// Adds the gradient with respect to the weights of a head, and returns that with respect to the sums of features.
fn through_layers(
    gradient: &mut [f32],
    head: &[f32],
    sample: &Sample,
    trace: &Trace,
    error: f32,
) -> [[f32; VIEWS]; REGIONS] {
    gradient[BIAS] += error;
    gradient[HCE_SHARE] += error * sample.hand_crafted / SCALE;
    let mut by_inputs = [0.0; INPUTS];
    for n in 0..INPUTS {
        gradient[DIRECT + n] += error * trace.inputs[n];
        by_inputs[n] = error * head[DIRECT + n];
    }
    let mut by_outputs = [0.0; OUTPUTS];
    for n in 0..OUTPUTS {
        gradient[HIDDEN + n] += error * clipped_relu(trace.hidden[n]);
        by_outputs[n] = error * head[HIDDEN + n] * clipped_relu_derivative(trace.hidden[n]);
        gradient[HIDDEN_BIAS + n] += by_outputs[n];
    }
    through_layer(&mut gradient[BOARD..], &head[BOARD..], &trace.inputs, &by_outputs, 1.0, &mut by_inputs);
    let mut by_sums = [[0.0; VIEWS]; REGIONS];
    for ((by_sums, sums), local) in by_sums.iter_mut().zip(&trace.sums).zip(&trace.local) {
        for n in 0..VIEWS {
            by_sums[n] = by_inputs[n] * FROM_BOARD;
        }
        for n in 0..OUTPUTS {
            by_outputs[n] = by_inputs[VIEWS + n] * clipped_relu_derivative(local[n]);
            gradient[LOCAL_BIAS + n] += by_outputs[n];
        }
        through_layer(&mut gradient[LOCAL..], &head[LOCAL..], sums, &by_outputs, FROM_REGION, by_sums);
    }
    by_sums
}

/// Given the gradient with respect to a layer's outputs, adds that with respect to its weights to `gradient`, and that
/// with respect to its inputs to `by_inputs`.
fn through_layer<const N: usize>(
    gradient: &mut [f32],
    weights: &[f32],
    inputs: &[f32; N],
    by_outputs: &[f32; OUTPUTS],
    unit: f32,
    by_inputs: &mut [f32; N],
) {
    let gradient = gradient.as_chunks_mut::<OUTPUTS>().0;
    let weights = weights.as_chunks::<OUTPUTS>().0;
    for (((gradient, weights), input), by_input) in
        gradient.iter_mut().zip(weights).zip(inputs).zip(by_inputs)
    {
        let input = input * unit;
        let mut products = [0.0; OUTPUTS];
        for n in 0..OUTPUTS {
            gradient[n] += by_outputs[n] * input;
            products[n] = by_outputs[n] * weights[n];
        }
        // Summed by halves, so that the sum can be vectorised.
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

#[cfg(test)]
#[path = "gradient_tests.rs"]
mod tests;
