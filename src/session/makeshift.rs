//! What can be said of a position without a search, by the slow judge alone.

use crate::board::{Point, PointSet, Stones};
use crate::rules::{Rule, RuleSet, reference};
use crate::with_rule;

/// The points that are forbidden to the side to move, in row order; none on an empty board.
#[must_use]
pub fn forbidden_points(rule: Rule, stones: &Stones) -> Vec<Point> {
    if stones.history().is_empty() {
        return Vec::new();
    }
    stones.size().points().filter(|&point| is_forbidden(rule, stones, point)).collect()
}

/// Whether the side to move may not place a stone on this empty point. False for one that is taken.
#[must_use]
pub fn is_forbidden(rule: Rule, stones: &Stones, point: Point) -> bool {
    let color = stones.to_move();
    with_rule!(rule, R => {
        R::forbids(color) && stones.is_empty_at(point) && reference::is_forbidden::<R>(stones, point, color)
    })
}

/// A move for the side to move when the search has none: it wins if it can, stops a win if it can, and is
/// otherwise the point nearest to the last stone or to the centre. No foul, unless nothing else is left.
/// `None` on a full board.
#[must_use]
pub fn makeshift_move(rule: Rule, stones: &Stones) -> Option<Point> {
    let near = stones.recent(0).map_or(stones.size().center(), |(point, _)| point);
    let own = stones.to_move();
    let forbidden: PointSet = forbidden_points(rule, stones).into_iter().collect();
    let wins = |point, color| with_rule!(rule, R => reference::wins_at::<R>(stones, point, color));
    stones.size().points().filter(|&point| stones.is_empty_at(point)).min_by_key(|&point| {
        (forbidden.contains(point), !wins(point, own), !wins(point, !own), point.distance(near))
    })
}
