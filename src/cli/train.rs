//! `kagetsu train`: trains the networks of the evaluation on games of self-play.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use super::arguments::cores;
use super::files::{WeightsFile, read_network, write_whole};
use super::output::remark;
use super::training_data::{parse_percent, read_games};
use crate::data::TrainingGame;
use crate::eval::nnue::NnueWeights;
use crate::rules::Rule;
use crate::tune::nnue::{TrainingLoss, TrainingRecipe, TrainingSet};

/// Where a build takes its networks from.
const SOURCE: &str = "src/eval/nnue/weights.bin";
/// The file in the current folder unless told otherwise.
const OUT: &str = "network.bin";

/// Options of `kagetsu train`.
#[derive(Args, Clone, Debug)]
pub struct TrainOptions {
    /// Training records to learn from: shards, or folders of shards
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,

    /// Weights to go on from, a file as this command writes; a rule without games keeps its layers
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,

    /// Passes over all positions, for features and layers
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub epochs: usize,

    /// Passes after that for the layers alone, behind features that are rounded
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub layer_epochs: usize,

    /// The first learning rate, which falls to nothing; to go on from weights that are good, a quarter of it
    #[arg(long, value_name = "RATE", default_value_t = 0.002)]
    pub rate: f32,

    /// Share of the result in the value that is learned, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub result_share: f32,

    /// Threads [default: the number of cores]; their number does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// How much of the data, in percent of its bytes, may be damaged; it is left out, and said so
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = parse_percent)]
    pub max_damaged: f64,

    /// The file of networks; a rule without games has none in it, unless it is in --from.
    #[command(flatten)]
    pub file: WeightsFile,
}

/// Trains a network for every rule that there are games of.
///
/// # Errors
/// Files that cannot be read or written, are no shards, are damaged, or hold the same games; no games at all.
pub fn run(options: &TrainOptions, mut out: impl Write + Send) -> anyhow::Result<()> {
    ensure!((0.0..=1.0).contains(&options.result_share), "--result-share is from 0 to 1");
    ensure!(options.rate > 0.0 && options.rate <= 1.0, "--rate is above 0 and at most 1");
    let from = options.from.as_deref().map(read_network).transpose()?;
    let file = options.file.path(OUT, SOURCE)?;
    let games = read_games(&options.data, options.max_damaged)?;
    ensure!(!games.is_empty(), "there are no games to learn from");
    let threads = options.threads.map_or_else(cores, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| train(options, games, from.as_ref(), &file, &mut out))
}

fn train(
    options: &TrainOptions,
    mut games: Vec<TrainingGame>,
    from: Option<&NnueWeights>,
    file: &Path,
    out: &mut (impl Write + Send),
) -> anyhow::Result<()> {
    let mut samples = TrainingSet::new(TrainingRecipe {
        epochs: options.epochs,
        layer_epochs: options.layer_epochs,
        rate: options.rate,
        result_share: options.result_share,
    });
    for rule in Rule::ALL {
        let games: Vec<TrainingGame> = games.extract_if(.., |game| game.rule == rule).collect();
        if !games.is_empty() {
            samples.add(rule, &games);
        }
    }
    let (weights, losses) =
        samples.learn(from, |epoch, loss| remark(format_args!("epoch {} loss {loss:.4}", epoch + 1)));
    for TrainingLoss { rule, games, positions, hand_crafted, before, network } in losses {
        write!(out, "{rule:10} {games:6} games {positions:8} positions  loss {hand_crafted:.4} HCE, ")?;
        if from.is_some() {
            write!(out, "{before:.4} before, ")?;
        }
        writeln!(out, "{network:.4} network")?;
    }
    write_whole(file, weights.to_bytes())?;
    remark(format_args!("written to {}", file.display()));
    Ok(())
}
