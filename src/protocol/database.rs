//! The library of positions that a session has, if any, and what may be done with it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::library::{AccessError, BookOptions, LibraryAccess, own_book};

/// Opens or creates a library.
pub type Opener = fn(&Path) -> Result<Arc<dyn LibraryAccess>, AccessError>;

/// The library that a session has, if any, and what may be done with it.
#[derive(Clone, Default)]
pub struct Database {
    /// The library.
    pub library: Option<Arc<dyn LibraryAccess>>,
    /// Opens a library that the manager names; without it `YXSETDATABASE` is answered by a note.
    pub opener: Option<Opener>,
    /// How moves are chosen from it, if that is wanted.
    pub book: BookOptions,
    /// Whether moves are played from it.
    pub is_used: bool,
    /// Whether moves are played from a library if there is one, and otherwise from the engine's own book, which then
    /// stands in its place.
    pub is_own_book_used: bool,
    /// Whether it must not be changed.
    pub is_read_only: bool,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("library", &self.library)
            .field("book", &self.book)
            .finish_non_exhaustive()
    }
}

impl Database {
    /// The library, or the book that stands in its place.
    pub(super) fn opened(&self) -> Option<Arc<dyn LibraryAccess>> {
        self.library.clone().or_else(|| self.is_own_book_used.then(own_book))
    }

    /// What moves are played from.
    pub(super) fn played_from(&self) -> Option<Arc<dyn LibraryAccess>> {
        self.opened().filter(|_| self.is_used || self.is_own_book_used)
    }

    /// Changes the seed, so that another game can vary where the one before it did not.
    pub(super) fn next_game(&mut self) {
        self.book.seed = self.book.seed.wrapping_add(1);
    }
}
