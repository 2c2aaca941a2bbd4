//! How good a position is.
//!
//! [`Evaluator`] is what a search needs of any evaluation. [`Classical`] is a sum of weights of what every empty
//! point offers each side; [`NetworkEval`], which the engine plays with, corrects it by a small network. Integers
//! only, so that every machine comes to the same number. A [`Score`] is a number of points from the view of the
//! side to move, or a win or a loss in so many plies.

pub mod classical;
pub mod evaluator;
pub mod network;
pub mod score;

pub use classical::Classical;
pub use evaluator::Evaluator;
pub use network::NetworkEval;
pub use score::Score;
