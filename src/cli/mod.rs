//! The command line: which subcommand, with which options.
//!
//! Each subcommand has a file with its options and what it does; `run`(mod@run) chooses among them. This is the top
//! layer: nothing but the binary imports it. Its errors are shown to people, so they are [`anyhow::Error`]s.

pub(crate) mod analyse;
mod arguments;
pub(crate) mod bench;
#[cfg(feature = "gui")]
pub(crate) mod board;
pub(crate) mod check_proof;
pub(crate) mod checkpoint_file;
mod color;
pub(crate) mod completions;
pub(crate) mod data;
pub(crate) mod demo;
mod ending;
pub(crate) mod files;
mod hindsight;
pub(crate) mod job;
#[cfg(feature = "library")]
mod job_grow;
mod job_plan;
mod job_show;
pub(crate) mod levels;
#[cfg(feature = "library")]
pub(crate) mod library;
pub(crate) mod licenses;
mod match_json;
pub(crate) mod match_options;
pub(crate) mod match_play;
mod match_text;
pub(crate) mod measure;
mod measure_builds;
pub(crate) mod openings;
mod output;
mod overwriting;
pub(crate) mod play;
mod position;
mod progress;
pub(crate) mod proof_text;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod samples;
pub(crate) mod selfplay;
mod small_game;
pub(crate) mod solve;
#[cfg(feature = "tunable")]
pub(crate) mod spsa;
pub(crate) mod train;
mod training_data;
pub(crate) mod tune;

pub use bench::POSITIONS as BENCH_POSITIONS;
pub use run::run;
