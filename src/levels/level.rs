//! The table of levels: names, and what each can do.

use std::fmt;
use std::str::FromStr;

/// How a level finds its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The table of five-tuples, without any search.
    Tuples,
    /// One ply of pattern scores, without any search.
    Patterns,
    /// A search of this many nodes per move.
    Search(u64),
    /// A search within the limits of the move.
    Full,
}

/// How often a level overlooks something, in thousandths, at a medium distance from the last stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weakness {
    /// A whole line, with whatever either side could make on it short of five.
    pub lines: u32,
    /// A quiet move.
    pub moves: u32,
    /// A five that the opponent threatens; never more often than its line.
    pub fives: u32,
}

impl Weakness {
    /// Overlooks nothing.
    pub const NONE: Weakness = Weakness { lines: 0, moves: 0, fives: 0 };
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
struct Row {
    group: &'static str,
    step: u8,
    method: Method,
    weakness: Weakness,
}

const fn row(group: &'static str, step: u8, method: Method) -> Row {
    Row { group, step, method, weakness: Weakness::NONE }
}

impl Row {
    const fn overlooking(self, lines: u32, moves: u32, fives: u32) -> Row {
        Row { weakness: Weakness { lines, moves, fives }, ..self }
    }
}

/// The levels, weakest first. The numbers were tuned with the aim that neighbouring levels are 80 to 150 points apart;
/// `docs/level-ratings.md` says how far this is reached, and has the games.
const LEVELS: [Row; 19] = [
    row("beginner", 1, Method::Patterns).overlooking(360, 320, 170),
    row("beginner", 2, Method::Patterns).overlooking(200, 200, 70),
    row("tuples", 1, Method::Tuples),
    row("patterns", 1, Method::Patterns),
    row("novice", 1, Method::Search(40)).overlooking(170, 170, 0),
    row("novice", 2, Method::Search(76)).overlooking(80, 80, 0),
    row("casual", 1, Method::Search(135)).overlooking(35, 35, 0),
    row("casual", 2, Method::Search(250)).overlooking(18, 18, 0),
    row("club", 1, Method::Search(490)).overlooking(11, 11, 0),
    row("club", 2, Method::Search(1050)),
    row("strong", 1, Method::Search(1750)),
    row("strong", 2, Method::Search(2900)),
    row("strong", 3, Method::Search(4800)),
    row("expert", 1, Method::Search(8000)),
    row("expert", 2, Method::Search(13_500)),
    row("expert", 3, Method::Search(23_500)),
    row("master", 1, Method::Search(42_000)),
    row("master", 2, Method::Search(76_000)),
    row("full", 1, Method::Full),
];

/// A level of strength. Levels are ordered from the weakest up.
///
/// ```
/// use kagetsu::levels::{Level, Method};
///
/// assert_eq!(Level::from_strength(100), Level::FULL);
/// assert_eq!("3".parse::<Level>()?.method(), Method::Tuples);
/// # Ok::<(), kagetsu::levels::NoSuchLevel>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// How many levels there are.
    pub const COUNT: usize = LEVELS.len();
    /// Full strength.
    pub const FULL: Level = Level(LEVELS.len() as u8);

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> {
        (1..=Level::FULL.0).map(Level)
    }

    /// The level with this number, if there is one; the weakest is 1.
    #[must_use]
    pub fn from_number(number: usize) -> Option<Level> {
        u8::try_from(number).ok().filter(|number| (1..=Level::FULL.0).contains(number)).map(Level)
    }

    /// The level at this percentage of the way from the weakest to full strength; more than 100 is full strength.
    #[must_use]
    pub fn from_strength(percent: u8) -> Level {
        let steps = Level::COUNT as u32 - 1;
        Level(1 + (u32::from(percent.min(100)) * steps / 100) as u8)
    }

    /// The number of the level; the weakest is 1.
    #[must_use]
    pub fn number(self) -> usize {
        self.0.into()
    }

    fn row(self) -> &'static Row {
        &LEVELS[usize::from(self.0) - 1]
    }

    /// The name of its group of levels, as programs use it.
    #[must_use]
    pub fn group(self) -> &'static str {
        self.row().group
    }

    /// Its place within the group, from 1; `None` where it is alone there.
    #[must_use]
    pub fn step(self) -> Option<u8> {
        let is_alone = LEVELS.iter().filter(|row| row.group == self.group()).count() == 1;
        (!is_alone).then_some(self.row().step)
    }

    /// How it finds its moves.
    #[must_use]
    pub fn method(self) -> Method {
        self.row().method
    }

    /// How often it overlooks something.
    #[must_use]
    pub fn weakness(self) -> Weakness {
        self.row().weakness
    }
}

/// `novice 2`, `full`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(step) = self.step() else { return f.pad(self.group()) };
        f.pad(&format!("{} {step}", self.group()))
    }
}

/// A text that names no level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchLevel(String);

impl fmt::Display for NoSuchLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a level; a level is a number from 1 to {}, which is full strength, or a name such as casual-2 \
             or full",
            self.0,
            Level::COUNT
        )
    }
}

impl std::error::Error for NoSuchLevel {}

/// A number, or a name with a blank, a hyphen or nothing before its last digit: `8`, `club 2`, `club-2`, `full`.
impl FromStr for Level {
    type Err = NoSuchLevel;

    fn from_str(text: &str) -> Result<Level, NoSuchLevel> {
        let by_number = || text.parse().ok().and_then(Level::from_number);
        let plain = |name: &str| name.replace([' ', '-'], "").to_ascii_lowercase();
        let by_name = || Level::all().find(|level| plain(&level.to_string()) == plain(text));
        by_number().or_else(by_name).ok_or_else(|| NoSuchLevel(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_that_an_error_offers_is_a_level() {
        let last = Level::all().last().unwrap();
        assert_eq!((last.number(), last), (Level::COUNT, "full".parse().unwrap()));
        let error = (Level::COUNT + 1).to_string().parse::<Level>().unwrap_err().to_string();
        assert!(error.contains(&format!("from 1 to {}, which is full strength", Level::COUNT)), "{error}");
    }

    #[test]
    fn levels_have_numbers_and_names() {
        assert_eq!(Level::all().count(), Level::COUNT);
        assert!(Level::all().is_sorted());
        for level in Level::all() {
            assert_eq!(level.number().to_string().parse(), Ok(level));
        }
        for name in ["club 2", "club-2", "Club2"] {
            assert_eq!(name.parse().map(Level::number), Ok(10));
        }
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        let names: std::collections::BTreeSet<String> = Level::all().map(|level| level.to_string()).collect();
        assert_eq!(names.len(), Level::COUNT);
        for text in ["0", "-1", "99", "", "novice", "1.5"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn strength_in_percent_reaches_every_level() {
        let reached: std::collections::BTreeSet<Level> = (0..=100).map(Level::from_strength).collect();
        assert_eq!(reached.len(), Level::COUNT);
        assert_eq!(Level::from_strength(0).number(), 1);
        // Nothing short of 100 is full strength.
        assert!(Level::from_strength(99) < Level::FULL);
        assert_eq!(Level::from_strength(u8::MAX), Level::FULL);
    }

    #[test]
    fn beginners_come_first_then_teaching_engines_and_the_others_see_more_and_more() {
        let methods: Vec<Method> = Level::all().map(Level::method).collect();
        assert_eq!(methods[..2], [Method::Patterns; 2]);
        assert_eq!(methods[2..4], [Method::Tuples, Method::Patterns]);
        assert_eq!(methods[Level::COUNT - 1], Method::Full);
        let searches: Vec<(u64, Weakness)> = Level::all()
            .filter_map(|level| match level.method() {
                Method::Search(nodes) => Some((nodes, level.weakness())),
                _ => None,
            })
            .collect();
        assert_eq!(searches.len(), Level::COUNT - 5);
        let weak: Vec<Weakness> = Level::all().take(2).map(Level::weakness).collect();
        assert!(weak[0].lines > weak[1].lines && weak[0].fives > weak[1].fives && weak[1].fives > 0);
        for pair in searches.windows(2) {
            assert!(pair[0].0 <= pair[1].0 && pair[0].1.lines >= pair[1].1.lines, "{pair:?}");
        }
    }
}
