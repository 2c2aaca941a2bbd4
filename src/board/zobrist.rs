//! Zobrist keys of stones, dead cells and the side to move, computed from a fixed seed at compile time.

use super::color::Color;
use super::point::{POINT_COUNT, Point, Size};

/// Any odd number works; this is the golden ratio in 64 bits, the usual step of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The `n`-th number of the SplitMix64 sequence (Steele, Lea and Flood, 2014).
const fn random(n: u64) -> u64 {
    let mut z = (n + 1).wrapping_mul(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys(series: u64) -> [u64; POINT_COUNT] {
    let mut keys = [0; POINT_COUNT];
    let mut n = 0;
    while n < POINT_COUNT {
        keys[n] = random(series * POINT_COUNT as u64 + n as u64);
        n += 1;
    }
    keys
}

static STONE: [[u64; POINT_COUNT]; 2] = [keys(0), keys(1)];
static DEAD: [u64; POINT_COUNT] = keys(2);

/// The key that is in the hash while White is to move.
pub const WHITE_TO_MOVE: u64 = random(1 << 20);

/// The key of a stone.
#[must_use]
#[inline]
pub fn stone(color: Color, point: Point) -> u64 {
    STONE[color.index()][point.index()]
}

/// The key of a dead cell.
#[must_use]
#[inline]
pub fn dead(point: Point) -> u64 {
    DEAD[point.index()]
}

/// A key for anything else that distinguishes positions, such as the rule in force.
#[must_use]
#[inline]
pub const fn extra(n: u64) -> u64 {
    random((1 << 21) + n)
}

/// A key for the rule of this number on a board of this size.
#[must_use]
pub const fn variant(rule: u8, size: Size) -> u64 {
    extra(((rule as u64) << 16 | (size.width() as u64) << 8 | size.height() as u64) + (1 << 20))
}

/// Maps a key to one of `count` places. Keys are spread evenly, and `count` need not be a power of two.
#[must_use]
#[inline]
pub const fn place_of(key: u64, count: usize) -> usize {
    ((key as u128 * count as u128) >> 64) as usize
}
