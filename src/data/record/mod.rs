//! The file format of training records: the layout of a shard of games in bytes. This module does not access files.
//!
//! All numbers are little-endian. A [`Shard`] is a [`Header`] followed by [games](TrainingGame), which are numbered
//! without a gap:
//!
//! ```text
//! header   8  magic "KGTREC\r\n"            game   4  CRC-32 of the rest of the game
//!          2  version                              4  number of the game, counted over all shards of the seed
//!          2  bytes of the settings                2  moves
//!          8  seed                                 1  rule, as its Gomocup number
//!          4  number of the shard, from 0          2  columns, rows
//!          4  games in a full shard                1  moves of the opening
//!          4  nodes a move                         1  winner: 0 nobody, 1 Black, 2 White
//!          8  signature of the engine              1  how it ended, see Ending
//!          .  settings, UTF-8                    4 n  the moves, see below
//!          4  CRC-32 of all before
//!
//! move     5 bits column, 5 bits row, 6 bits flags (1 opening, 2 random, 4 forced, 8 searched, 16 decided,
//!          32 is free), 16 bits score for the side that moves
//! ```
//!
//! A file may end anywhere, and any byte may be wrong: what comes before the damage is read, and the rest is reported.

mod bytes;
pub mod game;
pub mod header;
pub mod moves;
pub mod shard;

#[cfg(test)]
#[path = "record_tests.rs"]
pub(crate) mod tests;

pub use game::{Ending, TrainingGame};
pub use header::Header;
pub use moves::{Origin, TrainingMove};
pub use shard::{Rest, Shard};
