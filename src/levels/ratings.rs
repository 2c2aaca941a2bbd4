//! The strength of the levels as measured by `kagetsu levels --measure`: a text with a table for each rule and board.

use super::level::Level;
use crate::board::Size;
use crate::rules::Rule;

/// The tables as they were measured last.
const MEASURED: &str = include_str!("ratings.txt");

/// Elo per unit of natural log-odds: 400 / ln 10.
pub(crate) const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// How much stronger each level is assumed to be than the one before where nothing was measured, in Elo.
const UNMEASURED_STEP: f64 = 110.0;

/// What was measured under one rule on one board.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingTable {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// When, as year, month and day.
    pub date: String,
    /// Nodes per move at full strength in these games.
    pub full_nodes: u64,
    /// The levels that were measured, the weakest first.
    pub levels: Vec<LevelRating>,
}

/// The rating of one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelRating {
    /// The level.
    pub level: Level,
    /// Elo above the weakest level.
    pub elo: f64,
    /// Half the width of its 95 % confidence interval, with the average of all levels held fixed.
    pub error: f64,
    /// Games against the level before.
    pub games: u64,
}

impl RatingTable {
    /// Reads tables: each begins with a line `rule size date nodes-of-full`, and lines `level elo error games` follow.
    /// Empty lines and lines that begin with `#` are ignored.
    ///
    /// # Errors
    /// The number, from 1, of the first line that is none of these.
    pub fn read_all(text: &str) -> Result<Vec<RatingTable>, usize> {
        let mut tables: Vec<RatingTable> = Vec::new();
        for (number, line) in (1_usize..).zip(text.lines()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.is_empty() || line.starts_with('#') {
                continue;
            }
            match RatingTable::begun_by(&words) {
                Some(table) => tables.push(table),
                None => {
                    let rating = LevelRating::read(&words).ok_or(number)?;
                    tables.last_mut().ok_or(number)?.levels.push(rating);
                }
            }
        }
        Ok(tables)
    }

    fn begun_by(words: &[&str]) -> Option<RatingTable> {
        let [rule, size, date, full_nodes] = *words else { return None };
        Some(RatingTable {
            rule: rule.parse().ok()?,
            size: size.parse().ok()?,
            date: date.to_owned(),
            full_nodes: full_nodes.parse().ok()?,
            levels: Vec::new(),
        })
    }

    /// The table in the form in which it is read.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("{} {} {} {}\n", self.rule.name(), self.size, self.date, self.full_nodes);
        for LevelRating { level, elo, error, games } in &self.levels {
            text += &format!("{} {elo:.0} {error:.0} {games}\n", level.number());
        }
        text
    }
}

impl LevelRating {
    fn read(words: &[&str]) -> Option<LevelRating> {
        let [level, elo, error, games] = *words else { return None };
        Some(LevelRating {
            level: Level::from_number(level.parse().ok()?)?,
            elo: elo.parse().ok()?,
            error: error.parse().ok()?,
            games: games.parse().ok()?,
        })
    }
}

/// All tables that were measured.
#[must_use]
pub fn rating_tables() -> Vec<RatingTable> {
    // A test ensures that the text is well-formed.
    RatingTable::read_all(MEASURED).unwrap_or_default()
}

/// Elo of every level above the weakest under this rule: as measured, on the first of its boards if there are several,
/// and in even steps where nothing was measured.
#[must_use]
pub fn ratings(rule: Rule) -> Vec<f64> {
    let measured = rating_tables().into_iter().find(|table| table.rule == rule);
    let levels = measured.map(|table| table.levels).unwrap_or_default();
    let mut all: Vec<f64> = levels.iter().map(|rating| rating.elo).collect();
    while all.len() < Level::COUNT {
        all.push(all.last().map_or(0.0, |elo| elo + UNMEASURED_STEP));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_can_be_read() {
        let tables = RatingTable::read_all(MEASURED).unwrap();
        assert!(!tables.is_empty());
        for table in &tables {
            let again = RatingTable::read_all(&table.write()).unwrap();
            assert_eq!(again, std::slice::from_ref(table));
            let levels: Vec<Level> = table.levels.iter().map(|rating| rating.level).collect();
            assert_eq!(levels, Level::all().take(levels.len()).collect::<Vec<_>>(), "{}", table.rule);
            assert!(table.levels.is_sorted_by(|a, b| a.elo < b.elo), "{}", table.rule);
        }
        for rule in Rule::ALL {
            assert_eq!(ratings(rule).len(), Level::COUNT);
            assert!(ratings(rule).is_sorted_by(|a, b| a < b), "{rule}");
        }
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let table = "renju 15x15 2026-11-24 5000\n1 0 0 0\n";
        assert_eq!(RatingTable::read_all(&format!("# why\n\n{table}")).unwrap().len(), 1);
        for (text, line) in [
            ("1 0 0 0\n", 1),
            ("renju 15 x\n", 1),
            (&format!("{table}99 0 0 0\n"), 3),
            (&format!("{table}2 much 0 0\n"), 3),
        ] {
            assert_eq!(RatingTable::read_all(text), Err(line), "{text}");
        }
    }
}
