//! The opening rules of the Renju International Federation: where the first stones may stand, how many fifth moves are
//! offered, and which of these count as the same move.
//!
//! They apply to renju on a board of 15 by 15. Which choice is good is not decided here, but in `engine::opening`.

use std::fmt;
use std::str::FromStr;

use super::renju_openings::{BOARD, CENTER};
use super::rule::Rule;
use crate::board::{Color, Point, PointSet, Stones, Symmetry};

/// An opening rule, which balances the sides at the start of a game of renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpeningRule {
    /// The first player places three stones, and the other may swap. White places the fourth stone anywhere and says
    /// how many fifth moves are to be offered, 1 to 8, and the other may swap. Black offers that many; White takes one
    /// of them and plays the sixth.
    Soosorv8,
    /// The first four stones are placed in the centre and in the squares of 3, 5 and 7 points around it, and after each
    /// of them the other player may swap. Then either the fifth is placed in the square of 9, and the other may swap
    /// once more; or, if nobody has swapped after the fourth stone, Black offers ten fifth moves anywhere, and White
    /// takes one of them and plays the sixth.
    Taraguchi10,
}

impl OpeningRule {
    /// Every opening rule.
    pub const ALL: [OpeningRule; 2] = [OpeningRule::Soosorv8, OpeningRule::Taraguchi10];

    /// The name, which [`OpeningRule::from_str`] reads.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::Soosorv8 => "soosorv-8",
            OpeningRule::Taraguchi10 => "taraguchi-10",
        }
    }

    /// The variant that it applies to.
    #[must_use]
    pub const fn rule(self) -> Rule {
        Rule::Renju
    }

    /// The largest number of fifth moves that may be offered.
    #[must_use]
    pub const fn most_fifths(self) -> usize {
        match self {
            OpeningRule::Soosorv8 => 8,
            OpeningRule::Taraguchi10 => 10,
        }
    }

    /// Whether this many fifth moves may be asked for: 1 to 8 under Soosõrv-8, 10 under Taraguchi-10.
    #[must_use]
    pub const fn allows_fifths(self, count: usize) -> bool {
        match self {
            OpeningRule::Soosorv8 => count >= 1 && count <= self.most_fifths(),
            OpeningRule::Taraguchi10 => count == self.most_fifths(),
        }
    }

    /// How far from the centre the stone with this number, from 1, may stand; `None` for anywhere. A fifth move that is
    /// one of several offered may also stand anywhere.
    #[must_use]
    pub const fn reach(self, number: usize) -> Option<usize> {
        match (self, number) {
            (_, 1..=3) | (OpeningRule::Taraguchi10, 4..=5) => Some(number - 1),
            _ => None,
        }
    }

    /// Whether the stone with this number, from 1, may stand there.
    #[must_use]
    pub fn allows(self, number: usize, point: Point) -> bool {
        BOARD.contains(point) && self.reach(number).is_none_or(|reach| point.distance(CENTER) <= reach)
    }

    /// The points where the stone with this number, from 1, may stand, taken or not.
    #[must_use]
    pub fn zone(self, number: usize) -> PointSet {
        BOARD.points().filter(|&point| self.allows(number, point)).collect()
    }

    /// Checks that these can be the first stones of a game under this opening rule.
    ///
    /// # Errors
    /// Another variant or board, colours out of turn, or a stone where it may not stand.
    pub fn check(self, rule: Rule, stones: &Stones) -> Result<(), OpeningError> {
        if rule != self.rule() || stones.size() != BOARD {
            return Err(OpeningError::NotRenju(self));
        }
        let in_turn = [Color::Black, Color::White].into_iter().cycle();
        let mut placed = stones.history().iter().zip(in_turn);
        let complete = stones.empty_count() + stones.history().len() == BOARD.area();
        let next = if stones.history().len().is_multiple_of(2) { Color::Black } else { Color::White };
        if !complete || stones.to_move() != next || placed.any(|(&(_, color), turn)| color != turn) {
            return Err(OpeningError::OutOfTurn);
        }
        for (n, &(point, _)) in stones.history().iter().enumerate() {
            if !self.allows(n + 1, point) {
                return Err(OpeningError::Stone {
                    number: n + 1,
                    point,
                    reach: self.reach(n + 1).unwrap_or(0),
                });
            }
        }
        Ok(())
    }
}

impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that belongs to no [`OpeningRule`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownOpeningRule(pub String);

impl fmt::Display for UnknownOpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = OpeningRule::ALL.map(OpeningRule::name).join(", ");
        write!(f, "`{}` is not an opening rule; the opening rules are {names}", self.0)
    }
}

impl std::error::Error for UnknownOpeningRule {}

/// Reads the name that `Display` writes, ignoring case.
impl FromStr for OpeningRule {
    type Err = UnknownOpeningRule;

    fn from_str(text: &str) -> Result<OpeningRule, UnknownOpeningRule> {
        let named = |opening: &OpeningRule| opening.name().eq_ignore_ascii_case(text);
        OpeningRule::ALL.into_iter().find(named).ok_or_else(|| UnknownOpeningRule(text.to_owned()))
    }
}

/// Why a position or a question does not fit an opening rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningError {
    /// Another variant, or another board.
    NotRenju(OpeningRule),
    /// Stones that were not placed in turn, Black first, or dead cells.
    OutOfTurn,
    /// The number of stones on the board is not the one that the question needs.
    Count {
        /// Stones that the question needs.
        needed: usize,
        /// Stones on the board.
        found: usize,
    },
    /// A stone stands too far from the centre.
    Stone {
        /// Which stone, from 1.
        number: usize,
        /// Where it stands.
        point: Point,
        /// How far from the centre it may stand.
        reach: usize,
    },
    /// This many fifth moves cannot be asked for.
    Fifths(OpeningRule, usize),
    /// An offered fifth move lies on an occupied point or is offered twice.
    Offered(Point),
    /// This opening rule has no such question.
    NoQuestion(OpeningRule),
    /// Too few points are empty for the stones of the opening and a move after them.
    NoRoom,
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            OpeningError::NotRenju(rule) => {
                write!(f, "the opening rule {rule} is for renju on {BOARD} alone")
            }
            OpeningError::OutOfTurn => write!(f, "the stones of an opening are placed in turn, Black first"),
            OpeningError::Count { needed, found } => {
                write!(f, "this question of the opening needs {needed} stones, not {found}")
            }
            OpeningError::Stone { number, point, reach } => {
                let side = 2 * reach + 1;
                let (x, y) = (point.x(), point.y());
                write!(f, "stone {number} on {x},{y} lies outside the square of {side} around the centre")
            }
            OpeningError::Fifths(OpeningRule::Soosorv8, count) => {
                write!(f, "the fifth moves must be 1 to {}, not {count}", OpeningRule::Soosorv8.most_fifths())
            }
            OpeningError::Fifths(rule, count) => {
                write!(f, "the fifth moves must be {}, not {count}", rule.most_fifths())
            }
            OpeningError::Offered(point) => {
                write!(f, "the fifth move {},{} is taken or offered twice", point.x(), point.y())
            }
            OpeningError::NoQuestion(rule) => write!(f, "the opening rule {rule} has no such question"),
            OpeningError::NoRoom => write!(f, "the board has no room for the stones of the opening"),
        }
    }
}

impl std::error::Error for OpeningError {}

/// The symmetries of the stones of a position, regardless of the edges of the board. Two moves that one of them maps
/// onto each other are the same move to players of renju, and only one of the two may be offered.
#[derive(Clone, Debug)]
pub struct StoneSymmetries {
    /// Each is a symmetry of the board followed by a shift in columns and rows. The identity is the first.
    maps: Vec<(Symmetry, i64, i64)>,
}

impl StoneSymmetries {
    /// The symmetries of these stones on a renju board; on other boards, or without stones, only the identity.
    #[must_use]
    pub fn of(stones: &Stones) -> StoneSymmetries {
        let mut placed: Vec<(i64, i64, Color)> = stones
            .history()
            .iter()
            .map(|&(point, color)| (point.x() as i64, point.y() as i64, color))
            .collect();
        placed.sort_unstable_by_key(|&(x, y, _)| (x, y));
        let corner = |placed: &[(i64, i64, Color)]| {
            let least = |of: fn(&(i64, i64, Color)) -> i64| placed.iter().map(of).min().unwrap_or(0);
            (least(|stone| stone.0), least(|stone| stone.1))
        };
        let (left, top) = corner(&placed);
        let map = |symmetry: Symmetry| {
            let image = stones.history().iter().map(|&(point, color)| {
                let point = symmetry.apply(point, BOARD);
                (point.x() as i64, point.y() as i64, color)
            });
            let mut image: Vec<_> = image.collect();
            let (image_left, image_top) = corner(&image);
            let (right, down) = (left - image_left, top - image_top);
            for (x, y, _) in &mut image {
                (*x, *y) = (*x + right, *y + down);
            }
            image.sort_unstable_by_key(|&(x, y, _)| (x, y));
            (image == placed).then_some((symmetry, right, down))
        };
        if placed.is_empty() || stones.size() != BOARD {
            return StoneSymmetries {
                maps: Symmetry::of(BOARD).take(1).map(|identity| (identity, 0, 0)).collect(),
            };
        }
        StoneSymmetries { maps: Symmetry::of(BOARD).filter_map(map).collect() }
    }

    /// The number of symmetries, including the identity: 1 to 8.
    #[must_use]
    pub fn count(&self) -> usize {
        self.maps.len()
    }

    /// Whether one of the symmetries maps the one point of a renju board onto the other.
    #[must_use]
    pub fn are_same(&self, one: Point, other: Point) -> bool {
        self.maps.iter().any(|&(symmetry, right, down)| {
            let image = symmetry.apply(one, BOARD);
            Point::checked(image.x() as i64 + right, image.y() as i64 + down, BOARD) == Some(other)
        })
    }

    /// Whether no two of the points are the same move.
    #[must_use]
    pub fn are_distinct(&self, points: &[Point]) -> bool {
        points.iter().enumerate().all(|(n, &one)| points[..n].iter().all(|&other| !self.are_same(one, other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    fn stones(points: &[(usize, usize)]) -> Stones {
        let mut stones = Stones::new(BOARD);
        points.iter().for_each(|&(x, y)| stones.place(Point::new(x, y), stones.to_move()));
        stones
    }

    #[test]
    fn names_lead_back() {
        for opening in OpeningRule::ALL {
            assert_eq!(opening.to_string().to_uppercase().parse(), Ok(opening));
        }
        let unknown = "swap".parse::<OpeningRule>().unwrap_err().to_string();
        assert_eq!(unknown, "`swap` is not an opening rule; the opening rules are soosorv-8, taraguchi-10");
    }

    #[test]
    fn each_mistake_is_told() {
        let (eight, ten) = (OpeningRule::Soosorv8, OpeningRule::Taraguchi10);
        for (error, said) in [
            (OpeningError::NotRenju(eight), "the opening rule soosorv-8 is for renju on 15x15 alone"),
            (OpeningError::OutOfTurn, "the stones of an opening are placed in turn, Black first"),
            (
                OpeningError::Count { needed: 3, found: 4 },
                "this question of the opening needs 3 stones, not 4",
            ),
            (OpeningError::Fifths(eight, 9), "the fifth moves must be 1 to 8, not 9"),
            (OpeningError::Fifths(ten, 9), "the fifth moves must be 10, not 9"),
            (OpeningError::Offered(Point::new(3, 4)), "the fifth move 3,4 is taken or offered twice"),
            (OpeningError::NoQuestion(ten), "the opening rule taraguchi-10 has no such question"),
        ] {
            assert_eq!(error.to_string(), said);
        }
    }

    #[test]
    fn so_many_fifth_moves_may_be_asked_for() {
        let allowed = |opening: OpeningRule| (0..12).filter(move |&count| opening.allows_fifths(count));
        assert_eq!(allowed(OpeningRule::Soosorv8).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(allowed(OpeningRule::Taraguchi10).collect::<Vec<_>>(), [10]);
    }

    #[test]
    fn each_stone_has_its_square() {
        let areas = |opening: OpeningRule| (1..=6).map(|n| opening.zone(n).len()).collect::<Vec<_>>();
        assert_eq!(areas(OpeningRule::Soosorv8), [1, 9, 25, 225, 225, 225]);
        assert_eq!(areas(OpeningRule::Taraguchi10), [1, 9, 25, 49, 81, 225]);
        let start = [(7, 7), (7, 6), (9, 5), (0, 0)];
        assert_eq!(OpeningRule::Soosorv8.check(Rule::Renju, &stones(&start)), Ok(()));
        let corner = OpeningError::Stone { number: 4, point: Point::new(0, 0), reach: 3 };
        assert_eq!(OpeningRule::Taraguchi10.check(Rule::Renju, &stones(&start)), Err(corner));
        assert_eq!(corner.to_string(), "stone 4 on 0,0 lies outside the square of 7 around the centre");
    }

    #[test]
    fn openings_are_for_renju_alone() {
        let opening = OpeningRule::Soosorv8;
        let not_renju = Err(OpeningError::NotRenju(opening));
        assert_eq!(opening.check(Rule::Freestyle, &stones(&[])), not_renju);
        assert_eq!(opening.check(Rule::Renju, &Stones::new(Size::square(19))), not_renju);
        let mut two_blacks = stones(&[(7, 7)]);
        two_blacks.place(Point::new(7, 6), Color::Black);
        assert_eq!(opening.check(Rule::Renju, &two_blacks), Err(OpeningError::OutOfTurn));
        // Black's stone is there, and Black is to move again.
        let mut passed = stones(&[(7, 7)]);
        passed.set_to_move(Color::Black);
        assert_eq!(opening.check(Rule::Renju, &passed), Err(OpeningError::OutOfTurn));
        let mut hole = stones(&[]);
        hole.kill(Point::new(0, 0));
        assert_eq!(opening.check(Rule::Renju, &hole), Err(OpeningError::OutOfTurn));
    }

    #[test]
    fn what_the_stones_mirror_is_the_same_move() {
        // A line upwards from the centre, and a fourth stone on it: left and right are the same.
        let line = StoneSymmetries::of(&stones(&[(7, 7), (7, 6), (7, 5), (7, 4)]));
        assert_eq!(line.count(), 2);
        assert!(line.are_same(Point::new(6, 6), Point::new(8, 6)));
        assert!(line.are_same(Point::new(6, 6), Point::new(6, 6)));
        assert!(!line.are_same(Point::new(6, 6), Point::new(8, 5)));
        assert!(!line.are_distinct(&[(5, 5), (1, 1), (9, 5)].map(|(x, y)| Point::new(x, y))));
        assert!(line.are_distinct(&[(5, 5), (1, 1), (9, 4)].map(|(x, y)| Point::new(x, y))));
        // Two columns of two stones: the mirror axis lies between the columns, not in the middle of the board.
        let beside = StoneSymmetries::of(&stones(&[(7, 7), (7, 6), (8, 7), (8, 6)]));
        assert_eq!(beside.count(), 2);
        assert!(beside.are_same(Point::new(6, 7), Point::new(9, 7)));
        // The same with the axis between two rows.
        let above = StoneSymmetries::of(&stones(&[(7, 7), (6, 7), (7, 8), (6, 8)]));
        assert_eq!(above.count(), 2);
        assert!(above.are_same(Point::new(7, 6), Point::new(7, 9)));
        // The image of this point lies off the board, so no other move is the same.
        assert!(!(1..15).any(|x| beside.are_same(Point::new(0, 3), Point::new(x, 3))));
        let plain = StoneSymmetries::of(&stones(&[(7, 7), (7, 6), (8, 6), (5, 9)]));
        assert_eq!(plain.count(), 1);
        // Without stones every symmetry of the board would apply, and there is nothing to compare yet.
        let empty = StoneSymmetries::of(&stones(&[]));
        assert_eq!(empty.count(), 1);
        assert!(empty.are_same(Point::new(3, 4), Point::new(3, 4)));
        assert!(!empty.are_same(Point::new(3, 4), Point::new(4, 3)));
        // A line upwards has a mirror symmetry, but on another board it does not count.
        let mut elsewhere = Stones::new(Size::square(19));
        [(7, 7), (7, 6)].iter().for_each(|&(x, y)| elsewhere.place(Point::new(x, y), elsewhere.to_move()));
        assert_eq!(StoneSymmetries::of(&elsewhere).count(), 1);
    }
}
