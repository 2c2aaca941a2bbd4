//! Runs a shard from its beginning to its manifest. Work that was done on it before is kept.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail, ensure};

use super::file::Job;
use super::job_state::JobState;
use super::manifest::{MANIFEST_FILE, ManifestReader, ShardManifest, folder_of, read_all};
use super::shard_environment::ShardEnvironment;
use super::work::Work;
use crate::files::{is_part_of, lock, make_folder, read_if_there, write_whole_to_disk};

/// How the attempt at a shard ended.
#[derive(Clone, Debug, PartialEq)]
pub enum ShardEnd {
    /// The shard is done.
    Done(Box<ShardManifest>),
    /// It was done before.
    DoneBefore(Box<ShardManifest>),
    /// It is not needed: the test is decided without it.
    NotNeeded,
    /// Another process is doing it.
    HeldElsewhere,
    /// It was interrupted; it continues when it is run again.
    Interrupted,
}

/// The lock of a shard that is being done.
const LOCK_FILE: &str = "lock";
/// The file with the name of the job that a shard was begun for: what is unfinished has no manifest to tell it.
const BEGUN_FILE: &str = "begun.txt";

/// Does the remaining work of a shard, in its folder among the results.
///
/// # Errors
/// The job has no such shard, the folder was begun for another job, programs or games are not those of the job, or a
/// file cannot be read or written.
pub fn run_shard(
    job: &Job,
    shard: u32,
    results: &Path,
    environment: &ShardEnvironment,
) -> anyhow::Result<ShardEnd> {
    job.ensure_shard(shard)?;
    let folder = folder_of(results, shard);
    let reader = ManifestReader::new(job)?;
    if let Some(Finished::Intact(manifest)) = finished(&reader, shard, results)? {
        return Ok(ShardEnd::DoneBefore(manifest));
    }
    make_folder(results)?;
    if job.work.can_be_decided() {
        // A shard whose files are damaged decides nothing, whatever its manifest says.
        let others = read_all(job, results)?.into_iter().filter(|manifest| manifest.shard != shard);
        if JobState::of(job, &others.collect::<Vec<_>>())?.is_decided() {
            return Ok(ShardEnd::NotNeeded);
        }
    }
    make_folder(&folder)?;
    let Some(_lock) = lock::take(&folder.join(LOCK_FILE))? else { return Ok(ShardEnd::HeldElsewhere) };
    // Only under the lock is it sure that nobody is writing these files.
    match finished(&reader, shard, results)? {
        Some(Finished::Intact(manifest)) => return Ok(ShardEnd::DoneBefore(manifest)),
        // Whatever happened to its files, they can be produced again.
        Some(Finished::Damaged) => empty(&folder)?,
        None => {}
    }
    begin(job, &folder)?;
    let started = Instant::now();
    let product = match &job.work {
        Work::Match(work) => work.run(shard, &folder, environment)?,
        Work::Selfplay(work) => work.run(job, shard, &folder, environment)?,
        Work::Rescore(work) => work.run(job, shard, &folder, environment)?,
        Work::Spsa(work) => work.run(job, shard, results, environment)?,
        Work::Solve(work) => work.run(shard, &folder, environment)?,
        Work::Grow(work) => work.run(shard, &folder, environment)?,
    };
    let Some((names, outcome)) = product else { return Ok(ShardEnd::Interrupted) };
    let manifest = ShardManifest::new(job, shard, &folder, &names, outcome, started.elapsed().as_secs_f64())?;
    write_whole_to_disk(&folder.join(MANIFEST_FILE), serde_json::to_string(&manifest)? + "\n")?;
    Ok(ShardEnd::Done(Box::new(manifest)))
}

/// A shard that has a manifest.
enum Finished {
    Intact(Box<ShardManifest>),
    /// Its files are missing or have changed.
    Damaged,
}

fn finished(reader: &ManifestReader<'_>, shard: u32, results: &Path) -> anyhow::Result<Option<Finished>> {
    let Some(manifest) = reader.read(results, shard)? else { return Ok(None) };
    let is_intact = manifest.is_intact(results)?;
    Ok(Some(if is_intact { Finished::Intact(Box::new(manifest)) } else { Finished::Damaged }))
}

/// Removes what is in the folder of a shard, except for the lock, which is held. The manifest goes last: as long as it
/// is there, the shard counts as damaged.
fn empty(folder: &Path) -> anyhow::Result<()> {
    let reading = || format!("reading {}", folder.display());
    for entry in folder.read_dir().with_context(reading)? {
        let entry = entry.with_context(reading)?;
        if [LOCK_FILE, MANIFEST_FILE].iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        let (path, kind) = (entry.path(), entry.file_type().with_context(reading)?);
        let removed =
            if kind.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        removed.with_context(|| format!("removing {}", path.display()))?;
    }
    let path = folder.join(MANIFEST_FILE);
    std::fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))
}

/// Writes the name of the job into the folder before anything else, or makes sure that it is there: games that were
/// begun for another job, with another program for instance, would be continued and counted.
///
/// # Errors
/// The folder was begun for another job or does not say for which one, or the name cannot be read or written.
fn begin(job: &Job, folder: &Path) -> anyhow::Result<()> {
    let (path, name) = (folder.join(BEGUN_FILE), job.name()?);
    if let Some(there) = read_if_there(&path)? {
        ensure!(
            there.trim_ascii() == name.as_bytes(),
            "{} was begun for another job; remove it or choose another folder for the results",
            folder.display()
        );
        return Ok(());
    }
    for entry in folder.read_dir().with_context(|| format!("reading {}", folder.display()))? {
        let there = entry.with_context(|| format!("reading {}", folder.display()))?.file_name();
        // A process that died while it wrote the name has left a part of it.
        if there != LOCK_FILE && !is_part_of(&there, BEGUN_FILE) {
            bail!(
                "{} holds {} but does not say for which job it was begun ({BEGUN_FILE} is missing); remove it or choose \
                 another folder for the results",
                folder.display(),
                Path::new(&there).display()
            );
        }
    }
    write_whole_to_disk(&path, name + "\n")
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
