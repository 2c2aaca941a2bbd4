//! The dimensions of the network and the scales of its integers.

/// Features of a point from one colour's perspective.
pub const FEATURES: usize = 16;
/// Features of a point from Black's perspective, then from White's.
pub const LANES: usize = 2 * FEATURES;
/// Outputs of the local layer, and of the board layer.
pub const OUTPUTS: usize = 16;

/// The integer that represents a feature of 1.
pub const FEATURE_ONE: i16 = 32;
/// Fractional bits of the weights that lead to the output, which are in 256ths.
pub const FRACTION_BITS: u32 = 8;
/// The largest absolute weight of a code in the feature transformer; a feature sums two of them.
pub const CODE_LIMIT: i8 = 63;
/// The largest absolute weight of a line in the feature transformer; a feature sums four of them.
pub const LINE_LIMIT: i8 = 31;
/// The integer that represents a layer's output of 1.
pub const HIDDEN_ONE: i16 = 128;
/// The right shift from sums of features times weights to outputs, for the local layer.
pub const LOCAL_SHIFT: u32 = 7;
/// The same for the board layer.
pub const BOARD_SHIFT: u32 = 8;
/// The right shift from summed outputs of the local layer times weights to outputs of the board layer.
pub const REGIONS_SHIFT: u32 = 7;

/// The largest absolute weight after the feature transformer, which keeps sums of products within 32 bits.
pub const WEIGHT_LIMIT: i16 = 2000;
