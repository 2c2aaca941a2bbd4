//! The wording that the subcommands share.

use std::path::Path;

use crate::library::{AccessError, ExportError, LibraryError};

/// Adds the name of the library to an error that lacks it: the errors of the database do not name the file.
pub(crate) fn naming(library: &Path, error: anyhow::Error) -> anyhow::Error {
    let of_library: Option<&LibraryError> = error.downcast_ref().or(match error.downcast_ref() {
        Some(ExportError::Library(error)) => Some(error),
        _ => None,
    });
    let is_nameless =
        matches!(of_library, Some(LibraryError::Version(_) | LibraryError::Row(_) | LibraryError::Store(_)));
    match is_nameless || error.is::<AccessError>() {
        true => error.context(library.display().to_string()),
        false => error,
    }
}
