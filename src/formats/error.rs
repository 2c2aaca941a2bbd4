//! What was wrong with a text, and where.
//!
//! The error does not know which file the text came from; the code that opened the file adds its name.

use std::fmt;

use super::text::quoted;
use crate::board::{Color, MAX_SIDE, Size};

/// A place in a text: line and column in characters, both from 1. Places sort in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl Place {
    /// Where a text begins.
    pub const START: Place = Place { line: 1, column: 1 };
}

impl Default for Place {
    fn default() -> Place {
        Place::START
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// Where the mistake is.
    pub place: Place,
    /// The mistake.
    pub mistake: Mistake,
}

impl FormatError {
    /// The same error, where the text that was read is this line of a larger one.
    #[must_use]
    pub(super) fn on_line(mut self, line: usize) -> FormatError {
        self.place.line = line;
        self
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.mistake)
    }
}

impl std::error::Error for FormatError {}

/// What can be wrong with a text, together with the offending part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// There is nothing but blanks.
    Empty,
    /// A word that names no point.
    NoPoint(String),
    /// A word where a number is expected.
    NoNumber(String),
    /// A column without its row.
    MissingCoordinate,
    /// Three numbers joined by commas, as they were written; so the protocol of Gomocup writes a stone of `BOARD`.
    ThreeNumbers(String),
    /// A point that is not on the board.
    OffBoard {
        /// The point as it was written.
        point: String,
        /// The board.
        size: Size,
    },
    /// A second stone on the same point, as it was written.
    Taken(String),
    /// A stone of the wrong colour in a game in which Black begins and the colours alternate.
    WrongTurn {
        /// The stone's number, from 1.
        stone: usize,
        /// The colour that it should have had.
        color: Color,
    },
    /// A word where a board size is expected.
    NoSize(String),
    /// A board of another size than the one asked for.
    WrongSize {
        /// The size in the text.
        found: Size,
        /// The size that was asked for.
        wanted: Size,
    },
    /// A row of a picture, counted from 1, that is not as long as the first.
    Ragged(usize),
    /// A character that means nothing in a picture.
    NoSign(char),
    /// A picture with too many rows or columns, or none.
    PictureSize,
    /// A closing bracket of SGF without the opening one.
    StrayBracket,
    /// A game in SGF whose closing bracket is missing, and in which nothing or another game stands.
    UnclosedGame,
    /// A value in SGF whose closing bracket is missing.
    UnclosedValue,
    /// An SGF file without a game.
    NoGame,
    /// A game in SGF without a node.
    NoNode,
    /// A game in PGN that only has tags and a result.
    NoMoves,
    /// A game in SGF that is longer than this limit in bytes.
    LongGame(usize),
    /// A game in SGF with more nodes and values than this limit.
    LargeGame(usize),
    /// A file that cannot be read, with the message of the system.
    Unreadable(String),
    /// The value of SGF's `GM` for a game other than Gomoku and Renju.
    OtherGame(String),
    /// A first line that is not the header of a Piskvork game.
    NoHeader(String),
    /// A line where a PGN tag is expected.
    NoTag(String),
    /// A comment in PGN whose closing brace is missing.
    UnclosedComment,
    /// A variation in PGN whose closing bracket is missing.
    UnclosedVariation,
    /// A line where a sample is expected: stones, a move and a result.
    NoSample(String),
    /// A text in none of the formats of positions, and what it seems to be, if that is known.
    NoPosition(Option<Foreign>),
}

/// What a text may be that is in none of the formats of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Foreign {
    /// The records of a match.
    Records,
    /// A file of openings, with a comment at its beginning.
    Openings,
    /// A library of RenLib.
    RenLib,
    /// A library of positions.
    Library,
    /// Bytes that are no text, such as those of a database of Yixin.
    Binary,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Foreign::Records => "the records of a match, which `kagetsu report` shows",
            Foreign::Openings => "a file of openings, which `kagetsu match --openings` reads",
            Foreign::RenLib => "a library of RenLib, which `kagetsu library import` reads",
            Foreign::Library => "a library of positions, which `kagetsu library query` shows",
            Foreign::Binary => "no text; if it is a database of Yixin, `kagetsu library import` reads it",
        })
    }
}

impl std::error::Error for Mistake {}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::Empty => f.write_str("there is nothing to read"),
            Mistake::NoPoint(word) => {
                write!(f, "`{}` is neither `x,y` nor a point such as `h8`", quoted(word))
            }
            Mistake::NoNumber(word) => write!(f, "`{}` is not a number", quoted(word)),
            Mistake::MissingCoordinate => f.write_str("one coordinate is missing"),
            Mistake::ThreeNumbers(text) => {
                write!(f, "{} is three numbers, and a move is two: column and row", quoted(text))
            }
            Mistake::OffBoard { point, size } => write!(f, "{} is off the board of {size}", quoted(point)),
            Mistake::Taken(point) => write!(f, "{} is taken", quoted(point)),
            Mistake::WrongTurn { stone, color } => write!(f, "stone {stone} is not {}'s", color.name()),
            Mistake::NoSize(text) => write!(f, "`{}` is not a board size", quoted(text)),
            Mistake::WrongSize { found, wanted } => write!(f, "the board is {found}, not {wanted}"),
            Mistake::Ragged(row) => write!(f, "row {row} is not as long as the first"),
            Mistake::NoSign(sign) => {
                write!(f, "`{}` is none of `.`, `X`, `O`, `#`", quoted(&sign.to_string()))
            }
            Mistake::PictureSize => write!(f, "a board has 1 to {MAX_SIDE} rows and columns"),
            Mistake::StrayBracket => f.write_str("a bracket too many"),
            Mistake::UnclosedGame => f.write_str("the game that begins here has no end"),
            Mistake::UnclosedValue => f.write_str("a value without an end"),
            Mistake::NoGame => f.write_str("there is no game"),
            Mistake::NoMoves => f.write_str("the game that begins here has no moves"),
            Mistake::NoNode => f.write_str("the game that begins here is empty"),
            Mistake::LongGame(most) => {
                write!(
                    f,
                    "the game that begins here, or what stands before it, is longer than {} MB",
                    most >> 20
                )
            }
            Mistake::LargeGame(most) => {
                write!(f, "the game that begins here has more than {most} nodes and values")
            }
            Mistake::Unreadable(why) => write!(f, "unreadable: {}", quoted(why)),
            Mistake::OtherGame(number) => {
                let name = if number == "1" { " (Go)" } else { "" };
                write!(f, "this is game {}{name} of SGF, not game 4 (Gomoku)", quoted(number))
            }
            Mistake::NoHeader(line) => write!(f, "`{}` is not a header of Piskvork", quoted(line)),
            Mistake::NoTag(line) => write!(f, "`{}` is not a tag such as `[White \"name\"]`", quoted(line)),
            Mistake::UnclosedComment => f.write_str("the comment that begins here has no end"),
            Mistake::UnclosedVariation => f.write_str("the variation that begins here has no end"),
            Mistake::NoSample(line) => write!(f, "`{}` is not a sample such as `h8i9,j8,2`", quoted(line)),
            Mistake::NoPosition(foreign) => {
                f.write_str(
                    "this is neither SGF, PSQ, PGN, a board diagram of `.`, `X` and `O`, nor a list of moves such as `h8 i9`",
                )?;
                foreign.map_or(Ok(()), |foreign| write!(f, "; it looks like {foreign}"))
            }
        }
    }
}

impl Mistake {
    /// This mistake at a place.
    pub(super) fn at(self, place: Place) -> FormatError {
        FormatError { place, mistake: self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file_is_not_quoted() {
        let nothing = "\0".repeat(1 << 20);
        for mistake in [
            Mistake::NoPoint(nothing.clone()),
            Mistake::NoNumber(nothing.clone()),
            Mistake::OffBoard { point: nothing.clone(), size: Size::square(15) },
            Mistake::NoSize(nothing.clone()),
            Mistake::NoSign('\0'),
            Mistake::OtherGame(nothing.clone()),
            Mistake::NoHeader(nothing.clone()),
            Mistake::NoTag(nothing.clone()),
            Mistake::NoSample(nothing.clone()),
            Mistake::Unreadable(nothing.clone()),
        ] {
            let said = mistake.to_string();
            assert!(said.len() < 200 && said.contains(r"\u{0}") && !said.contains('\0'), "{said}");
        }
    }
}
