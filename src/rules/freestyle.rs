//! Freestyle Gomoku: five or more in a row win.

use super::rule::Rule;
use super::ruleset::{RuleSet, Winning};
use crate::board::Color;

/// Five or more in a row win, for both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Freestyle;

impl RuleSet for Freestyle {
    const RULE: Rule = Rule::Freestyle;

    #[inline]
    fn winning(_color: Color) -> Winning {
        Winning { overline: true, five_needs_open_end: false }
    }
}
