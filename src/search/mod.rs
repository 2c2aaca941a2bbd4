//! Which move to play.

mod balance;
pub mod busy;
pub mod clock;
mod deepening;
pub mod history;
pub mod limits;
pub mod margins;
mod node;
pub mod params;
mod picker;
pub mod report;
pub mod root;
pub mod table;
pub mod think;
pub mod threats;
pub mod worker;

pub use limits::{Control, Limits, Request, Task, TimeControl};
pub use report::{Answer, Line, Report};
pub use table::Table;
