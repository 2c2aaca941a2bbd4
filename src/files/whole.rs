//! Writes files either completely or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::beside::beside;

/// Writes a temporary file beside `path` and renames it, so that a kill leaves the old file or the new one. A symbolic
/// link stays, and the file to which it leads is replaced in this way.
///
/// What is not a regular file, such as /dev/null or a pipe, is written to directly and stays what it is. So is a link
/// that leads to nothing yet, or that leads out of /dev or /proc.
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
    if let Some(folder) = path.canonicalize().ok().as_deref().and_then(Path::parent) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
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

/// Like [`write_whole_by`]; `settle` is applied to a written regular file, before it is renamed.
fn write_through<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    settle: impl Fn(&File) -> io::Result<()>,
) -> anyhow::Result<T> {
    let through = |to: &Path| -> anyhow::Result<T> {
        let mut file = BufWriter::new(File::create(to)?);
        let said = write(&mut file)?;
        let file = file.into_inner()?;
        // A pipe has nothing to settle, and refuses to.
        if file.metadata()?.is_file() {
            settle(&file)?;
        }
        Ok(said)
    };
    let written = if let Some(target) = replaceable(path) {
        let part = beside(&target, ".part");
        let written = through(&part).and_then(|said| {
            std::fs::rename(&part, &target)?;
            Ok(said)
        });
        if written.is_err() {
            // A partial file is of no use to anyone, least of all on a full disk.
            let _ = std::fs::remove_file(&part);
        }
        written
    } else {
        through(path)
    };
    written.with_context(|| format!("writing {}", path.display()))
}

/// The file that a new one can replace, after following a link; `None` if the path must be written to directly. A
/// folder counts as a file here: replacing it fails, as it should.
fn replaceable(path: &Path) -> Option<PathBuf> {
    let target = if !path.is_symlink() {
        path.to_owned()
    } else if path.starts_with("/dev") || path.starts_with("/proc") {
        // /dev/stdout leads to a file that is open already. What else is written there would go to the old file.
        return None;
    } else {
        path.canonicalize().ok()?
    };
    let is_other = target.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    (!is_other).then_some(target)
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

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_written_completely_or_not_at_all() {
        use std::os::unix::fs::symlink;

        let folder = std::env::temp_dir().join(format!("kagetsu-whole-link-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("far")).unwrap();
        let (link, target) = (folder.join("link"), folder.join("far/file"));
        // Relative to the folder of the link.
        symlink("far/file", &link).unwrap();
        let text = || std::fs::read_to_string(&target).unwrap();
        write_whole_to_disk(&link, "written through a link to nothing").unwrap();
        assert_eq!(text(), "written through a link to nothing");
        write_whole(&link, "old").unwrap();
        let error = write_whole_by(&link, |file| -> anyhow::Result<()> {
            file.write_all(b"half of it")?;
            anyhow::bail!("no more")
        });
        assert!(error.is_err());
        assert_eq!(text(), "old");
        write_whole_to_disk(&link, "new").unwrap();
        assert_eq!(text(), "new");
        assert!(link.is_symlink());
        // Nothing is left beside either of them.
        assert_eq!(folder.read_dir().unwrap().count(), 2);
        assert_eq!(target.parent().unwrap().read_dir().unwrap().count(), 1);

        let device = folder.join("device");
        symlink("/dev/null", &device).unwrap();
        write_whole_to_disk(&device, "nowhere").unwrap();
        let to_folder = folder.join("to folder");
        symlink("far", &to_folder).unwrap();
        assert!(write_whole(&to_folder, "text").is_err());
        assert!(device.is_symlink() && to_folder.is_symlink());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
