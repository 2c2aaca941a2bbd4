//! `kagetsu selfplay`: games of the engine against itself, as training records.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Args;

use super::arguments::{cores, parse_size, parse_stones, seed_or_random};
use super::bench::short_signature;
use super::ending::{Interrupted, note_ctrl_c};
use super::output::{counted, remark};
use super::progress::live_line;
use crate::board::Size;
use crate::data::Header;
use crate::data::opening_generator::OpeningRecipe;
use crate::data::selfplay::{Effort, GameRecipe, QuietDraw, RandomMoves, play_all};
use crate::data::writing::Writer;
use crate::eval::score::Score;
use crate::rules::Rule;

/// Games in one file unless told otherwise.
pub(super) const SHARD_GAMES: u32 = 10_000;
/// Time between two lines of progress where there is no terminal.
pub(super) const PROGRESS: Duration = Duration::from_secs(10);

/// Options of `kagetsu selfplay`.
#[derive(Args, Clone, Debug)]
pub struct SelfplayOptions {
    /// Folder for the files of records; the same command resumes an interrupted run, if it names the seed
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,

    /// Games in all under this seed, including those that are in the folder already
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,

    /// Seed from which everything follows; machines that share the work need different ones [default: random]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Games to play at once [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Games in each file
    #[arg(long, value_name = "N", default_value_t = SHARD_GAMES, value_parser = clap::value_parser!(u32).range(1..))]
    pub shard_games: u32,

    /// How the games are played.
    #[command(flatten)]
    pub recipe: RecipeOptions,
}

/// What games are played, and from where.
#[derive(Args, Clone, Debug)]
pub struct GamesOptions {
    /// Nodes searched for each move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,

    /// Rules, taken in turn [default: all]
    #[arg(long = "rule", value_name = "RULE", value_delimiter = ',')]
    pub rules: Vec<Rule>,

    /// Boards, taken in turn with each rule: a side such as 15, or width and height such as 20x15
    #[arg(long = "size", value_name = "SIZE", value_delimiter = ',', value_parser = parse_size, default_values = ["15", "20"])]
    pub sizes: Vec<Size>,

    /// Number of stones in a random opening, from-to
    #[arg(long, value_name = "N-N", value_parser = parse_stones, default_value = "3-7")]
    pub opening_stones: (usize, usize),

    /// Keep an opening only if neither side is ahead by more than this many points; doubled after 64 attempts in vain
    #[arg(long, value_name = "POINTS", default_value_t = 100, value_parser = clap::value_parser!(Score).range(0..))]
    pub opening_limit: Score,

    /// Nodes to search when judging an opening [default: as for a move]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub opening_nodes: Option<u32>,
}

/// How games are played for training records.
#[derive(Args, Clone, Debug)]
pub struct RecipeOptions {
    /// What is played.
    #[command(flatten)]
    pub games: GamesOptions,

    /// How many of a thousand early moves are random
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub random_permille: u32,

    /// Number of the first move that may be random
    #[arg(long, value_name = "MOVE", default_value_t = 5)]
    pub random_from: usize,

    /// Number of the last move that may be random
    #[arg(long, value_name = "MOVE", default_value_t = 12)]
    pub random_until: usize,

    /// Play on when a win is proven, to the end of the game
    #[arg(long)]
    pub play_out: bool,

    /// Declare a draw after this many moves in a row with scores near zero; 0 means never
    #[arg(long, value_name = "N", default_value_t = 14)]
    pub quiet_moves: usize,

    /// Scores of up to this many points count as near zero
    #[arg(long, value_name = "POINTS", default_value_t = 10)]
    pub quiet_limit: Score,

    /// Fewest stones on the board for such a draw
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub quiet_from: usize,
}

impl GamesOptions {
    /// These games, played as every day where the options say nothing.
    #[must_use]
    pub fn recipe(&self) -> GameRecipe {
        let (least_stones, most_stones) = self.opening_stones;
        GameRecipe {
            rules: if self.rules.is_empty() { Rule::ALL.to_vec() } else { self.rules.clone() },
            sizes: self.sizes.clone(),
            opening: OpeningRecipe {
                least_stones,
                most_stones,
                limit: self.opening_limit,
                nodes: self.opening_nodes.unwrap_or(self.nodes).into(),
            },
            ..GameRecipe::new(self.nodes)
        }
    }
}

impl RecipeOptions {
    /// The recipe that was asked for.
    #[must_use]
    pub fn recipe(&self) -> GameRecipe {
        GameRecipe {
            random: RandomMoves {
                permille: self.random_permille,
                from: self.random_from,
                until: self.random_until,
            },
            stop_at_proof: !self.play_out,
            quiet_draw: (self.quiet_moves > 0).then_some(QuietDraw {
                limit: self.quiet_limit,
                moves: self.quiet_moves,
                from: self.quiet_from,
            }),
            ..self.games.recipe()
        }
    }
}

/// Plays the missing games and reports its progress on standard error.
///
/// # Errors
/// Shards that cannot be read or written, or come from another engine or other settings; Ctrl-C.
pub fn run(options: &SelfplayOptions) -> anyhow::Result<()> {
    let seed = seed_or_random(options.seed);
    remark(format_args!("seed {seed}"));
    let threads = options.threads.map_or_else(cores, usize::from);
    let recipe = options.recipe.recipe();
    let stop = note_ctrl_c();
    let is_done =
        play_missing(&options.out, &recipe, seed, options.games, options.shard_games, threads, &stop)?;
    // Without --seed, the same command draws another one and begins anew.
    ensure!(is_done, Interrupted { goes_on: options.seed.is_some() });
    Ok(())
}

/// Plays the games of a run that are not in the folder yet, until `stop` is set. Returns whether all are there then.
pub(super) fn play_missing(
    folder: &std::path::Path,
    recipe: &GameRecipe,
    seed: u64,
    games: u32,
    shard_games: u32,
    threads: usize,
    stop: &AtomicBool,
) -> anyhow::Result<bool> {
    ensure!(games < u32::MAX, "so many games cannot be numbered");
    let header = Header {
        seed,
        shard: 0,
        capacity: shard_games,
        nodes: recipe.nodes,
        signature: short_signature()?,
        settings: recipe.to_string(),
    };
    let mut writer = Writer::new(folder, header)?;
    for damaged in writer.cut_off() {
        remark(format_args!("{damaged}, and are played again"));
    }
    let there = writer.next();
    if there > 0 {
        remark(format_args!("there already: {}", counted(there.into(), "game")));
    }
    let bar = live_line(games.into());
    bar.set_position(there.into());
    bar.reset_eta();
    let (started, mut told) = (Instant::now(), Instant::now());
    let mut effort = Effort::default();
    let is_done = loop {
        let missing = writer.missing(games);
        if missing.is_empty() || stop.load(Relaxed) {
            break missing.is_empty();
        }
        let played = play_all(recipe, seed, missing, threads, stop, |game| {
            writer.push(&game)?;
            let next = writer.next();
            let speed = f64::from(next.saturating_sub(there)) / started.elapsed().as_secs_f64();
            bar.set_position(next.into());
            bar.set_message(format!("games  {speed:.1} a second"));
            if bar.is_hidden() && told.elapsed() >= PROGRESS {
                told = Instant::now();
                let left = f64::from(games - next) / speed;
                remark(format_args!("{next} of {games} games, {speed:.1} a second, {left:.0} s left"));
            }
            Ok(())
        })?;
        effort.add(played);
        // The shards after a gap are there already.
        writer.resume()?;
    };
    bar.finish_and_clear();
    if effort.games > 0 {
        remark(summary(&effort, threads, started.elapsed()));
    }
    Ok(is_done)
}

fn summary(effort: &Effort, threads: usize, elapsed: Duration) -> String {
    let Effort { games, moves, .. } = *effort;
    let speed = games as f64 / elapsed.as_secs_f64().max(1e-9);
    format!(
        "{games} games, {moves} moves in {:.1} s: {speed:.1} games a second, {:.1} on each of {threads} \
         threads; {:.2} % of the time outside the search",
        elapsed.as_secs_f64(),
        speed / threads as f64,
        100.0 * effort.overhead(),
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        options: RecipeOptions,
    }

    fn recipe(words: &str) -> GameRecipe {
        Words::try_parse_from(["selfplay"].into_iter().chain(words.split_whitespace()))
            .unwrap()
            .options
            .recipe()
    }

    #[test]
    fn every_option_is_where_it_belongs() {
        assert_eq!(recipe(""), GameRecipe::new(1000));
        let asked = "--nodes 1 --rule renju --size 9,12x10 --opening-stones 2-4 --opening-limit 30 --opening-nodes 5 \
            --random-permille 6 --random-from 7 --random-until 8 --play-out --quiet-moves 11 --quiet-limit 13 \
            --quiet-from 14";
        let expected = GameRecipe {
            rules: vec![Rule::Renju],
            sizes: vec![Size::square(9), Size::new(12, 10).unwrap()],
            nodes: 1,
            opening: OpeningRecipe { least_stones: 2, most_stones: 4, limit: 30, nodes: 5 },
            random: RandomMoves { permille: 6, from: 7, until: 8 },
            stop_at_proof: false,
            quiet_draw: Some(QuietDraw { limit: 13, moves: 11, from: 14 }),
        };
        assert_eq!(recipe(asked), expected);
        assert_eq!(recipe("--quiet-moves 0").quiet_draw, None);
        assert_eq!(recipe("--nodes 70").opening.nodes, 70);
    }
}
