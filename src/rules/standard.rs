//! Standard Gomoku: exactly five in a row win, six or more do not win.

use super::rule::Rule;
use super::ruleset::{RuleSet, Winning};
use crate::board::Color;

/// Exactly five in a row win, for both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

impl RuleSet for Standard {
    const RULE: Rule = Rule::Standard;

    #[inline]
    fn winning(_color: Color) -> Winning {
        Winning { overline: false, five_needs_open_end: false }
    }
}
