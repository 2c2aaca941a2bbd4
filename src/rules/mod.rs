//! What wins and what is forbidden.

pub mod caro;
pub mod freestyle;
pub mod reference;
pub mod renju;
pub mod rule;
pub mod ruleset;
pub mod standard;

pub use caro::{Caro, ExactCaro};
pub use freestyle::Freestyle;
pub use renju::Renju;
pub use rule::{Rule, UnknownRule};
pub use ruleset::{RuleSet, Winning};
pub use standard::Standard;
