//! Spent points, through which neither colour can make a five any more, and the score of a board on which no other
//! empty points are left.
//!
//! Such a board is a draw, unless one colour will be left with only forbidden points to play.

use crate::board::{Color, Direction, Point};
use crate::eval::score::{self, DRAW, MAX_PLY, Score};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::{Shape, ShapeMap, Threat};

/// Whether no five fits through this empty point any more, for either colour.
#[inline]
pub(super) fn is_spent<R: RuleSet>(map: &ShapeMap<R>, point: Point) -> bool {
    Color::ALL.into_iter().all(|color| map.code(point, color) == 0 || is_foul_for_good(map, point, color))
}

/// Whether this empty point is forbidden for this colour for as long as it is empty: a row too long for a five goes
/// through it, and no other line through it can become a five.
#[inline]
fn is_foul_for_good<R: RuleSet>(map: &ShapeMap<R>, point: Point, color: Color) -> bool {
    R::forbids(color)
        && map.threat(point, color) == Threat::Forbidden
        && Direction::ALL.into_iter().all(|direction| map.shape(point, direction, color) <= Shape::Overline)
}

/// The score, `ply` plies from the root, of a position in which no move is of any use. It is a draw unless a colour
/// will be left with only forbidden points to play. The opponent fills these points last, so the outcome depends on how
/// many there are, and on whose turn it is when all others are full. Fouls that only later stones would create are not
/// foreseen. The board must not be full.
pub(super) fn spent_score<R: RuleSet>(position: &mut Position<R>, ply: usize) -> Score {
    let own = position.to_move();
    let empty = position.empty_points();
    let map = position.map();
    // Points far from all stones, or forbidden only for now, can still matter even if no move was found.
    let is_spent = empty.iter().all(|point| is_spent(map, point));
    for color in Color::ALL.into_iter().filter(|&color| is_spent && R::forbids(color)) {
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
    if empty.iter().any(|point| position.is_legal(point)) { DRAW } else { score::lost_in(ply + 1) }
}
