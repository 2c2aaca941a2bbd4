//! `kagetsu train`: trains the network of the evaluation on games of self-play.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use super::selfplay::cores;
use crate::data::Game;
use crate::data::shards::read_all;
use crate::eval::network::weights::Weights;
use crate::rules::Rule;
use crate::tune::network::{Lessons, Recipe};

/// Options of `kagetsu train`.
#[derive(Args, Clone, Debug)]
pub struct TrainOptions {
    /// Training records to learn from: shards, or folders of shards
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,

    /// Passes over the positions of all rules, for the features that they share
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub common_epochs: usize,

    /// Passes over the positions of each rule, for its own layers
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub epochs: usize,

    /// Share of the result in the value that is learned, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub result_share: f32,

    /// Threads [default: the number of cores]; their number does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Where the networks are written; a rule without games has none
    #[arg(long, value_name = "FILE", default_value = "src/eval/network/weights.bin")]
    pub out: PathBuf,
}

/// Trains a network for every rule that there are games of.
///
/// # Errors
/// Files that cannot be read or written, are no shards, or hold the same games; no games at all.
pub fn run(options: &TrainOptions, mut out: impl Write + Send) -> anyhow::Result<()> {
    ensure!((0.0..=1.0).contains(&options.result_share), "--result-share is from 0 to 1");
    let mut games: Vec<Game> = Vec::new();
    read_all(&options.data, |_, shard| games.extend(shard.games))?;
    ensure!(!games.is_empty(), "there are no games to learn from");
    let threads = options.threads.map_or_else(cores, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| train(options, games, &mut out))
}

fn train(options: &TrainOptions, mut games: Vec<Game>, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let mut lessons = Lessons::new(Recipe {
        common_epochs: options.common_epochs,
        epochs: options.epochs,
        result_share: options.result_share,
    });
    let mut counts = [0; Rule::ALL.len()];
    for rule in Rule::ALL {
        let games: Vec<Game> = games.extract_if(.., |game| game.rule == rule).collect();
        counts[rule.index()] = games.len();
        if !games.is_empty() {
            lessons.add(rule, &games);
        }
    }
    let told = |name: &'static str| {
        move |epoch: usize, loss: f32| eprintln!("{name} epoch {} loss {loss:.4}", epoch + 1)
    };
    let common = lessons.common(told("all rules"));
    let mut weights = Weights { parts: common.rounded_parts(), heads: Default::default() };
    for rule in Rule::ALL {
        let Some((trained, loss)) = lessons.train(rule, &common, told(rule.name())) else { continue };
        weights.heads[rule.index()] = trained;
        writeln!(
            out,
            "{rule:10} {:6} games {:8} positions  loss {:.4} by hand, {:.4} with what all rules share, {:.4}",
            counts[rule.index()],
            loss.positions,
            loss.by_hand,
            loss.common,
            loss.network
        )?;
    }
    std::fs::write(&options.out, weights.to_bytes())
        .with_context(|| format!("writing {}", options.out.display()))
}
