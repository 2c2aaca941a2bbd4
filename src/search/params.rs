//! Every number of the search that a tuner may turn: name, value, unit, source.
//!
//! Read by `margins`, `clock`, `picker` and
//! `deepening`; the node itself speaks only in the words of `margins`.
//!
//! Depths are [`Depth`]s, counted in [`PLY`]ths of a ply. Unless a row says otherwise its value is a first
//! guess in the range that engines of this game use, not yet tuned by matches.

use crate::eval::Score;

/// A remaining depth, in [`PLY`]ths of a ply; 0 and below is a leaf.
pub type Depth = i32;

/// One ply.
pub const PLY: Depth = 64;

/// Plies that the deepest iteration may have.
pub const MAX_DEPTH: u32 = 200;

// Aspiration.
/// Iteration, in plies, from which the window is narrowed around the last score.
pub const ASPIRATION_FROM: u32 = 4;
/// First half width of the window, in points.
pub const ASPIRATION_WIDTH: Score = 24;

// Pruning by evaluation.
/// Deepest node at which a good evaluation alone is believed (reverse futility).
pub const FUTILITY_DEPTH: Depth = 8 * PLY;
/// Points by which the evaluation must beat beta for each ply left.
pub const FUTILITY_PER_PLY: Score = 62;
/// Deepest node at which a bad evaluation alone is believed (razoring).
pub const RAZOR_DEPTH: Depth = 2 * PLY + PLY / 2;
/// Points by which the evaluation must miss alpha: at no depth, and more for each ply left.
pub const RAZOR_BASE: Score = 60;
/// See [`RAZOR_BASE`].
pub const RAZOR_PER_PLY: Score = 50;
/// Shallowest node at which passing is tried (null move).
pub const NULL_MOVE_DEPTH: Depth = 8 * PLY;
/// Points by which the evaluation must beat beta before passing is tried.
pub const NULL_MOVE_MARGIN: Score = 200;
/// Reduction of the search after a pass.
pub const NULL_MOVE_REDUCTION: Depth = 4 * PLY;

// Pruning in the move loop.
/// Moves tried at least at a node without depth (move count pruning).
pub const MOVE_COUNT_BASE: usize = 3;
/// Thousandths of a move allowed for each ply of depth to the power 1.5.
pub const MOVE_COUNT_FACTOR: usize = 600;
/// Deepest node at which moves that offer nothing to either side are left out.
pub const TRIVIAL_DEPTH: Depth = 4 * PLY;

// Reductions of late moves.
/// Shallowest node at which late moves are reduced.
pub const REDUCTION_FROM: Depth = 2 * PLY;
/// Thousandths of a ply for each unit of ln(depth in plies) times ln(move number).
pub const REDUCTION_FACTOR: i32 = 850;
/// More for a node whose evaluation does not rise.
pub const REDUCTION_NOT_IMPROVING: Depth = PLY * 3 / 4;
/// More at an expected cut node.
pub const REDUCTION_CUT_NODE: Depth = PLY + PLY / 4;
/// More for a move that offers nothing to either side.
pub const REDUCTION_TRIVIAL: Depth = PLY;
/// Less for a move that makes or takes something.
pub const REDUCTION_IMPORTANT: Depth = PLY;
/// Less in or near the principal variation.
pub const REDUCTION_PV: Depth = PLY;
/// History points that take a ply off (or add one).
pub const REDUCTION_HISTORY: i32 = 9000;

// Extensions.
/// Depth given for the answer to a four: it costs nothing, and a little more is given on top.
pub const FORCED_EXTENSION: Depth = PLY + PLY / 4;
/// Shallowest node at which the table's move is tested for being the only good one.
pub const SINGULAR_DEPTH: Depth = 7 * PLY;
/// Points below the table's score that all other moves must stay, for each ply of depth.
pub const SINGULAR_PER_PLY: Score = 2;
/// Depth given to a move that is the only good one.
pub const SINGULAR_EXTENSION: Depth = PLY;
/// Depth taken from a node without a move in the table.
pub const NO_TABLE_MOVE_REDUCTION: Depth = PLY;
/// Shallowest node at which [`NO_TABLE_MOVE_REDUCTION`] applies.
pub const NO_TABLE_MOVE_DEPTH: Depth = 5 * PLY;

// Forced wins by fours.
/// Own fours in a row that are tried at a leaf.
pub const LEAF_FOURS: u8 = 6;
/// Positions that may be visited for [`LEAF_FOURS`].
pub const LEAF_FOURS_NODES: u64 = 128;
/// Own fours in a row that are tried before the search begins.
pub const ROOT_FOURS: u8 = 24;
/// Positions that may be visited for [`ROOT_FOURS`].
pub const ROOT_FOURS_NODES: u64 = 400_000;

// History.
/// Largest value of a history entry.
pub const HISTORY_LIMIT: i32 = 10_000;
/// Bonus for each ply of depth squared.
pub const HISTORY_BONUS_SQUARE: i32 = 25;
/// Bonus for each ply of depth.
pub const HISTORY_BONUS_LINEAR: i32 = 100;
/// Largest bonus.
pub const HISTORY_BONUS_LIMIT: i32 = 3000;
/// History points that weigh as much as one point of promise.
pub const HISTORY_PER_PROMISE: i32 = 160;
/// Promise added for the move that last refuted the opponent's move.
pub const COUNTER_MOVE_PROMISE: i32 = 20;

// Threads.
/// Shallowest node at which a move that another thread searches is put off.
pub const DEFER_DEPTH: Depth = 3 * PLY;
/// First iteration, in plies, that is shared among threads; the ones before are too short.
pub const PARALLEL_FROM: u32 = 6;
