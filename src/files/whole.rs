//! Writes files either completely or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;

use super::beside::beside;

/// Writes a temporary file beside `path` and renames it, so that a kill leaves the old file or the new one. A path that
/// is not a regular file, such as /dev/null, a pipe or a link, is written to directly and stays what it is.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    write_whole_by(path, |file| Ok(file.write_all(contents.as_ref())?))
}

/// Like [`write_whole`], for results of hours of work: the new file is on the disk before it replaces the old one, so
/// that a power failure leaves one of them too.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write_whole_to_disk(path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    write_through(path, |file| Ok(file.write_all(contents.as_ref())?), File::sync_all)?;
    // This puts the new name on the disk as well. Only Unix can open folders, and some file systems refuse even there.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Like [`write_whole`], for contents that come piece by piece; returns what `write` returns.
///
/// # Errors
/// The file cannot be written, or `write` fails; then nothing is left behind.
pub(crate) fn write_whole_by<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    write_through(path, write, |_| Ok(()))
}

/// Like [`write_whole_by`]; `settle` is applied to the written file before it is renamed.
fn write_through<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    settle: impl Fn(&File) -> io::Result<()>,
) -> anyhow::Result<T> {
    let is_other = path.symlink_metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    let through = |to: &Path| -> anyhow::Result<(T, File)> {
        let mut file = BufWriter::new(File::create(to)?);
        let said = write(&mut file)?;
        Ok((said, file.into_inner()?))
    };
    let written = if is_other {
        // There is nothing to settle, because this is not a regular file.
        through(path).map(|(said, _)| said)
    } else {
        let part = beside(path, ".part");
        let written = through(&part).and_then(|(said, file)| {
            settle(&file)?;
            drop(file);
            std::fs::rename(&part, path)?;
            Ok(said)
        });
        if written.is_err() {
            // A partial file is of no use to anyone, least of all on a full disk.
            let _ = std::fs::remove_file(&part);
        }
        written
    };
    written.with_context(|| format!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let folder = std::env::temp_dir().join(format!("kagetsu-files-{}", std::process::id()));
        let page = folder.join("page.html");
        // A folder already has this name.
        std::fs::create_dir_all(page.join("in it")).unwrap();
        let error = write_whole(&page, "text").unwrap_err();
        assert!(error.to_string().contains("page.html"), "{error}");
        assert_eq!(folder.read_dir().unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_not_written_to_its_end_leaves_the_old_file() {
        let file = std::env::temp_dir().join(format!("kagetsu-whole-{}", std::process::id()));
        write_whole(&file, "old").unwrap();
        let error = write_whole_by(&file, |file| -> anyhow::Result<()> {
            file.write_all(b"half of it")?;
            anyhow::bail!("no more")
        });
        assert!(format!("{:#}", error.unwrap_err()).ends_with("no more"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "old");
        assert!(!file.with_extension("part").exists());
        assert_eq!(write_whole_by(&file, |file| Ok(file.write(b"new")?)).unwrap(), 3);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        write_whole_to_disk(&file, "newer").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "newer");
        std::fs::remove_file(&file).unwrap();
    }
}
