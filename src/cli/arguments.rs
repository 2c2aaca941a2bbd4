//! Values that several subcommands take.

use std::str::FromStr;

use clap::ValueEnum;

use crate::board::{MAX_SIDE, MIN_SIDE, Size};
use crate::engine::DEFAULT_MEMORY;
use crate::formats::point_names::Rows;

/// The edge of the board from which rows are counted, as the option `--rows` names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Edge {
    /// As players and books do: a1 is the lower left corner
    #[default]
    Bottom,
    /// As Gomocup and its managers do: a1 is the upper left corner
    Top,
}

impl From<Edge> for Rows {
    fn from(edge: Edge) -> Rows {
        match edge {
            Edge::Bottom => Rows::FromBottom,
            Edge::Top => Rows::FromTop,
        }
    }
}

/// The value of `--rows` that counts from this edge.
pub(super) fn edge_name(rows: Rows) -> &'static str {
    match rows {
        Rows::FromBottom => "bottom",
        Rows::FromTop => "top",
    }
}

/// Bytes in what the options call an MB.
pub(super) const MEGABYTE: u64 = 1 << 20;

/// The default memory of the process, in MB.
pub(super) const DEFAULT_MEGABYTES: u32 = (DEFAULT_MEMORY / MEGABYTE) as u32;

/// Most stones of a random opening.
const MOST_STONES: u64 = 12;

/// `15` or `15x20`, not too small to be played on.
pub(super) fn parse_size(text: &str) -> Result<Size, String> {
    let size = text.parse().ok().filter(|size: &Size| size.width().min(size.height()) >= MIN_SIDE);
    size.ok_or_else(|| {
        format!("a board is a side such as 15, or such as 15x20, from {MIN_SIDE} to {MAX_SIDE}")
    })
}

/// `3-7` or `5`.
pub(super) fn parse_stones(text: &str) -> Result<(usize, usize), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let parse = |text: &str| text.parse::<u64>().ok().filter(|count| (1..=MOST_STONES).contains(count));
    match (parse(least), parse(most)) {
        (Some(least), Some(most)) if least <= most => Ok((least as usize, most as usize)),
        _ => Err(format!("two numbers from 1 to {MOST_STONES} such as 3-7")),
    }
}

/// A number of things, at least one.
pub(super) fn parse_positive(text: &str) -> Result<usize, String> {
    let number: usize = text.parse().map_err(|_| "expected a number".to_owned())?;
    if number > 0 { Ok(number) } else { Err("must be at least 1".to_owned()) }
}

/// `0.5`: a share, from 0 to 1.
pub(super) fn parse_share<F: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<F, String> {
    let share = text.parse().ok().filter(|share| (F::from(0)..=F::from(1)).contains(share));
    share.ok_or_else(|| "a number from 0 to 1".to_owned())
}

/// The number of cores that may be used.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The seed asked for, or a random one that is short enough to be typed again.
pub(super) fn seed_or_random(seed: Option<u64>) -> u64 {
    seed.unwrap_or_else(|| {
        // Hash maps of the standard library are seeded by the system.
        use std::hash::{BuildHasher, RandomState};
        RandomState::new().hash_one(std::process::id()) >> 32
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_ranges_are_read() {
        assert_eq!(parse_size("15"), Ok(Size::square(15)));
        assert_eq!(parse_size("5X22"), Ok(Size::new(5, 22).unwrap()));
        assert!(["4", "23", "15x", "x15", "15x4", "a", ""].iter().all(|text| parse_size(text).is_err()));
        assert_eq!(parse_stones("3-7"), Ok((3, 7)));
        assert_eq!(parse_stones("5"), Ok((5, 5)));
        assert!(["7-3", "0-3", "3-13", "-3", "", "a-b"].iter().all(|text| parse_stones(text).is_err()));
        assert_eq!(["0", "0.25", "1"].map(parse_share::<f32>), [Ok(0.0), Ok(0.25), Ok(1.0)]);
        assert!(["-0.1", "1.1", "nan", "inf", "", "x"].iter().all(|text| parse_share::<f64>(text).is_err()));
    }
}
