//! How good a position is.

pub mod score;
