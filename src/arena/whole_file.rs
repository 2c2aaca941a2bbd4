//! Files that are there as a whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Writes a file beside it first and moves it into place, so that a kill leaves the old one or the new. What is no
/// file, as /dev/null, a pipe or a link, is written to and stays what it is.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    write_whole_by(path, |file| Ok(file.write_all(contents.as_ref())?))
}

/// The same for what hours have gone into: the new one is on the disk before it takes the place of the old one, so that
/// a machine that loses power leaves one of them too.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_whole_to_disk(path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    write_through(path, |file| Ok(file.write_all(contents.as_ref())?), File::sync_all)?;
    // That it has a new name is on the disk as well. Only Unix opens folders, and some file systems refuse even there.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// The same for what comes bit by bit; hands on what `write` has to say.
///
/// # Errors
/// The system refuses, or `write` fails; then nothing is left behind.
pub(crate) fn write_whole_by<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    write_through(path, write, |_| Ok(()))
}

/// The same; `settle` is what happens to the written file before it is moved.
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
        // What is no file has no disk.
        through(path).map(|(said, _)| said)
    } else {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let written = through(&part).and_then(|(said, file)| {
            settle(&file)?;
            drop(file);
            std::fs::rename(&part, path)?;
            Ok(said)
        });
        if written.is_err() {
            // Half a file is of no use to anyone, least of all on a disk that is full.
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
        // A folder is in its place.
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
