//! Sets of points as bits.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use super::point::{POINT_COUNT, Point, STRIDE, Size};

const WORDS: usize = POINT_COUNT / 64;

/// A set of points, with one bit for each cell of the strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// All points of the largest board, without the walls of the strip.
    pub const ALL: PointSet = {
        let mut all = PointSet::EMPTY;
        let mut index = 0;
        while index < POINT_COUNT {
            if Point::from_index(index).is_some() {
                all.0[index / 64] |= 1 << (index % 64);
            }
            index += 1;
        }
        all
    };

    /// All points of a board.
    #[must_use]
    pub fn board(size: Size) -> PointSet {
        size.points().collect()
    }

    /// Adds a point; adding one that is in the set changes nothing.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        self.0[point.index() / 64] |= 1 << (point.index() % 64);
    }

    /// Removes a point; removing one that is not in the set changes nothing.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.0[point.index() / 64] &= !(1 << (point.index() % 64));
    }

    /// Whether the point is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 != 0
    }

    /// Whether no point is in the set.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The number of points in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The first point in row order.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points in row order.
    #[inline]
    pub fn iter(&self) -> Iter {
        Iter { words: self.0, at: 0 }
    }

    /// Every point of the largest board within `reach` columns and rows of a point of the set; at most five make sense.
    #[must_use]
    pub fn grown(&self, reach: usize) -> PointSet {
        let mut wide = *self;
        for _ in 0..reach {
            // Each word holds two rows. Bits that spread beyond the board land in the walls, which are
            // wide enough for five steps.
            for word in &mut wide.0 {
                *word |= *word << 1 | *word >> 1;
            }
        }
        let mut tall = wide;
        for _ in 0..reach {
            let mut next = tall;
            for row in 0..WORDS {
                let word = tall.0[row];
                let above = if row > 0 { tall.0[row - 1] >> STRIDE } else { 0 };
                let below = if row + 1 < WORDS { tall.0[row + 1] << STRIDE } else { 0 };
                next.0[row] |= word << STRIDE | word >> STRIDE | above | below;
            }
            tall = next;
        }
        tall & PointSet::ALL
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

impl BitOr for PointSet {
    type Output = PointSet;

    #[inline]
    fn bitor(mut self, other: PointSet) -> PointSet {
        self |= other;
        self
    }
}

impl BitOrAssign for PointSet {
    #[inline]
    fn bitor_assign(&mut self, other: PointSet) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }
}

impl BitAnd for PointSet {
    type Output = PointSet;

    #[inline]
    fn bitand(mut self, other: PointSet) -> PointSet {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        self
    }
}

/// The points of the largest board that are not in the set.
impl Not for PointSet {
    type Output = PointSet;

    #[inline]
    fn not(mut self) -> PointSet {
        self.0.iter_mut().zip(PointSet::ALL.0).for_each(|(word, all)| *word = !*word & all);
        self
    }
}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

/// The points of a [`PointSet`] in row order.
#[derive(Clone, Debug)]
pub struct Iter {
    words: [u64; WORDS],
    at: usize,
}

impl Iterator for Iter {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.at < WORDS {
            let word = &mut self.words[self.at];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Point::from_strip(self.at * 64 + bit));
            }
            self.at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let size = Size::new(7, 22).unwrap();
        let mut set = PointSet::board(size);
        assert_eq!(set.len(), size.area());
        assert!(set.iter().eq(size.points()));
        for point in size.points() {
            assert!(set.contains(point));
            set.remove(point);
            assert!(!set.contains(point));
        }
        assert!(set.is_empty());
        assert_eq!(set.first(), None);
    }

    #[test]
    fn no_set_holds_a_cell_that_is_no_point() {
        let largest = Size::square(22);
        assert_eq!(PointSet::ALL, PointSet::board(largest));
        assert_eq!(!PointSet::EMPTY, PointSet::ALL);
        assert!((!PointSet::ALL).is_empty());
        let corner: PointSet = [Point::new(0, 0)].into_iter().collect();
        assert!(corner.grown(5).iter().eq(largest.points().filter(|point| point.x() < 6 && point.y() < 6)));
    }

    #[test]
    fn growing_reaches_the_square_around() {
        let size = Size::square(22);
        for center in [Point::new(0, 0), Point::new(21, 21), Point::new(21, 0), Point::new(9, 13)] {
            for reach in 0..=4 {
                let one: PointSet = [center].into_iter().collect();
                let grown = one.grown(reach) & PointSet::board(size);
                for point in size.points() {
                    assert_eq!(grown.contains(point), point.distance(center) <= reach);
                }
            }
        }
    }
}
