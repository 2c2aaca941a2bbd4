//! The sizes of the network and the scale of its integers.

/// Features of a point as one colour sees it.
pub const FEATURES: usize = 16;
/// Features of a point as Black sees it, then as White does.
pub const LANES: usize = 2 * FEATURES;
/// Outputs of the layer that looks at one region, and of the one that looks at the board.
pub const OUTPUTS: usize = 16;

/// A feature of 1.
pub const FEATURE_ONE: i16 = 32;
/// Weights that lead to the output count 256ths.
pub const FRACTION_BITS: u32 = 8;
/// The largest weight of a code in the feature transformer, in either direction; a feature has two of them.
pub const CODE_LIMIT: i8 = 63;
/// The same of a line; a feature has four of them.
pub const LINE_LIMIT: i8 = 31;
/// An output of 1 of a layer.
pub const HIDDEN_ONE: i16 = 128;
/// From sums of features times weights to outputs, for the layer that looks at one region.
pub const LOCAL_SHIFT: u32 = 7;
/// The same for the layer that looks at the board.
pub const BOARD_SHIFT: u32 = 8;
/// From summed outputs of the regions times weights to outputs of the layer that looks at the board.
pub const REGIONS_SHIFT: u32 = 7;

/// The largest weight behind the features, in either direction: sums of products stay within 32 bits.
pub const WEIGHT_LIMIT: i16 = 2000;
