//! `kagetsu tune`: fits the hand-crafted evaluation to games of self-play.

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::arguments::cores;
use super::files::{WeightsFile, write_whole};
use super::output::remark;
use super::selfplay::{SHARD_GAMES, play_missing};
use super::training_data::{parse_percent, read_games};
use crate::data::TrainingGame;
use crate::data::selfplay::GameRecipe;
use crate::eval::hand_crafted::weights;
use crate::rules::Rule;
use crate::tune::hand_crafted::{FitRecipe, WeightKind, fit, initial, share_colors};

/// Where a build takes its weights from.
const SOURCE: &str = "src/eval/hand_crafted/weights.bin";
/// The file in the current folder unless told otherwise.
const OUT: &str = "weights.bin";

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
pub struct TuneOptions {
    /// Training records to learn from: shards, or folders of shards
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present_any = ["play", "from_initial"])]
    pub data: Vec<PathBuf>,

    /// Play games into this folder first, those that are missing to the number asked for, and learn from them
    /// too; `kagetsu selfplay` has more options
    #[arg(long, value_name = "FOLDER")]
    pub play: Option<PathBuf>,

    /// Games to play, shared evenly among the rules
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub games: u32,

    /// Different seeds give different games
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Nodes searched for each move
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,

    /// Games played and rules fitted at once [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub epochs: usize,

    /// Share of the result in the value that is learned, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub result_share: f32,

    /// Fit only these, and keep the others as they are
    #[arg(long, value_name = "KIND")]
    pub only: Option<Only>,

    /// Start from the initial weights, which were written by hand, rather than from those built in
    #[arg(long, alias = "from-prior")]
    pub from_initial: bool,

    /// How much of the data, in percent of its bytes, may be damaged; it is left out, and said so
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = parse_percent)]
    pub max_damaged: f64,

    /// The file of weights.
    #[command(flatten)]
    pub file: WeightsFile,
}

/// Plays what is missing and fits.
///
/// # Errors
/// Files that cannot be read or written, are no shards, are damaged, or hold the same games.
pub fn run(options: &TuneOptions, mut out: impl Write) -> anyhow::Result<()> {
    let file = options.file.path(OUT, SOURCE)?;
    let threads = options.threads.map_or_else(cores, usize::from);
    let mut paths = options.data.clone();
    if let Some(folder) = &options.play {
        let recipe = GameRecipe::new(options.nodes);
        play_missing(folder, &recipe, options.seed, options.games, SHARD_GAMES, threads)?;
        paths.push(folder.clone());
    }
    let games = read_games(&paths, options.max_damaged)?;
    // Without games the initial weights are written as they are.
    ensure!(options.from_initial || !games.is_empty(), "there are no games to learn from");
    let mut all = if options.from_initial { initial::weights() } else { weights::builtin() };
    let recipe = FitRecipe {
        epochs: options.epochs,
        result_share: options.result_share,
        only: options.only.map(WeightKind::from),
    };
    let start = all.clone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let fitted: Vec<_> = pool.install(|| {
        Rule::ALL
            .par_iter()
            .map(|&rule| {
                let games: Vec<TrainingGame> =
                    games.iter().filter(|game| game.rule == rule).cloned().collect();
                (rule, games.len(), fit(rule, &games, &start, recipe))
            })
            .collect()
    });
    for (slot, (rule, games, (mut weights, loss))) in all.iter_mut().zip(fitted) {
        share_colors(rule, &mut weights);
        *slot = weights;
        let ([value, value_now], [ordering, ordering_now]) = (loss.value, loss.ordering);
        writeln!(
            out,
            "{rule:10} {games:6} games {:8} positions  value {value:.4} -> {value_now:.4}  move {ordering:.4} -> {ordering_now:.4}",
            loss.positions
        )?;
    }
    write_whole(&file, weights::to_bytes(&all))?;
    remark(format_args!("written to {}", file.display()));
    Ok(())
}
