//! Merges the shards of a job into one result, which is the same whoever did them.

use std::path::Path;

use anyhow::ensure;

use super::file::Job;
use super::job_state::JobState;
use super::manifest::read_all;
use super::work::Work;
use crate::files::make_folder;

/// How many missing shards an error names.
const NAMED: usize = 10;

/// How shards are merged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Merging<'a> {
    /// Merge the shards that are done, although others are missing. Rescored games are merged only if no shard is
    /// missing, and pairs of SPSA only up to the first shard that is.
    pub partial: bool,
    /// Keep the times of moves in the records of a match even if no game depends on them. They differ from machine to
    /// machine.
    pub keep_times: bool,
    /// Where the games to be rescored are, if not where the job says.
    pub data: Option<&'a Path>,
    /// The library into which rankings are entered.
    pub library: Option<&'a Path>,
}

/// Merges all shards into a folder, and describes what was written.
///
/// # Errors
/// Shards are missing, have changed since they were finished, or belong to another job or build, or a file cannot be
/// read or written.
pub fn merge(job: &Job, results: &Path, out: &Path, how: &Merging) -> anyhow::Result<String> {
    let manifests = read_all(job, results)?;
    let state = JobState::of(job, &manifests)?;
    // A job may have as many shards as there are numbers.
    let missing: Vec<u32> = state.missing().take(NAMED + 1).collect();
    let may_miss = how.partial && !matches!(job.work, Work::Rescore(_));
    if !may_miss && !missing.is_empty() {
        let names: Vec<String> = missing.iter().take(NAMED).map(u32::to_string).collect();
        let more = if missing.len() > NAMED { " ..." } else { "" };
        let why = if how.partial { "rescored files cannot have gaps, even with --partial: " } else { "" };
        anyhow::bail!(
            "{why}{} of {} shards are missing: {}{more}",
            state.missing().count(),
            job.shards,
            names.join(", ")
        );
    }
    ensure!(!manifests.is_empty(), "no shard is done yet");
    let is_new = !out.exists();
    make_folder(out)?;
    let merged = match &job.work {
        Work::Match(work) => work.merge(&manifests, results, out, state.decided_with(), how.keep_times),
        Work::Selfplay(work) => work.merge(job, &manifests, results, out),
        Work::Rescore(work) => work.merge(job, &manifests, results, out, how.data),
        Work::Spsa(work) => work.merge(job, &manifests, out),
        Work::Solve(work) => work.merge(&manifests, results, out),
        Work::Grow(work) => work.merge(&manifests, results, out, how.library),
    };
    if merged.is_err() && is_new {
        // A folder with something in it stays.
        let _ = std::fs::remove_dir(out);
    }
    merged
}
