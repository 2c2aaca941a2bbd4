//! Training games: how they are generated, stored and counted.
//!
//! `record` and `stat` depend only on boards, rules and scores, so that learning from the records needs no engine.
//! `opening_generator` and `selfplay` use the engine to generate games, `rescoring` searches them again, `writing`
//! writes them to files and `reading` reads them back. `aside` names the place of what is damaged.

pub(crate) mod aside;
pub(crate) mod opening_generator;
mod ordered_games;
pub(crate) mod reading;
pub(crate) mod record;
pub(crate) mod rescoring;
pub(crate) mod selfplay;
pub(crate) mod stat;
pub(crate) mod writing;

pub use record::{Ending, Header, Origin, Shard, TrainingGame, TrainingMove};
