//! The engine's own book: what it found out about the first moves under each rule on boards of 15x15 and 20x20. Every
//! build contains it, even one without SQLite.
//!
//! After [`MAGIC`], `own_book.bin` holds the positions in the order of their keys. Each has four parts:
//!
//! | bytes | hold |
//! |---|---|
//! | 1 | how many bytes the key shares with the beginning of the key before |
//! | 1 | how many further bytes the key has |
//! | as said | these bytes |
//! | 3 | the score for the side to move, little-endian, and the depth in plies |
//!
//! `own_book.md` beside it says how it was made. `kagetsu library export --format book` writes such a file.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::access::{AccessError, Branch, LibraryAccess, PositionRecord};
use super::entry::Entry;
use super::key::{Canonical, KeyWalk, PositionKey};
use crate::board::{Stones, Symmetry};
#[cfg(any(feature = "library", test))]
use crate::eval::score::Score;
use crate::rules::Rule;

/// The first bytes of a book file.
pub(crate) const MAGIC: [u8; 8] = *b"KGTBOOK1";

/// What a book knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BookEntry {
    score: i16,
    depth: u8,
}

/// A book in memory that cannot be changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnBook(HashMap<PositionKey, BookEntry>);

/// The bytes are not a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoBook;

impl OwnBook {
    /// Reads a file in this format.
    ///
    /// # Errors
    /// A wrong beginning, keys that are invalid or not in order, or an end in the middle. Whether a key is the least of
    /// its images is not checked.
    pub fn from_bytes(bytes: &[u8]) -> Result<OwnBook, NoBook> {
        let mut rest = bytes.strip_prefix(&MAGIC).ok_or(NoBook)?;
        let mut positions = HashMap::new();
        let mut key: Vec<u8> = Vec::new();
        while let Some((&[shared, more], after)) = rest.split_first_chunk::<2>() {
            let (own, after) = after.split_at_checked(more.into()).ok_or(NoBook)?;
            let (&[low, high, depth], after) = after.split_first_chunk::<3>().ok_or(NoBook)?;
            let beginning = key.get(..usize::from(shared)).ok_or(NoBook)?;
            let next = [beginning, own].concat();
            if next <= key {
                return Err(NoBook);
            }
            key = next;
            let position = PositionKey::from_bytes(&key).map_err(|_| NoBook)?;
            positions.insert(position, BookEntry { score: i16::from_le_bytes([low, high]), depth });
            rest = after;
        }
        if rest.is_empty() { Ok(OwnBook(positions)) } else { Err(NoBook) }
    }

    /// How many positions it knows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it knows none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn entry_of(&self, Canonical { key, symmetry }: &Canonical, stones: &Stones) -> Option<Entry> {
        let BookEntry { score, depth } = *self.0.get(key)?;
        let entry = Entry { score: Some(score.into()), depth: Some(depth.into()), ..Entry::default() };
        Some(entry.turned(Symmetry::inverse(*symmetry), stones.size()))
    }
}

/// The book of this build, read when it is first used.
#[must_use]
pub fn own_book() -> Arc<dyn LibraryAccess> {
    static BOOK: OnceLock<Arc<OwnBook>> = OnceLock::new();
    let read = || OwnBook::from_bytes(include_bytes!("own_book.bin")).expect("the build contains a book");
    BOOK.get_or_init(|| Arc::new(read())).clone()
}

/// The error for attempts to change the book.
fn unchangeable() -> AccessError {
    AccessError("the engine's own book cannot be changed; a library of your own can".to_owned())
}

impl LibraryAccess for OwnBook {
    fn position_record(&self, rule: Rule, stones: &Stones) -> Result<PositionRecord, AccessError> {
        let entry = self.entry(rule, stones)?;
        let mut branches = Vec::new();
        // Most positions of a game are far from any book, and so are those after them.
        if entry.is_some() {
            branches.extend(KeyWalk::all_after(rule, stones).filter_map(|(point, after)| {
                let entry = self.entry_of(&after, stones)?;
                Some(Branch { point, entry })
            }));
        }
        Ok(PositionRecord { entry, branches })
    }

    fn entry(&self, rule: Rule, stones: &Stones) -> Result<Option<Entry>, AccessError> {
        Ok(PositionKey::of(rule, stones).and_then(|canonical| self.entry_of(&canonical, stones)))
    }

    fn change(&self, _: Rule, _: &Stones, _: &mut dyn FnMut(&mut Entry)) -> Result<(), AccessError> {
        Err(unchangeable())
    }

    fn remove(&self, _: Rule, _: &Stones) -> Result<bool, AccessError> {
        Err(unchangeable())
    }

    fn remove_after(&self, _: Rule, _: &Stones) -> Result<u64, AccessError> {
        Err(unchangeable())
    }

    fn check(&self) -> Result<Vec<String>, AccessError> {
        // All of it was checked when it was read.
        Ok(Vec::new())
    }

    fn add_renlib(&self, _: Rule, _: &[u8]) -> Result<u64, AccessError> {
        Err(unchangeable())
    }
}

/// The bytes of a book file with these positions, which must be in the order of their keys.
#[cfg(any(feature = "library", test))]
fn to_bytes<'a>(positions: impl Iterator<Item = (&'a PositionKey, Score, u32)>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let mut before: &[u8] = &[];
    for (key, score, depth) in positions {
        let key = key.as_bytes();
        let shared = key.iter().zip(before).take_while(|(a, b)| a == b).count().min(u8::MAX.into());
        // A longer key has hundreds of stones, and no book is asked for such positions.
        let Ok(more) = u8::try_from(key.len() - shared) else { continue };
        bytes.extend([shared as u8, more]);
        bytes.extend(&key[shared..]);
        bytes.extend((score.clamp(i16::MIN.into(), i16::MAX.into()) as i16).to_le_bytes());
        bytes.push(depth.min(u8::MAX.into()) as u8);
        before = key;
    }
    bytes
}

#[cfg(feature = "library")]
impl super::store::Library {
    /// Writes the positions that the engine has searched, or has a score for, as a book that a build can contain.
    ///
    /// # Errors
    /// The library cannot be read, or the writer fails.
    pub fn write_book(
        &self,
        out: &mut dyn std::io::Write,
        is_wanted: impl Fn(&PositionKey) -> bool,
    ) -> Result<super::export::ExportCount, super::export::ExportError> {
        let mut positions: Vec<(PositionKey, Score, u32)> = Vec::new();
        self.for_each(|key, entry| {
            if let (true, Some(score)) = (is_wanted(&key), entry.value()) {
                positions.push((key, score, entry.depth.unwrap_or(0)));
            }
            Ok::<(), super::error::LibraryError>(())
        })?;
        out.write_all(&to_bytes(positions.iter().map(|(key, score, depth)| (key, *score, *depth))))?;
        let positions = positions.len() as u64;
        Ok(super::export::ExportCount { positions, ..Default::default() })
    }
}

#[cfg(test)]
#[path = "own_book_tests.rs"]
mod tests;
