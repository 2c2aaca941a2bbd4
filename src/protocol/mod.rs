//! The Gomocup (Piskvork) protocol and its Yixin dialect: all text, and no state of the game.
//!
//! Nothing that a manager can send may panic, so the ways to do so are denied for the whole folder.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod answers;
pub mod command;
mod dispatch;
pub mod input;
mod messages;
pub mod parser;
mod questions;
pub mod reply;
mod running;
pub mod serve;
pub mod session;
mod thinking;
mod words;

pub use serve::{Options, serve};
