//! The loss of an evaluation: the cross entropy between its target and its win probability.

use crate::eval::score::WIN_PROBABILITY_SCALE;

/// The number of points that multiplies the odds of a win by e, the same as in the reported win probability.
pub(super) const SCALE: f32 = WIN_PROBABILITY_SCALE as f32;

/// The logistic function: from a logit to a probability.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The cross entropy between the probability `target` and `sigmoid(logit)`.
pub(super) fn cross_entropy(target: f32, logit: f32) -> f32 {
    let p = sigmoid(logit).clamp(1e-6, 1.0 - 1e-6);
    -(target * p.ln() + (1.0 - target) * (1.0 - p).ln())
}

/// The mean, summed in double precision; zero if there are no numbers.
pub(super) fn mean(numbers: impl Iterator<Item = f32>) -> f32 {
    let (sum, count) = numbers.fold((0.0f64, 0u32), |(sum, count), x| (sum + f64::from(x), count + 1));
    (sum / f64::from(count.max(1))) as f32
}
