//! The index of each weight in the vectors of parameters that are fitted.
//!
//! The value has one vector of parameters: the worth by code for Black and for White, then the tempo by threat flags
//! for Black and for White. The ordering score has another: own by code for Black and for White to move, then other,
//! then nearness. A rule that treats the colours alike uses only Black's.

use crate::board::{ByColor, Color};
use crate::eval::hand_crafted::nearness::NEARNESS_COUNT;
use crate::eval::hand_crafted::threat_flags::COMBINATIONS;
use crate::eval::hand_crafted::weights::{ColorWeights, UNIT};
use crate::rules::RuleSet;
use crate::shapes::{ByCode, CODE_COUNT, Code};

/// The code of a point where no line offers anything. The evaluation sums only changes of codes, from an empty board
/// on, and samples leave this code out. So it is worth nothing, whatever its factors add up to.
pub(super) const NOTHING: Code = 0;

/// The parameter for the worth of a point with this code to a colour.
pub(super) fn value_parameter(color: Color, code: Code) -> u16 {
    color.index() as u16 * CODE_COUNT as u16 + code
}

/// The parameter for the tempo of a colour to move with these threat flags.
pub(super) fn tempo_parameter(color: Color, flags: usize) -> u16 {
    (2 * CODE_COUNT + color.index() * COMBINATIONS + flags) as u16
}

/// The parameter of the ordering score for the shapes that a move makes.
pub(super) fn own_parameter(mover: Color, code: Code) -> u16 {
    mover.index() as u16 * CODE_COUNT as u16 + code
}

/// The parameter of the ordering score for the shapes that a move takes from the opponent.
pub(super) fn other_parameter(mover: Color, code: Code) -> u16 {
    (2 + mover.index() as u16) * CODE_COUNT as u16 + code
}

/// The parameter of the ordering score for the distance from one of the last stones.
pub(super) fn nearness_parameter(mover: Color, nearness: usize) -> u16 {
    (4 * CODE_COUNT + mover.index() * NEARNESS_COUNT + nearness) as u16
}

/// The colour whose weights a colour uses.
pub(super) fn stands_for<R: RuleSet>(color: Color) -> Color {
    if R::treats_colors_alike() { Color::Black } else { color }
}

/// The parameters of the value, in points.
pub(super) fn value_parameters(weights: &ByColor<ColorWeights>) -> Vec<f32> {
    let points = |table: &[i16]| table.iter().map(|&n| f32::from(n) / UNIT as f32).collect::<Vec<f32>>();
    let worth = weights.0.iter().flat_map(|weights| points(weights.value.values()));
    let tempo = weights.0.iter().flat_map(|weights| points(&*weights.tempo));
    worth.chain(tempo).collect()
}

/// The parameters of the ordering score, in its units.
pub(super) fn ordering_parameters(weights: &ByColor<ColorWeights>) -> Vec<f32> {
    let own = weights.0.iter().flat_map(|weights| weights.own_ordering.values());
    let other = weights.0.iter().flat_map(|weights| weights.other_ordering.values());
    let nearness = weights.0.iter().flat_map(|weights| weights.nearness.iter());
    own.chain(other).chain(nearness).map(|&n| f32::from(n)).collect()
}

/// The weights in the form that the evaluation uses.
pub(super) fn to_weights(values: &[f32], ordering: &[f32]) -> ByColor<ColorWeights> {
    let round = |x: f32| x.round().clamp(f32::from(i16::MIN + 1), f32::from(i16::MAX)) as i16;
    ByColor::from_fn(|color| ColorWeights {
        value: ByCode::from_fn(|code| match code {
            NOTHING => 0,
            code => round(values[value_parameter(color, code) as usize] * UNIT as f32),
        }),
        tempo: Box::new(std::array::from_fn(|flags| {
            round(values[tempo_parameter(color, flags) as usize] * UNIT as f32)
        })),
        own_ordering: ByCode::from_fn(|code| round(ordering[own_parameter(color, code) as usize])),
        other_ordering: ByCode::from_fn(|code| round(ordering[other_parameter(color, code) as usize])),
        nearness: Box::new(std::array::from_fn(|n| round(ordering[nearness_parameter(color, n) as usize]))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::hand_crafted::weights::builtin;

    #[test]
    fn weights_survive_their_parameters() {
        for weights in builtin() {
            assert_eq!(to_weights(&value_parameters(&weights), &ordering_parameters(&weights)), weights);
        }
    }
}
