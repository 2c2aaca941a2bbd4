//! Whom a file belongs to, and who may read it.

use std::fs::File;
use std::path::Path;

/// Gives a new file the owner and the permissions of the one that it will replace, as far as the system allows it. Only
/// the superuser can give files away, and some file systems have no permissions.
#[cfg(unix)]
pub(crate) fn take_after(old: &Path, file: &File) {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    /// Who may read, write and execute. What else a mode says would mean something else under another owner.
    const ACCESS: u32 = 0o777;
    if let Ok(old) = old.metadata() {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
        let _ = file.set_permissions(Permissions::from_mode(old.mode() & ACCESS));
    }
}

/// Elsewhere a new file belongs to whom its folder says.
#[cfg(not(unix))]
pub(crate) fn take_after(_old: &Path, _file: &File) {}
