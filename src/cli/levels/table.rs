//! The table of levels.

use crate::levels::{Level, Means, RatingTable};

/// The levels with what was measured: ratings with their intervals, and the games of the match against the level before.
pub(super) fn table(tables: &[RatingTable]) -> String {
    let mut text = format!("{:>5} {:10} {:50}", "level", "name", "how it plays");
    for table in tables {
        text += &format!(" {:>24}", format!("{} {}, games", table.rule, table.size));
    }
    text.push('\n');
    for level in Level::all() {
        text += &format!("{:>5} {level:10} {:50}", level.number(), describe(level));
        for table in tables {
            let rating = table.levels.iter().find(|rating| rating.level == level);
            let rating = rating.map_or("-".to_owned(), |rating| {
                format!("{:.0} +/- {:.0} {:>6}", rating.elo, rating.error, rating.games)
            });
            text += &format!(" {rating:>24}");
        }
        text.push('\n');
    }
    text
}

/// What a level does, in a few words.
fn describe(level: Level) -> String {
    let weakness = level.weakness();
    match level.means() {
        Means::Tuples => "the table of five-tuples".to_owned(),
        Means::Patterns => "one ply of pattern scores".to_owned(),
        Means::Full => "all that the limits allow".to_owned(),
        Means::Search(nodes) if weakness.lines + weakness.moves == 0 => format!("{nodes} nodes"),
        Means::Search(nodes) => {
            let percent = |permille: u32| f64::from(permille) / 10.0;
            let (lines, moves) = (percent(weakness.lines), percent(weakness.moves));
            format!("{nodes} nodes, misses {lines} % of lines and {moves} % of quiet moves")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::rating_tables;

    #[test]
    fn every_level_has_a_line() {
        let text = table(&rating_tables());
        assert_eq!(text.lines().count(), Level::COUNT + 1);
        assert!(text.contains("the table of five-tuples") && text.contains("full"), "{text}");
        // With the games of the second level against the first.
        let games = rating_tables().last().unwrap().levels[1].games;
        assert!(games > 0 && text.lines().nth(2).unwrap().ends_with(&format!(" {games}")), "{text}");
    }
}
