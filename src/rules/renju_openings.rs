//! The 26 openings of renju: the names that its players give to the first three stones.
//!
//! The first stone stands in the centre. The second stands next to it, orthogonally ("direct", D1 to D13) or diagonally
//! ("indirect", I1 to I13), and the third at most two points from the centre. Rotations and reflections count as the
//! same opening, and every such start is one of the 26.

use super::Rule;
use crate::board::{Color, Point, Size, Stones, Symmetry};

/// The board of renju.
pub const BOARD: Size = Size::square(15);
/// Where the first stone stands.
pub const CENTER: Point = BOARD.center();

/// One of the 26 openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenjuOpening {
    /// `D1` to `D13` for the direct openings, `I1` to `I13` for the indirect ones.
    pub code: &'static str,
    /// The Japanese name in Latin letters.
    pub name: &'static str,
    /// The Japanese name.
    pub kanji: &'static str,
    /// Black, white, black, oriented as in diagrams: the second stone above the centre, or above and to the right of
    /// it.
    pub stones: [Point; 3],
}

/// All of them, in the order of their codes.
pub const RENJU_OPENINGS: [RenjuOpening; 26] = [
    direct("D1", "Kansei", "寒星", b'h', 10),
    direct("D2", "Keigetsu", "溪月", b'i', 10),
    direct("D3", "Sosei", "疎星", b'j', 10),
    direct("D4", "Kagetsu", "花月", b'i', 9),
    direct("D5", "Zangetsu", "残月", b'j', 9),
    direct("D6", "Ugetsu", "雨月", b'i', 8),
    direct("D7", "Kinsei", "金星", b'j', 8),
    direct("D8", "Shogetsu", "松月", b'h', 7),
    direct("D9", "Kyugetsu", "丘月", b'i', 7),
    direct("D10", "Shingetsu", "新月", b'j', 7),
    direct("D11", "Zuisei", "瑞星", b'h', 6),
    direct("D12", "Sangetsu", "山月", b'i', 6),
    direct("D13", "Yusei", "遊星", b'j', 6),
    indirect("I1", "Chosei", "長星", b'j', 10),
    indirect("I2", "Kyogetsu", "峡月", b'j', 9),
    indirect("I3", "Kosei", "恒星", b'j', 8),
    indirect("I4", "Suigetsu", "水月", b'j', 7),
    indirect("I5", "Ryusei", "流星", b'j', 6),
    indirect("I6", "Ungetsu", "雲月", b'i', 8),
    indirect("I7", "Hogetsu", "浦月", b'i', 7),
    indirect("I8", "Rangetsu", "嵐月", b'i', 6),
    indirect("I9", "Gingetsu", "銀月", b'h', 7),
    indirect("I10", "Myojo", "明星", b'h', 6),
    indirect("I11", "Shagetsu", "斜月", b'g', 7),
    indirect("I12", "Meigetsu", "名月", b'g', 6),
    indirect("I13", "Suisei", "彗星", b'f', 6),
];

impl RenjuOpening {
    /// The opening that these three stones form, in order of play and in any orientation; `None` if they do not form an
    /// opening of renju.
    ///
    /// ```
    /// use kagetsu::Point;
    /// use kagetsu::rules::renju_openings::RenjuOpening;
    /// let stones = [(7, 7), (6, 7), (6, 8)].map(|(x, y)| Point::new(x, y));
    /// assert_eq!(RenjuOpening::of(stones).map(|opening| opening.name), Some("Kagetsu"));
    /// ```
    #[must_use]
    pub fn of(stones: [Point; 3]) -> Option<&'static RenjuOpening> {
        if !stones.iter().all(|&point| BOARD.contains(point)) {
            return None;
        }
        let is = |opening: &&RenjuOpening| {
            Symmetry::of(BOARD)
                .any(|symmetry| stones.map(|point| symmetry.apply(point, BOARD)) == opening.stones)
        };
        RENJU_OPENINGS.iter().find(is)
    }

    /// The opening with which a game began; `None` if it is not a game of renju or did not begin with one of these
    /// openings. Of the stones, the first `set_up` were set up and not played: they have no order, so where there are
    /// any, nobody knows how the game began. Black, White and Black must have played the first three.
    #[must_use]
    pub fn of_game(rule: Rule, stones: &Stones, set_up: usize) -> Option<&'static RenjuOpening> {
        if rule != Rule::Renju || stones.size() != BOARD || set_up > 0 {
            return None;
        }
        let &[(first, Color::Black), (second, Color::White), (third, Color::Black), ..] = stones.history()
        else {
            return None;
        };
        RenjuOpening::of([first, second, third])
    }

    /// This opening in an orientation that begins with these stones, in order of play; `None` if there is none.
    #[must_use]
    pub fn beginning_with(&self, stones: &[Point]) -> Option<[Point; 3]> {
        let images =
            Symmetry::of(BOARD).map(|symmetry| self.stones.map(|point| symmetry.apply(point, BOARD)));
        images.into_iter().find(|image| image.starts_with(stones))
    }

    /// Whether the second stone stands orthogonally next to the first.
    #[must_use]
    pub fn is_direct(&self) -> bool {
        self.stones[1].x() == CENTER.x()
    }
}

/// A point as players of renju name it: the column's letter, and the row counted from the bottom.
const fn point(column: u8, row: usize) -> Point {
    Point::new((column - b'a') as usize, BOARD.height() - row)
}

const fn direct(
    code: &'static str,
    name: &'static str,
    kanji: &'static str,
    column: u8,
    row: usize,
) -> RenjuOpening {
    RenjuOpening { code, name, kanji, stones: [CENTER, point(b'h', 9), point(column, row)] }
}

const fn indirect(
    code: &'static str,
    name: &'static str,
    kanji: &'static str,
    column: u8,
    row: usize,
) -> RenjuOpening {
    RenjuOpening { code, name, kanji, stones: [CENTER, point(b'i', 9), point(column, row)] }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn rows_are_those_of_renju() {
        let opening = |code: &str| RENJU_OPENINGS.iter().find(|opening| opening.code == code).unwrap();
        // Kansei is h8, h9, h10: a line upwards, and the rows of the board here are counted downwards.
        assert_eq!(opening("D1").stones, [(7, 7), (7, 6), (7, 5)].map(|(x, y)| Point::new(x, y)));
        // Suisei is h8, i9, f6: Black's stones on White's diagonal, on the other side.
        assert_eq!(opening("I13").stones, [(7, 7), (8, 6), (5, 9)].map(|(x, y)| Point::new(x, y)));
        // The codes say which are direct.
        assert!(RENJU_OPENINGS.iter().all(|opening| opening.is_direct() == opening.code.starts_with('D')));
    }

    #[test]
    fn each_start_is_exactly_one_opening() {
        let mut starts = BTreeMap::new();
        for second in BOARD.points().filter(|point| point.distance(CENTER) == 1) {
            for third in BOARD.points().filter(|point| (1..=2).contains(&point.distance(CENTER))) {
                if third == second {
                    continue;
                }
                let stones = [CENTER, second, third];
                let images = Symmetry::of(BOARD).map(|symmetry| stones.map(|at| symmetry.apply(at, BOARD)));
                let images: Vec<_> = images.collect();
                let kinds = RENJU_OPENINGS.iter().filter(|opening| images.contains(&opening.stones));
                assert_eq!(kinds.count(), 1, "{stones:?}");
                *starts.entry(RenjuOpening::of(stones).unwrap().code).or_insert(0) += 1;
            }
        }
        // 8 points for the second stone and 23 for the third, each opening in four or eight orientations.
        assert_eq!(starts.len(), 26);
        assert_eq!(starts.values().sum::<i32>(), 8 * 23);
        assert!(starts.values().all(|count| [4, 8].contains(count)), "{starts:?}");
    }

    #[test]
    fn an_opening_is_turned_to_how_a_game_began() {
        let kagetsu = RENJU_OPENINGS.iter().find(|opening| opening.name == "Kagetsu").unwrap();
        for symmetry in Symmetry::of(BOARD) {
            let turned = kagetsu.stones.map(|point| symmetry.apply(point, BOARD));
            for count in 0..=3 {
                let found = kagetsu.beginning_with(&turned[..count]).unwrap();
                assert_eq!(found[..count], turned[..count]);
                assert_eq!(RenjuOpening::of(found), Some(kagetsu));
            }
            assert_eq!(kagetsu.beginning_with(&turned), Some(turned));
        }
        // A second stone diagonally next to the first belongs to the indirect openings.
        assert_eq!(kagetsu.beginning_with(&[CENTER, Point::new(8, 8)]), None);
    }

    #[test]
    fn only_renju_has_them() {
        let of = |rule, size, count| {
            let opening = RenjuOpening::of_game(rule, &begun(size, &[true, false, true, false][..count]), 0);
            opening.map(|opening| opening.code)
        };
        assert_eq!(of(Rule::Renju, BOARD, 4), Some("D4"));
        assert_eq!(of(Rule::Renju, BOARD, 2), None);
        assert_eq!(of(Rule::Standard, BOARD, 4), None);
        assert_eq!(of(Rule::Renju, Size::square(17), 4), None);
    }

    #[test]
    fn only_what_was_played_in_turn_has_a_name() {
        let of = |blacks: &[bool], set_up| RenjuOpening::of_game(Rule::Renju, &begun(BOARD, blacks), set_up);
        assert!(of(&[true, false, true], 0).is_some());
        for set_up in 1..=3 {
            assert_eq!(of(&[true, false, true], set_up), None);
        }
        for blacks in [[true; 3], [true, true, false], [false, true, false], [true, false, false]] {
            assert_eq!(of(&blacks, 0), None, "{blacks:?}");
        }
    }

    /// The first stones of Kagetsu, and one more; those that are `true` are Black's.
    fn begun(size: Size, blacks: &[bool]) -> Stones {
        let mut stones = Stones::new(size);
        for (&is_black, (x, y)) in blacks.iter().zip([(7, 7), (6, 7), (6, 8), (0, 0)]) {
            stones.place(Point::new(x, y), if is_black { Color::Black } else { Color::White });
        }
        stones
    }

    #[test]
    fn other_stones_are_no_opening() {
        for stones in [
            [(7, 7), (7, 5), (8, 8)],
            [(7, 7), (7, 6), (7, 4)],
            [(7, 8), (7, 7), (7, 6)],
            [(7, 7), (7, 6), (7, 6)],
            [(7, 7), (7, 6), (20, 20)],
        ] {
            assert_eq!(RenjuOpening::of(stones.map(|(x, y)| Point::new(x, y))), None);
        }
    }
}
