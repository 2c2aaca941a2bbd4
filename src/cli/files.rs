//! Files that are read or written in one go.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;

use super::ending::Mistake;
use super::overwriting::{
    HAND_CRAFTED, NETWORKS, WeightsKind, ensure_holds_no_data, ensure_replaces_its_like,
};
use crate::eval::hand_crafted::weights::{self, HandCraftedWeights};
use crate::eval::nnue::NnueWeights;
use crate::files::{beside, write_whole_to_disk};
use crate::formats::text::decode_games;

/// Where learned weights go.
#[derive(Args, Clone, Debug, Default)]
pub struct WeightsFile {
    /// Where the weights are written; those in a file of this name are replaced
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Replace the file in the current folder if there is one
    #[arg(long, conflicts_with_all = ["out", "install"])]
    pub force: bool,

    /// Put the weights into the source tree, whose root must be the current folder; the next build plays with them
    #[arg(long, conflicts_with = "out")]
    pub install: bool,
}

impl WeightsFile {
    /// The file to write: `name` in the current folder unless told otherwise, `source` with `--install`. Call this
    /// before the work begins.
    ///
    /// # Errors
    /// A file that exists and may not be replaced, or that cannot be written.
    pub(super) fn path(&self, name: &str, source: &str) -> anyhow::Result<PathBuf> {
        if self.install {
            let is_there = Path::new(source).is_file();
            ensure!(
                is_there,
                "--install: there is no {source} here; run this in the root of the source tree"
            );
            return Ok(source.into());
        }
        let Some(out) = &self.out else {
            // If a run was cut short, its checkpoint tells whether it wrote the weights that are there.
            if !beside(Path::new(name), CHECKPOINT).exists() {
                self.ensure_free(Path::new(name))?;
            }
            return Ok(name.into());
        };
        ensure!(
            !is_standard(out),
            Mistake("--out: weights are written to a file, never to standard output".to_owned())
        );
        ensure_can_be_written("--out", out)?;
        Ok(out.clone())
    }

    /// Checks that the file may be written.
    ///
    /// # Errors
    /// It exists and may not be replaced.
    pub(super) fn ensure_free(&self, path: &Path) -> anyhow::Result<()> {
        let is_free = self.force || self.install || self.out.is_some() || !path.exists();
        let name = path.display();
        ensure!(
            is_free,
            "{name} exists already; replace it with --force, or write another file with --out FILE"
        );
        Ok(())
    }

    /// Makes sure that the file of `--out`, if it is there, holds other weights of this kind: it is replaced unasked.
    /// Call this before the work begins.
    ///
    /// # Errors
    /// It holds something else.
    pub(super) fn ensure_replaces(&self, kind: &WeightsKind) -> anyhow::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        let what = format!("weights of {}", kind.name);
        ensure_replaces_its_like("--out", out, &what, |there| kind.is_of(there))
    }

    /// Writes the weights, unless the file holds them already.
    ///
    /// # Errors
    /// The system refuses, or the file holds other weights that may not be replaced.
    pub(super) fn write(&self, path: &Path, weights: &[u8]) -> anyhow::Result<()> {
        if path.is_file() && std::fs::read(path).is_ok_and(|there| there == weights) {
            return Ok(());
        }
        self.ensure_free(path)?;
        write_whole_to_disk(path, weights)
    }

    /// The path with which the names of a run's other files begin. It is the file of weights or, with `--install`,
    /// `name` in the current folder, so that no other file gets into the source tree. `None` where the weights do not
    /// go to a regular file, but for example to /dev/null or a pipe.
    pub(super) fn companion(&self, path: &Path, name: &str) -> Option<PathBuf> {
        if self.install {
            return Some(name.into());
        }
        path.metadata().map_or(true, |found| found.is_file()).then(|| path.to_owned())
    }
}

/// The suffix of a checkpoint's file name.
pub(super) const CHECKPOINT: &str = ".checkpoint";
/// The suffixes of the files that record the losses of a training.
pub(super) const LOSSES_CSV: &str = ".losses.csv";
pub(super) const LOSSES_SVG: &str = ".losses.svg";

/// The folder of a file, which is the current one if the path names none.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a path stands for standard input or output: `-` does, and a file of that name is given as `./-`.
pub(super) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The file that an output goes to, if it goes to one and not to standard output.
pub(super) fn file_of(out: Option<&Path>) -> Option<&Path> {
    out.filter(|path| !is_standard(path))
}

/// Makes sure that there is a folder for the file that the option names. Call this before the work begins: who waits
/// for a result for hours should not lose it.
///
/// # Errors
/// There is no such folder, or the file is a folder itself.
pub(super) fn ensure_can_be_written(option: &str, out: &Path) -> anyhow::Result<()> {
    ensure!(folder_of(out).is_dir(), "{option}: {} cannot be written: no such folder", out.display());
    ensure!(!out.is_dir(), "{option}: {} cannot be written: it is a folder", out.display());
    Ok(())
}

/// The same for a text, which takes the place of no games, weights and other data either.
///
/// # Errors
/// Those of [`ensure_can_be_written`], or the file holds such data.
pub(super) fn ensure_text_can_be_written(option: &str, out: &Path) -> anyhow::Result<()> {
    ensure_can_be_written(option, out)?;
    ensure_holds_no_data(option, out)
}

/// The same for the page of a match, which takes the place of nothing but a page.
///
/// # Errors
/// Those of [`ensure_can_be_written`], or the file holds no page.
pub(super) fn ensure_page_can_be_written(option: &str, out: &Path) -> anyhow::Result<()> {
    const BEGINNING: &[u8] = b"<!doctype html";
    ensure_can_be_written(option, out)?;
    ensure_replaces_its_like(option, out, "page of a match", |there| {
        there.get(..BEGINNING.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(BEGINNING))
    })
}

/// Makes sure that the file to be written is none of the files that are read, under whatever name, whether they exist
/// yet or not. Call this before anything is written.
///
/// # Errors
/// It is one of them.
pub(super) fn ensure_is_no_input<'a>(
    out: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> anyhow::Result<()> {
    // A file that does not exist yet may still become one: the record of a match is written before its report.
    let itself = |path: &Path| {
        path.canonicalize()
            .ok()
            .or_else(|| Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?)))
    };
    let Some(out_itself) = itself(out) else { return Ok(()) };
    let is_input = inputs.into_iter().any(|input| itself(input).is_some_and(|input| input == out_itself));
    ensure!(!is_input, "{} is read here; choose another file to write", out.display());
    Ok(())
}

/// Reads a text in whatever encoding an editor or a shell has saved it, or that SGF names.
///
/// # Errors
/// The file cannot be read.
pub(super) fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    Ok(decode_games(&bytes).into_owned())
}

/// Reads text from standard input in the same way.
///
/// # Errors
/// Standard input cannot be read.
pub(super) fn read_standard_input() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("reading standard input")?;
    Ok(decode_games(&bytes).into_owned())
}

/// Reads the weights of networks.
///
/// # Errors
/// The file cannot be read, or holds something else.
pub(super) fn read_network(path: &Path) -> anyhow::Result<NnueWeights> {
    read_weights(path, &NETWORKS, NnueWeights::from_bytes)
}

/// Reads the weights of the hand-crafted evaluation.
///
/// # Errors
/// The file cannot be read, or holds something else.
pub(super) fn read_hand_crafted(path: &Path) -> anyhow::Result<HandCraftedWeights> {
    read_weights(path, &HAND_CRAFTED, weights::from_bytes)
}

fn read_weights<T>(
    path: &Path,
    wanted: &WeightsKind,
    parse: impl FnOnce(&[u8]) -> Option<T>,
) -> anyhow::Result<T> {
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    parse(&bytes).with_context(|| {
        let (file, wanted_name) = (path.display(), wanted.name);
        match [NETWORKS, HAND_CRAFTED].into_iter().find(|kind| kind.is_of(&bytes)) {
            None => format!("{file} holds no weights of {wanted_name}"),
            Some(found) if found.magic != wanted.magic => {
                format!("{file} holds weights of {}, not of {wanted_name}", found.name)
            }
            Some(found) if bytes.starts_with(&found.magic) => format!("{file} is damaged"),
            Some(_) => format!("{file} holds weights of {wanted_name} for another version of Kagetsu"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "library")]
    #[test]
    fn games_are_read_in_their_own_encoding() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("encoding.sgf");
        // Read as anything else, the second byte of the name would swallow the bracket and the first two moves.
        std::fs::write(&path, b"(;CA[Shift_JIS]GM[4]SZ[15]PB[\x83\x5C];B[hh];W[ii]C[x];B[jh])").unwrap();
        let stones = crate::formats::any::read(&read_text(&path).unwrap(), None).unwrap();
        assert_eq!(stones.history().len(), 3);
    }

    #[test]
    fn what_is_read_is_not_written() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        let [input, other, new] = ["input", "other", "new"].map(|name| folder.join(name));
        std::fs::write(&input, "here").unwrap();
        std::fs::write(&other, "").unwrap();
        let may_be_written = |out: &Path| ensure_is_no_input(out, [input.as_path()]).is_ok();
        let same = folder.join("..").join(folder.file_name().unwrap()).join("input");
        assert!(!may_be_written(&input) && !may_be_written(&same));
        assert!(may_be_written(&other) && may_be_written(&new));
        // It will be read once it has been written.
        assert!(ensure_is_no_input(&new, [new.as_path()]).is_err());
        assert!(ensure_is_no_input(Path::new("new"), [Path::new("./new")]).is_err());
    }

    #[test]
    fn weights_that_are_there_are_written_again_and_others_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights");
        let unasked = WeightsFile::default();
        unasked.write(&path, b"first").unwrap();
        // As after a run that was killed just after writing them.
        unasked.write(&path, b"first").unwrap();
        let error = unasked.write(&path, b"second").unwrap_err().to_string();
        assert!(error.contains("--force"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
        WeightsFile { force: true, ..unasked }.write(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
    }

    #[test]
    fn weights_of_another_kind_are_called_by_their_name() {
        let folder = tempfile::tempdir().unwrap();
        let [network, hand_crafted] = ["network.bin", "weights.bin"].map(|name| folder.path().join(name));
        std::fs::write(&network, NnueWeights::builtin().to_bytes()).unwrap();
        std::fs::write(&hand_crafted, weights::to_bytes(&weights::builtin())).unwrap();
        assert!(read_network(&network).is_ok() && read_hand_crafted(&hand_crafted).is_ok());
        let error = read_network(&hand_crafted).unwrap_err().to_string();
        assert!(
            error.ends_with("weights.bin holds weights of the hand-crafted evaluation, not of networks"),
            "{error}"
        );
        let error = read_hand_crafted(&network).unwrap_err().to_string();
        assert!(error.ends_with("holds weights of networks, not of the hand-crafted evaluation"), "{error}");
        for (bytes, said) in [
            (&weights::MAGIC[..], "weights.bin is damaged"),
            (b"KGTWTS01", "holds weights of the hand-crafted evaluation for another version of Kagetsu"),
            (b"KGTREC", "holds no weights of the hand-crafted evaluation"),
        ] {
            std::fs::write(&hand_crafted, bytes).unwrap();
            let error = read_hand_crafted(&hand_crafted).unwrap_err().to_string();
            assert!(error.ends_with(said), "{error}");
        }
    }

    #[test]
    fn other_files_of_a_run_lie_beside_its_weights() {
        let file = WeightsFile::default();
        let weights = Path::new("folder/a.bin");
        assert_eq!(file.companion(weights, "network.bin").as_deref(), Some(weights));
        assert_eq!(beside(weights, CHECKPOINT), Path::new("folder/a.bin.checkpoint"));
        let install = WeightsFile { install: true, ..file.clone() };
        assert_eq!(install.companion(weights, "network.bin").as_deref(), Some(Path::new("network.bin")));
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(file.companion(folder.path(), "network.bin"), None, "that is not a file");
    }
}
