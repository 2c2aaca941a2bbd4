//! Files that are written at one go.

use std::path::Path;

use anyhow::Context;

/// Writes a file beside it first and moves it into place, so that a kill leaves the old one or the new.
///
/// # Errors
/// The system refuses.
pub(super) fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    std::fs::write(&part, contents)
        .and_then(|()| std::fs::rename(&part, path))
        .with_context(|| format!("writing {}", path.display()))
}
