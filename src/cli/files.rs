//! Files that are read or written at one go.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;

use crate::eval::nnue::NnueWeights;
use crate::formats::text::decode;

/// Where learned weights go.
#[derive(Args, Clone, Debug, Default)]
pub struct WeightsFile {
    /// Where the weights are written; a file of this name is replaced [default: a new file in the current folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Replace the file in the current folder if there is one
    #[arg(long, conflicts_with_all = ["out", "install"])]
    pub force: bool,

    /// Put the weights into the source tree, in whose root this must be called; the next build plays with them
    #[arg(long, conflicts_with = "out")]
    pub install: bool,
}

impl WeightsFile {
    /// The file to write: `name` in the current folder unless told otherwise, `source` with `--install`. To be
    /// asked before the work begins.
    ///
    /// # Errors
    /// A file that is there and was not meant to be replaced, or that cannot be written.
    pub(super) fn path(&self, name: &str, source: &str) -> anyhow::Result<PathBuf> {
        if self.install {
            let is_there = Path::new(source).is_file();
            ensure!(is_there, "--install: there is no {source} here; call it in the root of the source tree");
            return Ok(source.into());
        }
        let Some(out) = &self.out else {
            let is_new = self.force || !Path::new(name).exists();
            ensure!(is_new, "{name} is there already; --force replaces it, --out FILE writes another file");
            return Ok(name.into());
        };
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        let can_be_written = folder.is_none_or(Path::is_dir) && !out.is_dir();
        ensure!(can_be_written, "--out: {} cannot be written: no such folder", out.display());
        Ok(out.clone())
    }
}

/// Reads a text in whatever encoding an editor or a shell has saved it.
///
/// # Errors
/// The file cannot be read.
pub(super) fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    Ok(decode(&bytes).into_owned())
}

/// Reads the weights of networks.
///
/// # Errors
/// The file cannot be read, or holds something else.
pub(super) fn read_network(path: &Path) -> anyhow::Result<NnueWeights> {
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    NnueWeights::from_bytes(&bytes)
        .with_context(|| format!("{} holds no weights of this version", path.display()))
}

/// Writes a file beside it first and moves it into place, so that a kill leaves the old one or the new. What is no
/// file, as /dev/null, a pipe or a link, is written to and stays what it is.
///
/// # Errors
/// The system refuses.
pub(super) fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let is_other = path.symlink_metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    let written = if is_other {
        std::fs::write(path, contents)
    } else {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let written = std::fs::write(&part, contents).and_then(|()| std::fs::rename(&part, path));
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
}
