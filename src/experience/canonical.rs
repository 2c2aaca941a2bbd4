//! One key for all turned and mirrored images of a position.

use crate::board::{Color, Point, PointSet, Size, Stones, Symmetry, zobrist};
use crate::rules::Rule;

/// Indices of the hash keys for rules and boards begin here, apart from those used elsewhere.
const RULE_KEYS: u64 = 1 << 30;

/// The key of a position, with the symmetries that map the position to its canonical image.
#[derive(Clone, Debug)]
pub(super) struct CanonicalPosition {
    /// The same for all images, under one rule.
    pub key: u64,
    size: Size,
    /// Several if the position is symmetric.
    symmetries: Vec<Symmetry>,
}

impl CanonicalPosition {
    /// `None` for positions with dead cells, which belong to no game of their own.
    pub fn new(rule: Rule, stones: &Stones) -> Option<CanonicalPosition> {
        if stones.dead_cells().next().is_some() {
            return None;
        }
        let size = stones.size();
        let turn = if stones.to_move() == Color::White { zobrist::WHITE_TO_MOVE } else { 0 };
        let (width, height) = (size.width() as u64, size.height() as u64);
        let game = zobrist::extra(RULE_KEYS + (rule.index() as u64 * 64 + width) * 64 + height);
        let key = |symmetry: Symmetry| {
            let image = |&(point, color): &(Point, Color)| zobrist::stone(color, symmetry.apply(point, size));
            stones.history().iter().map(image).fold(turn ^ game, |key, stone| key ^ stone)
        };
        let keys: Vec<(u64, Symmetry)> =
            Symmetry::of(size).map(|symmetry| (key(symmetry), symmetry)).collect();
        let least = keys.iter().map(|&(key, _)| key).min()?;
        let symmetries =
            keys.into_iter().filter(|&(key, _)| key == least).map(|(_, symmetry)| symmetry).collect();
        Some(CanonicalPosition { key: least, size, symmetries })
    }

    /// Column and row of a point as it is remembered; in a symmetric position, the first of its images.
    pub fn remembered(&self, point: Point) -> (u8, u8) {
        let images = self.symmetries.iter().map(|symmetry| symmetry.apply(point, self.size));
        let image = images.min_by_key(|image| (image.y(), image.x())).unwrap_or(point);
        (image.x() as u8, image.y() as u8)
    }

    /// The points that are remembered as this one.
    pub fn points(&self, remembered: (u8, u8)) -> PointSet {
        self.size.points().filter(|&point| self.remembered(point) == remembered).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stones(points: &[Point]) -> Stones {
        let mut stones = Stones::new(Size::square(15));
        points.iter().for_each(|&point| stones.place(point, stones.to_move()));
        stones
    }

    #[test]
    fn all_images_are_one() {
        let size = Size::square(15);
        let points = ["h8", "i9", "f7", "b2"].map(|name| name.parse::<Point>().unwrap());
        let (position, reply) = (stones(&points), "c13".parse::<Point>().unwrap());
        let canonical = CanonicalPosition::new(Rule::Renju, &position).unwrap();
        for symmetry in Symmetry::of(size) {
            let image = stones(&points.map(|point| symmetry.apply(point, size)));
            let other = CanonicalPosition::new(Rule::Renju, &image).unwrap();
            assert_eq!(other.key, canonical.key);
            let turned = symmetry.apply(reply, size);
            assert_eq!(other.remembered(turned), canonical.remembered(reply));
            assert_eq!(other.points(canonical.remembered(reply)).iter().collect::<Vec<_>>(), [turned]);
        }
        assert_ne!(CanonicalPosition::new(Rule::Freestyle, &position).unwrap().key, canonical.key);
        assert_ne!(CanonicalPosition::new(Rule::Renju, &stones(&points[..3])).unwrap().key, canonical.key);
    }

    #[test]
    fn a_symmetric_position_remembers_a_point_for_all_its_images() {
        let canonical = CanonicalPosition::new(Rule::Freestyle, &stones(&["h8".parse().unwrap()])).unwrap();
        assert_eq!(canonical.points(canonical.remembered("i9".parse().unwrap())).len(), 4);
        assert_eq!(canonical.points(canonical.remembered("i10".parse().unwrap())).len(), 8);
    }
}
