//! Implements [`Shelf`] for a library in its file.

use super::entry::Entry;
use super::error::LibraryError;
use super::import::{Import, ImportOptions};
use super::key::{Canonical, PositionKey};
use super::rows::delete;
use super::shelf::{Page, Shelf, ShelfError};
use super::store::Library;
use crate::board::Stones;
use crate::rules::Rule;

impl Shelf for Library {
    fn page(&self, rule: Rule, stones: &Stones) -> Result<Page, ShelfError> {
        Ok(self.look_up(rule, stones)?)
    }

    fn entry(&self, rule: Rule, stones: &Stones) -> Result<Option<Entry>, ShelfError> {
        let Some(Canonical { key, symmetry }) = PositionKey::of(rule, stones) else { return Ok(None) };
        Ok(self.get(&key)?.map(|entry| entry.turned(symmetry.inverse(), stones.size())))
    }

    fn put(&self, rule: Rule, stones: &Stones, entry: &Entry) -> Result<(), ShelfError> {
        let found = PositionKey::of(rule, stones).ok_or(LibraryError::DeadCells)?;
        let entry = entry.clone().turned(found.symmetry, stones.size());
        Ok(self.put_all([(&found.key, &entry)])?)
    }

    fn remove(&self, rule: Rule, stones: &Stones) -> Result<bool, ShelfError> {
        let Some(found) = PositionKey::of(rule, stones) else { return Ok(false) };
        Ok(self.locked(|connection| delete(connection, &found.key))?)
    }

    fn remove_after(&self, rule: Rule, stones: &Stones) -> Result<u64, ShelfError> {
        let Some(found) = PositionKey::of(rule, stones) else { return Ok(0) };
        Ok(self.locked(|connection| super::prune::remove_after(connection, &found.key))?)
    }

    fn check(&self) -> Result<Vec<String>, ShelfError> {
        Ok(Library::check(self)?)
    }

    fn add_renlib(&self, rule: Rule, bytes: &[u8]) -> Result<u64, ShelfError> {
        self.locked(|connection| {
            let mut import = Import::begin(connection, ImportOptions { rule, ..ImportOptions::default() })?;
            import.add_renlib(bytes).map_err(|error| ShelfError(error.to_string()))?;
            Ok(import.commit()?.positions)
        })
    }
}
