//! What is decided without searching: positions that the threat counts settle, and the replies that the opponent's
//! threats force upon the side to move. Which moves count as such a reply is determined by [`picker`](super::picker),
//! with the points from [`defence`](crate::shapes::defence).
//!
//! A threat is named after what the next stone would make: four in a row are a threat of five, and an open three is a
//! threat of an open four.

use crate::board::{Color, Point};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence::{hidden_fours, stops_five};

/// The reply that the opponent's threats force upon the side to move, which otherwise loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForcedReply {
    /// None: every move may be played.
    Free,
    /// The opponent makes five here unless it is stopped now.
    StopFive(Point),
    /// The opponent makes an open four unless it is stopped now or a four is made.
    StopOpenFour,
    /// The opponent makes a four and an open three here.
    StopFourThree(Point),
}

impl ForcedReply {
    /// Plies until the opponent's five stands on the board if no such reply can be played; `None` if none is forced.
    #[must_use]
    pub(super) fn plies_to_loss(self) -> Option<usize> {
        match self {
            ForcedReply::Free => None,
            ForcedReply::StopFive(_) => Some(2),
            ForcedReply::StopOpenFour => Some(4),
            ForcedReply::StopFourThree(_) => Some(6),
        }
    }
}

/// The reply that the side to move is forced to make.
///
/// Tries moves on the position and restores it.
#[must_use]
#[inline]
pub(crate) fn forced_reply<R: RuleSet>(position: &mut Position<R>) -> ForcedReply {
    let (map, own, other) = (position.map(), position.to_move(), !position.to_move());
    if let Some(point) = map.points(other, Threat::Five).first() {
        return ForcedReply::StopFive(point);
    }
    if map.count(other, Threat::OpenFour) > 0 {
        return ForcedReply::StopOpenFour;
    }
    if map.count(other, Threat::FourThree) == 0 {
        return ForcedReply::Free;
    }
    // The opponent's block may turn into a four of its own, and a side with forbidden points may be unable to use
    // the open three that it counts on.
    let is_sure = !R::forbids(other) && !may_have_four(position, own);
    let points = *map.points(other, Threat::FourThree);
    position.pass();
    let point = points.iter().find(|&point| is_sure || four_three_wins(position, point));
    position.pass();
    point.map_or(ForcedReply::Free, ForcedReply::StopFourThree)
}

/// Whether a stone of this colour can make a four somewhere. A four that looks like a foul but may not be one counts as
/// well, since a proof must not overlook it.
fn may_have_four<R: RuleSet>(position: &Position<R>, color: Color) -> bool {
    let map = position.map();
    map.has_four(color) || !hidden_fours(map, color).is_empty()
}

/// A win by force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForcedWin {
    /// The move to begin with.
    pub point: Point,
    /// Plies until five stand on the board.
    pub plies: usize,
}

/// A win for the side to move that the threat counts alone prove.
///
/// Only sure wins count: where a reply of the opponent could change the outcome, that reply is played out.
#[must_use]
pub(crate) fn sure_win<R: RuleSet>(position: &mut Position<R>) -> Option<ForcedWin> {
    let (own, other) = (position.to_move(), !position.to_move());
    let map = position.map();
    if map.count(own, Threat::Five) > 0 {
        return map.points(own, Threat::Five).first().map(|point| ForcedWin { point, plies: 1 });
    }
    let fives_to_stop = map.count(other, Threat::Five);
    let open_four = match fives_to_stop {
        0 => map.points(own, Threat::OpenFour).first(),
        // The stone that stops the five may be an open four itself.
        1 => {
            map.points(other, Threat::Five).first().filter(|&stop| map.threat(stop, own) == Threat::OpenFour)
        }
        _ => None,
    };
    if let Some(point) = open_four {
        return Some(ForcedWin { point, plies: 3 });
    }
    if fives_to_stop > 0 {
        return None;
    }
    let [four_threes, double_threes] =
        [Threat::FourThree, Threat::DoubleThree].map(|threat| map.count(own, threat) > 0);
    if !four_threes && !double_threes {
        return None;
    }
    let other_has_four = may_have_four(position, other);
    let map = position.map();
    if four_threes {
        let points = *map.points(own, Threat::FourThree);
        if !other_has_four && !R::forbids(own) {
            return points.first().map(|point| ForcedWin { point, plies: 5 });
        }
        if let Some(point) = points.iter().find(|&point| four_three_wins(position, point)) {
            return Some(ForcedWin { point, plies: 5 });
        }
    }
    let map = position.map();
    if double_threes && !other_has_four {
        return map.points(own, Threat::DoubleThree).first().map(|point| ForcedWin { point, plies: 5 });
    }
    None
}

/// Plays the four and every way to stop it. After each of them an open four must follow, and the opponent must not have
/// a five before it.
fn four_three_wins<R: RuleSet>(position: &mut Position<R>, point: Point) -> bool {
    let own = position.to_move();
    position.play(point, &mut ());
    let wins = position.map().points(own, Threat::Five).first().is_some_and(|five| {
        stops_five(position.map(), five, own).into_iter().all(|stop| {
            if !position.is_legal(stop) {
                return true;
            }
            position.play(stop, &mut ());
            let map = position.map();
            let wins = map.count(own, Threat::Five) > 0
                || map.count(!own, Threat::Five) == 0 && map.count(own, Threat::OpenFour) > 0;
            position.undo();
            wins
        })
    });
    position.undo();
    wins
}

/// Whether the side to move has already lost, because it cannot stop all fives of the opponent.
#[must_use]
pub(super) fn is_lost<R: RuleSet>(position: &mut Position<R>) -> bool {
    let other = !position.to_move();
    match position.map().count(other, Threat::Five) {
        0 => false,
        1 => {
            if R::winning(other).five_needs_open_end || !R::forbids(!other) {
                return false;
            }
            let five = position.map().points(other, Threat::Five).first();
            five.is_some_and(|five| position.is_forbidden(five))
        }
        // Where fives need an open end, one stone may stop two of them.
        _ => !R::winning(other).five_needs_open_end,
    }
}

#[cfg(test)]
#[path = "threats_tests.rs"]
mod tests;
