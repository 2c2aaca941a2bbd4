//! Static evaluation: how good a position is.
//!
//! [`Evaluator`] is the interface that the search requires of an evaluation. [`HandCraftedEval`] adds up a weight for
//! what each empty point offers each side. [`NnueEval`], which the engine plays with, corrects that sum with a small
//! network. Both use integer arithmetic only, so every machine computes the same number. A [`Score`] is either a number
//! of points from the side to move's point of view, or a forced win or loss in a given number of plies.

mod assessment;
pub(crate) mod evaluator;
pub mod hand_crafted;
pub mod nnue;
pub mod score;

pub use assessment::{Assessment, ThreatCounts, assess};
pub use evaluator::Evaluator;
pub use hand_crafted::HandCraftedEval;
pub use nnue::NnueEval;
pub use score::Score;
