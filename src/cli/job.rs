//! `kagetsu job`: long work cut into shards, for machines that work together.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, anyhow, bail, ensure};
use clap::{Args, Subcommand};
use parking_lot::Mutex;
use serde_json::json;

use super::ending::{INTERRUPTED, Interrupted, Mistake};
use super::files::read_text;
use super::job_plan::{self, PlanOptions, this_build};
use super::job_show;
use super::match_play::own_program;
use super::output::{complain, in_words};
use crate::arena::descendants::{adopt_orphans, kill_all_below};
use crate::arena::watchdog;
use crate::formats::point_names::Rows;
use crate::job::job_state::JobState;
use crate::job::manifest::{ManifestError, ManifestReader, folder_of};
use crate::job::merge::{Merging, merge};
use crate::job::run::{ShardEnd, run_shard};
use crate::job::shard_environment::{ShardEnvironment, StopRequest};
use crate::job::{Job, Work};

/// Options of `kagetsu job`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kagetsu job plan job.json match -e nodes=3000 -e nodes=2000 --openings random --games 2000
  kagetsu job run job.json --shard 7 --out results       as often, and on as many machines, as there are shards
  kagetsu job show job.json results
  kagetsu job merge job.json results --out merged

Any tool can start the shards; docs/fleet.md has the command line for several.")]
pub struct JobOptions {
    /// What to do.
    #[command(subcommand)]
    pub command: JobCommand,
}

/// What can be done with a job.
#[derive(Clone, Debug, Subcommand)]
pub enum JobCommand {
    /// Write a job: everything that determines the result, and how it is split
    Plan(PlanOptions),
    /// Run the shards that are not done yet, or one of them
    Run(RunOptions),
    /// Merge the results of the shards
    Merge(MergeOptions),
    /// Show what a job does and how far it has got
    Show {
        /// The job
        #[arg(value_name = "JOB")]
        job: PathBuf,

        /// Folder with the results of the shards
        #[arg(value_name = "RESULTS")]
        results: Option<PathBuf>,

        /// One line of JSON, for scripts
        #[arg(long)]
        json: bool,
    },
    /// For drivers: read manifests of shards, one a line, and say after each, in a line of JSON, how the job stands
    Follow {
        /// The job
        #[arg(value_name = "JOB")]
        job: PathBuf,
    },
}

/// Options of `kagetsu job run`.
#[derive(Args, Clone, Debug)]
pub struct RunOptions {
    /// The job
    #[arg(value_name = "JOB")]
    pub job: PathBuf,

    /// Folder for the results, which many machines may share; each shard has a folder of its own in it
    #[arg(long, value_name = "RESULTS")]
    pub out: PathBuf,

    /// Number of the shard, from 0 [default: all of them, one after the other, except for those that others are doing]
    #[arg(long, value_name = "K", group = "first")]
    pub shard: Option<u32>,

    /// Take the number of the shard from this environment variable
    #[arg(long, value_name = "VARIABLE", group = "first")]
    pub shard_from: Option<String>,

    /// Also run every N-th shard after it, for when fewer runs can be started than there are shards
    #[arg(long, value_name = "N", requires = "first", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,

    /// Games at a time; for solve and grow, shards at a time, each with the memory that was planned
    #[cfg_attr(feature = "tunable", doc = "(also for spsa)")]
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,

    /// Folder in which the programs that play are on this machine [default: where they were when the job was planned]
    #[arg(long, value_name = "FOLDER")]
    pub programs: Option<PathBuf>,

    /// Folder in which the games to be rescored are on this machine [default: where they were when the job was planned]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,

    /// For SPSA: the values to play around, a file with a list in JSON [default: what the shards in RESULTS say]
    #[arg(long, value_name = "FILE", hide = cfg!(not(feature = "tunable")))]
    pub given: Option<PathBuf>,
}

/// Options of `kagetsu job merge`.
#[derive(Args, Clone, Debug)]
pub struct MergeOptions {
    /// The job
    #[arg(value_name = "JOB")]
    pub job: PathBuf,

    /// Folder with the results of the shards
    #[arg(value_name = "RESULTS")]
    pub results: PathBuf,

    /// Folder for the result
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,

    /// Merge what there is, even if shards are missing; rescored files cannot have gaps
    #[arg(long)]
    pub partial: bool,

    /// Keep the times of moves even where searches are limited by nodes; these times differ from machine to machine
    #[arg(long)]
    pub keep_times: bool,

    /// Folder in which the games to be rescored are on this machine [default: where they were when the job was planned]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,

    /// The library into which the results for a book are entered; it is created if it does not exist
    #[arg(long, value_name = "LIBRARY")]
    pub library: Option<PathBuf>,
}

/// Runs the subcommand and writes to `out`.
///
/// # Errors
/// A file that is not a job, a build other than that of the job, shards that cannot be done or merged, Ctrl-C.
pub fn run(options: &JobOptions, rows: Rows, mut out: impl Write + Send) -> anyhow::Result<()> {
    match &options.command {
        JobCommand::Plan(options) => job_plan::plan(options, rows, &mut out),
        JobCommand::Run(options) => run_shards(options, &mut out),
        JobCommand::Merge(options) => {
            let job = read(&options.job)?;
            ensure_used("--library", options.library.is_some(), &job, "grow")?;
            ensure_used("--data", options.data.is_some(), &job, "rescore")?;
            let how = Merging {
                partial: options.partial,
                keep_times: options.keep_times,
                data: options.data.as_deref(),
                library: options.library.as_deref(),
            };
            writeln!(out, "{}", merge(&job, &options.results, &options.out, &how)?)?;
            Ok(())
        }
        JobCommand::Show { job, results, json } => job_show::show(job, results.as_deref(), *json, &mut out),
        JobCommand::Follow { job } => follow(&Job::read(job)?, std::io::stdin().lock(), &mut out),
    }
}

/// Reads a job, and makes sure that this build may do it.
fn read(path: &Path) -> anyhow::Result<Job> {
    let job = Job::read(path)?;
    job.ensure_build(&this_build()?).map_err(|other| *other)?;
    Ok(job)
}

/// Refuses an option that means nothing for this job: whoever gives it expects something of it.
fn ensure_used(option: &str, is_given: bool, job: &Job, kind: &str) -> anyhow::Result<()> {
    let found = job.work.kind();
    ensure!(
        !is_given || found == kind,
        Mistake(format!("{option} is for jobs of the kind {kind}; this is {found}"))
    );
    Ok(())
}

fn run_shards(options: &RunOptions, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let job = read(&options.job)?;
    // Drivers name a folder for everything that a job needs, so only a job that needs nothing refuses it.
    let is_useless = options.data.is_some() && job.work.files().is_empty();
    ensure_used("--data", is_useless, &job, "rescore")?;
    ensure_used("--given", options.given.is_some(), &job, "spsa")?;
    let shards = shards(options, job.shards)?;
    let given = options.given.as_deref().map(read_values).transpose()?;
    let stop_request = StopRequest::default();
    stop_on_ctrl_c(&stop_request)?;
    adopt_orphans();
    // Without external programs there is nothing to watch.
    let has_programs = matches!(&job.work, Work::Match(work) if work.has_programs());
    let watchdog = match has_programs {
        true => Some(Arc::new(watchdog::start(&own_program()?).context("starting the watchdog")?)),
        false => None,
    };
    let how = ShardEnvironment {
        threads: options.threads.into(),
        programs: options.programs.clone(),
        data: options.data.clone(),
        given,
        watchdog,
        stop_request,
    };
    let ended = run_all(&job, &shards, options, &how, out);
    drop(how);
    kill_all_below();
    ended
}

/// What has come of some shards so far.
struct Outcomes<W> {
    out: W,
    failed: Vec<(u32, anyhow::Error)>,
    /// Those that other processes are doing.
    held: Vec<u32>,
    /// They were named already, and are tried once more.
    is_again: bool,
}

/// Does these shards, even if some of them fail or are being done by other processes.
fn run_all(
    job: &Job,
    shards: &[u32],
    options: &RunOptions,
    how: &ShardEnvironment,
    out: &mut (impl Write + Send),
) -> anyhow::Result<()> {
    let outcomes = Mutex::new(Outcomes { out, failed: Vec::new(), held: Vec::new(), is_again: false });
    let is_one_of_several = shards.len() > 1;
    run_each(job, shards, options, how, &outcomes, is_one_of_several)?;
    let held = std::mem::take(&mut outcomes.lock().held);
    outcomes.lock().is_again = true;
    // By now they may be done, or free because whoever was doing them has ended.
    run_each(job, &held, options, how, &outcomes, is_one_of_several)?;
    let Outcomes { out, mut failed, mut held, .. } = outcomes.into_inner();
    let names = |shards: &[u32]| shards.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    if !held.is_empty() {
        held.sort_unstable();
        let (some, all) = (held.len(), shards.len());
        writeln!(out, "{some} of {all} shards are being done by other processes: {}", names(&held))?;
    }
    match failed.len() {
        0 => Ok(()),
        1 if !is_one_of_several => Err(failed.remove(0).1),
        some => {
            failed.sort_by_key(|&(shard, _)| shard);
            let failed: Vec<u32> = failed.into_iter().map(|(shard, _)| shard).collect();
            bail!("{some} of {} shards failed: {}", shards.len(), names(&failed))
        }
    }
}

/// Does these shards, as many at a time as there are threads for.
///
/// # Errors
/// Ctrl-C, or nothing can be written; a shard that fails does not keep the others from being done.
fn run_each(
    job: &Job,
    shards: &[u32],
    options: &RunOptions,
    how: &ShardEnvironment,
    outcomes: &Mutex<Outcomes<impl Write + Send>>,
    is_one_of_several: bool,
) -> anyhow::Result<()> {
    let at_once = if job.work.goes_step_by_step() { how.threads.min(shards.len()) } else { 1 };
    let next = AtomicUsize::new(0);
    let work = || -> anyhow::Result<()> {
        while let Some(&shard) = shards.get(next.fetch_add(1, Relaxed)) {
            let ran = run_shard(job, shard, &options.out, how).with_context(|| format!("shard {shard}"));
            let mut outcomes = outcomes.lock();
            let Outcomes { out, failed, held, is_again } = &mut *outcomes;
            match ran {
                Ok(ShardEnd::Done(manifest)) => {
                    writeln!(out, "shard {shard}: done in {:.1} s", manifest.seconds)?
                }
                Ok(ShardEnd::DoneBefore(_)) => writeln!(out, "shard {shard}: was done before")?,
                Ok(ShardEnd::NotNeeded) => writeln!(out, "shard {shard}: not needed, the test is decided")?,
                Ok(ShardEnd::HeldElsewhere) if is_one_of_several => {
                    if !*is_again {
                        writeln!(out, "shard {shard}: another process is doing it")?;
                    }
                    held.push(shard);
                }
                Ok(ShardEnd::HeldElsewhere) => {
                    let folder = folder_of(&options.out, shard);
                    let error = anyhow!("another process is doing shard {shard} in {}", folder.display());
                    failed.push((shard, error));
                }
                Ok(ShardEnd::Interrupted) => bail!(Interrupted { goes_on: true }),
                Err(error) => {
                    if is_one_of_several {
                        complain(in_words(&error));
                    }
                    failed.push((shard, error));
                }
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker hands on its errors"))
    })
}

/// The shards that the options select.
fn shards(options: &RunOptions, count: u32) -> anyhow::Result<Vec<u32>> {
    let first = match (&options.shard_from, options.shard) {
        (Some(name), _) => {
            let value = std::env::var(name).with_context(|| format!("--shard-from {name}"))?;
            let number =
                value.parse().with_context(|| format!("--shard-from {name}: `{value}` is not a number"))?;
            Some(number)
        }
        (None, shard) => shard,
    };
    if let Some(first) = first {
        ensure!(first < count, Mistake(format!("there is no shard {first}: the job has 0 to {}", count - 1)));
    }
    Ok(match (first, options.every) {
        (Some(first), None) => vec![first],
        (first, every) => (first.unwrap_or(0)..count).step_by(every.unwrap_or(1) as usize).collect(),
    })
}

fn read_values(path: &Path) -> anyhow::Result<Vec<f64>> {
    serde_json::from_str(&read_text(path)?)
        .with_context(|| format!("{} holds no list of values", path.display()))
}

fn stop_on_ctrl_c(stop_request: &StopRequest) -> anyhow::Result<()> {
    let stop_request = stop_request.clone();
    let handler = move || {
        if stop_request.is_asked() {
            std::process::exit(INTERRUPTED.into());
        }
        stop_request.interrupt();
    };
    ctrlc::set_handler(handler).context("catching Ctrl-C")
}

/// Answers every manifest with the state of the job. A manifest that is refused is reported, and changes nothing.
fn follow(job: &Job, input: impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    let mut state = JobState::new(job);
    writeln!(out, "{}", state.figures()?)?;
    out.flush()?;
    let reader = ManifestReader::new(job)?;
    for line in input.split(b'\n') {
        let line = line.context("reading manifests")?;
        let answer = match reader.parse(&String::from_utf8_lossy(&line)) {
            Ok(manifest) => match state.add(&manifest) {
                Ok(_) => state.figures()?,
                Err(error) => json!({ "refused": format!("{error:#}") }),
            },
            Err(error) => {
                json!({ "refused": error.to_string(), "damaged": matches!(error, ManifestError::Damaged) })
            }
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn options(shard: Option<u32>, shard_from: Option<&str>, every: Option<u32>) -> RunOptions {
        RunOptions {
            job: "job.json".into(),
            out: "results".into(),
            shard,
            shard_from: shard_from.map(str::to_owned),
            every,
            threads: 1,
            programs: None,
            data: None,
            given: None,
        }
    }

    #[test]
    fn a_step_needs_a_beginning() {
        #[derive(Debug, Parser)]
        struct Words {
            #[command(flatten)]
            options: RunOptions,
        }
        let words = |more: &str| {
            let words = format!("run job.json --out results {more}");
            Words::try_parse_from(words.split_whitespace()).map(|words| words.options.every)
        };
        assert_eq!(words("--shard 1 --every 3").unwrap(), Some(3));
        assert_eq!(words("--shard-from TASK --every 3").unwrap(), Some(3));
        assert_eq!(words("--shard 1").unwrap(), None);
        for refused in ["--every 3", "--shard 1 --shard-from TASK"] {
            assert!(words(refused).unwrap_err().to_string().contains("--shard"), "{refused}");
        }
    }

    #[test]
    fn shards_are_those_asked_for() {
        let found = |shard, every| shards(&options(shard, None, every), 7).ok();
        assert_eq!(found(Some(3), None), Some(vec![3]));
        assert_eq!(found(None, None), Some((0..7).collect()));
        assert_eq!(found(Some(1), Some(3)), Some(vec![1, 4]));
        assert_eq!((found(Some(7), None), found(Some(7), Some(2))), (None, None));
        let error = shards(&options(None, Some("KAGETSU_NO_SUCH"), None), 7).unwrap_err();
        assert!(error.to_string().contains("KAGETSU_NO_SUCH"), "{error}");
    }
}
