//! The command line: which subcommand, with which options.
//!
//! One file for each subcommand, with its options and what it does; [`run`](mod@run) chooses among them.
//! The top floor: nothing but the binary imports it. Errors are told to people here, so they are
//! [`anyhow::Error`]s.

mod arguments;
pub mod bench;
pub mod check_proof;
pub mod data;
pub mod demo;
pub mod files;
mod match_json;
pub mod match_options;
pub mod match_play;
mod match_text;
pub mod measure;
pub mod openings;
mod output;
pub mod play;
mod progress;
pub mod proof_text;
pub mod report;
pub mod run;
pub mod samples;
pub mod selfplay;
mod small_game;
pub mod solve;
#[cfg(feature = "tunable")]
pub mod spsa;
pub mod train;
mod training_data;
pub mod tune;

pub use run::run;
