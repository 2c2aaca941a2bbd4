//! How good a position is.

pub mod classical;
pub mod evaluator;
pub mod score;

pub use classical::Classical;
pub use evaluator::Evaluator;
pub use score::Score;
