//! Wins by an unbroken sequence of fours, each of which leaves the opponent one answer.

use super::params::{Depth, LEAF_FOURS, MAX_DEPTH, PLY};
use super::table::{Bound, Entry, MAX_EXHAUSTED_FOURS};
use super::threats::{ForcedWin, is_lost, sure_win};
use super::worker::Worker;
use crate::board::{Point, zobrist};
use crate::eval::Evaluator;
use crate::eval::score::{self, Score};
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence::stops_five;

/// How far a search for a win by fours may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoursLimits {
    /// Own fours in a row.
    fours: u8,
    /// The worker's node count at which it gives up.
    nodes: u64,
    /// Whether each four must follow from the one before, if there is one: quick, but not complete.
    local: bool,
    /// What the four before was, if there is one.
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

// Otherwise what the searches below a leaf's have exhausted would stop another leaf's, whose first four is free.
const _: () = assert!(LEAF_FOURS <= MAX_EXHAUSTED_FOURS);

/// Added to the keys of full searches for fours.
const FULL_SEARCH: u64 = zobrist::extra(1 << 30);

/// Whether a stone at one of these points can belong to the same attack as one at the other: in the square
/// of two around it, or on a line with it within four.
fn is_local(a: Point, b: Point) -> bool {
    let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
    let distance = dx.max(dy);
    distance <= 2 || distance <= 4 && (dx == 0 || dy == 0 || dx == dy)
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
            if entry.exhausted_fours >= limits.fours {
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
        let follows = limits.local && limits.before.is_some();
        let last = self.position.stones().recent(1).map(|(point, _)| point).filter(|_| follows);
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
        self.play_unevaluated(point);
        let mut longest = Some(3);
        let map = self.position.map();
        if map.count(!own, Threat::Five) > 0 {
            longest = None;
        } else if let Some(five) = map.points(own, Threat::Five).first() {
            for stop in stops_five(map, five, own) {
                if !self.position.is_legal(stop) {
                    continue;
                }
                self.play_unevaluated(stop);
                let next = FoursLimits { fours: limits.fours - 1, before: Some(threat), ..limits };
                let win = self.win_by_fours(next);
                self.undo_unevaluated();
                longest = longest.zip(win).map(|(longest, win)| longest.max(win.plies + 2));
                if longest.is_none() {
                    break;
                }
            }
        }
        self.undo_unevaluated();
        longest
    }

    /// The four with which a full search has proven a win here, as long as the table remembers.
    pub(super) fn proven_four(&self) -> Option<Point> {
        let entry = self.shared.table.probe(self.key() ^ FULL_SEARCH, self.ply)?;
        entry.point.filter(|_| score::is_win(entry.score))
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
