//! Games as files: `read` and `write`.
//!
//! [`game_tree`] is a game with its variations as it is sent, [`reading`] makes one from any text and [`renlib`] from a
//! library, and [`writing`] turns it into text.

mod game_tree;
mod reading;
mod renlib;
mod writing;

#[cfg(test)]
mod files_tests;

pub(super) use reading::ReadQuestion;
pub(super) use writing::WriteQuestion;
