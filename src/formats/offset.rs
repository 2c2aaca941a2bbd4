//! The offset notation of openings, which Gomocup, Piskvork and c-gomoku-cli read. `0,0, 1,-1` gives each stone as
//! steps to the right and down from the middle. If a side is even, the middle is the point to the right of the exact
//! centre or below it.

use std::fmt;

use super::error::{FormatError, Mistake};
use super::moves::{DistinctPoints, MoveWords, joined, pair};
use crate::board::{Point, Size};

/// Reads an opening.
///
/// # Errors
/// A word that is not a number, a column without its row, a point off the board, and a point that was played before.
pub fn read(text: &str, size: Size) -> Result<Vec<Point>, FormatError> {
    let mut words = MoveWords::of(text);
    let mut points = DistinctPoints::default();
    while let Some(x) = words.next() {
        let y = words.next();
        if let Some(word) = [Some(x), y].into_iter().flatten().find(|word| word.text.parse::<i64>().is_err())
        {
            return Err(Mistake::NoNumber(word.text.to_owned()).at(word.place));
        }
        let point = pair(x, y, middle(size), size)?;
        points.push(point, x.place, &point.to_string())?;
    }
    Ok(points.in_order)
}

fn middle(size: Size) -> (i64, i64) {
    (size.width() as i64 / 2, size.height() as i64 / 2)
}

/// An opening in the offset notation, which [`read`] reads back.
///
/// ```
/// use kagetsu::board::{Point, Size};
/// use kagetsu::formats::offset::{OffsetLine, read};
/// let (size, points) = (Size::square(20), [Point::new(10, 10), Point::new(7, 11)]);
/// let line = OffsetLine { points: &points, size }.to_string();
/// assert_eq!(line, "0,0, -3,1");
/// assert_eq!(read(&line, size).as_deref(), Ok(points.as_slice()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OffsetLine<'a> {
    /// The stones, Black first.
    pub points: &'a [Point],
    /// The board.
    pub size: Size,
}

impl fmt::Display for OffsetLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = middle(self.size);
        let steps = |point: Point| format!("{},{}", point.x() as i64 - x, point.y() as i64 - y);
        f.write_str(&joined(self.points, ", ", steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (text, said) in [
            ("0,0, 1,1, 0,0", "column 11: h8 is taken"),
            ("0,0, 8,0", "column 6: 8,0 is off the board of 15x15"),
            ("0,0, 1", "column 6: one coordinate is missing"),
            ("0,0, x,1", "column 6: `x` is not a number"),
            ("0,0, 1,x", "column 8: `x` is not a number"),
            ("9223372036854775807,0", "is off the board"),
        ] {
            let error = read(text, Size::square(15)).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
