//! Which move is forced, so that nothing is learned from it?

use crate::board::{Point, Stones};
use crate::rules::fallback::is_forbidden;
use crate::rules::{Rule, judge, with_rule};

/// The only legal move that stops every five of the opponent's, where the opponent threatens one and the side to move
/// has none. `None` where there is nothing to stop, nothing that stops it, or a choice.
pub(super) fn only_stop(rule: Rule, stones: &Stones) -> Option<Point> {
    let own = stones.to_move();
    let wins =
        |stones: &Stones, point, color| with_rule!(rule, R => judge::wins_at::<R>(stones, point, color));
    let empty: Vec<Point> = stones.size().points().filter(|&point| stones.is_empty_at(point)).collect();
    let fives: Vec<Point> = empty.iter().copied().filter(|&point| wins(stones, point, !own)).collect();
    if fives.is_empty() || empty.iter().any(|&point| wins(stones, point, own)) {
        return None;
    }
    let stops_all = |point: Point| {
        let mut after = stones.clone();
        after.place(point, own);
        !fives.iter().any(|&five| after.is_empty_at(five) && wins(&after, five, !own))
    };
    let mut stops = empty.into_iter().filter(|&point| stops_all(point) && !is_forbidden(rule, stones, point));
    stops.next().filter(|_| stops.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Size};

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
