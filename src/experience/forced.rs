//! Which move is forced, so that nothing is learned from it?

use crate::board::{Color, Point, Stones};
use crate::rules::fallback::is_forbidden;
use crate::rules::{Rule, judge, with_rule};

/// The only legal move that stops every five of the opponent's, where the opponent threatens one and the side to move
/// has none. `None` where there is nothing to stop, nothing that stops it, or a choice.
pub(super) fn only_stop(rule: Rule, stones: &Stones) -> Option<Point> {
    let own = stones.to_move();
    let fives: Vec<Point> = fives(rule, stones, !own).collect();
    if fives.is_empty() || self::fives(rule, stones, own).next().is_some() {
        return None;
    }
    let stops_all = |point: Point| {
        let mut after = stones.clone();
        after.place(point, own);
        !fives.iter().any(|&five| after.is_empty_at(five) && makes_five(rule, &after, five, !own))
    };
    let mut stops =
        empty_points(stones).filter(|&point| stops_all(point) && !is_forbidden(rule, stones, point));
    stops.next().filter(|_| stops.next().is_none())
}

/// The points at which this side would win with its next stone.
pub(super) fn fives(rule: Rule, stones: &Stones, color: Color) -> impl Iterator<Item = Point> {
    empty_points(stones).filter(move |&point| makes_five(rule, stones, point, color))
}

/// Whether this side wins with a stone on this empty point.
pub(super) fn makes_five(rule: Rule, stones: &Stones, point: Point, color: Color) -> bool {
    with_rule!(rule, R => judge::wins_at::<R>(stones, point, color))
}

fn empty_points(stones: &Stones) -> impl Iterator<Item = Point> {
    stones.size().points().filter(|&point| stones.is_empty_at(point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn the_only_move_that_stops_a_five_is_known() {
        let stop = |rule, black: &str, white: &str, to_move| {
            let mut stones = Stones::new(Size::square(15));
            for (names, color) in [(black, Color::Black), (white, Color::White)] {
                names.split_whitespace().for_each(|name| stones.place(name.parse().unwrap(), color));
            }
            stones.set_to_move(to_move);
            only_stop(rule, &stones).map(|point| point.to_string())
        };
        let four = "d3 e3 f3 g3";
        assert_eq!(stop(Rule::Freestyle, four, "c3 a9", Color::White).as_deref(), Some("h3"));
        // Two fives, none, and one of the side to move.
        assert_eq!(stop(Rule::Freestyle, four, "a9", Color::White), None);
        assert_eq!(stop(Rule::Freestyle, "d3 e3 f3", "a9", Color::White), None);
        assert_eq!(stop(Rule::Freestyle, four, "c3 a9 a10 a11 a12", Color::White), None);
        // Under caro a five is none between two stones, so one of White's stones at either end is enough.
        assert_eq!(stop(Rule::Caro, four, "c3 a9", Color::White), None);
        // The point is forbidden to Black: h3 makes two threes.
        let (black, white) = ("h4 h5 i4 j5", "d3 e3 f3 g3");
        assert_eq!(stop(Rule::Standard, &format!("{black} c3"), white, Color::Black).as_deref(), Some("h3"));
        assert_eq!(stop(Rule::Renju, &format!("{black} c3"), white, Color::Black), None);
    }
}
