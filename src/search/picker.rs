//! Which moves a node looks at, and in which order.

use std::cmp::Reverse;

use super::scored_move::ScoredMove;
use super::spent_points::is_spent;
use super::threats::{ForcedReply, forced_reply};
use super::worker::Worker;
use crate::board::{MAX_SIDE, Point, PointSet};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence::{hidden_fours, stops_five, stops_four_three, stops_open_four};

/// The moves of one node: first the table's, then the rest by their move-ordering score. The rest are generated only
/// when they are first asked for, since the table's move is often enough. They are kept in the worker's frame of the
/// ply, where the next node at this ply overwrites them, so a ply must have no more than one picker at a time.
pub(super) struct Picker {
    reply: ForcedReply,
    table_move: Option<Point>,
    stage: Stage,
    /// The last move of the rest that was picked.
    last: ScoredMove,
}

/// Capacity of a list of moves: enough for all points, and padding.
const MOVE_LIST_CAPACITY: usize = (MAX_SIDE * MAX_SIDE).next_multiple_of(ScoredMove::LANES);

enum Stage {
    TableMove,
    Generate,
    Rest,
    End,
}

impl Picker {
    pub(super) fn new(reply: ForcedReply, table_move: Option<Point>) -> Picker {
        Picker { reply, table_move, stage: Stage::TableMove, last: ScoredMove::BEST }
    }

    /// Leaves out all moves that are still to come.
    pub(super) fn end(&mut self) {
        self.stage = Stage::End;
    }
}

/// The moves that the side to move has to choose from, some of them perhaps forbidden. Against fives and open fours the
/// list is exact: every other move loses. With [`ForcedReply::Free`] it holds all moves near enough to a stone to be
/// worth a look.
#[must_use]
pub(crate) fn useful_moves<R: RuleSet>(position: &Position<R>, reply: ForcedReply) -> PointSet {
    let (map, own, other) = (position.map(), position.to_move(), !position.to_move());
    let own_fours = || map.fours(own) | hidden_fours(map, own);
    match reply {
        ForcedReply::StopFive(five) => stops_five(map, five, other).into_iter().collect(),
        ForcedReply::StopOpenFour => {
            let threats = map.points(other, Threat::OpenFour);
            let stops_all = |stop: &Point| {
                threats.iter().all(|p| p == *stop || map.threat_with(p, other, *stop, own) < Threat::OpenFour)
            };
            let first = threats.first().map(|point| stops_open_four(map, point, other)).unwrap_or_default();
            first.into_iter().filter(stops_all).fold(own_fours(), |mut all, stop| {
                all.insert(stop);
                all
            })
        }
        ForcedReply::StopFourThree(point) => {
            (stops_four_three(map, point, other) | own_fours()) & position.empty_points()
        }
        ForcedReply::Free => position.candidates(),
    }
}

impl<R: RuleSet, E: Evaluator<R>> Worker<'_, R, E> {
    /// The next move, legal or not, or `None` after the last.
    pub(super) fn pick(&mut self, picker: &mut Picker) -> Option<Point> {
        if let Stage::TableMove = picker.stage {
            picker.stage = Stage::Generate;
            let table_move = picker.table_move.filter(|&point| self.position.stones().is_empty_at(point));
            if table_move.is_some() {
                return table_move;
            }
        }
        if let Stage::Generate = picker.stage {
            picker.stage = Stage::Rest;
            self.generate_moves(picker);
        }
        if let Stage::End = picker.stage {
            return None;
        }
        picker.last = picker.last.next(&self.frames[self.ply].moves);
        picker.last.point()
    }

    /// Whether one of these points is among the moves that are still to come.
    pub(super) fn still_has_any_of(&self, picker: &Picker, points: &PointSet) -> bool {
        let moves = &self.frames[self.ply].moves;
        let is_one = |scored: &ScoredMove| scored.point().is_some_and(|point| points.contains(point));
        !points.is_empty() && moves.iter().any(|scored| *scored < picker.last && is_one(scored))
    }

    fn generate_moves(&mut self, picker: &Picker) {
        let own = self.position.to_move();
        let last = self.position.stones().recent(0).map(|(point, _)| point);
        let counter = self.shared.history.counter(own, last);
        let history = self.shared.history.ordering_scores(own, counter);
        let likely = self.evaluator.ordering_scores(&self.position);
        let map = self.position.map();
        let moves = &mut self.frames[self.ply].moves;
        moves.clear();
        moves.reserve(MOVE_LIST_CAPACITY);
        for point in useful_moves(&self.position, picker.reply) {
            let is_idle = picker.reply == ForcedReply::Free && is_spent(map, point);
            if picker.table_move == Some(point) || is_idle {
                continue;
            }
            moves.push(ScoredMove::new(point, likely(point) + history(point)));
        }
        ScoredMove::pad(moves);
    }
}

/// The moves that may be played now, best first by their move-ordering score. Never empty unless the board is full: if
/// all points are blocked or forbidden, blocked points may be played, and if nothing else is left, forbidden ones.
pub(super) fn root_moves<R: RuleSet, E: Evaluator<R>>(
    worker: &mut Worker<'_, R, E>,
    blocked: &PointSet,
) -> Vec<Point> {
    let position = &mut worker.position;
    let empty = position.empty_points();
    let open = empty & !*blocked;
    let reply = forced_reply(position);
    // If no forced reply can be played, that is no reason to give up: every point near a stone is tried instead.
    let fives = *position.map().points(position.to_move(), Threat::Five);
    let mut sets = vec![open & fives, open & useful_moves(position, reply)];
    if reply != ForcedReply::Free {
        sets.push(open & position.candidates());
    }
    sets.extend([open, empty]);
    let legal = sets.into_iter().find_map(|set| {
        let moves: Vec<Point> = set.iter().filter(|&point| position.is_legal(point)).collect();
        (!moves.is_empty()).then_some(moves)
    });
    let mut moves = legal.unwrap_or_else(|| empty.iter().collect());
    {
        let likely = worker.evaluator.ordering_scores(&worker.position);
        moves.sort_by_cached_key(|&point| Reverse(likely(point)));
    }
    if let ForcedReply::StopFive(_) = reply {
        // Under caro a stone may stop one of several fives, or all. Without time for a search the first move is played.
        moves.sort_by_cached_key(|&point| leaves_five(&mut worker.position, point));
    }
    moves
}

/// Whether the opponent can make five after this move.
fn leaves_five<R: RuleSet>(position: &mut Position<R>, point: Point) -> bool {
    let other = !position.to_move();
    position.play(point, &mut ());
    let leaves = position.map().count(other, Threat::Five) > 0;
    position.undo();
    leaves
}
