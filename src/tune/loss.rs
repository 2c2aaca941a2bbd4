//! How far an evaluation is from what it is to say: the cross entropy of the win probability.

use crate::eval::score::WIN_PROBABILITY_SCALE;

/// Points that multiply the odds of a win by e; the same as in the win probability that is reported.
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

/// The mean, summed up precisely; zero of nothing.
pub(super) fn mean(numbers: impl Iterator<Item = f32>) -> f32 {
    let (sum, count) = numbers.fold((0.0f64, 0u32), |(sum, count), x| (sum + f64::from(x), count + 1));
    (sum / f64::from(count.max(1))) as f32
}
