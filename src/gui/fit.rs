//! `fit`: the level that fits a person, from the results of the games so far.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::messages::Rejection;
use super::position::read_rule;
use crate::levels::{Fit, Level, Style, Variety, fitting_level};

/// How many of the latest games count: people get better. The list ends with the latest game.
const MOST_GAMES: usize = 20;

/// A level as the page names it.
#[derive(Debug, Serialize)]
pub(super) struct LevelMessage {
    level: usize,
    group: &'static str,
    step: Option<u8>,
}

/// All levels below full strength, the weakest first.
pub(super) fn level_messages() -> Vec<LevelMessage> {
    let weaker = Level::all().filter(|&level| level < Level::FULL);
    weaker
        .map(|level| LevelMessage { level: level.number(), group: level.group(), step: level.step() })
        .collect()
}

/// The level with this number.
fn read_level(number: usize) -> Result<Level, Rejection> {
    let refused = || Rejection::bad_request(format!("a level is a number from 1 to {}", Level::COUNT));
    Level::from_number(number).ok_or_else(refused)
}

/// How a move is to be played, as the page sends it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StyleMessage {
    level: Option<usize>,
    variety: Option<u8>,
    seed: Option<u64>,
}

impl StyleMessage {
    pub fn style(self) -> Result<Style, Rejection> {
        Ok(Style {
            level: self.level.map_or(Ok(Level::FULL), read_level)?,
            variety: self.variety.map_or(Variety::NONE, Variety::percent),
            seed: self.seed.unwrap_or_default(),
            repeats: self.seed.is_some(),
        })
    }
}

/// The question: each game is a level and the person's points, 1, 0.5 or 0.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FitQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    rule: String,
    games: Vec<(usize, f64)>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct FitAnswer {
    level: usize,
    /// Elo above the weakest level, and how far off that may be.
    elo: f64,
    spread: f64,
}

impl FitQuestion {
    pub fn answer(&self) -> Result<FitAnswer, Rejection> {
        let rule = read_rule(&self.rule)?;
        let latest = self.games.len().saturating_sub(MOST_GAMES);
        let games = self.games.iter().skip(latest).map(|&(number, points)| Ok((read_level(number)?, points)));
        let Fit { level, elo, error } = fitting_level(rule, &games.collect::<Result<Vec<_>, Rejection>>()?);
        Ok(FitAnswer { level: level.number(), elo, spread: error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_no_style_knows_is_refused() {
        let read = |text: &str| serde_json::from_str::<StyleMessage>(text).is_ok();
        assert!(read(r#"{"level": 3, "variety": 10, "seed": 1}"#) && read("{}"));
        assert!(!read(r#"{"levle": 3}"#));
    }
}
