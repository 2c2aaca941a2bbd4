//! Makes folders that outputs go to.

use std::path::Path;

use anyhow::{Context, ensure};

/// Makes a folder, with those that it lies in, unless it is there.
///
/// # Errors
/// A file has its name or lies on the way to it, or the system refuses.
pub(crate) fn make_folder(path: &Path) -> anyhow::Result<()> {
    let file = path.ancestors().find(|part| part.exists()).filter(|part| !part.is_dir());
    let what = file.map(|file| file.display().to_string()).unwrap_or_default();
    ensure!(file.is_none(), "{} cannot be made: {what} is a file and no folder", path.display());
    std::fs::create_dir_all(path).with_context(|| format!("making the folder {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_the_way_is_named() {
        let temp = tempfile::tempdir().unwrap();
        let (file, folder) = (temp.path().join("file"), temp.path().join("a/b"));
        make_folder(&folder).unwrap();
        make_folder(&folder).unwrap();
        assert!(folder.is_dir());
        std::fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("in it/deep")] {
            let error = make_folder(&path).unwrap_err().to_string();
            assert!(error.ends_with(&format!("{} is a file and no folder", file.display())), "{error}");
        }
    }
}
