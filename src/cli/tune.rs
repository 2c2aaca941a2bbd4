//! `kagetsu tune`: fits the hand-crafted evaluation to games of self-play.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Context, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use parking_lot::Mutex;
use rayon::prelude::*;

use super::arguments::{cores, parse_share};
use super::bench::short_signature;
use super::checkpoint_file::{CheckpointFile, CheckpointOptions};
use super::ending::{Interrupted, Mistake, note_ctrl_c};
use super::files::{WeightsFile, read_hand_crafted};
use super::output::remark;
use super::overwriting::HAND_CRAFTED;
use super::progress::live_line;
use super::selfplay::{SHARD_GAMES, play_missing};
use super::training_data::{
    ensure_is_no_shard, held_out_loss, identity_of, parse_percent, read_games, say_nothing_is_held_out,
};
use crate::board::ByColor;
use crate::data::TrainingGame;
use crate::data::selfplay::GameRecipe;
use crate::eval::hand_crafted::weights::{self, ColorWeights, HandCraftedWeights};
use crate::job::build::{Build, sha256};
use crate::rules::Rule;
use crate::tune::checkpoint::CheckpointError;
use crate::tune::hand_crafted::{FitLoss, FitRecipe, WeightFit, WeightKind, initial, share_colors};
use crate::tune::state::{joined, separated};

/// Where a build takes its weights from.
const SOURCE: &str = "src/eval/hand_crafted/weights.bin";
/// The file in the current folder unless told otherwise.
const OUT: &str = "weights.bin";
const OUT_HELP: &str = "Where the weights are written; those in a file of this name are replaced \
                        [default: weights.bin in the current folder, if there is none yet]";

/// What can be fitted alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Only {
    /// The evaluation
    Values,
    /// The move-ordering scores
    #[value(alias = "promises")]
    Ordering,
}

impl From<Only> for WeightKind {
    fn from(only: Only) -> WeightKind {
        match only {
            Only::Values => WeightKind::Values,
            Only::Ordering => WeightKind::Ordering,
        }
    }
}

/// Options of `kagetsu tune`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("out", |out| out.help(OUT_HELP)))]
pub struct TuneOptions {
    /// Games to learn from: files of records, or folders of them
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present_any = ["play", "from_initial"])]
    pub data: Vec<PathBuf>,

    /// First play the games that are missing from this folder, up to --games, and learn from them too;
    /// `kagetsu selfplay` has more options
    #[arg(long, value_name = "FOLDER")]
    pub play: Option<PathBuf>,

    /// Games to play, shared evenly among the rules
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,

    /// Seed of these games
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Nodes to search for each move
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,

    /// Games to play, and rules to fit, at once [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Passes over all positions for the evaluation; the move-ordering scores get half as many, rounded up
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub epochs: u32,

    /// Share of the game's result in the training target, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = parse_share::<f32>)]
    pub result_share: f32,

    /// Fit only these, and keep the others as they are
    #[arg(long, value_name = "KIND")]
    pub only: Option<Only>,

    /// Weights to start from, a file that this command wrote, rather than those built in
    #[arg(long, value_name = "FILE", conflicts_with = "from_initial")]
    pub from: Option<PathBuf>,

    /// Start from the initial weights, which were written by hand, rather than from those built in
    #[arg(long, alias = "from-prior")]
    pub from_initial: bool,

    /// How much of the data, in percent of its bytes, may be damaged; damaged data is left out and reported
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = parse_percent)]
    pub max_damaged: f64,

    /// How often a checkpoint is written.
    #[command(flatten)]
    pub checkpoints: CheckpointOptions,

    /// The file of weights.
    #[command(flatten)]
    pub file: WeightsFile,
}

/// Plays the missing games and fits the weights, or resumes a run that was cut short.
///
/// # Errors
/// Files that cannot be read or written, are not shards, are damaged, or hold the same games; a checkpoint of another
/// run; Ctrl-C.
pub fn run(options: &TuneOptions, mut out: impl Write) -> anyhow::Result<()> {
    // Read before games are played for hours.
    let mut all = match &options.from {
        Some(from) => read_hand_crafted(from)?,
        None if options.from_initial => initial::weights(),
        None => weights::builtin(),
    };
    let file = options.file.path(OUT, SOURCE)?;
    let threads = options.threads.map_or_else(cores, usize::from);
    let mut paths = options.data.clone();
    ensure_is_no_shard(&file, &paths)?;
    options.file.ensure_replaces(&HAND_CRAFTED)?;
    if let Some(folder) = &options.play {
        ensure_is_read_once(folder, &paths)?;
    }
    let interrupted = note_ctrl_c();
    if let Some(folder) = &options.play {
        let recipe = GameRecipe::new(options.nodes);
        let (seed, games) = (options.seed, options.games);
        let is_done = play_missing(folder, &recipe, seed, games, SHARD_GAMES, threads, &interrupted)?;
        ensure!(is_done, Interrupted { goes_on: true });
        paths.push(folder.clone());
        ensure_is_no_shard(&file, &paths)?;
    }
    let games = read_games(&paths, options.max_damaged, &interrupted)?;
    // Without games the initial weights are written as they are.
    ensure!(options.from_initial || !games.is_empty(), "there are no games to learn from");
    let companion = options.file.companion(&file, OUT);
    let identity = identity(options, &games, &all)?;
    let checkpoints = CheckpointFile::open(companion.as_deref(), identity, options.checkpoints)?;
    let fits = Fits::begin(options, &file, checkpoints, interrupted)?;
    let start = all.clone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let fitted: anyhow::Result<Vec<_>> = pool.install(|| {
        Rule::ALL
            .par_iter()
            .map(|&rule| {
                let games: Vec<TrainingGame> =
                    games.iter().filter(|game| game.rule == rule).cloned().collect();
                let fit = WeightFit::new(rule, &games, &start, fits.recipe, &fits.interrupted);
                let goes_on = fits.kept.lock().checkpoints.is_kept();
                let fitted = fits.finish(rule, fit.context(Interrupted { goes_on })?)?;
                Ok((rule, games.len(), fitted))
            })
            .collect()
    });
    fits.bar.finish_and_clear();
    let mut said = String::new();
    for (slot, (rule, games, (mut weights, loss))) in all.iter_mut().zip(fitted?) {
        share_colors(rule, &mut weights);
        *slot = weights;
        let is_held_out = loss.held_out > 0;
        let figure = |loss| held_out_loss(is_held_out.then_some(loss));
        let ([value, value_now], [ordering, ordering_now]) =
            (loss.value.map(figure), loss.ordering.map(figure));
        said += &format!(
            "{rule:10} {games:6} games {:8} positions  value {value} -> {value_now}  move {ordering} -> {ordering_now}\n",
            loss.positions
        );
        if games > 0 && !is_held_out {
            say_nothing_is_held_out(rule);
        }
    }
    options.file.write(&file, &weights::to_bytes(&all))?;
    fits.end()?;
    out.write_all(said.as_bytes())?;
    remark(format_args!("written to {}", file.display()));
    Ok(())
}

/// Makes sure that no game of the folder to play into is named by `--data` as well. Call this before games are played.
///
/// # Errors
/// One of these paths is the folder or a file in it.
fn ensure_is_read_once(folder: &Path, data: &[PathBuf]) -> anyhow::Result<()> {
    // A folder that is not there yet holds nothing.
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    for path in data {
        let own = path.canonicalize().with_context(|| format!("looking for {}", path.display()))?;
        let is_inside = own == folder || own.parent() == Some(&folder);
        ensure!(!is_inside, Mistake(format!("--data {}: --play reads these games already", path.display())));
    }
    Ok(())
}

/// Everything that decides the result. Neither the location of the games nor the number of threads does.
fn identity(
    options: &TuneOptions,
    games: &[TrainingGame],
    start: &HandCraftedWeights,
) -> anyhow::Result<String> {
    let only = options.only.and_then(|only| only.to_possible_value());
    let only = only.as_ref().map_or("all", |only| only.get_name());
    let TuneOptions { epochs, result_share, .. } = options;
    Ok(format!(
        "kagetsu tune\nbuild {}\n{}\nfrom SHA-256 {}\nepochs {epochs}\nresult share {result_share}\nonly {only}\n",
        Build::this(short_signature()?),
        identity_of(games),
        sha256(&weights::to_bytes(start)),
    ))
}

/// The fits of all rules, several of which run at once, and their checkpoint.
struct Fits<'a> {
    options: &'a TuneOptions,
    file: &'a Path,
    recipe: FitRecipe,
    kept: Mutex<Kept>,
    interrupted: Arc<AtomicBool>,
    bar: ProgressBar,
}

/// The state of each rule's fit after its last pass; empty before the first.
struct Kept {
    states: [Vec<u8>; Rule::ALL.len()],
    checkpoints: CheckpointFile,
}

impl Fits<'_> {
    /// Begins, or resumes from the checkpoint.
    fn begin<'a>(
        options: &'a TuneOptions,
        file: &'a Path,
        checkpoints: CheckpointFile,
        interrupted: Arc<AtomicBool>,
    ) -> anyhow::Result<Fits<'a>> {
        let recipe = FitRecipe {
            epochs: options.epochs as usize,
            result_share: options.result_share,
            only: options.only.map(WeightKind::from),
        };
        let states = match checkpoints.read()? {
            None => <[Vec<u8>; Rule::ALL.len()]>::default(),
            Some(state) => {
                remark("resuming an interrupted fit");
                separated(&state).ok_or_else(|| anyhow!(checkpoints.refusal(&CheckpointError::Damaged)))?
            }
        };
        let bar = live_line((Rule::ALL.len() * recipe.passes()) as u64);
        bar.set_message("passes");
        let kept = Mutex::new(Kept { states, checkpoints });
        Ok(Fits { options, file, recipe, kept, interrupted, bar })
    }

    /// Goes through the remaining passes of a rule.
    fn finish(&self, rule: Rule, mut fit: WeightFit) -> anyhow::Result<(ByColor<ColorWeights>, FitLoss)> {
        let state = self.kept.lock().states[rule.index()].clone();
        if !state.is_empty() {
            fit.restore(&state).map_err(|error| anyhow!(self.kept.lock().checkpoints.refusal(&error)))?;
            self.bar.inc(fit.passes() as u64);
        }
        if !fit.is_done() {
            self.options.file.ensure_free(self.file)?;
        }
        while !fit.is_done() {
            fit.pass();
            self.bar.inc(1);
            let state = fit.state();
            let Kept { states, checkpoints } = &mut *self.kept.lock();
            states[rule.index()] = state;
            if self.interrupted.load(Relaxed) {
                checkpoints.write(|| joined(states));
                bail!(Interrupted { goes_on: checkpoints.is_kept() });
            }
            checkpoints.write_if_due(|| joined(states));
        }
        Ok(fit.finish())
    }

    /// Ends a run after its weights were written.
    fn end(self) -> anyhow::Result<()> {
        self.kept.into_inner().checkpoints.remove()
    }
}
