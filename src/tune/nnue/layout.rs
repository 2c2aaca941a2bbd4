//! Where each weight of a network in training stands among its numbers: first those that features are made of, then
//! the heads.

use std::ops::Range;

use crate::eval::nnue::dims::{FEATURES, OUTPUTS};
use crate::eval::nnue::lines::LINES;
use crate::shapes::{CODE_COUNT, Shape};

/// Inputs of the layer that looks at a region: features in the view of the side to move, then the other's.
pub(super) const VIEWS: usize = 2 * FEATURES;
/// Inputs of the layer that looks at the board: features, then outputs of the regions.
pub(super) const INPUTS: usize = VIEWS + OUTPUTS;

// What features are made of: what each code adds by itself, the own side's codes first and then the opponent's; the
// same for each shape; a bias; and what each line adds.
pub(super) const CODES: usize = 0;
pub(super) const SHAPES: usize = CODES + 2 * CODE_COUNT * FEATURES;
pub(super) const FEATURE_BIAS: usize = SHAPES + 2 * Shape::COUNT * FEATURES;
pub(super) const LINE_FEATURES: usize = FEATURE_BIAS + FEATURES;
/// The first head stands behind them, then the others.
pub(super) const HEADS: usize = LINE_FEATURES + LINES * FEATURES;

// Where the weights of a head stand among its numbers. Those of a layer stand input by input.
pub(super) const LOCAL: usize = 0;
pub(super) const LOCAL_BIAS: usize = LOCAL + OUTPUTS * VIEWS;
pub(super) const BOARD: usize = LOCAL_BIAS + OUTPUTS;
pub(super) const HIDDEN_BIAS: usize = BOARD + OUTPUTS * INPUTS;
pub(super) const HIDDEN: usize = HIDDEN_BIAS + OUTPUTS;
pub(super) const DIRECT: usize = HIDDEN + OUTPUTS;
pub(super) const BIAS: usize = DIRECT + INPUTS;
pub(super) const HCE_SHARE: usize = BIAS + 1;
/// Numbers of a head.
pub(super) const HEAD: usize = HCE_SHARE + 1;

/// Where the numbers of a head stand.
pub(super) fn head_range(head: usize) -> Range<usize> {
    HEADS + head * HEAD..HEADS + (head + 1) * HEAD
}

/// Where the features begin that a code adds by itself: `whose` is 0 for the own side's code and 1 for the opponent's.
pub(super) fn code_at(whose: usize, code: usize) -> usize {
    CODES + (whose * CODE_COUNT + code) * FEATURES
}

/// Where the features begin that a shape adds, likewise.
pub(super) fn shape_at(whose: usize, shape: Shape) -> usize {
    SHAPES + (whose * Shape::COUNT + shape as usize) * FEATURES
}
