//! Lock files, which stand for something that only one process at a time may write.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
#[cfg(feature = "tools")]
use std::path::Path;

#[cfg(feature = "tools")]
use anyhow::Context;

/// Locks an open file for this process until it is closed; false if another process has locked it. The system releases
/// the lock when the process ends, however it ends.
///
/// Some file systems shared between machines do not support locks. There every process gets the file: work must be
/// possible, and checksums reveal it if two processes have written to the same place.
///
/// # Errors
/// If the file cannot be locked although its file system supports locks.
pub(crate) fn try_hold(file: &File) -> io::Result<bool> {
    is_free(file.try_lock())
}

/// Opens a file and locks it like [`try_hold`], creating it if necessary; `None` if another process has locked it. The
/// file stays for good, because removing it could take it from under a process that has just opened it: that one and
/// whoever creates it again would then both hold it.
///
/// # Errors
/// If the file cannot be created, or cannot be locked although its file system supports locks.
#[cfg(feature = "tools")]
pub(crate) fn take(path: &Path) -> anyhow::Result<Option<File>> {
    let open = File::options().write(true).create(true).truncate(false).open(path);
    let file = open.with_context(|| format!("opening {}", path.display()))?;
    let held = try_hold(&file).with_context(|| format!("locking {}", path.display()))?;
    Ok(held.then_some(file))
}

/// Opens a file for reading and writing, creating it if necessary, and locks it like [`try_hold`]; `None` if another
/// process has locked it. Unlike with [`take`], the file may be replaced or removed by the one who holds it: who has
/// opened it before and locks it afterwards holds a file without a name, and opens the one that is there now.
#[cfg(feature = "tools")]
pub(crate) fn take_current(path: &Path) -> anyhow::Result<Option<File>> {
    loop {
        // NFS locks a file exclusively only for those who have opened it for writing.
        let open = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let file = open.with_context(|| format!("opening {}", path.display()))?;
        if !try_hold(&file).with_context(|| format!("locking {}", path.display()))? {
            return Ok(None);
        }
        if is_at(&file, path).with_context(|| format!("opening {}", path.display()))? {
            return Ok(Some(file));
        }
    }
}

/// Whether an open file is the one at this path.
#[cfg(feature = "tools")]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let opened = same_file::Handle::from_file(file.try_clone()?)?;
    match same_file::Handle::from_path(path) {
        Ok(there) => Ok(there == opened),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether this process may write, given the system's answer to the lock request.
fn is_free(said: Result<(), TryLockError>) -> io::Result<bool> {
    match said {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if knows_no_locks(&error) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn knows_no_locks(error: &io::Error) -> bool {
    // "No locks available", as reported by NFS without its lock daemon.
    #[cfg(unix)]
    let has_none = error.raw_os_error() == Some(libc::ENOLCK);
    #[cfg(not(unix))]
    let has_none = false;
    has_none || error.kind() == ErrorKind::Unsupported
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "tools")]
    #[test]
    fn one_process_at_a_time_has_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = take(&path).unwrap();
        assert!(first.is_some() && take(&path).unwrap().is_none());
        drop(first);
        assert!(take(&path).unwrap().is_some());
        assert!(take(&path.join("in a file")).is_err());
    }

    #[cfg(feature = "tools")]
    #[test]
    fn a_file_that_was_replaced_is_not_the_one_at_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let first = take_current(&path).unwrap().unwrap();
        assert!(is_at(&first, &path).unwrap() && take_current(&path).unwrap().is_none());
        std::fs::write(folder.path().join("new"), "").unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
        assert!(!is_at(&first, &path).unwrap());
        let second = take_current(&path).unwrap().unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(!is_at(&second, &path).unwrap());
    }

    #[test]
    fn a_file_system_without_locks_is_no_other_process() {
        let error = |kind: ErrorKind| Err(TryLockError::Error(kind.into()));
        assert!(is_free(error(ErrorKind::Unsupported)).unwrap());
        assert!(is_free(error(ErrorKind::PermissionDenied)).is_err());
        #[cfg(unix)]
        {
            let none = io::Error::from_raw_os_error(libc::ENOLCK);
            assert!(is_free(Err(TryLockError::Error(none))).unwrap());
        }
    }
}
