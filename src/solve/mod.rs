//! Proving wins: what can be forced, shown so that it can be checked.
//!
//! [`exact`] solves small games of k in a row completely: a reference to learn from and to test against.

pub mod exact;
