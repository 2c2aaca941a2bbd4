//! What wins and what is forbidden.
//!
//! A variant is a type that answers the questions of [`RuleSet`], in a file of its own, and a row in
//! [`Rule`], the list of variants for those who learn only at run time what is played.
//! [`with_rule!`] leads from the one to the other. [`mod@judge`] judges finished
//! moves slowly and plainly; fast code is held against it. How a game of renju may begin stands in
//! [`opening_rule`] and [`renju_openings`].

pub(crate) mod caro;
pub(crate) mod fallback;
pub(crate) mod freestyle;
pub mod judge;
pub mod opening_rule;
pub(crate) mod renju;
pub mod renju_openings;
pub(crate) mod rule;
pub(crate) mod ruleset;
pub(crate) mod standard;
mod with_rule;

pub use caro::{Caro, ExactCaro};
pub use freestyle::Freestyle;
pub use opening_rule::{OpeningError, OpeningRule};
pub use renju::Renju;
pub use rule::{Rule, UnknownRule};
pub use ruleset::{RuleSet, Winning};
pub use standard::Standard;

pub use crate::with_rule;
