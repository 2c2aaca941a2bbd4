//! What the protocol tests share: the manager's end of the pipe.
//!
//! [`Client`] runs the engine as a child process and speaks to it as a manager does; [`Reply`] is the
//! vocabulary an engine may use, and every line that comes is checked against it; [`SlowVcf`] is a slow and
//! plain search for VCFs, independent of the engine's own.
//!
//! `KAGETSU_ENGINE=/path/to/program` runs the tests against another program than the one Cargo built, and
//! `KAGETSU_RUNNER=wine64` starts it by that.

// Each test binary uses its own part of this module.
#![allow(dead_code, unused_imports)]

mod client;
mod reply;
mod skipped;
mod slow_vcf;

pub use client::{Client, EXIT_LIMIT, PATIENCE, Unmet, runnable, told};
pub use reply::Reply;
pub use skipped::tell_skipped;
pub use slow_vcf::{Outcome, SlowVcf, defends, holding_moves, legal_moves, makes_four, wins_at};
