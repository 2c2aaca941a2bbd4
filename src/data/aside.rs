//! Where a damaged file is kept.

use std::iter;
use std::path::{Path, PathBuf};

use crate::files::beside;

/// The name under which a damaged file is set aside, beside itself: with `.damaged` behind it, and a number where that
/// name is taken, so that what is set aside twice is kept twice.
pub(crate) fn place_aside(path: &Path) -> PathBuf {
    let first = beside(path, ".damaged");
    let numbered = (2_u32..).map(|n| beside(&first, &format!("-{n}")));
    iter::once(first.clone()).chain(numbered).find(|free| !free.exists()).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_aside_twice_is_kept_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for expected in ["a.damaged", "a.damaged-2", "a.damaged-3"] {
            let aside = place_aside(&path);
            assert_eq!(aside, folder.path().join(expected));
            std::fs::write(aside, "").unwrap();
        }
    }
}
