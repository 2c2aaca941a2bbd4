//! Fitting the hand-made evaluation to games of self-play.

pub mod fit;
pub mod prior;
