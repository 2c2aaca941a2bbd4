//! Readers and writers for every format in which positions, games and openings are stored.
//!
//! | module | format |
//! |---|---|
//! | [`moves`] | lists of moves: `h8 i9`, `h8i9`, `7,7 8,8` |
//! | [`offset`] | openings as steps from the middle: `0,0, 1,-1` |
//! | [`picture`] | boards drawn with `.`, `X`, `O` and `#` |
//! | [`sgf`] | games with variations and comments, as viewers keep them |
//! | [`psq`] | a game as Piskvork saves it |
//! | [`pgn`] | results of games for programs that compute ratings, with or without the moves |
//! | [`renlib`] | move trees of RenLib (`.lib`), a binary format |
//! | [`yxdb`] | position databases of Yixin and Rapfi, a binary format |
//! | [`samples`] | positions and games for training, as c-gomoku-cli writes them |
//! | [`any`] | a position whose format is recognised from its text |
//! | `game_text` | a [`Game`](crate::Game) with its rule, read from and written to the text formats |
//! | `library_file` | how the file of a library begins |
//! | `encoding` | the encoding of a text that names none, guessed; with the feature `library` |
//! | [`opening_file`] | a file of openings in any of the usual formats |
//!
//! | a game as | is read by | written by |
//! |---|---|---|
//! | SGF | [`Game::read`](crate::Game::read), [`Game::read_on`](crate::Game::read_on) | [`Game::to_sgf`](crate::Game::to_sgf) |
//! | PSQ | the same | [`Game::to_psq`](crate::Game::to_psq) |
//! | list of moves | the same | [`Game::to_moves`](crate::Game::to_moves) |
//! | picture, of a position | the same | [`Game::to_picture`](crate::Game::to_picture) |
//! | offset notation | [`Game::from_offset`](crate::Game::from_offset), because it looks like a list of moves | [`Game::to_offset`](crate::Game::to_offset) |
//! | PGN | the same, and [`Game::from_pgn`](crate::Game::from_pgn) | [`Game::to_pgn`](crate::Game::to_pgn) without moves, [`Game::to_pgn_with_moves`](crate::Game::to_pgn_with_moves) |
//!
//! RenLib files hold trees and YXDB files hold positions. Neither holds a game; a library of positions imports both.
//!
//! [`point_names`] converts between points and their names. [`text`] decodes the bytes of a file and makes text safe to
//! print on a terminal. [`duration`] reads times as people write them. `error` describes a mistake in a text and its
//! place; `binary` does the same for the binary formats.
//!
//! Readers accept any input: they return what they read or a [`FormatError`] (a [`BinaryError`] for the binary
//! formats), and never panic. Whatever a writer writes, the reader beside it reads back as the same thing. Only names
//! and comments may change: control characters in them are written as escapes or left out, and so are blanks around a
//! name. The formats know board sizes and the names of rules, but do not apply the rules: only `game_text` plays the
//! moves and checks whether they are allowed.

pub mod any;
pub(crate) mod binary;
mod cursor;
pub mod duration;
#[cfg(feature = "library")]
pub mod encoding;
pub(crate) mod error;
mod game_text;
pub(crate) mod library_file;
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
pub use error::{Foreign, FormatError, Mistake, Place};
pub use game_text::GameTextError;
#[cfg(test)]
mod test_reader;
