//! What wins and what is forbidden.
//!
//! A variant is a type that answers the questions of [`RuleSet`], in a file of its own, and a row in
//! [`Rule`], the list of variants for those who learn only at run time what is played.
//! [`with_rule!`](crate::with_rule) leads from the one to the other. [`mod@reference`] judges finished
//! moves slowly and plainly; fast code is held against it.

pub mod caro;
pub mod fallback;
pub mod freestyle;
pub mod reference;
pub mod renju;
pub mod rule;
pub mod ruleset;
pub mod standard;
mod with_rule;

pub use caro::{Caro, ExactCaro};
pub use freestyle::Freestyle;
pub use renju::Renju;
pub use rule::{Rule, UnknownRule};
pub use ruleset::{RuleSet, Winning};
pub use standard::Standard;
