//! The formulas over [`params`](super::params) that the search uses, one small function each.
//!
//! Depths are given and returned in 64ths of a ply, scores in points.

use super::params::*;
use crate::eval::Score;

/// log2(n) in units of 1/256, rounded down; 0 for 0. Integers only, so that pruning is the same on every machine.
const fn log2(n: u32) -> i32 {
    if n == 0 {
        return 0;
    }
    let whole = n.ilog2();
    // Mantissa in 1..2 with 31 fractional bits. Each squaring yields one more bit of the logarithm.
    let mut mantissa = (n as u64) << (31 - whole);
    let mut result = whole as i32;
    let mut bit = 0;
    while bit < 8 {
        mantissa = (mantissa * mantissa) >> 31;
        result <<= 1;
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            result |= 1;
        }
        bit += 1;
    }
    result
}

/// ln(n) in thousandths.
const fn ln(n: u32) -> i32 {
    // ln 2 = 0.693147.
    (log2(n) as i64 * 693_147 / (256 * 1000)) as i32
}

const LOG_COUNT: usize = 512;

const LN: [i32; LOG_COUNT] = {
    let mut table = [0; LOG_COUNT];
    let mut n = 1;
    while n < LOG_COUNT {
        table[n] = ln(n as u32);
        n += 1;
    }
    table
};

/// Late move reduction of the `count`-th move of a node, before adjustments for the particular move.
#[must_use]
#[inline]
pub(super) fn late_move_reduction(depth: Depth, count: usize) -> Depth {
    let plies = ((depth / PLY) as usize).min(LOG_COUNT - 1);
    let product = i64::from(LN[plies]) * i64::from(LN[count.min(LOG_COUNT - 1)]);
    (product * i64::from(lmr_factor()) * i64::from(PLY) / 1_000_000_000) as Depth
}

/// How far above beta the evaluation must be for reverse futility pruning.
#[must_use]
#[inline]
pub(super) fn rfp_margin(depth: Depth, improving: bool) -> Score {
    let depth = if improving { depth - PLY } else { depth };
    rfp_per_ply() * depth.max(0) / PLY
}

/// How far below alpha the evaluation must be for futility pruning to leave out moves that make and take nothing.
#[must_use]
#[inline]
pub(super) fn child_futility_margin(depth: Depth) -> Score {
    child_futility_base() + child_futility_per_ply() * depth / PLY
}

/// How far below alpha the evaluation must be for razoring.
#[must_use]
#[inline]
pub(super) fn razor_margin(depth: Depth) -> Score {
    razor_base() + razor_per_ply() * depth / PLY
}

/// Reduction of the search after a null move.
#[must_use]
#[inline]
pub(super) fn null_move_reduction(depth: Depth) -> Depth {
    null_move_base() + depth / null_move_divisor()
}

const POWER_COUNT: usize = 256;

/// n ^ 1.5, rounded down.
const POWER_OF_1_5: [usize; POWER_COUNT] = {
    let mut table = [0; POWER_COUNT];
    let mut n = 0;
    while n < POWER_COUNT {
        table[n] = (n * n * n).isqrt();
        n += 1;
    }
    table
};

/// Number of moves after which late move pruning leaves out the rest.
#[must_use]
#[inline]
pub(super) fn late_move_limit(depth: Depth, improving: bool) -> usize {
    let plies = ((depth.max(0) / PLY) as usize).min(POWER_COUNT - 1);
    let limit = lmp_base() + lmp_factor() * POWER_OF_1_5[plies] / 1000;
    if improving { limit } else { limit * lmp_not_improving() / 1000 }
}

/// The same for important moves, those that make or take something.
#[must_use]
#[inline]
pub(super) fn important_late_move_limit(depth: Depth, improving: bool) -> usize {
    late_move_limit(depth, improving) * lmp_important() / 100
}

/// Reduction of a PV node whose table entry is from an earlier iteration.
#[must_use]
#[inline]
pub(super) fn stale_reduction(depth: Depth, entry_depth: Depth) -> Depth {
    ((depth - entry_depth) * reduction_stale() / 100).clamp(0, reduction_stale_limit()).min(depth - 1)
}

/// Reduction of the moves that follow one that raised alpha.
#[must_use]
#[inline]
pub(super) fn raised_alpha_reduction(depth: Depth) -> Depth {
    if (raised_alpha_from()..raised_alpha_to()).contains(&depth) { reduction_raised_alpha() } else { 0 }
}

/// The score that all other moves must stay below for the table's move to be singular.
#[must_use]
#[inline]
pub(super) fn singular_bound(table_score: Score, depth: Depth) -> Score {
    table_score - singular_per_ply() * depth / PLY
}

/// Whether the node and its table entry are deep enough to test the table's move for being singular.
#[must_use]
#[inline]
pub(super) fn is_singular_candidate(depth: Depth, entry_depth: Depth) -> bool {
    depth >= singular_depth() && entry_depth >= depth - singular_entry_lag()
}

/// Depth of the search of all moves but the table's.
#[must_use]
#[inline]
pub(super) fn singular_test_depth(depth: Depth) -> Depth {
    (depth - PLY) * singular_depth_share() / 100
}

/// Half width of the aspiration window that follows a failed one of this half width.
#[must_use]
pub(super) fn widened(width: Score) -> Score {
    width + width * aspiration_growth() / 100 + aspiration_step()
}

/// By how much the depth of the `count`-th root move is reduced at first.
#[must_use]
pub(super) fn root_reduction(depth: Depth, count: usize) -> Depth {
    if count <= root_full_depth_moves() {
        0
    } else {
        (late_move_reduction(depth, count) - PLY).clamp(0, depth - PLY)
    }
}

/// Bonus in the history for a move that caused a cutoff.
#[must_use]
#[inline]
pub(super) fn history_bonus(depth: Depth) -> i32 {
    let plies = (depth / PLY).clamp(1, HISTORY_PLIES);
    (history_bonus_square() * plies * plies + history_bonus_linear() * plies).min(history_bonus_limit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_half_a_percent() {
        for (n, &found) in LN.iter().enumerate().skip(2) {
            let exact = (n as f64).ln() * 1000.0;
            assert!((f64::from(found) - exact).abs() < 4.0, "ln({n}) = {found} and not {exact}");
        }
    }

    #[test]
    fn reductions_leave_some_depth() {
        for depth in (16..40 * PLY).step_by(16) {
            assert!(raised_alpha_reduction(depth) < depth);
            for entry_depth in (0..=depth + PLY).step_by(16) {
                let reduced = depth - stale_reduction(depth, entry_depth);
                assert!((1..=depth).contains(&reduced), "{depth} with an entry of {entry_depth}");
            }
        }
    }

    #[test]
    fn margins_grow_with_depth() {
        for depth in (PLY..40 * PLY).step_by(PLY as usize) {
            assert!(rfp_margin(depth + PLY, false) > rfp_margin(depth, false));
            assert!(late_move_limit(depth + PLY, true) >= late_move_limit(depth, true));
            assert!(late_move_reduction(depth + PLY, 20) >= late_move_reduction(depth, 20));
            assert!(late_move_reduction(depth, 21) >= late_move_reduction(depth, 20));
            assert!(history_bonus(depth + PLY) >= history_bonus(depth));
        }
    }
}
