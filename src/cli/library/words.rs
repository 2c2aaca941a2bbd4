//! The wording that the subcommands share.

use std::path::Path;

use crate::board::Size;
use crate::library::{AccessError, ExportError, LibraryError};
use crate::rules::Rule;

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

/// The rules and boards of a library, as in "freestyle 15x15, renju 15x15".
pub(super) fn board_names(boards: &[(Rule, Size)]) -> String {
    let names: Vec<String> = boards.iter().map(|(rule, size)| format!("{rule} {size}")).collect();
    names.join(", ")
}
