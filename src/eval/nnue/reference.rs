//! The reference implementation of the network: its definition in plain scalar integer arithmetic.
//!
//! It shares with the fast implementation the weights, the dimensions and shifts, the shape codes of the position, and
//! the definitions of buckets, regions and lines and of which points count. It shares no arithmetic: it keeps no sums
//! from move to move, packs no lanes and uses no vectors.

use super::buckets::{BUCKETS, bucket};
use super::dims::{
    BOARD_SHIFT, FEATURE_ONE, FEATURES, FRACTION_BITS, HIDDEN_ONE, LANES, LOCAL_SHIFT, OUTPUTS, REGIONS_SHIFT,
};
use super::lines::{line_of, sides};
use super::regions::{REGIONS, has_features, region};
use super::weights::{FeatureWeights, Head, NnueWeights};
use crate::board::{ByColor, Color, Direction};
use crate::eval::score::{MAX_EVAL, Score};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::{Code, Tables};

/// The evaluation of a position for the side to move, given the hand-crafted evaluation.
pub(super) fn evaluate<R: RuleSet>(
    weights: &NnueWeights,
    position: &Position<R>,
    hand_crafted: Score,
) -> Score {
    let heads = &weights.heads[R::RULE.index()];
    // The same heads serve both colours where the rule treats them alike.
    let of_color = match position.to_move() {
        Color::Black => &heads[..BUCKETS],
        Color::White => &heads[heads.len() - BUCKETS..],
    };
    let head = &of_color[bucket(position.stones())];
    let share = (i64::from(head.hce_share) * i64::from(hand_crafted)) >> FRACTION_BITS;
    let points = share + output(head, &region_sums(&weights.features, position));
    points.clamp((-MAX_EVAL).into(), MAX_EVAL.into()) as Score
}

/// The features of all points, summed by region: first from the side to move's perspective, then from the other side's.
fn region_sums<R: RuleSet>(weights: &FeatureWeights, position: &Position<R>) -> [[i64; LANES]; REGIONS] {
    let (own, free) = (position.to_move(), Tables::of::<R>().free_codes());
    let mut sums = [[0; LANES]; REGIONS];
    for point in position.empty_points() {
        let codes = ByColor::from_fn(|color| position.map().code(point, color));
        if !has_features(codes, free) {
            continue;
        }
        let stones = position.stones();
        let lines = |color| Direction::ALL.map(|direction| line_of(sides(stones, point, direction, color)));
        let sums = &mut sums[region(point, position.stones().size())];
        for n in 0..FEATURES {
            sums[n] += feature(weights, codes[own], codes[!own], n, lines(own));
            sums[FEATURES + n] += feature(weights, codes[!own], codes[own], n, lines(!own));
        }
    }
    sums
}

/// One feature of a point, given its codes for the perspective colour and for that colour's opponent, and its lines as
/// the perspective colour sees them.
fn feature(weights: &FeatureWeights, own: Code, other: Code, n: usize, lines: [usize; 4]) -> i64 {
    let codes = i64::from(weights.own[usize::from(own)][n]) + i64::from(weights.other[usize::from(other)][n]);
    let sum = codes + lines.iter().map(|&line| i64::from(weights.lines[line][n])).sum::<i64>();
    sum.clamp(0, FEATURE_ONE.into())
}

/// The output of the layers for these sums, in points.
fn output(head: &Head, sums: &[[i64; LANES]; REGIONS]) -> i64 {
    let clipped_relu = |sum: i64| sum.clamp(0, HIDDEN_ONE.into());
    let mut board = [0; LANES];
    let mut local = [0; OUTPUTS];
    for region in sums {
        for n in 0..LANES {
            board[n] += region[n];
        }
        for (n, local) in local.iter_mut().enumerate() {
            let sum = product(&head.local[n], region) >> LOCAL_SHIFT;
            *local += clipped_relu(sum + i64::from(head.local_bias[n]));
        }
    }
    let hidden: [i64; OUTPUTS] = std::array::from_fn(|n| {
        let of_board = product(&head.board[n], &board) >> BOARD_SHIFT;
        let of_regions = product(&head.from_local[n], &local) >> REGIONS_SHIFT;
        clipped_relu(of_board + of_regions + i64::from(head.hidden_bias[n]))
    });
    let direct = product(&head.board_direct, &board) + product(&head.local_direct, &local);
    ((product(&head.hidden, &hidden) + direct) >> FRACTION_BITS) + i64::from(head.bias)
}

/// The scalar product.
fn product<const N: usize>(weights: &[i16; N], inputs: &[i64; N]) -> i64 {
    weights.iter().zip(inputs).map(|(&weight, input)| i64::from(weight) * input).sum()
}
