//! Geometry and stones: where everything is on the board. Contains no rules.
//!
//! Coordinates are columns `x` from the left and rows `y` from the top, both from 0; in text a point is a
//! letter for the column and the row counted from 1 (`h8` is 7,7). Boards of all sizes share one array of
//! cells, the strip, with wall cells around the board, so a [`Point`] means the same place on each.
//! [`Stones`] records which stones are on the board.

pub(crate) mod color;
pub(crate) mod line;
pub(crate) mod point;
pub(crate) mod pointset;
pub(crate) mod stones;
pub(crate) mod zobrist;

pub use color::{ByColor, Color};
pub use line::{Direction, Symmetry};
pub use point::{Coordinates, MAX_SIDE, MIN_SIDE, POINT_COUNT, ParsePointError, ParseSizeError, Point, Size};
pub use pointset::PointSet;
pub use stones::{Cell, Stones};
