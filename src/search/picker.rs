//! Which moves a node looks at, in which order.

use wide::i32x8;

use super::threats::{ForcedReply, forced_reply};
use super::worker::Worker;
use crate::board::{Color, Direction, POINT_COUNT, Point, PointSet};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::defence::{stops_five, stops_four_three, stops_open_four};
use crate::shapes::{Shape, ShapeMap, Threat};

/// A move and its score in one number: greater is more promising, and of equals the first in row order is greater.
/// The best of a list is looked for at every step of every node, and bare numbers are compared several at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ranked(i32);

impl Ranked {
    const POINTS: i32 = POINT_COUNT as i32;
    const LIMIT: i32 = i32::MAX / Ranked::POINTS - 1;
    const BEST: Ranked = Ranked(i32::MAX);

    fn new(point: Point, score: i32) -> Ranked {
        let score = score.clamp(-Ranked::LIMIT, Ranked::LIMIT);
        Ranked(score * Ranked::POINTS + (Ranked::POINTS - point.index() as i32))
    }

    fn point(self) -> Option<Point> {
        Point::from_index((Ranked::POINTS - self.0.rem_euclid(Ranked::POINTS)) as usize)
    }

    /// The best that comes after this one; of no use without a point if there is none.
    #[inline]
    fn next(self, all: &[Ranked]) -> Ranked {
        let (last, least) = (i32x8::splat(self.0), i32x8::splat(i32::MIN));
        let (whole, rest) = all.as_chunks::<8>();
        let mut part = [Ranked(i32::MIN); 8];
        part[..rest.len()].copy_from_slice(rest);
        let best = whole.iter().chain([&part]).fold(least, |best, eight| {
            let eight = i32x8::new(eight.map(|ranked| ranked.0));
            best.max(eight.simd_lt(last).select(eight, least))
        });
        Ranked(best.to_array().into_iter().fold(i32::MIN, i32::max))
    }
}

/// The moves of one node: first the table's, then the rest, most promising first. The rest are made when
/// they are first asked for, since the table's move is often enough.
pub(super) struct Picker {
    reply: ForcedReply,
    first: Option<Point>,
    stage: Stage,
    /// Where this node's moves begin in the worker's list.
    start: usize,
    /// The last move picked from there.
    last: Ranked,
}

enum Stage {
    First,
    Make,
    Rest,
}

impl Picker {
    pub(super) fn new(reply: ForcedReply, first: Option<Point>) -> Picker {
        Picker { reply, first, stage: Stage::First, start: 0, last: Ranked::BEST }
    }
}

/// The moves that can answer as the side to move is forced to, some of them perhaps forbidden; exact for fives and open fours: what is
/// left out loses. With [`ForcedReply::Free`] all moves near a stone that are of any use.
#[must_use]
pub fn useful_moves<R: RuleSet>(position: &Position<R>, reply: ForcedReply) -> PointSet {
    let (map, own, other) = (position.map(), position.to_move(), !position.to_move());
    match reply {
        ForcedReply::StopFive(five) => stops_five(map, five, other).into_iter().collect(),
        ForcedReply::StopOpenFour => {
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
        ForcedReply::StopFourThree(point) => {
            (stops_four_three(map, point, other) | map.fours(own)) & position.empty_points()
        }
        ForcedReply::Free => position.candidates(),
    }
}

/// Whether no five fits through this empty point any more, for either colour.
#[inline]
pub(super) fn is_spent<R: RuleSet>(map: &ShapeMap<R>, point: Point) -> bool {
    Color::ALL.into_iter().all(|color| map.code(point, color) == 0 || is_foul_for_good(map, point, color))
}

/// Whether this empty point is forbidden for this colour for as long as it is empty: a row too long for a five goes
/// through it, and no line besides.
#[inline]
pub(super) fn is_foul_for_good<R: RuleSet>(map: &ShapeMap<R>, point: Point, color: Color) -> bool {
    R::forbids(color)
        && map.threat(point, color) == Threat::Forbidden
        && Direction::ALL.into_iter().all(|direction| map.shape(point, direction, color) <= Shape::Overline)
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
            self.make_moves(picker);
        }
        picker.last = picker.last.next(&self.moves[picker.start..]);
        picker.last.point()
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
        for point in useful_moves(&self.position, picker.reply) {
            let is_idle = picker.reply == ForcedReply::Free && is_spent(map, point);
            if picker.first == Some(point) || is_idle && self.position.stones().history().len() > 1 {
                continue;
            }
            let score = self.evaluator.promise(&self.position, point)
                + self.shared.history.ordering_score(own, point, counter);
            self.moves.push(Ranked::new(point, score));
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
    let reply = forced_reply(position);
    // A forced reply that cannot be made is no reason to give up: then every point near is looked at.
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
    moves.sort_by_cached_key(|&point| std::cmp::Reverse(worker.evaluator.promise(&worker.position, point)));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_by_score_and_then_in_row_order() {
        let scores = [0, -7, 3, 3, i32::MAX, 0, i32::MIN, 12, 3, -7, 5_000, 0, -1, 1, 0, 2, -9, 3, 0, 40];
        for len in 0..scores.len() {
            let points = |n| Point::new(n % 15, n / 15);
            let moves: Vec<Ranked> = (0..len).map(|n| Ranked::new(points(n), scores[n])).collect();
            let mut expected: Vec<usize> = (0..len).collect();
            expected.sort_by_key(|&n| (std::cmp::Reverse(scores[n]), n));
            let mut last = Ranked::BEST;
            for n in expected {
                last = last.next(&moves);
                assert_eq!(last.point(), Some(points(n)), "{len} moves");
            }
            assert_eq!(last.next(&moves).point(), None, "{len} moves");
        }
    }
}
