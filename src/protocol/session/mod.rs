//! One game and its settings: everything in the protocol except searches.
//!
//! It knows no text and does no I/O. A method either carries out its command or returns a [`SessionError`] and changes
//! nothing.

mod error;
mod limits;
mod remark;
mod settings;
mod state;

pub use error::SessionError;
pub use remark::Remark;
pub use settings::{Detail, Setting};
pub use state::Session;
