//! Which moves have lost games? An experience file holds positions and the moves in them that were followed by a loss,
//! so that the engine does not lose in the same way twice.
//!
//! | module | question |
//! |---|---|
//! | `learner` | how is a move chosen with the help of remembered losses? |
//! | `forced` | is there a choice at all? |
//! | `watch` | is this game lost, and where did the score fall? |
//! | `lessons` | what is remembered of a position? |
//! | `canonical` | which positions are the same, turned or mirrored? |
//! | `store` | how is it kept in a file that several programs write and that survives a kill? |

mod canonical;
mod forced;
mod learner;
mod lessons;
mod store;
mod watch;

pub use learner::Learner;
pub use store::{DEFAULT_LIMIT, StoreError, ensure_usable};
