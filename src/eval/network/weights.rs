//! The weights of the network, and the file they are kept in.

use std::sync::{Arc, OnceLock};

use super::{Looks, Network};
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
pub const MAGIC: [u8; 8] = *b"KGTNET02";

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

/// The parts of features that all rules and both colours share, by what a point looks like to a colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// By code of the colour itself.
    pub own: Box<[[i8; FEATURES]; CODE_COUNT]>,
    /// By code of the opponent.
    pub other: Box<[[i8; FEATURES]; CODE_COUNT]>,
}

impl Parts {
    /// Nothing has any features.
    #[must_use]
    pub fn zero() -> Parts {
        let codes = || Box::new([[0; FEATURES]; CODE_COUNT]);
        Parts { own: codes(), other: codes() }
    }

    /// All numbers, in the order of the file.
    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut i8> {
        self.own.as_flattened_mut().iter_mut().chain(self.other.as_flattened_mut())
    }
}

/// All that is learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// What a point looks like.
    pub parts: Parts,
    /// By [`Rule::index`]: nothing, one head that serves both colours to move, or Black's and White's.
    pub heads: [Vec<Head>; Rule::ALL.len()],
}

impl Weights {
    /// The bytes of a file with these weights.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.parts.clone().numbers_mut().map(|part| *part as u8));
        for heads in &self.heads {
            bytes.push(heads.len() as u8);
            for head in heads {
                bytes.extend(head.clone().numbers_mut().flat_map(|number| number.to_le_bytes()));
            }
        }
        bytes
    }

    /// Reads a file of weights; `None` if it is none of this version.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Weights> {
        let mut bytes = bytes.strip_prefix(&MAGIC)?.iter();
        let mut parts = Parts::zero();
        for part in parts.numbers_mut() {
            *part = *bytes.next()? as i8;
            if !(-PART_LIMIT..=PART_LIMIT).contains(part) {
                return None;
            }
        }
        let mut heads: [Vec<Head>; Rule::ALL.len()] = Default::default();
        for heads in &mut heads {
            for _ in 0..*bytes.next().filter(|&&count| count <= 2)? {
                let mut head = Head::zero();
                for number in head.numbers_mut() {
                    *number = i16::from_le_bytes([*bytes.next()?, *bytes.next()?]);
                    if !(-WEIGHT_LIMIT..=WEIGHT_LIMIT).contains(number) {
                        return None;
                    }
                }
                heads.push(head);
            }
        }
        bytes.next().is_none().then_some(Weights { parts, heads })
    }
}

type Networks = [Option<Network>; Rule::ALL.len()];

static ALL: OnceLock<Networks> = OnceLock::new();

fn networks(weights: &Weights) -> Networks {
    let looks = Arc::new(Looks::new(&weights.parts));
    weights.heads.each_ref().map(|heads| Network::new(&looks, heads))
}

/// Plays with other weights than the build has.
///
/// # Errors
/// If the build's are in use already.
#[cfg(feature = "tunable")]
pub fn replace(weights: &Weights) -> Result<(), &'static str> {
    ALL.set(networks(weights)).map_err(|_| "the networks are in use already")
}

/// The weights that this build has.
#[must_use]
pub fn builtin() -> Weights {
    Weights::from_bytes(include_bytes!("weights.bin")).expect("the embedded weights are of this version")
}

/// The network to play with under the rule, if there is one.
#[must_use]
pub fn of<R: RuleSet>() -> Option<&'static Network> {
    ALL.get_or_init(|| networks(&builtin()))[R::RULE.index()].as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_the_file() {
        let bytes = include_bytes!("weights.bin");
        assert_eq!(Weights::from_bytes(bytes).unwrap().to_bytes(), bytes);
    }

    #[test]
    fn other_files_are_refused() {
        let bytes = include_bytes!("weights.bin");
        let read = Weights::from_bytes;
        assert!(read(&bytes[1..]).is_none(), "no magic");
        assert!(read(&bytes[..bytes.len() - 1]).is_none(), "cut short");
        assert!(read(&[&bytes[..], &[0]].concat()).is_none(), "too long");
        // Larger numbers could overflow the sums, and no position has three sides.
        let wrong: [fn(&mut Weights); 3] = [
            |weights| weights.heads[0][0].bias = WEIGHT_LIMIT + 1,
            |weights| weights.parts.own[7][3] = PART_LIMIT + 1,
            |weights| weights.heads[2] = vec![Head::zero(); 3],
        ];
        for wrong in wrong {
            let mut weights = builtin();
            wrong(&mut weights);
            assert!(read(&weights.to_bytes()).is_none());
        }
    }

    #[test]
    fn colors_that_differ_have_a_head_each() {
        use crate::with_rule;
        for (heads, rule) in builtin().heads.iter().zip(Rule::ALL) {
            let most = with_rule!(rule, R => if R::treats_colors_alike() { 1 } else { 2 });
            assert!(heads.is_empty() || heads.len() == most, "{rule}");
        }
    }
}
