//! Training the [network](crate::eval::nnue): gradient descent on the same targets as the fit of the
//! [hand-crafted evaluation](super::hand_crafted), which is one input of the network.
//!
//! Training is in floating point, with activations of 0 to 1; at the end the weights are rounded to the integers that
//! the evaluation uses. Features are learned from the games of all rules together, which teach more than those of one
//! rule; each rule has its own layers after them. In the last epochs the features are rounded already, and the layers
//! adapt to that.
//!
//! `training` is the training loop, `training_set` its data, and `loss_history` its losses over time, which `loss_plot`
//! draws. `samples` holds positions, `inputs` computes the network's inputs from them, `layout` defines where each
//! weight is stored, `factoriser` builds the feature transformer from the learned weights, `forward` is the forward
//! pass, `gradient` the backward pass, `quantise` rounds, and `model` combines these.

mod factoriser;
mod forward;
mod gradient;
mod inputs;
mod layout;
mod loss_history;
mod loss_plot;
mod model;
mod quantise;
mod samples;
mod training;
mod training_set;

pub use loss_history::{LossHistory, LossRecord};
pub use samples::MeanLoss;
pub use training::{Training, TrainingLoss};
pub use training_set::{TrainingRecipe, TrainingSet};
