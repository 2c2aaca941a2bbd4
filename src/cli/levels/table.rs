//! The table of levels.

use crate::levels::{Level, LevelRating, Method, RatingTable, Weakness};

/// The levels with their measured ratings and intervals. Columns are narrow, because there is one for each rule and
/// board.
pub(super) fn table(tables: &[RatingTable]) -> String {
    let width = Level::all().map(|level| describe(level).len()).max().unwrap_or_default();
    let row = |level: &str, name: &str, how: &str| format!("{level:>5} {name:10} {how:width$}");
    let mut text = row("", "", "");
    tables.iter().for_each(|table| text += &format!(" {:>12}", table.rule.name()));
    text = format!("{}\n{}", text.trim_end(), row("level", "name", "how it plays"));
    tables.iter().for_each(|table| text += &format!(" {:>12}", table.size.to_string()));
    text.push('\n');
    for level in Level::all() {
        text += &row(&level.number().to_string(), &level.to_string(), &describe(level));
        for table in tables {
            let rating = table.levels.iter().find(|rating| rating.level == level);
            let rating = rating
                .map_or("-".to_owned(), |LevelRating { elo, error, .. }| format!("{elo:.0} +/- {error:.0}"));
            text += &format!(" {rating:>12}");
        }
        text.push('\n');
    }
    text
}

/// What a level does, in a few words.
fn describe(level: Level) -> String {
    let weakness = level.weakness();
    let how = match level.method() {
        Method::Tuples => "the table of five-tuples".to_owned(),
        Method::Patterns => "one ply of pattern scores".to_owned(),
        Method::Full => "all that the limits allow".to_owned(),
        Method::Search(nodes) => format!("{nodes} nodes"),
    };
    let percent = |permille: u32| f64::from(permille) / 10.0;
    let [lines, moves, fives] = [weakness.lines, weakness.moves, weakness.fives].map(percent);
    match weakness {
        Weakness::NONE => how,
        Weakness { fives: 0, .. } => format!("{how}, misses {lines} % of lines, {moves} % of quiet moves"),
        _ => format!("{how}, misses {lines} % of lines, {moves} % of quiet moves, {fives} % of fours"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::rating_tables;

    #[test]
    fn every_level_has_a_line() {
        let text = table(&rating_tables());
        let widths: Vec<usize> = text.lines().skip(1).map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|&width| width == widths[0]), "the columns break: {widths:?}\n{text}");
        assert_eq!(text.lines().count(), Level::COUNT + 2);
        assert!(text.contains("the table of five-tuples") && text.contains("full"), "{text}");
        // With the rating of the second level in each table.
        let second = text.lines().nth(3).unwrap();
        for table in rating_tables() {
            assert!(second.contains(&format!(" {:.0} +/- ", table.levels[1].elo)), "{text}");
        }
    }
}
