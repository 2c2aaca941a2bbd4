//! Reads files that may not be there yet.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context;

/// Reads a file that may not be there yet; `None` if it is not.
///
/// # Errors
/// The file cannot be read, which says nothing about what it holds.
pub(crate) fn read_if_there(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_missing_file_counts_as_missing() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_if_there(&folder.path().join("kagetsu-no-such-file")).unwrap(), None);
        let error = read_if_there(folder.path()).unwrap_err().to_string();
        assert!(error.contains(&folder.path().display().to_string()), "{error}");
    }
}
