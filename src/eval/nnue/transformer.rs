//! The feature transformer: it maps what a point offers, and the contents of the lines through it, to the features that
//! are summed up.
//!
//! A feature of a point is a sum of six weights, clamped to 0 to [`FEATURE_ONE`] by a clipped ReLU: one for the code of
//! the perspective colour, one for the code of its opponent, and one for each of the four lines.

use bytemuck::cast;
use wide::i8x32;

use super::dims::{FEATURE_ONE, FEATURES};
use super::lines::{LINE_KEYS, LineKey, lines_of_key};
use super::weights::FeatureWeights;
use crate::board::{ByColor, Color};
use crate::shapes::{ByCode, CODE_COUNT, Code};

/// The features of a point from Black's perspective, then from White's, each 0 to [`FEATURE_ONE`]; or weights that are
/// summed to get them.
pub(super) type Features = i8x32;

const _: () = assert!(FEATURES == 16);

/// The feature transformer, which all networks share.
#[derive(Debug)]
pub struct FeatureTransformer {
    /// By colour and its code.
    codes: ByColor<ByCode<Features>>,
    lines: Box<[Features; LINE_KEYS]>,
}

/// Packs weights for the features from Black's perspective, then from White's.
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
        // Neither the sum of two codes nor that of four lines can overflow eight bits. The sum of all six may saturate,
        // which clipping makes harmless.
        let sum = (black + white).saturating_add(lines);
        sum.max(Features::splat(0)).min(Features::splat(FEATURE_ONE as i8))
    }
}
