//! What is decided without searching quiet moves: positions that counts of threats settle, what a side has
//! to do about the other's threats, and wins by an unbroken sequence of fours.

use super::params::{Depth, MAX_DEPTH, PLY};
use super::table::{Bound, Entry, MAX_EXHAUSTED_FOURS};
use super::worker::Worker;
use crate::board::{Point, zobrist};
use crate::eval::Evaluator;
use crate::eval::score::{self, Score};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence::stops_five;

/// What the side to move has to do, because the opponent would win otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Nothing in particular.
    Free,
    /// The opponent makes five here unless it is stopped now.
    StopFive(Point),
    /// The opponent makes an open four unless it is stopped now or a four is made.
    StopOpenFour,
    /// The opponent makes a four and an open three here.
    StopFourThree(Point),
}

/// What the side to move has to do.
///
/// The position is tried out and restored.
#[must_use]
#[inline]
pub fn duty<R: RuleSet>(position: &mut Position<R>) -> Duty {
    let (map, own, other) = (position.map(), position.to_move(), !position.to_move());
    if let Some(point) = map.points(other, Threat::Five).first() {
        return Duty::StopFive(point);
    }
    if map.count(other, Threat::OpenFour) > 0 {
        return Duty::StopOpenFour;
    }
    if map.count(other, Threat::FourThree) == 0 {
        return Duty::Free;
    }
    // The opponent's block may turn into a four of his own, and a player with forbidden points may find
    // that the open three he counts on is not to be had.
    let is_sure = !R::forbids(other) && !map.has_four(own);
    let points = *map.points(other, Threat::FourThree);
    position.pass();
    let point = points.iter().find(|&point| is_sure || four_three_wins(position, point));
    position.pass();
    point.map_or(Duty::Free, Duty::StopFourThree)
}

/// A win by force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// The move to begin with.
    pub point: Point,
    /// Plies until five stand on the board.
    pub plies: usize,
}

/// How far a search for a win by fours may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoursLimits {
    /// Own fours in a row.
    fours: u8,
    /// The worker's node count at which it gives up.
    nodes: u64,
    /// Whether each four must follow from the one before: quick, but not complete.
    local: bool,
    /// The four before, if there is one.
    before: Option<Threat>,
}

impl FoursLimits {
    /// Every four is tried.
    pub(super) fn full(fours: u8, nodes: u64) -> FoursLimits {
        FoursLimits { fours, nodes, local: false, before: None }
    }

    /// Any four to begin with, then only those near the last.
    pub(super) fn local(fours: u8, nodes: u64) -> FoursLimits {
        FoursLimits { fours, nodes, local: true, before: None }
    }
}

/// Added to the keys of full searches for fours.
const FULL_SEARCH: u64 = zobrist::extra(1 << 30);

/// Whether a stone at one of these points can belong to the same attack as one at the other: in the square
/// of two around it, or on a line with it within four.
fn is_local(a: Point, b: Point) -> bool {
    let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
    let distance = dx.max(dy);
    distance <= 2 || distance <= 4 && (dx == 0 || dy == 0 || dx == dy)
}

/// Plies of the win that counts of threats alone prove for the side to move, and the move to begin with.
///
/// Only sure wins: where a reply of the opponent could turn it, that is played out.
#[must_use]
pub fn sure_win<R: RuleSet>(position: &mut Position<R>) -> Option<ForcedWin> {
    let (own, other) = (position.to_move(), !position.to_move());
    let map = position.map();
    if map.count(own, Threat::Five) > 0 {
        return map.points(own, Threat::Five).first().map(|point| ForcedWin { point, plies: 1 });
    }
    if map.count(other, Threat::Five) > 0 {
        return None;
    }
    if map.count(own, Threat::OpenFour) > 0 {
        return map.points(own, Threat::OpenFour).first().map(|point| ForcedWin { point, plies: 3 });
    }
    let other_has_four = map.has_four(other);
    if map.count(own, Threat::FourThree) > 0 {
        let points = *map.points(own, Threat::FourThree);
        if !other_has_four && !R::forbids(own) {
            return points.first().map(|point| ForcedWin { point, plies: 5 });
        }
        if let Some(point) = points.iter().find(|&point| four_three_wins(position, point)) {
            return Some(ForcedWin { point, plies: 5 });
        }
    }
    let map = position.map();
    if map.count(own, Threat::DoubleThree) > 0 && !other_has_four {
        return map.points(own, Threat::DoubleThree).first().map(|point| ForcedWin { point, plies: 5 });
    }
    None
}

/// Plays the four and every way to stop it: each time an open four must follow, and no five of the opponent
/// come first.
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
fn is_lost<R: RuleSet>(position: &mut Position<R>) -> bool {
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

impl<R: RuleSet, E: Evaluator<R>> Worker<'_, R, E> {
    /// The score of a position that counts of threats settle.
    #[inline]
    pub(super) fn decided(&mut self) -> Option<Score> {
        if let Some(win) = sure_win(&mut self.position) {
            return Some(score::win_in(self.ply + win.plies));
        }
        is_lost(&mut self.position).then(|| score::lost_in(self.ply + 2))
    }

    /// A win of the side to move in which each of its moves is a four, within the limits (and then a win that
    /// [`sure_win`] sees).
    pub(super) fn win_by_fours(&mut self, limits: FoursLimits) -> Option<ForcedWin> {
        if let Some(win) = sure_win(&mut self.position) {
            return Some(win);
        }
        let own = self.position.to_move();
        if limits.fours == 0 || !self.position.map().has_four(own) || self.at_last_ply() {
            return None;
        }
        // What a local search exhausted says nothing about a full one.
        let key = if limits.local { self.key() } else { self.key() ^ FULL_SEARCH };
        if let Some(entry) = self.shared.table.probe(key, self.ply) {
            if entry.exhausted_fours >= limits.fours.min(MAX_EXHAUSTED_FOURS) {
                return None;
            }
            if matches!(entry.bound, Bound::Lower | Bound::Exact)
                && score::is_win(entry.score)
                && let Some(point) = entry.point
            {
                let plies = (score::WIN - entry.score) as usize - self.ply;
                return Some(ForcedWin { point, plies });
            }
        }
        let must_block = self.position.map().points(!own, Threat::Five).first();
        let last = self.position.stones().recent(1).map(|(point, _)| point).filter(|_| limits.local);
        for threat in [Threat::FourThree, Threat::FourPlus, Threat::Four] {
            // Two fours in a row that make nothing else lead nowhere.
            let is_idle = limits.local && threat == Threat::Four && limits.before == Some(Threat::Four);
            if is_idle || self.position.map().count(own, threat) == 0 {
                continue;
            }
            for point in *self.position.map().points(own, threat) {
                if must_block.is_some_and(|block| block != point)
                    || last.is_some_and(|last| !is_local(last, point))
                {
                    continue;
                }
                if let Some(plies) = self.win_after_four(point, threat, limits) {
                    let win = ForcedWin { point, plies };
                    self.remember_win(key, win);
                    return Some(win);
                }
                if self.is_interrupted() || self.nodes >= limits.nodes && !limits.local {
                    return None;
                }
            }
        }
        let exhausted_fours = limits.fours.min(MAX_EXHAUSTED_FOURS);
        self.shared.table.store(key, self.ply, Entry { exhausted_fours, ..Entry::default() });
        None
    }

    /// Plies of the win that begins with this four, if every way to stop it loses.
    fn win_after_four(&mut self, point: Point, threat: Threat, limits: FoursLimits) -> Option<usize> {
        let own = self.position.to_move();
        if self.nodes >= limits.nodes {
            return None;
        }
        self.play(point);
        let mut longest = Some(3);
        let map = self.position.map();
        if map.count(!own, Threat::Five) > 0 {
            longest = None;
        } else if let Some(five) = map.points(own, Threat::Five).first() {
            for stop in stops_five(map, five, own) {
                if !self.position.is_legal(stop) {
                    continue;
                }
                self.play(stop);
                let next = FoursLimits { fours: limits.fours - 1, before: Some(threat), ..limits };
                let win = self.win_by_fours(next);
                self.undo();
                longest = longest.zip(win).map(|(longest, win)| longest.max(win.plies + 2));
                if longest.is_none() {
                    break;
                }
            }
        }
        self.undo();
        longest
    }

    fn remember_win(&mut self, key: u64, win: ForcedWin) {
        let entry = Entry {
            point: Some(win.point),
            score: score::win_in(self.ply + win.plies),
            bound: Bound::Lower,
            // The win is proven at any depth.
            depth: MAX_DEPTH as Depth * PLY,
            ..Entry::default()
        };
        self.shared.table.store(key, self.ply, entry);
    }
}

#[cfg(test)]
mod tests;
