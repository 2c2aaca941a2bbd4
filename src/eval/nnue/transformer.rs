//! The feature transformer: from what a point offers to the features that are summed up.
//!
//! A feature of a point is the sum of two weights, one for the code of the colour that looks and one for the code of
//! its opponent, cut to 0 to [`FEATURE_ONE`] by a clipped ReLU.

use bytemuck::cast;
use wide::u8x32;

use super::dims::{FEATURE_ONE, FEATURES};
use super::weights::FeatureWeights;
use crate::board::{ByColor, Color};
use crate::shapes::{ByCode, CODE_COUNT, Code};

/// Features of a point as Black sees it, then as White does, each 0 to [`FEATURE_ONE`].
pub(super) type Features = u8x32;

const _: () = assert!(FEATURES == 16);

/// Added to a weight to make it positive: sums of two are taken without a sign, and what is below 0 saturates there.
const OFFSET: i16 = 64;

/// What points look like, for all networks.
#[derive(Debug)]
pub struct FeatureTransformer {
    /// By colour and its code: the weights for the features as Black sees them, then as White does, and [`OFFSET`].
    weights: ByColor<ByCode<u8x32>>,
}

impl FeatureTransformer {
    /// A transformer with these weights.
    #[must_use]
    pub fn new(FeatureWeights { own, other }: &FeatureWeights) -> FeatureTransformer {
        type Table = [[i8; FEATURES]; CODE_COUNT];
        let table = |for_black: &Table, for_white: &Table| {
            ByCode::from_fn(|code| {
                let views = [for_black, for_white].map(|table| table[usize::from(code)]);
                cast(views.map(|view| view.map(|weight| (i16::from(weight) + OFFSET) as u8)))
            })
        };
        FeatureTransformer { weights: ByColor([table(own, other), table(other, own)]) }
    }

    /// The features of a point with these codes.
    #[inline]
    pub(super) fn features(&self, codes: ByColor<Code>) -> Features {
        let black = self.weights[Color::Black][codes[Color::Black]];
        let white = self.weights[Color::White][codes[Color::White]];
        let sum = (black + white).saturating_sub(u8x32::splat(2 * OFFSET as u8));
        sum.min(u8x32::splat(FEATURE_ONE as u8))
    }
}
