//! Lists of moves: `h8 i9`, `h8i9`, `7,7 8,8`.
//!
//! This is the only reader of such lists. A move is a letter and a number, as [`point_names`](super::point_names)
//! explains, or two numbers for column and row, both counted from 0 at the upper left. Blanks, commas, semicolons and
//! round brackets separate moves and numbers; they are needed only where two numbers would run together. Hyphens
//! between moves are ignored, and so are move numbers, as in `1. h8 2. i9`, and a result behind the last move, such as
//! `0-1`.

use super::cursor::Cursor;
use super::error::{FormatError, Mistake, Place};
use super::point_names::{PointNames, Rows, on_board};
use crate::board::{Point, PointSet, Size, Stones};

/// What may stand behind the last move, as PGN has it.
pub(super) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Reads the moves, in order.
///
/// # Errors
/// A word that is not a point, a point off the board, a point that was played before, and three numbers with commas
/// between them, as managers describe a position: taken for moves, two such lines would be three others.
///
/// ```
/// use kagetsu::board::Size;
/// use kagetsu::formats::moves::read;
/// let size = Size::square(15);
/// assert_eq!(read("h8i9 J10", size), read("(7,7) 8,8; 9 9", size));
/// assert_eq!(read("h8 i9 p1", size).unwrap_err().to_string(),
///            "line 1, column 7: p1 is off the board of 15x15");
/// ```
pub fn read(text: &str, size: Size) -> Result<Vec<Point>, FormatError> {
    read_with_rows(text, size, Rows::FromTop)
}

/// Like [`read`], but the rows of points such as `h8` are counted from this edge, for text that people have typed.
///
/// # Errors
/// Those of [`read`].
pub fn read_with_rows(text: &str, size: Size, rows: Rows) -> Result<Vec<Point>, FormatError> {
    if let Some(word) = three_numbers(text) {
        return Err(Mistake::ThreeNumbers(word.text.to_owned()).at(word.place));
    }
    let names = PointNames::of(size).with_rows(rows);
    let mut words = MoveWords::of(without_result(text));
    let mut points = DistinctPoints::default();
    while let Some(word) = words.next() {
        if word.begins_with_letter() {
            let point = names.point(word.text).map_err(|mistake| mistake.at(word.place))?;
            points.push(point, word.place, word.text)?;
        } else {
            let point = pair(word, words.next(), (0, 0), size)?;
            points.push(point, word.place, &format!("{},{}", point.x(), point.y()))?;
        }
    }
    Ok(points.in_order)
}

/// The text without a result at its end. A result alone is no list of moves.
fn without_result(text: &str) -> &str {
    let is_list = |before: &&str| before.ends_with(is_separator) && !before.trim().is_empty();
    RESULTS.iter().find_map(|result| text.trim_end().strip_suffix(result).filter(is_list)).unwrap_or(text)
}

/// Whether at least half of a text are points or numbers, as in a list of moves with a mistake in it. A mistake may
/// fall into several words, and moves without blanks between them are a single piece of it.
pub(super) fn resembles_moves(text: &str) -> bool {
    let is_part = |word: Word<'_>| {
        let number = if word.begins_with_letter() { word.text.get(1..) } else { Some(word.text) };
        number.is_some_and(|number| number.parse::<i64>().is_ok())
    };
    let words = || MoveWords::of(text);
    let pieces = || text.split(is_separator).filter(|piece| !piece.is_empty());
    2 * words().filter(|&word| is_part(word)).count() >= words().count()
        || 2 * pieces().filter(|piece| MoveWords::of(piece).all(is_part)).count() >= pieces().count()
}

/// The position after these moves. Black moves first, and the colours alternate.
///
/// # Errors
/// Those of [`read`].
pub fn position(text: &str, size: Size) -> Result<Stones, FormatError> {
    position_with_rows(text, size, Rows::FromTop)
}

/// Like [`position`], but the rows of points such as `h8` are counted from this edge.
///
/// # Errors
/// Those of [`read`].
pub fn position_with_rows(text: &str, size: Size, rows: Rows) -> Result<Stones, FormatError> {
    read_with_rows(text, size, rows).map(|points| alternating(&points, size))
}

/// The moves as letters and numbers, the first form that [`read`] reads: `h8i9` with an empty separator.
#[must_use]
pub fn letters(points: &[Point], separator: &str) -> String {
    joined(points, separator, |point| point.to_string())
}

/// The moves as columns and rows from 0: `7,7 8,8`.
#[must_use]
pub fn numbers(points: &[Point]) -> String {
    joined(points, " ", |point| format!("{},{}", point.x(), point.y()))
}

/// The points, each written by `written`, joined by a separator.
pub(super) fn joined(points: &[Point], separator: &str, written: impl Fn(Point) -> String) -> String {
    points.iter().map(|&point| written(point)).collect::<Vec<String>>().join(separator)
}

/// Stones on distinct points of the board. Black moves first, and the colours alternate.
pub(super) fn alternating(points: &[Point], size: Size) -> Stones {
    let mut stones = Stones::new(size);
    points.iter().for_each(|&point| stones.place(point, stones.to_move()));
    stones
}

/// Distinct points, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct DistinctPoints {
    seen: PointSet,
    pub(super) in_order: Vec<Point>,
}

impl DistinctPoints {
    /// Adds a point; `written` is its text.
    ///
    /// # Errors
    /// The point is there already.
    pub(super) fn push(&mut self, point: Point, place: Place, written: &str) -> Result<(), FormatError> {
        if self.seen.contains(point) {
            return Err(Mistake::Taken(written.to_owned()).at(place));
        }
        self.seen.insert(point);
        self.in_order.push(point);
        Ok(())
    }
}

/// A part of a text, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) place: Place,
}

impl Word<'_> {
    fn begins_with_letter(self) -> bool {
        self.text.starts_with(char::is_alphabetic)
    }

    fn number(self) -> Result<i64, FormatError> {
        self.text.parse().map_err(|_| Mistake::NoNumber(self.text.to_owned()).at(self.place))
    }
}

/// The words of a list of moves: a letter and the digits after it, or whatever stands between separators and letters.
#[derive(Debug)]
pub(super) struct MoveWords<'a>(Cursor<'a>);

impl<'a> MoveWords<'a> {
    pub(super) fn of(text: &'a str) -> MoveWords<'a> {
        MoveWords(Cursor::new(text))
    }
}

impl<'a> Iterator for MoveWords<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            self.0.pass_over(is_separator);
            let (start, place) = (self.0.rest(), self.0.place());
            if self.0.next()?.is_alphabetic() {
                self.0.pass_over(|c| c.is_ascii_digit());
            } else {
                self.0.pass_over(|c| !is_separator(c) && !c.is_alphabetic());
            }
            let text = &start[..start.len() - self.0.rest().len()];
            if text != "-" && !is_move_number(text) {
                return Some(Word { text, place });
            }
        }
    }
}

/// The first three numbers that only commas join.
fn three_numbers(text: &str) -> Option<Word<'_>> {
    let mut cursor = Cursor::new(text);
    loop {
        cursor.pass_over(|c| is_separator(c) && c != ',');
        let (start, place) = (cursor.rest(), cursor.place());
        if start.is_empty() {
            return None;
        }
        cursor.pass_over(|c| c == ',' || !is_separator(c));
        let text = &start[..start.len() - cursor.rest().len()];
        if text.split(',').count() == 3 && text.split(',').all(|number| number.parse::<u32>().is_ok()) {
            return Some(Word { text, place });
        }
    }
}

/// Whether this separates moves and numbers.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '、' | '，' | '；')
}

/// Whether a word is a move number: `7.`, or `7...` before a move of White.
fn is_move_number(word: &str) -> bool {
    let number = word.trim_end_matches('.');
    number != word && !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
}

/// Whether the line contains what looks like a move, a letter with a number.
pub(super) fn has_move(line: &str) -> bool {
    line.as_bytes().windows(2).any(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())
}

/// The point given by two numbers, counted from the point in this column and row.
pub(super) fn pair(
    x: Word<'_>,
    y: Option<Word<'_>>,
    (left, top): (i64, i64),
    size: Size,
) -> Result<Point, FormatError> {
    let y = match y {
        Some(y) if !y.begins_with_letter() => y,
        _ => {
            x.number()?;
            return Err(Mistake::MissingCoordinate.at(x.place));
        }
    };
    let (column, row) = (x.number()?.saturating_add(left), y.number()?.saturating_add(top));
    on_board(column, row, size).map_err(|_| {
        let point = format!("{},{}", x.text, y.text);
        Mistake::OffBoard { point, size }.at(x.place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::square(15);

    #[test]
    fn every_notation_says_the_same() {
        let expected = ["h8", "i9", "a15"].map(|name| name.parse::<Point>().unwrap());
        for text in [
            "h8 i9 a15",
            "h8i9a15",
            "H8,I9,A15",
            "7,7 8,8 0,14",
            "7,7\n8,8\r\n0,14\n",
            "(7,7);(8, 8);(0 14)",
            "7 7 8 8 0 14",
            "h8 8,8 a15",
            "1. h8 2. i9 3. a15",
            "1.h8 i9 2.a15",
            "1. h8 1... i9 2. 0,14",
            "h8-i9 - a15",
            "1. h8 i9 2. a15 0-1",
            "7,7 8,8 0,14 1-0\n",
            "h8-i9-a15 1/2-1/2",
            "h8i9a15 *",
            "h8、i9、a15",
            "7，7；8，8；0，14",
        ] {
            assert_eq!(read(text, SIZE).as_deref(), Ok(expected.as_slice()), "{text}");
        }
        assert_eq!(read(" \n", SIZE), Ok(Vec::new()));
        assert_eq!(letters(&expected, ""), "h8i9a15");
        assert_eq!(letters(&expected, " "), "h8 i9 a15");
        assert_eq!(numbers(&expected), "7,7 8,8 0,14");
        assert_eq!(position("h8i9", SIZE).unwrap().history().len(), 2);
        // Counted from the other edge, only points with letters change their meaning.
        let turned = read_with_rows("h8 i9 a15 8,8", SIZE, Rows::FromBottom).unwrap();
        assert_eq!(turned, ["h8", "i7", "a1", "i9"].map(|name| name.parse().unwrap()));
        let taken = read_with_rows("h7 7,8", SIZE, Rows::FromBottom).unwrap_err();
        assert_eq!(taken.to_string(), "line 1, column 4: 7,8 is taken");
    }

    #[test]
    fn a_move_is_a_letter_with_a_number() {
        for line in ["h8", "1. h8", "z 1.h8", "1... H8", "é h8."] {
            assert!(has_move(line), "{line}");
        }
        for line in ["", "h", "8", ". h 8", "1. 8", "1 . h", "a. 1"] {
            assert!(!has_move(line), "{line}");
        }
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (text, said) in [
            ("h8 i9\n H8", "line 2, column 2: H8 is taken"),
            ("h8é", "line 1, column 3: `é` is neither"),
            ("h8 z9", "line 1, column 4: z9 is off the board of 15x15"),
            ("h88888888888888888888", "column 1: `h88888888888888888888` is neither"),
            ("17,3", "column 1: 17,3 is off the board of 15x15"),
            ("-1,3", "column 1: -1,3 is off"),
            ("7,7 8", "column 5: one coordinate is missing"),
            ("7,7,1\n8,8,2", "column 1: 7,7,1 is three numbers, and a move is two: column and row"),
            ("7,7 (8,8,2)", "column 6: 8,8,2 is three numbers, and a move is two: column and row"),
            ("7,7 8 i9", "column 5: one coordinate is missing"),
            ("7,.", "column 3: `.` is not a number"),
            ("h8 i9.", "column 6: `.` is not a number"),
            ("0-1", "column 1: `0-1` is not a number"),
            ("h8 0-1 i9", "column 4: `0-1` is not a number"),
            ("1.5,3", "column 1: `1.5` is not a number"),
            ("9223372036854775807,0", "is off the board"),
            ("99999999999999999999,0", "is not a number"),
        ] {
            let error = read(text, SIZE).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
