//! Geometry and stones: where things are. Knows no rule.

pub mod color;
pub mod diagram;
pub mod line;
pub mod point;
pub mod pointset;
pub mod stones;
pub mod zobrist;

pub use color::{ByColor, Color};
pub use line::{Direction, Symmetry};
pub use point::{MAX_SIDE, POINT_COUNT, Point, Size};
pub use pointset::PointSet;
pub use stones::{Cell, Stones};
