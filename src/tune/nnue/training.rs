//! The training loop, step by step, so that the caller can save its progress and resume from there.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use super::gradient::Learned;
use super::inputs::Boards;
use super::loss_history::{LossHistory, LossRecord};
use super::model::Model;
use super::samples::{MeanLoss, Sample};
use super::training_set::{RuleSamples, TrainingSet};
use crate::eval::nnue::buckets::BUCKETS;
use crate::eval::nnue::weights::{Head, NnueWeights};
use crate::rules::Rule;
use crate::tune::adam::decay;
use crate::tune::checkpoint::CheckpointError;
use crate::tune::loss::SCALE;
use crate::tune::state::{StateReader, StateWriter};

/// The result of training, for one rule.
#[derive(Clone, Copy, Debug)]
pub struct TrainingLoss {
    /// The rule.
    pub rule: Rule,
    /// Games, including those held out.
    pub games: usize,
    /// Training positions.
    pub positions: usize,
    /// Mean cross entropy of the hand-crafted evaluation alone on held-out games.
    pub hand_crafted: f32,
    /// The same for the network before training.
    pub before: f32,
    /// The same for the network after training.
    pub network: f32,
    /// The same by the number of stones on the board, for each [bucket](crate::eval::nnue::buckets).
    pub by_stones: [MeanLoss; BUCKETS],
}

/// Batch size: samples per step of the weights.
const BATCH: usize = 1024;
/// The seed of the random weights and of the order of samples.
const SEED: u64 = 1;
/// Records of the loss per epoch, if it has that many steps.
const RECORDS: usize = 20;

/// A training run in progress: first it trains features and layers, then the layers alone on rounded features.
///
/// Samples, recipe and initial weights determine the result to the byte. It depends neither on the number of threads
/// nor on where the run was interrupted.
pub struct Training<'a> {
    set: &'a TrainingSet,
    from: Option<&'a NnueWeights>,
    model: Model,
    order: SampleOrder,
    /// Finished epochs, of both stages.
    epoch: usize,
    /// Steps taken in this epoch.
    batch: usize,
    /// Loss and number of the samples since the last record.
    since: (f64, usize),
    history: LossHistory,
    /// Loss by rule on held-out games before training.
    before: Vec<f32>,
}

/// The order of the samples, a different one in each epoch of a stage. When a training run is resumed, the order is
/// computed again from its seed, which takes less than storing it.
struct SampleOrder {
    order: Vec<u32>,
    random: Xoshiro256PlusPlus,
    shuffles: usize,
}

impl SampleOrder {
    fn new(samples: usize) -> SampleOrder {
        let random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        SampleOrder { order: (0..samples as u32).collect(), random, shuffles: 0 }
    }

    /// The order in this epoch of the stage. An earlier epoch cannot be asked for afterwards.
    fn in_epoch(&mut self, epoch: usize) -> &[u32] {
        while self.shuffles <= epoch {
            self.order.shuffle(&mut self.random);
            self.shuffles += 1;
        }
        &self.order
    }
}

impl<'a> Training<'a> {
    /// Begins to train a network for every rule that has samples, from these weights or from scratch. A rule without
    /// samples keeps its layers, if it had any.
    #[must_use]
    pub fn new(set: &'a TrainingSet, from: Option<&'a NnueWeights>) -> Training<'a> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let model = match from {
            None => Model::new(set.head_count(), &mut random),
            Some(weights) => {
                let heads = set.rules.iter().flat_map(|of_rule| {
                    let known = &weights.heads[of_rule.rule.index()];
                    (0..of_rule.heads.len()).map(|n| known.get(n))
                });
                Model::from_weights(&weights.features, &heads.collect::<Vec<Option<&Head>>>(), &mut random)
            }
        };
        let history = LossHistory {
            layers_from: set.recipe.epochs,
            hand_crafted: set.test.mean_loss(|_| true, hand_crafted).known(),
            records: vec![LossRecord {
                step: 0,
                epoch: 0.0,
                training: None,
                held_out: model.loss(&set.test, |_| true).known(),
            }],
        };
        let before = loss_by_rule(set, &model);
        let order = SampleOrder::new(set.train.all.len());
        let mut training =
            Training { set, from, model, order, epoch: 0, batch: 0, since: (0.0, 0), history, before };
        if set.recipe.epochs == 0 {
            training.begin_layers();
        }
        training
    }

    /// Epochs of both stages.
    fn epochs(&self) -> usize {
        self.set.recipe.epochs + self.set.recipe.layer_epochs
    }

    /// Steps of an epoch.
    fn batches(&self) -> usize {
        self.set.train.all.len().div_ceil(BATCH)
    }

    /// Whether all epochs are finished.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.epoch >= self.epochs()
    }

    /// Steps taken, and steps in total.
    #[must_use]
    pub fn steps(&self) -> (usize, usize) {
        let batches = self.batches();
        (self.epoch * batches + self.batch, self.epochs() * batches)
    }

    /// The losses so far.
    #[must_use]
    pub fn history(&self) -> &LossHistory {
        &self.history
    }

    /// Takes a step. Returns the record of the losses, if there is one after it: twenty times per epoch, and at its end
    /// with the loss on held-out games, if there are any.
    ///
    /// # Panics
    /// If all epochs are finished.
    pub fn step(&mut self) -> Option<LossRecord> {
        assert!(!self.is_done(), "all epochs are over");
        let batches = self.batches();
        if batches > 0 {
            self.descend();
        }
        let (parts_before, parts) = match batches {
            0 => (0, RECORDS),
            _ => ((self.batch - 1) * RECORDS / batches, self.batch * RECORDS / batches),
        };
        let (step, _) = self.steps();
        let ends = self.batch == batches;
        if parts == parts_before {
            return None;
        }
        let (loss, samples) = std::mem::take(&mut self.since);
        let record = LossRecord {
            step,
            epoch: self.epoch as f32 + if ends { 1.0 } else { self.batch as f32 / batches as f32 },
            training: (samples > 0).then(|| (loss / samples as f64) as f32),
            held_out: if ends { self.model.loss(&self.set.test, |_| true).known() } else { None },
        };
        self.history.records.push(record);
        if ends {
            self.batch = 0;
            self.epoch += 1;
            if self.epoch == self.set.recipe.epochs {
                self.begin_layers();
            }
        }
        Some(record)
    }

    /// A step of the weights.
    fn descend(&mut self) {
        let recipe = self.set.recipe;
        let (learned, epoch, epochs) = if self.epoch < recipe.epochs {
            (Learned::All, self.epoch, recipe.epochs)
        } else {
            (Learned::Layers, self.epoch - recipe.epochs, recipe.layer_epochs)
        };
        let batches = self.batches();
        let rate = recipe.rate * decay(epoch * batches + self.batch, epochs * batches);
        let order = self.order.in_epoch(epoch);
        let batch = &order[self.batch * BATCH..order.len().min((self.batch + 1) * BATCH)];
        self.since.0 += self.model.step(&self.set.train, batch, rate, learned);
        self.since.1 += batch.len();
        self.batch += 1;
    }

    /// Rounds the features, on which the layers are trained from now on.
    fn begin_layers(&mut self) {
        self.model.round_features();
        self.order = SampleOrder::new(self.set.train.all.len());
    }

    /// Everything that has changed since the training began, for [`Training::restore`].
    #[must_use]
    pub fn state(&self) -> Vec<u8> {
        let mut state = StateWriter::default();
        [self.epoch, self.batch].into_iter().for_each(|number| state.number(number as u64));
        state.sum(self.since.0);
        state.number(self.since.1 as u64);
        self.history.write(&mut state);
        self.model.write(&mut state);
        state.finish()
    }

    /// Resumes from the state of a training run with the same samples, recipe and initial weights.
    ///
    /// # Errors
    /// If the bytes are not such a state; this training is then unusable.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), CheckpointError> {
        self.read(&mut StateReader(state)).ok_or(CheckpointError::Damaged)
    }

    fn read(&mut self, state: &mut StateReader) -> Option<()> {
        self.epoch = state.index(self.epochs() + 1)?;
        self.batch = state.index(self.batches().max(1))?;
        self.since = (state.sum()?, state.index(self.set.train.all.len() + 1)?);
        self.history.read(state)?;
        self.model.read(state)?;
        self.order = SampleOrder::new(self.set.train.all.len());
        state.finish()
    }

    /// The weights in the form that the engine uses, and their losses for each rule.
    #[must_use]
    pub fn finish(self) -> (NnueWeights, Vec<TrainingLoss>) {
        let Training { set, from, model, before, .. } = self;
        let heads = model.rounded_heads();
        let mut weights = NnueWeights {
            features: model.rounded_features(),
            heads: from.map(|weights| weights.heads.clone()).unwrap_or_default(),
        };
        for of_rule in &set.rules {
            weights.heads[of_rule.rule.index()] = heads[of_rule.heads.clone()].to_vec();
        }
        let losses = set.rules.iter().zip(before).map(|(of_rule, before)| {
            let hand_crafted = set.test.mean_loss(|sample| of_rule.has(sample), hand_crafted).loss;
            let by_stones = std::array::from_fn(|bucket| {
                model.loss(&set.test, |sample| of_rule.has_in_bucket(sample, bucket))
            });
            let network = MeanLoss::of_all(&by_stones).loss;
            let RuleSamples { rule, games, positions, .. } = *of_rule;
            TrainingLoss { rule, games, positions, hand_crafted, before, network, by_stones }
        });
        (weights, losses.collect())
    }
}

/// The loss on held-out games, by rule.
fn loss_by_rule(set: &TrainingSet, model: &Model) -> Vec<f32> {
    set.rules.iter().map(|of_rule| model.loss(&set.test, |sample| of_rule.has(sample)).loss).collect()
}

/// The logit of the hand-crafted evaluation.
fn hand_crafted(sample: &Sample, _: &mut Boards) -> f32 {
    sample.hand_crafted / SCALE
}

#[cfg(test)]
#[path = "training_tests.rs"]
mod tests;
