//! The command line: which subcommand, with which options.

pub mod bench;
pub mod match_play;
pub mod measure;
pub mod play;
pub mod run;
pub mod tune;

pub use run::run;
