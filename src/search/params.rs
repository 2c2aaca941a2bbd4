//! Every number of the search that a tuner may turn: name, value, unit, source.
//!
//! Read by `margins`, `history` and `deepening`; the node speaks mostly in the words of `margins`.
//!
//! What is declared by `tunable!` is a constant in an ordinary build. With the feature `tunable` it can be set
//! by name, for each thread apart: `kagetsu play --set lmr_factor=900` tries a value, and
//! `kagetsu spsa` looks for better ones by playing games.
//!
//! Depths are [`Depth`]s, counted in [`PLY`]ths of a ply. Where the values come from, and what
//! was tried and not kept, stands in `docs/strength.md`.

use crate::eval::Score;

/// A remaining depth, in [`PLY`]ths of a ply; at 0 and below the quiescence search takes over.
pub type Depth = i32;

/// One ply.
pub const PLY: Depth = 64;

/// Plies that the deepest iteration may have.
pub const MAX_DEPTH: u32 = 200;

/// Declares parameters: name, type, value, and the range in which a tuner may look for better ones.
macro_rules! tunable {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:expr, $low:literal..=$high:literal;)*) => {
        $($(#[$doc])*
        #[must_use]
        #[inline(always)]
        pub fn $name() -> $type {
            #[cfg(not(feature = "tunable"))]
            {
                $value
            }
            #[cfg(feature = "tunable")]
            {
                super::tuning::get(Index::$name as usize) as $type
            }
        })*

        /// All parameters that can be set, by name.
        #[cfg(feature = "tunable")]
        pub const TUNABLE: &[super::tuning::Parameter] = &[
            $(super::tuning::Parameter { name: stringify!($name), value: $value as i32, low: $low, high: $high },)*
        ];

        /// Where each stands in [`TUNABLE`].
        #[cfg(feature = "tunable")]
        #[allow(non_camel_case_types)]
        enum Index {
            $($name,)*
        }
    };
}

tunable! {
    // Aspiration.
    /// First half width of the window, in points.
    aspiration_width: Score = 12, 8..=48;

    // Pruning by evaluation.
    /// Deepest node at which a good evaluation alone is believed (reverse futility).
    rfp_depth: Depth = 538, 170..=1024;
    /// Points by which the evaluation must beat beta for each ply left.
    rfp_per_ply: Score = 48, 20..=124;
    /// Deepest node at which a bad evaluation alone is believed (razoring).
    razor_depth: Depth = 136, 53..=320;
    /// Points by which the evaluation must miss alpha: at no depth, and more for each ply left.
    razor_base: Score = 22, 20..=120;
    /// See [`razor_base`].
    razor_per_ply: Score = 29, 16..=100;
    /// Shallowest node at which passing is tried (null move).
    null_move_depth: Depth = 418, 170..=1024;
    /// Points by which the evaluation must beat beta before passing is tried.
    null_move_margin: Score = 107, 66..=400;
    /// Reduction of the search after a pass, to which a share of the depth is added.
    null_move_base: Depth = 225, 85..=512;

    // Pruning in the move loop.
    /// Moves tried at least at a node without depth (move count pruning).
    lmp_base: usize = 4, 0..=10;
    /// Thousandths of a move allowed for each ply of depth to the power 1.5.
    lmp_factor: usize = 643, 200..=1200;
    /// Hundredths of that count after which moves that make or take something are left out as well; fours never are.
    lmp_important: usize = 211, 100..=900;
    /// Deepest node at which moves that offer nothing to either side are left out.
    trivial_depth: Depth = 209, 85..=512;
    /// Deepest node at which moves that make and take nothing are left out because the evaluation is far
    /// below alpha.
    child_futility_depth: Depth = 161, 0..=640;
    /// Points by which it must be below: at no depth, and more for each ply left.
    child_futility_base: Score = 38, 0..=200;
    /// See [`child_futility_base`].
    child_futility_per_ply: Score = 18, 0..=120;

    // Reductions of late moves.
    /// Shallowest node at which late moves are reduced.
    lmr_depth: Depth = 120, 42..=256;
    /// Thousandths of a ply for each unit of ln(depth in plies) times ln(move number).
    lmr_factor: i32 = 1226, 400..=2600;
    /// More for a node whose evaluation does not rise.
    lmr_not_improving: Depth = 56, 16..=96;
    /// More at a cut node.
    lmr_cut_node: Depth = 85, 26..=160;
    /// More for a move that offers nothing to either side.
    lmr_trivial: Depth = 71, 21..=128;
    /// Depth taken from the moves after one that raised alpha.
    reduction_raised_alpha: Depth = 83, 0..=128;
    /// Least and greatest depth of a node at which [`reduction_raised_alpha`] applies.
    raised_alpha_from: Depth = 115, 0..=512;
    /// See [`raised_alpha_from`].
    raised_alpha_to: Depth = 729, 256..=1280;
    /// Hundredths of the depth that the table's entry of a PV node lacks, taken from the node.
    reduction_stale: i32 = 29, 0..=100;
    /// Most that is taken for it.
    reduction_stale_limit: Depth = 206, 64..=512;
    /// Less for a move that makes or takes something.
    lmr_important: Depth = 58, 21..=128;
    /// Less in or near the principal variation.
    lmr_pv: Depth = 62, 21..=128;
    /// History points that take a ply off (or add one).
    lmr_history: i32 = 5138, 3000..=18000;

    // Extensions.
    /// Depth taken from the table's move if others are as good and pass beta even by the singular bound.
    singular_none: Depth = 32, 0..=128;
    /// Depth taken from the table's move if others are as good and its score in the table passes beta.
    singular_negative: Depth = 23, 0..=128;
    /// Depth given for the answer to a four, against the ply that it costs.
    forced_extension: Depth = 60, 26..=160;
    /// Shallowest node at which the table's move is tested for being the only good one.
    singular_depth: Depth = 643, 149..=896;
    /// Points below the table's score that all other moves must stay, for each ply of depth.
    singular_per_ply: Score = 1, 0..=8;
    /// Depth given to a move that is the only good one.
    singular_extension: Depth = 63, 21..=128;
    /// Depth taken from a node without a move in the table.
    iir_reduction: Depth = 53, 21..=128;
    /// Shallowest node at which [`iir_reduction`] applies.
    iir_depth: Depth = 161, 106..=640;

    // History.
    /// Bonus for each ply of depth squared.
    history_bonus_square: i32 = 26, 8..=50;
    /// Bonus for each ply of depth.
    history_bonus_linear: i32 = 92, 33..=200;
    /// Largest bonus.
    history_bonus_limit: i32 = 3408, 1000..=6000;
    /// History points that weigh as much as one point of the move-ordering score.
    history_per_ordering_point: i32 = 116, 53..=320;
    /// Points added to the move-ordering score of the move that last refuted the opponent's move.
    counter_move_bonus: i32 = 18, 6..=40;
}

// Aspiration.
/// Iteration, in plies, from which the window is narrowed around the last score.
pub const ASPIRATION_FROM: u32 = 4;

// VCF.
/// Own fours in a row that are tried in quiescence search.
pub const QUIESCENCE_VCF_FOURS: u8 = 12;
/// Nodes that may be visited for [`QUIESCENCE_VCF_FOURS`].
pub const QUIESCENCE_VCF_NODES: u64 = 1000;
/// Own fours in a row that are tried before the search begins.
pub const ROOT_VCF_FOURS: u8 = 24;
/// Nodes that may be visited for [`ROOT_VCF_FOURS`].
pub const ROOT_VCF_NODES: u64 = 400_000;
/// The same for each millisecond that the move may take: a small part of what is searched in it.
pub const ROOT_VCF_NODES_PER_MS: u64 = 150;

// History.
/// Largest value of a history entry.
pub const HISTORY_LIMIT: i32 = 10_000;

// Threads.
/// Shallowest node at which a move that another thread searches is put off.
pub const DEFER_DEPTH: Depth = 2 * PLY;
/// Shallowest cut node whose first move threads search together.
pub const JOIN_DEPTH: Depth = 4 * PLY;
/// First iteration, in plies, that is shared among threads; the ones before are too short.
pub const PARALLEL_FROM: u32 = 6;
