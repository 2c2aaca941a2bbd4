//! What lives from move to move, and the one door to the search.
//!
//! [`Engine`] owns the transposition table, the history of moves and the threads; nobody else clears them. It answers
//! a [`Request`](crate::search::Request) with an [`Answer`](crate::search::Answer), and it decides the questions of
//! the openings that make the sides even ([`opening`]). It knows no text and no manager.

mod background;
mod core;
mod guard;
mod legal;
pub mod opening;

#[cfg(test)]
pub(crate) use self::core::Scene;
pub use self::core::{DEFAULT_MEMORY, Engine, MAX_THREADS, MEMORY_RESERVE};
pub use background::Background;
pub(crate) use background::THINKING_STACK;
pub(crate) use guard::guarded;
pub(crate) use legal::legal_moves;
