//! The Gomocup (Piskvork) protocol and its Yixin dialect: commands, replies, and the session, which holds the game and
//! the settings of the manager.
//!
//! Nothing that a manager can send may cause a panic, so lints deny the ways to do so in the whole folder.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod answers;
pub(crate) mod command;
mod database;
mod database_answers;
mod database_command;
mod database_reply;
#[cfg(all(test, feature = "library"))]
mod database_tests;
mod dispatch;
pub(crate) mod input;
mod messages;
pub(crate) mod parser;
mod questions;
pub(crate) mod reply;
mod running;
pub(crate) mod serve;
pub(crate) mod session;
mod thinking;
mod words;

pub use database::{Database, Opener};
pub use serve::{Options, serve, serve_with};
