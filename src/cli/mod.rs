//! The command line: which subcommand, with which options.

pub mod play;
pub mod run;

pub use run::run;
