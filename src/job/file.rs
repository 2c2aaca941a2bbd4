//! The job file. It is JSON, so that drivers in any language can read it.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::build::{Build, OtherBuild, sha256};
use super::work::Work;
use crate::formats::text::{decode, quoted};

/// The format of the file; the number increases when the meaning of a job changes.
const FORMAT: &str = "kagetsu job 2";
/// Hexadecimal digits of a job's name: enough to rule out that two jobs share one.
const NAME_DIGITS: usize = 16;

/// Everything that determines what the shards of a job hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    format: String,
    /// Which build does it.
    pub build: Build,
    /// How many shards there are, numbered from 0.
    pub shards: u32,
    /// What is done.
    pub work: Work,
}

/// The field that the file has in every version.
#[derive(Deserialize)]
struct Versioned {
    format: String,
}

impl Job {
    /// A job for this work and build.
    ///
    /// # Errors
    /// Work that cannot be cut into shards.
    pub fn new(build: Build, work: Work) -> anyhow::Result<Job> {
        let shards = work.shards()?;
        Ok(Job { format: FORMAT.to_owned(), build, shards, work })
    }

    /// Reads a job.
    ///
    /// # Errors
    /// The file cannot be read, is not a job, or has another version.
    pub fn read(path: &Path) -> anyhow::Result<Job> {
        let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        Job::parse(&decode(&bytes)).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> anyhow::Result<Job> {
        let versioned: Versioned = serde_json::from_str(text).context("this is not a job")?;
        if versioned.format != FORMAT {
            bail!("this is a `{}`, but this program knows `{FORMAT}`", quoted(&versioned.format));
        }
        let job: Job = serde_json::from_str(text).context("this is not a job")?;
        let shards = job.work.shards()?;
        ensure!(job.shards == shards, "the job says that it has {} shards, but has {shards}", job.shards);
        Ok(job)
    }

    /// The job as JSON text.
    ///
    /// # Errors
    /// None are known.
    pub fn to_json(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The name of the job, which changes as soon as anything in the job does, except for where its files were when it
    /// was planned.
    ///
    /// # Errors
    /// None are known.
    pub fn name(&self) -> anyhow::Result<String> {
        let job = Job { work: self.work.without_places(), ..self.clone() };
        let mut name = sha256(serde_json::to_string(&job)?.as_bytes());
        name.truncate(NAME_DIGITS);
        Ok(name)
    }

    /// Makes sure that this build may do the job.
    ///
    /// # Errors
    /// It was planned with another build.
    pub fn ensure_build(&self, this: &Build) -> Result<(), Box<OtherBuild>> {
        if self.build == *this {
            return Ok(());
        }
        Err(Box::new(OtherBuild { planned: self.build.clone(), found: this.clone() }))
    }

    /// Makes sure that the job has a shard with this number.
    ///
    /// # Errors
    /// The job has no such shard.
    pub fn ensure_shard(&self, shard: u32) -> anyhow::Result<()> {
        ensure!(shard < self.shards, "there is no shard {shard}: the job has 0 to {}", self.shards - 1);
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::pinned_files::PinnedFile;
    use super::super::recipe::RecipeFile;
    use super::super::work::{RescoreInput, RescoreWork, SelfplayWork};
    use super::*;
    use crate::data::selfplay::GameRecipe;

    /// A job of self-play with three shards.
    pub(in crate::job) fn job() -> Job {
        let recipe = RecipeFile::of(&GameRecipe::new(60));
        let work = SelfplayWork { recipe, seed: 7, games: 5, games_per_shard: 2 };
        Job::new(Build::this(1), Work::Selfplay(work)).unwrap()
    }

    #[test]
    fn a_job_is_read_as_it_was_written() {
        let job = job();
        assert_eq!((Job::parse(&job.to_json().unwrap()).unwrap(), job.shards), (job.clone(), 3));
        let mut other = job.clone();
        other.build.signature += 1;
        assert_ne!(other.name().unwrap(), job.name().unwrap());
        assert!(job.ensure_build(&other.build).is_err());
        assert!(job.ensure_shard(2).is_ok() && job.ensure_shard(3).is_err());
    }

    #[test]
    fn a_name_does_not_depend_on_folders() {
        let job = |path: &str, sha256: &str| {
            let (name, sha256) = ("games/a.kgr".to_owned(), sha256.to_owned());
            let file = PinnedFile { name, path: path.to_owned(), sha256 };
            let inputs = vec![RescoreInput { file, games: 3 }];
            let work = RescoreWork { inputs, nodes: 100, games_per_shard: 2 };
            Job::new(Build::this(1), Work::Rescore(work)).unwrap().name().unwrap()
        };
        assert_eq!(job("/here/games/a.kgr", "1"), job("/there/games/a.kgr", "1"));
        assert_ne!(job("/here/games/a.kgr", "1"), job("/here/games/a.kgr", "2"));
    }

    #[test]
    fn what_is_no_job_is_told() {
        let text = job().to_json().unwrap();
        for (from, to, said) in [
            ("kagetsu job 2", "kagetsu job 1", "kagetsu job 1"),
            ("\"shards\": 3", "\"shards\": 4", "has 3"),
            ("\"selfplay\"", "\"gardening\"", "gardening"),
            ("{", "", "not a job"),
        ] {
            let error = format!("{:#}", Job::parse(&text.replacen(from, to, 1)).unwrap_err());
            assert!(error.contains(said), "{error}");
        }
    }
}
