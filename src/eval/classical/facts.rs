//! Who could carry out which threat: ten yes-or-no questions to a position, as one number.

use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;

/// Different answers to the ten questions together.
pub const FACT_COUNT: usize = 1 << 10;

/// The answers as bits, from the lowest: whether the side to move has a point for a four and a three, a
/// four with something more, a four, an open three with something more (or two), an open three; and whether
/// the opponent has one for an open four, a four and a three, any other four, an open three with something
/// more (or two), an open three.
#[must_use]
#[inline]
pub fn index<R: RuleSet>(position: &Position<R>) -> usize {
    let map = position.map();
    let own = |threat| map.count(position.to_move(), threat) > 0;
    let other = |threat| map.count(!position.to_move(), threat) > 0;
    let facts = [
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
    facts.iter().enumerate().fold(0, |index, (bit, &fact)| index | usize::from(fact) << bit)
}
