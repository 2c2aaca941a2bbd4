//! Matches between engines: players, judged games, openings, statistics, records.
//!
//! Games are judged by [`rules::reference`](crate::rules::reference), never by the code under test.

pub mod child;
pub mod external;
pub mod game;
pub mod internal;
pub mod match_play;
pub mod messages;
pub mod opening_book;
pub mod player;
pub mod ratings;
mod record_text;
pub mod recorder;
pub mod records;
pub mod samples;
pub mod spec;
pub mod sprt;
pub mod stats;
pub mod stop;
#[cfg(test)]
mod test_records;
pub mod warden;
