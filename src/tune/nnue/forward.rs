//! The forward pass of a network in training.

use super::factoriser::Transformer;
use super::inputs::PointInputs;
use super::layout::{BIAS, BOARD, DIRECT, HCE_SHARE, HIDDEN, HIDDEN_BIAS, INPUTS, LOCAL, LOCAL_BIAS, VIEWS};
use super::samples::Sample;
use crate::eval::nnue::dims::{BOARD_SHIFT, FEATURE_ONE, FEATURES, LOCAL_SHIFT, OUTPUTS};
use crate::eval::nnue::regions::REGIONS;
use crate::tune::loss::SCALE;

/// The divisors of sums of features before they enter a layer; the evaluation uses shifts instead.
const REGION_UNIT: f32 = (1 << LOCAL_SHIFT) as f32;
pub(super) const BOARD_UNIT: f32 = (1 << BOARD_SHIFT) as f32;
/// The corresponding factors for features of 0 to 1.
pub(super) const FROM_REGION: f32 = FEATURE_ONE as f32 / REGION_UNIT;
pub(super) const FROM_BOARD: f32 = FEATURE_ONE as f32 / BOARD_UNIT;

/// The intermediate values of a forward pass.
pub(super) struct Trace {
    /// By region: features from the side to move's perspective, then from the other side's.
    pub sums: [[f32; VIEWS]; REGIONS],
    /// By region: outputs of the local layer before clipping.
    pub local: [[f32; OUTPUTS]; REGIONS],
    /// Inputs of the board layer.
    pub inputs: [f32; INPUTS],
    /// Outputs of the board layer before clipping.
    pub hidden: [f32; OUTPUTS],
    /// The output, in units of [`SCALE`] points.
    pub logit: f32,
}

/// The clipped ReLU.
pub(super) fn clipped_relu(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// The derivative of [`clipped_relu`].
pub(super) fn clipped_relu_derivative(x: f32) -> f32 {
    f32::from(u8::from(x > 0.0 && x < 1.0))
}

/// The outputs of a layer before clipping; its inputs are multiplied by `unit` first.
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

/// Runs a head on a sample with these points.
pub(super) fn run(head: &[f32], transformer: &Transformer, sample: &Sample, points: &[PointInputs]) -> Trace {
    let mut trace = Trace {
        sums: [[0.0; VIEWS]; REGIONS],
        local: [[0.0; OUTPUTS]; REGIONS],
        inputs: [0.0; INPUTS],
        hidden: [0.0; OUTPUTS],
        logit: 0.0,
    };
    for point in points {
        let sums = trace.sums[usize::from(point.region)].as_chunks_mut::<FEATURES>().0;
        for (view, sums) in sums.iter_mut().enumerate() {
            let features = transformer.sum(point.codes(view), point.lines(view));
            sums.iter_mut().zip(features).for_each(|(sum, feature)| *sum += clipped_relu(feature));
        }
    }
    for (sums, local) in trace.sums.iter().zip(&mut trace.local) {
        *local = outputs(&head[LOCAL..], sums, &head[LOCAL_BIAS..], FROM_REGION);
        for (input, output) in trace.inputs[VIEWS..].iter_mut().zip(local) {
            *input += clipped_relu(*output);
        }
        for (input, sum) in trace.inputs.iter_mut().zip(sums) {
            *input += sum * FROM_BOARD;
        }
    }
    trace.hidden = outputs(&head[BOARD..], &trace.inputs, &head[HIDDEN_BIAS..], 1.0);
    trace.logit = head[BIAS] + head[HCE_SHARE] * sample.hand_crafted / SCALE;
    for n in 0..OUTPUTS {
        trace.logit += clipped_relu(trace.hidden[n]) * head[HIDDEN + n];
    }
    let direct = &head[DIRECT..DIRECT + INPUTS];
    trace.logit += direct.iter().zip(&trace.inputs).map(|(weight, input)| weight * input).sum::<f32>();
    trace
}
