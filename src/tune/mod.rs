//! Fitting the hand-made evaluation to games that the engine plays against itself.
//!
//! [`games`] plays and reads them, [`prior`] holds the weights that a fit starts from, [`fit`] fits.
//! Nothing here runs while the engine plays.

pub mod fit;
pub mod games;
pub mod prior;
