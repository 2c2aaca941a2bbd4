//! VCF, victory by continuous fours: each own move makes a four or five, so the opponent usually has a single answer,
//! and the line ends with a five or with a threat that no answer stops. Players read such lines far deeper than
//! anything else ([an introduction](https://tsumedojo.com/en/column/gomoku-renju-vcf)), and so does this search.
//!
//! This is the quick search that alpha-beta runs at its leaves and before it begins. It gives up early and keeps its
//! results in the transposition table. The complete search, which can prove that there is no VCF, is part of the
//! solver.

use super::params::{Depth, MAX_DEPTH, PLY, QUIESCENCE_VCF_FOURS, VCF_NEAR, VCF_NEAR_ON_LINE};
use super::table::{Bound, Entry, MAX_EXHAUSTED_VCF};
use super::threats::{ForcedWin, sure_win};
use super::worker::{Interrupted, Worker};
use crate::board::{Color, Direction, Point, zobrist};
use crate::eval::Evaluator;
use crate::eval::score;
use crate::rules::RuleSet;
use crate::shapes::defence::stops_five;
use crate::shapes::{ShapeMap, Threat};

/// How far a search for a VCF may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct VcfLimits {
    /// Most own fours in a row.
    fours: u8,
    /// The worker's node count at which the search gives up.
    nodes: u64,
    /// Whether each four must lie near the previous one, if there is one. That is quick, but misses some wins.
    local: bool,
    /// The threat that the previous four was, if there is one.
    previous: Option<Threat>,
}

impl VcfLimits {
    /// Every four is tried, wherever it lies, except those of renju that look like fouls
    /// ([`hidden_fours`](crate::shapes::defence::hidden_fours)).
    pub(super) fn full(fours: u8, nodes: u64) -> VcfLimits {
        VcfLimits { fours, nodes, local: false, previous: None }
    }

    /// The line may begin with any four of those that a full search tries, and each further four lies near the last.
    pub(super) fn local(fours: u8, nodes: u64) -> VcfLimits {
        VcfLimits { fours, nodes, local: true, previous: None }
    }
}

// A quiescence search may begin with any four, while the searches inside it stay near the last four and have fewer
// fours left. The table must store the number of fours exactly, so that the failure of an inner search never stops a
// quiescence search.
const _: () = assert!(QUIESCENCE_VCF_FOURS <= MAX_EXHAUSTED_VCF);

/// XORed into the keys of full searches, which know more than local ones about the same position.
const FULL_SEARCH_KEY: u64 = zobrist::extra(1 << 30);

/// Whether stones at these two points can belong to the same attack, because they are near each other or on one line.
fn is_local(a: Point, b: Point) -> bool {
    let distance = a.distance(b);
    distance <= VCF_NEAR || distance <= VCF_NEAR_ON_LINE && Direction::between(a, b).is_some()
}

/// Whether a single five is all that a VCF could go on with. The stone that stops it then leaves nothing, because a
/// stone of the opponent turns no point into a four or a double three, unless the point was forbidden before.
fn offers_nothing_beside_a_five<R: RuleSet>(map: &ShapeMap<R>, own: Color) -> bool {
    const OTHERS: [Threat; 5] =
        [Threat::DoubleThree, Threat::Four, Threat::FourPlus, Threat::FourThree, Threat::OpenFour];
    map.count(own, Threat::Five) == 1 && OTHERS.iter().all(|&threat| map.count(own, threat) == 0)
}

impl<R: RuleSet, E: Evaluator<R>> Worker<'_, R, E> {
    /// A VCF of the side to move within the limits, up to the point where [`sure_win`] sees the rest.
    pub(super) fn find_vcf(&mut self, limits: VcfLimits) -> Result<Option<ForcedWin>, Interrupted> {
        if let Some(win) = sure_win(&mut self.position) {
            return Ok(Some(win));
        }
        self.search_vcf(limits)
    }

    /// Like [`Worker::find_vcf`], where [`sure_win`] has already found nothing.
    pub(super) fn search_vcf(&mut self, limits: VcfLimits) -> Result<Option<ForcedWin>, Interrupted> {
        let own = self.position.to_move();
        if limits.fours == 0 || !self.position.map().has_four(own) || self.at_last_ply() {
            return Ok(None);
        }
        // A local search that found nothing says nothing about a full one.
        let key = if limits.local { self.key() } else { self.key() ^ FULL_SEARCH_KEY };
        if let Some(entry) = self.shared.table.probe(key, self.ply) {
            if entry.exhausted_vcf >= limits.fours {
                return Ok(None);
            }
            if matches!(entry.bound, Bound::Lower | Bound::Exact)
                && score::is_win(entry.score)
                && let Some(point) = entry.point
            {
                let plies = (score::WIN - entry.score) as usize - self.ply;
                return Ok(Some(ForcedWin { point, plies }));
            }
        }
        let must_block = self.position.map().points(!own, Threat::Five).first();
        let must_stay_near = limits.local && limits.previous.is_some();
        let previous_four =
            self.position.stones().recent(1).filter(|_| must_stay_near).map(|(point, _)| point);
        for threat in [Threat::FourThree, Threat::FourPlus, Threat::Four] {
            // Two plain fours in a row lead nowhere.
            let leads_nowhere =
                limits.local && threat == Threat::Four && limits.previous == Some(Threat::Four);
            if leads_nowhere || self.position.map().count(own, threat) == 0 {
                continue;
            }
            for point in *self.position.map().points(own, threat) {
                if must_block.is_some_and(|block| block != point)
                    || previous_four.is_some_and(|previous| !is_local(previous, point))
                {
                    continue;
                }
                if let Some(plies) = self.win_after_four(point, threat, limits)? {
                    let win = ForcedWin { point, plies };
                    self.remember_win(key, win);
                    return Ok(Some(win));
                }
                self.poll()?;
                // A full search with more nodes may still find a VCF. A local one that ran out of nodes counts as
                // failed, or every visit would repeat it.
                if self.nodes >= limits.nodes && !limits.local {
                    return Ok(None);
                }
            }
        }
        let exhausted_vcf = limits.fours.min(MAX_EXHAUSTED_VCF);
        self.shared.table.store(key, self.ply, Entry { exhausted_vcf, ..Entry::default() });
        Ok(None)
    }

    /// Plies of the win that begins with this four, if every way to stop it loses.
    fn win_after_four(
        &mut self,
        point: Point,
        threat: Threat,
        limits: VcfLimits,
    ) -> Result<Option<usize>, Interrupted> {
        if self.nodes >= limits.nodes {
            return Ok(None);
        }
        self.play_unevaluated(point);
        let plies = self.win_against_all_stops(threat, limits);
        self.undo_unevaluated();
        plies
    }

    /// Plies of that win, once the four has been played.
    fn win_against_all_stops(
        &mut self,
        threat: Threat,
        limits: VcfLimits,
    ) -> Result<Option<usize>, Interrupted> {
        let own = !self.position.to_move();
        let map = self.position.map();
        if map.count(!own, Threat::Five) > 0 {
            return Ok(None);
        }
        let mut longest = 3;
        let Some(five) = map.points(own, Threat::Five).first() else { return Ok(None) };
        let ends_here = !R::forbids(own) && offers_nothing_beside_a_five(map, own);
        for stop in stops_five(map, five, own) {
            if !self.position.is_legal(stop) {
                continue;
            }
            if ends_here && stop == five {
                // It is not even played, but counts as a node like the others, because limits are counted in nodes.
                self.nodes += 1;
                return Ok(None);
            }
            self.play_unevaluated(stop);
            let win = self.find_vcf(VcfLimits { fours: limits.fours - 1, previous: Some(threat), ..limits });
            self.undo_unevaluated();
            let Some(win) = win? else { return Ok(None) };
            longest = longest.max(win.plies + 2);
        }
        Ok(Some(longest))
    }

    /// The four with which a full search has proven a VCF here, if the table still has it.
    pub(super) fn proven_four(&self) -> Option<Point> {
        let entry = self.shared.table.probe(self.key() ^ FULL_SEARCH_KEY, self.ply)?;
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
