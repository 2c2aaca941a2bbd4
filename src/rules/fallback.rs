//! What the slow judge alone can say about a position under a rule known at run time: its forbidden points, and a
//! legal move for callers that have no time to search or whose search has failed.

use super::judge;
use super::rule::Rule;
use crate::board::{Point, PointSet, Stones};
use crate::rules::with_rule;

/// The points that are forbidden to the side to move, in row order; none on an empty board.
#[must_use]
pub fn forbidden_points(rule: Rule, stones: &Stones) -> Vec<Point> {
    if stones.history().is_empty() {
        return Vec::new();
    }
    stones.size().points().filter(|&point| is_forbidden(rule, stones, point)).collect()
}

/// Whether this empty point is forbidden to the side to move. False for an occupied point.
#[must_use]
pub fn is_forbidden(rule: Rule, stones: &Stones, point: Point) -> bool {
    with_rule!(rule, R => judge::is_forbidden::<R>(stones, point, stones.to_move()))
}

/// A move for the side to move when the search has none: it wins if possible, otherwise blocks a win if possible, and
/// otherwise is the empty point nearest to the last stone, or to the centre without one. It is not a foul unless
/// nothing else is left. `None` on a full board.
#[must_use]
pub fn fallback_move(rule: Rule, stones: &Stones) -> Option<Point> {
    let near = stones.recent(0).map_or(stones.size().center(), |(point, _)| point);
    let own = stones.to_move();
    let forbidden: PointSet = forbidden_points(rule, stones).into_iter().collect();
    let wins = |point, color| with_rule!(rule, R => judge::wins_at::<R>(stones, point, color));
    stones.size().points().filter(|&point| stones.is_empty_at(point)).min_by_key(|&point| {
        (forbidden.contains(point), !wins(point, own), !wins(point, !own), point.distance(near))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Size};

    #[test]
    fn fallback_moves_are_near() {
        let mut stones = Stones::new(Size::square(15));
        assert_eq!(fallback_move(Rule::Renju, &stones), Some(Point::new(7, 7)));
        stones.place(Point::new(0, 0), Color::Black);
        let point = fallback_move(Rule::Renju, &stones).unwrap();
        assert!(stones.is_empty_at(point) && point.distance(Point::new(0, 0)) == 1);
    }

    /// Black's threes cross at h8, and White has set up the same further down.
    fn crossing() -> Stones {
        let mut stones = Stones::new(Size::square(15));
        for name in ["h9", "h3", "h10", "h4", "i8", "i2", "j8", "j2"] {
            stones.place(name.parse().unwrap(), stones.to_move());
        }
        stones
    }

    #[test]
    fn forbidden_points_are_those_of_the_side_to_move() {
        let mut stones = crossing();
        let (cross, of_white) = (Point::new(7, 7), Point::new(7, 1));
        assert_eq!(forbidden_points(Rule::Renju, &stones), [cross]);
        assert!(is_forbidden(Rule::Renju, &stones, cross));
        assert!(!is_forbidden(Rule::Renju, &stones, of_white));
        // An occupied point is not forbidden, and under another rule no point is.
        assert!(!is_forbidden(Rule::Renju, &stones, Point::new(8, 7)));
        assert!(forbidden_points(Rule::Standard, &stones).is_empty());
        stones.set_to_move(Color::White);
        assert!(forbidden_points(Rule::Renju, &stones).is_empty());
    }

    #[test]
    fn a_fallback_move_is_no_foul_unless_nothing_else_is_left() {
        let mut stones = crossing();
        // The forbidden point is the first of those next to this stone.
        stones.set_to_move(Color::White);
        stones.place(Point::new(8, 8), Color::White);
        assert_eq!(fallback_move(Rule::Standard, &stones), Some(Point::new(7, 7)));
        assert_eq!(fallback_move(Rule::Renju, &stones), Some(Point::new(9, 8)));
        // The only empty point makes an overline for Black.
        let mut narrow = Stones::new(Size::new(6, 1).unwrap());
        [0, 1, 2, 4, 5].iter().for_each(|&x| narrow.place(Point::new(x, 0), Color::Black));
        narrow.set_to_move(Color::Black);
        assert_eq!(fallback_move(Rule::Renju, &narrow), Some(Point::new(3, 0)));
        narrow.place(Point::new(3, 0), Color::Black);
        assert_eq!(fallback_move(Rule::Renju, &narrow), None);
    }

    #[test]
    fn fallback_moves_win_and_stop_wins() {
        let mut stones = Stones::new(Size::square(15));
        for x in 3..7 {
            stones.place(Point::new(x, 2), Color::Black);
            stones.place(Point::new(x, 9), Color::White);
        }
        let ends = |y| [Some(Point::new(2, y)), Some(Point::new(7, y))];
        assert!(ends(2).contains(&fallback_move(Rule::Freestyle, &stones)));
        stones.place(Point::new(14, 14), Color::Black);
        assert!(ends(9).contains(&fallback_move(Rule::Freestyle, &stones)));
        stones.undo();
        stones.place(Point::new(7, 2), Color::White);
        stones.place(Point::new(2, 2), Color::White);
        assert!(ends(9).contains(&fallback_move(Rule::Freestyle, &stones)), "Black has to stop a five");
    }
}
