//! How strong, and how varied? Levels from a beginner to full strength, and the one door to a move at one of them.
//!
//! A [`Style`] says how somebody plays, and [`choose`] asks the engine for a move in it. Whatever is left to chance is
//! drawn from a seed and the position, so a move can be repeated, and never inside the search.
//!
//! | module | question |
//! |---|---|
//! | `level` | which levels are there, and what does each see? |
//! | `tuples`, `patterns` | how do the two teaching engines play, which look at nothing but the board as it stands? |
//! | `sight` | what does a weak level overlook? |
//! | `variety` | which other moves are nearly as good? |
//! | `choice` | how does a style come to its move? |
//! | `adaptive` | which level fits a person who has played so? |
//! | `ratings` | how strong is each level, as measured? |
//! | `draws` | how is chance made from a seed? |

mod adaptive;
mod choice;
mod draws;
mod level;
mod patterns;
mod ratings;
mod sight;
mod tuples;
mod variety;

pub use adaptive::{Fit, fitting_level};
pub use choice::{Style, choose};
pub use draws::seed_of_game;
pub use level::{Level, Means, NoSuchLevel, Weakness};
#[cfg(feature = "tools")]
pub(crate) use ratings::ELO_PER_NAT;
pub use ratings::{LevelRating, RatingTable, rating_tables, ratings};
pub use variety::Variety;
