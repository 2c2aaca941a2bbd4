//! PSQ, a game as Piskvork saves it: `Piskvorky 15x15, 11:11, 0`, then a line `x,y,ms` for each stone, counted from 1,
//! then the names of the players, if programs have played, and a number that tells of errors.

use std::fmt;

use super::error::{FormatError, Mistake, Place};
use super::moves::{DistinctPoints, alternating};
use super::point_names::on_board;
use super::text::{lines, printable};
use crate::board::{Point, Size, Stones};

/// How a file begins.
pub(super) const FIRST_WORD: &str = "Piskvorky";

/// A game. Its `Display` is the text of the file.
///
/// ```
/// use kagetsu::formats::psq::{self, PsqGame};
/// let text = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,120\nme\nyou\n-1\n";
/// let game: PsqGame = psq::read(text).unwrap();
/// assert_eq!(game.moves[1], ("i9".parse().unwrap(), 120));
/// assert_eq!(game.to_string(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PsqGame {
    /// The board.
    pub size: Size,
    /// The stones in the order in which they were placed, Black first, and the time that each took, in ms.
    pub moves: Vec<(Point, u64)>,
    /// Black's name and White's, or the files of their programs; empty if the file does not give them.
    pub names: (String, String),
}

impl PsqGame {
    /// The position after the last stone.
    #[must_use]
    pub fn position(&self) -> Stones {
        alternating(&self.points(), self.size)
    }

    /// The stones without their times.
    #[must_use]
    pub fn points(&self) -> Vec<Point> {
        self.moves.iter().map(|&(point, _)| point).collect()
    }

    /// Checks that the game is on a board of this size.
    ///
    /// # Errors
    /// The board has another size.
    pub(super) fn on_size(self, wanted: Size) -> Result<PsqGame, FormatError> {
        if self.size == wanted {
            Ok(self)
        } else {
            Err(Mistake::WrongSize { found: self.size, wanted }.at(Place::START))
        }
    }
}

/// Whether this is the text of a game: it begins with the header, or is a record of the older form.
pub(crate) fn begins(text: &str) -> bool {
    text.trim_start().starts_with(FIRST_WORD) || is_record(text)
}

/// Reads a game. The first line that is not empty is the header. The first line after it that is not a stone ends the
/// game; a stone may lack its time. Empty lines, the blanks around a line and quotes around a name are ignored.
///
/// Also reads the records that Piskvork calls gomotur (`.rec`): no header, the names before the stones, which are
/// counted from 0, and no board, which is 20x20.
///
/// # Errors
/// A first line that is not a header, a header without a size, a line of numbers that is no stone, and a stone off the
/// board or on another one.
pub fn read(text: &str) -> Result<PsqGame, FormatError> {
    // Line ends of systems that had no others.
    if text.contains('\r') && !text.contains('\n') {
        return read(&text.replace('\r', "\n"));
    }
    if is_record(text) {
        return read_record(text);
    }
    let mut lines = lines(text).peekable();
    let (number, header) = lines.next().unwrap_or((1, ""));
    let place = Place { line: number, column: 1 };
    let rest = header.strip_prefix(FIRST_WORD).and_then(|rest| rest.strip_prefix(' '));
    let rest = rest.ok_or_else(|| Mistake::NoHeader(header.to_owned()).at(place))?;
    let mut parts = rest.split(',');
    let sides = parts.next().unwrap_or_default();
    let size =
        sides.split_once('x').and_then(|(w, h)| Size::new(w.trim().parse().ok()?, h.trim().parse().ok()?));
    let size = size.ok_or_else(|| Mistake::NoSize(sides.trim().to_owned()).at(place))?;
    // Behind the levels stands which of the two players began.
    let second_begins = parts.nth(1).is_some_and(|beginner| beginner.trim() == "1");
    let mut stones = Vec::new();
    while let Some((line, numbers)) = lines.peek().and_then(|&(line, text)| Some((line, numbers(text)?))) {
        lines.next();
        stones.push((line, numbers));
    }
    let mut rest: Vec<&str> = lines.map(|(_, line)| line).collect();
    // The number of an error, 0 or -1 where there was none. Games between people have no names before it.
    if rest.len() != 2 && rest.last().is_some_and(|last| last.parse::<i64>().is_ok()) {
        rest.pop();
    }
    let mut names = rest.into_iter().map(|line| named(line).to_owned());
    let mut name = || names.next().unwrap_or_default();
    let (first, second) = (name(), name());
    let names = if second_begins { (second, first) } else { (first, second) };
    game_of(stones, 1, size, names)
}

/// The board of a record that does not name one.
const RECORD_BOARD: Size = Size::square(20);

/// Whether a text is a record of the older form: two names, stones, and a number behind them.
fn is_record(text: &str) -> bool {
    let is_stone = |line: &str| numbers(line).is_some();
    let mut lines = lines(text).map(|(_, line)| line);
    let (Some(black), Some(white)) = (lines.next(), lines.next()) else { return false };
    let Some(end) = lines.by_ref().find(|line| !is_stone(line)) else { return false };
    let has_stone = self::lines(text).nth(2).is_some_and(|(_, line)| is_stone(line));
    has_stone && !is_stone(black) && !is_stone(white) && end.parse::<i64>().is_ok() && lines.next().is_none()
}

fn read_record(text: &str) -> Result<PsqGame, FormatError> {
    let mut lines = lines(text);
    let mut name = || lines.next().map(|(_, line)| named(line).to_owned()).unwrap_or_default();
    let names = (name(), name());
    let stones = lines.map_while(|(line, text)| Some((line, numbers(text)?))).collect();
    game_of(stones, 0, RECORD_BOARD, names)
}

/// The game of stones that are counted from `first`, each with the number of its line.
fn game_of(
    stones: Vec<(usize, Vec<i64>)>,
    first: i64,
    size: Size,
    names: (String, String),
) -> Result<PsqGame, FormatError> {
    let mut points = DistinctPoints::default();
    let mut times = Vec::new();
    for (line, numbers) in stones {
        let place = Place { line, column: 1 };
        let (x, y, ms) = match numbers.as_slice() {
            &[x, y] => (x, y, 0),
            &[x, y, ms] => (x, y, ms),
            numbers => {
                let words: Vec<String> = numbers.iter().map(i64::to_string).collect();
                return Err(Mistake::NoPoint(words.join(",")).at(place));
            }
        };
        // Errors give the numbers as in the file.
        let point = on_board(x.saturating_sub(first), y.saturating_sub(first), size)
            .map_err(|_| Mistake::OffBoard { point: format!("{x},{y}"), size }.at(place))?;
        points.push(point, place, &point.to_string())?;
        times.push(u64::try_from(ms).unwrap_or(0));
    }
    Ok(PsqGame { size, moves: points.in_order.into_iter().zip(times).collect(), names })
}

/// The numbers of a line that consists of two or more, as that of a stone does.
fn numbers(line: &str) -> Option<Vec<i64>> {
    let numbers: Vec<i64> = line.split(',').map(|word| word.trim().parse().ok()).collect::<Option<_>>()?;
    (numbers.len() >= 2).then_some(numbers)
}

impl fmt::Display for PsqGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `11:11` are the levels of the players, of whom the first began.
        writeln!(f, "{FIRST_WORD} {}, 11:11, 0", self.size)?;
        for (point, ms) in &self.moves {
            writeln!(f, "{},{},{ms}", point.x() + 1, point.y() + 1)?;
        }
        writeln!(f, "{}\n{}\n-1", name_line(&self.names.0), name_line(&self.names.1))
    }
}

/// The name that a line gives, with or without quotes around it.
fn named(line: &str) -> &str {
    unquoted(line).unwrap_or(line)
}

fn unquoted(line: &str) -> Option<&str> {
    line.strip_prefix('"')?.strip_suffix('"')
}

/// A name as a line that will be neither taken for a stone nor skipped, and from which [`named`] makes the same name.
fn name_line(name: &str) -> String {
    let line = printable(name.trim());
    if line.is_empty() || line.starts_with('#') || numbers(&line).is_some() || unquoted(&line).is_some() {
        format!("\"{line}\"")
    } else {
        line.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_end_where_other_things_begin() {
        let text = "\nPiskvorky 15x20, 11:11, 0\n8,8,0\n\n15, 20 ,12\nfoo.zip\n3,3,0\n";
        let game = read(text).unwrap();
        assert_eq!((game.size.width(), game.size.height()), (15, 20));
        assert_eq!(game.moves, [(Point::new(7, 7), 0), (Point::new(14, 19), 12)]);
        assert_eq!(game.names, ("foo.zip".to_owned(), "3,3,0".to_owned()));
        assert_eq!(read("Piskvorky 15x15, 1\n1,1,-5").unwrap().moves, [(Point::new(0, 0), 0)]);
    }

    #[test]
    fn a_stone_may_lack_its_time() {
        let game = read("Piskvorky 15x15, 11:11, 0\r8,8,0\r9,9\r10,10,5\rme\ryou\r-1\r").unwrap();
        assert_eq!(game.moves.iter().map(|&(_, ms)| ms).collect::<Vec<_>>(), [0, 0, 5]);
        assert_eq!(game.names, ("me".to_owned(), "you".to_owned()));
    }

    #[test]
    fn black_is_who_began() {
        for (beginner, names) in [(0, ("me", "you")), (1, ("you", "me"))] {
            let text = format!("Piskvorky 15x15, 11:11, {beginner}\n8,8,0\nme\nyou\n0\n");
            assert_eq!(read(&text).unwrap().names, (names.0.to_owned(), names.1.to_owned()));
        }
        // People have no names there.
        assert_eq!(read("Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n").unwrap().names, Default::default());
    }

    #[test]
    fn records_of_the_older_form_are_read() {
        let text = "foo.zip\nbar.zip\n7,7,0\n8,8,120\n19,0\n-1\n";
        let game = read(text).unwrap();
        assert!(begins(text) && game.size == Size::square(20));
        assert_eq!(game.moves, [(Point::new(7, 7), 0), (Point::new(8, 8), 120), (Point::new(19, 0), 0)]);
        assert_eq!(game.names, ("foo.zip".to_owned(), "bar.zip".to_owned()));
        let error = read("a\nb\n7,7,0\n20,0,1\n-1").unwrap_err().to_string();
        assert_eq!(error, "line 4, column 1: 20,0 is off the board of 20x20");
        for other in
            ["a\nb\n-1", "7,7\n8,8\n9,9\n-1", "START 15\nBOARD\n7,7,1\nDONE", "a\nb\n7,7,0\n-1\nc", ""]
        {
            assert!(!begins(other), "{other}");
        }
    }

    #[test]
    fn names_are_no_stones() {
        let names = ("3,3,0".to_owned(), "a\n5,5,0\u{1b}".to_owned());
        let game = PsqGame { size: Size::square(15), moves: vec![(Point::new(7, 7), 1)], names };
        let again = read(&game.to_string()).unwrap();
        assert_eq!(again.moves, game.moves);
        assert_eq!(again.names, ("3,3,0".to_owned(), r"a\n5,5,0\u{1b}".to_owned()));
    }

    #[test]
    fn names_are_read_as_they_were_written() {
        for name in ["\"", "\"\"", "\"\"\"", "\"3,3,0\"", "# 1", "a \"b\"", "\"a\" b", "-1", "Piskvorky"] {
            let names = (name.to_owned(), "you".to_owned());
            let game = PsqGame { size: Size::square(15), moves: vec![(Point::new(7, 7), 1)], names };
            assert_eq!(read(&game.to_string()).as_ref(), Ok(&game), "{name}");
        }
        assert_eq!(read("Piskvorky 15x15, 1\n1,1,0\n\"me\"\n").unwrap().names.0, "me");
    }

    #[test]
    fn who_has_no_name_gets_none() {
        let nobody = (String::new(), String::new());
        let game = PsqGame { size: Size::square(15), moves: vec![(Point::new(7, 7), 1)], names: nobody };
        assert!(game.to_string().ends_with("\n\"\"\n\"\"\n-1\n"));
        assert_eq!(read(&game.to_string()).unwrap(), game);
        let only_white = PsqGame { names: (String::new(), "you".to_owned()), ..game };
        assert_eq!(read(&only_white.to_string()).unwrap().names, only_white.names);
    }

    #[test]
    fn mistakes_are_told() {
        for (text, said) in [
            ("", "not a header"),
            ("1,1,0", "not a header"),
            ("Piskvorky 15, 1\n1,1,0", "`15` is not a board size"),
            ("Piskvorky 15x99, 1\n1,1,0", "`15x99` is not a board size"),
            ("Piskvorky 15x15, 1\n16,1,0", "line 2, column 1: 16,1 is off the board of 15x15"),
            ("Piskvorky 15x15, 1\n0,1,0", "0,1 is off the board"),
            ("Piskvorky 15x15, 1\n1,1,0\n2,2,0,0", "line 3, column 1: `2,2,0,0` is neither `x,y` nor"),
            ("Piskvorky 15x15, 1\n1,1,0\n1,1,0", "line 3, column 1: a1 is taken"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
