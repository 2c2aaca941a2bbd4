//! When a search must end.

use std::time::Duration;

use super::params::DEFAULT_TURN;

/// The time that a manager allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Limit for this move; zero asks for an answer at once, and `None` sets no limit.
    pub turn: Option<Duration>,
    /// Time left for the whole game; `None` is unlimited.
    pub left: Option<Duration>,
    /// Added to the time left after each move.
    pub increment: Duration,
}

impl TimeControl {
    /// As much time as it takes until somebody stops the search. Without any limit it takes the time of a usual move.
    pub const UNTIL_STOPPED: TimeControl =
        TimeControl { turn: Some(Duration::MAX), left: None, increment: Duration::ZERO };

    /// The most time that the move may take; `None` without a limit.
    #[must_use]
    pub fn limit(&self) -> Option<Duration> {
        self.turn.into_iter().chain(self.left).min()
    }
}

/// When a search must end: at the first of these limits that is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time for the move.
    pub time: TimeControl,
    /// Nodes searched by all threads together.
    pub nodes: Option<u64>,
    /// Depth of the deepest iteration, in plies.
    pub depth: Option<u32>,
}

impl Limits {
    /// Whether nothing at all limits the search. An increment alone does not.
    #[must_use]
    pub(crate) fn is_unlimited(&self) -> bool {
        self.time.limit().is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// The same limits, or the time of a usual move where there is none.
    #[must_use]
    pub(crate) fn or_default_time(self) -> Limits {
        if !self.is_unlimited() {
            return self;
        }
        Limits { time: TimeControl { turn: Some(DEFAULT_TURN), ..self.time }, ..self }
    }
}
