//! The level that fits somebody, from results given as text.

use std::str::FromStr;

use crate::arena::stats::Z95;
use crate::cli::output::counted;
use crate::levels::{Fit, Level, NoSuchLevel, fitting_level};
use crate::rules::Rule;

/// Games against levels, with the points that the person scored.
#[derive(Clone, Debug, PartialEq)]
pub struct Games(Vec<(Level, f64)>);

/// Games that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadGames {
    /// Not a level and points with a colon between them.
    Form(String),
    /// Not a level.
    Level(NoSuchLevel),
    /// Points that no game gives.
    Points(String),
}

impl std::fmt::Display for BadGames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadGames::Form(text) => write!(f, "`{text}` is not LEVEL:POINTS"),
            BadGames::Level(error) => error.fmt(f),
            BadGames::Points(text) => {
                write!(f, "`{text}` is not a number of points: a game gives 0, 0.5 or 1")
            }
        }
    }
}

impl std::error::Error for BadGames {}

/// `8:1 9:0`, with blanks or commas between games.
impl FromStr for Games {
    type Err = BadGames;

    fn from_str(text: &str) -> Result<Games, BadGames> {
        let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        let game = |word: &str| {
            let (level, points) = word.split_once(':').ok_or_else(|| BadGames::Form(word.to_owned()))?;
            let level = level.parse().map_err(BadGames::Level)?;
            let number = points.parse().ok().filter(|points| [0.0, 0.5, 1.0].contains(points));
            Ok((level, number.ok_or_else(|| BadGames::Points(points.to_owned()))?))
        };
        Ok(Games(words.map(game).collect::<Result<_, _>>()?))
    }
}

impl Games {
    /// The level that fits under each of these rules, or under freestyle if there are none.
    pub(super) fn describe(&self, rules: &[Rule]) -> String {
        let rules = if rules.is_empty() { &[Rule::Freestyle] } else { rules };
        let line = |&rule: &Rule| {
            let Fit { level, elo, error } = fitting_level(rule, &self.0);
            let (number, count) = (level.number(), self.0.len());
            format!(
                "{rule}: level {number}, {level}; {elo:.0} +/- {:.0} points (95 %) above the weakest, {}\n",
                Z95 * error,
                counted(count as u64, "game")
            )
        };
        rules.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_words_name_a_level() {
        let level = |text: &str| {
            let games: Games = text.parse().unwrap();
            let said = games.describe(&[Rule::Renju]);
            assert_eq!(said.lines().count(), 1);
            said.split(&[' ', ','][..]).nth(2).unwrap().parse::<usize>().unwrap()
        };
        let middle = level("");
        assert!(level(&format!("{middle}:1")) > middle && level(&format!("{middle}:0")) < middle);
        assert_eq!(level("10:1 11:0"), level("club-2:1,strong-1:0"));
        let freestyle = "8:1".parse::<Games>().unwrap().describe(&[]);
        assert!(freestyle.starts_with("freestyle: level "), "{freestyle}");
        let Fit { elo, error, .. } = fitting_level(Rule::Freestyle, &[("8".parse().unwrap(), 1.0)]);
        let interval =
            format!("; {elo:.0} +/- {:.0} points (95 %) above the weakest, 1 game\n", 1.96 * error);
        assert!(freestyle.ends_with(&interval), "{freestyle}");
        for (text, said) in [
            ("8", "`8` is not LEVEL:POINTS"),
            ("99:1", "`99` is not a level"),
            ("8:0.7", "`0.7` is not a number of points"),
            ("8:2", "`2` is not a number of points"),
            ("8:NaN", "`NaN` is not a number of points"),
        ] {
            let error = text.parse::<Games>().unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
