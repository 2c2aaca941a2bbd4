//! The options of `kagetsu levels`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::anchor::Anchor;
use super::fit::Games;
use crate::board::Size;
use crate::cli::arguments::{parse_positive, parse_size};
use crate::levels::Level;
use crate::rules::Rule;

/// Options of `kagetsu levels`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Neighbouring levels play each other from random but balanced openings, each opening with both colours. The games of each
match go into a folder below --out. The same command resumes an interrupted run.

Examples:
  kagetsu levels
  kagetsu levels --fit \"8:1 9:0 casual-2:0.5\" --rule renju
  kagetsu levels --measure --out ladder --rule freestyle,renju --games 400
  kagetsu levels --measure --out ladder --rule renju --games 400 --from 3 --to 6
  kagetsu levels --measure --out ladder --rule freestyle --from 5 --to 8 --against \"cmd=./pela turn=0.1=1600\"")]
pub struct LevelsOptions {
    /// Play the ladder: a match between every two neighbouring levels
    #[arg(long, requires = "out")]
    pub measure: bool,

    /// Show the level that fits a person with these results: LEVEL:POINTS for each game, with 1 point for a win, 0.5
    /// for a draw and 0 for a loss, in any order
    // Clap does not ask for --measure where something that excludes it is given.
    #[arg(long, value_name = "GAMES", value_parser = Games::from_str, conflicts_with_all = [
        "measure", "out", "size", "games", "min_games", "against", "openings", "full_nodes", "from", "to", "seed",
        "concurrency", "date",
    ])]
    pub fit: Option<Games>,

    /// Folder for the games and for the ratings (ratings.txt)
    #[arg(long, value_name = "FOLDER", requires = "measure")]
    pub out: Option<PathBuf>,

    /// Rules, one after the other [default: all; freestyle with --fit]
    #[arg(long = "rule", value_name = "RULE", value_delimiter = ',')]
    pub rules: Vec<Rule>,

    /// Board: a side such as 15, or width and height such as 20x15
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size, requires = "measure")]
    pub size: Size,

    /// Games of each match; proportionally fewer where a level searches more than 3,000 nodes a move
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = parse_positive, requires = "measure")]
    pub games: usize,

    /// Fewest games of a match, unless --games is lower
    #[arg(long, alias = "least-games", value_name = "N", default_value_t = 20, requires = "measure")]
    pub min_games: usize,

    /// An engine that plays each of these levels as well: its options as for `kagetsu match`, and after the last `=`
    /// its rating; may be given several times
    #[arg(long, value_name = "SPEC=RATING", requires = "measure", value_parser = Anchor::from_str)]
    pub against: Vec<Anchor>,

    /// Number of openings, each played with both colours; for more games they are rotated and mirrored
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = parse_positive, requires = "measure")]
    pub openings: usize,

    /// Nodes a move at full strength
    #[arg(long, value_name = "N", default_value_t = 150_000, requires = "measure")]
    pub full_nodes: u64,

    /// The weakest level that plays
    #[arg(long, value_name = "LEVEL", default_value = "1", requires = "measure")]
    pub from: Level,

    /// The strongest level that plays
    #[arg(long, value_name = "LEVEL", default_value_t = Level::FULL, requires = "measure")]
    pub to: Level,

    /// Seed of the openings and of all random choices
    #[arg(long, value_name = "N", default_value_t = 1, requires = "measure")]
    pub seed: u64,

    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, requires = "measure")]
    pub concurrency: usize,

    /// Date to print in the tables, one word such as 2026-11-25
    #[arg(long, value_name = "DATE", default_value = "undated", requires = "measure", value_parser = parse_date)]
    pub date: String,
}

/// A word of the tables, which are read by words.
fn parse_date(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(char::is_whitespace) {
        return Err("a date is one word here, such as 2026-11-25".to_owned());
    }
    Ok(text.to_owned())
}
