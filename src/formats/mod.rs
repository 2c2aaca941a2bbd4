//! Text: every way in which positions, games and openings are written down, read and written side by side.
//!
//! | module | text |
//! |---|---|
//! | [`moves`] | lists of moves: `h8 i9`, `h8i9`, `7,7 8,8` |
//! | [`offset`] | openings as steps from the middle: `0,0, 1,-1` |
//! | [`picture`] | boards drawn with `.`, `X`, `O` and `#` |
//! | [`sgf`] | games with variations and comments, as viewers keep them |
//! | [`psq`] | a game as Piskvork saves it |
//! | [`pgn`] | results of games for programs that compute ratings |
//! | [`samples`] | positions and games to learn from, as c-gomoku-cli writes them |
//! | [`any`] | a position in whichever of these it was written |
//! | [`opening_file`] | a file of openings in whichever of these it was written |
//!
//! [`point_names`] knows how people call points, [`text`] turns the bytes of a file into characters and makes text
//! fit for a terminal, and [`error`] says what was wrong and where.
//!
//! Readers take any text: they hand back what they read or a [`FormatError`], and never panic. What a writer writes,
//! the reader beside it reads as the same thing. The formats know boards and the names of rules, but no rule: whether
//! a move is allowed, and who has won, is for others to say.

pub mod any;
mod cursor;
pub mod error;
pub mod moves;
pub mod offset;
pub mod opening_file;
pub mod pgn;
pub mod picture;
pub mod point_names;
pub mod psq;
pub mod samples;
pub mod sgf;
pub mod text;

#[cfg(test)]
mod round_trip_tests;

pub use error::{FormatError, Mistake, Place};
