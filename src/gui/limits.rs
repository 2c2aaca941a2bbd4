//! The limits of a question as the page sends them.

use std::time::Duration;

use serde::Deserialize;

use crate::search::{Limits, TimeControl};

/// The longest time limit of a search and of the solver, a week, so that no clock overflows.
pub(super) const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// The limits of a search as the page sends them.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LimitsMessage {
    ms: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    left_ms: Option<u64>,
    increment_ms: Option<u64>,
}

impl LimitsMessage {
    pub fn limits(self) -> Limits {
        let time = |ms: u64| Duration::from_millis(ms).min(LONGEST);
        let increment = self.increment_ms.map(time).unwrap_or_default();
        let time = TimeControl { turn: self.ms.map(time), left: self.left_ms.map(time), increment };
        Limits { time, nodes: self.nodes, depth: self.depth }
    }

    /// The same for a search that goes on until somebody stops it, where nothing limits it.
    pub fn until_stopped(self) -> Limits {
        let limits = self.limits();
        if limits.is_unlimited() {
            return Limits { time: TimeControl::UNTIL_STOPPED, ..limits };
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_no_limit_goes_on_until_it_is_stopped() {
        assert_eq!(LimitsMessage::default().until_stopped().time, TimeControl::UNTIL_STOPPED);
        let increment = LimitsMessage { increment_ms: Some(5), ..LimitsMessage::default() };
        assert_eq!(increment.until_stopped().time, TimeControl::UNTIL_STOPPED);
        for message in [
            LimitsMessage { ms: Some(5), ..LimitsMessage::default() },
            LimitsMessage { nodes: Some(5), ..LimitsMessage::default() },
            LimitsMessage { depth: Some(5), ..LimitsMessage::default() },
            LimitsMessage { left_ms: Some(5), ..LimitsMessage::default() },
        ] {
            assert_eq!(message.until_stopped(), message.limits());
        }
    }
}
