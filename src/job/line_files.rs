//! Files with one JSON line per task of a shard, which are continued where they were cut off.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use super::manifest::ShardManifest;
use crate::files::{read_if_there, write_whole};

/// Writes the missing lines of these tasks and returns all lines. `None` if `line` returns `None`, because the work is
/// to end early. `fits` says whether a line that was written before can be that of its task.
///
/// # Errors
/// Those of `line`, or a file cannot be read or written.
pub(super) fn complete(
    path: &Path,
    numbers: Range<usize>,
    fits: impl Fn(usize, &Value) -> bool,
    mut line: impl FnMut(usize) -> anyhow::Result<Option<Value>>,
) -> anyhow::Result<Option<Vec<Value>>> {
    let before = read_if_there(path)?.unwrap_or_default();
    // A power failure may leave a line that is cut off or was never written to the disk, and nothing behind it counts.
    let is_good = |&(number, line): &(usize, &[u8])| {
        let text = std::str::from_utf8(line).ok().filter(|text| text.ends_with('\n'));
        text.and_then(|text| serde_json::from_str(text).ok()).is_some_and(|line| fits(number, &line))
    };
    let numbered = numbers.clone().zip(before.split_inclusive(|&byte| byte == b'\n'));
    let lines: Vec<&[u8]> = numbered.take_while(is_good).map(|(_, line)| line).collect();
    let open = OpenOptions::new().append(true).create(true).open(path);
    let mut file = open.with_context(|| format!("opening {}", path.display()))?;
    let length = lines.iter().map(|line| line.len() as u64).sum();
    file.set_len(length).with_context(|| format!("cutting {}", path.display()))?;
    for number in numbers.clone().skip(lines.len()) {
        let Some(line) = line(number)? else { return Ok(None) };
        let written = file.write_all(format!("{line}\n").as_bytes());
        written.with_context(|| format!("writing {}", path.display()))?;
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let lines = text.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>();
    let lines = lines.with_context(|| path.display().to_string())?;
    ensure!(lines.len() == numbers.len(), "{} holds {} lines", path.display(), lines.len());
    Ok(Some(lines))
}

/// Writes the lines of all shards into one file, in place of those that an earlier merge of fewer shards has written.
///
/// # Errors
/// A file cannot be read or written, or has changed, or the one that would be replaced holds other lines.
pub(super) fn merge(manifests: &[ShardManifest], results: &Path, path: &Path) -> anyhow::Result<()> {
    let mut lines = Vec::new();
    for manifest in manifests {
        manifest.contents(results)?.into_iter().for_each(|(_, bytes)| lines.extend(bytes));
    }
    let before = read_if_there(path)?.unwrap_or_default();
    let known: HashSet<&[u8]> = lines.split(|&byte| byte == b'\n').collect();
    let other =
        before.split(|&byte| byte == b'\n').position(|line| !line.is_empty() && !known.contains(line));
    if let Some(n) = other {
        bail!("{}: line {} is not of these shards; choose another folder", path.display(), n + 1);
    }
    write_whole(path, lines)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn any(_: usize, _: &Value) -> bool {
        true
    }

    #[test]
    fn a_file_is_gone_on_with_behind_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        std::fs::write(&path, "3\n4\n\"half").unwrap();
        let mut asked = Vec::new();
        let mut line = |number: usize| {
            asked.push(number);
            Ok((number < 6).then(|| json!(number)))
        };
        assert_eq!(complete(&path, 3..8, any, &mut line).unwrap(), None);
        let lines = complete(&path, 3..6, any, &mut line).unwrap();
        assert_eq!(lines, Some([3, 4, 5].map(|number| json!(number)).to_vec()));
        // Nothing counts behind the last task, and nothing behind a line that is not that of its task.
        assert_eq!(complete(&path, 3..5, any, &mut line).unwrap().map(|lines| lines.len()), Some(2));
        let own = |number: usize, line: &Value| *line == json!(number);
        assert_eq!(complete(&path, 3..5, own, &mut line).unwrap().map(|lines| lines.len()), Some(2));
        std::fs::write(&path, "3\n5\n5\n").unwrap();
        assert_eq!(complete(&path, 3..6, own, &mut line).unwrap(), lines);
        assert_eq!(asked, [5, 6, 4, 5]);
    }

    #[test]
    fn damage_counts_as_missing_and_an_error_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        for damaged in [&b"3\n\xff\n5\n"[..], b"3\n\0\0\0\n5\n", b"3\n\"\xff\"\n"] {
            std::fs::write(&path, damaged).unwrap();
            let lines = complete(&path, 3..6, any, |number| Ok(Some(json!(number)))).unwrap();
            assert_eq!(lines, Some([3, 4, 5].map(|number| json!(number)).to_vec()));
        }
        std::fs::remove_file(&path).unwrap();
        // Nothing is written over what cannot be read.
        std::fs::create_dir(&path).unwrap();
        let error = complete(&path, 3..6, any, |_| panic!("no line is asked for")).unwrap_err();
        assert!(format!("{error:#}").starts_with("reading "), "{error:#}");
        assert!(path.is_dir());
    }
}
