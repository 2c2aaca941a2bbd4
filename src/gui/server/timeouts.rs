//! How long the server waits for its clients.

use std::time::Duration;

/// Times after which a client or an engine is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timeouts {
    /// For a request to arrive and its answer to be taken, and for a page to take a frame.
    pub with_answers: Duration,
    /// Between two pings; a page that answers them shows that it is still there.
    pub between_pings: Duration,
    /// For an idle engine to get something to do.
    pub with_engines: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            with_answers: Duration::from_secs(30),
            between_pings: Duration::from_secs(15),
            with_engines: Duration::from_secs(15 * 60),
        }
    }
}
