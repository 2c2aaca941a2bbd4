//! What the search asks of an evaluation.

use super::score::Score;
use crate::board::{Color, Point, Size};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::ShapeObserver;

/// An evaluation that follows a position move by move.
///
/// It is told of every change of the shapes between [`Evaluator::push`] and the matching
/// [`Evaluator::pop`], which takes all of them back.
pub trait Evaluator<R: RuleSet>: ShapeObserver + Clone + Send + Sync {
    /// An evaluation of a board of this size without stones whose shapes have not been announced yet.
    fn new(size: Size) -> Self;

    /// This stone is about to be placed, or, without one, the side to move is about to pass.
    fn push(&mut self, stone: Option<(Point, Color)>);

    /// Places a stone of the side to move, and follows.
    #[inline]
    fn play(&mut self, position: &mut Position<R>, point: Point)
    where
        Self: Sized,
    {
        self.push(Some((point, position.to_move())));
        position.play(point, self);
    }

    /// The last stone, or pass, was taken back.
    fn pop(&mut self);

    /// How good the position is for the side to move, at most
    /// [`MAX_EVAL`](super::score::MAX_EVAL) in either direction.
    /// `&mut` because what is summed up for it is kept for the next time.
    fn evaluate(&mut self, position: &Position<R>) -> Score;

    /// The [move-ordering](https://www.chessprogramming.org/Move_Ordering) scores of the moves of a position: how likely
    /// each looks to be the best one before anything is searched. 32 units multiply its odds by e; only the order
    /// matters to the search.
    fn ordering_scores<'p>(&self, position: &'p Position<R>) -> impl Fn(Point) -> i32 + use<'p, Self, R>;
}
