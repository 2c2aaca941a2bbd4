//! The regions of the board over which features are summed, and which points have features at all.

use crate::board::{ByColor, Point, Size};
use crate::shapes::Code;

/// Regions of a board: three by three.
pub const REGIONS: usize = 9;

/// The third of a side of `length` points in which `place` lies, 0 to 2; the outer two are equally long.
#[must_use]
pub const fn third(place: usize, length: usize) -> usize {
    let outer = (length + 1) / 3;
    if place < outer {
        0
    } else if place >= length - outer {
        2
    } else {
        1
    }
}

/// The region of a point on a board of this size, 0 to [`REGIONS`] - 1, row by row.
#[must_use]
pub const fn region(point: Point, size: Size) -> usize {
    third(point.y(), size.height()) * 3 + third(point.x(), size.width())
}

/// Whether a point with these codes has features. It has none if it offers neither colour anything, or if its codes are
/// `free`, those of a point with nothing around it, as on an empty board.
#[inline]
#[must_use]
pub fn has_features(codes: ByColor<Code>, free: ByColor<Code>) -> bool {
    codes.0 != [0, 0] && codes != free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_symmetrical() {
        for length in 5..=22 {
            let thirds: Vec<usize> = (0..length).map(|place| third(place, length)).collect();
            let mirrored: Vec<usize> = thirds.iter().rev().map(|third| 2 - third).collect();
            assert_eq!(thirds, mirrored);
            assert!((0..3).all(|n| thirds.iter().filter(|&&third| third == n).count() * 5 >= length));
        }
    }
}
