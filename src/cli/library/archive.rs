//! Files in a zip archive, as tournaments publish their games.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use zip::ZipArchive;

/// The file extension of archives.
pub(super) const ARCHIVE: &str = "zip";
/// Most bytes of an unpacked file from an archive, because it is in memory as a whole.
const LARGEST: u64 = 256 << 20;

/// Unpacks the files with these extensions, one after the other, in the order of the archive. Each is named by the path
/// of the archive followed by its own name.
///
/// # Errors
/// A file that is not such an archive or is damaged, with its name, and the errors of `tell`.
pub(super) fn members(
    path: &Path,
    ends: &[&str],
    mut tell: impl FnMut(&Path, Vec<u8>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("reading {}", path.display()))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).with_context(|| path.display().to_string())?;
    for number in 0..archive.len() {
        let at = || format!("{}: file {number}", path.display());
        let member = archive.by_index(number).with_context(at)?;
        let name = path.join(own_name(&member.name().with_context(at)?));
        let end = name.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        if member.is_dir() || !ends.contains(&end.as_str()) {
            continue;
        }
        let mut bytes = Vec::new();
        member.take(LARGEST + 1).read_to_end(&mut bytes).with_context(|| name.display().to_string())?;
        ensure!(
            bytes.len() as u64 <= LARGEST,
            "{}: files in an archive have at most {} MB",
            name.display(),
            LARGEST >> 20
        );
        tell(&name, bytes)?;
    }
    Ok(())
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
        let folder = std::env::temp_dir().join(format!("kagetsu-archive-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("games.zip");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        for (name, text) in [("Renju/../1.PSQ", "one"), ("readme.txt", "no"), ("Renju/2.psq", "two")] {
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        let mut found = Vec::new();
        let tell = |name: &Path, bytes: Vec<u8>| {
            found.push((name.strip_prefix(&folder).unwrap().to_owned(), String::from_utf8(bytes).unwrap()));
            Ok(())
        };
        members(&path, &["psq"], tell).unwrap();
        let expected = |name: &str, text: &str| (PathBuf::from(name), text.to_owned());
        assert_eq!(
            found,
            [expected("games.zip/Renju/1.PSQ", "one"), expected("games.zip/Renju/2.psq", "two")]
        );
        // A truncated archive gives an error that names it, and so does a file that is not an archive.
        let whole = std::fs::read(&path).unwrap();
        for bytes in [&whole[..whole.len() / 2], b"no archive", b""] {
            std::fs::write(&path, bytes).unwrap();
            let error = members(&path, &["psq"], |_, _| Ok(())).unwrap_err();
            assert!(error.to_string().contains("games.zip"), "{error}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
