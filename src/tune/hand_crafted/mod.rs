//! Fitting the hand-crafted evaluation: its values to results and scores of games, its move-ordering scores to the
//! moves that were played.
//!
//! [`WeightFit`] fits. `samples` turns games into the numbers of the weights that each position touches (`parameters`),
//! `gradient` says how the loss depends on these, `factors` what weights have in common, and [`initial`] holds the
//! weights that a first fit starts from.

mod factors;
mod fit;
mod gradient;
pub mod initial;
mod parameters;
mod samples;

pub use fit::{FitLoss, FitRecipe, WeightFit, WeightKind, share_colors};
