//! The state that persists from move to move, and the single entry point to the search.
//!
//! [`Engine`] owns the transposition table, the history heuristic and the threads; nothing else clears them. It
//! answers a [`Question`] with an [`Answer`](crate::search::Answer), and it makes the
//! decisions of balanced openings ([`opening`]). It knows neither text nor a manager.

mod background;
mod core;
mod guard;
mod legal;
pub mod opening;
mod question;

#[cfg(test)]
pub(crate) use self::core::Means;
pub use self::core::{DEFAULT_MEMORY, Engine, MAX_THREADS, MEMORY_RESERVE};
pub use background::SearchHandle;
pub(crate) use background::THINKING_STACK;
pub(crate) use guard::guarded;
pub(crate) use legal::legal_moves;
pub use question::Question;
