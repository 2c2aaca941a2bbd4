//! SPSA as a job, in pairs of games that do not wait for each other. A shard plays its pairs around values that it is
//! given, or that follow from the shards that are done when it begins. Its manifest records these values, so the
//! contents of a shard follow from its number and the values.

use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::file::Job;
use super::manifest::{ShardManifest, ShardOutcome, folder_of, read_all};
use super::shard_environment::{ShardEnvironment, ShardOutput};
use super::spsa_pairs;
use super::spsa_run::SpsaRun;
use super::work::SpsaWork;
use crate::files::{read_if_there, write_whole_to_disk};

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

    /// Writes the values that were found, up to the first shard that is missing: `kagetsu spsa` continues after the
    /// last pair, so pairs beyond a gap would be played again and count twice.
    ///
    /// # Errors
    /// The parameters of this build cannot be set, the first shard is missing, the file belongs to another run or one
    /// that is under way, or has more pairs, or it cannot be written.
    pub(super) fn merge(&self, job: &Job, manifests: &[ShardManifest], out: &Path) -> anyhow::Result<String> {
        let whole = (0..).zip(manifests).take_while(|(shard, manifest)| manifest.shard == *shard).count();
        ensure!(whole > 0, "shard 0 is missing, and the pairs are learned from in their order");
        let (pairs, values) = self.learned(&manifests[..whole])?;
        let run = SpsaRun {
            recipe: self.recipe.clone(),
            seed: self.seed,
            names: self.names.clone(),
            build: job.build.clone(),
        };
        let path = out.join(PROGRESS_FILE);
        spsa_pairs::write(self, run, pairs, &values, &path)?;
        let left_out = match manifests.len() - whole {
            0 => String::new(),
            1 => ", without 1 shard after the first that is missing".to_owned(),
            shards => format!(", without {shards} shards after the first that is missing"),
        };
        Ok(format!("values after {pairs} pairs in {}{left_out}", path.display()))
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
