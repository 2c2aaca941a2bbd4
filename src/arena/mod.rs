//! Matches between engines: players, judged games, openings, statistics, records.
//!
//! Games are judged by [`rules::judge`](crate::rules::judge), never by the code under test.
//!
//! The public API is what this module re-exports: [`run_match`] plays a match, [`play_game`] a single game.
//!
//! | who plays | |
//! |---|---|
//! | `spec` | which engine, under which limits |
//! | `command_files`, `identity` | the files that its command names; whether it is still the same player |
//! | `player` | what a game needs from a player, and how a player can fail |
//! | `internal`, `external` | the built-in engine in this process; an engine in a child process |
//! | `process`, `outbox`, `messages` | the child process, commands queued for it, search data in its messages |
//! | `watchdog`, `descendants` | engines end with the runner, and what an engine has started ends with the engine |
//! | `stop` | how a running match is told to end |
//!
//! | what is played | |
//! |---|---|
//! | `game`, `adjudication`, `outcome` | one game, when it is ended early, and how it ended |
//! | `opening_book` | how games begin |
//! | `match_config`, `schedule`, `introduction` | what is settled before a match |
//! | `match_play`, `worker`, `heartbeat` | the match itself; time lost because the runner stood still |
//!
//! | what it produces | |
//! |---|---|
//! | `records`, `recorder`, `record_formats`, `samples` | records, their export formats, training samples from them |
//! | `duplicates` | games that occur in several files |
//! | `standings`, `stats`, `sprt`, `ratings`, `json_figures` | the results, their statistics, and both as JSON |

pub(crate) mod adjudication;
pub(crate) mod command_files;
pub(crate) mod descendants;
pub(crate) mod duplicates;
pub(crate) mod external;
pub(crate) mod game;
mod heartbeat;
pub(crate) mod identity;
pub(crate) mod internal;
pub(crate) mod introduction;
pub(crate) mod json_figures;
pub(crate) mod match_config;
pub(crate) mod match_play;
mod messages;
pub(crate) mod opening_book;
mod outbox;
pub(crate) mod outcome;
pub(crate) mod player;
pub(crate) mod process;
pub(crate) mod ratings;
mod record_formats;
pub(crate) mod recorder;
pub(crate) mod records;
pub(crate) mod samples;
pub(crate) mod schedule;
pub(crate) mod spec;
pub(crate) mod sprt;
pub(crate) mod standings;
pub(crate) mod stats;
pub(crate) mod stop;
#[cfg(test)]
pub(crate) mod test_records;
pub(crate) mod watchdog;
mod worker;

pub use adjudication::Adjudication;
pub use external::External;
pub use game::{GameSetup, PlayedGame, PlayedMove, Seat, play as play_game};
pub use identity::Identity;
pub use match_config::MatchConfig;
pub use match_play::{Event, MatchSummary, run as run_match};
pub use opening_book::Book;
pub use outcome::{GameResult, Reason};
pub use player::{Fault, NoMove, OpeningReply, Player, Thinking};
pub use process::MatchContext;
pub use recorder::Copies;
pub use records::{GAMES_FILE, GameRecord, MatchHeader, MoveRecord, Records};
pub use spec::{EngineSpec, make_names_unique};
pub use sprt::{Sprt, SprtVerdict};
pub use standings::Standings;
pub use stats::{Elo, Tally};
pub use stop::Stop;
pub use watchdog::{Watchdog, start as start_watchdog};
