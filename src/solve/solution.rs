//! What a solver says: while it searches, and when it is done. Values only; text about them is made elsewhere.

use std::fmt;
use std::io;
use std::time::Duration;

use super::proof::Proof;
use super::proof_numbers::ProofNumbers;
use crate::board::Point;

/// The moves that the attacker may choose from, each space wider than the one before it. In all of them the
/// opponent has every legal reply. The word is from
/// [threat-space search](https://www.baeldung.com/cs/gomoku-threat-space-search) (Allis, 1994).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreatSpace {
    /// Fours and fives only: exhausted, it says that there is no VCF.
    Vcf,
    /// Open threes as well.
    OpenThrees,
    /// Every move in line with an own stone that threatens a VCF, closed threes among them: exhausted, it says
    /// that there is no VCT.
    #[default]
    Vct,
}

impl fmt::Display for ThreatSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ThreatSpace::Vcf => "VCF",
            ThreatSpace::OpenThrees => "VCT with open threes",
            ThreatSpace::Vct => "VCT",
        })
    }
}

/// How a running search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverProgress {
    /// The threat space that is being searched.
    pub space: ThreatSpace,
    /// Nodes searched so far, those of narrower spaces included.
    pub nodes: u64,
    /// Plies: of the VCF that is being looked for, or of the longest VCT looked at.
    pub depth: usize,
    /// How much is missing to settle the position in this space; `None` while it is searched for a VCF, and
    /// until the first estimate.
    pub numbers: Option<ProofNumbers>,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// What was found out.
#[derive(Clone, Debug)]
pub enum SolverVerdict {
    /// The side to move wins by force, and this is why.
    Win(Box<Proof>),
    /// The side to move has no win in this threat space, the widest that was asked for.
    NoWin(ThreatSpace),
    /// A limit was reached first, or the search was stopped.
    Unknown,
}

/// The answer to a position.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Win or not.
    pub verdict: SolverVerdict,
    /// The threat space in which the search ended.
    pub space: ThreatSpace,
    /// The widest threat space that was exhausted without a win.
    pub exhausted: Option<ThreatSpace>,
    /// Nodes searched until the win was found; writing the proof down is not counted.
    pub nodes: u64,
    /// Time until the win was found.
    pub time: Duration,
    /// Plies of the longest VCT looked at; 0 if a VCF settled the position.
    pub deepest: usize,
}

/// Why a position is not searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverError {
    /// The game is over: there is a winning line already, through this point.
    Decided(Point),
    /// The game is over: no cell is empty.
    Full,
    /// The system gave no thread for a search in the background.
    NoThread(io::ErrorKind),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::Decided(point) => {
                write!(f, "the game is over: there is a winning line through {point}")
            }
            SolverError::Full => write!(f, "the board is full"),
            SolverError::NoThread(kind) => write!(f, "no thread could be started for the search: {kind}"),
        }
    }
}

impl std::error::Error for SolverError {}
