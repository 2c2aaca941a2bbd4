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

/// What a library with these rules and boards has instead of this rule and this board, as in "nothing of renju 15x15,
/// but of freestyle 15x15: see --rule and --size". `None` if it has them.
pub(super) fn nothing_of(boards: &[(Rule, Size)], rule: Option<Rule>, size: Option<Size>) -> Option<String> {
    let is_wanted = |&(one, board): &(Rule, Size)| {
        rule.is_none_or(|rule| rule == one) && size.is_none_or(|size| size == board)
    };
    if boards.iter().any(is_wanted) {
        return None;
    }
    let wanted = [rule.map(|rule| rule.to_string()), size.map(|size| size.to_string())];
    let wanted = wanted.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let others = board_names(boards);
    Some(match boards {
        [] => "no positions".to_owned(),
        _ => format!("nothing of {wanted}, but of {others}: see --rule and --size"),
    })
}
