//! How good a position is.
//!
//! [`Evaluator`] is what a search needs of any evaluation. [`HandCraftedEval`] adds up weights of what every
//! empty point offers each side. [`NnueEval`], with which the engine plays, corrects it by a small network.
//! Both count in integers only, so that every machine comes to the same number. A [`Score`] is a number of
//! points from the view of the side to move, or a win or a loss in so many plies.

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
