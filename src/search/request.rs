//! What a search is asked.

use std::time::Instant;

use super::limits::Limits;
use crate::board::PointSet;
use crate::eval::score::Score;

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The best move. Where it needs no search, as for a five or a single move that is left, nothing is searched.
    Best,
    /// The best move with its line, for analysis: like [`Task::Best`], but a single move that is left is searched too.
    Line,
    /// The best moves, best first, each with the line that a search has found for it.
    Rank {
        /// How many different root moves to rank; 0 counts as 1.
        lines: usize,
    },
    /// The single move after which the mover's score is nearest to `bias`.
    BalanceOne {
        /// In points, from the point of view of the side that makes the move. Beyond the range of scores it asks for
        /// the best or the worst move.
        bias: Score,
    },
    /// Two moves, one of each colour, after which the mover's score is nearest to `bias`.
    BalanceTwo {
        /// In points, from the point of view of the side that is to move now and again after the two.
        bias: Score,
    },
}

impl Task {
    /// Finds this many lines, one at least.
    #[must_use]
    pub fn for_lines(lines: usize) -> Task {
        if lines > 1 { Task::Rank { lines } } else { Task::Line }
    }
}

/// How many threads search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// All that the engine has.
    #[default]
    All,
    /// One, however many the engine has: the result is the same each time.
    One,
}

/// What is asked of a search, whatever the position.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is to be found.
    pub task: Task,
    /// When to end.
    pub limits: Limits,
    /// Points that may not be chosen as the root move (unless nothing else is legal).
    pub blocked: PointSet,
    /// How many threads search for it.
    pub threads: Threads,
    /// When the manager's command arrived. The clock runs from here, so a request with a time limit is good for one
    /// search.
    pub started: Instant,
}

impl Request {
    /// Asks for the best move within the limits, whose time begins now.
    #[must_use]
    pub fn best(limits: Limits) -> Request {
        Request {
            task: Task::Best,
            limits,
            blocked: PointSet::EMPTY,
            threads: Threads::All,
            started: Instant::now(),
        }
    }
}
