//! The Gomocup (Piskvork) protocol and its Yixin dialect: all text, and no state of the game.
//!
//! Nothing that a manager can send may panic, so the ways to do so are denied for the whole folder.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod command;
pub mod input;
pub mod reply;
mod running;
pub mod serve;
mod thinking;

pub use serve::{Options, serve};
