//! The file of a library: an SQLite database with a row for each position.
//!
//! SQLite keeps it consistent whatever happens to the program: after a kill, a transaction is there completely or not
//! at all, and one process may write while others read. People can open the file with `sqlite3` and any other program
//! that reads SQLite; [`key`](super::key) explains the keys.

use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, TransactionBehavior, params};

use super::access::{Branch, PositionRecord};
use super::entry::Entry;
use super::error::LibraryError;
use super::key::{Canonical, KeyWalk, PositionKey};
use super::rows::{entry_of, get, select, write_row};
use crate::board::{Size, Stones};
use crate::formats::library_file;
use crate::rules::Rule;

/// The name of the application as SQLite writes it into its header.
const APPLICATION: i32 = i32::from_be_bytes(library_file::APPLICATION);
/// Raised when the meaning of a row changes.
const VERSION: i32 = 1;
/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most rows that a check names one by one.
const MOST_NAMED: u64 = 20;
/// Memory for cached pages of the file, in KB.
const CACHE: i64 = 32 << 10;

const TABLES: &str = "
CREATE TABLE position (
  key BLOB PRIMARY KEY NOT NULL,
  games INTEGER NOT NULL DEFAULT 0,
  black INTEGER NOT NULL DEFAULT 0,
  white INTEGER NOT NULL DEFAULT 0,
  draws INTEGER NOT NULL DEFAULT 0,
  score INTEGER,
  depth INTEGER,
  nodes INTEGER,
  outcome INTEGER,
  plies INTEGER,
  checked INTEGER,
  marked INTEGER,
  tag TEXT,
  comment TEXT,
  marks TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE source (
  fingerprint INTEGER PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  games INTEGER NOT NULL,
  positions INTEGER NOT NULL
) STRICT;
";

/// A library of positions in a file.
#[derive(Debug)]
pub struct Library {
    connection: Mutex<Connection>,
    path: PathBuf,
}

/// Where an import came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// A hash of what was read.
    pub fingerprint: u64,
    /// The file's name, without its folder.
    pub name: String,
    /// Games in it.
    pub games: u64,
    /// Positions in it, each as often as it came up.
    pub positions: u64,
}

/// The contents of a library, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Positions.
    pub positions: u64,
    /// Those that came up in games.
    pub played: u64,
    /// Those with a score of the engine.
    pub scored: u64,
    /// Those that are decided.
    pub decided: u64,
    /// Those with a comment.
    pub commented: u64,
}

impl Library {
    /// Opens an existing library, for reading only where the system forbids writing. A folder that can be written helps
    /// SQLite to tidy up beside the file, but is not needed. Without one the library is read as it is now: what others
    /// write to it meanwhile may make reading fail.
    ///
    /// # Errors
    /// There is none, it is another kind of file, of a newer version or damaged, or the system refuses access.
    pub fn open(path: &Path) -> Result<Library, LibraryError> {
        Library::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, false)
    }

    /// Opens a library for reading only.
    ///
    /// # Errors
    /// Those of [`Library::open`].
    pub fn open_to_read(path: &Path) -> Result<Library, LibraryError> {
        let library = Library::open(path)?;
        library.connection.lock().pragma_update(None, "query_only", true)?;
        Ok(library)
    }

    /// Opens a library, which is created if there is no such file.
    ///
    /// # Errors
    /// Those of [`Library::open`].
    pub fn open_or_create(path: &Path) -> Result<Library, LibraryError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        Library::connect(path, flags, true)
    }

    /// A library in memory, which nobody else sees.
    ///
    /// # Errors
    /// The system gives no memory.
    pub fn in_memory() -> Result<Library, LibraryError> {
        Library::set_up(Connection::open_in_memory()?, PathBuf::from(":memory:"), true)
    }

    fn connect(path: &Path, flags: OpenFlags, may_create: bool) -> Result<Library, LibraryError> {
        match Library::connect_writing(path, flags, may_create) {
            Err(error) if needs_folder(&error) && path.exists() => {
                Library::connect_unchanging(path).unwrap_or(Err(error))
            }
            connected => connected,
        }
    }

    /// Opens a file beside which something can be written. Where the system forbids to write to the file itself, SQLite
    /// opens it for reading only.
    fn connect_writing(path: &Path, flags: OpenFlags, may_create: bool) -> Result<Library, LibraryError> {
        if !may_create && !path.exists() {
            return Err(LibraryError::Missing(path.to_owned()));
        }
        // For SQLite no name and `:memory:` are no files, but that is not what somebody wants who gives a path.
        let file = std::path::absolute(path).ok().filter(|file| !file.is_dir());
        let Some(file) = file else { return Err(LibraryError::Foreign(path.to_owned())) };
        let connection = Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        Library::set_up(connection, path.to_owned(), may_create)
    }

    /// Opens a file beside which nothing can be written, as if it could not change. `None` if part of its contents
    /// still lies in the log of a program that has not closed it, or if its name cannot be told to SQLite.
    fn connect_unchanging(path: &Path) -> Option<Result<Library, LibraryError>> {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        if std::fs::metadata(log).is_ok_and(|log| log.len() > 0) {
            return None;
        }
        let file = std::path::absolute(path).ok()?;
        let mut name = file.to_str()?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        if cfg!(windows) {
            name = format!("/{}", name.replace('\\', "/"));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(
            format!("file:{name}?immutable=1"),
            flags | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        );
        Some(
            connection
                .map_err(LibraryError::from)
                .and_then(|connection| Library::set_up(connection, path.to_owned(), false)),
        )
    }

    fn set_up(mut connection: Connection, path: PathBuf, may_create: bool) -> Result<Library, LibraryError> {
        let (application, version) =
            prepare(&mut connection, may_create).map_err(|error| match error.sqlite_error_code() {
                Some(ErrorCode::NotADatabase) => LibraryError::Foreign(path.clone()),
                _ => error.into(),
            })?;
        if application != APPLICATION {
            return Err(LibraryError::Foreign(path));
        }
        if version != VERSION {
            return Err(LibraryError::Version(version));
        }
        Ok(Library { connection: Mutex::new(connection), path })
    }

    /// Whether nobody else has the file open. Only then can it leave the mode in which several programs share it, so
    /// this is for a library that will be closed.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        let connection = self.connection.lock();
        let mode =
            connection.pragma_update_and_check(None, "journal_mode", "delete", |row| row.get::<_, String>(0));
        mode.is_ok_and(|mode| mode == "delete")
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is known of the position with this key, in the orientation of the key.
    ///
    /// # Errors
    /// The file cannot be read, or a row is invalid.
    pub fn get(&self, key: &PositionKey) -> Result<Option<Entry>, LibraryError> {
        get(&self.connection.lock(), key)
    }

    /// Writes entries, in the orientations of their keys, replacing what was there: all or none.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn put_all<'a>(
        &self,
        entries: impl IntoIterator<Item = (&'a PositionKey, &'a Entry)>,
    ) -> Result<(), LibraryError> {
        self.in_transaction(|connection| {
            entries.into_iter().try_for_each(|(key, entry)| write_row(connection, key, entry))
        })
    }

    /// Reads and writes in one transaction, so that nobody else writes between the two: all or nothing.
    pub(super) fn in_transaction<T, E: From<LibraryError>>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let failed = |error: rusqlite::Error| E::from(error.into());
        let mut connection = self.connection.lock();
        let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(failed)?;
        let done = work(&transaction)?;
        transaction.commit().map_err(failed)?;
        Ok(done)
    }

    /// Looks up a position and all positions after one more stone.
    ///
    /// # Errors
    /// The file cannot be read, or a row is invalid.
    pub fn look_up(&self, rule: Rule, stones: &Stones) -> Result<PositionRecord, LibraryError> {
        let Some(Canonical { key, symmetry }) = PositionKey::of(rule, stones) else {
            return Ok(PositionRecord::default());
        };
        let size = stones.size();
        let connection = self.connection.lock();
        // One transaction gives a consistent view of the file, and is also quicker.
        let view = connection.unchecked_transaction()?;
        let entry = get(&view, &key)?.map(|entry| entry.turned(symmetry.inverse(), size));
        let mut branches = Vec::new();
        let mut statement = view.prepare_cached(&select("key = ?1"))?;
        for (point, after) in KeyWalk::all_after(rule, stones) {
            let found = statement.query_row([after.key.as_bytes()], |row| Ok(entry_of(row))).optional()?;
            if let Some(entry) = found {
                let entry = entry?.turned(after.symmetry.inverse(), size);
                branches.push(Branch { point, entry });
            }
        }
        Ok(PositionRecord { entry, branches })
    }

    /// All keys and entries in the order of the keys, for tests that compare two libraries.
    #[cfg(test)]
    pub(crate) fn contents(&self) -> Vec<(PositionKey, Entry)> {
        let mut all = Vec::new();
        let told = self.for_each(|key, entry| {
            all.push((key, entry));
            Ok::<(), LibraryError>(())
        });
        told.expect("every row is an entry");
        all
    }

    /// Passes all keys and entries, in the order of the keys, to a function that may fail.
    ///
    /// # Errors
    /// Those of the function; the file cannot be read, or a row is invalid.
    pub fn for_each<E: From<LibraryError>>(
        &self,
        mut tell: impl FnMut(PositionKey, Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_row(|row| {
            let (key, entry) = row?;
            tell(key, entry)
        })
    }

    /// Passes all rows, in the order of the keys, to a function that may fail; a row that means nothing as an error.
    ///
    /// # Errors
    /// Those of the function; the file cannot be read.
    pub(super) fn for_each_row<E: From<LibraryError>>(
        &self,
        mut tell: impl FnMut(Result<(PositionKey, Entry), LibraryError>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_row_where("1 ORDER BY key", None, |_, row| tell(row))
    }

    /// Passes the rows that SQL selects to a function that may fail, with the bytes of their keys.
    ///
    /// # Errors
    /// Those of the function; the file cannot be read.
    pub(super) fn for_each_row_where<E: From<LibraryError>>(
        &self,
        condition: &str,
        parameter: Option<&[u8]>,
        mut tell: impl FnMut(&[u8], Result<(PositionKey, Entry), LibraryError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let connection = self.connection.lock();
        let failed = |error: rusqlite::Error| E::from(error.into());
        let mut statement = connection.prepare(&select(condition)).map_err(failed)?;
        let mut rows = statement.query(rusqlite::params_from_iter(parameter)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let bytes: Vec<u8> = row.get("key").map_err(failed)?;
            let read = PositionKey::from_bytes(&bytes).ok().zip(entry_of(row).ok());
            tell(&bytes, read.ok_or_else(|| LibraryError::Row(bytes.clone())))?;
        }
        Ok(())
    }

    /// The keys of a rule and a board, in their order.
    pub(super) fn keys(&self, rule: Rule, size: Size) -> Result<Vec<PositionKey>, LibraryError> {
        let head = PositionKey::prefix(rule, size);
        let behind = [head[0], head[1], head[2] + 1];
        let connection = self.connection.lock();
        let mut statement =
            connection.prepare("SELECT key FROM position WHERE key >= ?1 AND key < ?2 ORDER BY key")?;
        let mut rows = statement.query(params![&head[..], &behind[..]])?;
        let mut keys = Vec::new();
        while let Some(row) = rows.next()? {
            let bytes: Vec<u8> = row.get(0)?;
            keys.push(PositionKey::from_bytes(&bytes).map_err(|_| LibraryError::Row(bytes))?);
        }
        Ok(keys)
    }

    /// The rules and boards for which it has positions.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn boards(&self) -> Result<Vec<(Rule, Size)>, LibraryError> {
        let connection = self.connection.lock();
        // Jumps from one prefix of keys to the next, without reading what is between.
        let mut statement =
            connection.prepare("SELECT key FROM position WHERE key >= ?1 ORDER BY key LIMIT 1")?;
        let mut found = Vec::new();
        let mut from: Vec<u8> = Vec::new();
        while let Some(bytes) =
            statement.query_row(params![from], |row| row.get::<_, Vec<u8>>(0)).optional()?
        {
            let key = PositionKey::from_bytes(&bytes).map_err(|_| LibraryError::Row(bytes))?;
            found.push((key.rule(), key.size()));
            from = PositionKey::prefix(key.rule(), key.size()).to_vec();
            from[2] += 1;
        }
        Ok(found)
    }

    /// Counts the contents.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn count(&self) -> Result<Count, LibraryError> {
        let sql = "SELECT count(*), count(*) FILTER (WHERE games > 0), count(score), count(outcome), count(comment) \
                   FROM position";
        Ok(self.connection.lock().query_row(sql, [], |row| {
            let number = |column: usize| row.get::<_, i64>(column).map(|number| number.max(0) as u64);
            Ok(Count {
                positions: number(0)?,
                played: number(1)?,
                scored: number(2)?,
                decided: number(3)?,
                commented: number(4)?,
            })
        })?)
    }

    /// What has been imported.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn sources(&self) -> Result<Vec<Source>, LibraryError> {
        let connection = self.connection.lock();
        let mut statement =
            connection.prepare("SELECT fingerprint, name, games, positions FROM source ORDER BY rowid")?;
        let source = |row: &rusqlite::Row<'_>| {
            Ok(Source {
                fingerprint: row.get::<_, i64>(0)?.cast_unsigned(),
                name: row.get(1)?,
                games: row.get::<_, i64>(2)?.max(0) as u64,
                positions: row.get::<_, i64>(3)?.max(0) as u64,
            })
        };
        Ok(statement.query_map([], source)?.collect::<Result<_, _>>()?)
    }

    /// Checks every page and every row. Returns what is wrong with the file; nothing is wrong if the list is empty. Of
    /// very many rows the last line gives the number.
    ///
    /// # Errors
    /// The file cannot even be read.
    pub fn check(&self) -> Result<Vec<String>, LibraryError> {
        let mut found: Vec<String> = {
            let connection = self.connection.lock();
            let mut statement = connection.prepare("PRAGMA integrity_check")?;
            let said = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
            said.into_iter().filter(|line| line != "ok").collect()
        };
        let mut count = 0;
        let rows = self.for_each_row(|row| {
            let mistake = match row {
                Err(error) => Some(error.to_string()),
                Ok((key, _)) if !key.is_least() => {
                    Some(format!("the key {key:?} is not the least of its images"))
                }
                Ok((key, entry)) => entry.mistake().map(|mistake| format!("the key {key:?}: {mistake}")),
            };
            if let Some(mistake) = mistake {
                count += 1;
                if count <= MOST_NAMED {
                    found.push(mistake);
                }
            }
            Ok::<(), LibraryError>(())
        });
        if count > MOST_NAMED {
            found.push(format!("and so on: {count} rows in all"));
        }
        if let Err(error) = rows {
            found.push(error.to_string());
        }
        Ok(found)
    }

    /// The connection, for writing many things in one transaction.
    pub(super) fn connection(&mut self) -> &mut Connection {
        self.connection.get_mut()
    }

    /// The same for those who share the library, under its lock.
    pub(super) fn locked<T>(&self, work: impl FnOnce(&mut Connection) -> T) -> T {
        work(&mut self.connection.lock())
    }
}

/// Whether SQLite failed because it has to write beside the file, where the index of its log lies.
fn needs_folder(error: &LibraryError) -> bool {
    let LibraryError::Store(error) = error else { return false };
    matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

/// Configures the connection, and makes the tables of a new file. Returns the application id and the version of the
/// file.
fn prepare(connection: &mut Connection, may_create: bool) -> rusqlite::Result<(i32, i32)> {
    connection.busy_timeout(PATIENCE)?;
    // SQL in the schema of a foreign file must not be run.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "cache_size", -CACHE)?;
    let number = |connection: &Connection, name: &str| -> rusqlite::Result<i32> {
        connection.pragma_query_value(None, name, |row| row.get(0))
    };
    connection.pragma_update(None, "synchronous", "normal")?;
    let tables = |connection: &Connection| -> rusqlite::Result<i64> {
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
    };
    // The file of another program stays as it is.
    if may_create && (tables(connection)? == 0 || number(connection, "application_id")? == APPLICATION) {
        // In WAL mode, readers and one writer do not wait for each other. The file remembers the mode.
        connection.pragma_update(None, "journal_mode", "wal")?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if tables(&transaction)? == 0 && number(&transaction, "application_id")? == 0 {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
    }
    Ok((number(connection, "application_id")?, number(connection, "user_version")?))
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
