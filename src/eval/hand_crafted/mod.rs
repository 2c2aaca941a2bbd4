//! The hand-crafted evaluation ([HCE](https://www.chessprogramming.org/Evaluation)): the sum of a weight for what each
//! empty point offers each colour and a weight for who can carry out which threat first.
//!
//! Its terms were chosen by hand; its weights are fitted to games by `tune`. It also provides the [move-ordering
//! score](super::Evaluator::ordering_scores), which the network does not change.

mod evaluation;
pub(crate) mod nearness;
mod nearness_table;
pub(crate) mod threat_flags;
pub mod weights;

pub use evaluation::HandCraftedEval;
