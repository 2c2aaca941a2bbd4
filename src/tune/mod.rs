//! Fitting the evaluation to self-play games of the engine.
//!
//! The games are [training records](crate::data::record). `sample` selects the positions that become training samples
//! and gives their targets, `loss` is the loss function, and `adam` the optimiser. `checkpoint` is the format in which
//! the progress of a run is saved, and `state` serialises its numbers. [`hand_crafted`] fits the hand-crafted
//! evaluation, [`nnue`] trains the network on top of it, and `spsa`, in builds with the feature `tunable`, tunes the
//! parameters of the search. Nothing here runs while the engine plays.

mod adam;
pub(crate) mod checkpoint;
pub(crate) mod hand_crafted;
mod loss;
pub(crate) mod nnue;
mod sample;
#[cfg(feature = "tunable")]
pub(crate) mod spsa;
pub(crate) mod state;
