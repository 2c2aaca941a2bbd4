//! The door to the search: a position in, a proof or what was exhausted out.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::budget::Budget;
use super::build::{Builder, Obstacle};
use super::fours::{ALL_FOURS, Fours, FoursSearch};
use super::proof::Proof;
use super::threats::{FOURS_NODES, Space, ThreatSearch};
use crate::board::{Cell, Point, Stones};
use crate::position::Position;
use crate::rules::{RuleSet, reference};

/// What may be spent on a position.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Only wins by fours are looked for.
    pub fours_only: bool,
    /// Time; `None` is no limit.
    pub time: Option<Duration>,
    /// Positions.
    pub nodes: u64,
    /// Bytes of the tables. The proof comes on top: some 100 bytes a node.
    pub memory: usize,
}

impl Default for Settings {
    /// No limit but the memory that tournaments allow.
    fn default() -> Settings {
        Settings { fours_only: false, time: None, nodes: u64::MAX, memory: 320 << 20 }
    }
}

/// What is searched, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Moves that are fours.
    Fours,
    /// Fours and open threes.
    OpenThrees,
    /// Fours and all moves in line with an own stone that threaten to win by fours.
    AnyThreat,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Fours => "fours",
            Stage::OpenThrees => "fours and open threes",
            Stage::AnyThreat => "fours and threes",
        })
    }
}

/// How a running search stands.
#[derive(Clone, Copy, Debug)]
pub struct News {
    /// What is being searched.
    pub stage: Stage,
    /// Positions so far.
    pub nodes: u64,
    /// Open positions that must be won, at least, to prove the win; 0 before it is known.
    pub proof: u32,
    /// Open positions that must be lost, at least, to refute it.
    pub disproof: u32,
    /// Plies of the longest line looked at.
    pub deepest: usize,
}

/// What was found out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The side to move wins by force.
    Win(Box<Proof>),
    /// There is no win in this stage or those before it.
    NoWin(Stage),
    /// The limits were reached first.
    NotFound,
}

/// The answer to a position.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Win or not.
    pub verdict: Verdict,
    /// The stage in which the search ended.
    pub stage: Stage,
    /// The last stage that was exhausted without a win.
    pub exhausted: Option<Stage>,
    /// Positions searched until the win was found; the writing of the proof is not counted.
    pub nodes: u64,
    /// Time until the win was found.
    pub time: Duration,
    /// Plies of the longest line looked at, by fours and threes.
    pub deepest: usize,
}

/// Why a position makes no sense to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NothingToSolve {
    /// There is a winning line already, through this point.
    Decided(Point),
    /// No cell is empty.
    Full,
}

impl fmt::Display for NothingToSolve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NothingToSolve::Decided(point) => {
                write!(f, "the game is over: there is a winning line through {point}")
            }
            NothingToSolve::Full => write!(f, "the board is full"),
        }
    }
}

impl std::error::Error for NothingToSolve {}

/// Looks for a win of the side to move. `stop` ends the search from another thread; `news` hears how it stands.
///
/// # Errors
/// A game that is over.
pub fn solve<R: RuleSet>(
    stones: &Stones,
    settings: &Settings,
    stop: &AtomicBool,
    news: &mut dyn FnMut(News),
) -> Result<Solution, NothingToSolve> {
    for point in stones.size().points() {
        if let Cell::Stone(color) = stones.cell(point)
            && reference::wins_at::<R>(stones, point, color)
        {
            return Err(NothingToSolve::Decided(point));
        }
    }
    if stones.is_full() {
        return Err(NothingToSolve::Full);
    }
    Ok(Solver::<R>::new(stones, settings, stop).run(news))
}

/// The part of the time and of the positions that one stage may take before the next gets its turn.
const SHARE: u64 = 3;

/// The part of the memory that the table of fours gets.
const FOURS_SHARE: usize = 3;

/// How often a search may be done again because its proof lacked a reply. One is seldom lacking, and it is
/// known from then on.
const ATTEMPTS: usize = 100;

struct Solver<'a, R: RuleSet> {
    position: Position<R>,
    settings: &'a Settings,
    stop: &'a AtomicBool,
    started: Instant,
    search: ThreatSearch,
    nodes: u64,
    exhausted: Option<Stage>,
}

impl<'a, R: RuleSet> Solver<'a, R> {
    fn new(stones: &Stones, settings: &'a Settings, stop: &'a AtomicBool) -> Solver<'a, R> {
        let started = Instant::now();
        let fours_bytes = if settings.fours_only { settings.memory } else { settings.memory / FOURS_SHARE };
        let search = ThreatSearch::new(
            stones.to_move(),
            Space::OpenThrees,
            settings.memory - fours_bytes,
            FoursSearch::new(fours_bytes),
        );
        Solver {
            position: Position::from_stones(stones, &mut ()),
            settings,
            stop,
            started,
            search,
            nodes: 0,
            exhausted: None,
        }
    }

    /// What is left, or the part of it that a stage gets.
    fn budget(&self, share: u64) -> Budget<'a> {
        let nodes = (self.settings.nodes - self.nodes.min(self.settings.nodes)) / share;
        let deadline = self.settings.time.map(|time| {
            let left = time.saturating_sub(self.started.elapsed());
            Instant::now() + left / share as u32
        });
        Budget::new(nodes, deadline, self.stop)
    }

    fn run(mut self, news: &mut dyn FnMut(News)) -> Solution {
        let last = if self.settings.fours_only { Stage::Fours } else { Stage::AnyThreat };
        let mut stage = Stage::Fours;
        let is_won = loop {
            let share = if stage == last { 1 } else { SHARE };
            let mut budget = self.budget(share);
            let found = match stage {
                Stage::Fours => self.by_fours(&mut budget, news),
                _ => self.by_threats(stage, &mut budget, news),
            };
            self.nodes += budget.nodes();
            if found == Some(false) {
                self.exhausted = Some(stage);
            }
            if found == Some(true) {
                break true;
            }
            stage = match stage {
                _ if stage == last => break false,
                Stage::Fours => Stage::OpenThrees,
                Stage::OpenThrees | Stage::AnyThreat => Stage::AnyThreat,
            };
        };
        let (nodes, time) = (self.nodes, self.started.elapsed());
        let proof = if is_won { self.proof(stage) } else { None };
        let verdict = match (proof, self.exhausted) {
            (Some(proof), _) => Verdict::Win(Box::new(proof)),
            (None, Some(exhausted)) if exhausted == last => Verdict::NoWin(last),
            (None, _) => Verdict::NotFound,
        };
        let deepest = self.search.deepest();
        Solution { verdict, stage, exhausted: self.exhausted, nodes, time, deepest }
    }

    /// Whether there is a win by fours; `None` if the search was cut short.
    fn by_fours(&mut self, budget: &mut Budget, news: &mut dyn FnMut(News)) -> Option<bool> {
        news(News { stage: Stage::Fours, nodes: 0, proof: 0, disproof: 0, deepest: 0 });
        match self.search.fours.shortest(&mut self.position, ALL_FOURS, u64::MAX, budget) {
            Fours::Win(..) => Some(true),
            Fours::Nothing => Some(false),
            Fours::Beyond | Fours::GivenUp => None,
        }
    }

    fn by_threats(&mut self, stage: Stage, budget: &mut Budget, news: &mut dyn FnMut(News)) -> Option<bool> {
        let space = if stage == Stage::AnyThreat { Space::AnyThreat } else { Space::OpenThrees };
        self.search.set_space(space);
        let before = self.nodes;
        let numbers = self.search.solve(&mut self.position, budget, &mut |numbers, budget, deepest| {
            let (proof, disproof) = (numbers.proof(), numbers.disproof());
            news(News { stage, nodes: before + budget.nodes(), proof, disproof, deepest });
        });
        match numbers {
            _ if numbers.is_won() => Some(true),
            _ if numbers.is_refuted() && self.search.is_complete() => Some(false),
            _ => None,
        }
    }

    /// Writes the proof down; `None` if the limits are reached meanwhile, or the search leaves out replies again
    /// and again.
    fn proof(&mut self, stage: Stage) -> Option<Proof> {
        for _ in 0..ATTEMPTS {
            let mut budget = self.budget(1);
            let fours_nodes = if stage == Stage::Fours { u64::MAX } else { FOURS_NODES };
            let mut builder = Builder::new(&mut self.search, fours_nodes);
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
                Err(Obstacle::Reply) => {
                    // The search must find its way again, with the reply that it had left out.
                    let mut budget = self.budget(1);
                    let numbers = self.search.solve(&mut self.position, &mut budget, &mut |_, _, _| {});
                    self.nodes += budget.nodes();
                    if !numbers.is_won() {
                        return None;
                    }
                }
            }
        }
        None
    }
}
