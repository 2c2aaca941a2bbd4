//! A VCF written out move by move, and whether it still wins after one more stone of the opponent. This module replays
//! a win and finds what could disturb it; finding the win is left to the search.

use super::budget::NodeBudget;
use super::vcf::{ANY_LENGTH, VcfResult, VcfSearch};
use crate::board::{Color, Direction, Point, PointSet};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;

/// A move of a VCF, and what follows.
#[derive(Clone, Debug)]
pub(super) struct VcfLine {
    pub point: Point,
    /// Where five follows if the opponent does nothing; `None` if the move makes five.
    pub five: Option<Point>,
    /// Each legal way to stop that, with what wins against it.
    pub answers: Vec<(Point, VcfLine)>,
}

/// The largest number of moves in a line. Where a four can be stopped in several ways, each needs an answer of its own,
/// and a long line would have too many.
const MOST_MOVES: usize = 400;

impl VcfLine {
    /// The VCF that the search finds for the side to move. `None` if there is none, if it has too many branches, or if
    /// the search for a move gives up after `nodes` nodes.
    pub fn find<R: RuleSet>(
        search: &mut VcfSearch,
        position: &mut Position<R>,
        nodes: u64,
        budget: &mut NodeBudget,
    ) -> Option<VcfLine> {
        VcfLine::part(search, position, nodes, &mut MOST_MOVES.clone(), budget)
    }

    /// `room` is how many more moves there may be.
    fn part<R: RuleSet>(
        search: &mut VcfSearch,
        position: &mut Position<R>,
        nodes: u64,
        room: &mut usize,
        budget: &mut NodeBudget,
    ) -> Option<VcfLine> {
        *room = room.checked_sub(1)?;
        let VcfResult::Win(fours, point) = search.shortest(position, ANY_LENGTH, nodes, budget) else {
            return None;
        };
        if fours == 0 {
            return Some(VcfLine { point, five: None, answers: Vec::new() });
        }
        let own = position.to_move();
        position.play(point, &mut ());
        let answers = position.map().points(own, Threat::Five).first().and_then(|five| {
            let mut answers = Vec::new();
            let answered: Result<(), ()> = position.after_each_stop(five, |position, stop| {
                let next = VcfLine::part(search, position, nodes, room, budget).ok_or(())?;
                answers.push((stop, next));
                Ok(())
            });
            answered.is_ok().then_some((five, answers))
        });
        position.undo();
        let (five, answers) = answers?;
        Some(VcfLine { point, five: Some(five), answers })
    }

    /// Whether the line wins in this position, against every reply.
    pub fn holds<R: RuleSet>(&self, position: &mut Position<R>) -> bool {
        if !position.stones().is_empty_at(self.point) {
            return false;
        }
        if position.wins_at(self.point) {
            return true;
        }
        let Some(five) = self.five else { return false };
        if position.is_forbidden(self.point) {
            return false;
        }
        let own = position.to_move();
        position.play(self.point, &mut ());
        let threatens =
            position.map().count(!own, Threat::Five) == 0 && position.map().threat(five, own) == Threat::Five;
        let holds = threatens
            && position
                .after_each_stop(five, |position, stop| {
                    let answer = self.answers.iter().find(|(answer, _)| *answer == stop);
                    answer.filter(|(_, next)| next.holds(position)).map(drop).ok_or(())
                })
                .is_ok();
        position.undo();
        holds
    }

    /// Adds the points where a stone of the opponent, placed before the line begins, may make a difference: the line's
    /// own points, and those that turn a forced answer into a four. Rules under which a stone matters from further away
    /// add a few more. [`VcfLine::holds`] says which of them really stop the line.
    pub fn add_stops<R: RuleSet>(&self, position: &mut Position<R>, stops: &mut PointSet) {
        stops.insert(self.point);
        let Some(five) = self.five else { return };
        let own = position.to_move();
        stops.insert(five);
        if R::forbids(own) {
            add_near(position, self.point, stops);
        }
        position.play(self.point, &mut ());
        let open_ends = R::winning(own).five_needs_open_end;
        if open_ends {
            add_near(position, five, stops);
        }
        if R::forbids(!own) {
            // The answer may be forbidden now, and legal with one more stone.
            add_near(position, five, stops);
        }
        for (answer, next) in &self.answers {
            add_fours_with(position, *answer, !own, stops);
            stops.insert(*answer);
            position.play(*answer, &mut ());
            next.add_stops(position, stops);
            position.undo();
        }
        position.undo();
    }
}

/// Adds the empty points on the lines through a point.
fn add_near<R: RuleSet>(position: &Position<R>, point: Point, points: &mut PointSet) {
    for direction in Direction::ALL {
        position.map().empty_near(point, direction, R::reach()).for_each(|near| points.insert(near));
    }
}

/// Adds the points with which a stone of `color` at `point` would become a four or five.
fn add_fours_with<R: RuleSet>(position: &Position<R>, point: Point, color: Color, points: &mut PointSet) {
    let map = position.map();
    for direction in Direction::ALL {
        for other in map.empty_near(point, direction, R::reach()) {
            // A point that looks forbidden may hide a four.
            let threat = map.threat_with(point, color, other, color);
            if threat.is_four() || threat == Threat::LooksForbidden {
                points.insert(other);
            }
        }
    }
}
