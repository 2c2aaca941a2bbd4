//! Which move to play: an [alpha-beta](https://www.chessprogramming.org/Alpha-Beta) search with [iterative
//! deepening](https://www.chessprogramming.org/Iterative_Deepening).
//!
//! A [`Request`] comes in, reports of [`SearchProgress`] and an [`Answer`] go out, and a [`Control`] lets the caller
//! stop the search. The search prints nothing and knows no variant of the game by name.
//!
//! From the outside in: `think` answers what needs no search. `deepening` searches one ply deeper each time.
//! `root_split` distributes the root moves among the workers of a `team`. A `worker` holds all that one thread needs,
//! and the searches are its methods: `node` searches one position in the tree, where `candidates` hands out the moves
//! that `picker` orders, and `selectivity` says which of them are pruned or reduced. Below the last ply `quiescence`
//! looks for a `vcf`, and `threats` settles what threats alone decide. Tunable numbers are in `params`; how far from a
//! stone a move may lie is said in [`position`](crate::position).

mod balance;
mod candidates;
pub(crate) mod clock;
mod control;
mod correction;
mod deepening;
mod deferral;
pub(crate) mod history;
mod limits;
mod margins;
mod node;
#[cfg(feature = "tunable")]
mod param_overrides;
pub(crate) mod params;
#[cfg(feature = "tunable")]
pub(crate) mod params_by_name;
mod picker;
mod progress;
mod quiescence;
mod request;
mod root_search;
mod root_split;
mod scored_move;
mod selectivity;
mod spent_points;
mod table;
mod table_memory;
mod team;
pub(crate) mod think;
pub(crate) mod threats;
mod vcf;
mod worker;

pub use control::Control;
pub use limits::{Limits, TimeControl};
#[cfg(feature = "tools")]
pub(crate) use picker::useful_moves;
pub use progress::{Answer, Line, SearchProgress};
pub use request::{Request, Task, Threads};
pub(crate) use table::Table;
