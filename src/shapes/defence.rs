//! Which stones stop a threat. Points are tested in the tables rather than on the board. The lists against a five and
//! an open four are exact; the one against a four and an open three holds all points that may stop it.

use super::map::ShapeMap;
use super::shape::Shape;
use super::threat::Threat;
use crate::board::{Color, Direction, Point, PointSet};
use crate::rules::RuleSet;

/// The points marked [`Threat::LooksForbidden`] at which a stone of `color` makes a four if it is allowed there at all.
/// That threat says only that a point looks like a foul, and hides what else a stone there makes, so
/// [`ShapeMap::fours`] does not contain these points.
#[must_use]
pub fn hidden_fours<R: RuleSet>(map: &ShapeMap<R>, color: Color) -> PointSet {
    if !R::forbids(color) || map.count(color, Threat::LooksForbidden) == 0 {
        return PointSet::EMPTY;
    }
    let is_four = |&point: &Point| {
        let shapes = Direction::ALL.map(|direction| map.shape(point, direction, color));
        shapes.into_iter().any(Shape::is_four) && !shapes.contains(&Shape::Overline)
    };
    map.points(color, Threat::LooksForbidden).iter().filter(is_four).collect()
}

/// A short list of points.
pub type Points = arrayvec::ArrayVec<Point, 48>;

/// The points where the opponent of `attacker` can place a stone so that `attacker` no longer makes five at `five`:
/// the point itself and, where a five needs an open end, possibly the cell beyond the row.
#[must_use]
pub fn stops_five<R: RuleSet>(map: &ShapeMap<R>, five: Point, attacker: Color) -> Points {
    let mut stops = Points::new();
    stops.push(five);
    if R::winning(attacker).five_needs_open_end {
        for direction in Direction::ALL {
            if map.shape(five, direction, attacker) == Shape::Five {
                let closes =
                    |&other: &Point| map.threat_with(five, attacker, other, !attacker) != Threat::Five;
                stops.extend(map.empty_near(five, direction, R::reach()).filter(closes));
            }
        }
    }
    stops
}

/// The points where the opponent of `attacker` can place a stone so that a stone of `attacker` at `point`
/// would no longer be an open four (or two fours), the point itself among them.
#[must_use]
pub fn stops_open_four<R: RuleSet>(map: &ShapeMap<R>, point: Point, attacker: Color) -> Points {
    let mut stops = Points::new();
    stops.push(point);
    for direction in Direction::ALL {
        if map.shape(point, direction, attacker).is_four() {
            let stops_it =
                |&other: &Point| map.threat_with(point, attacker, other, !attacker) < Threat::OpenFour;
            stops.extend(map.empty_near(point, direction, R::reach()).filter(stops_it));
        }
    }
    stops
}

/// The points where a stone of the opponent of `attacker` that makes no four may still stop a four and an open
/// three at `point`: points on the lines of the threat, and points that turn the forced block of the four into a
/// four for the defender.
#[must_use]
pub fn stops_four_three<R: RuleSet>(map: &ShapeMap<R>, point: Point, attacker: Color) -> PointSet {
    let mut stops = PointSet::EMPTY;
    stops.insert(point);
    for direction in Direction::ALL {
        let shape = map.shape(point, direction, attacker);
        if !shape.is_four() && !shape.is_open_three() {
            continue;
        }
        for other in map.empty_near(point, direction, R::reach()) {
            stops.insert(other);
            // Where a five needs an open end, the four may be stopped elsewhere on its line too.
            let is_block = shape.is_four()
                && (R::winning(attacker).five_needs_open_end
                    || map.threat_with(other, attacker, point, attacker) == Threat::Five);
            if is_block {
                for own_direction in Direction::ALL {
                    let may_make_four = |&own: &Point| {
                        // A block that looks like a foul may be none, and hides a four.
                        let threat = map.threat_with(other, !attacker, own, !attacker);
                        threat.is_four() || threat == Threat::LooksForbidden
                    };
                    map.empty_near(other, own_direction, R::reach())
                        .filter(may_make_four)
                        .for_each(|own| stops.insert(own));
                }
            }
        }
    }
    stops
}

#[cfg(test)]
#[path = "defence_tests.rs"]
mod tests;
