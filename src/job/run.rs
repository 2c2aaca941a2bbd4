//! Runs a shard from its beginning to its manifest. Work that was done on it before is kept.

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;

use super::file::Job;
use super::job_state::JobState;
use super::manifest::{MANIFEST_FILE, ShardManifest, folder_of, read_all};
use super::shard_environment::ShardEnvironment;
use super::whole_file::write_whole_to_disk;
use super::work::Work;
use crate::data::lock;

/// How the attempt at a shard ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    /// The shard is done.
    Done(Box<ShardManifest>),
    /// It was done before.
    There(Box<ShardManifest>),
    /// It is not needed: the test is decided without it.
    Needless,
    /// It was interrupted; it continues when it is run again.
    Interrupted,
}

/// The lock of a shard that is being done.
const LOCK_FILE: &str = "lock";

/// Does the remaining work of a shard, in its folder among the results.
///
/// # Errors
/// The job has no such shard, programs or games are not those of the job, or a file cannot be read or written.
pub fn run_shard(job: &Job, shard: u32, results: &Path, how: &ShardEnvironment) -> anyhow::Result<Ran> {
    job.ensure_shard(shard)?;
    let folder = folder_of(results, shard);
    if let Some(manifest) = ShardManifest::read(job, results, shard)? {
        if manifest.contents(results).is_ok() {
            return Ok(Ran::There(Box::new(manifest)));
        }
        // Whatever happened to its files, they can be produced again.
        std::fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    std::fs::create_dir_all(results).with_context(|| format!("making {}", results.display()))?;
    if job.work.can_be_decided() && JobState::of(job, &read_all(job, results)?)?.is_decided() {
        return Ok(Ran::Needless);
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let _lock = take(&folder, shard)?;
    let started = Instant::now();
    let product = match &job.work {
        Work::Match(work) => work.run(shard, &folder, how)?,
        Work::Selfplay(work) => work.run(job, shard, &folder, how)?,
        Work::Rescore(work) => work.run(job, shard, &folder, how)?,
        Work::Spsa(work) => work.run(job, shard, results, how)?,
        Work::Solve(work) => work.run(shard, &folder, how)?,
        Work::Grow(work) => work.run(shard, &folder, how)?,
    };
    let Some((names, outcome)) = product else { return Ok(Ran::Interrupted) };
    let manifest = ShardManifest::new(job, shard, &folder, &names, outcome, started.elapsed().as_secs_f64())?;
    write_whole_to_disk(&folder.join(MANIFEST_FILE), serde_json::to_string(&manifest)? + "\n")?;
    Ok(Ran::Done(Box::new(manifest)))
}

/// Locks the shard for this process: two processes that write the same files would destroy both results.
fn take(folder: &Path, shard: u32) -> anyhow::Result<File> {
    let taken = lock::take(&folder.join(LOCK_FILE))?;
    taken.with_context(|| format!("another process is doing shard {shard} in {}", folder.display()))
}
