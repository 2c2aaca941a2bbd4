//! Counts and sets of the points that offer each of the threats that a search asks for.

use super::table::Summary;
use super::threat::Threat;
use crate::board::{ByColor, Color, Point, PointSet};
use crate::rules::RuleSet;

/// What a point offered both colours and what it offers now. In each value, Black's summary is in the low half and
/// White's in the high half.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreatChange {
    pub point: Point,
    pub before: u32,
    pub now: u32,
}

impl ThreatChange {
    /// Whether a tracked threat is involved.
    #[inline(always)]
    pub(super) fn matters<R: RuleSet>(self) -> bool {
        let forbids = R::forbids(Color::Black) || R::forbids(Color::White);
        tracks_any(u64::from(self.before) | u64::from(self.now) << 32, forbids)
    }
}

/// A bit for each threat whose points are counted and kept as sets. These are the threats that a search asks for,
/// and they are rare enough that the bookkeeping costs little.
const TRACKED: u16 = {
    let mut bits = 1 << Threat::LooksForbidden.index();
    let mut index = Threat::OpenThree.index();
    while index < Threat::COUNT {
        bits |= 1 << index;
        index += 1;
    }
    bits
};

/// Whether the points that offer this threat are counted and kept as a set.
#[must_use]
#[inline]
pub const fn is_tracked(threat: Threat) -> bool {
    tracks(threat.index())
}

/// As [`is_tracked`], by [`Summary::threat_index`].
#[inline]
const fn tracks(threat_index: usize) -> bool {
    TRACKED >> threat_index & 1 != 0
}

/// Whether any of four summaries, of sixteen bits each, has a tracked threat. Tests all four at once, because this
/// is done for every point that changes. Unless `forbids` is set, no summary has [`Threat::LooksForbidden`].
#[inline(always)]
const fn tracks_any(summaries: u64, forbids: bool) -> bool {
    // The top four bits of a summary are the threat's index. Adding 2 to it sets the top bit for open threes and
    // greater threats, and for no others.
    let mut marks = summaries + 0x2000_2000_2000_2000;
    if forbids {
        // Index 1 is that of forbidden points.
        marks |= summaries << 3 & !(summaries << 2) & !(summaries << 1) & !summaries;
    }
    marks & 0x8000_8000_8000_8000 != 0
}

const _: () = {
    let mut index = 0;
    while index < Threat::COUNT {
        let mut lane = 0;
        while lane < 4 {
            // The code in the low bits makes no difference.
            let summary = ((index as u64) << 12 | 0x0fff) << (16 * lane);
            assert!(tracks_any(summary, true) == tracks(index));
            assert!(index == Threat::LooksForbidden.index() || tracks_any(summary, false) == tracks(index));
            lane += 1;
        }
        index += 1;
    }
};

/// For each colour and each tracked threat, the points that offer it.
#[derive(Clone)]
pub(super) struct ThreatTally {
    /// Indexed by [`Summary::threat_index`]. Untracked threats are counted too whenever a change involves a tracked
    /// one, since that is quicker than a test, so their counts are meaningless.
    counts: ByColor<[u16; Summary::THREATS]>,
    sets: ByColor<[PointSet; Summary::THREATS]>,
    log: Vec<ThreatChange>,
}

impl ThreatTally {
    pub(super) fn new() -> ThreatTally {
        ThreatTally {
            counts: ByColor::default(),
            sets: ByColor([[PointSet::EMPTY; Summary::THREATS]; 2]),
            log: Vec::with_capacity(crate::board::POINT_COUNT),
        }
    }

    /// Enters changes that [matter](ThreatChange::matters).
    #[inline]
    pub(super) fn enter(&mut self, changes: &[ThreatChange]) {
        self.log.extend_from_slice(changes);
        for &ThreatChange { point, before, now } in changes {
            self.retally(point, before, now);
        }
    }

    /// Moves a point from the threats that it offered to those that it offers now, for both colours. Free of
    /// branches, because which of the threats have changed is unpredictable.
    #[inline(always)]
    fn retally(&mut self, point: Point, from: u32, to: u32) {
        for color in Color::ALL {
            let [from, to] = [from, to].map(|both| Summary::of(color, both).threat_index());
            let (counts, sets) = (&mut self.counts[color], &mut self.sets[color]);
            counts[from] = counts[from].wrapping_sub(1);
            counts[to] = counts[to].wrapping_add(1);
            sets[from].remove(point);
            sets[to].insert(point);
        }
    }

    /// How many changes have been entered and not taken back.
    #[inline]
    pub(super) fn log_len(&self) -> u32 {
        self.log.len() as u32
    }

    /// Takes changes back until `left` of them remain.
    #[inline]
    pub(super) fn undo_to(&mut self, left: u32) {
        while self.log.len() > left as usize {
            if let Some(ThreatChange { point, before, now }) = self.log.pop() {
                self.retally(point, now, before);
            }
        }
    }

    /// Clears the log: the changes entered so far will not be taken back.
    pub(super) fn forget(&mut self) {
        self.log.clear();
    }

    /// How many points offer `color` exactly this tracked threat.
    #[inline]
    pub(super) fn count(&self, color: Color, threat: Threat) -> usize {
        debug_assert!(is_tracked(threat), "{threat:?} is not counted");
        self.counts[color][threat.index()].into()
    }

    /// Whether some point offers `color` a four or better.
    #[inline]
    pub(super) fn has_four(&self, color: Color) -> bool {
        let counts = &self.counts[color];
        counts[Threat::Four.index()..].iter().fold(0, |all, count| all | count) != 0
    }

    /// The points that offer `color` exactly this tracked threat.
    #[inline]
    pub(super) fn points(&self, color: Color, threat: Threat) -> &PointSet {
        debug_assert!(is_tracked(threat), "{threat:?} has no set");
        &self.sets[color][threat.index()]
    }

    /// The points that offer `color` this tracked threat or a greater one.
    pub(super) fn points_from(&self, color: Color, threat: Threat) -> PointSet {
        let (from, counts) = (threat.index(), &self.counts[color]);
        debug_assert!(from >= Threat::OpenThree.index(), "{threat:?} has no set");
        // Most of the sets are empty.
        (from..Threat::COUNT)
            .filter(|&index| counts[index] != 0)
            .fold(PointSet::EMPTY, |all, index| all | self.sets[color][index])
    }

    /// Whether both have the same counts and sets of the tracked threats.
    pub(super) fn agrees_with(&self, other: &ThreatTally) -> bool {
        Color::ALL.into_iter().all(|color| {
            (0..Threat::COUNT).filter(|&index| tracks(index)).all(|index| {
                self.counts[color][index] == other.counts[color][index]
                    && self.sets[color][index] == other.sets[color][index]
            })
        })
    }
}
