//! A move of a training game, packed into 32 bits.

use crate::board::{MAX_SIDE, Point, Size};
use crate::eval::score::{self, Score};

/// Bytes of a move.
pub(super) const MOVE_BYTES: usize = 4;

/// Where a move came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Part of the opening: nobody chose it.
    Opening,
    /// The best move that the search found.
    Search,
    /// No other move was worth considering.
    Forced,
    /// Chosen at random instead of the best move, so that games differ; a score is still that of the position.
    Random,
}

/// A move, and the search's score of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingMove {
    /// The move.
    pub point: Point,
    /// Where it came from.
    pub origin: Origin,
    /// The score for the side that moves, if the position was searched.
    pub score: Option<Score>,
}

// The flags of a move.
pub(super) const OPENING: u32 = 1;
pub(super) const RANDOM: u32 = 2;
const FORCED: u32 = 4;
const SEARCHED: u32 = 8;
const DECIDED: u32 = 16;

/// The number of bits of a column and of a row, which come first, from the lowest bit.
const COORDINATE_BITS: u32 = 5;
const COORDINATE: u32 = (1 << COORDINATE_BITS) - 1;
/// The flags follow them.
pub(super) const FLAGS_AT: u32 = 2 * COORDINATE_BITS;
const FLAGS: u32 = 0x3f;
/// The score comes last.
pub(super) const SCORE_AT: u32 = 16;

const _: () = assert!(MAX_SIDE <= 1 << COORDINATE_BITS);

impl TrainingMove {
    /// Whether the score says that one side wins by force.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.score.is_some_and(score::is_decided)
    }

    /// Packs the move into bits.
    pub(super) fn pack(&self) -> u32 {
        let origin = match self.origin {
            Origin::Opening => OPENING,
            Origin::Search => 0,
            Origin::Forced => FORCED,
            Origin::Random => RANDOM,
        };
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let flags = origin | flag(self.score.is_some(), SEARCHED) | flag(self.is_decided(), DECIDED);
        // Every score fits into 16 bits, see `eval::score`.
        let score = self.score.unwrap_or(0) as i16 as u16;
        self.point.x() as u32
            | (self.point.y() as u32) << COORDINATE_BITS
            | flags << FLAGS_AT
            | u32::from(score) << SCORE_AT
    }

    /// Unpacks a move on a board of this size; `None` if the bits are not a valid move.
    pub(super) fn unpack(bits: u32, size: Size) -> Option<TrainingMove> {
        let (x, y) = (bits & COORDINATE, bits >> COORDINATE_BITS & COORDINATE);
        let point = Point::checked(x.into(), y.into(), size)?;
        let flags = bits >> FLAGS_AT & FLAGS;
        let origin = match flags & (OPENING | RANDOM | FORCED) {
            0 => Origin::Search,
            OPENING => Origin::Opening,
            RANDOM => Origin::Random,
            FORCED => Origin::Forced,
            _ => return None,
        };
        let score = Score::from((bits >> SCORE_AT) as u16 as i16);
        let played = TrainingMove { point, origin, score: (flags & SEARCHED != 0).then_some(score) };
        // Only bits that `pack` writes are accepted, so that bits and moves correspond one to one.
        (played.pack() == bits).then_some(played)
    }
}
