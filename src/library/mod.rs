//! A library of positions: what was played in each, how it ended, and what the engine and people say about it.
//!
//! All turned and mirrored images of a position count as one position, separately for each rule and board. Callers see
//! everything in the orientation of their own board.
//!
//! | module | question |
//! |---|---|
//! | `key` | under which key is a position stored, whatever its orientation? |
//! | `entry` | what can be known of a position? |
//! | `access` | how do callers look positions up, without knowing where a library is stored? |
//! | `book` | which of the moves that a library knows is played? |
//! | `own_book` | what does the engine know of the first moves without any library? |
//! | `ranking` | which moves are best in a position, for a book that grows? |
//! | `store`, `rows`, `error` | where is it stored? In an SQLite file |
//! | `file_access` | how are positions looked up in that file? |
//! | `import`, `import_files`, `import_sgf` | what is imported from the files of others, all or nothing? |
//! | `sgf_result` | how did a game end, as people and programs write it? |
//! | `export`, `forest`, `sgf_facts` | how does a library become trees for other programs? |
//! | `tables` | how does it become lines of JSON or a table, and back? |
//! | `prune` | which positions does only this one lead to? |
//! | `grow` | where should the engine look next, so that a book grows? |
//!
//! Without the feature `library` only the first six exist: no library can be opened then, but the engine's own book is
//! available.

mod access;
mod book;
mod entry;
mod key;
mod own_book;
mod ranking;

#[cfg(feature = "library")]
mod error;
#[cfg(feature = "library")]
mod export;
#[cfg(feature = "library")]
mod file_access;
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
mod sgf_result;
#[cfg(feature = "library")]
mod store;
#[cfg(feature = "library")]
mod tables;

pub use access::{AccessError, Branch, LibraryAccess, PositionRecord};
pub use book::{BookMove, BookOptions, book_move};
pub(crate) use entry::MOST_PLIES;
pub use entry::{Decided, Entry, GameEnd, LONGEST_COMMENT, Mark, MarkKind, Outcome, Played};
pub use key::{Canonical, KeyWalk, NoKey, PositionKey};
pub use own_book::{NoBook, OwnBook, own_book};
pub use ranking::{RankedMove, Ranking};

#[cfg(feature = "library")]
pub use self::{
    error::LibraryError,
    export::{ExportCount, ExportError},
    grow::{Growth, GrowthOptions, GrowthStep},
    import::{GameLine, Import, ImportCount, ImportError, ImportOptions},
    store::{Count, Library, Source},
};
