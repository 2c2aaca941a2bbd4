//! Kagetsu, a Gomoku and Renju engine.
#[macro_use]
pub mod rules;
pub mod board;
