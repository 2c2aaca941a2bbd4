//! The weights of the hand-crafted evaluation, and the file they are kept in.
//!
//! `weights.bin` holds, after [`MAGIC`], for every rule in the order of [`Rule::ALL`] and for Black and White
//! the five tables of [`ColorWeights`] in the order in which they stand there, each of little-endian `i16`. It is
//! written by `kagetsu tune`; `weights.md` beside it says from which games.

use std::sync::OnceLock;

use super::nearness::NEARNESS_COUNT;
use super::threat_flags::COMBINATIONS;
use crate::board::{ByColor, Color};
use crate::rules::{Rule, RuleSet};
use crate::shapes::{ByCode, CODE_COUNT};

/// Parts of a point in which weights are kept.
pub const UNIT: i32 = 8;

/// The first bytes of a file of weights.
pub const MAGIC: [u8; 8] = *b"KGTWTS02";

/// `i16` numbers of one colour under one rule.
const NUMBERS: usize = 3 * CODE_COUNT + COMBINATIONS + NEARNESS_COUNT;
/// Bytes of the whole file.
const FILE_BYTES: usize = MAGIC.len() + Rule::ALL.len() * 2 * NUMBERS * 2;

/// Weights of one colour under one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorWeights {
    /// By [`Code`](crate::shapes::Code): worth of an empty point to the colour, in [`UNIT`]ths of a point.
    pub value: ByCode<i16>,
    /// By `threat_flags::index`, for the colour to move, in [`UNIT`]ths of a point.
    pub tempo: Box<[i16; COMBINATIONS]>,
    /// By code: ordering score of a move for the shapes that it makes; 32 units multiply its odds by e.
    pub own_ordering: ByCode<i16>,
    /// By code: ordering score of a move for the shapes that it takes from the opponent, in the same units.
    pub other_ordering: ByCode<i16>,
    /// By `nearness::index`: ordering score of a move for its distance from the last
    /// stones, in the same units.
    pub nearness: Box<[i16; NEARNESS_COUNT]>,
}

impl ColorWeights {
    /// Every weight zero.
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

/// The bytes of a file with these weights.
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

/// Reads a file of weights; `None` if it is none of this version.
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

/// The weights that this build has.
#[must_use]
pub fn builtin() -> HandCraftedWeights {
    static FILE: &[u8; FILE_BYTES] = include_bytes!("weights.bin");
    from_bytes(FILE).expect("the embedded weights are of this version")
}

static IN_USE: OnceLock<HandCraftedWeights> = OnceLock::new();

/// Plays with other weights than the build has.
///
/// # Errors
/// If the build's are in use already.
#[cfg(feature = "tunable")]
pub fn replace(all: HandCraftedWeights) -> Result<(), &'static str> {
    IN_USE.set(all).map_err(|_| "the weights are in use already")
}

/// The weights to play with under the rule.
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
                assert!(open_three > score([dead, dead, dead, Shape::FreeOpenTwo]));
                assert!(score([dead, dead, dead, Shape::FreeOpenTwo]) > score([dead; 4]));
            }
        }
    }
}
