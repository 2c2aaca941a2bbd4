//! Positions drawn as text, for people, documentation and tests.
//!
//! Column letters stand above, row numbers at the left:
//!
//! ```text
//!    a b c d e
//!  1 . . . . .
//!  2 . X . . .
//!  3 . . O . .
//!  4 . . . # .
//!  5 . . . . .
//! ```
//!
//! `X` is Black, `O` is White, in either case; `.` is empty, `#` is dead.

use super::error::{FormatError, Mistake, Place};
use super::moves::has_move;
use super::point_names::{PointNames, Rows};
use crate::board::{ByColor, Cell, Color, Point, Size, Stones};

/// The signs of cells: empty, stones of either colour, dead.
const SIGNS: &str = ".XxOo#";

/// A picture that was read: the stones, and the points that carry other marks.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The position. Stones are placed in row order. The side with fewer stones is to move, or Black if both have the
    /// same number.
    pub stones: Stones,
    /// Empty points drawn with another sign, in row order.
    pub marks: Vec<(char, Point)>,
}

/// Reads a picture, whose rows go from top to bottom. The column letters, the row numbers and the blanks between signs
/// may be left out. Signs other than `.`, `X`, `O` and `#` must be lower case letters except `x` and `o`, digits, `*`
/// or `!`; they are empty points, which are returned as marks.
///
/// # Errors
/// Rows of different lengths, an unknown sign, and too many rows or columns, or none.
///
/// ```
/// use kagetsu::board::Point;
/// use kagetsu::formats::picture;
/// let picture = picture::read(". . .\n. X *\n. . O").unwrap();
/// assert_eq!(picture.marks, [('*', Point::new(2, 1))]);
/// assert_eq!(picture.stones.history().len(), 2);
/// ```
pub fn read(text: &str) -> Result<Picture, FormatError> {
    read_with(text, true)
}

/// Like [`read`], for a position that somebody gives: a mark would be a stone that is lost, or no picture at all.
///
/// # Errors
/// Those of [`read`], and a mark.
///
/// ```
/// use kagetsu::formats::picture;
/// assert_eq!(picture::position("x o .\n. x .").unwrap().history().len(), 3);
/// assert!(picture::position("X O *\n. X .").is_err());
/// ```
pub fn position(text: &str) -> Result<Stones, FormatError> {
    read_with(text, false).map(|picture| picture.stones)
}

fn read_with(text: &str, may_have_marks: bool) -> Result<Picture, FormatError> {
    let has_numbers = text.lines().any(is_numbered);
    let rows: Vec<Vec<(Place, char)>> = text
        .lines()
        .enumerate()
        .map(|(n, line)| (signs(n + 1, line), has_numbers && !is_numbered(line)))
        .filter(|(row, lacks_number)| !row.is_empty() && !is_column_header(row, *lacks_number))
        .map(|(row, _)| row)
        .collect();
    let first = rows.first().map_or(Place::START, |row| row[0].0);
    let width = rows.first().map_or(0, Vec::len);
    let size = Size::new(width, rows.len()).ok_or_else(|| Mistake::PictureSize.at(first))?;
    let mut stones = Stones::new(size);
    let mut marks = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        if row.len() != width {
            return Err(Mistake::Ragged(y + 1).at(row[0].0));
        }
        for (x, &(place, sign)) in row.iter().enumerate() {
            let point = Point::new(x, y);
            match sign {
                '.' => {}
                'X' | 'x' => stones.place(point, Color::Black),
                'O' | 'o' => stones.place(point, Color::White),
                '#' => stones.kill(point),
                'a'..='z' | '0'..='9' | '*' | '!' if may_have_marks => marks.push((sign, point)),
                _ => return Err(Mistake::NoSign(sign).at(place)),
            }
        }
    }
    let to_move = side_with_fewer_stones(stones.history().iter().map(|&(_, color)| color));
    stones.set_to_move(to_move);
    Ok(Picture { stones, marks })
}

/// The side to move if nothing else determines it: the side with fewer stones, or Black if both have the same number.
/// These are the colours of all stones.
pub(crate) fn side_with_fewer_stones(colors: impl Iterator<Item = Color>) -> Color {
    let mut count = ByColor([0_usize; 2]);
    colors.for_each(|color| count[color] += 1);
    if count[Color::Black] > count[Color::White] { Color::White } else { Color::Black }
}

/// The signs of a row, without its number.
fn signs(line_number: usize, line: &str) -> Vec<(Place, char)> {
    let places = line.chars().enumerate().map(|(n, c)| (Place { line: line_number, column: n + 1 }, c));
    places
        .skip_while(|(_, c)| c.is_whitespace())
        .skip_while(|(_, c)| c.is_ascii_digit())
        .filter(|(_, c)| !c.is_whitespace())
        .collect()
}

fn is_numbered(line: &str) -> bool {
    line.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a row is `a b c ...` without gaps. A single `a` could also be a mark, unless it lacks the number that rows
/// have.
fn is_column_header(row: &[(Place, char)], lacks_number: bool) -> bool {
    let is_alone = row.len() == 1;
    (!is_alone || lacks_number) && row.iter().zip('a'..).all(|(&(_, sign), letter)| sign == letter)
}

/// Whether a line could be a row of a picture, rather than a list of moves or anything else.
pub(super) fn looks_like_row(line: &str) -> bool {
    let signs = line.trim().trim_start_matches(|c: char| c.is_ascii_digit());
    let is_full_row = !signs.is_empty() && signs.chars().all(|c| SIGNS.contains(c) || c.is_whitespace());
    is_full_row || line.contains('.') && !line.contains(',') && !has_move(line)
}

/// Whether at least half of the characters of a text mean something in a picture, row numbers and blanks aside.
pub(super) fn resembles_picture(text: &str) -> bool {
    let is_counted = |&c: &char| !c.is_whitespace() && !c.is_ascii_digit();
    let signs = text.chars().filter(|&c| SIGNS.contains(c)).count();
    2 * signs >= text.chars().filter(is_counted).count()
}

/// Draws a position, with column letters and row numbers.
#[must_use]
pub fn draw(stones: &Stones) -> String {
    draw_with_rows(stones, Rows::FromTop)
}

/// Like [`draw`], with the rows numbered from this edge. The top row comes first in any case.
#[must_use]
pub fn draw_with_rows(stones: &Stones, rows: Rows) -> String {
    drawn(stones, rows, 2, |point| sign(stones, point).to_owned())
}

/// Draws a position and the moves of a line that starts from it, numbered from 1. A move that is `None` was played
/// anywhere else and is not drawn. The rows are numbered from this edge.
#[must_use]
pub fn draw_numbered(stones: &Stones, line: &[Option<Point>], rows: Rows) -> String {
    drawn(stones, rows, 4, |point| match line.iter().position(|&played| played == Some(point)) {
        Some(n) => (n + 1).to_string(),
        None => sign(stones, point).to_owned(),
    })
}

fn sign(stones: &Stones, point: Point) -> &'static str {
    match stones.cell(point) {
        Cell::Empty => ".",
        Cell::Stone(Color::Black) => "X",
        Cell::Stone(Color::White) => "O",
        Cell::Dead => "#",
    }
}

/// A picture with columns of this width.
fn drawn(stones: &Stones, rows: Rows, column_width: usize, shown: impl Fn(Point) -> String) -> String {
    let size = stones.size();
    let names = PointNames::of(size).with_rows(rows);
    let mut text = String::from("  ");
    for x in 0..size.width() {
        text += &format!("{:>column_width$}", names.column(x));
    }
    for y in 0..size.height() {
        text += &format!("\n{:2}", names.row(y));
        for x in 0..size.width() {
            text += &format!("{:>column_width$}", shown(Point::new(x, y)));
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_and_read_again_is_the_same() {
        for (width, height) in [(7, 12), (1, 12), (5, 1), (1, 1), (22, 22)] {
            let size = Size::new(width, height).unwrap();
            let mut stones = Stones::new(size);
            for (n, point) in size.points().enumerate().filter(|(n, _)| n % 3 != 1) {
                if n % 7 == 6 {
                    stones.kill(point);
                } else {
                    stones.place(point, stones.to_move());
                }
            }
            let again = read(&draw(&stones)).unwrap();
            assert_eq!(again.stones.size(), stones.size());
            assert_eq!(again.stones.hash(), stones.hash(), "{}", draw(&stones));
            assert_eq!(draw(&again.stones), draw(&stones));
        }
    }

    #[test]
    fn lines_are_numbered() {
        let stones = read("X . .\n. . O").unwrap().stones;
        let line = ["b1", "c1"].map(|name| name.parse().ok());
        let expected = "     a   b   c\n 1   X   1   2\n 2   .   .   O\n";
        assert_eq!(draw_numbered(&stones, &line, Rows::FromTop), expected);
        let from_bottom = "   a b c\n 2 X . .\n 1 . . O\n";
        assert_eq!(draw_with_rows(&stones, Rows::FromBottom), from_bottom);
        assert_eq!(read(from_bottom).unwrap().stones.hash(), stones.hash());
    }

    #[test]
    fn letters_above_the_rows_are_no_marks() {
        let shape = |text: &str| {
            let Picture { stones, marks } = read(text).unwrap();
            let size = stones.size();
            (size.width(), size.height(), marks.iter().map(|(sign, _)| *sign).collect::<String>())
        };
        assert_eq!(shape("abc\n...\n..X"), (3, 2, String::new()));
        assert_eq!(shape("abd\n...\n..X"), (3, 3, "abd".to_owned()));
        assert_eq!(shape("  a\n1 .\n2 X"), (1, 2, String::new()));
        // Where rows have no numbers, a single letter may be anything.
        assert_eq!(shape("a\n."), (1, 2, "a".to_owned()));
        assert_eq!(shape("1 .*!\n2 z.9"), (3, 2, "*!z9".to_owned()));
        assert_eq!(read(".b\nX.").unwrap().marks, [('b', Point::new(1, 0))]);
    }

    #[test]
    fn stones_may_be_lower_case() {
        let picture = ". x o\n. X .";
        assert_eq!(position(picture).unwrap().hash(), position(&picture.to_uppercase()).unwrap().hash());
        let board = draw(&position(&"...............\n".repeat(15)).unwrap());
        assert_eq!(position(&board.to_lowercase()).unwrap().size(), Size::square(15));
    }

    #[test]
    fn bad_pictures_are_refused() {
        let said = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(said("...\n\n .."), "line 3, column 2: row 2 is not as long as the first");
        assert!(position("..*").is_err() && position(".9.").is_err() && read("..*").is_ok());
        assert_eq!(said(" ..Z"), "line 1, column 4: `Z` is none of `.`, `X`, `O`, `#`");
        assert_eq!(said(""), "line 1, column 1: a board has 1 to 22 rows and columns");
        assert!(said(&".".repeat(23)).contains("1 to 22"));
    }
}
