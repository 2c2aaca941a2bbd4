//! Reads a position in any of the formats below. All commands turn text into a position through this module.
//!
//! | format | what it looks like | recognised by |
//! |---|---|---|
//! | SGF | `(;SZ[15];B[hh];W[ii])`, also `AB`, `AW`, `PL`; the main line of the first game | the bracket, or `(;` in it |
//! | PSQ | `Piskvorky 15x15, ...`, then `8,8,0`; without that line, names, `7,7,0` and a number | its first word, or all of it |
//! | PGN | `[Black "a"]`, then `1. h8 i9`; the main line of the first game | such a tag |
//! | picture | rows of `.`, `X`, `O` and `#`, also in lower case | such a row |
//! | moves | `7,7 8,8` from 0, or `h8 i9`, `h8i9`, `1. h8 2. i9`; Black first | anything else |

use std::iter;

use super::error::{Foreign, FormatError, Mistake, Place};
use super::library_file::looks_like_library_of_positions;
use super::pgn::{PgnGame, PgnMoves};
use super::point_names::Rows;
use super::psq::PsqGame;
use super::sgf::{LeftOutGames, SgfGame, SgfRemark};
use super::{moves, pgn, picture, psq, sgf};
use crate::board::{Point, Size, Stones};
use crate::rules::Rule;

/// The board if nothing gives its size.
const USUAL_BOARD: Size = Size::square(sgf::USUAL_SIDES[0]);

/// The format of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionFormat {
    /// A collection of games in SGF.
    Sgf,
    /// A game of Piskvork.
    Psq,
    /// Games in PGN.
    Pgn,
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
    } else if psq::begins(start) {
        PositionFormat::Psq
    } else if pgn::begins(text) {
        PositionFormat::Pgn
    } else if sgf::begins_in(start) {
        // Text may stand before a game, such as the header of a mail.
        PositionFormat::Sgf
    } else if text.lines().any(picture::looks_like_row) {
        PositionFormat::Picture
    } else {
        PositionFormat::Moves
    }
}

/// Reads a list of moves, or whatever was taken for one because it is in none of the other formats.
///
/// # Errors
/// The first mistake in a list of moves, and [`Mistake::NoPosition`] for a text that is none.
pub(crate) fn read_moves(text: &str, size: Size, rows: Rows) -> Result<Vec<Point>, FormatError> {
    moves::read_with_rows(text, size, rows).map_err(|error| {
        let foreign = foreign(text);
        if foreign.is_none() && moves::resembles_moves(text) {
            return error;
        }
        Mistake::NoPosition(foreign).at(Place::START)
    })
}

/// Reads a picture, or whatever was taken for one because of a full stop in it.
///
/// # Errors
/// The first mistake in a picture, and [`Mistake::NoPosition`] for a text that is none.
pub(crate) fn read_picture(text: &str) -> Result<Stones, FormatError> {
    picture::position(text).map_err(|error| {
        let foreign = foreign(text);
        if foreign.is_none() && picture::resembles_picture(text) {
            return error;
        }
        Mistake::NoPosition(foreign).at(Place::START)
    })
}

/// What a text is that people take for a position.
fn foreign(text: &str) -> Option<Foreign> {
    /// How many characters may tell that a file is no text.
    const BEGINNING: usize = 1000;
    let start = text.trim_start();
    let first_line = start.lines().next().unwrap_or_default();
    // The first row of a picture may begin with a dead cell.
    let is_of_words = |c: char| c.is_alphabetic() && !"XxOo".contains(c);
    if start.starts_with("\u{FFFD}RenLib\u{FFFD}") {
        Some(Foreign::RenLib)
    } else if looks_like_library_of_positions(text) {
        Some(Foreign::Library)
    } else if start.chars().take(BEGINNING).any(|c| matches!(c, '\0' | char::REPLACEMENT_CHARACTER)) {
        Some(Foreign::Binary)
    } else if first_line.starts_with("{\"type\":\"") {
        Some(Foreign::Records)
    } else if first_line.starts_with('#') && first_line.contains(is_of_words) {
        Some(Foreign::Openings)
    } else {
        None
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
    /// The rule, if the text names one that Kagetsu knows, as SGF and PGN can.
    pub rule: Option<Rule>,
    /// The name of the rule, if the text names one that Kagetsu does not know.
    pub unknown_rule: Option<String>,
    /// How many of the stones, which are the first ones, were set up and not played. A picture shows no order, and the
    /// stones that SGF sets up (`AB`, `AW`, `AE`) have none, so it is not known which of them came last.
    pub set_up: usize,
    /// What of a game in SGF was not as it should be, and how it was read nevertheless.
    pub remarks: Vec<SgfRemark>,
}

/// Like [`read`], with all that the text says. The rows of points in a list of moves and in PGN are counted from the
/// edge `rows`; the other formats define their own coordinates.
///
/// # Errors
/// Those of [`read`].
pub fn read_position(text: &str, size: Option<Size>, rows: Rows) -> Result<PositionText, FormatError> {
    read_game(text, 1, size, rows)
}

/// A game of a text, whose moves have yet to be put on a board.
enum GameText<'a> {
    Sgf(SgfGame),
    Psq(PsqGame),
    Pgn(PgnGame, PgnMoves),
    Picture(Stones),
    Moves(&'a str),
}

/// The games of a text, whether they can be read or not: any number in SGF and PGN, and one in every other format.
fn games(text: &str) -> Box<dyn Iterator<Item = Result<GameText<'_>, FormatError>> + '_> {
    if text.trim().is_empty() {
        return Box::new(iter::once(Err(Mistake::Empty.at(Place::START))));
    }
    match recognise(text) {
        PositionFormat::Sgf => Box::new(sgf::games(text).map(|game| game.map(GameText::Sgf))),
        PositionFormat::Psq => Box::new(iter::once(psq::read(text).map(GameText::Psq))),
        PositionFormat::Pgn => match pgn::games_with_moves(text) {
            Ok(games) => Box::new(games.into_iter().map(|(game, moves)| Ok(GameText::Pgn(game, moves)))),
            Err(error) => Box::new(iter::once(Err(error))),
        },
        PositionFormat::Picture => Box::new(iter::once(read_picture(text).map(GameText::Picture))),
        PositionFormat::Moves => Box::new(iter::once(Ok(GameText::Moves(text)))),
    }
}

impl GameText<'_> {
    /// The position at the end of the main line.
    fn position(&self, size: Option<Size>, rows: Rows) -> Result<PositionText, FormatError> {
        let board = size.unwrap_or(USUAL_BOARD);
        let named = |rule: Option<Rule>, name: Option<&str>| {
            (rule, name.filter(|_| rule.is_none()).map(str::to_owned))
        };
        let played =
            |stones| PositionText { stones, rule: None, unknown_rule: None, set_up: 0, remarks: Vec::new() };
        let found = match self {
            GameText::Sgf(game) => {
                let line = game.line(size)?;
                let (rule, unknown_rule) = named(game.rule(), game.rule_name());
                let remarks = game.remarks(board).collect();
                PositionText { stones: line.position(), rule, unknown_rule, set_up: line.set_up, remarks }
            }
            GameText::Psq(game) => played(game.position()),
            GameText::Pgn(game, moves) => {
                let points = moves.points_with_rows(board, rows)?;
                // Programs that only rate players write no moves, and no position is not the empty board.
                if points.is_empty() {
                    return Err(Mistake::NoMoves.at(moves.tags()));
                }
                let (rule, unknown_rule) = named(game.rule(), game.rule_name());
                PositionText { rule, unknown_rule, ..played(moves::alternating(&points, board)) }
            }
            GameText::Picture(stones) => {
                PositionText { set_up: stones.history().len(), ..played(stones.clone()) }
            }
            GameText::Moves(text) => played(moves::alternating(&read_moves(text, board, rows)?, board)),
        };
        match size {
            Some(wanted) if wanted != found.stones.size() => {
                Err(Mistake::WrongSize { found: found.stones.size(), wanted }.at(Place::START))
            }
            _ => Ok(found),
        }
    }
}

/// Whether a game that can be read follows the first of a text, as only in a collection in SGF or PGN. What comes after
/// it in SGF is not read.
#[must_use]
pub fn has_more_games(text: &str) -> bool {
    games(text).skip(1).any(|game| game.is_ok())
}

/// How many games a text holds: those of a collection in SGF or PGN, whether they can be read or not, and one in every
/// other format. All of them are read for that.
#[must_use]
pub fn count_games(text: &str) -> usize {
    let mut numbers = LeftOutGames::default();
    games(text).filter(|game| numbers.number(game).is_some()).count()
}

/// Like [`read_position`], from the first game that can be read, with those of a collection in SGF or PGN that had to
/// be left out before it.
///
/// # Errors
/// Those of [`read`]; of a collection without a game that can be read, those of its first.
pub fn read_first_game(
    text: &str,
    size: Option<Size>,
    rows: Rows,
) -> Result<(PositionText, LeftOutGames), FormatError> {
    let mut left_out = LeftOutGames::default();
    for game in games(text) {
        let number = left_out.number(&game);
        match game.and_then(|game| game.position(size, rows)) {
            Ok(found) => return Ok((found, left_out)),
            Err(error) => left_out.note(number, error),
        }
    }
    Err(left_out.first_error().cloned().unwrap_or_else(|| Mistake::NoGame.at(Place::START)))
}

/// Like [`read_position`], from the game with this number, counted from 1, of the [games of the text](count_games).
///
/// # Errors
/// Those of [`read`], and [`Mistake::NoGame`] if there is no game with this number.
pub fn read_game(
    text: &str,
    number: usize,
    size: Option<Size>,
    rows: Rows,
) -> Result<PositionText, FormatError> {
    let mut numbers = LeftOutGames::default();
    let game = games(text).find(|game| numbers.number(game) == Some(number));
    game.unwrap_or_else(|| Err(Mistake::NoGame.at(Place::START)))?.position(size, rows)
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
            "[Event \"a\"]\n[Black \"b\"]\n\n1. h8 i9 {near} 2. j10 *\n\n[Event \"c\"]\n\n1. a1 *\n",
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
    fn every_game_of_a_collection_can_be_had() {
        let text = "(;B[hh]) (;SZ[19]B[aa];W[bb])\n(;B[ii];W[jj];B[kk]) (;B[never read";
        // The last one has no end, and the second text an empty game.
        assert_eq!((count_games(text), count_games("()"), count_games("h8 i9")), (4, 1, 1));
        let more = |text: &str| has_more_games(text);
        assert_eq!(
            (more(text), more("(;B[hh])"), more("(;B[hh]) (;B[never read"), more("h8 i9")),
            (true, false, false, false)
        );
        // Bad games and a bracket too many between them.
        assert!(more("(;B[hh]) () (;B[ii])") && more("(;B[hh])) (;B[ii])") && !more("(;B[hh]) () ("));
        let stones = |number: usize| {
            read_game(text, number, None, Rows::FromTop).map(|found| found.stones.history().len())
        };
        assert_eq!([1, 2, 3].map(|number| stones(number).unwrap()), [1, 2, 3]);
        assert_eq!(stones(5).unwrap_err().mistake, Mistake::NoGame);
        let error = read_game("h8 i9", 2, None, Rows::FromTop).unwrap_err();
        assert_eq!(error.mistake, Mistake::NoGame);
    }

    #[test]
    fn the_first_good_game_is_found_behind_bad_ones() {
        let first = |text: &str| {
            let (found, left_out) = read_first_game(text, None, Rows::FromTop)?;
            Ok::<_, FormatError>((found.stones.history().len(), left_out.remarks().collect::<Vec<String>>()))
        };
        let (stones, remarks) = first("(;GM[1]SZ[19];B[dd]) (;B[aa];W[aa]) (;B[hh];W[ii])").unwrap();
        assert_eq!((stones, remarks.len()), (2, 2));
        assert!(remarks[0].starts_with("game 1 was left out: line 1, column 6: this is game 1 (Go)"));
        assert!(remarks[1].starts_with("game 2 was left out: ") && remarks[1].ends_with("a1 is taken"));
        assert_eq!(first("From: a@b\n\nHello,\n(;B[hh])").unwrap(), (1, Vec::new()));
        assert_eq!(first("h8 i9").unwrap(), (2, Vec::new()));
        assert!(first("(;GM[1]) (;GM[1])").unwrap_err().to_string().contains("(Go)"));
        // Bad games count, so that a number means the same game as in a remark.
        let text = "(;GM[1]SZ[19];B[dd]) (;B[hh]) ) (;B[hh];W[ii])";
        let stones =
            |number| read_game(text, number, None, Rows::FromTop).map(|found| found.stones.history().len());
        assert_eq!([2, 3].map(|number| stones(number).unwrap()), [1, 2]);
        assert!(stones(1).unwrap_err().to_string().contains("(Go)"));
    }

    #[test]
    fn games_in_pgn_are_a_collection() {
        let text = "[Round \"1\"]\n\n1-0\n\n[Variant \"Renju\"]\n\n1. h8 a1 2. h9 *\n\n\
                    [Variant \"Pente\"]\n\n1. h8 h8 *\n\n[Variant \"Pente\"]\n\n1. a1 *\n";
        let (found, left_out) = read_first_game(text, None, Rows::FromTop).unwrap();
        assert_eq!((found.stones.history().len(), found.rule), (3, Some(Rule::Renju)));
        let remarks: Vec<String> = left_out.remarks().collect();
        assert_eq!(
            remarks,
            ["game 1 was left out: line 1, column 1: the game that begins here has no moves"]
        );
        assert!(has_more_games(text) && count_games(text) == 4);
        let nth = |number| read_game(text, number, None, Rows::FromBottom);
        assert_eq!(nth(3).unwrap_err().to_string(), "line 11, column 7: h8 is taken");
        let last = nth(4).unwrap();
        assert_eq!((last.rule, last.unknown_rule.as_deref()), (None, Some("Pente")));
        assert_eq!(last.stones.history()[0].0, Point::new(0, 14));
        assert_eq!(nth(5).unwrap_err().mistake, Mistake::NoGame);
        assert!(read_game(text, 2, Some(Size::square(7)), Rows::FromTop).is_err());
        let error = read("[Round \"1\"]\n\n1. h8 {never *\n", None).unwrap_err();
        assert_eq!(error.mistake, Mistake::UnclosedComment);
        // Which text is PGN is for its own reader to say.
        assert_eq!(recognise("[h8] i9"), PositionFormat::Moves);
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
        assert!(said("(;", None).contains("no end"));
        assert!(said("(;B[aa", None).contains("without an end"));
        assert!(said("h8 i9.", None).contains("`.` is not a number"));
        assert!(said(". . *\n. X .", None).contains("`*` is none of"));
        assert!(said(". . .\n. X", None).contains("row 2"));
    }

    #[test]
    fn a_text_in_no_format_is_told_as_such() {
        // The name is at byte 68, behind numbers, not all of which are characters.
        let library = |name: &str| {
            [&b"SQLite format 3\0\x10\0\x02\x02\xE4\xB8"[..], &[0; 46], name.as_bytes(), &[0; 30]].concat()
        };
        for (text, hint) in [
            ("This is a text.", None),
            ("A text in lines\n\nwithout any full stop", None),
            ("{\"black\":[\"h8\"],\"white\":[\"i9\"]}", None),
            (
                "{\"type\":\"match\",\"version\":1}\n{\"type\":\"game\",\"moves\":[\"h8\"]}\n",
                Some("`kagetsu report`"),
            ),
            ("# openings of renju\nh8 i9 j10\nh8 h9 h10\n", Some("`kagetsu match --openings`")),
            ("# openings of renju\n0,0 1,1\n-1,2 3,4\n", Some("`kagetsu match --openings`")),
            (&decode(b"\xFFRenLib\xFF\x03\x00\xFF\xFFxyz"), Some("RenLib")),
            (&decode(&library("KLib")), Some("`kagetsu library query`")),
            (&decode(&library("Kxxx")), Some("Yixin")),
            (&decode(b"\x01\x00\x00\x00\x07\x00\x00\x0f\x0fabc"), Some("Yixin")),
        ] {
            let said = read(text, None).unwrap_err().to_string();
            assert!(
                said.starts_with("line 1, column 1: this is neither SGF, PSQ, PGN, a board"),
                "{text}: {said}"
            );
            match hint {
                Some(hint) => {
                    assert!(said.contains("; it looks like ") && said.contains(hint), "{text}: {said}")
                }
                None => assert!(said.ends_with("`h8 i9`"), "{text}: {said}"),
            }
        }
        // A list of moves with a mistake in it is still one, wherever the mistake is.
        for (text, told) in [
            ("# . X\n. ? .", "line 2, column 3: `?` is none of"),
            ("h8 i9 ? j10", "line 1, column 7: `?` is not a number"),
            ("? h8 i9 j10", "line 1, column 1: `?` is not a number"),
            ("hh8 i9 j10", "line 1, column 1: `h` is neither"),
            ("h8 zz", "line 1, column 4: `z` is neither"),
            ("h8i9?j10", "line 1, column 5: `?` is not a number"),
            ("7,7 8,?", "line 1, column 7: `?` is not a number"),
            ("h8 i9 p16", "line 1, column 7: p16 is off the board of 15x15"),
        ] {
            let said = read(text, None).unwrap_err().to_string();
            assert!(said.contains(told), "{text}: {said}");
        }
    }
}
