//! Matches between engines: players, judged games, openings, statistics, records.
//!
//! Games are judged by [`rules::reference`](crate::rules::reference), never by the code under test.
//!
//! | who plays | |
//! |---|---|
//! | [`spec`] | which engine, under which limits |
//! | [`player`] | what a game needs of a player, and how one can fail |
//! | [`internal`], [`external`] | the engine in this process; an engine in a process of its own |
//! | [`process`], `outbox`, `messages` | such a process, what is on its way to it, what it says about its thinking |
//! | [`watchdog`], `descendants` | engines do not outlive the runner, nor what they have started the engines |
//! | [`stop`] | a match can be told to end |
//!
//! | what is played | |
//! |---|---|
//! | [`game`], [`adjudication`], [`outcome`] | one game, when it is ended early, how it ended |
//! | [`opening_book`] | how games begin |
//! | [`match_config`], `schedule`, `introduction` | what is settled before a match |
//! | [`match_play`], `worker`, `heartbeat` | the match itself; time that the runner itself has lost |
//!
//! | what comes of it | |
//! |---|---|
//! | [`records`], [`recorder`], `record_text`, [`samples`] | what is written down; positions out of it |
//! | [`duplicates`] | the same game in several files |
//! | [`standings`], [`stats`], [`sprt`], [`ratings`] | what the results say |

pub mod adjudication;
pub(crate) mod descendants;
pub mod duplicates;
pub mod external;
pub mod game;
mod heartbeat;
pub mod internal;
pub(crate) mod introduction;
pub mod match_config;
pub mod match_play;
mod messages;
pub mod opening_book;
mod outbox;
pub mod outcome;
pub mod player;
pub mod process;
pub mod ratings;
mod record_text;
pub mod recorder;
pub mod records;
pub mod samples;
pub mod schedule;
pub mod spec;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod stop;
#[cfg(test)]
mod test_records;
pub mod watchdog;
mod worker;
