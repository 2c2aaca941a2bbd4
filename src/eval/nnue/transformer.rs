//! The feature transformer: from what a point offers and what the lines through it look like to the features that are
//! summed up.
//!
//! A feature of a point is a sum of six weights, cut to 0 to [`FEATURE_ONE`] by a clipped ReLU: one for the code of the
//! colour that looks, one for the code of its opponent, and one for each of the four lines.

use bytemuck::cast;
use wide::i8x32;

use super::dims::{FEATURE_ONE, FEATURES};
use super::lines::{LINE_KEYS, LineKey, lines_of_key};
use super::weights::FeatureWeights;
use crate::board::{ByColor, Color};
use crate::shapes::{ByCode, CODE_COUNT, Code};

/// Features of a point as Black sees it, then as White does, each 0 to [`FEATURE_ONE`]; or weights that they are made of.
pub(super) type Features = i8x32;

const _: () = assert!(FEATURES == 16);

/// What points look like, for all networks.
#[derive(Debug)]
pub struct FeatureTransformer {
    /// By colour and its code.
    codes: ByColor<ByCode<Features>>,
    lines: Box<[Features; LINE_KEYS]>,
}

/// Weights for the features as Black sees them, then as White does.
fn of_both(views: [[i8; FEATURES]; 2]) -> Features {
    cast(views)
}

impl FeatureTransformer {
    /// A transformer with these weights.
    #[must_use]
    pub fn new(FeatureWeights { own, other, lines }: &FeatureWeights) -> FeatureTransformer {
        type Table = [[i8; FEATURES]; CODE_COUNT];
        let table = |for_black: &Table, for_white: &Table| {
            ByCode::from_fn(|code| of_both([for_black, for_white].map(|table| table[usize::from(code)])))
        };
        let of_keys: Box<[Features]> =
            (0..LINE_KEYS).map(|key| of_both(lines_of_key(key).map(|line| lines[line]))).collect();
        FeatureTransformer {
            codes: ByColor([table(own, other), table(other, own)]),
            lines: of_keys.try_into().expect("there is one for each key"),
        }
    }

    /// What a line adds to the features.
    #[inline(always)]
    pub(super) fn line(&self, key: LineKey) -> Features {
        self.lines[usize::from(key) % LINE_KEYS]
    }

    /// The features of a point with these codes, given what its lines add.
    #[inline(always)]
    pub(super) fn features(&self, codes: ByColor<Code>, lines: Features) -> Features {
        let black = self.codes[Color::Black][codes[Color::Black]];
        let white = self.codes[Color::White][codes[Color::White]];
        // Neither two codes nor four lines can pass the limits of eight bits; where all six do, the clipping does not mind.
        let sum = (black + white).saturating_add(lines);
        sum.max(Features::splat(0)).min(Features::splat(FEATURE_ONE as i8))
    }
}
