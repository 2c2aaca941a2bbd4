//! `kagetsu spsa`: tunes the parameters of the search by games, in a build with the feature `tunable`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::ensure;
use clap::Args;

use super::arguments::cores;
use super::ending::{Interrupted, note_ctrl_c};
use super::job_plan::this_build;
use super::output::remark;
use super::selfplay::GamesOptions;
use crate::files::remove_parts_of;
use crate::job::recipe::RecipeFile;
use crate::job::spsa_run::{SpsaFile, SpsaRun};
use crate::search::params::TUNABLE;
use crate::tune::spsa::{Plan, Progress, check, run as tune};

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

    /// What is played.
    #[command(flatten)]
    pub games: GamesOptions,
}

/// Plays the missing games and prints the values found.
///
/// # Errors
/// A file that cannot be read or written, holds something else or belongs to a run that is still under way; Ctrl-C.
pub fn run(options: &SpsaOptions, out: impl Write) -> anyhow::Result<()> {
    play_until(options, &note_ctrl_c(), out)
}

/// Like [`run`], until the flag is set.
///
/// # Errors
/// Those of [`run`].
fn play_until(options: &SpsaOptions, stop: &AtomicBool, mut out: impl Write) -> anyhow::Result<()> {
    let _held = SpsaFile::hold(&options.out)?;
    remove_parts_of(&options.out);
    let before = SpsaFile::read(&options.out)?;
    let plan = Plan {
        recipe: options.games.recipe(),
        pairs: options.pairs,
        seed: options.seed,
        names: options.names.clone(),
    };
    let run = SpsaRun {
        recipe: RecipeFile::of(&plan.recipe),
        seed: plan.seed,
        names: plan.names.clone(),
        build: this_build()?,
    };
    before.ensure_is_of(&run, &options.out)?;
    let SpsaFile { progress, run: known } = before;
    if known.is_none() && progress.pairs > 0 {
        remark(format_args!(
            "{} does not say how its games were played; make sure that it was with the same options",
            options.out.display()
        ));
    }
    let write =
        |now: &Progress| SpsaFile { progress: now.clone(), run: Some(run.clone()) }.write(&options.out);
    let report = |now: &Progress| {
        if now.pairs.is_multiple_of(PROGRESS) {
            remark(format_args!("{} of {} pairs", now.pairs, plan.pairs));
            if let Err(error) = write(now) {
                remark(format_args!("{error:#}"));
            }
        }
    };
    let threads = options.threads.map_or_else(cores, usize::from);
    check(&plan, &progress)?;
    // Hours of games are not to end with a file that cannot be written.
    write(&progress)?;
    let end = tune(&plan, progress, threads, stop, report)?;
    write(&end)?;
    ensure!(end.pairs >= plan.pairs, Interrupted { goes_on: true });
    writeln!(out, "{:26} {:>8} {:>8}", "parameter", "before", "after")?;
    for ((name, value), parameter) in end.values.iter().zip(TUNABLE) {
        writeln!(out, "{name:26} {:8} {value:8.1}", parameter.value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;

    use super::*;
    use crate::files::{beside, lock};

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        options: SpsaOptions,
    }

    fn options(file: &Path, more: &str) -> SpsaOptions {
        let words = ["spsa", "--threads=1", "--nodes=50", "--out"].into_iter().map(Into::into);
        let words = words.chain([file.as_os_str().to_owned()]);
        Words::try_parse_from(words.chain(more.split_whitespace().map(Into::into))).unwrap().options
    }

    #[test]
    fn a_run_that_is_stopped_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("progress.json");
        let play = |more: &str, is_stopped: bool| {
            let mut out = Vec::new();
            play_until(&options(&file, more), &AtomicBool::new(is_stopped), &mut out).map(|()| out)
        };
        assert!(play("--pairs=2 --only=no_such_name", false).is_err() && !file.exists());
        let error = play("--pairs=2", true).unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&Interrupted { goes_on: true }), "{error}");
        assert_eq!(SpsaFile::read(&file).unwrap().progress.pairs, 0);
        assert!(String::from_utf8(play("--pairs=2", false).unwrap()).unwrap().starts_with("parameter "));
        assert_eq!(SpsaFile::read(&file).unwrap().progress.pairs, 2);
    }

    #[test]
    fn a_run_goes_on_only_with_its_own_values() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("progress.json");
        let play = |more: &str| play_until(&options(&file, more), &AtomicBool::new(false), Vec::new());
        play("--pairs=1 --only=lmr_factor").unwrap();
        for (more, what) in [
            ("--only=lmr_factor --seed=7", "the seed"),
            ("--only=lmr_factor --rule=renju", "the rules, boards, nodes or openings"),
            ("--only=rfp_depth", "the parameters that are tuned"),
        ] {
            let error = play(&format!("--pairs=2 {more}")).unwrap_err().to_string();
            assert!(error.contains(&format!("progress.json holds a run that differs in {what}")), "{error}");
        }
        // A longer run goes on, and so does one of a version that did not say what it was.
        play("--pairs=2 --only=lmr_factor").unwrap();
        let old = serde_json::to_string(&SpsaFile::read(&file).unwrap().progress).unwrap();
        std::fs::write(&file, &old).unwrap();
        play("--pairs=3 --only=lmr_factor").unwrap();
        assert!(SpsaFile::read(&file).unwrap().run.is_some());
        // A value that cannot be is not played with.
        let value = SpsaFile::read(&file).unwrap().progress.values[0].1;
        let wrong = std::fs::read_to_string(&file).unwrap().replacen(&format!("{value:?}"), "1e300", 1);
        std::fs::write(&file, wrong).unwrap();
        assert!(play("--pairs=4 --only=lmr_factor").unwrap_err().to_string().contains("cannot be"));
    }

    #[test]
    fn a_file_that_cannot_be_written_is_told_before_the_games() {
        let folder = tempfile::tempdir().unwrap();
        // With so many pairs, the test ends only if none is played.
        let error = |file: &Path| {
            let options = options(file, "--pairs=1000000");
            format!("{:#}", play_until(&options, &AtomicBool::new(false), Vec::new()).unwrap_err())
        };
        assert!(error(&folder.path().join("no/such/folder.json")).contains("folder.json"));
        let file = folder.path().join("progress.json");
        let _held = lock::take(&beside(&file, ".lock")).unwrap();
        assert!(error(&file).ends_with("progress.json belongs to a run that is still under way"));
    }
}
