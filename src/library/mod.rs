//! A library of positions: what was played in each, how it ended, what the engine and people say of it.
//!
//! All images of a position, turned and mirrored, are one position here, and each rule and board has its own. Who asks
//! sees everything as his board lies.
//!
//! | module | question |
//! |---|---|
//! | `key` | under which name is a position kept, however it lies? |
//! | `entry` | what can be known of a position? |
//! | `shelf` | what do those ask who look positions up? They do not know where a library is kept |
//! | `book` | which of the moves that a library knows is played? |
//! | `own_book` | what does the engine know of the first moves without any library? |
//! | `ranking` | which moves are best in a position, for a book that grows? |
//! | `store`, `rows`, `error` | where is it kept? In a file of SQLite |
//! | `stored_shelf` | how is that file looked up in? |
//! | `import`, `import_files`, `import_sgf` | what comes in from the files of others, all of it or nothing? |
//! | `export`, `forest`, `sgf_facts` | how does a library become trees for other programs? |
//! | `tables` | how does it become lines of JSON or a table, and back? |
//! | `prune` | what hangs on a position and on nothing else? |
//! | `grow` | where should the engine look next, so that a book grows? |
//!
//! Without the feature `library` only the first six are there: then there is nothing to open, but the engine's own book
//! is there.

mod book;
mod entry;
mod key;
mod own_book;
mod ranking;
mod shelf;

#[cfg(feature = "library")]
mod error;
#[cfg(feature = "library")]
mod export;
#[cfg(feature = "library")]
mod forest;
#[cfg(feature = "library")]
mod grow;
#[cfg(feature = "library")]
mod import;
#[cfg(feature = "library")]
mod import_files;
#[cfg(feature = "library")]
mod import_sgf;
#[cfg(feature = "library")]
mod prune;
#[cfg(feature = "library")]
mod rows;
#[cfg(feature = "library")]
mod sgf_facts;
#[cfg(feature = "library")]
mod store;
#[cfg(feature = "library")]
mod stored_shelf;
#[cfg(feature = "library")]
mod tables;

pub use book::{BookMove, BookOptions, book_move};
pub use entry::{Decided, Entry, GameEnd, Mark, MarkKind, Outcome, Played};
pub use key::{Canonical, KeyWalk, NoKey, PositionKey};
pub use own_book::{NoBook, OwnBook, own_book};
pub use ranking::{RankedMove, Ranking};
pub use shelf::{Branch, Page, Shelf, ShelfError};

#[cfg(feature = "library")]
pub use self::{
    error::LibraryError,
    export::{ExportCount, ExportError},
    grow::{Growth, GrowthOptions, GrowthStep},
    import::{GameLine, Import, ImportCount, ImportError, ImportOptions},
    store::{Count, Library, Source},
};
