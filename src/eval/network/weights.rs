//! The weights of the network, and the file they are kept in.

use std::sync::OnceLock;

use super::Network;
use crate::rules::{Rule, RuleSet};
use crate::shapes::CODE_COUNT;

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
/// The largest part of a feature, in either direction; a feature is the sum of two parts.
pub const PART_LIMIT: i8 = 63;
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

/// The first bytes of a file of networks.
pub const MAGIC: [u8; 8] = *b"KGTNET01";

/// The layers behind the features, as learned. Weights and biases of 1 stand as 128 unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// For each output, by feature of a region.
    pub local: [[i16; LANES]; OUTPUTS],
    /// Added to each output.
    pub local_bias: [i16; OUTPUTS],
    /// For each output, by feature of the board.
    pub board: [[i16; LANES]; OUTPUTS],
    /// For each output, by output of the regions, summed.
    pub from_local: [[i16; OUTPUTS]; OUTPUTS],
    /// Added to each output.
    pub hidden_bias: [i16; OUTPUTS],
    /// By output: halves of a point.
    pub hidden: [i16; OUTPUTS],
    /// By feature of the board: 256ths of a point for each [`FEATURE_ONE`]th.
    pub board_direct: [i16; LANES],
    /// By output of the regions, summed: 256ths of a point for each [`HIDDEN_ONE`]th.
    pub local_direct: [i16; OUTPUTS],
    /// Points.
    pub bias: i16,
    /// 256ths of the hand-made evaluation that count.
    pub by_hand: i16,
}

impl Head {
    /// A head that leaves the hand-made evaluation as it is.
    #[must_use]
    pub const fn zero() -> Head {
        Head {
            local: [[0; LANES]; OUTPUTS],
            local_bias: [0; OUTPUTS],
            board: [[0; LANES]; OUTPUTS],
            from_local: [[0; OUTPUTS]; OUTPUTS],
            hidden_bias: [0; OUTPUTS],
            hidden: [0; OUTPUTS],
            board_direct: [0; LANES],
            local_direct: [0; OUTPUTS],
            bias: 0,
            by_hand: 256,
        }
    }

    /// All numbers, in the order of the file.
    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut i16> {
        let Head { local, local_bias, board, from_local, hidden_bias, hidden, .. } = self;
        let layers = local.as_flattened_mut().iter_mut().chain(local_bias).chain(board.as_flattened_mut());
        let layers = layers.chain(from_local.as_flattened_mut()).chain(hidden_bias).chain(hidden);
        layers
            .chain(&mut self.board_direct)
            .chain(&mut self.local_direct)
            .chain([&mut self.bias, &mut self.by_hand])
    }
}

/// What is learned for one colour to move: features as it sees a point, and the layers behind them, which
/// take its own view first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// By code of the colour itself: part of a point's features.
    pub own: Box<[[i8; FEATURES]; CODE_COUNT]>,
    /// By code of the opponent: the other part.
    pub other: Box<[[i8; FEATURES]; CODE_COUNT]>,
    /// The layers.
    pub head: Head,
}

impl Side {
    /// Knows nothing.
    #[must_use]
    pub fn zero() -> Side {
        let zero = || Box::new([[0; FEATURES]; CODE_COUNT]);
        Side { own: zero(), other: zero(), head: Head::zero() }
    }
}

/// For every rule in the order of [`Rule::ALL`]: nothing, one side that serves both colours, or Black's and
/// White's.
pub type Sides = [Vec<Side>; Rule::ALL.len()];

/// The bytes of a file with these networks.
#[must_use]
pub fn to_bytes(all: &Sides) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for sides in all {
        bytes.push(sides.len() as u8);
        for side in sides {
            let features = side.own.as_flattened().iter().chain(side.other.as_flattened());
            bytes.extend(features.map(|&feature| feature as u8));
            bytes.extend(side.head.clone().numbers_mut().flat_map(|number| number.to_le_bytes()));
        }
    }
    bytes
}

/// Reads a file of networks; `None` if it is none of this version.
#[must_use]
pub fn from_bytes(bytes: &[u8]) -> Option<Sides> {
    let mut bytes = bytes.strip_prefix(&MAGIC)?.iter();
    let mut all: Sides = Default::default();
    for sides in &mut all {
        for _ in 0..*bytes.next().filter(|&&count| count <= 2)? {
            let mut side = Side::zero();
            for feature in side.own.as_flattened_mut().iter_mut().chain(side.other.as_flattened_mut()) {
                *feature = *bytes.next()? as i8;
                if !(-PART_LIMIT..=PART_LIMIT).contains(feature) {
                    return None;
                }
            }
            for number in side.head.numbers_mut() {
                *number = i16::from_le_bytes([*bytes.next()?, *bytes.next()?]);
                if !(-WEIGHT_LIMIT..=WEIGHT_LIMIT).contains(number) {
                    return None;
                }
            }
            sides.push(side);
        }
    }
    bytes.next().is_none().then_some(all)
}

type Networks = [Option<Network>; Rule::ALL.len()];

static ALL: OnceLock<Networks> = OnceLock::new();

fn networks(all: &Sides) -> Networks {
    std::array::from_fn(|index| Network::new(&all[index]))
}

/// Plays with other networks than the build has.
///
/// # Errors
/// If the build's are in use already.
#[cfg(feature = "tunable")]
pub fn replace(all: &Sides) -> Result<(), &'static str> {
    ALL.set(networks(all)).map_err(|_| "the networks are in use already")
}

/// The networks that this build has, as learned.
#[must_use]
pub fn builtin() -> Sides {
    from_bytes(include_bytes!("weights.bin")).expect("the embedded networks are of this version")
}

/// The network to play with under the rule, if there is one.
#[must_use]
pub fn of<R: RuleSet>() -> Option<&'static Network> {
    let all = ALL.get_or_init(|| networks(&builtin()));
    let index = Rule::ALL.iter().position(|&rule| rule == R::RULE).unwrap_or(0);
    all[index].as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_survive_the_file() {
        let bytes = include_bytes!("weights.bin");
        let all = from_bytes(bytes).unwrap();
        assert_eq!(to_bytes(&all), bytes);
    }

    #[test]
    fn other_files_are_refused() {
        let bytes = include_bytes!("weights.bin");
        assert!(from_bytes(&bytes[1..]).is_none(), "no magic");
        assert!(from_bytes(&bytes[..bytes.len() - 1]).is_none(), "cut short");
        assert!(from_bytes(&[&bytes[..], &[0]].concat()).is_none(), "too long");
        let mut three_sides = bytes.to_vec();
        three_sides[MAGIC.len()] = 3;
        assert!(from_bytes(&three_sides).is_none());
        // Larger numbers could overflow the sums.
        let mut side = Side::zero();
        side.head.bias = WEIGHT_LIMIT + 1;
        assert!(from_bytes(&to_bytes(&[vec![side], vec![], vec![], vec![], vec![]])).is_none());
        let mut side = Side::zero();
        side.own[7][3] = PART_LIMIT + 1;
        assert!(from_bytes(&to_bytes(&[vec![side], vec![], vec![], vec![], vec![]])).is_none());
    }

    #[test]
    fn colors_that_differ_have_a_side_each() {
        use crate::with_rule;
        for (sides, rule) in builtin().iter().zip(Rule::ALL) {
            let most = with_rule!(rule, R => if R::treats_colors_alike() { 1 } else { 2 });
            assert!(sides.is_empty() || sides.len() == most, "{rule}");
        }
    }
}
