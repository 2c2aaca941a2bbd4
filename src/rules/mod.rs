//! What wins and what is forbidden.
//!
//! Each variant is a type that implements [`RuleSet`], in a file of its own, and a value of [`Rule`], for
//! code that learns the variant only at run time. [`with_rule!`] leads from the value to the type.
//! [`mod@judge`] is a slow and simple judge of finished moves, against which fast code is tested.
//! [`opening_rule`] and [`renju_openings`] define how a game of renju may begin.

pub(crate) mod caro;
pub(crate) mod fallback;
pub(crate) mod freestyle;
pub mod judge;
pub mod opening_rule;
pub(crate) mod renju;
pub mod renju_openings;
pub(crate) mod rule;
pub(crate) mod ruleset;
mod spelling;
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
