//! The engine's ranking of the best moves of a position. This part of growing a book needs no library, so other
//! machines can do it.

use super::key::PositionKey;
use crate::board::Point;
use crate::engine::{Engine, Question};
use crate::eval::score::Score;
use crate::search::{Control, Limits, Request, Task};

/// A move and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move, in the image that the key of the position shows.
    pub point: Point,
    /// Its score for the side that makes it, and the depth of the search in plies; `None` in rankings of earlier
    /// versions for the only sensible move, for which nothing was searched.
    pub worth: Option<(Score, u32)>,
}

/// The best moves of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// Nodes that were searched, at least 1.
    pub nodes: u64,
    /// The moves, best first; empty if the nodes were too few to compare any.
    pub moves: Vec<RankedMove>,
}

impl Ranking {
    /// Lets the engine rank `lines` moves of a position with `nodes` nodes, two at least, since the only sensible move
    /// is not searched when one line is asked for; `None` if it was stopped.
    #[must_use]
    pub fn search(
        engine: &mut Engine,
        key: &PositionKey,
        nodes: u64,
        lines: usize,
        control: &Control,
    ) -> Option<Ranking> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = Request { task: Task::for_lines(lines.max(2)), ..Request::best(limits) };
        let answer = engine.think(&Question::new(key.rule(), &key.position(), &request, control));
        if control.is_stopped() {
            return None;
        }
        let ranked = answer
            .lines
            .iter()
            .map(|line| RankedMove { point: line.points[0], worth: Some((line.score, line.depth)) });
        Some(Ranking { nodes: answer.nodes.max(1), moves: ranked.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Size, Stones};
    use crate::rules::Rule;

    fn ranking(stones: &Stones, nodes: u64) -> Ranking {
        let key = PositionKey::of(Rule::Freestyle, stones).unwrap().key;
        let mut engine = Engine::new(1, 64 << 20);
        Ranking::search(&mut engine, &key, nodes, 1, &Control::new()).unwrap()
    }

    #[test]
    fn only_moves_that_were_searched_are_ranked() {
        let mut stones = Stones::new(Size::square(15));
        for (name, color) in [("h8", Color::Black), ("i9", Color::White), ("j8", Color::Black)] {
            stones.place(name.parse().unwrap(), color);
        }
        assert_eq!(ranking(&stones, 1).moves, []);
        // On the empty board only the middle is looked at, and searched all the same.
        for (stones, count) in [(&stones, 2), (&Stones::new(Size::square(15)), 1)] {
            let moves = ranking(stones, 2000).moves;
            assert!(moves.len() == count && moves.iter().all(|ranked| ranked.worth.is_some()), "{moves:?}");
        }
    }
}
