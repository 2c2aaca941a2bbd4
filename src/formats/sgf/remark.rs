//! What of a game was not as it should be, and how it was read nevertheless.

use std::fmt;

use super::tree::{SgfGame, SgfNode};
use crate::board::{MAX_SIDE, Size};
use crate::formats::error::{FormatError, Mistake, Place};

/// Sides of the boards on which most games are played, and of the largest. The first is that of a game that gives none.
pub const USUAL_SIDES: [usize; 4] = [15, 19, 20, MAX_SIDE];

/// What of a game was not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SgfRemark {
    /// The closing bracket of the game that begins here is missing.
    NoEnd(Place),
    /// The game that begins at the place names no board, and its moves need a larger one than usual, which is this one.
    LargerBoard(Place, Size),
}

impl fmt::Display for SgfRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SgfRemark::NoEnd(place) => {
                write!(f, "{place}: the game that begins here has no end; what is there was read")
            }
            SgfRemark::LargerBoard(place, size) => {
                write!(f, "{place}: the game names no board; its moves fit on {size}")
            }
        }
    }
}

impl SgfGame {
    /// The board that `SZ` names. If it names none, the board is `usual`; if a point of the game is not on that, the
    /// first of 15x15, 19x19, 20x20 and 22x22 that has them all.
    ///
    /// # Errors
    /// A value of `SZ` that is not a size.
    ///
    /// ```
    /// use kagetsu::board::Size;
    /// use kagetsu::formats::sgf;
    /// let usual = Size::square(15);
    /// let board = |text: &str| sgf::read(text)?.remove(0).board(usual);
    /// assert_eq!(board("(;B[oo])")?, usual);
    /// assert_eq!(board("(;B[pp])")?, Size::square(19));
    /// assert_eq!(board("(;SZ[17];B[pp])")?, Size::square(17));
    /// # Ok::<(), kagetsu::formats::FormatError>(())
    /// ```
    pub fn board(&self, usual: Size) -> Result<Size, FormatError> {
        if let Some(size) = self.size()? {
            return Ok(size);
        }
        let sizes = std::iter::once(usual).chain(USUAL_SIDES.map(Size::square));
        Ok(sizes.into_iter().find(|&size| self.nodes().all(|node| fits(node, size))).unwrap_or(usual))
    }

    /// What is to be said of the game if it was read on the [board](SgfGame::board) that follows from this usual one.
    pub fn remarks(&self, usual: Size) -> impl Iterator<Item = SgfRemark> {
        let no_end = self.lacks_end().then_some(SgfRemark::NoEnd(self.place()));
        let board = self.board(usual).ok().filter(|&board| board != usual && self.size() == Ok(None));
        no_end.into_iter().chain(board.map(|board| SgfRemark::LargerBoard(self.place(), board)))
    }
}

/// Whether all points that a node names are on the board. Other mistakes are told when the game is read.
fn fits(node: &SgfNode, size: Size) -> bool {
    let is_off = |error: FormatError| matches!(error.mistake, Mistake::OffBoard { .. });
    !node.changes(size).any(|change| change.is_err_and(is_off))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sgf;

    #[test]
    fn a_game_without_an_end_is_read_as_far_as_it_goes() {
        for (text, moves) in
            [("(;SZ[15];B[hh];W[ii]", 2), ("(;SZ[15];B[hh](;W[ii];B[jj])(;W[hi]\n", 3), ("(B[hh]", 1)]
        {
            let games: Vec<SgfGame> = sgf::games(text).map(Result::unwrap).collect();
            assert_eq!((games.len(), games[0].line(None).unwrap().stones.len()), (1, moves), "{text}");
            let remarks: Vec<SgfRemark> = games[0].remarks(Size::square(15)).collect();
            assert_eq!(remarks, [SgfRemark::NoEnd(Place::START)]);
            // As a stream, too.
            assert_eq!(sgf::stream(text.as_bytes()).map(Result::unwrap).collect::<Vec<SgfGame>>(), games);
            // Once it is written it has its end.
            assert!(!sgf::read(&games[0].to_string()).unwrap()[0].lacks_end());
        }
        // Where nothing is there, where a value is cut, and where another root was swallowed, it is a mistake.
        for text in ["(;", "((;)", "(;B[hh];W[i", "(;GM[4];B[hh]\n;GM[4];B[ii]"] {
            assert!(sgf::games(text).all(|game| game.is_err()), "{text}");
        }
    }

    #[test]
    fn a_board_that_is_not_named_is_large_enough() {
        let side = |text: &str| sgf::read(text).unwrap()[0].board(Size::square(15)).unwrap().width();
        for (text, expected) in [
            ("(;B[hh])", 15),
            ("(;B[hh](;W[aa])(;W[ss]))", 19),
            ("(;AB[aa][tt])", 20),
            // The old way to write a pass is no point unless the board is larger anyway.
            ("(;B[ss];W[tt])", 19),
            ("(;B[H19])", 19),
            ("(;B[vv])", 22),
            ("(;B[zz])", 15),
            // What names no point is told when the game is read.
            ("(;B[ss];W[bad])", 19),
            ("(;SZ[15];B[ss])", 15),
        ] {
            assert_eq!(side(text), expected, "{text}");
        }
        let game = sgf::read("(;B[ss])").unwrap().remove(0);
        let board = Size::square(19);
        assert_eq!(
            game.remarks(Size::square(15)).collect::<Vec<_>>(),
            [SgfRemark::LargerBoard(Place::START, board)]
        );
        assert_eq!(game.remarks(board).count(), 0);
        assert_eq!(game.line(None).unwrap().size, board);
        // A board that is asked for is the board.
        assert!(game.line(Some(Size::square(15))).is_err());
    }
}
