//! `kagetsu spsa`: tunes the parameters of the search by games, in a build with the feature `tunable`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use clap::Args;

use super::arguments::cores;
use super::output::remark;
use super::selfplay::RecipeOptions;
use crate::files::{read_if_there, write_whole};
use crate::formats::text::decode;
use crate::search::params::TUNABLE;
use crate::tune::spsa::{Plan, Progress, run as tune};

/// Pairs of games between two lines of progress.
const PROGRESS: u32 = 100;

/// Options of `kagetsu spsa`.
#[derive(Args, Clone, Debug)]
pub struct SpsaOptions {
    /// File that keeps the progress; the same command resumes an interrupted run
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Pairs of games in all
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pub pairs: u32,

    /// Seed from which, with one thread, everything follows
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Games to play at once [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Parameters to tune [default: all, see src/search/params.rs]
    #[arg(long = "only", value_name = "NAME", value_delimiter = ',')]
    pub names: Vec<String>,

    /// How the games are played.
    #[command(flatten)]
    pub recipe: RecipeOptions,
}

/// Plays the missing games and prints the values found.
///
/// # Errors
/// A file that cannot be read or written, or holds something else.
pub fn run(options: &SpsaOptions, mut out: impl Write) -> anyhow::Result<()> {
    let progress = read(&options.out)?;
    let plan = Plan {
        recipe: options.recipe.recipe(),
        pairs: options.pairs,
        seed: options.seed,
        names: options.names.clone(),
    };
    let report = |now: &Progress| {
        if now.pairs.is_multiple_of(PROGRESS) {
            remark(format_args!("{} of {} pairs", now.pairs, plan.pairs));
            if let Err(error) = write(&options.out, now) {
                remark(format_args!("{error:#}"));
            }
        }
    };
    let threads = options.threads.map_or_else(cores, usize::from);
    let end = tune(&plan, progress, threads, &AtomicBool::new(false), report)?;
    write(&options.out, &end)?;
    writeln!(out, "{:26} {:>8} {:>8}", "parameter", "before", "after")?;
    for ((name, value), parameter) in end.values.iter().zip(TUNABLE) {
        writeln!(out, "{name:26} {:8} {value:8.1}", parameter.value)?;
    }
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Progress> {
    let Some(bytes) = read_if_there(path)? else { return Ok(Progress::new()) };
    serde_json::from_str(&decode(&bytes)).with_context(|| format!("{} holds no progress", path.display()))
}

fn write(path: &Path, progress: &Progress) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(progress)?;
    write_whole(path, text)
}
