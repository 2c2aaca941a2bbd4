//! The interface to a library for those who look positions up: the protocol, the board in the browser, a book to play
//! from. They do not know where it is stored.

use std::cmp::Reverse;
use std::fmt;

use super::entry::Entry;
use crate::board::{Point, Stones};
use crate::eval::score::Score;
use crate::rules::Rule;

/// Why a library could not answer, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessError(pub String);

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AccessError {}

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
pub struct PositionRecord {
    /// What is known of the position itself; `None` if it is not in the library.
    pub entry: Option<Entry>,
    /// Moves that lead to positions in the library, row by row.
    pub branches: Vec<Branch>,
}

impl PositionRecord {
    /// Puts the moves into the order in which people see them: the most played first, then those with the best value
    /// for the side that plays them. Moves without a value come last.
    pub fn sort_branches(&mut self) {
        self.branches.sort_by_key(|Branch { entry, .. }| {
            let value = entry.value().map_or(Score::MIN, |score| -score);
            (Reverse(entry.played.games), Reverse(value))
        });
    }
}

/// Access to a library, in which positions can be looked up and changed. Marks are in the orientation of the board that
/// is asked about. No library contains positions with dead cells.
pub trait LibraryAccess: fmt::Debug + Send + Sync {
    /// What is known of a position and of those one move later.
    ///
    /// # Errors
    /// The library cannot be read.
    fn position_record(&self, rule: Rule, stones: &Stones) -> Result<PositionRecord, AccessError>;

    /// What is known of a position.
    ///
    /// # Errors
    /// The library cannot be read.
    fn entry(&self, rule: Rule, stones: &Stones) -> Result<Option<Entry>, AccessError>;

    /// Changes what is known of a position. Nobody else can write between reading and writing it.
    ///
    /// # Errors
    /// The library cannot be read or written, or the position has dead cells.
    fn change(
        &self,
        rule: Rule,
        stones: &Stones,
        change: &mut dyn FnMut(&mut Entry),
    ) -> Result<(), AccessError>;

    /// Removes a position; returns whether it was there.
    ///
    /// # Errors
    /// The library cannot be written.
    fn remove(&self, rule: Rule, stones: &Stones) -> Result<bool, AccessError>;

    /// Removes the positions after this one and returns how many. This one stays, and so do positions that another
    /// position of the library also leads to, and what comes after these.
    ///
    /// # Errors
    /// The library cannot be written.
    fn remove_after(&self, rule: Rule, stones: &Stones) -> Result<u64, AccessError>;

    /// Checks the whole library, which takes its time. Returns what is wrong with it; nothing is wrong if the list is
    /// empty.
    ///
    /// # Errors
    /// The library cannot even be read.
    fn check(&self) -> Result<Vec<String>, AccessError>;

    /// Imports a RenLib library, all or nothing; returns how many positions it contained.
    ///
    /// # Errors
    /// Bytes that are not such a library, with their offset; the library cannot be written.
    fn add_renlib(&self, rule: Rule, bytes: &[u8]) -> Result<u64, AccessError>;
}

#[cfg(test)]
mod tests {
    use super::super::entry::Played;
    use super::*;

    #[test]
    fn moves_are_shown_the_most_played_first() {
        let branch = |(x, (games, score))| Branch {
            point: Point::new(x, 0),
            entry: Entry { played: Played { games, ..Played::default() }, score, ..Entry::default() },
        };
        // The scores are those of the side that answers.
        let known = [(1, None), (1, Some(30)), (9, Some(30)), (1, Some(-30))];
        let branches = known.into_iter().enumerate().map(branch).collect();
        let mut record = PositionRecord { entry: None, branches };
        record.sort_branches();
        let columns: Vec<usize> = record.branches.iter().map(|branch| branch.point.x()).collect();
        assert_eq!(columns, [2, 3, 1, 0]);
    }
}
