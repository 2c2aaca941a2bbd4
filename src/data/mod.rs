//! Games to learn from: how they are made, kept and counted.
//!
//! [`record`] and [`stat`] know boards, rules and scores only, so that whoever learns from the records needs
//! no engine. [`openings`], [`shards`] and [`selfplay`] stand above the engine and make them.

pub mod openings;
pub mod record;
pub mod selfplay;
pub mod shards;
pub mod stat;

pub use record::{Ending, Game, Header, Move, Origin, Shard};
