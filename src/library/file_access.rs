//! Implements [`LibraryAccess`] for a library in its file.

use super::access::{AccessError, LibraryAccess, PositionRecord};
use super::entry::Entry;
use super::error::LibraryError;
use super::import::{Import, ImportOptions};
use super::key::{Canonical, PositionKey};
use super::rows::{delete, get, write_row};
use super::store::Library;
use crate::board::Stones;
use crate::rules::Rule;

impl Library {
    /// Changes what is known of a position, in the orientation of the board. Nobody else can write between reading and
    /// writing it.
    ///
    /// # Errors
    /// Those of `change`; the library cannot be read or written, or the position has dead cells.
    pub fn change<E: From<LibraryError>>(
        &self,
        rule: Rule,
        stones: &Stones,
        change: impl FnOnce(&mut Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        let Canonical { key, symmetry } = PositionKey::of(rule, stones).ok_or(LibraryError::DeadCells)?;
        let size = stones.size();
        self.in_transaction(|connection| {
            let mut entry = get(connection, &key)?.unwrap_or_default().turned(symmetry.inverse(), size);
            change(&mut entry)?;
            Ok(write_row(connection, &key, &entry.turned(symmetry, size))?)
        })
    }
}

#[cfg(test)]
impl Library {
    /// Replaces what is known of a position.
    pub(crate) fn put(&self, rule: Rule, stones: &Stones, entry: &Entry) -> Result<(), LibraryError> {
        self.change(rule, stones, |known| {
            *known = entry.clone();
            Ok(())
        })
    }
}

impl LibraryAccess for Library {
    fn position_record(&self, rule: Rule, stones: &Stones) -> Result<PositionRecord, AccessError> {
        Ok(self.look_up(rule, stones)?)
    }

    fn entry(&self, rule: Rule, stones: &Stones) -> Result<Option<Entry>, AccessError> {
        let Some(Canonical { key, symmetry }) = PositionKey::of(rule, stones) else { return Ok(None) };
        Ok(self.get(&key)?.map(|entry| entry.turned(symmetry.inverse(), stones.size())))
    }

    fn change(
        &self,
        rule: Rule,
        stones: &Stones,
        change: &mut dyn FnMut(&mut Entry),
    ) -> Result<(), AccessError> {
        let done: Result<(), LibraryError> = Library::change(self, rule, stones, |entry| {
            change(entry);
            Ok(())
        });
        Ok(done?)
    }

    fn remove(&self, rule: Rule, stones: &Stones) -> Result<bool, AccessError> {
        let Some(found) = PositionKey::of(rule, stones) else { return Ok(false) };
        Ok(self.locked(|connection| delete(connection, &found.key))?)
    }

    fn remove_after(&self, rule: Rule, stones: &Stones) -> Result<u64, AccessError> {
        let Some(found) = PositionKey::of(rule, stones) else { return Ok(0) };
        Ok(self.locked(|connection| super::prune::remove_after(connection, &found.key))?)
    }

    fn check(&self) -> Result<Vec<String>, AccessError> {
        Ok(Library::check(self)?)
    }

    fn add_renlib(&self, rule: Rule, bytes: &[u8]) -> Result<u64, AccessError> {
        self.locked(|connection| {
            let mut import = Import::begin(connection, ImportOptions { rule, ..ImportOptions::default() })?;
            import.add_renlib(bytes).map_err(|error| AccessError(error.to_string()))?;
            Ok(import.commit()?.positions)
        })
    }
}
