//! Proving wins: what can be forced, shown so that it can be checked.
//!
//! [`solver`] is the door: a position in, a [`Proof`] out, or what was exhausted without a win. Behind it
//! [`fours`] searches all sequences of fours, [`threats`] all of fours and threes, and `build` writes down
//! what they found. [`check`](mod@check) tries a proof out move by move and knows nothing of all these, only the
//! reference judge. [`exact`] solves small games of k in a row completely: a reference to learn from and to test
//! against.

pub mod budget;
mod build;
pub mod check;
pub mod exact;
pub mod fours;
mod line;
pub mod proof;
pub mod solver;
pub mod threats;

pub use check::{Checked, Flaw, FlawKind, check};
pub use proof::{Node, NodeId, Proof, ProofError};
pub use solver::{News, NothingToSolve, Settings, Solution, Stage, Verdict, solve};

#[cfg(test)]
mod tests;
