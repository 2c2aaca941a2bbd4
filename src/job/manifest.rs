//! The manifest of a finished shard: the job that it belongs to, its outcome, and the hashes of its files.
//!
//! The manifest is written last and in one go, so a shard that has one is complete. It is small, because deciding about
//! a job takes many manifests but none of the other files. It holds its own hash, because nothing else would notice a
//! changed outcome.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::build::{Build, sha256};
use super::file::Job;
use crate::files::read_if_there;

/// What the format of every version begins with.
const FORMAT_NAME: &str = "kagetsu shard ";
/// Its version of today.
const FORMAT: &str = "kagetsu shard 2";
/// The name of the manifest in the folder of a shard.
pub const MANIFEST_FILE: &str = "done.json";

/// The manifest of a shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardManifest {
    format: String,
    /// The name of its job.
    pub job: String,
    /// The build that did it.
    pub build: Build,
    /// Its number.
    pub shard: u32,
    /// Its files.
    pub files: Vec<ManifestFile>,
    /// Its outcome.
    pub outcome: ShardOutcome,
    /// How long it took, in seconds, if it was done without interruption.
    pub seconds: f64,
    /// SHA-256 of all of this with nothing in this place, as compact JSON.
    sha256: String,
}

/// The field that manifests have in every version.
#[derive(Deserialize)]
struct Versioned {
    format: String,
}

/// Why a text is not the manifest of a shard of a job.
#[derive(Debug)]
pub enum ManifestError {
    /// Whatever it was, it is damaged. The shard can be done again.
    Damaged,
    /// It is whole and has another format, or belongs to another job or build.
    Foreign(String),
}

impl std::error::Error for ManifestError {}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManifestError::Damaged => f.write_str("this is not the manifest of a shard, or it is damaged"),
            ManifestError::Foreign(why) => f.write_str(why),
        }
    }
}

/// Reads the manifests of one job.
#[derive(Clone, Debug)]
pub struct ManifestReader<'a> {
    job: &'a Job,
    /// The name of the job. It is the hash of everything in it, which may be much, so it is made once.
    name: String,
}

impl<'a> ManifestReader<'a> {
    /// A reader for this job.
    ///
    /// # Errors
    /// Those of [`Job::name`].
    pub fn new(job: &'a Job) -> anyhow::Result<ManifestReader<'a>> {
        Ok(ManifestReader { job, name: job.name()? })
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// The text is not a manifest or damaged, or belongs to another job or build.
    pub fn parse(&self, text: &str) -> Result<ShardManifest, ManifestError> {
        let foreign = |why: String| Err(ManifestError::Foreign(why));
        let Versioned { format } = serde_json::from_str(text).map_err(|_| ManifestError::Damaged)?;
        if format != FORMAT && format.starts_with(FORMAT_NAME) {
            return foreign(format!("this manifest has a format that this program does not know, {format}"));
        }
        let manifest: ShardManifest = serde_json::from_str(text).map_err(|_| ManifestError::Damaged)?;
        if manifest.format != FORMAT || manifest.hash() != manifest.sha256 {
            return Err(ManifestError::Damaged);
        }
        if manifest.build != self.job.build {
            let (found, needed) = (&manifest.build, &self.job.build);
            return foreign(format!("this shard was done by another build: {found}; the job needs {needed}"));
        }
        if manifest.job != self.name {
            let (found, name) = (&manifest.job, &self.name);
            return foreign(format!("this shard belongs to another job, {found}; this one is {name}"));
        }
        match self.job.ensure_shard(manifest.shard) {
            Ok(()) => Ok(manifest),
            Err(error) => foreign(error.to_string()),
        }
    }

    /// Reads the manifest of a shard among the results; `None` if there is none yet, or only one that is damaged:
    /// otherwise it would block the job for good, although the shard can be done again.
    ///
    /// # Errors
    /// The file cannot be read, has an unknown format, or belongs to another job, build or shard.
    pub fn read(&self, results: &Path, shard: u32) -> anyhow::Result<Option<ShardManifest>> {
        let path = folder_of(results, shard).join(MANIFEST_FILE);
        let Some(bytes) = read_if_there(&path)? else { return Ok(None) };
        let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
        let manifest = match self.parse(&text) {
            Ok(manifest) => manifest,
            Err(ManifestError::Damaged) => return Ok(None),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        ensure!(
            manifest.shard == shard,
            "{}: this is the manifest of shard {}",
            path.display(),
            manifest.shard
        );
        Ok(Some(manifest))
    }
}

/// A file of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Its name in the folder of the shard.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// The outcome of a shard, as far as it concerns the whole job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ShardOutcome {
    /// Games of a match, each with its number and the half points of the first engine of its encounter.
    Match {
        /// Number and half points.
        games: Vec<(usize, usize)>,
        /// Games that were decided by a fault.
        faults: usize,
        /// Moves that engines chose.
        moves: usize,
    },
    /// Training games.
    Games {
        /// How many.
        games: u64,
        /// Searched positions in them.
        positions: u64,
    },
    /// Pairs of games for SPSA.
    Pairs {
        /// The parameter values around which they were played, in the order of the job.
        values: Vec<f64>,
        /// Wins minus losses of the first side in each pair.
        points: Vec<i32>,
    },
    /// Positions that were searched for wins.
    Proofs {
        /// Positions that are won.
        won: usize,
        /// Positions in which no such win exists.
        refuted: usize,
        /// Positions that are undecided.
        open: usize,
    },
    /// Positions of a book whose moves were ranked.
    Rankings {
        /// How many.
        positions: u64,
        /// Nodes that were searched for this.
        nodes: u64,
    },
}

/// The folder of a shard among the results of its job.
#[must_use]
pub fn folder_of(results: &Path, shard: u32) -> PathBuf {
    results.join(folder_name(shard))
}

fn folder_name(shard: u32) -> String {
    format!("{shard:06}")
}

impl ShardManifest {
    /// A manifest of these files in the folder of a shard.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn new(
        job: &Job,
        shard: u32,
        folder: &Path,
        names: &[String],
        outcome: ShardOutcome,
        seconds: f64,
    ) -> anyhow::Result<ShardManifest> {
        let file = |name: &String| {
            let path = folder.join(name);
            let bytes = std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            Ok(ManifestFile { name: name.clone(), bytes: bytes.len() as u64, sha256: sha256(&bytes) })
        };
        let files = names.iter().map(file).collect::<anyhow::Result<_>>()?;
        let (format, job, build) = (FORMAT.to_owned(), job.name()?, job.build.clone());
        let manifest =
            ShardManifest { format, job, build, shard, files, outcome, seconds, sha256: String::new() };
        Ok(ShardManifest { sha256: manifest.hash(), ..manifest })
    }

    /// The hash of all that it says.
    fn hash(&self) -> String {
        let unsigned = ShardManifest { sha256: String::new(), ..self.clone() };
        sha256(serde_json::to_string(&unsigned).unwrap_or_default().as_bytes())
    }

    /// The contents of the files, in the order of the manifest.
    ///
    /// # Errors
    /// A file cannot be read, or has changed.
    pub fn contents(&self, results: &Path) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
        let read = |file: &ManifestFile| {
            let path = self.path_of(file, results)?;
            let bytes = std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            ensure!(
                file.holds(&bytes),
                "{} has changed since the shard was finished; remove its folder",
                path.display()
            );
            Ok((path, bytes))
        };
        self.files.iter().map(read).collect()
    }

    /// Whether every file is there as it was when the shard was finished.
    ///
    /// # Errors
    /// A file cannot be read, which proves nothing about its contents.
    pub fn is_intact(&self, results: &Path) -> anyhow::Result<bool> {
        for file in &self.files {
            let path = self.path_of(file, results)?;
            if !read_if_there(&path)?.is_some_and(|bytes| file.holds(&bytes)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn path_of(&self, file: &ManifestFile, results: &Path) -> anyhow::Result<PathBuf> {
        let is_plain = Path::new(&file.name).file_name() == Some(file.name.as_ref());
        ensure!(is_plain, "`{}` is not the name of a file in a shard", file.name);
        Ok(folder_of(results, self.shard).join(&file.name))
    }
}

impl ManifestFile {
    fn holds(&self, bytes: &[u8]) -> bool {
        bytes.len() as u64 == self.bytes && sha256(bytes) == self.sha256
    }
}

/// The manifests of all shards that are done, in the order of their numbers.
///
/// # Errors
/// Those of [`ManifestReader::read`], or the folder cannot be read.
pub fn read_all(job: &Job, results: &Path) -> anyhow::Result<Vec<ShardManifest>> {
    let mut shards = Vec::new();
    let entries = results.read_dir().with_context(|| format!("reading {}", results.display()))?;
    for entry in entries {
        let name = entry.with_context(|| format!("reading {}", results.display()))?.file_name();
        // A copy such as `0` beside `000000` is no other shard, and must not count as one.
        let number = name.to_str().and_then(|name| name.parse().ok());
        shards.extend(number.filter(|&number| name == *folder_name(number)));
    }
    shards.sort_unstable();
    let mut manifests = Vec::new();
    let reader = ManifestReader::new(job)?;
    for shard in shards {
        manifests.extend(reader.read(results, shard)?);
    }
    Ok(manifests)
}

#[cfg(test)]
mod tests {
    use super::super::file::tests::job;
    use super::*;

    #[test]
    fn manifests_of_others_are_refused() {
        let temp = tempfile::tempdir().unwrap();
        let results = temp.path().join("results");
        let folder = folder_of(&results, 1);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a"), "abc").unwrap();
        let outcome = ShardOutcome::Games { games: 1, positions: 2 };
        let job = job();
        let manifest = ShardManifest::new(&job, 1, &folder, &["a".to_owned()], outcome, 0.5).unwrap();
        std::fs::write(folder.join(MANIFEST_FILE), serde_json::to_string(&manifest).unwrap()).unwrap();
        assert_eq!(read_all(&job, &results).unwrap(), std::slice::from_ref(&manifest));
        let reader = ManifestReader::new(&job).unwrap();
        assert_eq!(reader.read(&results, 0).unwrap(), None);
        // Only the folder of this very name is the shard.
        for name in ["1", "+00001", "0000001"] {
            std::fs::create_dir_all(results.join(name)).unwrap();
            std::fs::copy(folder.join(MANIFEST_FILE), results.join(name).join(MANIFEST_FILE)).unwrap();
            assert_eq!(read_all(&job, &results).unwrap().len(), 1, "{name}");
            std::fs::remove_dir_all(results.join(name)).unwrap();
        }
        let mut other = job.clone();
        other.build.signature += 1;
        let error = format!("{:#}", read_all(&other, &results).unwrap_err());
        assert!(error.contains("another build") && error.contains("done.json"), "{error}");
        let mut other = manifest.clone();
        other.job = "0".repeat(16);
        other.sha256 = other.hash();
        let error = reader.parse(&serde_json::to_string(&other).unwrap()).unwrap_err();
        assert!(error.to_string().contains("another job"), "{error}");
        assert_eq!(manifest.contents(&results).unwrap()[0].1, b"abc");
        assert!(manifest.is_intact(&results).unwrap());
        std::fs::write(folder.join("a"), "abd").unwrap();
        assert!(!manifest.is_intact(&results).unwrap());
        assert!(manifest.contents(&results).unwrap_err().to_string().contains("has changed"));
        std::fs::rename(&folder, folder_of(&results, 2)).unwrap();
        assert!(read_all(&job, &results).is_err());
        // What is damaged is none; what is whole but unknown is refused.
        let text = serde_json::to_string(&manifest).unwrap();
        let path = folder_of(&results, 2).join(MANIFEST_FILE);
        for damaged in [&b""[..], &text.as_bytes()[..text.len() / 2], &[0; 100], &[0xff; 100]] {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(read_all(&job, &results).unwrap(), []);
        }
        // Whatever bit has changed, it says nothing that was not so.
        for n in 0..8 * text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[n / 8] ^= 1 << (n % 8);
            std::fs::write(&path, damaged).unwrap();
            let said = reader.read(&results, 2);
            assert!(said.as_ref().is_ok_and(Option::is_none) || said.is_err(), "bit {n}: {said:?}");
        }
        std::fs::write(&path, text.replacen(FORMAT, "kagetsu shard 1", 1)).unwrap();
        assert!(format!("{:#}", read_all(&job, &results).unwrap_err()).contains("a format"));
    }
}
