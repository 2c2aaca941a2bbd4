//! Which move to play.

pub mod limits;
pub mod report;

pub use limits::{Control, Limits, Request, Task, TimeControl};
pub use report::{Answer, Line, Report};
