//! Reads a position in any of the formats below. All commands turn text into a position through this module.
//!
//! | format | what it looks like | recognised by |
//! |---|---|---|
//! | SGF | `(;SZ[15];B[hh];W[ii])`, also `AB`, `AW`, `PL`; the main line of the first game | the bracket |
//! | PSQ | `Piskvorky 15x15, ...`, then `8,8,0` | its first word |
//! | picture | rows of `.`, `X`, `O` and `#`, also in lower case | such a row |
//! | moves | `7,7 8,8` from 0, or `h8 i9`, `h8i9`, `1. h8 2. i9`; Black first | anything else |

use super::error::{FormatError, Mistake, Place};
use super::point_names::Rows;
use super::{moves, picture, psq, sgf};
use crate::board::{Size, Stones};
use crate::rules::Rule;

/// The format of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionFormat {
    /// A collection of games in SGF.
    Sgf,
    /// A game of Piskvork.
    Psq,
    /// A picture.
    Picture,
    /// A list of moves.
    Moves,
}

/// The format that a text appears to be in.
#[must_use]
pub fn recognise(text: &str) -> PositionFormat {
    let start = text.trim_start();
    if start.starts_with('(') {
        PositionFormat::Sgf
    } else if start.starts_with(psq::FIRST_WORD) {
        PositionFormat::Psq
    } else if text.lines().any(picture::looks_like_row) {
        PositionFormat::Picture
    } else {
        PositionFormat::Moves
    }
}

/// Reads a position. If the text does not give the board size, it is `size`, or 15x15 if that is `None`.
///
/// # Errors
/// A text that is not a position, with the place of the mistake; a board of another size than asked for; and a blank
/// text, which is more likely a mistake than the empty board.
///
/// ```
/// use kagetsu::formats::any;
/// let stones = any::read("(;GM[4]SZ[15];B[hh];W[ii])", None)?;
/// assert_eq!(any::read("h8 i9", None)?.hash(), stones.hash());
/// # Ok::<(), kagetsu::formats::FormatError>(())
/// ```
pub fn read(text: &str, size: Option<Size>) -> Result<Stones, FormatError> {
    read_position(text, size, Rows::FromTop).map(|found| found.stones)
}

/// A position, and what a text says of how it came about.
#[derive(Clone, Debug)]
pub struct PositionText {
    /// The stones, in the order of play as far as the text gives it.
    pub stones: Stones,
    /// The rule, if the text names one that Kagetsu knows, as SGF can.
    pub rule: Option<Rule>,
    /// The name of the rule, if the text names one that Kagetsu does not know.
    pub unknown_rule: Option<String>,
    /// How many of the stones, which are the first ones, were set up and not played. A picture shows no order, and the
    /// stones that SGF sets up (`AB`, `AW`, `AE`) have none, so it is not known which of them came last.
    pub set_up: usize,
}

/// Like [`read`], with all that the text says. The rows in a list of moves are counted from the edge `rows`; the other
/// formats define their own coordinates.
///
/// # Errors
/// Those of [`read`].
pub fn read_position(text: &str, size: Option<Size>, rows: Rows) -> Result<PositionText, FormatError> {
    if text.trim().is_empty() {
        return Err(Mistake::Empty.at(Place::START));
    }
    let played = |stones| PositionText { stones, rule: None, unknown_rule: None, set_up: 0 };
    let found = match recognise(text) {
        PositionFormat::Sgf => {
            let game = sgf::games(text).next().unwrap_or_else(|| Err(Mistake::NoGame.at(Place::START)))?;
            let line = game.line(size)?;
            let rule = game.rule();
            let unknown_rule = game.rule_name().filter(|_| rule.is_none()).map(str::to_owned);
            PositionText { stones: line.position(), rule, unknown_rule, set_up: line.set_up }
        }
        PositionFormat::Psq => played(psq::read(text)?.position()),
        PositionFormat::Picture => {
            let stones = picture::position(text)?;
            PositionText { set_up: stones.history().len(), ..played(stones) }
        }
        PositionFormat::Moves => {
            played(moves::position_with_rows(text, size.unwrap_or(Size::square(15)), rows)?)
        }
    };
    match size {
        Some(wanted) if wanted != found.stones.size() => {
            Err(Mistake::WrongSize { found: found.stones.size(), wanted }.at(Place::START))
        }
        _ => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::text::decode;

    #[test]
    fn every_format_says_the_same() {
        let expected = moves::position("h8 i9 j10", Size::square(15)).unwrap();
        for text in [
            "7,7 8,8 9,9",
            "7,7\n8,8\n9,9\n",
            "h8i9j10",
            "1. h8 2. i9\n3. j10",
            "(;FF[4]GM[4]SZ[15];B[hh];W[ii](;B[jj]C[a \\] b])(;B[aa];W[bb]))",
            "(;SZ[15:15]AB[hh]\n[jj]AW[ii]PL[W])",
            "(;AB[hh][jj]AW[ii]) (;B[never read",
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\n10,10,0\nA\nB\n-1\n",
            &picture::draw(&expected),
        ] {
            // Also with the byte order mark that Windows editors write.
            for text in [text.to_owned(), format!("\u{FEFF}\n{text}")] {
                let stones =
                    read(&decode(text.as_bytes()), None).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(stones.hash(), expected.hash(), "{text}");
            }
        }
    }

    #[test]
    fn what_was_set_up_has_no_order() {
        for (text, set_up) in [
            ("h8 i9", 0),
            ("(;B[hh];W[ii])", 0),
            ("Piskvorky 15x15, 11:11, 0\n8,8,0\n-1\n", 0),
            (". X\nO .", 2),
            ("(;AB[hh]AW[ii])", 2),
            ("(;AB[hh];W[ii])", 1),
            ("(;B[hh];W[ii];AE[hh];B[jj])", 1),
            ("(;B[hh];AE[hh])", 0),
            ("(;B[hh];W[];AB[ii];W[jj])", 2),
        ] {
            assert_eq!(read_position(text, None, Rows::FromTop).unwrap().set_up, set_up, "{text}");
        }
    }

    #[test]
    fn sgf_names_its_rule() {
        let rule = |text: &str| {
            let found = read_position(text, None, Rows::FromTop).unwrap();
            found.rule.ok_or(found.unknown_rule)
        };
        for name in ["renju", "Renju rules", "RENJU RULE", "RIF", "rif rules", "4"] {
            assert_eq!(rule(&format!("(;RU[{name}];B[hh])")), Ok(Rule::Renju), "{name}");
        }
        // "Gomoku" may mean freestyle or standard.
        for name in ["japanese", "Gomoku", "rule"] {
            assert_eq!(rule(&format!("(;RU[ {name}];B[hh])")), Err(Some(name.to_owned())));
        }
        assert_eq!(rule("(;RU[ ];B[hh])"), Err(None));
        assert_eq!(rule("h8"), Err(None));
    }

    #[test]
    fn a_full_board_is_a_picture() {
        assert_eq!(recognise("   a b\n 1 X O\n 2 O X"), PositionFormat::Picture);
        assert_eq!(recognise("O8 X9"), PositionFormat::Moves);
        assert_eq!(recognise("7,7 8,8"), PositionFormat::Moves);
        assert_eq!(recognise("1.h8"), PositionFormat::Moves);
        assert_eq!(recognise("h8 i9."), PositionFormat::Moves);
        assert_eq!(recognise("x o . x\no x x o"), PositionFormat::Picture);
        assert_eq!(recognise("1. a . 2 ."), PositionFormat::Picture);
    }

    #[test]
    fn mistakes_are_told() {
        let said = |text: &str, size: Option<Size>| read(text, size).unwrap_err().to_string();
        assert!(said(" \n\t", None).contains("nothing to read"));
        assert!(said("()", None).contains("is empty"));
        assert!(said("(;GM[1]SZ[19];B[dd])", None).contains("(Go)"));
        assert!(said("7,7 7,7", None).contains("taken"));
        assert!(said("(;SZ[19];B[aa])", Some(Size::square(15))).contains("19x19, not 15x15"));
        assert!(said("Piskvorky 19x19, 1\n1,1,0", Some(Size::square(15))).contains("19x19, not 15x15"));
        assert!(said(". . .\n. X .", Some(Size::square(15))).contains("3x2, not 15x15"));
        assert!(said("(;B[aa]", None).contains("no end"));
        assert!(said("(;B[aa", None).contains("without an end"));
        assert!(said("h8 i9.", None).contains("`.` is not a number"));
        assert!(said(". . *\n. X .", None).contains("`*` is none of"));
        assert!(said(". . .\n. X", None).contains("row 2"));
    }
}
