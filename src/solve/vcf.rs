//! The search for a VCF, a [victory by continuous fours](https://rarepike.com/five/threat-sequences): each move of the
//! attacker is a four or five, so the opponent has one answer, seldom more. The search is complete: if it says that
//! there is no VCF, there is none.
//!
//! It is iterative deepening by fours: the shortest VCF is looked for first, one four longer each time. A transposition
//! table of fixed size stores up to how many fours each position was refuted. Positions are identified by their 64-bit
//! hash; [`check()`](super::check()) would reject a proof that is wrong because of a hash collision.

use super::budget::NodeBudget;
use super::vcf_table::{VcfKnowledge, VcfTable};
use crate::board::{Color, Point, PointSet};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence;

/// More fours than a board has room for.
pub(super) const ANY_LENGTH: u32 = 250;

/// The result of a VCF search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VcfResult {
    /// The side to move wins with this many fours before the five and no fewer, beginning with this move.
    Win(u32, Point),
    /// There is no VCF, however long.
    NoWin,
    /// There is none within the allowed number of fours.
    TooLong,
    /// The search was cut short.
    GaveUp,
}

/// A search for VCFs, with a table of what earlier searches found.
#[derive(Debug)]
pub(crate) struct VcfSearch {
    table: VcfTable,
    /// The node count of the budget at which the current search gives up.
    until: u64,
}

impl VcfSearch {
    /// A search whose table takes at most `bytes` bytes.
    #[must_use]
    pub(crate) fn new(bytes: usize) -> VcfSearch {
        VcfSearch { table: VcfTable::new(bytes), until: u64::MAX }
    }

    /// Whether a search of `nodes` nodes finds a VCF of the side to move with at most `most` fours.
    #[cfg(any(test, feature = "tools"))]
    #[must_use]
    pub(crate) fn has_vcf<R: RuleSet>(&mut self, position: &mut Position<R>, most: u32, nodes: u64) -> bool {
        let never = std::sync::atomic::AtomicBool::new(false);
        let mut budget = NodeBudget::new(nodes, None, &never);
        matches!(self.shortest(position, most, nodes, &mut budget), VcfResult::Win(..))
    }

    /// The shortest VCF of the side to move, of at most `most` fours. Gives up after `nodes` nodes, or when the
    /// budget is spent.
    pub(super) fn shortest<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        most: u32,
        nodes: u64,
        budget: &mut NodeBudget,
    ) -> VcfResult {
        self.shortest_with_progress(position, most, nodes, budget, &mut |_, _| {})
    }

    /// The same; before each iteration, `tell` receives how many fours it allows.
    pub(super) fn shortest_with_progress<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        most: u32,
        nodes: u64,
        budget: &mut NodeBudget,
        tell: &mut dyn FnMut(u32, &NodeBudget),
    ) -> VcfResult {
        let effort = nodes.max(1).ilog2();
        match self.table.get(position.hash()) {
            VcfKnowledge::GaveUp(before) if before >= effort => return VcfResult::GaveUp,
            VcfKnowledge::NoWin => return VcfResult::NoWin,
            _ => {}
        }
        self.until = budget.nodes().saturating_add(nodes);
        for fours in 0..=most {
            tell(fours, budget);
            match self.attack(position, fours, budget) {
                VcfResult::TooLong => {}
                VcfResult::GaveUp => {
                    // Where the whole budget is spent, nothing was learned about this position.
                    if !budget.is_spent() {
                        self.table.store(position.hash(), VcfKnowledge::GaveUp(effort));
                    }
                    return VcfResult::GaveUp;
                }
                found => return found,
            }
        }
        VcfResult::TooLong
    }

    /// One node with the attacker to move: looks for a VCF with at most `left` fours before the five.
    fn attack<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        left: u32,
        budget: &mut NodeBudget,
    ) -> VcfResult {
        let (own, other) = (position.to_move(), !position.to_move());
        let map = position.map();
        if let Some(five) = first(map.points(own, Threat::Five), map.count(own, Threat::Five)) {
            return VcfResult::Win(0, five);
        }
        let fives = map.count(other, Threat::Five);
        let needs_open_end = R::winning(other).five_needs_open_end;
        let has_hidden = R::forbids(own) && map.count(own, Threat::LooksForbidden) > 0;
        if fives > 1 && !needs_open_end || !map.has_four(own) && !has_hidden {
            return VcfResult::NoWin;
        }
        if left == 0 {
            return VcfResult::TooLong;
        }
        let key = position.hash();
        match self.table.get(key) {
            VcfKnowledge::Win(fours, point) if fours <= left => return VcfResult::Win(fours, point),
            VcfKnowledge::NoWin => return VcfResult::NoWin,
            VcfKnowledge::Refuted(fours) if fours >= left => return VcfResult::TooLong,
            _ => {}
        }
        if !budget.spend() || budget.nodes() > self.until {
            return VcfResult::GaveUp;
        }
        // Where the opponent threatens five, the four itself must stop it.
        let must_block =
            (fives > 0 && !needs_open_end).then(|| first(map.points(other, Threat::Five), fives)).flatten();
        let mut result = VcfResult::NoWin;
        for threat in
            [Threat::OpenFour, Threat::FourThree, Threat::FourPlus, Threat::Four, Threat::LooksForbidden]
        {
            let points = match threat {
                Threat::LooksForbidden if !has_hidden => continue,
                Threat::LooksForbidden => legal_hidden_fours(position, own),
                _ if position.map().count(own, threat) == 0 => continue,
                _ => *position.map().points(own, threat),
            };
            for point in points {
                if must_block.is_some_and(|block| block != point) {
                    continue;
                }
                match self.after_four(position, point, left, budget) {
                    VcfResult::NoWin => {}
                    VcfResult::TooLong => result = VcfResult::TooLong,
                    VcfResult::GaveUp => return VcfResult::GaveUp,
                    VcfResult::Win(fours, _) => {
                        self.table.store(key, VcfKnowledge::Win(fours, point));
                        return VcfResult::Win(fours, point);
                    }
                }
            }
        }
        let known =
            if result == VcfResult::NoWin { VcfKnowledge::NoWin } else { VcfKnowledge::Refuted(left) };
        self.table.store(key, known);
        result
    }

    /// Plays a four and returns the result: a win if every way to stop it loses.
    fn after_four<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        point: Point,
        left: u32,
        budget: &mut NodeBudget,
    ) -> VcfResult {
        let own = position.to_move();
        position.play(point, &mut ());
        let result = self.answers(position, point, own, left, budget);
        position.undo();
        result
    }

    /// One node with the opponent to move: tries every legal way to stop a four.
    fn answers<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        four: Point,
        own: Color,
        left: u32,
        budget: &mut NodeBudget,
    ) -> VcfResult {
        let map = position.map();
        let fives = map.count(own, Threat::Five);
        if map.count(!own, Threat::Five) > 0 {
            return VcfResult::NoWin;
        }
        let Some(five) = first(map.points(own, Threat::Five), fives) else { return VcfResult::NoWin };
        // One stone cannot be on both points of an open four.
        if fives > 1 && !R::winning(own).five_needs_open_end {
            return VcfResult::Win(1, four);
        }
        let mut longest = 1;
        let answered = position.after_each_stop(five, |position, _| {
            match self.attack(position, left - 1, budget) {
                VcfResult::Win(fours, _) => longest = longest.max(fours + 1),
                other => return Err(other),
            }
            Ok(())
        });
        answered.err().unwrap_or(VcfResult::Win(longest, four))
    }
}

/// The first point of a set of `count` points; an empty set is not scanned.
#[inline]
fn first(points: &PointSet, count: usize) -> Option<Point> {
    if count == 0 { None } else { points.first() }
}

/// The fours hidden among points that look forbidden and are not: a single four beside threes that are not real.
fn legal_hidden_fours<R: RuleSet>(position: &mut Position<R>, own: Color) -> PointSet {
    let looks_so = defence::hidden_fours(position.map(), own);
    looks_so.iter().filter(|&point| !position.is_forbidden(point)).collect()
}

#[cfg(test)]
#[path = "vcf_tests.rs"]
mod tests;
