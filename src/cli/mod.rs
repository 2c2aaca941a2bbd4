//! Command line.
pub mod bench;
