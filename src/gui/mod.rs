//! The board in the browser: what its page asks, and how it is answered.
//!
//! The page keeps the game. This module answers questions about positions, and remembers nothing but the engine and
//! what it has learned from lost games.
//! Messages are JSON, each with a number that its answers repeat.
//!
//! | module | question |
//! |---|---|
//! | `message_handler` | what does a message ask for? Quick questions are answered, and the others become jobs |
//! | `page_jobs` | what does the engine or the solver say about a position, given time? |
//! | `openings` | what does the engine decide while an opening is played? |
//! | `fit` | which level fits a person, and how is one asked for? |
//! | `messages` | which frames go to the page? |
//! | `position`, `facts`, `heat` | which position is meant, and what can be said about it at once? |
//! | `files` | how does a game become a file, and a file a game? |
//! | `library` | what does a library know of a position, and what is played from it? |
//! | `small_game` | a game of k in a row, small enough to be solved to the end |
//! | `proofs` | a proof as a tree to click through |
//! | `server` | the page and its messages over HTTP and a WebSocket |
//!
//! No module but `server` knows sockets or threads, so the others can run inside a page as well. No message of a page
//! may cause a panic, so lints deny the ways to panic in the whole folder.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod control;
mod facts;
mod files;
mod fit;
mod heat;
mod library;
mod limits;
mod message_handler;
mod messages;
mod openings;
mod page_jobs;
mod position;
mod proofs;
#[cfg(feature = "gui")]
pub(crate) mod server;
mod small_game;

pub use control::JobControl;
pub use message_handler::{MessageHandler, MessageHandlerOptions, Reaction};
pub use messages::Frame;
pub use page_jobs::PageJob;
