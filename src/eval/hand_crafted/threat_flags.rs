//! Threat flags: ten yes-or-no questions about who could carry out which threat, packed into one number.

use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;

/// The number of flags of a position.
pub const FLAG_COUNT: usize = 10;
/// The number of combinations of flags.
pub const COMBINATIONS: usize = 1 << FLAG_COUNT;

/// The flags of a position as bits of one number, 0 to [`COMBINATIONS`] - 1. From the lowest bit up, five flags say
/// whether the side to move has a point that makes a four and a three, a four with something more, a four, an open
/// three with something more (or two open threes), an open three. The other five say whether the opponent has a point
/// that makes an open four, a four and a three, any other four, an open three with something more (or two open threes),
/// an open three.
#[must_use]
#[inline]
pub fn index<R: RuleSet>(position: &Position<R>) -> usize {
    let map = position.map();
    let own = |threat| map.count(position.to_move(), threat) > 0;
    let other = |threat| map.count(!position.to_move(), threat) > 0;
    let flags: [bool; FLAG_COUNT] = [
        own(Threat::FourThree),
        own(Threat::FourPlus),
        own(Threat::Four),
        own(Threat::DoubleThree) | own(Threat::OpenThreePlus),
        own(Threat::OpenThree),
        other(Threat::OpenFour),
        other(Threat::FourThree),
        other(Threat::FourPlus) | other(Threat::Four),
        other(Threat::DoubleThree) | other(Threat::OpenThreePlus),
        other(Threat::OpenThree),
    ];
    flags.iter().enumerate().fold(0, |index, (bit, &flag)| index | usize::from(flag) << bit)
}
