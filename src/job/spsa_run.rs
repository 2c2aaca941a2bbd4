//! The file with the progress of SPSA, and what it says about the run that it belongs to. Without this, values that
//! other games have moved would go on as if nothing had happened.

#[cfg(feature = "tunable")]
use std::{fs::File, path::Path};

#[cfg(feature = "tunable")]
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::build::Build;
use super::recipe::RecipeFile;
#[cfg(feature = "tunable")]
use crate::files::{beside, lock, read_if_there, write_whole};
#[cfg(feature = "tunable")]
use crate::formats::text::decode;
#[cfg(feature = "tunable")]
use crate::tune::spsa::Progress;

/// A run of SPSA, apart from its length: a run may be made longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaRun {
    /// How the games are played.
    pub recipe: RecipeFile,
    /// The seed of the openings and the perturbations.
    pub seed: u64,
    /// The parameters that may move; all if empty.
    pub names: Vec<String>,
    /// The build that plays.
    pub build: Build,
}

#[cfg(feature = "tunable")]
impl SpsaRun {
    /// The first difference because of which one run cannot go on with the values of the other.
    fn difference(&self, other: &SpsaRun) -> Option<&'static str> {
        let SpsaRun { recipe, seed, names, build } = self;
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        let differences = [
            (*recipe != other.recipe, "the rules, boards, nodes or openings of its games"),
            (*seed != other.seed, "the seed"),
            (sorted(names) != sorted(&other.names), "the parameters that are tuned"),
            (*build != other.build, "the build"),
        ];
        differences.into_iter().find(|&(differs, _)| differs).map(|(_, what)| what)
    }
}

/// What the file with the progress holds.
#[cfg(feature = "tunable")]
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SpsaFile {
    /// How far the run has come.
    #[serde(flatten)]
    pub progress: Progress,
    /// The run; missing in files of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<SpsaRun>,
}

#[cfg(feature = "tunable")]
impl SpsaFile {
    /// Keeps other processes from writing the file until the returned one is closed.
    ///
    /// # Errors
    /// Another process is writing it.
    pub fn hold(path: &Path) -> anyhow::Result<File> {
        let held = lock::take(&beside(path, ".lock"))?;
        held.with_context(|| format!("{} belongs to a run that is still under way", path.display()))
    }

    /// Reads the file. If there is none, nothing has been played.
    ///
    /// # Errors
    /// The file cannot be read or holds something else.
    pub fn read(path: &Path) -> anyhow::Result<SpsaFile> {
        let Some(bytes) = read_if_there(path)? else { return Ok(SpsaFile::default()) };
        serde_json::from_str(&decode(&bytes)).with_context(|| format!("{} holds no progress", path.display()))
    }

    /// Makes sure that the file holds no other run than this one.
    ///
    /// # Errors
    /// It does; the error names the first difference.
    pub fn ensure_is_of(&self, run: &SpsaRun, path: &Path) -> anyhow::Result<()> {
        let difference = self.run.as_ref().and_then(|before| before.difference(run)).unwrap_or_default();
        ensure!(
            difference.is_empty(),
            "{} holds a run that differs in {difference}; this one needs a file of its own",
            path.display()
        );
        Ok(())
    }

    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        write_whole(path, serde_json::to_string_pretty(self)? + "\n")
    }
}
