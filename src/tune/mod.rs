//! Fitting the hand-made evaluation to games that the engine played against itself.
//!
//! The games are [training records](crate::data::record); [`prior`] holds the weights that a fit starts from,
//! [`fit`] fits. Nothing here runs while the engine plays.

pub mod fit;
pub mod prior;
#[cfg(feature = "tunable")]
pub mod spsa;
