//! Searches one threat space after the other: first for a VCF, which is cheap to find, then for VCTs. The proof comes
//! last.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::budget::{NodeBudget, SolverControl, SolverLimits};
use super::proof::Proof;
use super::proof_builder::{Obstacle, ProofBuilder};
use super::solution::{Solution, SolverProgress, SolverVerdict, ThreatSpace};
use super::vcf::{ANY_LENGTH, VcfResult, VcfSearch};
use super::vct::{VCF_NODES, VctSearch};
use crate::board::Stones;
use crate::position::Position;
use crate::rules::RuleSet;

/// One threat space may take 1/`SHARE` of the remaining time and nodes before the next one gets its turn.
const SHARE: u64 = 3;

/// The table of the VCF search gets 1/`VCF_MEMORY_SHARE` of the memory where VCTs are searched as well.
const VCF_MEMORY_SHARE: usize = 3;

/// How often a search may be repeated because its proof lacked a reply. That is rare, and the search knows the reply
/// from then on.
const ATTEMPTS: usize = 100;

/// Searches a position in which the game is not over, up to the widest threat space asked for. `tell` receives progress
/// reports.
pub(super) fn search<R: RuleSet>(
    stones: &Stones,
    limits: &SolverLimits,
    widest: ThreatSpace,
    control: &SolverControl,
    tell: &mut dyn FnMut(SolverProgress),
) -> Solution {
    let started = Instant::now();
    let vcf_bytes = if widest == ThreatSpace::Vcf { limits.memory } else { limits.memory / VCF_MEMORY_SHARE };
    let search = VctSearch::new(stones.to_move(), limits.memory - vcf_bytes, VcfSearch::new(vcf_bytes));
    let position = Position::<R>::from_stones(stones, &mut ());
    let stages = Stages { position, limits, widest, control, started, search, nodes: 0, exhausted: None };
    stages.run(tell)
}

struct Stages<'a, R: RuleSet> {
    position: Position<R>,
    limits: &'a SolverLimits,
    widest: ThreatSpace,
    control: &'a SolverControl,
    started: Instant,
    search: VctSearch,
    nodes: u64,
    exhausted: Option<ThreatSpace>,
}

impl<'a, R: RuleSet> Stages<'a, R> {
    /// What is left of the limits, divided by `share`.
    fn budget(&self, share: u64) -> NodeBudget<'a> {
        let nodes = self.limits.nodes.unwrap_or(u64::MAX);
        let nodes = (nodes - self.nodes.min(nodes)) / share;
        // No clock reaches the end of the longest times.
        let deadline = self.limits.time.and_then(|time| {
            let left = time.saturating_sub(self.started.elapsed());
            Instant::now().checked_add(left / share as u32)
        });
        NodeBudget::new(nodes, deadline, &self.control.stop).shown_in(&self.control.nodes)
    }

    fn run(mut self, tell: &mut dyn FnMut(SolverProgress)) -> Solution {
        let mut space = ThreatSpace::Vcf;
        let is_won = loop {
            let share = if space == self.widest { 1 } else { SHARE };
            let mut budget = self.budget(share);
            let found = match space {
                ThreatSpace::Vcf => self.find_vcf(&mut budget, tell),
                ThreatSpace::OpenThrees | ThreatSpace::Vct => self.find_vct(space, &mut budget, tell),
            };
            self.nodes += budget.nodes();
            self.control.nodes.store(self.nodes, Ordering::Relaxed);
            if found == Some(false) {
                self.exhausted = Some(space);
            }
            if found == Some(true) {
                break true;
            }
            space = match space {
                _ if space == self.widest => break false,
                ThreatSpace::Vcf => ThreatSpace::OpenThrees,
                ThreatSpace::OpenThrees | ThreatSpace::Vct => ThreatSpace::Vct,
            };
        };
        let (nodes, time) = (self.nodes, self.started.elapsed());
        let proof = if is_won { self.prove(space) } else { None };
        let verdict = match (proof, self.exhausted) {
            (Some(proof), _) => SolverVerdict::Win(Box::new(proof)),
            (None, Some(exhausted)) if exhausted == self.widest => SolverVerdict::NoWin(exhausted),
            (None, _) => SolverVerdict::Unknown,
        };
        let deepest = self.search.deepest();
        Solution { verdict, space, exhausted: self.exhausted, nodes, time, deepest }
    }

    /// Whether there is a VCF; `None` if the search was cut short.
    fn find_vcf(&mut self, budget: &mut NodeBudget, tell: &mut dyn FnMut(SolverProgress)) -> Option<bool> {
        let (space, started) = (ThreatSpace::Vcf, self.started);
        let mut tell_length = |fours: u32, budget: &NodeBudget| {
            // Each four is answered, and a five follows.
            let depth = 2 * fours as usize + 1;
            tell(SolverProgress {
                space,
                nodes: budget.nodes(),
                depth,
                numbers: None,
                elapsed: started.elapsed(),
            });
        };
        let vcf = &mut self.search.vcf;
        match vcf.shortest_with_progress(&mut self.position, ANY_LENGTH, u64::MAX, budget, &mut tell_length) {
            VcfResult::Win(..) => Some(true),
            VcfResult::NoWin => Some(false),
            VcfResult::TooLong | VcfResult::GaveUp => None,
        }
    }

    /// Whether there is a VCT in this space; `None` if the search was cut short.
    fn find_vct(
        &mut self,
        space: ThreatSpace,
        budget: &mut NodeBudget,
        tell: &mut dyn FnMut(SolverProgress),
    ) -> Option<bool> {
        self.search.set_space(space);
        let (before, started) = (self.nodes, self.started);
        let numbers = self.search.solve(&mut self.position, budget, &mut |numbers, budget, depth| {
            let (nodes, elapsed) = (before + budget.nodes(), started.elapsed());
            tell(SolverProgress { space, nodes, depth, numbers: Some(numbers), elapsed });
        });
        match numbers {
            _ if numbers.is_proven() => Some(true),
            _ if numbers.is_disproven() && self.search.is_complete() => Some(false),
            _ => None,
        }
    }

    /// Writes the proof down; `None` if the limits are reached first, or if the search leaves out replies again and
    /// again.
    fn prove(&mut self, space: ThreatSpace) -> Option<Proof> {
        for _ in 0..ATTEMPTS {
            let mut budget = self.budget(1);
            let vcf_nodes = if space == ThreatSpace::Vcf { u64::MAX } else { VCF_NODES };
            let added_before = self.search.added_replies();
            let mut builder = ProofBuilder::new(&mut self.search, vcf_nodes);
            let root = builder.attack(&mut self.position, &mut budget);
            let nodes = builder.into_nodes();
            self.nodes += budget.nodes();
            match root {
                Ok(root) => {
                    return Some(Proof {
                        rule: R::RULE,
                        stones: self.position.stones().clone(),
                        root,
                        nodes,
                    });
                }
                Err(Obstacle::Spent) => return None,
                // A search that knows no more replies than before would end as it did before.
                Err(Obstacle::Reply) if self.search.added_replies() == added_before => return None,
                Err(Obstacle::Reply) => {
                    // The search must be repeated with the reply that it had left out.
                    let mut budget = self.budget(1);
                    let numbers = self.search.solve(&mut self.position, &mut budget, &mut |_, _, _| {});
                    self.nodes += budget.nodes();
                    if !numbers.is_proven() {
                        return None;
                    }
                }
            }
        }
        None
    }
}
