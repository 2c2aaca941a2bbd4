//! Writes files either completely or not at all.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anyhow::Context;

use super::beside::beside;
use super::owner::take_after;

/// How the name of a temporary file ends.
const PART: &str = ".part";

/// Writes a temporary file beside `path` and renames it, so that a kill leaves the old file or the new one. A symbolic
/// link stays, and the file to which it leads is replaced in this way. The new file has the permissions of the old one,
/// and its owner where the system allows it. The temporary file has a name of its own, because others may write the
/// same file at the same time: the last one to finish wins. A kill leaves it behind, for people or [`remove_parts_of`].
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
    let through = |file: File| -> anyhow::Result<T> {
        let mut file = BufWriter::new(file);
        let said = write(&mut file)?;
        let file = file.into_inner()?;
        // A pipe has nothing to settle, and refuses to.
        if file.metadata()?.is_file() {
            settle(&file)?;
        }
        Ok(said)
    };
    let written = match replaceable(path) {
        Some(target) => replace(&target, through),
        None => File::create(path).map_err(anyhow::Error::from).and_then(through),
    };
    written.with_context(|| format!("writing {}", path.display()))
}

/// Lets `through` write a new file, and puts it in the place of this one.
fn replace<T>(target: &Path, through: impl FnOnce(File) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let (part, file) = new_part(target)?;
    // Before the contents come, since nobody may read them who could not read the old ones.
    take_after(target, &file);
    let written = through(file).and_then(|said| {
        std::fs::rename(&part, target)?;
        Ok(said)
    });
    if written.is_err() {
        // A partial file is of no use to anyone, least of all on a full disk.
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// Creates a temporary file beside this one.
fn new_part(target: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let (process, number) = (std::process::id(), COUNT.fetch_add(1, Relaxed));
        let part = beside(target, &format!(".{process}-{number}{PART}"));
        match File::options().write(true).create_new(true).open(&part) {
            Ok(file) => return Ok((part, file)),
            // Left behind by a killed process, or in use by one on another machine.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether a file with this name in the same folder is what a kill has left of writing the file `of`.
pub(crate) fn is_part_of(name: &OsStr, of: &str) -> bool {
    let name = name.to_str().and_then(|name| name.strip_prefix(of)?.strip_prefix('.')?.strip_suffix(PART));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.and_then(|name| name.split_once('-'))
        .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Removes what killed processes have left of writing this file. Only for who holds a lock without which nobody writes
/// it. What cannot be removed stays; it does no harm.
pub(crate) fn remove_parts_of(path: &Path) {
    let target = replaceable(path).unwrap_or_else(|| path.to_owned());
    let Some(name) = target.file_name().and_then(OsStr::to_str) else { return };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        if is_part_of(&entry.file_name(), name) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
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
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.html");
        // A folder already has this name.
        std::fs::create_dir_all(page.join("in it")).unwrap();
        let error = write_whole(&page, "text").unwrap_err();
        assert!(error.to_string().contains("page.html"), "{error}");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn what_is_not_written_to_its_end_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write_whole(&file, "old").unwrap();
        let error = write_whole_by(&file, |file| -> anyhow::Result<()> {
            file.write_all(b"half of it")?;
            anyhow::bail!("no more")
        });
        assert!(format!("{:#}", error.unwrap_err()).ends_with("no more"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "old");
        assert_eq!(write_whole_by(&file, |file| Ok(file.write(b"new")?)).unwrap(), 3);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        write_whole_to_disk(&file, "newer").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "newer");
    }

    #[test]
    fn writers_of_one_file_and_files_of_others_are_not_disturbed() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        let (file, other) = (folder.join("out.csv"), folder.join("out.csv.part"));
        std::fs::write(&other, "somebody's").unwrap();
        let inside = |out: &mut dyn Write| {
            out.write_all(b"the ")?;
            write_whole(&file, "the first")?;
            let parts = folder
                .read_dir()?
                .filter(|entry| entry.as_ref().is_ok_and(|entry| is_part_of(&entry.file_name(), "out.csv")));
            assert_eq!(parts.count(), 1);
            Ok(out.write_all(b"second")?)
        };
        write_whole_by(&file, inside).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "the second");
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "somebody's");
        assert_eq!(folder.read_dir().unwrap().count(), 2);

        // What a kill leaves is removed, and nothing else.
        for left in ["out.csv.4711-0.part", "out.csv.a-0.part", "other.csv.4711-0.part"] {
            std::fs::write(folder.join(left), "").unwrap();
        }
        remove_parts_of(&file);
        assert!(!folder.join("out.csv.4711-0.part").exists());
        assert_eq!(folder.read_dir().unwrap().count(), 4);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_owner_and_its_permissions() {
        use std::fs::Permissions;
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "old").unwrap();
        std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        // Only the superuser may do this.
        let is_given = chown(&file, Some(12345), Some(23456)).is_ok();
        write_whole(&file, "new").unwrap();
        let found = file.metadata().unwrap();
        assert_eq!((found.mode() & 0o777, std::fs::read_to_string(&file).unwrap().as_str()), (0o600, "new"));
        assert!(!is_given || (found.uid(), found.gid()) == (12345, 23456));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_written_completely_or_not_at_all() {
        use std::os::unix::fs::symlink;

        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        std::fs::create_dir(folder.join("far")).unwrap();
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
    }
}
