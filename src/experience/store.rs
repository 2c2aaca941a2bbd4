//! The file: lines are only ever appended, each with a checksum, so that a kill at any byte costs no more than the line
//! being written. Programs that write at the same time take turns with a lock.
//!
//! The first line names the format and how often the file was rewritten. When the file has grown to its limit, it is
//! rewritten with its newer half; the oldest lines go first.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crc32fast::Hasher;

use crate::files::lock::try_hold;
use crate::files::{beside, take_after};

/// The first word of the file, from before it was called an experience file.
const NAME: &str = "kagetsu-memory";
/// Raised when the meaning of a line changes.
const VERSION: u32 = 1;
/// The default size limit of the file in bytes: some 7,500 lessons. What is known of them, and the file while it is
/// read, take four to five times as much memory, which has to fit beside the tables of the search.
pub const DEFAULT_LIMIT: u64 = 1 << 20;
/// How often the lock is tried, and the pause in between: a fifth of a second in all, so that no move waits for a
/// program that hangs.
const TRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(5);

/// Why the experience file cannot be used.
#[derive(Debug)]
pub enum StoreError {
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// The file was not written by this program, or has an unknown version; it is left alone.
    Format(PathBuf, String),
    /// Another program has held the file for too long.
    Busy(PathBuf),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            StoreError::Format(path, found) => {
                write!(f, "{}, line 1: `{found}` does not begin with {NAME} {VERSION}", path.display())
            }
            StoreError::Busy(path) => write!(f, "{}: another program holds it", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}

/// Makes sure that this file can be an experience file, for whoever was told to use it and has nothing to say later. It
/// is created if it does not exist, but its folder is not, because a folder that is missing is a mistyped name. Another
/// program may hold the file: that passes.
///
/// # Errors
/// A folder that does not exist, a file that cannot be read or written, or that is not an experience file.
pub fn ensure_usable(path: &Path) -> Result<(), StoreError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        let missing = io::Error::new(ErrorKind::NotFound, "no such folder");
        return Err(StoreError::Io(path.to_owned(), missing));
    }
    match Store::open_after(path, DEFAULT_LIMIT, 0) {
        Ok(_) | Err(StoreError::Busy(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A file to which lines are appended.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    limit: u64,
    /// How often the file had been rewritten when it was last read.
    generation: u64,
    /// How many of its bytes have been read.
    read: u64,
    /// The checksum of those bytes; `None` if it is not known.
    checksum: Option<u32>,
}

impl Store {
    /// Opens the file, or creates it with its folder. Also returns the lines in it.
    pub fn open(path: &Path, limit: u64) -> Result<(Store, Vec<String>), StoreError> {
        Store::open_after(path, limit, TRIES)
    }

    /// Like [`Store::open`], but tries the lock so many times more where another program holds it.
    pub fn open_after(path: &Path, limit: u64, tries: u32) -> Result<(Store, Vec<String>), StoreError> {
        let io = |error| StoreError::Io(path.to_owned(), error);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(io)?;
        }
        let path = if path.is_symlink() { led_to(path).map_err(io)? } else { path.to_owned() };
        // Before a lock is made beside it.
        if path.is_dir() {
            return Err(io(ErrorKind::IsADirectory.into()));
        }
        let mut store = Store { path, limit, generation: 0, read: 0, checksum: None };
        let lines = store.locked_after(tries, |store| {
            let mut file = store.file().map_err(io)?;
            store.catch_up(&mut file)
        })?;
        Ok((store, lines))
    }

    /// Appends a line, which must not contain line ends. Returns what other programs have added meanwhile.
    pub fn add(&mut self, line: &str) -> Result<Vec<String>, StoreError> {
        debug_assert!(!line.contains('\n'), "a line holds no line end");
        self.locked(|store| {
            let io = |path: &Path| {
                let path = path.to_owned();
                move |error| StoreError::Io(path, error)
            };
            let mut file = store.file().map_err(io(&store.path))?;
            let others = store.catch_up(&mut file)?;
            let length = file.seek(SeekFrom::End(0)).map_err(io(&store.path))?;
            // Ends a line that a kill has left unfinished.
            let begin = if length > store.read { "\n" } else { "" };
            let text = format!("{begin}{}", with_checksum(line));
            if length + text.len() as u64 > store.limit {
                store.renew(&mut file, line)?;
            } else {
                file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(io(&store.path))?;
                store.read = length + text.len() as u64;
                // Behind a line that a kill has cut off, all is read again.
                store.checksum = store.checksum.filter(|_| begin.is_empty()).map(|before| {
                    let mut hasher = Hasher::new_with_initial(before);
                    hasher.update(text.as_bytes());
                    hasher.finalize()
                });
            }
            Ok(others)
        })
    }

    /// The file, with its first line. Only for those who hold the lock.
    fn file(&self) -> io::Result<File> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&self.path)?;
        let first = header(0);
        let mut begun = Vec::new();
        (&mut file).take(first.len() as u64 + 1).read_to_end(&mut begun)?;
        // The file is new, perhaps because somebody has deleted it meanwhile, or a kill has cut its first line short.
        if let Some(rest) = first.as_bytes().strip_prefix(begun.as_slice()) {
            file.write_all(rest)?;
        }
        Ok(file)
    }

    /// Runs `work` while nobody else uses the file. The lock is on a file beside it, since the file itself can be
    /// replaced.
    fn locked<T>(&mut self, work: impl FnOnce(&mut Store) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.locked_after(TRIES, work)
    }

    fn locked_after<T>(
        &mut self,
        tries: u32,
        work: impl FnOnce(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let io = |error| StoreError::Io(self.path.clone(), error);
        let lock = beside(&self.path, ".lock");
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(lock).map_err(io)?;
        let mut left = tries;
        while !try_hold(&lock).map_err(io)? {
            left = left.checked_sub(1).ok_or_else(|| StoreError::Busy(self.path.clone()))?;
            thread::sleep(PAUSE);
        }
        // Closing the lock file releases the lock.
        work(self)
    }

    /// The complete lines that were not read yet; all of them if the file was rewritten or begun again meanwhile.
    fn catch_up(&mut self, file: &mut File) -> Result<Vec<String>, StoreError> {
        let mut bytes = Vec::new();
        let io = |error| StoreError::Io(self.path.clone(), error);
        file.seek(SeekFrom::Start(0)).map_err(io)?;
        file.read_to_end(&mut bytes).map_err(io)?;
        let text = String::from_utf8_lossy(&bytes);
        let first = text.lines().next().unwrap_or_default();
        let generation = read_header(first)
            .ok_or_else(|| StoreError::Format(self.path.clone(), first.chars().take(40).collect()))?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        // One that was deleted and begun again may have grown beyond what was read of the old one.
        let before = bytes.get(..self.read as usize).map(crc32fast::hash);
        let is_continued = generation == self.generation && before.is_some() && before == self.checksum;
        let from = if is_continued { self.read as usize } else { 0 };
        self.generation = generation;
        self.read = end as u64;
        self.checksum = bytes.get(..end).map(crc32fast::hash);
        let fresh = bytes.get(from..end).unwrap_or_default();
        let header_lines = usize::from(from == 0);
        let (lines, damaged) = sound_lines(fresh.split(|&byte| byte == b'\n').skip(header_lines));
        if damaged > 0 {
            log::warn!("{}: lines skipped because of wrong checksums: {damaged}", self.path.display());
        }
        Ok(lines)
    }

    /// Rewrites the file with its newer half and this line. The old file stays until the new one is complete.
    fn renew(&mut self, file: &mut File, line: &str) -> Result<(), StoreError> {
        let io = |error| StoreError::Io(self.path.clone(), error);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).map_err(io)?;
        file.read_to_end(&mut bytes).map_err(io)?;
        let lines: Vec<String> = bytes.split(|&byte| byte == b'\n').filter_map(checked).collect();
        let mut left = self.limit / 2;
        let fits = |line: &&String| {
            let length = with_checksum(line).len() as u64;
            left = left.saturating_sub(length);
            left > 0
        };
        let kept: Vec<&String> = lines.iter().rev().take_while(fits).collect();
        let mut text = header(self.generation + 1);
        kept.into_iter().rev().for_each(|line| text += &with_checksum(line));
        text += &with_checksum(line);
        let new = beside(&self.path, ".new");
        let mut target = File::create(&new).map_err(io)?;
        // Before the contents come, since nobody may read them who could not read the old ones.
        take_after(&self.path, &target);
        target.write_all(text.as_bytes()).and_then(|()| target.sync_all()).map_err(io)?;
        fs::rename(&new, &self.path).map_err(io)?;
        self.generation += 1;
        self.read = text.len() as u64;
        self.checksum = Some(crc32fast::hash(text.as_bytes()));
        Ok(())
    }
}

/// The file to which a link leads, which is created if there is none: it is the one that is locked and rewritten,
/// whatever link it is opened by.
fn led_to(link: &Path) -> io::Result<PathBuf> {
    OpenOptions::new().append(true).create(true).open(link)?;
    link.canonicalize()
}

fn header(generation: u64) -> String {
    format!("{NAME} {VERSION} {generation}\n")
}

/// How often a file with this first line was rewritten; `None` if it is another file.
fn read_header(line: &str) -> Option<u64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match *words.as_slice() {
        [name, version, generation] if name == NAME && version.parse() == Ok(VERSION) => {
            generation.parse().ok()
        }
        _ => None,
    }
}

fn with_checksum(line: &str) -> String {
    format!("{:08x} {line}\n", crc32fast::hash(line.as_bytes()))
}

/// The texts of the lines whose checksums are right, and how many others there are, empty ones aside.
fn sound_lines<'a>(lines: impl Iterator<Item = &'a [u8]>) -> (Vec<String>, usize) {
    let lines: Vec<&[u8]> = lines.filter(|line| !line.trim_ascii().is_empty()).collect();
    let sound: Vec<String> = lines.iter().copied().filter_map(checked).collect();
    let damaged = lines.len() - sound.len();
    (sound, damaged)
}

/// The text of a line, if its checksum is right. Editors of Windows and transfers in text mode end a line with `\r\n`.
fn checked(line: &[u8]) -> Option<String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (sum, text) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    (u32::from_str_radix(sum, 16) == Ok(crc32fast::hash(text.as_bytes())) && sum.len() == 8)
        .then(|| text.to_owned())
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
