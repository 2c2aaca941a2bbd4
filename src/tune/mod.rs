//! Fitting the evaluation to games that the engine played against itself.
//!
//! The games are [training records](crate::data::record); `lesson` says what they teach. [`prior`] holds the
//! weights that a fit of the hand-made evaluation starts from, [`fit`] fits, [`network`] trains the network on top
//! of it. Nothing here runs while the engine plays.

mod descent;
pub mod fit;
mod lesson;
pub mod network;
pub mod prior;
#[cfg(feature = "tunable")]
pub mod spsa;
