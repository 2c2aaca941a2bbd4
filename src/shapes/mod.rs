//! Patterns: what each empty point offers each colour, kept current as stones come and go.
//!
//! A [`Shape`] is what one line through a point offers, a [`Threat`] what its four lines offer together,
//! and a [`ShapeMap`] holds both for every point. No pattern is written down anywhere: [`table`] works out
//! the shapes from what the rule says wins. Knows nothing of turns, values or searches.

pub mod defence;
pub mod forbidden;
pub mod map;
pub mod shape;
pub mod table;
pub mod threat;

pub use forbidden::is_forbidden;
pub use map::{ShapeMap, ShapeObserver, is_tracked};
pub use shape::Shape;
pub use table::{ByCode, CODE_COUNT, Code, Summary, Tables};
pub use threat::Threat;
