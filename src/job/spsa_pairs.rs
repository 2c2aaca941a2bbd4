//! The game pairs of SPSA, and what is learned from them. Only this part of a job needs a special build.

use std::path::Path;

#[cfg(feature = "tunable")]
use anyhow::ensure;

use super::shard_environment::ShardEnvironment;
#[cfg(feature = "tunable")]
use super::spsa_run::SpsaFile;
use super::spsa_run::SpsaRun;
use super::work::SpsaWork;
#[cfg(feature = "tunable")]
use super::work::part;
#[cfg(feature = "tunable")]
use crate::tune::spsa::{PairTable, Plan, Progress, check};

#[cfg(feature = "tunable")]
fn plan(work: &SpsaWork) -> anyhow::Result<Plan> {
    let recipe = work.recipe.recipe()?;
    let plan = Plan { recipe, pairs: work.pairs, seed: work.seed, names: work.names.clone() };
    check(&plan, &Progress { pairs: 0, values: work.start.clone() })?;
    Ok(plan)
}

#[cfg(feature = "tunable")]
fn progress(work: &SpsaWork, values: &[f64]) -> anyhow::Result<Progress> {
    ensure!(values.len() == work.start.len(), "there are {} values, not {}", values.len(), work.start.len());
    let named = work.start.iter().map(|(name, _)| name.clone()).zip(values.iter().copied());
    let progress = Progress { pairs: 0, values: named.collect() };
    check(&plan(work)?, &progress)?;
    Ok(progress)
}

#[cfg(feature = "tunable")]
fn pairs(work: &SpsaWork, shard: u32) -> std::ops::Range<u32> {
    let pairs = part(shard, work.pairs_per_shard as usize, work.pairs as usize);
    pairs.start as u32..pairs.end as u32
}

/// The results of the pairs of a shard, as points; `None` if the work is to end early.
#[cfg(feature = "tunable")]
pub(super) fn points(
    work: &SpsaWork,
    shard: u32,
    values: &[f64],
    environment: &ShardEnvironment,
) -> anyhow::Result<Option<Vec<i32>>> {
    let plan = plan(work)?;
    let given = progress(work, values)?;
    let mut table = PairTable::new(&plan);
    let mut points = Vec::new();
    for number in pairs(work, shard) {
        if environment.stop_request.is_asked() {
            return Ok(None);
        }
        points.push(table.play(number, &given));
    }
    Ok(Some(points))
}

#[cfg(feature = "tunable")]
pub(super) fn learned(work: &SpsaWork, shards: &[(u32, &[f64], &[i32])]) -> anyhow::Result<(u32, Vec<f64>)> {
    let plan = plan(work)?;
    let mut now = Progress { pairs: 0, values: work.start.clone() };
    for &(shard, values, points) in shards {
        let given = progress(work, values)?;
        let numbers = pairs(work, shard);
        ensure!(points.len() == numbers.len(), "shard {shard} has {} pairs", points.len());
        for (number, &points) in numbers.zip(points) {
            now.learn(&plan, number, &given, points);
        }
    }
    Ok((now.pairs, now.values.into_iter().map(|(_, value)| value).collect()))
}

/// Writes the values after these pairs into the file from which `kagetsu spsa` continues.
///
/// # Errors
/// The file belongs to another run or one that is under way, or has more pairs, or it cannot be written.
#[cfg(feature = "tunable")]
pub(super) fn write(
    work: &SpsaWork,
    run: SpsaRun,
    pairs: u32,
    values: &[f64],
    path: &Path,
) -> anyhow::Result<()> {
    let _held = SpsaFile::hold(path)?;
    let there = SpsaFile::read(path)?;
    there.ensure_is_of(&run, path)?;
    let before = there.progress.pairs;
    ensure!(
        there.run.is_some() || before == 0,
        "{} does not say how its games were played; choose another folder",
        path.display()
    );
    ensure!(
        before <= pairs,
        "{} holds {before} pairs, and only {pairs} would replace them; choose another folder",
        path.display()
    );
    SpsaFile { progress: Progress { pairs, ..progress(work, values)? }, run: Some(run) }.write(path)
}

/// The error of other builds, in which the parameters are part of the code.
#[cfg(not(feature = "tunable"))]
pub(crate) const NEEDED: &str =
    "parameters are tuned by a build that can set them: cargo build --release --features tunable";

#[cfg(not(feature = "tunable"))]
pub(super) fn points(
    _work: &SpsaWork,
    _shard: u32,
    _values: &[f64],
    _environment: &ShardEnvironment,
) -> anyhow::Result<Option<Vec<i32>>> {
    anyhow::bail!(NEEDED)
}

#[cfg(not(feature = "tunable"))]
pub(super) fn learned(
    _work: &SpsaWork,
    _shards: &[(u32, &[f64], &[i32])],
) -> anyhow::Result<(u32, Vec<f64>)> {
    anyhow::bail!(NEEDED)
}

#[cfg(not(feature = "tunable"))]
pub(super) fn write(
    _work: &SpsaWork,
    _run: SpsaRun,
    _pairs: u32,
    _values: &[f64],
    _path: &Path,
) -> anyhow::Result<()> {
    anyhow::bail!(NEEDED)
}
