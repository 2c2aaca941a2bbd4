//! `kagetsu tune`: fits the hand-made evaluation to games of self-play.

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use rayon::prelude::*;

use super::arguments::cores;
use super::files::write_whole;
use super::selfplay::play_missing;
use crate::data::Game;
use crate::data::selfplay::Recipe;
use crate::data::shards::read_all;
use crate::eval::classical::weights;
use crate::rules::Rule;
use crate::tune::fit::{self, fit, share_colors};
use crate::tune::prior;

/// Games in one file of those that are played here.
const SHARD_GAMES: u32 = 10_000;

/// Options of `kagetsu tune`.
#[derive(Args, Clone, Debug)]
pub struct TuneOptions {
    /// Training records to learn from: shards, or folders of shards
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present_any = ["play", "from_prior"])]
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

    /// Positions searched for each move
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
    pub only: Option<fit::Kind>,

    /// Start from the weights by hand rather than from those built in
    #[arg(long)]
    pub from_prior: bool,

    /// Where the weights are written
    #[arg(long, value_name = "FILE", default_value = "src/eval/classical/weights.bin")]
    pub out: PathBuf,
}

/// Plays what is missing and fits.
///
/// # Errors
/// Files that cannot be read or written, are no shards, or hold the same games.
pub fn run(options: &TuneOptions, mut out: impl Write) -> anyhow::Result<()> {
    let threads = options.threads.map_or_else(cores, usize::from);
    let mut paths = options.data.clone();
    if let Some(folder) = &options.play {
        let recipe = Recipe::new(options.nodes);
        play_missing(folder, &recipe, options.seed, options.games, SHARD_GAMES, threads)?;
        paths.push(folder.clone());
    }
    let mut games: Vec<Game> = Vec::new();
    read_all(&paths, |_, shard| games.extend(shard.games))?;
    // Without games the weights by hand are written as they are.
    ensure!(options.from_prior || !games.is_empty(), "there are no games to learn from");
    let builtin = weights::from_bytes(include_bytes!("../eval/classical/weights.bin"));
    let mut all = builtin.filter(|_| !options.from_prior).unwrap_or_else(prior::weights);
    let recipe =
        fit::Recipe { epochs: options.epochs, result_share: options.result_share, only: options.only };
    let start = all.clone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let fitted: Vec<_> = pool.install(|| {
        Rule::ALL
            .par_iter()
            .map(|&rule| {
                let games: Vec<Game> = games.iter().filter(|game| game.rule == rule).cloned().collect();
                (rule, games.len(), fit(rule, &games, &start, recipe))
            })
            .collect()
    });
    for (slot, (rule, games, (mut weights, loss))) in all.iter_mut().zip(fitted) {
        share_colors(rule, &mut weights);
        *slot = weights;
        let ([value, value_now], [promise, promise_now]) = (loss.value, loss.promise);
        writeln!(
            out,
            "{rule:10} {games:6} games {:8} positions  value {value:.4} -> {value_now:.4}  move {promise:.4} -> {promise_now:.4}",
            loss.positions
        )?;
    }
    write_whole(&options.out, weights::to_bytes(&all))
}
