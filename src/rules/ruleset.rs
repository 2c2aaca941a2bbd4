//! The questions that tell one variant of the game from another.

use super::rule::Rule;
use crate::board::Color;

/// What makes a line of own stones win, for one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Winning {
    /// Six or more in a row win.
    pub overline: bool,
    /// Exactly five in a row do not win if both ends are stones of the opponent. The edge of the board
    /// is no stone.
    pub five_needs_open_end: bool,
}

/// A variant of the game, as a type: asked at compile time in the hot path.
///
/// Exactly five in a row wins under every rule, except as [`Winning::five_needs_open_end`] says.
/// Nothing outside `rules/` names a variant; whoever wants to know something asks a question here.
pub trait RuleSet: Copy + Default + Send + Sync + 'static {
    /// The variant as a value, to find what was learned for it.
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

    /// Whether both colours play by the same questions, so that swapping them changes nothing.
    #[must_use]
    fn treats_colors_alike() -> bool {
        Self::winning(Color::Black) == Self::winning(Color::White)
            && Self::forbids(Color::Black) == Self::forbids(Color::White)
    }

    /// How many points to each side of a stone can matter to the five that it belongs to: 4, or 5 where
    /// it must be seen whether the five is longer or closed at its ends.
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

    /// A rule for which only the colour that has forbidden points tells the colours apart.
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
