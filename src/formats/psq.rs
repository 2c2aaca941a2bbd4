//! PSQ, a game as Piskvork saves it: `Piskvorky 15x15, 11:11, 0`, then a line `x,y,ms` for each stone, counted from 1,
//! then the names of the players and other things.

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

/// Reads a game. The first line that is not empty is the header. The first line after it that is not a stone ends the
/// game. Empty lines, the blanks around a line and quotes around a name are ignored.
///
/// # Errors
/// A first line that is not a header, a header without a size, and a stone off the board or on another one.
pub fn read(text: &str) -> Result<PsqGame, FormatError> {
    let mut lines = lines(text).peekable();
    let (number, header) = lines.next().unwrap_or((1, ""));
    let place = Place { line: number, column: 1 };
    let rest = header.strip_prefix(FIRST_WORD).and_then(|rest| rest.strip_prefix(' '));
    let rest = rest.ok_or_else(|| Mistake::NoHeader(header.to_owned()).at(place))?;
    let sides = rest.split(',').next().unwrap_or_default();
    let size =
        sides.split_once('x').and_then(|(w, h)| Size::new(w.trim().parse().ok()?, h.trim().parse().ok()?));
    let size = size.ok_or_else(|| Mistake::NoSize(sides.trim().to_owned()).at(place))?;
    let mut points = DistinctPoints::default();
    let mut times = Vec::new();
    while let Some((line, (x, y, ms))) = lines.peek().and_then(|&(line, text)| Some((line, stone(text)?))) {
        lines.next();
        let place = Place { line, column: 1 };
        // Errors give the numbers as in the file, which counts from 1.
        let point = on_board(x.saturating_sub(1), y.saturating_sub(1), size)
            .map_err(|_| Mistake::OffBoard { point: format!("{x},{y}"), size }.at(place))?;
        points.push(point, place, &point.to_string())?;
        times.push(u64::try_from(ms).unwrap_or(0));
    }
    let mut name = || lines.next().map(|(_, line)| named(line).to_owned()).unwrap_or_default();
    let names = (name(), name());
    Ok(PsqGame { size, moves: points.in_order.into_iter().zip(times).collect(), names })
}

/// The three numbers of a stone's line.
fn stone(line: &str) -> Option<(i64, i64, i64)> {
    let mut numbers = line.split(',').map(|word| word.trim().parse().ok());
    let stone = (numbers.next()??, numbers.next()??, numbers.next()??);
    numbers.next().is_none().then_some(stone)
}

impl fmt::Display for PsqGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `11:11, 0` stands for the levels and the first player, which only Piskvork's own dialogs use.
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
    if line.is_empty() || line.starts_with('#') || stone(&line).is_some() || unquoted(&line).is_some() {
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
        assert_eq!(read("Piskvorky 15x15, 1\n1,1,-5\n2,2,0,0").unwrap().moves, [(Point::new(0, 0), 0)]);
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
            ("Piskvorky 15x15, 1\n1,1,0\n1,1,0", "line 3, column 1: a1 is taken"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
