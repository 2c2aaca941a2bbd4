//! The files that a library knows by their names, because those that grow are imported again.

use std::collections::{HashMap, HashSet};

use crate::library::{Library, LibraryError, Source};

/// The fingerprints of the files that have one name.
pub(super) type Fingerprints = HashSet<u64>;

/// What was imported, by the names of the files.
#[derive(Debug, Default)]
pub(super) struct KnownFiles {
    by_name: HashMap<String, Fingerprints>,
    /// The names that were known before this import.
    before: HashSet<String>,
    /// The fingerprints of no file.
    none: Fingerprints,
}

impl KnownFiles {
    /// What was imported so far.
    ///
    /// # Errors
    /// The library cannot be read.
    pub fn of(library: &Library) -> Result<KnownFiles, LibraryError> {
        let mut known = KnownFiles::default();
        for source in library.sources()? {
            known.add(&source);
        }
        known.before = known.by_name.keys().cloned().collect();
        Ok(known)
    }

    /// Adds a file that has been imported.
    pub fn add(&mut self, source: &Source) {
        self.by_name.entry(source.name.clone()).or_default().insert(source.fingerprint);
    }

    /// Whether a file of this name had been imported before this import began.
    pub fn had(&self, name: &str) -> bool {
        self.before.contains(name)
    }

    /// The files of this name; none if there is no such file.
    pub fn named(&self, name: &str) -> &Fingerprints {
        self.by_name.get(name).unwrap_or(&self.none)
    }
}
