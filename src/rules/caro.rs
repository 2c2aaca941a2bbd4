//! Caro: a five with a stone of the opponent at both ends does not win.

use super::rule::Rule;
use super::ruleset::{RuleSet, Winning};
use crate::board::Color;

/// Six or more always win; five win unless both ends are stones of the opponent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caro;

impl RuleSet for Caro {
    const RULE: Rule = Rule::Caro;

    #[inline]
    fn winning(_color: Color) -> Winning {
        Winning { overline: true, five_needs_open_end: true }
    }
}

/// As [`Caro`], but six or more do not win.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactCaro;

impl RuleSet for ExactCaro {
    const RULE: Rule = Rule::ExactCaro;

    #[inline]
    fn winning(_color: Color) -> Winning {
        Winning { overline: false, five_needs_open_end: true }
    }
}
