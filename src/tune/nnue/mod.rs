//! Training the [network](crate::eval::nnue): gradient descent on the same targets as the fit of the
//! [hand-crafted evaluation](super::hand_crafted), which is one input of the network.
//!
//! Training counts in floating point, with activations of 0 to 1; at the end weights are rounded to what the
//! evaluation works with. Features are learned from the games of all rules together, which teach more than those of
//! one, and each rule has layers of its own behind them. At the end features are rounded and the layers learn to live
//! with it.
//!
//! `training` is the course of it, `training_set` what it learns from, and `loss_history` what it told on the way, which
//! `loss_plot` draws. `samples` holds positions as the network sees them, `layout` says where each weight stands,
//! `factoriser` makes the feature transformer of what is learned, `forward` runs the network, `gradient` runs it
//! backwards, `quantise` rounds, and `model` puts these together.

mod factoriser;
mod forward;
mod gradient;
mod layout;
mod loss_history;
mod loss_plot;
mod model;
mod quantise;
mod samples;
mod training;
mod training_set;

pub use loss_history::{LossHistory, LossRecord};
pub use training::{Training, TrainingLoss};
pub use training_set::{TrainingRecipe, TrainingSet};
