//! A library that a subcommand creates, and takes away again if nothing comes into it: an empty one under a mistyped
//! name would look like one that is meant.

use std::fs;
use std::path::Path;

use anyhow::anyhow;

use crate::files::beside;
use crate::library::Library;

/// Opens a library, which is created if it does not exist, and does this work on it. A new one that is still empty then
/// is removed, unless another program has opened it meanwhile.
///
/// # Errors
/// Those of the work; the library cannot be opened; a new one stays empty, `because` of this.
pub(super) fn open_or_create(
    path: &Path,
    because: &str,
    work: impl FnOnce(&mut Library) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let is_new = !path.exists();
    let mut library = Library::open_or_create(path)?;
    let mut result = work(&mut library);
    // What another program has begun to write is not seen yet, so it must not have the file open.
    if is_new && is_empty(&library) && library.is_alone() && is_empty(&library) {
        if result.is_ok() {
            result = Err(anyhow!("{because}, so the library {} was not created", path.display()));
        }
        drop(library);
        // On a full disk SQLite leaves its own two files behind as well.
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(beside(path, end));
        }
    }
    result
}

fn is_empty(library: &Library) -> bool {
    let is_unused = library.count().is_ok_and(|count| count.positions == 0);
    is_unused && library.sources().is_ok_and(|sources| sources.is_empty())
}
