//! The weights of the networks, and the format of the file that holds them.
//!
//! `weights.bin` starts with [`MAGIC`], followed by the weights of the feature transformer as `i8`: those of a colour's
//! own codes, those of its opponent's codes, and those of lines, each by feature. Then, for every rule in the order of
//! [`Rule::ALL`], come one byte with the number of heads, and the heads: all fields of [`Head`] in the order of their
//! declaration, as little-endian `i16`. `kagetsu train` writes the file; `weights.md` beside it says which games it was
//! made from.

use super::buckets::BUCKETS;
use super::dims::{CODE_LIMIT, FEATURES, LANES, LINE_LIMIT, OUTPUTS, WEIGHT_LIMIT};
use super::lines::LINES;
use crate::rules::Rule;
use crate::shapes::CODE_COUNT;

/// The first bytes of a weights file.
pub const MAGIC: [u8; 8] = *b"KGTNET04";

/// The layers after the feature transformer, as they are learned: features from the side to move's perspective come
/// first, then those from the other side's. Unless stated otherwise, 128 represents a weight or bias of 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The local layer: for each output, by feature of a region.
    pub local: [[i16; LANES]; OUTPUTS],
    /// The bias of each output.
    pub local_bias: [i16; OUTPUTS],
    /// The board layer: for each output, by feature of the board.
    pub board: [[i16; LANES]; OUTPUTS],
    /// The board layer: for each output, by output of the local layer, summed over the regions.
    pub from_local: [[i16; OUTPUTS]; OUTPUTS],
    /// The bias of each output.
    pub hidden_bias: [i16; OUTPUTS],
    /// By output of the board layer, in halves of a point.
    pub hidden: [i16; OUTPUTS],
    /// A skip connection past the layers, by feature of the board: 256ths of a point for each `FEATURE_ONE`th of a
    /// feature.
    pub board_direct: [i16; LANES],
    /// The same by output of the local layer, summed over the regions: 256ths of a point for each `HIDDEN_ONE`th of an
    /// output.
    pub local_direct: [i16; OUTPUTS],
    /// The bias of the output, in points.
    pub bias: i16,
    /// The share of the hand-crafted evaluation that is added, in 256ths.
    pub hce_share: i16,
}

impl Head {
    /// A head that returns the hand-crafted evaluation unchanged.
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
            hce_share: 256,
        }
    }

    /// All numbers, in the order of the file.
    pub(super) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut i16> {
        let Head { local, local_bias, board, from_local, hidden_bias, hidden, .. } = self;
        let layers = local.as_flattened_mut().iter_mut().chain(local_bias).chain(board.as_flattened_mut());
        let layers = layers.chain(from_local.as_flattened_mut()).chain(hidden_bias).chain(hidden);
        layers
            .chain(&mut self.board_direct)
            .chain(&mut self.local_direct)
            .chain([&mut self.bias, &mut self.hce_share])
    }
}

/// The weights of the feature transformer, which all rules and both colours share. A feature is the sum of six weights:
/// two for codes and four for lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureWeights {
    /// By code of the perspective colour.
    pub own: Box<[[i8; FEATURES]; CODE_COUNT]>,
    /// By code of its opponent.
    pub other: Box<[[i8; FEATURES]; CODE_COUNT]>,
    /// By line, as the perspective colour sees it.
    pub lines: Box<[[i8; FEATURES]; LINES]>,
}

impl FeatureWeights {
    /// All weights zero: no point has any features.
    #[must_use]
    pub fn zero() -> FeatureWeights {
        let codes = || Box::new([[0; FEATURES]; CODE_COUNT]);
        FeatureWeights { own: codes(), other: codes(), lines: Box::new([[0; FEATURES]; LINES]) }
    }

    /// All weights in the order of the file, each with the largest absolute value that it may have.
    pub(super) fn numbers_mut(&mut self) -> impl Iterator<Item = (&mut i8, i8)> {
        let codes = self.own.as_flattened_mut().iter_mut().chain(self.other.as_flattened_mut());
        let lines = self.lines.as_flattened_mut().iter_mut();
        codes.map(|weight| (weight, CODE_LIMIT)).chain(lines.map(|weight| (weight, LINE_LIMIT)))
    }
}

/// The weights of the networks of all rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NnueWeights {
    /// The feature transformer.
    pub features: FeatureWeights,
    /// By [`Rule::index`]: no heads, one head for each bucket that serves both colours to move, or Black's heads
    /// followed by White's.
    pub heads: [Vec<Head>; Rule::ALL.len()],
}

impl NnueWeights {
    /// The weights embedded in this build.
    #[must_use]
    pub fn builtin() -> NnueWeights {
        let weights = NnueWeights::from_bytes(include_bytes!("weights.bin"));
        weights.expect("the embedded weights are of this version")
    }

    /// These weights in the format of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.features.clone().numbers_mut().map(|(weight, _)| *weight as u8));
        for heads in &self.heads {
            bytes.push(heads.len() as u8);
            for head in heads {
                bytes.extend(head.clone().numbers_mut().flat_map(|number| number.to_le_bytes()));
            }
        }
        bytes
    }

    /// Parses a weights file; `None` if it is not one of this version.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<NnueWeights> {
        let mut bytes = bytes.strip_prefix(&MAGIC)?.iter();
        let mut features = FeatureWeights::zero();
        for (weight, limit) in features.numbers_mut() {
            *weight = *bytes.next()? as i8;
            if !(-limit..=limit).contains(weight) {
                return None;
            }
        }
        let mut heads: [Vec<Head>; Rule::ALL.len()] = Default::default();
        for heads in &mut heads {
            let count = usize::from(*bytes.next()?);
            if ![0, BUCKETS, 2 * BUCKETS].contains(&count) {
                return None;
            }
            for _ in 0..count {
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
        bytes.next().is_none().then_some(NnueWeights { features, heads })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_the_file() {
        let bytes = include_bytes!("weights.bin");
        assert_eq!(NnueWeights::from_bytes(bytes).unwrap().to_bytes(), bytes);
    }

    #[test]
    fn other_files_are_refused() {
        let bytes = include_bytes!("weights.bin");
        let read = NnueWeights::from_bytes;
        assert!(read(&bytes[1..]).is_none(), "no magic");
        assert!(read(&bytes[..bytes.len() - 1]).is_none(), "cut short");
        assert!(read(&[&bytes[..], &[0]].concat()).is_none(), "too long");
        // Larger weights could overflow the sums, and only two colours can have heads of their own.
        let wrong: [fn(&mut NnueWeights); 4] = [
            |weights| weights.heads[0][0].bias = WEIGHT_LIMIT + 1,
            |weights| weights.features.own[7][3] = CODE_LIMIT + 1,
            |weights| weights.features.lines[7][3] = -LINE_LIMIT - 1,
            |weights| weights.heads[2] = vec![Head::zero(); 3 * BUCKETS],
        ];
        for wrong in wrong {
            let mut weights = NnueWeights::builtin();
            wrong(&mut weights);
            assert!(read(&weights.to_bytes()).is_none());
        }
    }

    #[test]
    fn colors_that_differ_have_heads_each() {
        use crate::eval::nnue::buckets::heads_of;
        use crate::rules::with_rule;
        for (heads, rule) in NnueWeights::builtin().heads.iter().zip(Rule::ALL) {
            let most = with_rule!(rule, R => heads_of::<R>());
            assert!(heads.is_empty() || heads.len() == most, "{rule}");
        }
    }
}
