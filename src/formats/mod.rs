//! Text: every way in which positions, games and openings are written down, read and written side by side.
//!
//! | module | text |
//! |---|---|
//! | [`moves`] | lists of moves: `h8 i9`, `h8i9`, `7,7 8,8` |
//! | [`offset`] | openings as steps from the middle: `0,0, 1,-1` |
//! | [`picture`] | boards drawn with `.`, `X`, `O` and `#` |
//! | [`sgf`] | games with variations and comments, as viewers keep them |
//! | [`psq`] | a game as Piskvork saves it |
//! | [`pgn`] | results of games for programs that compute ratings, with their moves or without |
//! | [`renlib`] | trees of moves as RenLib keeps them (`.lib`), in bytes |
//! | [`yxdb`] | databases of positions of Yixin and Rapfi, in bytes |
//! | [`samples`] | positions and games to learn from, as c-gomoku-cli writes them |
//! | [`any`] | a position in whichever of these it was written |
//! | `game_text` | a [`Game`](crate::Game) with its rule, from each of these texts and to each of them |
//! | [`opening_file`] | a file of openings in whichever of these it was written |
//!
//! | a game as | is read by | written by |
//! |---|---|---|
//! | SGF | [`Game::read`](crate::Game::read), [`Game::read_on`](crate::Game::read_on) | [`Game::to_sgf`](crate::Game::to_sgf) |
//! | PSQ | the same | [`Game::to_psq`](crate::Game::to_psq) |
//! | list of moves | the same | [`Game::to_moves`](crate::Game::to_moves) |
//! | picture, of a position | the same | [`Game::to_picture`](crate::Game::to_picture) |
//! | offset notation | [`Game::from_offset`](crate::Game::from_offset), for it looks like a list of moves | [`Game::to_offset`](crate::Game::to_offset) |
//! | PGN | [`Game::from_pgn`](crate::Game::from_pgn) | [`Game::to_pgn`](crate::Game::to_pgn) without moves, [`Game::to_pgn_with_moves`](crate::Game::to_pgn_with_moves) |
//!
//! RenLib keeps trees and YXDB keeps positions: neither holds a game, and a library of positions takes both in.
//!
//! [`point_names`] knows how people call points, [`text`] turns the bytes of a file into characters and makes text
//! fit for a terminal, and `error` says what was wrong and where; `binary` does so for what is no text.
//!
//! Readers take anything: they hand back what they read or a [`FormatError`] (of bytes a [`BinaryError`]), and never
//! panic. What a writer writes, the reader beside it reads as the same thing. The formats know boards and the names of
//! rules, but no rule: only `game_text` plays the moves and asks whether they are allowed.

pub mod any;
pub(crate) mod binary;
mod cursor;
pub(crate) mod error;
mod game_text;
pub mod moves;
pub mod offset;
pub mod opening_file;
pub mod pgn;
pub mod picture;
pub mod point_names;
pub mod psq;
pub mod renlib;
pub mod samples;
pub mod sgf;
pub mod text;
pub mod yxdb;

#[cfg(test)]
mod round_trip_tests;

pub use binary::{BinaryError, BinaryMistake, TextDecoder};
pub use error::{FormatError, Mistake, Place};
pub use game_text::GameTextError;
