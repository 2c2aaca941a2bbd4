//! The limits of a question as the page sends them.

use std::time::Duration;

use serde::Deserialize;

use crate::search::{Limits, TimeControl};

/// The longest time limit, a week, so that no clock overflows.
const LONGEST_MS: u64 = 7 * 24 * 3_600_000;

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
        let time = |ms: u64| Duration::from_millis(ms.min(LONGEST_MS));
        let increment = self.increment_ms.map(time).unwrap_or_default();
        let time = TimeControl { turn: self.ms.map(time), left: self.left_ms.map(time), increment };
        Limits { time, nodes: self.nodes, depth: self.depth }
    }
}
