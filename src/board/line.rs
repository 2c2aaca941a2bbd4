//! The four directions of a line, and the eight symmetries of a board.

use super::point::{Point, STRIDE, Size};

/// A direction in which five in a row can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From left to right.
    Horizontal,
    /// From top to bottom.
    Vertical,
    /// From top left to bottom right.
    Diagonal,
    /// From top right to bottom left.
    Antidiagonal,
}

impl Direction {
    /// All four, in the order of [`Direction::index`].
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Diagonal, Direction::Antidiagonal];

    /// 0 to 3.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction of the line through two points; `None` if they are the same or share no line.
    #[must_use]
    #[inline]
    pub const fn between(a: Point, b: Point) -> Option<Direction> {
        let (dx, dy) = (a.x() as isize - b.x() as isize, a.y() as isize - b.y() as isize);
        match (dx, dy) {
            (0, 0) => None,
            (_, 0) => Some(Direction::Horizontal),
            (0, _) => Some(Direction::Vertical),
            _ if dx == dy => Some(Direction::Diagonal),
            _ if dx == -dy => Some(Direction::Antidiagonal),
            _ => None,
        }
    }

    /// The change of column and row in one step along the line.
    #[must_use]
    pub const fn delta(self) -> (i64, i64) {
        match self {
            Direction::Horizontal => (1, 0),
            Direction::Vertical => (0, 1),
            Direction::Diagonal => (1, 1),
            Direction::Antidiagonal => (-1, 1),
        }
    }

    /// One step along the line, as a difference of [`Point::index`].
    #[must_use]
    #[inline]
    pub const fn step(self) -> isize {
        let (dx, dy) = self.delta();
        dy as isize * STRIDE as isize + dx as isize
    }

    /// Which line of this direction the point lies on (0 to 63), and its place on it (0 to 31), which
    /// grows by one with each [`Direction::step`].
    #[must_use]
    #[inline]
    pub(crate) const fn line_and_place(self, point: Point) -> (usize, usize) {
        let (x, y) = (point.index() % STRIDE, point.index() / STRIDE);
        match self {
            Direction::Horizontal => (y, x),
            Direction::Vertical => (x, y),
            Direction::Diagonal => (x + (STRIDE - 1) - y, y),
            Direction::Antidiagonal => (x + y, y),
        }
    }
}

/// One of the eight symmetries of a square board; four of them also fit a rectangular one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    flip_x: bool,
    flip_y: bool,
    transpose: bool,
}

impl Symmetry {
    /// The symmetries of a board of this size, the identity first.
    pub fn of(size: Size) -> impl Iterator<Item = Symmetry> {
        let count = if size.width() == size.height() { 8 } else { 4 };
        (0..count).map(|n| Symmetry { flip_x: n & 1 != 0, flip_y: n & 2 != 0, transpose: n & 4 != 0 })
    }

    /// Where the symmetry takes the point.
    #[must_use]
    pub fn apply(self, point: Point, size: Size) -> Point {
        let x = if self.flip_x { size.width() - 1 - point.x() } else { point.x() };
        let y = if self.flip_y { size.height() - 1 - point.y() } else { point.y() };
        if self.transpose { Point::new(y, x) } else { Point::new(x, y) }
    }

    /// The inverse symmetry, which takes every point back.
    #[must_use]
    pub fn inverse(self) -> Symmetry {
        // `apply` flips before it transposes. The inverse has to flip after transposing, which exchanges the
        // two flips.
        let (flip_x, flip_y) =
            if self.transpose { (self.flip_y, self.flip_x) } else { (self.flip_x, self.flip_y) };
        Symmetry { flip_x, flip_y, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_points_share_the_line_that_steps_lead_along() {
        let size = Size::square(9);
        for (a, b) in size.points().flat_map(|a| size.points().map(move |b| (a, b))) {
            let leads = |direction: &Direction| {
                let (dx, dy) = direction.delta();
                (1..9).any(|n| {
                    [n, -n].into_iter().any(|n| {
                        (a.x() as i64 + n * dx, a.y() as i64 + n * dy) == (b.x() as i64, b.y() as i64)
                    })
                })
            };
            assert_eq!(Direction::between(a, b), Direction::ALL.into_iter().find(leads), "{a} {b}");
        }
    }

    #[test]
    fn a_step_stays_on_its_line() {
        for point in Size::square(15).points() {
            for direction in Direction::ALL {
                let (line, place) = direction.line_and_place(point);
                let next = direction.line_and_place(point.offset(direction.step()));
                assert_eq!(next, (line, place + 1));
                assert!(line < 64 && place < 32);
            }
        }
    }

    #[test]
    fn symmetries_are_distinct_and_onto() {
        for (size, count) in [(Size::square(6), 8), (Size::new(5, 7).unwrap(), 4)] {
            let corner = Point::new(0, 1);
            let mut images: Vec<_> = Symmetry::of(size).map(|s| s.apply(corner, size)).collect();
            images.sort();
            images.dedup();
            assert_eq!(images.len(), count);
            for symmetry in Symmetry::of(size) {
                let mut all: Vec<_> = size.points().map(|p| symmetry.apply(p, size)).collect();
                all.sort();
                assert!(all.iter().copied().eq(size.points()));
                let back = symmetry.inverse();
                assert!(size.points().all(|p| back.apply(symmetry.apply(p, size), size) == p));
            }
        }
    }
}
