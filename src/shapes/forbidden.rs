//! Exact detection of forbidden points. A three that cannot legally become a straight four does not count,
//! and whether it can may depend in turn on whether further points are forbidden, to any depth.
//!
//! The fast counterpart of [`rules::judge`](crate::rules::judge), which defines a foul: change both together.

use super::map::ShapeMap;
use super::shape::Shape;
use super::threat::Threat;
use crate::board::{Color, Direction, Point};
use crate::rules::RuleSet;

/// Whether a stone of `color` on this empty point loses, because it makes an overline, two fours or two
/// threes without making five.
///
/// Looking ahead changes the map; it is restored before this returns.
#[must_use]
#[inline]
pub fn is_forbidden<R: RuleSet>(map: &mut ShapeMap<R>, point: Point, color: Color) -> bool {
    R::forbids(color) && map.threat(point, color) == Threat::LooksForbidden && is_foul(map, point, color)
}

fn is_foul<R: RuleSet>(map: &mut ShapeMap<R>, point: Point, color: Color) -> bool {
    let mut fours = 0;
    for direction in Direction::ALL {
        match map.shape(point, direction, color) {
            Shape::Overline | Shape::DoubleFour => return true,
            Shape::Four | Shape::OpenFour => fours += 1,
            _ => {}
        }
    }
    if fours >= 2 {
        return true;
    }
    let threes = Direction::ALL
        .map(|direction| map.shape(point, direction, color).is_open_three().then_some(direction));
    map.place(point, color, &mut ());
    let mut real = threes.into_iter().flatten().filter(|&three| is_real_three(map, point, three, color));
    let has_two = real.nth(1).is_some();
    map.undo();
    has_two
}

/// Whether the three through the stone at `point` can become a straight four by a stone that is not itself
/// forbidden and does not at the same time make five.
fn is_real_three<R: RuleSet>(
    map: &mut ShapeMap<R>,
    point: Point,
    direction: Direction,
    color: Color,
) -> bool {
    // A straight four is an unbroken row, so the missing stone belongs at an end of this row.
    [-1, 1].into_iter().any(|step| {
        map.end_of_row(point, direction, step, color).is_some_and(|end| {
            map.shape(end, direction, color) == Shape::OpenFour
                && map.threat(end, color) != Threat::Five
                && !is_forbidden(map, end, color)
        })
    })
}
