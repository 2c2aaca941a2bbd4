//! Kagetsu, a Gomoku and Renju engine.
pub mod board;
#[macro_use]
pub mod rules;
pub mod engine;
pub mod eval;
pub mod search;
