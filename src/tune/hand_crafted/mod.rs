//! Fitting the hand-crafted evaluation: its values are fitted to the results and scores of games, its move-ordering
//! scores to the moves that were played.
//!
//! [`WeightFit`] runs the fit. `samples` turns games into the indices of the weights that each position uses, which
//! `parameters` assigns. `gradient` computes the loss and its gradient, `factors` holds what weights have in common,
//! and [`initial`] the weights that a first fit starts from.

mod factors;
mod fit;
mod gradient;
pub mod initial;
mod parameters;
mod samples;

pub use fit::{FitLoss, FitRecipe, WeightFit, WeightKind, share_colors};
