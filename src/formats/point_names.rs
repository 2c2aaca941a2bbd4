//! The names of points: a letter for the column, from the left, and a number for the row.
//!
//! This is the only format module that knows from which edge rows are counted. Gomocup and its managers count from the
//! top, as do [`Point`]'s own `Display` and `FromStr`. Everything that programs read back is written this way: match
//! records, files of openings, proofs, the lines of the protocol. Renju players and their books count from the bottom,
//! and so does the command line in text for people, unless `--rows` says otherwise.

use super::error::Mistake;
use crate::board::{Point, Size};

/// The edge from which rows are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// `a1` is the upper left corner.
    #[default]
    FromTop,
    /// `a1` is the lower left corner.
    FromBottom,
}

/// The names of the points of a board.
///
/// ```
/// use kagetsu::board::{Point, Size};
/// use kagetsu::formats::point_names::{PointNames, Rows};
/// let names = PointNames::of(Size::square(15));
/// assert_eq!(names.name(Point::new(0, 0)), "a1");
/// assert_eq!(names.with_rows(Rows::FromBottom).name(Point::new(0, 0)), "a15");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointNames {
    size: Size,
    rows: Rows,
}

impl PointNames {
    /// Names on a board of this size as programs write them, with rows counted from the top.
    #[must_use]
    pub fn of(size: Size) -> PointNames {
        PointNames { size, rows: Rows::default() }
    }

    /// The same names, with rows counted from this edge.
    #[must_use]
    pub fn with_rows(self, rows: Rows) -> PointNames {
        PointNames { rows, ..self }
    }

    /// The letter of the column `x`, which is counted from 0 at the left.
    #[must_use]
    pub fn column(self, x: usize) -> char {
        (b'a' + x as u8) as char
    }

    /// The number of the row `y`, which is counted from 0 at the top.
    #[must_use]
    pub fn row(self, y: usize) -> usize {
        match self.rows {
            Rows::FromTop => y + 1,
            Rows::FromBottom => self.size.height().saturating_sub(y),
        }
    }

    /// The name of a point of the board.
    #[must_use]
    pub fn name(self, point: Point) -> String {
        format!("{}{}", self.column(point.x()), self.row(point.y()))
    }

    /// The point with this name; the letter may be upper case.
    ///
    /// # Errors
    /// A word that is not a name, and the name of a point off the board.
    pub fn point(self, name: &str) -> Result<Point, Mistake> {
        let no_point = || Mistake::NoPoint(name.to_owned());
        let mut characters = name.chars();
        let letter = characters.next().map(|c| c.to_ascii_lowercase()).filter(char::is_ascii_lowercase);
        let digits = characters.as_str();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(no_point());
        }
        let row: i64 = digits.parse().ok().filter(|&row| row > 0).ok_or_else(no_point)?;
        let x = u32::from(letter.ok_or_else(no_point)?) - u32::from('a');
        let y = match self.rows {
            Rows::FromTop => row - 1,
            Rows::FromBottom => self.size.height() as i64 - row,
        };
        let off_board = || Mistake::OffBoard { point: name.to_owned(), size: self.size };
        Point::checked(x.into(), y, self.size).ok_or_else(off_board)
    }
}

/// The point in column `x` and row `y`, both from 0 at the upper left.
///
/// # Errors
/// The point is off the board.
pub(super) fn on_board(x: i64, y: i64, size: Size) -> Result<Point, Mistake> {
    Point::checked(x, y, size).ok_or_else(|| Mistake::OffBoard { point: format!("{x},{y}"), size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::MAX_SIDE;

    #[test]
    fn names_lead_back_whichever_way_rows_are_counted() {
        for (width, height) in [(15, 15), (5, MAX_SIDE), (MAX_SIDE, 1)] {
            let size = Size::new(width, height).unwrap();
            for rows in [Rows::FromTop, Rows::FromBottom] {
                let names = PointNames::of(size).with_rows(rows);
                assert!(size.points().all(|point| names.point(&names.name(point)) == Ok(point)));
            }
            // Records are written with one of them and read with the other.
            assert!(size.points().all(|point| PointNames::of(size).name(point) == point.to_string()));
        }
    }

    #[test]
    fn nonsense_is_no_name() {
        let names = PointNames::of(Size::square(15));
        for word in ["", "h", "8", "h0", "h-1", "h+1", "é4", "h8x", "hh", "h99999999999999999999"] {
            assert_eq!(names.point(word), Err(Mistake::NoPoint(word.to_owned())), "{word}");
        }
        for word in ["p1", "a16", "z9", "Z999"] {
            let said = names.point(word).unwrap_err().to_string();
            assert_eq!(said, format!("{word} is off the board of 15x15"));
        }
        assert_eq!(names.point("H8"), Ok(Point::new(7, 7)));
    }
}
