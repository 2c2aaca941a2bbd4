//! Spent points, through which neither colour can make a five any more, and what a position is worth in which a side
//! has nothing but such points to play.
//!
//! A board with no other empty points is a draw, unless one colour will be left with only forbidden points to play.

use crate::board::{Color, Point};
use crate::eval::score::{self, DRAW, MAX_PLY, Score};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::{ShapeMap, Threat, is_hopeless};

/// Whether no five fits through this empty point any more, for either colour.
#[inline]
pub(super) fn is_spent<R: RuleSet>(map: &ShapeMap<R>, point: Point) -> bool {
    Color::ALL.into_iter().all(|color| is_hopeless(map.code(point, color)))
}

/// Whether this empty point is forbidden for this colour for as long as it is empty: a row too long for a five goes
/// through it, and no other line through it can become a five.
#[inline]
fn is_foul_for_good<R: RuleSet>(map: &ShapeMap<R>, point: Point, color: Color) -> bool {
    R::forbids(color)
        && map.threat(point, color) == Threat::LooksForbidden
        && is_hopeless(map.code(point, color))
}

/// A legal move for a side that has no useful one, if fives still fit on the board. It may be far from all stones, or
/// only serve to pass the turn while the points that matter are forbidden.
pub(super) fn waiting_move<R: RuleSet>(position: &mut Position<R>) -> Option<Point> {
    let (spent, open): (Vec<Point>, Vec<Point>) =
        position.empty_points().iter().partition(|&point| is_spent(position.map(), point));
    if open.is_empty() {
        return None;
    }
    open.into_iter().chain(spent).find(|&point| position.is_legal(point))
}

/// The score, `ply` plies from the root, of a position without even a [`waiting_move`]. It is lost where no point at
/// all is legal. Otherwise it is a draw unless a colour will be left with only forbidden points to play. The opponent
/// fills these points last, so the outcome depends on how many there are, and on whose turn it is when all others are
/// full. Fouls that only later stones would create are not foreseen. The board must not be full.
pub(super) fn spent_score<R: RuleSet>(position: &mut Position<R>, ply: usize) -> Score {
    let own = position.to_move();
    let empty = position.empty_points();
    if !empty.iter().any(|point| position.is_legal(point)) {
        return score::lost_in(ply + 1);
    }
    let map = position.map();
    for color in Color::ALL.into_iter().filter(|&color| R::forbids(color)) {
        let (mut left, mut fouls) =
            (empty.len(), empty.iter().filter(|&point| is_foul_for_good(map, point, color)).count());
        let others = left - fouls;
        if color != own {
            fouls -= usize::from(fouls == left);
            left -= 1;
        }
        // With an even number left, the opponent fills the last point, so one foul is left to it.
        if fouls > usize::from(left % 2 == 0) {
            // The foul comes when all others are full, or a ply later if it is the opponent's turn then.
            let waits = (color == own) == (others % 2 == 1);
            let end = (ply + others + 1 + usize::from(waits)).min(MAX_PLY - 1);
            return if color == own { score::lost_in(end) } else { score::win_in(end) };
        }
    }
    DRAW
}
