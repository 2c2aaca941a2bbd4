//! Games to learn from: how they are made, kept and counted.
//!
//! `record` and `stat` know boards, rules and scores only, so that whoever learns from the records needs
//! no engine. `opening_generator` and `selfplay` stand above the engine and make games, `rescoring` searches them
//! again, `writing` puts them into files and `reading` takes them out again. `lock` keeps two processes from one file.

mod in_order;
pub(crate) mod lock;
pub(crate) mod opening_generator;
pub(crate) mod reading;
pub(crate) mod record;
pub(crate) mod rescoring;
pub(crate) mod selfplay;
pub(crate) mod stat;
pub(crate) mod writing;

pub use record::{Ending, Header, Origin, Shard, TrainingGame, TrainingMove};
