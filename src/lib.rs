//! Kagetsu, a Gomoku and Renju engine.
pub mod board;
#[macro_use]
pub mod rules;
pub mod arena;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod opening;
pub mod position;
pub mod protocol;
pub mod search;
pub mod session;
pub mod shapes;
pub mod thinker;
pub mod tune;
