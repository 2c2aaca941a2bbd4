//! What an output may take the place of: an earlier output, but no games that took days to play.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, ensure};

use crate::data::record::header;
use crate::eval::{hand_crafted, nnue};
use crate::tune::checkpoint;

/// How many bytes of a file are looked at.
pub(super) const BEGINNING: u64 = 4096;

/// A kind of weights, whose files begin with a magic number that ends in the version.
pub(super) struct WeightsKind {
    pub(super) magic: [u8; 8],
    pub(super) name: &'static str,
}

/// The networks.
pub(super) const NETWORKS: WeightsKind = WeightsKind { magic: nnue::weights::MAGIC, name: "networks" };
/// The weights of the hand-crafted evaluation.
pub(super) const HAND_CRAFTED: WeightsKind =
    WeightsKind { magic: hand_crafted::weights::MAGIC, name: "the hand-crafted evaluation" };

impl WeightsKind {
    /// How a file of this kind begins in every version.
    fn beginning(&self) -> &[u8] {
        /// Digits of the version.
        const VERSION: usize = 2;
        &self.magic[..self.magic.len() - VERSION]
    }

    /// Whether these bytes are of this kind, in whatever version.
    pub(super) fn is_of(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(self.beginning())
    }
}

/// Makes sure that no file of data that other commands have written would be overwritten by a text or a picture.
///
/// # Errors
/// It would, or the file cannot be read.
pub(super) fn ensure_holds_no_data(option: &str, out: &Path) -> anyhow::Result<()> {
    let kinds: [(&[u8], &str); 7] = [
        (&header::MAGIC, "training games"),
        (HAND_CRAFTED.beginning(), "weights of the hand-crafted evaluation"),
        (NETWORKS.beginning(), "networks"),
        (&checkpoint::MAGIC, "the checkpoint of a training"),
        (b"SQLite format 3\0", "a library or another database"),
        (b"{\"type\":\"match\"", "the records of a match"),
        (b"kagetsu-memory ", "what was learned from lost games"),
    ];
    let there = beginning_of(out)?;
    let held = kinds.iter().find(|(beginning, _)| there.starts_with(beginning));
    let what = held.map_or("", |(_, what)| what);
    ensure!(
        held.is_none(),
        "{option}: {} would be overwritten, and it holds {what}; choose another file",
        out.display()
    );
    Ok(())
}

/// Makes sure that nothing but an earlier output of the same kind would be overwritten.
///
/// # Errors
/// Something else would be, or the file cannot be read.
pub(super) fn ensure_replaces_its_like(
    option: &str,
    out: &Path,
    kind: &str,
    is_of_kind: impl FnOnce(&[u8]) -> bool,
) -> anyhow::Result<()> {
    let there = beginning_of(out)?;
    ensure!(
        there.is_empty() || is_of_kind(&there),
        "{option}: {} would be overwritten, and it holds no {kind}; choose another file",
        out.display()
    );
    Ok(())
}

/// The first bytes of a file; none if there is no file, or something else such as a pipe.
fn beginning_of(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path.is_file() {
        let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes));
        read.with_context(|| format!("reading {}", path.display()))?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_not_overwritten_and_text_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let written = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            ensure_holds_no_data("--out", &path).map_err(|error| error.to_string())
        };
        let error = written(b"KGTREC\r\n and games").unwrap_err();
        assert!(error.starts_with("--out: ") && error.contains("it holds training games; choose"), "{error}");
        let all: [&[u8]; 5] = [
            b"KGTWTS01",
            b"KGTNET99",
            b"KGTCKP\r\n",
            b"SQLite format 3\0",
            b"{\"type\":\"match\",\"version\":1",
        ];
        assert!(all.iter().all(|bytes| written(bytes).is_err()));
        assert!(written(b"").is_ok() && written(b"h8 i9").is_ok() && written(b"KGT").is_ok());
        assert!(ensure_holds_no_data("--out", &folder.path().join("none")).is_ok());
        assert!(ensure_holds_no_data("--out", folder.path()).is_ok());
    }

    #[test]
    fn only_what_is_alike_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let replaced =
            || ensure_replaces_its_like("--out", &path, "openings", |there| there.starts_with(b"h8"));
        assert!(replaced().is_ok());
        for (text, is_alike) in [("", true), ("h8i9", true), ("my notes", false)] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(replaced().is_ok(), is_alike, "{text}");
        }
        assert!(replaced().unwrap_err().to_string().ends_with("it holds no openings; choose another file"));
    }
}
