//! The weights of the hand-made evaluation, and the file they are kept in.
//!
//! `weights.bin` holds, after [`MAGIC`], for every rule in the order of [`Rule::ALL`] and for Black and
//! White: value, tempo, own promise, other promise and nearness, each a table of little-endian `i16`. It is written by
//! `kagetsu tune`; `weights.md` beside it says from which games.

use std::sync::OnceLock;

use super::facts::FACT_COUNT;
use super::nearness::NEARNESS_COUNT;
use crate::board::{ByColor, Color};
use crate::rules::{Rule, RuleSet};
use crate::shapes::{ByCode, CODE_COUNT};

/// Parts of a point in which weights are kept.
pub const UNIT: i32 = 8;

/// The first bytes of a file of weights.
pub const MAGIC: [u8; 8] = *b"KGTWTS02";

/// `i16` numbers of one colour under one rule.
const NUMBERS: usize = 3 * CODE_COUNT + FACT_COUNT + NEARNESS_COUNT;
/// Bytes of the whole file.
const FILE_BYTES: usize = MAGIC.len() + Rule::ALL.len() * 2 * NUMBERS * 2;

/// Weights of one colour under one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By [`Code`](crate::shapes::Code): worth of an empty point to the colour, in [`UNIT`]ths of a point.
    pub value: ByCode<i16>,
    /// By [`facts::index`](super::facts::index), for the colour to move, in [`UNIT`]ths of a point.
    pub tempo: Box<[i16; FACT_COUNT]>,
    /// By code: promise of a move for the shapes that it makes; 32 units multiply its odds by e.
    pub own_promise: ByCode<i16>,
    /// By code: promise of a move for the shapes that it takes from the opponent.
    pub other_promise: ByCode<i16>,
    /// By [`nearness::index`](super::nearness::index): promise of a move for the distance from the last stones.
    pub nearness: Box<[i16; NEARNESS_COUNT]>,
}

impl Weights {
    /// Weights that know nothing.
    #[must_use]
    pub fn zero() -> Weights {
        Weights {
            value: ByCode::from_fn(|_| 0),
            tempo: Box::new([0; FACT_COUNT]),
            own_promise: ByCode::from_fn(|_| 0),
            other_promise: ByCode::from_fn(|_| 0),
            nearness: Box::new([0; NEARNESS_COUNT]),
        }
    }

    fn tables(&self) -> [&[i16]; 5] {
        [
            self.value.values(),
            &*self.tempo,
            self.own_promise.values(),
            self.other_promise.values(),
            &*self.nearness,
        ]
    }

    fn tables_mut(&mut self) -> [&mut [i16]; 5] {
        [
            self.value.values_mut(),
            &mut *self.tempo,
            self.own_promise.values_mut(),
            self.other_promise.values_mut(),
            &mut *self.nearness,
        ]
    }
}

/// The weights of all rules, in the order of [`Rule::ALL`].
pub type AllWeights = [ByColor<Weights>; Rule::ALL.len()];

/// The bytes of a file with these weights.
#[must_use]
pub fn to_bytes(all: &AllWeights) -> Vec<u8> {
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
pub fn from_bytes(bytes: &[u8]) -> Option<AllWeights> {
    if bytes.len() != FILE_BYTES || !bytes.starts_with(&MAGIC) {
        return None;
    }
    let mut numbers = bytes[MAGIC.len()..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    Some(Rule::ALL.map(|_| {
        ByColor::from_fn(|_: Color| {
            let mut weights = Weights::zero();
            for table in weights.tables_mut() {
                table.iter_mut().zip(&mut numbers).for_each(|(entry, number)| *entry = number);
            }
            weights
        })
    }))
}

static ALL: OnceLock<AllWeights> = OnceLock::new();

/// Plays with other weights than the build has.
///
/// # Errors
/// If the build's are in use already.
#[cfg(feature = "tunable")]
pub fn replace(all: AllWeights) -> Result<(), &'static str> {
    ALL.set(all).map_err(|_| "the weights are in use already")
}

/// The weights that this build plays with.
#[must_use]
pub fn of<R: RuleSet>() -> &'static ByColor<Weights> {
    static FILE: &[u8; FILE_BYTES] = include_bytes!("weights.bin");
    let all = ALL.get_or_init(|| from_bytes(FILE).expect("the embedded weights are of this version"));
    &all[R::RULE.index()]
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
    fn what_wins_promises_most() {
        use crate::shapes::table::shapes_of_code;
        use crate::shapes::{Code, Shape};
        for both in from_bytes(include_bytes!("weights.bin")).unwrap() {
            for weights in both.0 {
                let promise = |shapes: [Shape; 4]| {
                    let code = (0..CODE_COUNT).find(|&code| shapes_of_code(code as Code) == shapes).unwrap();
                    weights.own_promise[code as Code]
                };
                let dead = Shape::Dead;
                let open_three = promise([dead, dead, dead, Shape::FreeOpenThree]);
                assert!(open_three > promise([dead, dead, dead, Shape::FreeOpenTwo]));
                assert!(promise([dead, dead, dead, Shape::FreeOpenTwo]) > promise([dead; 4]));
            }
        }
    }
}
