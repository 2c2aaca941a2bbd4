//! Renju: Black needs exactly five and may not make an overline, two fours or two threes; White wins with
//! five or more and has no forbidden moves. [`judge`](super::judge) defines what a four or a three is and
//! which points are forbidden; `shapes/forbidden.rs` is a faster implementation of the same rules.

use super::rule::Rule;
use super::ruleset::{RuleSet, Winning};
use crate::board::Color;

/// Forbidden points for Black, none for White.
#[derive(Clone, Copy, Debug, Default)]
pub struct Renju;

impl RuleSet for Renju {
    const RULE: Rule = Rule::Renju;

    #[inline]
    fn winning(color: Color) -> Winning {
        Winning { overline: color == Color::White, five_needs_open_end: false }
    }

    #[inline]
    fn forbids(color: Color) -> bool {
        color == Color::Black
    }
}
