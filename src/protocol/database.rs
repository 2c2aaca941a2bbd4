//! The library of positions that a session has, if any, and what may be done with it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::library::{BookOptions, Shelf, ShelfError, own_book};

/// Opens a library, or makes one.
pub type Opener = fn(&Path) -> Result<Arc<dyn Shelf>, ShelfError>;

/// The library that a session has, if any, and what may be done with it.
#[derive(Clone, Default)]
pub struct Database {
    /// The library.
    pub shelf: Option<Arc<dyn Shelf>>,
    /// How one is opened that the manager names; without it `YXSETDATABASE` is answered by a note.
    pub opener: Option<Opener>,
    /// How moves are played from it, once that is wanted.
    pub book: BookOptions,
    /// Whether moves are played from it.
    pub is_used: bool,
    /// Whether nothing may be changed in it.
    pub is_read_only: bool,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("shelf", &self.shelf)
            .field("book", &self.book)
            .finish_non_exhaustive()
    }
}

impl Database {
    /// Lets moves be played from the engine's own book, or not. A library that is there goes before it.
    pub fn use_own_book(&mut self, is_wanted: bool) {
        self.is_used = is_wanted;
        if is_wanted && self.shelf.is_none() {
            self.shelf = Some(own_book());
        }
    }

    /// Lets another game vary where the one before it did not.
    pub(super) fn next_game(&mut self) {
        self.book.seed = self.book.seed.wrapping_add(1);
    }
}
