//! Which move to play.
//!
//! A [`Request`] comes in, [`Report`]s and an [`Answer`] go out; a [`Control`] stops it from outside.
//! Prints nothing and knows no variant by name. From top to bottom: `think` answers what needs no search,
//! `deepening` searches one ply deeper each time, `root` shares the first moves out among workers, `node`
//! is one position in the tree, `picker` orders its moves, `threats` settles what threats alone decide.
//! Every tunable number stands in [`params`], every formula over them in [`margins`].

mod balance;
mod candidates;
pub mod clock;
mod deepening;
mod deferral;

pub mod history;
pub mod limits;
pub mod margins;
mod node;
#[cfg(feature = "tunable")]
mod overrides;
mod pages;
pub mod params;
mod picker;
mod quiescence;
pub mod report;
mod root_search;
pub mod root_split;
mod scored_move;
mod selectivity;
mod spent;
pub mod table;
pub mod think;
pub mod threats;
#[cfg(feature = "tunable")]
pub mod tuning;
mod vcf;
mod worker;

pub use limits::{Control, Limits, Request, Task, TimeControl};
pub use picker::useful_moves;
pub use report::{Answer, Line, Report};
pub use table::Table;
