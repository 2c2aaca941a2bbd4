//! What the subcommands say alike.

use std::path::Path;

use crate::library::{LibraryError, ShelfError};

/// `1 file`, `2 files`.
pub(super) fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The same error with the name of the library where it has none: what the database says does not name the file.
pub(crate) fn naming(library: &Path, error: anyhow::Error) -> anyhow::Error {
    let of_library = error.downcast_ref::<LibraryError>();
    let is_nameless =
        matches!(of_library, Some(LibraryError::Version(_) | LibraryError::Row(_) | LibraryError::Store(_)));
    match is_nameless || error.is::<ShelfError>() {
        true => error.context(library.display().to_string()),
        false => error,
    }
}
