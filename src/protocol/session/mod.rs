//! One game and its settings: everything that a manager says and that is no search.
//!
//! It knows no text and does no I/O. A method either carries its command out or returns a [`SessionError`] and changes
//! nothing.

mod error;
mod limits;
mod settings;
mod state;

pub use error::SessionError;
pub use settings::{Detail, Setting};
pub use state::Session;
