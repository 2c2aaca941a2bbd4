//! Proving wins: what can be forced, shown so that it can be checked.
//!
//! [`check`](mod@check) tries a [`Proof`] out move by move and knows nothing of searches and shapes, only the
//! reference judge. [`exact`] solves small games of k in a row completely: a reference to learn from and to test
//! against.

pub mod check;
pub mod exact;
pub mod proof;

pub use check::{Checked, Flaw, FlawKind, check};
pub use proof::{Node, NodeId, Proof, ProofError};
