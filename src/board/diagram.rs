//! Pictures of positions in text, for tests, documentation and people.
//!
//! Row 1 stands at the top, as the protocol counts:
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
//! `X` is Black, `O` is White, `.` is empty, `#` is dead.

use std::fmt;

use super::color::Color;
use super::point::{Point, Size};
use super::stones::{Cell, Stones};

/// Why a picture is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagramError {
    /// A row (counted from 1) is not as long as the first.
    Ragged(usize),
    /// A sign that means nothing.
    Sign(char),
    /// There are no rows, or a side is longer than a board can be.
    Size,
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiagramError::Ragged(row) => write!(f, "row {row} is not as long as the first"),
            DiagramError::Sign(sign) => write!(f, "`{sign}` is none of `.`, `X`, `O`, `#`"),
            DiagramError::Size => write!(f, "a board has 1 to 22 rows and columns"),
        }
    }
}

impl std::error::Error for DiagramError {}

/// A picture read: the stones, and the points that carried another mark.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The position; stones are placed in row order, and the side with fewer stones is to move, Black
    /// if they are equal.
    pub stones: Stones,
    /// Empty points drawn with another letter or digit, in row order.
    pub marks: Vec<(char, Point)>,
}

/// Reads a picture. Column letters above and row numbers at the left may be left out, and so may the
/// blanks between signs. Signs other than `.`, `X`, `O` and `#` must be lower case letters, digits, `*`
/// or `!`; they are empty points, handed back as marks.
///
/// # Errors
/// [`DiagramError`] says what is wrong with the picture.
///
/// ```
/// use kagetsu::board::{diagram, Point};
/// let picture = diagram::parse(". . .\n. X *\n. . O").unwrap();
/// assert_eq!(picture.marks, [('*', Point::new(2, 1))]);
/// assert_eq!(picture.stones.history().len(), 2);
/// ```
pub fn parse(text: &str) -> Result<Diagram, DiagramError> {
    let rows: Vec<Vec<char>> = text
        .lines()
        .map(|line| line.trim().trim_start_matches(|c: char| c.is_ascii_digit()))
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<char>>())
        .filter(|row| !row.is_empty() && !is_column_header(row))
        .collect();
    let width = rows.first().ok_or(DiagramError::Size)?.len();
    let size = Size::new(width, rows.len()).ok_or(DiagramError::Size)?;
    let mut stones = Stones::new(size);
    let mut marks = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        if row.len() != width {
            return Err(DiagramError::Ragged(y + 1));
        }
        for (x, &sign) in row.iter().enumerate() {
            let point = Point::new(x, y);
            match sign {
                '.' => {}
                'X' => stones.place(point, Color::Black),
                'O' => stones.place(point, Color::White),
                '#' => stones.kill(point),
                'a'..='z' | '0'..='9' | '*' | '!' => marks.push((sign, point)),
                _ => return Err(DiagramError::Sign(sign)),
            }
        }
    }
    let count = |color| stones.history().iter().filter(|&&(_, c)| c == color).count();
    let to_move = if count(Color::Black) > count(Color::White) { Color::White } else { Color::Black };
    stones.set_to_move(to_move);
    Ok(Diagram { stones, marks })
}

/// `a b c ...` with nothing left out. A board of one column has no header that could be told from a mark.
fn is_column_header(row: &[char]) -> bool {
    row.len() > 1 && row.iter().zip('a'..).all(|(&sign, letter)| sign == letter)
}

/// Draws a position, with column letters and row numbers.
#[must_use]
pub fn draw(stones: &Stones) -> String {
    let size = stones.size();
    let mut text = String::from("  ");
    (0..size.width()).for_each(|x| text.extend([' ', (b'a' + x as u8) as char]));
    for y in 0..size.height() {
        text += &format!("\n{:2}", y + 1);
        for x in 0..size.width() {
            let sign = match stones.cell(Point::new(x, y)) {
                Cell::Empty => '.',
                Cell::Stone(Color::Black) => 'X',
                Cell::Stone(Color::White) => 'O',
                Cell::Dead => '#',
            };
            text.extend([' ', sign]);
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
        let mut stones = Stones::new(Size::new(7, 12).unwrap());
        stones.place(Point::new(0, 0), Color::Black);
        stones.place(Point::new(6, 11), Color::White);
        stones.place(Point::new(3, 4), Color::Black);
        stones.kill(Point::new(2, 2));
        let again = parse(&draw(&stones)).unwrap();
        assert_eq!(again.stones.hash(), stones.hash());
        assert_eq!(again.stones.size(), stones.size());
        assert_eq!(draw(&again.stones), draw(&stones));
    }

    #[test]
    fn bad_pictures_are_refused() {
        assert_eq!(parse("...\n..").unwrap_err(), DiagramError::Ragged(2));
        assert_eq!(parse("..Z").unwrap_err(), DiagramError::Sign('Z'));
        assert_eq!(parse("").unwrap_err(), DiagramError::Size);
        assert_eq!(parse(&".".repeat(23)).unwrap_err(), DiagramError::Size);
    }
}
