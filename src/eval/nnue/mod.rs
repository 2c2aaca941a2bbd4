//! The evaluation by a small network in the style of [NNUE](https://www.chessprogramming.org/NNUE), an *efficiently
//! updatable* neural network, trained on self-play.
//!
//! The inputs for an empty point are what it offers Black and White (a pair of [`Code`](crate::shapes::Code)s) and the
//! contents of the four lines through it, cell by cell (`lines`). The [feature transformer](weights::FeatureWeights)
//! turns them into a vector of features from each colour's perspective. An accumulator sums the features over nine
//! regions of the board and is updated move by move: a stone changes the vectors of some thirty points. The local layer
//! reads one region at a time, so that activity concentrated in one place can be told from the same amount spread over
//! the board. The board layer reads the whole board. The output is added to a share of the [hand-crafted
//! evaluation](super::hand_crafted).
//!
//! ```text
//! codes and lines     -> 2 x 16 features of a point, clipped    transformer
//! features            -> summed by region, 9 x 32              accumulator
//! a region, 32        -> 16, clipped, summed over the regions  network: local layer
//! the board, 32 + 16  -> 16, clipped                           network: board layer
//! 16 + 32 + 16        -> points                                network: output, with skip connections
//! ```
//!
//! There are four sets of layers; the number of stones on the board selects the one that is used (`buckets`).
//!
//! All arithmetic is in integers. A clipped ReLU clamps activations to the range 0 to 1, which is represented as 0 to
//! `dims::FEATURE_ONE` for features and as 0 to `dims::HIDDEN_ONE` for the outputs of layers. `dims` holds these
//! numbers, [`weights`] the format of the weights file, and [`builtin`] the networks that this build plays with.

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
