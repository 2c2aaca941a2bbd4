//! The search for a VCT, a [victory by continuous threats](https://rarepike.com/five/threat-sequences): each move of
//! the attacker threatens a VCF, so the opponent has to stop it or make fours of its own.
//!
//! It is a [depth-first proof-number search](https://minimax.dev/docs/ultimate/pn-search/dfpn/) (df-pn, Nagai 2002): it
//! descends to the child with the least work left, within thresholds, and keeps proof and disproof numbers in a
//! transposition table of fixed size. Stones are only ever added, so there are no cycles, and an entry of the table
//! holds however its position was reached.
//!
//! Whether a move is a threat is decided exactly: would there be a VCF if the opponent passed? The replies to it are
//! all moves after which that VCF no longer wins; the candidates include all fours of the opponent.

use std::collections::HashMap;

use super::budget::NodeBudget;
use super::proof_numbers::{Child, INFINITE, ProofNumbers, choose, of_and_node, of_or_node};
use super::solution::ThreatSpace;
use super::vcf::{ANY_LENGTH, VcfResult, VcfSearch};
use super::vcf_line::VcfLine;
use super::vct_table::VctTable;
use crate::board::{Cell, Color, Direction, Point, PointSet};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::defence::stops_five;
use crate::shapes::{Shape, Threat};

/// The node limit of each VCF search within the VCT search. If one is given up, wins may be missed, and
/// [`VctSearch::is_complete`] says so.
pub(super) const VCF_NODES: u64 = 20_000;

/// Initial proof numbers of unsearched moves: a four, an open three, another threat.
const FIRST_FOUR: u32 = 1;
const FIRST_THREE: u32 = 2;
const FIRST_OTHER: u32 = 5;

/// The thresholds of the first iteration.
const FIRST_LIMIT: u32 = 16;

/// The result of expanding a node.
enum Expansion {
    Settled(bool),
    Open(Vec<Child>),
}

/// The search for one attacker.
#[derive(Debug)]
pub(super) struct VctSearch {
    table: VctTable,
    pub vcf: VcfSearch,
    attacker: Color,
    /// Never [`ThreatSpace::Vcf`], for which a [`VcfSearch`] is enough.
    space: ThreatSpace,
    /// By position, replies that a proof was found to need beyond those derived from the VCF lines.
    more_replies: HashMap<u64, Vec<Point>>,
    is_complete: bool,
    deepest: usize,
}

impl VctSearch {
    /// A search whose table takes at most `bytes` bytes; `vcf` has a table of its own.
    pub fn new(attacker: Color, bytes: usize, vcf: VcfSearch) -> VctSearch {
        VctSearch {
            table: VctTable::new(bytes),
            vcf,
            attacker,
            space: ThreatSpace::OpenThrees,
            more_replies: HashMap::new(),
            is_complete: true,
            deepest: 0,
        }
    }

    /// Sets the threat space, which must be wider than [`ThreatSpace::Vcf`], and clears the table.
    pub fn set_space(&mut self, space: ThreatSpace) {
        debug_assert!(space > ThreatSpace::Vcf);
        self.space = space;
        self.is_complete = true;
        self.table.forget();
    }

    /// Whether every VCF search within this search ran to its end. Only then does a disproof mean that there is no win
    /// in this threat space.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Plies of the longest line searched.
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// Searches until the position is proven or disproven, or the budget is spent. After each iteration, `tell`
    /// receives the numbers of the position and the depth that the search has reached.
    pub fn solve<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        budget: &mut NodeBudget,
        tell: &mut dyn FnMut(ProofNumbers, &NodeBudget, usize),
    ) -> ProofNumbers {
        let mut limit = FIRST_LIMIT;
        loop {
            let numbers = self.search(position, ProofNumbers { proof: limit, disproof: limit }, 0, budget);
            if numbers.is_proven() || numbers.is_disproven() || budget.is_spent() {
                return numbers;
            }
            tell(numbers, budget, self.deepest);
            limit = (limit.max(numbers.proof.max(numbers.disproof)) * 5 / 4).min(INFINITE);
        }
    }

    /// The attacker's winning move in a proven position, if the table still holds it.
    pub fn winning_move<R: RuleSet>(&self, position: &Position<R>) -> Option<Point> {
        self.table.get(position.hash()).filter(|entry| entry.numbers.is_proven())?.point
    }

    /// Whether the table knows that the attacker wins.
    pub fn is_known_won<R: RuleSet>(&self, position: &Position<R>) -> bool {
        self.table.get(position.hash()).is_some_and(|entry| entry.numbers.is_proven())
    }

    /// Makes the search consider a reply in this position that it left out and that a proof needs.
    pub fn add_reply<R: RuleSet>(&mut self, position: &Position<R>, reply: Point) {
        self.more_replies.entry(position.hash()).or_default().push(reply);
        // Any win in the table may depend on the missing reply.
        self.table.forget();
    }

    /// How many replies were added.
    pub fn added_replies(&self) -> usize {
        self.more_replies.values().map(Vec::len).sum()
    }

    /// Searches one node until one of its numbers reaches its threshold.
    fn search<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        limit: ProofNumbers,
        ply: usize,
        budget: &mut NodeBudget,
    ) -> ProofNumbers {
        self.deepest = self.deepest.max(ply);
        let key = position.hash();
        let is_attack = position.to_move() == self.attacker;
        let start = budget.nodes();
        if !budget.spend() {
            return ProofNumbers::UNKNOWN;
        }
        let expansion =
            if is_attack { self.attacks(position, budget) } else { self.defences(position, budget) };
        // If the budget ran out during the expansion, its result may be wrong.
        if budget.is_spent() {
            return ProofNumbers::UNKNOWN;
        }
        let mut children = match expansion {
            Expansion::Settled(is_won) => {
                let numbers = ProofNumbers::settled(is_won);
                self.table.store(key, numbers, budget.nodes() - start, None);
                return numbers;
            }
            Expansion::Open(children) => children,
        };
        for child in &mut children {
            if let Some(entry) = self.table.get(child.key) {
                child.numbers = entry.numbers;
            }
        }
        loop {
            let numbers = if is_attack { of_or_node(&children) } else { of_and_node(&children) };
            let is_settled = numbers.is_proven() || numbers.is_disproven();
            if is_settled || numbers.proof >= limit.proof || numbers.disproof >= limit.disproof {
                let best = children.iter().find(|child| is_attack && child.numbers.is_proven());
                self.table.store(key, numbers, budget.nodes() - start, best.map(|child| child.point));
                return numbers;
            }
            let (at, next) = choose(&children, limit, is_attack);
            position.play(children[at].point, &mut ());
            let numbers = self.search(position, next, ply + 1, budget);
            position.undo();
            if budget.is_spent() {
                return ProofNumbers::UNKNOWN;
            }
            children[at].numbers = numbers;
        }
    }

    /// The attacker's moves in an OR node.
    fn attacks<R: RuleSet>(&mut self, position: &mut Position<R>, budget: &mut NodeBudget) -> Expansion {
        let (own, other) = (position.to_move(), !position.to_move());
        match self.vcf.shortest(position, ANY_LENGTH, VCF_NODES, budget) {
            VcfResult::Win(..) => return Expansion::Settled(true),
            VcfResult::GaveUp => self.is_complete = false,
            VcfResult::NoWin | VcfResult::TooLong => {}
        }
        let map = position.map();
        let fives = *map.points(other, Threat::Five);
        if !fives.is_empty() {
            if fives.len() > 1 && !R::winning(other).five_needs_open_end {
                return Expansion::Settled(false);
            }
            let stops = fives.first().map(|five| stops_five(map, five, other)).unwrap_or_default();
            let moves: Vec<(Point, u32)> = stops.into_iter().map(|stop| (stop, FIRST_FOUR)).collect();
            return self.children(position, &moves);
        }
        let mut moves: Vec<(Point, u32)> = Vec::new();
        let mut is_taken = PointSet::EMPTY;
        let mut add = |point: Point, first: u32| {
            if !is_taken.contains(point) {
                is_taken.insert(point);
                moves.push((point, first));
            }
        };
        map.fours(own).iter().for_each(|point| add(point, FIRST_FOUR));
        for threat in [Threat::DoubleThree, Threat::OpenThreePlus, Threat::OpenThree] {
            map.points(own, threat).iter().for_each(|point| add(point, FIRST_THREE));
        }
        let makes = |point: Point, is: fn(Shape) -> bool| {
            Direction::ALL.into_iter().any(|direction| is(map.shape(point, direction, own)))
        };
        if R::forbids(own) {
            // Such a point may be legal after all, and make a four or an open three.
            for point in map.points(own, Threat::LooksForbidden).iter() {
                if makes(point, Shape::is_four) {
                    add(point, FIRST_FOUR);
                } else if makes(point, Shape::is_open_three) {
                    add(point, FIRST_THREE);
                }
            }
        }
        if self.space == ThreatSpace::Vct {
            for point in position.empty_points() {
                if makes(point, |shape| shape >= Shape::Two) {
                    add(point, FIRST_OTHER);
                }
            }
        }
        self.children(position, &moves)
    }

    /// The opponent's replies in an AND node.
    fn defences<R: RuleSet>(&mut self, position: &mut Position<R>, budget: &mut NodeBudget) -> Expansion {
        let (own, attacker) = (position.to_move(), self.attacker);
        let map = position.map();
        if map.count(own, Threat::Five) > 0 {
            return Expansion::Settled(false);
        }
        if map.count(attacker, Threat::Five) > 0 {
            let five = map.points(attacker, Threat::Five).first();
            let stops = five.map(|five| stops_five(map, five, attacker)).unwrap_or_default();
            let moves: Vec<(Point, u32)> = stops.into_iter().map(|stop| (stop, 1)).collect();
            return self.children(position, &moves);
        }
        position.pass();
        let line = VcfLine::find(&mut self.vcf, position, VCF_NODES, budget);
        let is_settled =
            line.is_some() || self.vcf.shortest(position, ANY_LENGTH, VCF_NODES, budget) == VcfResult::NoWin;
        let mut stops = PointSet::EMPTY;
        if let Some(line) = &line {
            line.add_stops(position, &mut stops);
        }
        position.pass();
        self.is_complete &= is_settled;
        let Some(line) = line else { return Expansion::Settled(false) };
        // An opponent that has a VCF itself need not answer the threat.
        if matches!(self.vcf.shortest(position, ANY_LENGTH, VCF_NODES, budget), VcfResult::Win(..)) {
            return Expansion::Settled(false);
        }
        let mut replies = stops | position.map().fours(own);
        if R::forbids(own) {
            replies |= *position.map().points(own, Threat::LooksForbidden);
        }
        if let Some(more) = self.more_replies.get(&position.hash()) {
            more.iter().for_each(|&point| replies.insert(point));
        }
        let mut moves = Vec::new();
        for point in replies {
            if position.stones().cell(point) != Cell::Empty || !position.is_legal(point) {
                continue;
            }
            position.play(point, &mut ());
            let still_wins = line.holds(position);
            position.undo();
            if !still_wins {
                moves.push((point, 1));
            }
        }
        self.children(position, &moves)
    }

    fn children<R: RuleSet>(&self, position: &mut Position<R>, moves: &[(Point, u32)]) -> Expansion {
        let mut children = Vec::with_capacity(moves.len());
        for &(point, first) in moves {
            if position.is_legal(point) {
                let numbers = ProofNumbers { proof: first, disproof: 1 };
                children.push(Child { point, key: position.stones().hash_after(point), numbers });
            }
        }
        Expansion::Open(children)
    }
}

#[cfg(test)]
#[path = "vct_tests.rs"]
mod tests;
