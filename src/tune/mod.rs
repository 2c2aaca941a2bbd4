//! Fitting the evaluation to games that the engine played against itself.
//!
//! The games are [training records](crate::data::record); `sample` says which of their positions become training
//! samples and what the evaluation is to say of them, `loss` how far it is from that, `adam` how weights are moved
//! towards it. `checkpoint` keeps what a run has come to, and `state` its numbers. [`hand_crafted`] fits the hand-crafted evaluation, [`nnue`] trains the network on top of it, and
//! `spsa`, in builds with the feature `tunable`, tunes the parameters of the search. Nothing here runs while the
//! engine plays.

mod adam;
pub(crate) mod checkpoint;
pub(crate) mod hand_crafted;
mod loss;
pub(crate) mod nnue;
mod sample;
#[cfg(feature = "tunable")]
pub(crate) mod spsa;
mod state;
