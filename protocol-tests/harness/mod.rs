//! What the protocol tests share: the manager's end of the pipe.
//!
//! [`Client`] runs the engine as a child process and speaks to it as a manager does; [`Reply`] is the
//! vocabulary an engine may use, and every line that comes is held against it; [`Fours`] is a slow and
//! plain search for wins by consecutive fours, independent of the engine's own.
//!
//! `KAGETSU_ENGINE=/path/to/program` runs the tests against another program than the one Cargo built.

// Each test binary uses its own part of this module.
#![allow(dead_code, unused_imports)]

mod client;
mod fours;
mod reply;

pub use client::{Client, EXIT_LIMIT, PATIENCE, Unmet, told};
pub use fours::{Fours, Outcome, defends, wins_at};
pub use reply::Reply;
