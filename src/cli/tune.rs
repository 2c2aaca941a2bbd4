//! `kagetsu tune`: plays games against itself and fits the hand-made evaluation to them.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use parking_lot::Mutex;
use rayon::prelude::*;

use crate::eval::classical::weights;
use crate::rules::Rule;
use crate::tune::fit::{Recipe, fit, share_colors};
use crate::tune::games::{self, Game};
use crate::tune::prior;

/// Options of `kagetsu tune`.
#[derive(Args, Clone, Debug)]
pub struct TuneOptions {
    /// File of games, one a line; those that are missing to the number asked for are played and appended
    #[arg(long, value_name = "FILE")]
    pub games_file: PathBuf,

    /// Games in all, shared evenly among the rules
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub games: u64,

    /// Number of the first game: different numbers give different games
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Positions searched for each move
    #[arg(long, value_name = "N", default_value_t = 3000)]
    pub nodes: u64,

    /// Games played at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub threads: usize,

    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub epochs: usize,

    /// Share of the result in the value that is learned, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = 0.6)]
    pub result_share: f32,

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
/// Files that cannot be read or written, or hold something else than games.
pub fn run(options: &TuneOptions) -> anyhow::Result<()> {
    play_missing(options)?;
    let games = read(&options.games_file)?;
    let builtin = weights::from_bytes(include_bytes!("../eval/classical/weights.bin"));
    let mut all = builtin.filter(|_| !options.from_prior).unwrap_or_else(prior::weights);
    let recipe = Recipe { epochs: options.epochs, result_share: options.result_share };
    let start = all.clone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
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
        println!(
            "{rule:10} {games:6} games {:8} positions  value {value:.4} -> {value_now:.4}  move {promise:.4} -> {promise_now:.4}",
            loss.positions
        );
    }
    std::fs::write(&options.out, weights::to_bytes(&all))
        .with_context(|| format!("writing {}", options.out.display()))
}

fn read(path: &Path) -> anyhow::Result<Vec<Game>> {
    let file = File::open(path).with_context(|| format!("opening {}", path.display()))?;
    // The last line of a run that was cut short may be half a game: it is played again.
    Ok(BufReader::new(file).lines().map_while(Result::ok).filter_map(|line| line.parse().ok()).collect())
}

fn play_missing(options: &TuneOptions) -> anyhow::Result<()> {
    let path = &options.games_file;
    let done = if path.exists() { read(path)?.len() as u64 } else { 0 };
    let open = OpenOptions::new().create(true).append(true).open(path);
    let mut file = open.with_context(|| format!("opening {}", path.display()))?;
    if done > 0 {
        // Ends a half line.
        writeln!(file)?;
    }
    let file = Mutex::new(file);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    pool.install(|| {
        (done..options.games).into_par_iter().try_for_each(|number| -> anyhow::Result<()> {
            let game = games::play(options.seed + number, options.nodes);
            writeln!(file.lock(), "{game}").context("writing a game")
        })
    })
}
