//! The interface between the search and an evaluation.

use super::score::Score;
use crate::board::{Color, Point, Size};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::ShapeObserver;

/// An evaluation that is updated incrementally, move by move.
///
/// Between [`Evaluator::push`] and the matching [`Evaluator::pop`] it is notified of every change of the shapes; `pop`
/// takes all of them back.
pub trait Evaluator<R: RuleSet>: ShapeObserver + Clone + Send + Sync {
    /// The evaluation of an empty board of this size, before it has been notified of any shapes.
    fn new(size: Size) -> Self;

    /// Announces that this stone is about to be placed or, for `None`, that the side to move is about to pass.
    fn push(&mut self, stone: Option<(Point, Color)>);

    /// Places a stone of the side to move in the position and updates the evaluation.
    #[inline]
    fn play(&mut self, position: &mut Position<R>, point: Point)
    where
        Self: Sized,
    {
        self.push(Some((point, position.to_move())));
        position.play(point, self);
    }

    /// Announces that the last stone or pass was taken back.
    fn pop(&mut self);

    /// The static evaluation for the side to move, at most [`MAX_EVAL`](super::score::MAX_EVAL) in either direction. It
    /// may depend on which stone was placed last.
    ///
    /// Takes `&mut self` because the sums it computes are cached for the next call.
    fn evaluate(&mut self, position: &Position<R>) -> Score;

    /// The [move-ordering](https://www.chessprogramming.org/Move_Ordering) scores of the moves of a position: how
    /// likely each move is to be the best one, judged without search. 32 units multiply its odds by e. The search adds
    /// what it has learned from cutoffs, in the same units.
    fn ordering_scores<'p>(&self, position: &'p Position<R>) -> impl Fn(Point) -> i32 + use<'p, Self, R>;
}
