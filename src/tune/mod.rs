//! Fitting the hand-made evaluation to games that the engine plays against itself.

pub mod fit;
pub mod games;
pub mod prior;
