//! The command line: which subcommand, with which options.

pub mod bench;
pub mod play;
pub mod run;

pub use run::run;
