//! Which moves a node looks at, in which order.

use super::threats::{Duty, duty};
use super::worker::{Scored, Worker};
use crate::board::{Point, PointSet};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence::{stops_five, stops_four_three, stops_open_four};

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
#[must_use]
pub fn useful_moves<R: RuleSet>(position: &Position<R>, duty: Duty) -> PointSet {
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
        let counter = self.shared.history.counter(own, last);
        let map = self.position.map();
        for point in useful_moves(&self.position, picker.duty) {
            let is_idle =
                picker.duty == Duty::Free && map.code(point, own) == 0 && map.code(point, !own) == 0;
            if picker.first == Some(point) || is_idle && self.position.stones().history().len() > 1 {
                continue;
            }
            let promise = self.evaluator.promise(&self.position, point)
                + self.shared.history.promise(own, point, counter);
            self.moves.push(Scored { point, promise });
        }
    }
}

/// The moves that may be played now, most promising first. Never empty unless the board is full: if all
/// points are blocked or forbidden, blocked ones may be played, and if nothing else is left forbidden ones.
pub(super) fn root_moves<R: RuleSet, E: Evaluator<R>>(
    worker: &mut Worker<'_, R, E>,
    blocked: &PointSet,
) -> Vec<Point> {
    let position = &mut worker.position;
    let empty = position.empty_points();
    let open = empty & !*blocked;
    let duty = duty(position);
    // A duty that cannot be fulfilled is no reason to give up: then every point near is looked at.
    let fives = *position.map().points(position.to_move(), Threat::Five);
    let mut sets = vec![open & fives, open & useful_moves(position, duty)];
    if duty != Duty::Free {
        sets.push(open & position.candidates());
    }
    sets.extend([open, empty]);
    let legal = sets.into_iter().find_map(|set| {
        let moves: Vec<Point> = set.iter().filter(|&point| position.is_legal(point)).collect();
        (!moves.is_empty()).then_some(moves)
    });
    let mut moves = legal.unwrap_or_else(|| empty.iter().collect());
    moves.sort_by_cached_key(|&point| std::cmp::Reverse(worker.evaluator.promise(&worker.position, point)));
    moves
}
