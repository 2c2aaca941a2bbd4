//! A library as those use it who look positions up: the protocol, the board in the browser, a book to play from. They do
//! not know where it is kept.

use std::fmt;

use super::entry::Entry;
use crate::board::{Point, Stones};
use crate::rules::Rule;

/// Why a library could not answer, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfError(pub String);

impl fmt::Display for ShelfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ShelfError {}

/// A move that leads to a position in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Where the stone goes.
    pub point: Point,
    /// What is known of the position after it.
    pub entry: Entry,
}

/// A position and its moves, as a library knows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// What is known of the position itself; `None` if it is not in the library.
    pub entry: Option<Entry>,
    /// Moves that lead to positions in the library, row by row.
    pub branches: Vec<Branch>,
}

/// A library in which positions can be looked up and changed. Marks lie as the board of the question does. A position
/// with dead cells is in no library.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// What is known of a position and of those one move later.
    ///
    /// # Errors
    /// The library cannot be read.
    fn page(&self, rule: Rule, stones: &Stones) -> Result<Page, ShelfError>;

    /// What is known of a position.
    ///
    /// # Errors
    /// The library cannot be read.
    fn entry(&self, rule: Rule, stones: &Stones) -> Result<Option<Entry>, ShelfError>;

    /// Puts this in the place of what was known of a position.
    ///
    /// # Errors
    /// The library cannot be written, or the position has dead cells.
    fn put(&self, rule: Rule, stones: &Stones, entry: &Entry) -> Result<(), ShelfError>;

    /// Forgets a position; whether it was there.
    ///
    /// # Errors
    /// The library cannot be written.
    fn remove(&self, rule: Rule, stones: &Stones) -> Result<bool, ShelfError>;

    /// Forgets the positions after this one, which stays, but for those that another position of the library leads to as
    /// well, and what comes after these; how many that were.
    ///
    /// # Errors
    /// The library cannot be written.
    fn remove_after(&self, rule: Rule, stones: &Stones) -> Result<u64, ShelfError>;

    /// What is wrong with the library: nothing if nothing is said. Looks at all of it, which takes its time.
    ///
    /// # Errors
    /// The library cannot even be read.
    fn check(&self) -> Result<Vec<String>, ShelfError>;

    /// Takes a library of RenLib in, all of it or nothing; how many positions it told of.
    ///
    /// # Errors
    /// Bytes that are no such library, with their offset; the library cannot be written.
    fn add_renlib(&self, rule: Rule, bytes: &[u8]) -> Result<u64, ShelfError>;
}
