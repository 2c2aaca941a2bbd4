//! The layout of the weights of a network in training: first those of the feature transformer, then the heads.

use std::ops::Range;

use crate::eval::nnue::dims::{FEATURES, OUTPUTS};
use crate::eval::nnue::lines::LINES;
use crate::shapes::{CODE_COUNT, Shape};

/// Inputs of the local layer: features from the side to move's perspective, then from the other side's.
pub(super) const VIEWS: usize = 2 * FEATURES;
/// Inputs of the board layer: features, then outputs of the local layer.
pub(super) const INPUTS: usize = VIEWS + OUTPUTS;

// The weights of the feature transformer: each code's own component, first for codes of the perspective colour and then
// for its opponent's; the components of shapes, likewise; a bias; and the weights of lines.
pub(super) const CODES: usize = 0;
pub(super) const SHAPES: usize = CODES + 2 * CODE_COUNT * FEATURES;
pub(super) const FEATURE_BIAS: usize = SHAPES + 2 * Shape::COUNT * FEATURES;
pub(super) const LINE_FEATURES: usize = FEATURE_BIAS + FEATURES;
/// The first head follows them, then the others.
pub(super) const HEADS: usize = LINE_FEATURES + LINES * FEATURES;

// Offsets of the weights within a head. Those of a layer are stored input by input.
pub(super) const LOCAL: usize = 0;
pub(super) const LOCAL_BIAS: usize = LOCAL + OUTPUTS * VIEWS;
pub(super) const BOARD: usize = LOCAL_BIAS + OUTPUTS;
pub(super) const HIDDEN_BIAS: usize = BOARD + OUTPUTS * INPUTS;
pub(super) const HIDDEN: usize = HIDDEN_BIAS + OUTPUTS;
pub(super) const DIRECT: usize = HIDDEN + OUTPUTS;
pub(super) const BIAS: usize = DIRECT + INPUTS;
pub(super) const HCE_SHARE: usize = BIAS + 1;
/// The number of weights of a head.
pub(super) const HEAD: usize = HCE_SHARE + 1;

/// The range of the weights of a head.
pub(super) fn head_range(head: usize) -> Range<usize> {
    HEADS + head * HEAD..HEADS + (head + 1) * HEAD
}

/// The offset of a code's own component: `whose` is 0 for a code of the perspective colour and 1 for one of its
/// opponent.
pub(super) fn code_at(whose: usize, code: usize) -> usize {
    CODES + (whose * CODE_COUNT + code) * FEATURES
}

/// The offset of a shape's component, likewise.
pub(super) fn shape_at(whose: usize, shape: Shape) -> usize {
    SHAPES + (whose * Shape::COUNT + shape as usize) * FEATURES
}
