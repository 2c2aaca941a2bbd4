//! The files that a match leaves in its folder. Only its record is imported, since the others hold the same games.

use std::path::Path;

use super::input::InputFormat;
use crate::arena::recorder::{PGN_FILE, PSQ_FOLDER, SGF_FILE};
use crate::arena::records::GAMES_FILE;

/// Whether a file has the name of a record; what it holds decides whether it is one.
pub(super) fn may_be_record(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == GAMES_FILE)
}

/// Whether a file with these first bytes is the record of a match in its folder.
pub(super) fn is_record(path: &Path, begin: &[u8]) -> bool {
    may_be_record(path) && InputFormat::of(path, begin) == Some(InputFormat::Match)
}

/// Whether the match whose record is in this folder has written the file or folder as well.
pub(super) fn is_copy(folder: &Path, path: &Path) -> bool {
    path.strip_prefix(folder).is_ok_and(|inside| {
        inside == Path::new(SGF_FILE) || inside == Path::new(PGN_FILE) || inside.starts_with(PSQ_FOLDER)
    })
}
