//! Patterns: what each empty point offers each colour, kept current as stones come and go.

pub mod defence;
pub mod forbidden;
pub mod map;
pub mod shape;
pub mod table;
pub mod threat;

pub use forbidden::is_forbidden;
pub use map::{ShapeMap, ShapeObserver, TRACKED};
pub use shape::Shape;
pub use table::{CODE_COUNT, Code, Summary, Tables};
pub use threat::Threat;
