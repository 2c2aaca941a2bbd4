//! Proving forced wins, and writing the proofs down so that anyone can check them.
//!
//! Gomoku and Renju have names for two kinds of forced wins ([both explained with
//! examples](https://rarepike.com/five/threat-sequences)). In a *VCF*, a victory by continuous fours, every move of the
//! attacker makes a four or five. In a *VCT*, a victory by continuous threats, every move is a four or threatens a VCF,
//! as an open three does. A [`ThreatSpace`] says which of them to search for. A [`Solver`] takes a position and returns
//! a [`Proof`] of a win, or says what it exhausted without finding one.
//!
//! [`check()`] verifies a proof: it plays every legal reply to every move, and it depends only on the rules, not on the
//! search.
//!
//! ```
//! use kagetsu::solve::check;
//! use kagetsu::{Game, Rule, Size, Solver, SolverLimits, SolverVerdict};
//!
//! // Black has an open three, and is to move.
//! let mut game = Game::new(Rule::Freestyle, Size::square(15));
//! for point in ["h8", "a1", "i8", "o1", "j8", "a15"] {
//!     game.play(point.parse()?)?;
//! }
//!
//! let solver = Solver::new(SolverLimits { nodes: Some(100_000), ..SolverLimits::default() });
//! let solution = solver.solve(game.rule(), game.stones())?;
//! let SolverVerdict::Win(proof) = solution.verdict else { panic!("an open three wins") };
//! assert_eq!(check(&proof)?.plies, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Solver::start`] runs the search in the background, reports its progress and can be stopped. [`mnk`] is for reading
//! rather than for play: it solves small games of k in a row completely, and [`mnk_tree`] shows how.

mod background;
mod budget;
mod check;
pub mod mnk;
pub mod mnk_tree;
mod proof;
mod proof_builder;
mod proof_numbers;
mod solution;
mod solver;
mod stages;
mod table_memory;
mod vcf;
mod vcf_line;
mod vcf_table;
mod vct;
mod vct_table;

pub use background::SolverHandle;
pub use budget::{SolverControl, SolverLimits};
pub use check::{Checked, Flaw, FlawKind, check};
pub use proof::{NodeId, Proof, ProofError, ProofNode};
pub use proof_numbers::ProofNumbers;
pub use solution::{Solution, SolverError, SolverProgress, SolverVerdict, ThreatSpace};
pub use solver::Solver;
#[cfg(feature = "tools")]
pub(crate) use solver::ensure_open;
#[cfg(feature = "tools")]
pub(crate) use vcf::VcfSearch;
