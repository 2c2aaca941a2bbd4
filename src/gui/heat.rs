//! How the static evaluation rates each move, without any search.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::messages::{Rejection, at};
use super::position::PositionMessage;
use crate::board::{Point, Stones};
use crate::eval::score::{DRAW, win_probability};
use crate::eval::{Evaluator, NnueEval};
use crate::position::Position;
use crate::rules::judge::Verdict;
use crate::rules::{RuleSet, with_rule};
use crate::search::threats::{ForcedReply, forced_reply, sure_win};

/// The question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeatQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    position: PositionMessage,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct Heat {
    /// Points near stones, each with the win rate of the side to move after playing there, 0 to 1.
    points: Vec<(i64, i64, f64)>,
}

impl HeatQuestion {
    /// Evaluates every legal move near the stones; none once the game is over.
    pub fn answer(&self) -> Result<Heat, Rejection> {
        let game = self.position.game()?;
        if game.verdict() != Verdict::Ongoing {
            return Ok(Heat { points: Vec::new() });
        }
        Ok(Heat { points: with_rule!(game.rule(), R => evaluate::<R>(game.stones())) })
    }
}

/// Every legal move near the stones with its win rate.
fn evaluate<R: RuleSet>(stones: &Stones) -> Vec<(i64, i64, f64)> {
    let mut evaluator = <NnueEval as Evaluator<R>>::new(stones.size());
    let position = Position::<R>::from_stones(stones, &mut evaluator);
    let mut board = Board { position, evaluator };
    let mut points = Vec::new();
    for point in board.position.candidates().iter() {
        if board.position.is_legal(point) {
            let (x, y) = at(point);
            points.push((x, y, board.win_rate_of(point)));
        }
    }
    points
}

/// A position with its evaluator.
struct Board<R: RuleSet> {
    position: Position<R>,
    evaluator: NnueEval,
}

impl<R: RuleSet> Board<R> {
    /// The win rate of the side to move after this move.
    fn win_rate_of(&mut self, point: Point) -> f64 {
        if self.position.wins_at(point) {
            return 1.0;
        }
        self.play(point);
        let win_rate = 1.0 - self.settled_win_rate();
        self.undo();
        win_rate
    }

    /// The win rate of the side to move. The evaluation is made for positions without fours. Positions that threats
    /// alone decide are therefore settled first, and a four is answered before the evaluation is called.
    fn settled_win_rate(&mut self) -> f64 {
        if self.position.stones().is_full() {
            return win_probability(DRAW);
        }
        if sure_win(&mut self.position).is_some() {
            return 1.0;
        }
        let ForcedReply::StopFive(stop) = forced_reply(&mut self.position) else { return self.win_rate() };
        if !self.position.is_legal(stop) {
            return 0.0;
        }
        self.play(stop);
        let is_lost = sure_win(&mut self.position).is_some();
        let win_rate = if is_lost { 0.0 } else { 1.0 - self.win_rate() };
        self.undo();
        win_rate
    }

    /// The static evaluation for the side to move, as a win rate.
    fn win_rate(&mut self) -> f64 {
        win_probability(Evaluator::<R>::evaluate(&mut self.evaluator, &self.position))
    }

    fn play(&mut self, point: Point) {
        Evaluator::<R>::play(&mut self.evaluator, &mut self.position, point);
    }

    fn undo(&mut self) {
        self.position.undo();
        Evaluator::<R>::pop(&mut self.evaluator);
    }
}
