//! Which moves a node looks at, in which order.

use super::threats::Duty;
use super::worker::Worker;
use crate::board::{Point, PointSet};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence::{stops_five, stops_four_three, stops_open_four};

/// A move and what it promises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    pub point: Point,
    pub promise: i32,
}

/// The moves of one node: first the table's, then the rest, most promising first. The rest are made when
/// they are first asked for, since the table's move is often enough.
pub(super) struct Picker {
    duty: Duty,
    first: Option<Point>,
    stage: Stage,
    /// Where this node's moves begin in the worker's list.
    start: usize,
    next: usize,
}

enum Stage {
    First,
    Make,
    Rest,
}

impl Picker {
    pub(super) fn new(duty: Duty, first: Option<Point>) -> Picker {
        Picker { duty, first, stage: Stage::First, start: 0, next: 0 }
    }
}

/// The moves that can fulfil a duty, some of them perhaps forbidden; exact for fives and open fours: what is
/// left out loses. With [`Duty::Free`] all moves near a stone that are of any use.
pub(super) fn useful_moves<R: RuleSet>(position: &Position<R>, duty: Duty) -> PointSet {
    let (map, own, other) = (position.map(), position.to_move(), !position.to_move());
    match duty {
        Duty::StopFive(five) => stops_five(map, five, other).into_iter().collect(),
        Duty::StopOpenFour => {
            let threats = map.points(other, Threat::OpenFour);
            let stops_all = |stop: &Point| {
                threats.iter().all(|p| p == *stop || map.threat_with(p, other, *stop, own) < Threat::OpenFour)
            };
            let first = threats.first().map(|point| stops_open_four(map, point, other)).unwrap_or_default();
            first.into_iter().filter(stops_all).fold(map.fours(own), |mut all, stop| {
                all.insert(stop);
                all
            })
        }
        Duty::StopFourThree(point) => {
            (stops_four_three(map, point, other) | map.fours(own)) & position.empty_points()
        }
        Duty::Free => position.candidates(),
    }
}

impl<R: RuleSet, E: Evaluator<R>> Worker<'_, R, E> {
    /// The next move, legal or not, or `None` after the last.
    pub(super) fn pick(&mut self, picker: &mut Picker) -> Option<Point> {
        if let Stage::First = picker.stage {
            picker.stage = Stage::Make;
            let first = picker.first.filter(|&point| self.position.stones().is_empty_at(point));
            if first.is_some() {
                return first;
            }
        }
        if let Stage::Make = picker.stage {
            picker.stage = Stage::Rest;
            picker.start = self.moves.len();
            picker.next = picker.start;
            self.make_moves(picker);
        }
        let rest = &mut self.moves[picker.next..];
        // The first of equals: sets run in row order, so ties do not hang on anything but the board.
        let best = rest.iter().enumerate().rev().max_by_key(|(_, scored)| scored.promise)?.0;
        rest.swap(0, best);
        picker.next += 1;
        Some(rest[0].point)
    }

    /// Frees the list; every picker that was asked must be dropped this way, the last first.
    pub(super) fn drop_picker(&mut self, picker: Picker) {
        if let Stage::Rest = picker.stage {
            self.moves.truncate(picker.start);
        }
    }

    fn make_moves(&mut self, picker: &Picker) {
        let own = self.position.to_move();
        let last = self.position.stones().recent(0).map(|(point, _)| point);
        let counter = self.history.counter(own, last);
        let map = self.position.map();
        for point in useful_moves(&self.position, picker.duty) {
            let is_idle =
                picker.duty == Duty::Free && map.code(point, own) == 0 && map.code(point, !own) == 0;
            if picker.first == Some(point) || is_idle && self.position.stones().history().len() > 1 {
                continue;
            }
            let promise =
                self.evaluator.promise(&self.position, point) + self.history.promise(own, point, counter);
            self.moves.push(Scored { point, promise });
        }
    }
}
