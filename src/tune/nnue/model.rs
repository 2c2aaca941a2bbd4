//! [`Model`]: a network in training.

use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::factoriser::{Transformer, transformer};
use super::forward::run;
use super::gradient::{Learned, gradient};
use super::inputs::Boards;
use super::layout::{
    BOARD, CODES, DIRECT, FEATURE_BIAS, HCE_SHARE, HEAD, HEADS, HIDDEN, HIDDEN_BIAS, LINE_FEATURES, LOCAL,
    SHAPES, head_range,
};
use super::quantise::{from_feature_weights, from_head, to_feature_weights, to_head};
use super::samples::{MeanLoss, Sample, Samples};
use crate::eval::nnue::weights::{FeatureWeights, Head};
use crate::tune::adam::{Adam, Regularisation};
use crate::tune::state::{StateReader, StateWriter};

/// Parts of a batch whose gradients are summed separately, so that the result does not depend on the number of threads.
const SHARES: usize = 4;
/// The weight decay of the weights of single codes, of which there are thousands, and of all other weights.
const CODE_WEIGHT_DECAY: f32 = 1e-4;
const WEIGHT_DECAY: f32 = 1e-6;
/// Adam's epsilon for the weights of lines, which are many and mostly rare. Measured in two passes on 1.7 million
/// positions of freestyle, and 90,000 of held-out games: the loss was 0.5288 without lines. With lines it was 0.5289 at
/// an epsilon of 1e-8, 0.5261 at 1e-5, 0.5252 at 1e-4, and 0.5261 at 1e-3 (one pass).
const LINE_EPSILON: f32 = 1e-4;

fn regularisation(weight: usize) -> Regularisation {
    match weight {
        ..SHAPES => Regularisation::weight_decay(CODE_WEIGHT_DECAY),
        LINE_FEATURES..HEADS => Regularisation { weight_decay: WEIGHT_DECAY, epsilon: LINE_EPSILON },
        _ => Regularisation::weight_decay(WEIGHT_DECAY),
    }
}

/// A network in training: the feature transformer that all heads share, and the heads.
pub(super) struct Model {
    weights: Adam,
}

impl Model {
    /// Starts from small random weights.
    pub(super) fn new(heads: usize, random: &mut impl Rng) -> Model {
        let mut weights = vec![0.0; head_range(heads).start];
        let mut guess = |weights: &mut [f32], mean: f32, spread: f32| {
            weights.iter_mut().for_each(|weight| *weight = mean + spread * random.random_range(-1.0..=1.0));
        };
        guess(&mut weights[CODES..SHAPES], 0.0, 0.02);
        guess(&mut weights[SHAPES..FEATURE_BIAS], 0.0, 0.15);
        for head in weights[HEADS..].chunks_exact_mut(HEAD) {
            guess(&mut head[LOCAL..BOARD], 0.0, 0.2);
            guess(&mut head[BOARD..HIDDEN_BIAS], 0.0, 0.3);
            guess(&mut head[HIDDEN_BIAS..HIDDEN], 0.3, 0.3);
            guess(&mut head[HIDDEN..DIRECT], 0.0, 0.3);
            guess(&mut head[HCE_SHARE..], 1.0, 0.0);
        }
        Model { weights: Adam::new(weights) }
    }

    /// Starts from these features and heads. A head that is `None` starts from random weights.
    pub(super) fn from_weights(
        features: &FeatureWeights,
        heads: &[Option<&Head>],
        random: &mut impl Rng,
    ) -> Model {
        let mut values = Model::new(heads.len(), random).weights.values;
        from_feature_weights(&mut values, features);
        for (place, head) in values[HEADS..].chunks_exact_mut(HEAD).zip(heads) {
            if let Some(head) = head {
                from_head(place, head);
            }
        }
        Model { weights: Adam::from_pretrained(values) }
    }

    /// Rounds the features to those that the evaluation uses, so that the heads can adapt to the rounding.
    pub(super) fn round_features(&mut self) {
        let features = self.rounded_features();
        let mut values = std::mem::take(&mut self.weights.values);
        from_feature_weights(&mut values, &features);
        self.weights = Adam::from_pretrained(values);
    }

    /// The network's output for a sample, in units of [`SCALE`](crate::tune::loss::SCALE) points; `transformer` is the
    /// one that the weights add up to.
    fn logit(
        &self,
        transformer: &Transformer,
        samples: &Samples,
        sample: &Sample,
        boards: &mut Boards,
    ) -> f32 {
        let head = &self.weights.values[head_range(sample.head.into())];
        run(head, transformer, sample, &samples.points(sample, boards)).logit
    }

    /// The mean loss over the samples that `counts` selects.
    pub(super) fn loss(&self, samples: &Samples, counts: impl Fn(&Sample) -> bool + Sync) -> MeanLoss {
        let transformer = transformer(&self.weights.values);
        samples.mean_loss(counts, |sample, boards| self.logit(&transformer, samples, sample, boards))
    }

    /// Takes one step to reduce the mean loss over these samples. Returns their summed loss before the step.
    pub(super) fn step(&mut self, samples: &Samples, batch: &[u32], rate: f32, learned: Learned) -> f64 {
        let (gradient, loss) = self.gradient(samples, batch, learned);
        self.weights.step(&gradient, rate, regularisation);
        loss
    }

    /// The gradient of the mean loss over these samples, and their summed loss.
    fn gradient(&self, samples: &Samples, batch: &[u32], learned: Learned) -> (Vec<f32>, f64) {
        let weights = &self.weights.values;
        let transformer = transformer(weights);
        let share = batch.len().div_ceil(SHARES);
        let shares: Vec<(Vec<f32>, f64)> = batch
            .par_chunks(share)
            .map(|batch| gradient(weights, &transformer, samples, batch, learned))
            .collect();
        let (mut mean, mut loss) = (vec![0.0; weights.len()], 0.0);
        for (share, share_loss) in shares {
            mean.iter_mut().zip(share).for_each(|(sum, slope)| *sum += slope / batch.len() as f32);
            loss += share_loss;
        }
        (mean, loss)
    }

    /// Serialises the weights and the state of the optimiser.
    pub(super) fn write(&self, state: &mut StateWriter) {
        self.weights.write(state);
    }

    /// Restores the state of a model with as many heads.
    pub(super) fn read(&mut self, state: &mut StateReader) -> Option<()> {
        self.weights.read(state)
    }

    /// The features in the form that the evaluation uses.
    pub(super) fn rounded_features(&self) -> FeatureWeights {
        to_feature_weights(&transformer(&self.weights.values))
    }

    /// The heads in the form that the evaluation uses.
    pub(super) fn rounded_heads(&self) -> Vec<Head> {
        self.weights.values[HEADS..].chunks_exact(HEAD).map(to_head).collect()
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
