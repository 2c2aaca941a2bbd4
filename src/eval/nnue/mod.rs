//! The evaluation by a small network in the style of [NNUE](https://www.chessprogramming.org/NNUE), an
//! *efficiently updatable* neural network, fitted to self-play.
//!
//! What an empty point offers Black and White (a pair of [`Code`](crate::shapes::Code)s) and what the four lines through
//! it look like, cell by cell (`lines`), is turned into a vector of features, as each colour sees it, by the [feature
//! transformer](weights::FeatureWeights). The features are summed over nine regions of the board in an accumulator, which
//! is kept current move by move: a stone changes the vectors of some thirty points. What is lively in one place is told from
//! the same spread over the board by a layer that looks at one region at a time, a second layer looks at the whole board.
//! The output is added to a share of the [hand-crafted evaluation](super::hand_crafted).
//!
//! ```text
//! codes and lines     -> 2 x 16 features of a point, clipped    transformer
//! features            -> summed by region, 9 x 32              accumulator
//! a region, 32        -> 16, clipped, summed over the regions  network: local layer
//! the board, 32 + 16  -> 16, clipped                           network: board layer
//! 16 + 32 + 16        -> points                                network: output, with skip connections
//! ```
//!
//! The layers are there four times, and how many stones are on the board says which of them are asked (`buckets`).
//!
//! Integers only. Activations pass a clipped ReLU: they are cut to 0 to 1, which stands as 0 to
//! `dims::FEATURE_ONE` in features and as 0 to `dims::HIDDEN_ONE` behind the layers. `dims` holds these numbers,
//! [`weights`] the file that the weights are kept in, [`builtin`] the networks that this build plays with.

mod accumulator;
pub(crate) mod buckets;
pub mod builtin;
pub(crate) mod dims;
mod evaluation;
mod layer;
pub(crate) mod lines;
pub(crate) mod network;
#[cfg(test)]
mod reference;
pub(crate) mod regions;
pub(crate) mod transformer;
pub mod weights;

pub use evaluation::NnueEval;
pub use weights::NnueWeights;
