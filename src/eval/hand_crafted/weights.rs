//! The weights of the hand-crafted evaluation, and the format of the file that holds them.
//!
//! `weights.bin` starts with [`MAGIC`]. Then, for every rule in the order of [`Rule::ALL`], and for Black and White,
//! come the five tables of [`ColorWeights`] in the order of its fields, as little-endian `i16`. `kagetsu tune` writes
//! the file; `weights.md` beside it says which games it was made from.

use std::sync::OnceLock;

use super::nearness::NEARNESS_COUNT;
use super::threat_flags::COMBINATIONS;
use crate::board::{ByColor, Color};
use crate::rules::{Rule, RuleSet};
use crate::shapes::{ByCode, CODE_COUNT};

/// The fixed-point scale of the weights: units in one point.
pub const UNIT: i32 = 8;

/// The first bytes of a file of weights.
pub const MAGIC: [u8; 8] = *b"KGTWTS02";

/// The number of `i16` weights of one colour under one rule.
const NUMBERS: usize = 3 * CODE_COUNT + COMBINATIONS + NEARNESS_COUNT;
/// The size of the whole file in bytes.
const FILE_BYTES: usize = MAGIC.len() + Rule::ALL.len() * 2 * NUMBERS * 2;

/// Weights of one colour under one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorWeights {
    /// By [`Code`](crate::shapes::Code): worth of an empty point to the colour, in [`UNIT`]ths of a point.
    pub value: ByCode<i16>,
    /// By `threat_flags::index`, for the colour to move, in [`UNIT`]ths of a point.
    pub tempo: Box<[i16; COMBINATIONS]>,
    /// By code: what the shapes that a move makes add to its ordering score; 32 units multiply the move's odds by e.
    pub own_ordering: ByCode<i16>,
    /// By code: what the shapes that a move takes from the opponent add to its ordering score, in the same units.
    pub other_ordering: ByCode<i16>,
    /// By `nearness::index`: what a move's distance from one of the last stones adds to its ordering score, in the same
    /// units.
    pub nearness: Box<[i16; NEARNESS_COUNT]>,
}

impl ColorWeights {
    /// All weights zero.
    #[must_use]
    pub fn zero() -> ColorWeights {
        ColorWeights {
            value: ByCode::from_fn(|_| 0),
            tempo: Box::new([0; COMBINATIONS]),
            own_ordering: ByCode::from_fn(|_| 0),
            other_ordering: ByCode::from_fn(|_| 0),
            nearness: Box::new([0; NEARNESS_COUNT]),
        }
    }

    fn tables(&self) -> [&[i16]; 5] {
        [
            self.value.values(),
            &*self.tempo,
            self.own_ordering.values(),
            self.other_ordering.values(),
            &*self.nearness,
        ]
    }

    fn tables_mut(&mut self) -> [&mut [i16]; 5] {
        [
            self.value.values_mut(),
            &mut *self.tempo,
            self.own_ordering.values_mut(),
            self.other_ordering.values_mut(),
            &mut *self.nearness,
        ]
    }
}

/// The weights of all rules, in the order of [`Rule::ALL`].
pub type HandCraftedWeights = [ByColor<ColorWeights>; Rule::ALL.len()];

/// These weights in the format of the file.
#[must_use]
pub fn to_bytes(all: &HandCraftedWeights) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for weights in all.iter().flat_map(|both| &both.0) {
        for table in weights.tables() {
            bytes.extend(table.iter().flat_map(|number| number.to_le_bytes()));
        }
    }
    bytes
}

/// Parses a weights file; `None` if it is not one of this version.
#[must_use]
pub fn from_bytes(bytes: &[u8]) -> Option<HandCraftedWeights> {
    if bytes.len() != FILE_BYTES || !bytes.starts_with(&MAGIC) {
        return None;
    }
    let mut numbers = bytes[MAGIC.len()..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    Some(Rule::ALL.map(|_| {
        ByColor::from_fn(|_: Color| {
            let mut weights = ColorWeights::zero();
            for table in weights.tables_mut() {
                table.iter_mut().zip(&mut numbers).for_each(|(entry, number)| *entry = number);
            }
            weights
        })
    }))
}

/// The weights embedded in this build.
#[must_use]
pub fn builtin() -> HandCraftedWeights {
    static FILE: &[u8; FILE_BYTES] = include_bytes!("weights.bin");
    from_bytes(FILE).expect("the embedded weights are of this version")
}

static IN_USE: OnceLock<HandCraftedWeights> = OnceLock::new();

/// Plays with these weights instead of the embedded ones.
///
/// # Errors
/// If the embedded weights are already in use.
#[cfg(feature = "tunable")]
pub fn replace(all: HandCraftedWeights) -> Result<(), &'static str> {
    IN_USE.set(all).map_err(|_| "the weights are in use already")
}

/// The weights in use under the rule.
#[must_use]
pub fn of<R: RuleSet>() -> &'static ByColor<ColorWeights> {
    &IN_USE.get_or_init(builtin)[R::RULE.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_the_file() {
        let bytes = include_bytes!("weights.bin");
        let all = from_bytes(bytes).unwrap();
        assert_eq!(to_bytes(&all), bytes);
        assert!(from_bytes(&bytes[1..]).is_none());
        assert!(from_bytes(&[0; FILE_BYTES]).is_none());
    }

    #[test]
    fn what_wins_is_looked_at_first() {
        use crate::shapes::table::shapes_of_code;
        use crate::shapes::{Code, Shape};
        for both in builtin() {
            for weights in both.0 {
                let score = |shapes: [Shape; 4]| {
                    let code = (0..CODE_COUNT).find(|&code| shapes_of_code(code as Code) == shapes).unwrap();
                    weights.own_ordering[code as Code]
                };
                let dead = Shape::Dead;
                let open_three = score([dead, dead, dead, Shape::FreeOpenThree]);
                assert!(score([dead, dead, dead, Shape::Five]) > score([dead, dead, dead, Shape::OpenFour]));
                assert!(score([dead, dead, dead, Shape::OpenFour]) > open_three);
                assert!(open_three > score([dead, dead, dead, Shape::FreeOpenTwo]));
                assert!(score([dead, dead, dead, Shape::FreeOpenTwo]) > score([dead; 4]));
            }
        }
    }
}
