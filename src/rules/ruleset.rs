//! The trait that every variant of the game implements.

use super::rule::Rule;
use crate::board::Color;

/// Which rows of its own stones win for a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Winning {
    /// Six or more in a row win.
    pub overline: bool,
    /// Exactly five in a row do not win if both ends are stones of the opponent. The edge of the board
    /// does not count as a stone.
    pub five_needs_open_end: bool,
}

/// A variant of the game as a type, so that hot code resolves its rules at compile time.
///
/// Exactly five in a row wins under every rule, except as [`Winning::five_needs_open_end`] says. Apart from `rules/`,
/// only `protocol/` and `cli/` may name a variant; other code asks the questions below instead.
pub trait RuleSet: Copy + Default + Send + Sync + 'static {
    /// The variant as a value, used to find the weights learned for it.
    const RULE: Rule;

    /// What wins for a colour.
    fn winning(color: Color) -> Winning;

    /// Whether overline, double four and double three lose for this colour, unless the same stone
    /// makes five.
    #[must_use]
    #[inline]
    fn forbids(_color: Color) -> bool {
        false
    }

    /// Whether both colours play by the same rules, so that swapping them changes nothing.
    #[must_use]
    fn treats_colors_alike() -> bool {
        Self::winning(Color::Black) == Self::winning(Color::White)
            && Self::forbids(Color::Black) == Self::forbids(Color::White)
    }

    /// How many points to each side of a stone can affect a five that it belongs to: 4, or 5 where it
    /// also matters whether the row is longer than five or closed at its ends.
    #[must_use]
    #[inline]
    fn reach() -> usize {
        let plain = |color| {
            let winning = Self::winning(color);
            winning.overline && !winning.five_needs_open_end
        };
        if plain(Color::Black) && plain(Color::White) { 4 } else { 5 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_rule;

    #[test]
    fn what_follows_from_the_questions() {
        let follows = |rule: Rule| with_rule!(rule, R => (R::RULE, R::treats_colors_alike(), R::reach()));
        for (rule, alike, reach) in [
            (Rule::Freestyle, true, 4),
            (Rule::Standard, true, 5),
            (Rule::Renju, false, 5),
            (Rule::Caro, true, 5),
            (Rule::ExactCaro, true, 5),
        ] {
            assert_eq!(follows(rule), (rule, alike, reach));
        }
    }

    /// A rule under which the colours differ only in that one of them has forbidden points.
    #[derive(Clone, Copy, Debug, Default)]
    struct Forbidding;

    impl RuleSet for Forbidding {
        const RULE: Rule = Rule::Freestyle;

        fn winning(_color: Color) -> Winning {
            Winning { overline: true, five_needs_open_end: false }
        }

        fn forbids(color: Color) -> bool {
            color == Color::White
        }
    }

    #[test]
    fn forbidden_points_tell_colours_apart() {
        assert!(!Forbidding::treats_colors_alike());
        assert_eq!(Forbidding::reach(), 4);
    }
}
