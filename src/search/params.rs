//! Every tunable number of the search, one row each: name, value, unit, range and source. The formulas that use them
//! are in `margins`, `selectivity`, `clock`, `deepening` and the tables of `history` and `correction`, which keeps
//! arithmetic out of the search itself.
//!
//! What `tunable!` declares is a constant in an ordinary build. With the feature `tunable` it can be set by name,
//! separately for each thread: `kagetsu play --set lmr_factor=900` tries a value, and `kagetsu spsa` looks for better
//! ones by playing games. The other numbers are plain constants. Either games with a fixed number of nodes cannot
//! measure them, because they share out time or work among threads, or they have no values in between worth trying.
//!
//! Depths are [`Depth`]s, counted in [`PLY`]ths of a ply. Scores are in evaluation points. The sources:
//!
//! - "SPSA": the 42 parameters that existed on 2026-11-23, tuned together with 15,000 nodes a move over 3,900 pairs of
//!   games, within the ranges given here.
//! - "SPSA 100k": these 34, tuned together once more on 2026-11-27, with 100,000 nodes a move over 3,000 pairs.
//! - "by hand": chosen when the search was written; all others were tuned around it.
//! - A date stands for the match or measurement of that day in `docs/experiments.md`, which also lists the values that
//!   were tried and not kept.

use std::time::Duration;

use crate::eval::Score;

/// A remaining depth, in [`PLY`]ths of a ply; at 0 and below the quiescence search takes over.
pub(crate) type Depth = i32;

/// One ply.
pub(crate) const PLY: Depth = 64;

/// Depth of the deepest iteration, in plies.
pub(crate) const MAX_DEPTH: u32 = 200;

/// A parameter that a tuner may change.
#[cfg(feature = "tunable")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// The name, as in `kagetsu play --set NAME=VALUE`.
    pub name: &'static str,
    /// The value in an ordinary build.
    pub value: i32,
    /// The smallest value worth trying.
    pub low: i32,
    /// The largest value worth trying.
    pub high: i32,
}

/// Declares parameters: name, type, value, the range in which a tuner may look for better ones, unit, and source.
macro_rules! tunable {
    ($($(#[$doc:meta])*
       $name:ident: $type:ty = $value:literal, $low:literal..=$high:literal, $unit:literal, $source:literal;)*) => {
        $($(#[$doc])*
        #[doc = ""]
        #[doc = concat!("In ", $unit, ", ", $low, " to ", $high, ". Source: ", $source, ".")]
        #[must_use]
        #[inline(always)]
        pub(crate) fn $name() -> $type {
            #[cfg(not(feature = "tunable"))]
            {
                $value
            }
            #[cfg(feature = "tunable")]
            {
                super::param_overrides::get(Index::$name as usize).map_or($value, |value| value as $type)
            }
        })*

        /// All parameters that can be set, by name.
        #[cfg(feature = "tunable")]
        pub(crate) const TUNABLE: &[Parameter] = &[
            $(Parameter { name: stringify!($name), value: $value, low: $low, high: $high },)*
        ];

        /// The index of each parameter in [`TUNABLE`].
        #[cfg(feature = "tunable")]
        #[allow(non_camel_case_types)]
        enum Index {
            $($name,)*
        }
    };
}

#[cfg(feature = "tunable")]
const _: () = assert!(TUNABLE.len() <= super::param_overrides::CAPACITY);

tunable! {
    // Aspiration windows: https://www.chessprogramming.org/Aspiration_Windows
    /// Half the width of an iteration's first window.
    aspiration_width: Score = 12, 8..=48, "points", "SPSA";
    /// Growth of a window that failed, as a share of its half width.
    aspiration_growth: Score = 50, 20..=200, "percent", "by hand";
    /// Growth of a window that failed, on top of [`aspiration_growth`].
    aspiration_step: Score = 4, 0..=20, "points", "by hand";

    // Reverse futility pruning (RFP): https://www.chessprogramming.org/Reverse_Futility_Pruning
    /// Depth below which RFP applies.
    rfp_depth: Depth = 439, 170..=1024, "64ths of a ply", "SPSA 100k";
    /// Margin by which the evaluation must exceed beta, for each ply left.
    rfp_per_ply: Score = 47, 20..=124, "points", "SPSA 100k";

    // Razoring: https://www.chessprogramming.org/Razoring
    /// Depth below which razoring applies.
    razor_depth: Depth = 158, 53..=320, "64ths of a ply", "SPSA 100k";
    /// Margin by which the evaluation must be below alpha, at depth 0.
    razor_base: Score = 22, 20..=120, "points", "SPSA";
    /// Further margin for each ply left.
    razor_per_ply: Score = 29, 16..=100, "points", "SPSA";

    // Null move pruning: https://www.chessprogramming.org/Null_Move_Pruning
    /// Shallowest node at which a null move is tried.
    null_move_depth: Depth = 422, 170..=1024, "64ths of a ply", "SPSA 100k";
    /// Margin by which the evaluation must exceed beta before a null move is tried.
    null_move_margin: Score = 114, 66..=400, "points", "SPSA 100k";
    /// Reduction of the search after a null move, at depth 0.
    null_move_base: Depth = 184, 85..=512, "64ths of a ply", "SPSA 100k";
    /// Depth that adds one more ply to that reduction.
    null_move_divisor: Depth = 7, 3..=15, "plies", "SPSA 100k";

    // Late move pruning (LMP), also called move count based pruning:
    // https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning
    /// Moves allowed at depth 0.
    lmp_base: usize = 4, 0..=10, "moves", "SPSA 100k";
    /// Further moves, for each unit of the depth in plies to the power 1.5.
    lmp_factor: usize = 736, 200..=1200, "thousandths of a move", "SPSA 100k";
    /// Share of that count at a node that is not improving.
    lmp_not_improving: usize = 647, 300..=1000, "thousandths", "SPSA 100k";
    /// Share of that count after which moves that make or take something are left out as well; fours never are.
    lmp_important: usize = 282, 100..=900, "percent", "SPSA 100k";
    /// Depth below which moves that offer nothing to either side are left out.
    trivial_depth: Depth = 156, 85..=512, "64ths of a ply", "SPSA 100k";

    // Futility pruning: https://www.chessprogramming.org/Futility_Pruning
    /// Depth below which moves that make and take nothing are left out if the evaluation is far below alpha.
    child_futility_depth: Depth = 128, 0..=640, "64ths of a ply", "SPSA 100k";
    /// Margin by which the evaluation must be below alpha for that, at depth 0.
    child_futility_base: Score = 39, 0..=200, "points", "SPSA 100k";
    /// Further margin for each ply left.
    child_futility_per_ply: Score = 14, 0..=120, "points", "SPSA 100k";

    // Late move reductions (LMR): https://www.chessprogramming.org/Late_Move_Reductions
    /// Shallowest node at which late moves are reduced.
    lmr_depth: Depth = 92, 42..=256, "64ths of a ply", "SPSA 100k";
    /// Reduction for each unit of ln(depth in plies) times ln(move number).
    lmr_factor: i32 = 1141, 400..=2600, "thousandths of a ply", "SPSA 100k";
    /// Added to the reduction at a node that is not improving.
    lmr_not_improving: Depth = 69, 16..=96, "64ths of a ply", "SPSA 100k";
    /// Added to the reduction at a cut node.
    lmr_cut_node: Depth = 93, 26..=160, "64ths of a ply", "SPSA 100k";
    /// Added to the reduction of a move that offers nothing to either side.
    lmr_trivial: Depth = 69, 21..=128, "64ths of a ply", "SPSA 100k";
    /// Taken off the reduction of a move that makes or takes something.
    lmr_important: Depth = 49, 21..=128, "64ths of a ply", "SPSA 100k";
    /// Taken off the reduction at a node that is, or once was, a PV node.
    lmr_pv: Depth = 55, 21..=128, "64ths of a ply", "SPSA 100k";
    /// History that takes one ply off the reduction (or adds one, if it is negative).
    lmr_history: i32 = 5731, 3000..=18000, "points of history", "SPSA 100k";
    /// How many of the first root moves are searched without reduction.
    root_full_depth_moves: usize = 3, 1..=10, "moves", "by hand";

    // Other reductions.
    /// Reduction of the moves that follow one that raised alpha.
    reduction_raised_alpha: Depth = 104, 0..=128, "64ths of a ply", "SPSA 100k";
    /// Shallowest node at which [`reduction_raised_alpha`] applies.
    raised_alpha_from: Depth = 115, 0..=512, "64ths of a ply", "SPSA";
    /// Depth from which it no longer applies.
    raised_alpha_to: Depth = 664, 256..=1280, "64ths of a ply", "SPSA 100k";
    /// Reduction of a PV node, as a share of the depth by which its table entry is too shallow.
    reduction_stale: i32 = 33, 0..=100, "percent", "SPSA 100k";
    /// Largest such reduction.
    reduction_stale_limit: Depth = 206, 64..=512, "64ths of a ply", "SPSA";

    // Internal iterative reductions (IIR): https://www.chessprogramming.org/Internal_Iterative_Reductions
    /// Reduction of a node without a table move.
    iir_reduction: Depth = 71, 21..=128, "64ths of a ply", "SPSA 100k";
    /// Shallowest node at which it applies.
    iir_depth: Depth = 132, 106..=640, "64ths of a ply", "SPSA 100k";

    // Singular extensions: https://www.chessprogramming.org/Singular_Extensions
    /// Shallowest node at which the table's move is tested for being the only good one.
    singular_depth: Depth = 704, 149..=896, "64ths of a ply", "SPSA 100k";
    /// How much shallower than the node its table entry may be for the test.
    singular_entry_lag: Depth = 192, 64..=384, "64ths of a ply", "by hand";
    /// Depth of the test, as a share of the depth of a child.
    singular_depth_share: Depth = 50, 25..=75, "percent", "by hand";
    /// How far below the table's score all other moves must stay, for each ply of depth.
    singular_per_ply: Score = 2, 0..=8, "points", "SPSA 100k";
    /// Extension of a move that is the only good one.
    singular_extension: Depth = 61, 21..=128, "64ths of a ply", "SPSA 100k";
    /// Reduction of the table's move if others are as good and the singular bound itself reaches beta.
    singular_bound_cut: Depth = 35, 0..=128, "64ths of a ply", "SPSA 100k";
    /// Reduction of the table's move if others are as good and its score in the table reaches beta.
    singular_score_cut: Depth = 37, 0..=128, "64ths of a ply", "SPSA 100k";

    // Other extensions: https://www.chessprogramming.org/Extensions
    /// Extension for the answer to a four, against the ply that it costs.
    forced_extension: Depth = 39, 26..=160, "64ths of a ply", "SPSA 100k";

    // History heuristic: https://www.chessprogramming.org/History_Heuristic
    /// Weight of the square of the depth in plies in the bonus.
    history_bonus_square: i32 = 26, 8..=50, "points of history", "SPSA";
    /// Weight of the depth in plies in the bonus.
    history_bonus_linear: i32 = 92, 33..=200, "points of history", "SPSA";
    /// Largest bonus.
    history_bonus_limit: i32 = 3408, 1000..=6000, "points of history", "SPSA";
    /// History that weighs as much as one point of the move-ordering score.
    history_per_ordering_point: i32 = 116, 53..=320, "points of history", "SPSA";
    /// Bonus of the counter move in move ordering.
    counter_move_bonus: i32 = 18, 6..=40, "points of the move-ordering score", "SPSA";

    // Correction history: https://www.chessprogramming.org/Static_Evaluation_Correction_History
    /// Largest correction by what was found with the same stones of one colour; both colours count.
    correction_by_stones: Score = 8, 0..=64, "points", "2026-11-26";
    /// Largest correction by what was found after the same two moves.
    correction_by_moves: Score = 32, 0..=128, "points", "2026-11-26";
    /// What a search adds for each point of difference and each ply of its depth.
    correction_rate: i32 = 8, 1..=32, "8192nds of the largest correction", "2026-11-26";
}

// History.
/// Largest value of a history entry, in points of history; 2,000 to 16,000. By hand.
pub(crate) const HISTORY_LIMIT: i32 = 10_000;
/// Depth beyond which the bonus of a cutoff grows no further, in plies; 8 to 64. By hand.
pub(crate) const HISTORY_PLIES: i32 = 32;
/// Most moves of a node that lose history when a later one causes a cutoff; 16 to 128. By hand.
pub(crate) const TRIED_MOVES: usize = 64;

// Correction history.
/// Largest value of an entry, which stands for the largest correction. By hand.
pub(crate) const CORRECTION_LIMIT: i32 = 8192;
/// Entries for each aspect of a position; 2^12 to 2^18. By hand.
pub(crate) const CORRECTION_SLOTS: usize = 1 << 15;
/// Depth beyond which a search counts no more than at this depth, in plies; 8 to 32. By hand.
pub(crate) const CORRECTION_PLIES: i32 = 16;

// Aspiration windows.
/// Iteration from which the window is narrowed around the last score, in plies; 2 to 8. By hand.
pub(crate) const ASPIRATION_FROM: u32 = 4;
/// Half width beyond which a window is opened fully, in points; 200 to 5,000. By hand.
pub(crate) const ASPIRATION_LIMIT: Score = 1000;

// VCF.
/// Most own fours in a row that are tried in quiescence search; 3 to 15. 2026-11-23.
pub(crate) const QUIESCENCE_VCF_FOURS: u8 = 12;
/// Nodes that such a search may visit; 24 to 1,000. 2026-11-23.
pub(crate) const QUIESCENCE_VCF_NODES: u64 = 1000;
/// How far apart in either direction two fours of such a search may lie, and how far on one line. By hand.
pub(crate) const VCF_NEAR: usize = 2;
pub(crate) const VCF_NEAR_ON_LINE: usize = 4;
/// Most own fours in a row that are tried before the search begins; 12 to 60. By hand.
pub(crate) const ROOT_VCF_FOURS: u8 = 24;
/// Nodes that this search may visit; 50,000 to 2,000,000. By hand.
pub(crate) const ROOT_VCF_NODES: u64 = 400_000;
/// Nodes that it may visit for each millisecond of the move; 50 to 500. 2026-11-21: a small part of the nodes searched
/// in that time.
pub(crate) const ROOT_VCF_NODES_PER_MS: u64 = 150;
/// Where nodes are limited, it may visit one in this many of them; 4 to 32. By hand.
pub(crate) const ROOT_VCF_DIVISOR: u64 = 8;

// Iterative deepening.
/// Iterations that are still searched after a forced win or loss was found, to look for a faster win or a longer
/// defence; 0 to 10. By hand.
pub(crate) const ITERATIONS_AFTER_DECISION: u32 = 4;

// Balanced moves.
/// First moves of a pair that are tried; 8 to 60. By hand.
pub(crate) const PAIR_FIRST: usize = 24;
/// Second moves tried for each first one; 8 to 60. By hand.
pub(crate) const PAIR_SECOND: usize = 16;
/// Greatest depth to which each move or pair is searched if time allows, in plies; 8 to 30. By hand.
pub(crate) const BALANCE_DEPTH: u32 = 16;
/// Moves or pairs that are always kept, whatever the depth; 2 to 16. By hand.
pub(crate) const BALANCE_KEPT: usize = 4;
/// How much further the best move is searched than the others, in plies; 2 to 6. By hand.
pub(crate) const BALANCE_AHEAD: u32 = 4;
/// Where no score is nearer to the one asked for, moves or pairs that were dropped come back, in points; 10 to 100. By
/// hand.
pub(crate) const BALANCE_NEAR: Score = 25;
/// How many of them come back at a time; 1 to 8. By hand.
pub(crate) const BALANCE_BACK: usize = 2;

// Threads.
/// Shallowest node at which a move that another thread is searching is deferred; 1 to 8 plies. 2026-11-23.
pub(crate) const DEFER_DEPTH: Depth = 2 * PLY;
/// Shallowest cut node whose first move several threads search together; 2 to 8 plies. 2026-11-23.
pub(crate) const JOIN_DEPTH: Depth = 4 * PLY;
/// First iteration that is shared among threads, in plies; earlier ones are too short. 3 to 8. 2026-11-22.
pub(crate) const PARALLEL_FROM: u32 = 6;
/// Most threads that search one iteration together; 8 to 16. With more, most of what they search would be what one
/// thread does not need, so the others search the next iteration ahead of time. 2026-11-27.
pub(crate) const TOGETHER: usize = 12;
/// Most moves that a node can defer; 8 to 64. By hand.
pub(crate) const DEFERRED_MOVES: usize = 32;
/// Slots of the deferral table, a power of two; 2^8 to 2^16. By hand.
pub(crate) const DEFERRAL_SLOTS: usize = 1 << 12;

// Transposition table.
/// How much an entry loses against newer ones for each search since it was stored, in plies of depth; 1 to 10. By hand.
pub(crate) const TABLE_AGE: i32 = 4;
/// How much shallower than an entry of this search a new one may be and still replace it; 0 to 6 plies. By hand.
pub(crate) const TABLE_REPLACE_DEPTH: Depth = 2 * PLY;

// Checks of the clock and of the other threads.
/// Most nodes between two checks; 64 to 4,096. By hand.
pub(crate) const CHECK_INTERVAL: u64 = 512;
/// The same with several threads: no more nodes should go into what another thread has settled meanwhile; 16 to 512.
/// 2026-11-23.
pub(crate) const SHARED_CHECK_INTERVAL: u64 = 64;
/// Nodes between the first checks; 1 to 64. Fresh memory of the table can cost milliseconds a page, so the interval
/// grows only as nodes turn out to be quick. By hand.
pub(crate) const FIRST_CHECK_INTERVAL: u64 = 8;
/// Longest time between two checks, which keeps the interval short where nodes are slow; 100 to 2,000 microseconds. By
/// hand.
pub(crate) const CHECK_TIME: Duration = Duration::from_micros(500);

// The clock: https://www.chessprogramming.org/Time_Management
/// Time for a move when nothing at all limits it; 1 to 30 s. By hand.
pub(crate) const DEFAULT_TURN: Duration = Duration::from_secs(5);
/// Kept back for the answer to reach the manager, whatever the limit; 10 to 100 ms. By hand.
pub(crate) const RESERVE: Duration = Duration::from_millis(20);
/// Kept back in addition, as a part of the limit (a two-hundredth), since long limits come with slow managers; 50 to
/// 500. By hand.
pub(crate) const RESERVE_PART: u32 = 200;
/// Most that is kept back in addition; 20 to 200 ms. By hand.
pub(crate) const RESERVE_PART_LIMIT: Duration = Duration::from_millis(50);
/// Most that is kept back of a tiny limit, in fifths of it; 1 to 3. By hand.
pub(crate) const TINY_RESERVE_FIFTHS: u32 = 2;
/// A move gets at most this part of the time that is left for the game (a seventh) and the increment, and more only
/// where the board has room for fewer own moves; 4 to 12. 2026-11-23.
pub(crate) const HARD_PART: u32 = 7;
/// Time is planned as if the game had at most this many own moves left; 15 to 30. 2026-11-23.
pub(crate) const HORIZON: u32 = 22;
/// A time limit per move counts as affordable for every move if this many such moves fit in the time left; 30 to 200.
/// By hand.
pub(crate) const AMPLE_MOVES: u32 = 64;
/// Share of the hard limit after which no new iteration is begun, in percent; 50 to 100. 2026-11-23.
pub(crate) const LAST_START: u32 = 90;
/// Share of the planned time to use when the best move has just changed, in percent; 100 to 200. 2026-11-23.
pub(crate) const UNSTEADY_SHARE: u32 = 130;
/// Taken from that share for each iteration since the change, in percent; 5 to 20. 2026-11-23.
pub(crate) const STEADY_STEP: u32 = 10;
/// Most iterations for which it is taken; 3 to 10. 2026-11-23.
pub(crate) const STEADY_LIMIT: u32 = 6;
/// Share of the planned time to use when the best move took none of the nodes, in percent; 100 to 200. 2026-11-23.
pub(crate) const EFFORTLESS_SHARE: u32 = 150;
/// Taken from that share when the best move took all of the nodes, in percent; 30 to 140. 2026-11-23.
pub(crate) const EFFORT_WEIGHT: u32 = 70;
/// Largest fall of the score that still stretches the planned time, in points, each of which is worth a percent; 50 to
/// 200. 2026-11-23.
pub(crate) const FALL_LIMIT: i32 = 100;
