//! Files in a zip archive, as tournaments publish their games.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use zip::ZipArchive;

use super::input::BEGIN;
use super::match_files::{is_copy, is_record, may_be_record};
use crate::formats::opening_file::has_extension;

/// The file extension of archives.
pub(super) const ARCHIVE: &str = "zip";
/// Most bytes of a file from an archive or a pipe, because it is in memory as a whole.
const LARGEST: u64 = 256 << 20;

/// An archive of games.
pub(super) struct Archive {
    files: ZipArchive<BufReader<File>>,
    /// The numbers of the files that are wanted, each with the path of the archive followed by its own name.
    wanted: Vec<(usize, PathBuf)>,
}

impl Archive {
    /// Opens an archive, of which the files with these extensions are wanted. Of a match only its record is.
    ///
    /// # Errors
    /// A file that is not such an archive or is damaged.
    pub(super) fn open(path: &Path, ends: &[&str]) -> anyhow::Result<Archive> {
        let file = File::open(path).with_context(|| format!("reading {}", path.display()))?;
        let files = ZipArchive::new(BufReader::new(file)).with_context(|| path.display().to_string())?;
        let mut wanted = Vec::new();
        for (number, name) in files.file_names().enumerate() {
            let name = name.with_context(|| format!("{}: file {number}", path.display()))?;
            let own = path.join(own_name(&name));
            if !name.ends_with('/') && ends.iter().any(|end| has_extension(&own, end)) {
                wanted.push((number, own));
            }
        }
        let mut archive = Archive { files, wanted };
        archive.leave_out_copies();
        Ok(archive)
    }

    /// Leaves out what matches have written beside their records.
    fn leave_out_copies(&mut self) {
        let mut folders: Vec<PathBuf> = Vec::new();
        for (number, name) in &self.wanted {
            let Some(folder) = name.parent().filter(|_| may_be_record(name)) else { continue };
            let mut begin = Vec::new();
            // Damage is told when the file itself is read.
            let read =
                self.files.by_index(*number).map(|file| file.take(BEGIN).read_to_end(&mut begin).is_ok());
            if read.is_ok_and(|is_read| is_read) && is_record(name, &begin) {
                folders.push(folder.to_owned());
            }
        }
        self.wanted.retain(|(_, name)| !folders.iter().any(|folder| is_copy(folder, name)));
    }

    /// Unpacks the files that are wanted, one after the other, in the order of the archive.
    ///
    /// # Errors
    /// For each file that is damaged or too large, its name.
    pub(super) fn members(&mut self) -> impl Iterator<Item = anyhow::Result<(PathBuf, Vec<u8>)>> {
        let Archive { files, wanted } = self;
        wanted.iter().map(|(number, name)| {
            let named = || name.display().to_string();
            let file = files.by_index(*number).with_context(named)?;
            Ok((name.clone(), whole(file).with_context(named)?))
        })
    }
}

/// All bytes of a file that is in memory as a whole.
///
/// # Errors
/// It cannot be read or is too large.
pub(super) fn whole(file: impl Read) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= LARGEST, "files in archives and pipes have at most {} MB", LARGEST >> 20);
    Ok(bytes)
}

/// The name of a file in an archive, without parts that lead out of the archive: nothing is written there, but the name
/// is shown.
fn own_name(name: &str) -> PathBuf {
    name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..")).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn files_come_out_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.zip");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        for (name, text) in [
            ("Renju/../1.PSQ", "one"),
            ("readme.txt", "no"),
            ("Renju/2.psq", "two"),
            ("match/games.sgf", "a copy"),
            ("match/psq/0000.psq", "a copy"),
            ("match/other.sgf", "another game"),
            ("match/games.jsonl", "{\"type\":\"match\"}"),
            ("games.jsonl", "{\"rule\":\"renju\"}"),
            ("games.sgf", "no copy"),
        ] {
            let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
            writer.start_file(name, stored).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        let ends = ["psq", "sgf", "jsonl"];
        let read = || -> Vec<String> {
            let mut archive = Archive::open(&path, &ends).unwrap();
            let said = |member: anyhow::Result<(PathBuf, Vec<u8>)>| match member {
                Ok((name, _)) => name.strip_prefix(&path).unwrap().display().to_string(),
                Err(error) => format!("{error}").replace(&path.display().to_string(), "bad: "),
            };
            archive.members().map(said).collect()
        };
        let expected = [
            "Renju/1.PSQ",
            "Renju/2.psq",
            "match/other.sgf",
            "match/games.jsonl",
            "games.jsonl",
            "games.sgf",
        ];
        assert_eq!(read(), expected);
        // A damaged file does not keep the others from being read.
        let whole = std::fs::read(&path).unwrap();
        let at = whole.windows(3).position(|bytes| bytes == b"two").unwrap();
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(read()[..3], ["Renju/1.PSQ", "bad: /Renju/2.psq", "match/other.sgf"]);
        // A truncated archive gives an error that names it, and so does a file that is not an archive.
        for bytes in [&whole[..whole.len() / 2], b"no archive", b""] {
            std::fs::write(&path, bytes).unwrap();
            let error = Archive::open(&path, &ends).err().unwrap();
            assert!(error.to_string().contains("games.zip"), "{error}");
        }
    }
}
