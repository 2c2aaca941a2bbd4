//! Patterns: what each empty point offers each colour, kept current as stones come and go.
//!
//! A [`Shape`] is what one line through a point offers, a [`Threat`] what its four lines offer together,
//! and a [`ShapeMap`] holds both for every point. No pattern is written down anywhere: `table` works out
//! the shapes from what the rule says wins. Knows nothing of turns, values or searches.

pub(crate) mod defence;
pub(crate) mod forbidden;
pub(crate) mod map;
pub(crate) mod shape;
pub(crate) mod table;
mod tally;
pub(crate) mod threat;

pub use forbidden::is_forbidden;
pub use map::{ShapeChange, ShapeMap, ShapeObserver};
pub use shape::Shape;
pub use table::{ByCode, CODE_COUNT, Code, Summary, Tables};
pub use tally::is_tracked;
pub use threat::Threat;
