//! What a stone at a point would make on its four lines together.

use super::shape::Shape;
use crate::board::Color;
use crate::rules::RuleSet;

/// What a stone at an empty point would make for its colour, in ascending order of strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Threat {
    /// None of the threats below.
    #[default]
    None,
    /// An overline, two fours or two open threes for a colour that may not make them. It is a guess that errs on one
    /// side: every forbidden point looks so, but whether the threes are real is decided by `forbidden`.
    LooksForbidden,
    /// One open two.
    OpenTwo,
    /// One closed three.
    Three,
    /// Two open twos or more.
    DoubleTwo,
    /// A closed three with another closed three or an open two.
    ThreeTwo,
    /// One open three: threatens an open four.
    OpenThree,
    /// An open three with a closed three or an open two.
    OpenThreePlus,
    /// Two open threes.
    DoubleThree,
    /// One four: threatens five.
    Four,
    /// A four with a closed three or an open two.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// An open four or two fours: five follows, whatever the opponent blocks.
    OpenFour,
    /// Wins.
    Five,
}

impl Threat {
    /// Every threat, in ascending order.
    pub const ALL: [Threat; 14] = [
        Threat::None,
        Threat::LooksForbidden,
        Threat::OpenTwo,
        Threat::Three,
        Threat::DoubleTwo,
        Threat::ThreeTwo,
        Threat::OpenThree,
        Threat::OpenThreePlus,
        Threat::DoubleThree,
        Threat::Four,
        Threat::FourPlus,
        Threat::FourThree,
        Threat::OpenFour,
        Threat::Five,
    ];

    /// The number of threats.
    pub const COUNT: usize = Threat::ALL.len();

    /// The threat with this number in [`Threat::ALL`]; [`Threat::None`] for larger numbers.
    #[must_use]
    #[inline]
    pub const fn from_index(index: usize) -> Threat {
        if index < Threat::COUNT { Threat::ALL[index] } else { Threat::None }
    }

    /// 0 to [`Threat::COUNT`] - 1.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether the stone makes a four or better, so that the opponent has to answer it.
    #[must_use]
    #[inline]
    pub fn is_four(self) -> bool {
        self >= Threat::Four
    }

    /// The threat that these four shapes make together for `color` under the rule.
    #[must_use]
    pub fn of<R: RuleSet>(lines: [Shape; 4], color: Color) -> Threat {
        let count = |is: fn(Shape) -> bool| lines.into_iter().filter(|&shape| is(shape)).count();
        let fives = count(|s| s == Shape::Five);
        let fours = count(Shape::is_four);
        let double_fours = count(|s| s == Shape::DoubleFour);
        let unstoppable = count(|s| matches!(s, Shape::OpenFour | Shape::DoubleFour));
        let open_threes = count(Shape::is_open_three);
        let threes = count(|s| s == Shape::Three);
        let open_twos = count(Shape::is_open_two);
        let minor = threes + open_twos;

        if fives > 0 {
            return Threat::Five;
        }
        if R::forbids(color) {
            let overlines = count(|s| s == Shape::Overline);
            if overlines > 0 || fours + double_fours >= 2 || open_threes >= 2 {
                return Threat::LooksForbidden;
            }
        }
        match (unstoppable, fours, open_threes, threes, open_twos) {
            (1.., ..) | (_, 2.., ..) => Threat::OpenFour,
            (_, 1, 1.., ..) => Threat::FourThree,
            (_, 1, ..) if minor > 0 => Threat::FourPlus,
            (_, 1, ..) => Threat::Four,
            (_, _, 2.., ..) => Threat::DoubleThree,
            (_, _, 1, ..) if minor > 0 => Threat::OpenThreePlus,
            (_, _, 1, ..) => Threat::OpenThree,
            (_, _, _, 1.., _) if minor >= 2 => Threat::ThreeTwo,
            (_, _, _, _, 2..) => Threat::DoubleTwo,
            (_, _, _, 1.., _) => Threat::Three,
            (_, _, _, _, 1..) => Threat::OpenTwo,
            _ => Threat::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Freestyle, Renju};

    #[test]
    fn shapes_make_threats_together() {
        use Shape::{Dead, DoubleFour, Five, Four, OpenFour, OpenThree, OpenTwo, Overline, Three};
        let forbidden = |shapes, threat| (shapes, threat, Threat::LooksForbidden);
        let allowed = |shapes, threat| (shapes, threat, threat);
        for (shapes, free, renju) in [
            allowed([Five, Four, Four, Dead], Threat::Five),
            allowed([OpenFour, Dead, Dead, Dead], Threat::OpenFour),
            forbidden([DoubleFour, Dead, Dead, Dead], Threat::OpenFour),
            forbidden([Four, Dead, Four, Dead], Threat::OpenFour),
            allowed([Four, OpenThree, Dead, Dead], Threat::FourThree),
            allowed([Four, Three, Dead, Dead], Threat::FourPlus),
            allowed([OpenTwo, Dead, Dead, Four], Threat::FourPlus),
            allowed([Dead, Four, Dead, Dead], Threat::Four),
            forbidden([OpenThree, OpenThree, Dead, Dead], Threat::DoubleThree),
            allowed([OpenThree, Three, Dead, Dead], Threat::OpenThreePlus),
            allowed([OpenThree, Dead, OpenTwo, Dead], Threat::OpenThreePlus),
            allowed([OpenThree, Dead, Dead, Dead], Threat::OpenThree),
            allowed([Three, Three, Dead, Dead], Threat::ThreeTwo),
            allowed([Three, OpenTwo, Dead, Dead], Threat::ThreeTwo),
            allowed([OpenTwo, OpenTwo, Dead, Dead], Threat::DoubleTwo),
            allowed([Three, Dead, Dead, Dead], Threat::Three),
            allowed([OpenTwo, Dead, Dead, Dead], Threat::OpenTwo),
            allowed([Dead; 4], Threat::None),
        ] {
            assert_eq!(Threat::of::<Freestyle>(shapes, Color::Black), free, "{shapes:?}");
            assert_eq!(Threat::of::<Renju>(shapes, Color::White), free, "{shapes:?}");
            assert_eq!(Threat::of::<Renju>(shapes, Color::Black), renju, "{shapes:?}");
        }
        let overline = [Overline, Four, Dead, Dead];
        assert_eq!(Threat::of::<Renju>(overline, Color::Black), Threat::LooksForbidden);
    }
}
