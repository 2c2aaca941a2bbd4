//! Games to learn from: how they are made, kept and counted.
//!
//! [`record`] and [`stat`] know boards, rules and scores only, so that whoever learns from the records needs
//! no engine. [`opening_generator`] and [`selfplay`] stand above the engine and make games, [`writing`] puts
//! them into files and [`reading`] takes them out again.

pub mod opening_generator;
pub mod reading;
pub mod record;
pub mod selfplay;
pub mod stat;
pub mod writing;

pub use record::{Ending, Header, Origin, Shard, TrainingGame, TrainingMove};
