//! Files that are read or written at one go.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;

pub(super) use crate::arena::whole_file::{write_whole, write_whole_by};
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
