//! What a solver reports while it searches and when it is done. These are values only; text about them is made
//! elsewhere.

use std::fmt;
use std::io;
use std::time::Duration;

use super::proof::Proof;
use super::proof_numbers::ProofNumbers;
use crate::board::Point;

/// The moves from which the attacker may choose; each space is wider than the one before it. In all of them the
/// opponent has every legal reply. The term comes from [threat-space
/// search](https://www.baeldung.com/cs/gomoku-threat-space-search) (Allis, 1994).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreatSpace {
    /// Fours and fives only. If it is exhausted, there is no VCF.
    Vcf,
    /// Open threes as well.
    OpenThrees,
    /// Every move in line with an own stone that threatens a VCF, closed threes among them. If it is exhausted, there
    /// is no VCT.
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

/// The progress of a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverProgress {
    /// The threat space that is being searched.
    pub space: ThreatSpace,
    /// Nodes searched so far, those of narrower spaces included.
    pub nodes: u64,
    /// Depth in plies: of the VCF that is being looked for, or of the longest VCT line searched.
    pub depth: usize,
    /// How much work is left to settle the position in this space; `None` during the VCF search, and until the first
    /// estimate.
    pub numbers: Option<ProofNumbers>,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// The verdict on a position.
#[derive(Clone, Debug)]
pub enum SolverVerdict {
    /// The side to move wins by force, and this is why.
    Win(Box<Proof>),
    /// The side to move has no win in this threat space, the widest that was asked for.
    NoWin(ThreatSpace),
    /// A limit was reached first, or the search was stopped.
    Unknown,
}

/// The result of solving a position.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Whether there is a win.
    pub verdict: SolverVerdict,
    /// The threat space in which the search ended.
    pub space: ThreatSpace,
    /// The widest threat space that was exhausted without a win.
    pub exhausted: Option<ThreatSpace>,
    /// Nodes searched until the win was found; writing the proof down is not counted.
    pub nodes: u64,
    /// Time until the win was found.
    pub time: Duration,
    /// Plies of the longest VCT line searched; 0 if a VCF settled the position.
    pub deepest: usize,
}

/// Why a position is not searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverError {
    /// The game is over: there is a winning line already, through this point.
    Decided(Point),
    /// The game is over: no cell is empty.
    Full,
    /// The system could not start a thread for a search in the background.
    NoThread(io::ErrorKind),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The point has one name or another, depending on the edge from which rows are counted.
            SolverError::Decided(_) => f.write_str("the game is over: there is a winning line"),
            SolverError::Full => write!(f, "the board is full"),
            SolverError::NoThread(kind) => write!(f, "no thread could be started for the search: {kind}"),
        }
    }
}

impl std::error::Error for SolverError {}
