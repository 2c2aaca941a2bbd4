//! Why a library cannot be read or written.

use std::fmt;
use std::path::PathBuf;

use super::access::AccessError;
use crate::formats::text::{hex, quoted};

/// Why a library cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum LibraryError {
    /// There is no such file.
    Missing(PathBuf),
    /// The file is not a library.
    Foreign(PathBuf),
    /// A version that this program does not know.
    Version(i32),
    /// A row whose key or values are invalid.
    Row(Vec<u8>),
    /// A position with dead cells, which no library keeps.
    DeadCells,
    /// A game with a move off its board or on another stone.
    Moves,
    /// An import was asked to stop.
    Stopped,
    /// An error of the database.
    Store(rusqlite::Error),
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LibraryError::Missing(path) => {
                write!(f, "there is no library {}; `kagetsu library create` makes one", path.display())
            }
            LibraryError::Foreign(path) => write!(f, "{} is not a library of positions", path.display()),
            LibraryError::Version(version) => {
                write!(f, "the library has version {version}, which this program does not know")
            }
            LibraryError::Row(key) => {
                let beginning = hex(&key[..key.len().min(40)]);
                write!(f, "the library has a row that means nothing, with the key {beginning}")
            }
            LibraryError::DeadCells => f.write_str("a library keeps no positions with dead cells"),
            LibraryError::Moves => f.write_str("a game has a move off the board or on another stone"),
            LibraryError::Stopped => f.write_str("the import was asked to stop"),
            LibraryError::Store(error) => {
                write!(f, "the library cannot be used: {}", quoted(&error.to_string()))
            }
        }
    }
}

impl std::error::Error for LibraryError {}

impl From<rusqlite::Error> for LibraryError {
    fn from(error: rusqlite::Error) -> LibraryError {
        LibraryError::Store(error)
    }
}

impl From<LibraryError> for AccessError {
    fn from(error: LibraryError) -> AccessError {
        AccessError(error.to_string())
    }
}
