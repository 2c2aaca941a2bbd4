//! The engine's ranking of the best moves of a position. This part of growing a book needs no library, so other
//! machines can do it.

use super::key::PositionKey;
use crate::board::Point;
use crate::engine::Engine;
use crate::eval::score::Score;
use crate::search::{Control, Limits, Request, Task};

/// A move and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move, in the image that the key of the position shows.
    pub point: Point,
    /// Its score for the side that makes it, and the depth of the search in plies; `None` for the only sensible move,
    /// for which nothing was searched.
    pub worth: Option<(Score, u32)>,
}

/// The best moves of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// Nodes that were searched, at least 1.
    pub nodes: u64,
    /// The moves, best first.
    pub moves: Vec<RankedMove>,
}

impl Ranking {
    /// Lets the engine rank `lines` moves of a position with `nodes` nodes; `None` if it was stopped.
    #[must_use]
    pub fn search(
        engine: &mut Engine,
        key: &PositionKey,
        nodes: u64,
        lines: usize,
        control: &Control,
    ) -> Option<Ranking> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = Request { task: Task::Best { lines }, ..Request::best(limits) };
        let answer = engine.think(key.rule(), &key.position(), &request, control, &|_| {});
        if control.is_stopped() {
            return None;
        }
        let mut moves: Vec<RankedMove> = answer
            .lines
            .iter()
            .map(|line| RankedMove { point: line.points[0], worth: Some((line.score, line.depth)) })
            .collect();
        if moves.is_empty() {
            moves.extend(answer.moves.iter().map(|&point| RankedMove { point, worth: None }));
        }
        Some(Ranking { nodes: answer.nodes.max(1), moves })
    }
}
