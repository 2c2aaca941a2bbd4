//! Patterns: what each empty point offers each colour, updated as stones are placed and taken back.
//!
//! A [`Shape`] is what a stone at a point would make on one line, a [`Threat`] what it would make on all four
//! lines together, and a [`ShapeMap`] holds both for every point. There is no list of patterns: `table`
//! derives the shapes from what wins under the rule. This module knows nothing of turns, evaluation or
//! search.

pub(crate) mod defence;
pub(crate) mod forbidden;
#[cfg(any(test, feature = "tools"))]
pub(crate) mod line_words;
pub(crate) mod map;
pub(crate) mod shape;
pub(crate) mod table;
mod tally;
pub(crate) mod threat;

pub use forbidden::is_forbidden;
pub use map::{ShapeChange, ShapeMap, ShapeObserver};
pub use shape::Shape;
pub use table::{ByCode, CODE_COUNT, Code, Summary, Tables, is_hopeless};
pub use tally::is_tracked;
pub use threat::Threat;
