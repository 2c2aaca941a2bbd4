//! The names of files that belong to another file.

use std::path::{Path, PathBuf};

/// The file beside this one with `ending` appended to its name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_follows_the_whole_name() {
        assert_eq!(beside(Path::new("folder/a.bin"), ".lock"), Path::new("folder/a.bin.lock"));
    }
}
