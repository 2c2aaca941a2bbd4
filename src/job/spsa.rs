//! SPSA as a job, in pairs of games that do not wait for each other. A shard plays its pairs around values that it is
//! given, or that follow from the shards that are done when it begins. Its manifest records these values, so the
//! contents of a shard follow from its number and the values.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::file::Job;
use super::manifest::{ShardManifest, ShardOutcome, folder_of, read_all};
use super::shard_environment::{ShardEnvironment, ShardOutput};
use super::spsa_pairs;
use super::spsa_run::SpsaRun;
use super::work::SpsaWork;
use crate::files::{read_if_there, write_whole, write_whole_to_disk};

/// The file in a shard's folder with the values that it was given, so that it continues with the same ones.
const GIVEN_FILE: &str = "given.json";
/// The file with the progress in the merged folder, from which `kagetsu spsa` continues.
const PROGRESS_FILE: &str = "spsa.json";

impl SpsaWork {
    /// Plays a shard.
    ///
    /// # Errors
    /// The parameters of this build cannot be set, or a file cannot be read or written.
    pub(super) fn run(
        &self,
        job: &Job,
        shard: u32,
        results: &Path,
        environment: &ShardEnvironment,
    ) -> anyhow::Result<ShardOutput> {
        let values = self.given(job, shard, results, environment)?;
        let points = spsa_pairs::points(self, shard, &values, environment)?;
        Ok(points.map(|points| (vec![GIVEN_FILE.to_owned()], ShardOutcome::Pairs { values, points })))
    }

    fn given(
        &self,
        job: &Job,
        shard: u32,
        results: &Path,
        environment: &ShardEnvironment,
    ) -> anyhow::Result<Vec<f64>> {
        let path = folder_of(results, shard).join(GIVEN_FILE);
        if let Some(values) = read_given(&path)? {
            return Ok(values);
        }
        let values = match &environment.given {
            Some(values) => values.clone(),
            None => self.learned(&read_all(job, results)?)?.1,
        };
        write_whole_to_disk(&path, serde_json::to_string(&values)?)?;
        Ok(values)
    }

    /// The number of pairs played, and the values after them. Shards are learned from in the order of their numbers, no
    /// matter when they were played.
    ///
    /// # Errors
    /// The parameters of this build cannot be set, or a manifest belongs to other work.
    pub(super) fn learned(&self, manifests: &[ShardManifest]) -> anyhow::Result<(u32, Vec<f64>)> {
        let mut shards: Vec<(u32, &[f64], &[i32])> = Vec::new();
        for manifest in manifests {
            let ShardOutcome::Pairs { values, points } = &manifest.outcome else {
                anyhow::bail!("shard {} holds no pairs", manifest.shard)
            };
            shards.push((manifest.shard, values, points));
        }
        shards.sort_by_key(|&(shard, ..)| shard);
        spsa_pairs::learned(self, &shards)
    }

    /// The values by name, as moved by the pairs so far.
    pub(super) fn figures(&self, manifests: &[ShardManifest]) -> anyhow::Result<Value> {
        let (pairs, values) = self.learned(manifests)?;
        let names = self.start.iter().map(|(name, _)| name);
        Ok(json!({
            "pairs": pairs, "planned": self.pairs, "values": values,
            "named": names.zip(&values).collect::<Vec<_>>(),
        }))
    }

    /// Writes the values that were found.
    ///
    /// # Errors
    /// The parameters of this build cannot be set, or the file cannot be written.
    pub(super) fn merge(&self, job: &Job, manifests: &[ShardManifest], out: &Path) -> anyhow::Result<String> {
        let (pairs, values) = self.learned(manifests)?;
        let named: Vec<(&String, &f64)> = self.start.iter().map(|(name, _)| name).zip(&values).collect();
        let run = SpsaRun {
            recipe: self.recipe.clone(),
            seed: self.seed,
            names: self.names.clone(),
            build: job.build.clone(),
        };
        let path = out.join(PROGRESS_FILE);
        write_whole(
            &path,
            serde_json::to_string_pretty(&json!({ "pairs": pairs, "values": named, "run": run }))? + "\n",
        )?;
        Ok(format!("values after {pairs} pairs in {}", path.display()))
    }
}

/// The values that a shard was given; `None` if there are none yet. A file that was cut off, as by a power failure, is
/// none: nothing has come of these values, and otherwise it would block the shard for good.
///
/// # Errors
/// The file cannot be read, or holds something else.
fn read_given(path: &Path) -> anyhow::Result<Option<Vec<f64>>> {
    let Some(bytes) = read_if_there(path)? else { return Ok(None) };
    match serde_json::from_slice(&bytes) {
        Ok(values) => Ok(Some(values)),
        Err(error) if error.is_data() => Err(error).with_context(|| path.display().to_string()),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
#[path = "spsa_tests.rs"]
mod tests;
