//! `kagetsu train`: trains the networks of the evaluation on games of self-play.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use anyhow::{anyhow, bail, ensure};
use clap::Args;

use super::arguments::{cores, parse_share};
use super::bench::short_signature;
use super::checkpoint_file::{CheckpointFile, CheckpointOptions};
use super::ending::{Interrupted, ensure_goes_on, note_ctrl_c};
use super::files::{LOSSES_CSV, LOSSES_SVG, WeightsFile, read_network};
use super::output::{counted, in_words, remark};
use super::overwriting::NETWORKS;
use super::progress::live_line;
use super::selfplay::PROGRESS;
use super::training_data::{
    ensure_is_no_shard, held_out_loss, identity_of, parse_percent, read_games, say_nothing_is_held_out,
};
use crate::data::TrainingGame;
use crate::eval::nnue::NnueWeights;
use crate::eval::nnue::buckets::stones_of;
use crate::files::{beside, write_whole};
use crate::job::build::{Build, sha256};
use crate::rules::Rule;
use crate::tune::nnue::{
    LossHistory, LossRecord, MeanLoss, Training, TrainingLoss, TrainingRecipe, TrainingSet,
};

/// Where a build takes its networks from.
const SOURCE: &str = "src/eval/nnue/weights.bin";
/// The file in the current folder unless told otherwise.
const OUT: &str = "network.bin";
const OUT_HELP: &str = "Where the networks are written; those in a file of this name are replaced \
                        [default: network.bin in the current folder, if there is none yet]";

/// Options of `kagetsu train`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("out", |out| out.help(OUT_HELP)))]
pub struct TrainOptions {
    /// Games to learn from: files of records, or folders of them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,

    /// Networks to continue from, a file that this command wrote; a rule without games keeps its layers
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,

    /// Passes over all positions, for features and layers
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub epochs: u32,

    /// Passes after that for the layers alone, with the features already rounded
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub layer_epochs: u32,

    /// Learning rate at the start, which falls to zero; to continue from good networks, use a quarter of the default
    #[arg(long, value_name = "RATE", default_value_t = 0.002, value_parser = parse_rate)]
    pub rate: f32,

    /// Share of the game's result in the training target, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = parse_share::<f32>)]
    pub result_share: f32,

    /// Threads [default: the number of cores]; their number does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// How much of the data, in percent of its bytes, may be damaged; damaged data is left out and reported
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = parse_percent)]
    pub max_damaged: f64,

    /// How often a checkpoint is written.
    #[command(flatten)]
    pub checkpoints: CheckpointOptions,

    /// The file of networks; a rule without games has none in it, unless it is in --from.
    #[command(flatten)]
    pub file: WeightsFile,
}

/// Trains a network for every rule that there are games of, or resumes a run that was cut short.
///
/// # Errors
/// Files that cannot be read or written, are not shards, are damaged, or hold the same games; no positions to learn
/// from; a checkpoint of another run; Ctrl-C.
pub fn run(options: &TrainOptions, out: impl Write + Send) -> anyhow::Result<()> {
    // Games are read, and turned into positions, for minutes before there is anything to keep.
    let interrupted = note_ctrl_c();
    let from = options.from.as_deref().map(read_network).transpose()?;
    let file = options.file.path(OUT, SOURCE)?;
    ensure_is_no_shard(&file, &options.data)?;
    options.file.ensure_replaces(&NETWORKS)?;
    let games = read_games(&options.data, options.max_damaged, &interrupted)?;
    ensure!(!games.is_empty(), "there are no games to learn from");
    let companion = options.file.companion(&file, OUT);
    let identity = identity(options, &games, from.as_ref())?;
    let checkpoints = CheckpointFile::open(companion.as_deref(), identity, options.checkpoints)?;
    // Read before the games are gone through, which takes long.
    let state = checkpoints.read()?;
    let threads = options.threads.map_or_else(cores, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| {
        let samples = samples(options, games, &interrupted)?;
        ensure_goes_on(&interrupted, checkpoints.is_kept())?;
        let mut training = Training::new(&samples, from.as_ref());
        if let Some(state) = state {
            training.restore(&state).map_err(|error| anyhow!(checkpoints.refusal(&error)))?;
            let (steps, all) = training.steps();
            remark(format_args!("resuming an interrupted training after {steps} of {all} steps"));
        }
        Run { options, file, companion, checkpoints, interrupted }.train(training, out)
    })
}

/// `0.002`: a learning rate, above 0 and at most 1.
fn parse_rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|&rate| rate > 0.0 && rate <= 1.0);
    rate.ok_or_else(|| "a number above 0 and at most 1".to_owned())
}

/// Everything that decides the result. Neither the location of the games nor the number of threads does.
fn identity(
    options: &TrainOptions,
    games: &[TrainingGame],
    from: Option<&NnueWeights>,
) -> anyhow::Result<String> {
    let TrainOptions { epochs, layer_epochs, rate, result_share, .. } = options;
    let from = from.map_or("nothing".to_owned(), |from| format!("SHA-256 {}", sha256(&from.to_bytes())));
    Ok(format!(
        "kagetsu train\nbuild {}\n{}\nfrom {from}\nepochs {epochs}\nlayer epochs {layer_epochs}\nrate {rate}\n\
         result share {result_share}\n",
        Build::this(short_signature()?),
        identity_of(games),
    ))
}

/// The positions to learn from; not all of them if it was interrupted.
///
/// # Errors
/// No rule has any.
fn samples(
    options: &TrainOptions,
    mut games: Vec<TrainingGame>,
    interrupted: &AtomicBool,
) -> anyhow::Result<TrainingSet> {
    let mut samples = TrainingSet::new(TrainingRecipe {
        epochs: options.epochs as usize,
        layer_epochs: options.layer_epochs as usize,
        rate: options.rate,
        result_share: options.result_share,
    });
    let mut is_empty = true;
    for rule in Rule::ALL {
        let games: Vec<TrainingGame> = games.extract_if(.., |game| game.rule == rule).collect();
        if games.is_empty() {
            continue;
        }
        if samples.add(rule, &games, interrupted) {
            is_empty = false;
        } else if interrupted.load(Relaxed) {
            return Ok(samples);
        } else {
            let count = counted(games.len() as u64, "game");
            remark(format_args!(
                "{rule} is left out: in {count} there is no position to learn from, apart from those held out"
            ));
        }
    }
    ensure!(!is_empty, "there are no positions to learn from");
    Ok(samples)
}

/// A training run and its files.
struct Run<'a> {
    options: &'a TrainOptions,
    file: PathBuf,
    companion: Option<PathBuf>,
    checkpoints: CheckpointFile,
    interrupted: Arc<AtomicBool>,
}

impl Run<'_> {
    /// Trains to the end and writes the results.
    fn train(mut self, mut training: Training, mut out: impl Write) -> anyhow::Result<()> {
        if !training.is_done() {
            self.options.file.ensure_free(&self.file)?;
            self.take_steps(&mut training)?;
        }
        let history = training.history().clone();
        let (weights, losses) = training.finish();
        self.options.file.write(&self.file, &weights.to_bytes())?;
        self.write_losses(&history)?;
        self.checkpoints.remove()?;
        for TrainingLoss { rule, games, positions, hand_crafted, before, network, by_stones } in losses {
            let is_held_out = by_stones.iter().any(|mean| mean.samples > 0);
            let [hand_crafted, before, network] =
                [hand_crafted, before, network].map(|loss| held_out_loss(is_held_out.then_some(loss)));
            write!(out, "{rule:10} {games:6} games {positions:8} positions  loss {hand_crafted} HCE, ")?;
            if self.options.from.is_some() {
                write!(out, "{before} before, ")?;
            }
            writeln!(out, "{network} network")?;
            if !is_held_out {
                say_nothing_is_held_out(rule);
            }
            for (bucket, MeanLoss { samples, loss }) in by_stones.into_iter().enumerate() {
                if samples > 0 {
                    let stones = stones_of(bucket);
                    writeln!(out, "{:10} {stones:>6} stones {samples:7} held out  loss {loss:.4}", "")?;
                }
            }
        }
        remark(format_args!("written to {}", self.file.display()));
        Ok(())
    }

    /// Takes all steps that are left, and reports its progress on standard error.
    fn take_steps(&mut self, training: &mut Training) -> anyhow::Result<()> {
        let epochs = u64::from(self.options.epochs) + u64::from(self.options.layer_epochs);
        let (first, all) = training.steps();
        let bar = live_line(all as u64);
        bar.set_position(first as u64);
        bar.reset_eta();
        let (started, mut told) = (Instant::now(), Instant::now());
        while !training.is_done() {
            if self.interrupted.load(Relaxed) {
                self.checkpoints.write(|| training.state());
                bar.finish_and_clear();
                bail!(Interrupted { goes_on: self.checkpoints.is_kept() });
            }
            let record = training.step();
            let (step, _) = training.steps();
            bar.set_position(step as u64);
            match record {
                Some(record @ LossRecord { epoch, held_out, .. }) if record.ends_epoch() => {
                    self.checkpoints.write(|| training.state());
                    let losses = self.write_losses(training.history());
                    bar.suspend(|| {
                        let loss = held_out_loss(held_out);
                        remark(format_args!("epoch {epoch:.0} of {epochs} loss {loss}"));
                        // The losses are written again at the end.
                        losses.unwrap_or_else(|error| remark(in_words(&error)));
                    });
                }
                Some(LossRecord { epoch, training: Some(loss), .. }) => {
                    bar.set_message(format!("steps  loss {loss:.4} in training"));
                    if bar.is_hidden() && told.elapsed() >= PROGRESS {
                        told = Instant::now();
                        let left =
                            started.elapsed().as_secs_f64() / (step - first) as f64 * (all - step) as f64;
                        remark(format_args!(
                            "epoch {epoch:.2} of {epochs} loss {loss:.4} in training, {left:.0} s left"
                        ));
                    }
                }
                _ => {}
            }
            self.checkpoints.write_if_due(|| training.state());
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn write_losses(&self, history: &LossHistory) -> anyhow::Result<()> {
        let Some(companion) = &self.companion else { return Ok(()) };
        write_whole(&beside(companion, LOSSES_CSV), history.to_csv())?;
        write_whole(&beside(companion, LOSSES_SVG), history.to_svg())
    }
}
