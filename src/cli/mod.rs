//! The command line: which subcommand, with which options.

pub mod bench;
pub mod data;
pub mod openings;
pub mod play;
pub mod run;
pub mod selfplay;
pub mod tune;

pub use run::run;
