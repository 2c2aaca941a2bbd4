//! What a search tells its caller, as values and not as text.

use std::time::Duration;

use crate::board::Point;
use crate::eval::score::Score;

/// A [principal variation](https://www.chessprogramming.org/Principal_Variation): a sequence of best play that starts
/// with a root move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The moves, of which the first can be played now; never empty.
    pub points: Vec<Point>,
    /// From the view of the side to move at the root. If the search was stopped while the window was widened for this
    /// move, it may be a bound: a lower one if the move had just overtaken the best move of the iteration before, an
    /// upper one if it then turned out worse.
    pub score: Score,
    /// The iteration that found it, in plies. For a five, and for a VCF that was found before any iteration, the plies
    /// of the win.
    pub depth: u32,
    /// The most plies from the root to a [PV node](https://www.chessprogramming.org/Node_Types) while finding it.
    pub selective_depth: u32,
}

/// Progress of a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchProgress {
    /// An iteration begins.
    IterationStarted {
        /// In plies.
        depth: u32,
    },
    /// A root move is being searched.
    MoveStarted(Point),
    /// A root move has been searched.
    MoveFinished {
        /// The move.
        point: Point,
        /// Whether it was found to lose by force.
        lost: bool,
    },
    /// There is a new best root move.
    NewBest(Point),
    /// An iteration, or one of its n best lines, is complete.
    Line {
        /// 0 for the best line, 1 for the second best ...
        rank: usize,
        /// Lines asked for.
        ranks: usize,
        /// The line itself.
        line: Line,
        /// Nodes searched so far by all threads.
        nodes: u64,
        /// Time since the command arrived.
        elapsed: Duration,
    },
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move to play, or two moves for [`Task::BalanceTwo`](super::Task::BalanceTwo). Never empty, and always legal
    /// where a legal move exists.
    pub moves: Vec<Point>,
    /// The lines found, best first; empty if nothing was searched. If a limit ended the search within an iteration, the
    /// first of several lines are from that one and the rest from the one before, each part best first.
    pub lines: Vec<Line>,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the command arrived.
    pub elapsed: Duration,
}
