//! Levels of strength from a beginner to full strength, and variety of play.
//!
//! A [`Style`] says how strong and how varied to play. [`choose`], the only entry point, asks the engine for a move in
//! a style. Random choices depend only on a seed and the position, so that a move can be repeated, and are never made
//! inside the search.
//!
//! | module | question |
//! |---|---|
//! | `level` | which levels are there, and what does each see? |
//! | `tuples`, `patterns` | how do the two teaching engines play, which only look at the board as it is? |
//! | `oversights` | what does a weak level overlook? |
//! | `variety` | which other moves are nearly as good? |
//! | `choice` | how is a move chosen in a style? |
//! | `adaptive` | which level fits a person with these results? |
//! | `ratings` | how strong is each level, as measured? |
//! | `seeded_random` | how are random numbers derived from a seed? |

mod adaptive;
mod choice;
mod level;
mod oversights;
mod patterns;
mod ratings;
mod seeded_random;
mod tuples;
mod variety;

pub use adaptive::{Fit, fitting_level};
pub use choice::{Style, choose};
pub use level::{Level, Method, NoSuchLevel, Weakness};
#[cfg(feature = "tools")]
pub(crate) use ratings::ELO_PER_NAT;
pub use ratings::{LevelRating, RatingTable, rating_tables, ratings};
pub use seeded_random::seed_of_game;
pub use variety::Variety;
