//! Files of openings in the usual formats.
//!
//! | format | a line | who writes it |
//! |---|---|---|
//! | offset | `3,4, 4,-3, 3,2`: steps from the middle | Gomocup, Piskvork, c-gomoku-cli |
//! | absolute | `7,7 8,8 9,7`: columns and rows from 0 | scripts |
//! | pos | `h8i9j8` | c-gomoku-cli, Yixin-Board |
//! | sgf | a collection of games; the main line of each | viewers |
//! | psq | one game | Piskvork |
//!
//! Black moves first, and colours alternate. This module knows no rules: callers check whether an opening may be
//! played.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::error::{FormatError, Mistake, Place};
use super::offset::OffsetLine;
use super::text::lines;
use super::{moves, offset, psq, sgf};
use crate::board::{Point, Size};

/// The format of openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningFormat {
    /// Recognised by the file's name and first line, or of numbers by the first line with more than one point; those of
    /// single points are offsets.
    #[default]
    Auto,
    /// Steps from the middle.
    Offset,
    /// Columns and rows from 0.
    Absolute,
    /// Letters and numbers without blanks.
    Pos,
    /// Games in SGF.
    Sgf,
    /// A game of Piskvork.
    Psq,
}

impl OpeningFormat {
    /// Every format.
    pub const ALL: [OpeningFormat; 6] = [
        OpeningFormat::Auto,
        OpeningFormat::Offset,
        OpeningFormat::Absolute,
        OpeningFormat::Pos,
        OpeningFormat::Sgf,
        OpeningFormat::Psq,
    ];

    /// The format's name, which [`OpeningFormat::from_str`] reads.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OpeningFormat::Auto => "auto",
            OpeningFormat::Offset => "offset",
            OpeningFormat::Absolute => "absolute",
            OpeningFormat::Pos => "pos",
            OpeningFormat::Sgf => "sgf",
            OpeningFormat::Psq => "psq",
        }
    }

    /// The format of a file with this name and text.
    #[must_use]
    pub fn recognise(path: &Path, text: &str) -> OpeningFormat {
        let first = lines(text).next().map_or("", |(_, line)| line);
        if has_extension(path, "sgf") || first.starts_with('(') {
            OpeningFormat::Sgf
        } else if has_extension(path, "psq") || psq::begins(text) {
            OpeningFormat::Psq
        } else if first.starts_with(|c: char| c.is_ascii_alphabetic()) {
            OpeningFormat::Pos
        } else if lines(text)
            .find(|(_, line)| has_points(line))
            .is_some_and(|(_, line)| has_absolute_points(line))
        {
            OpeningFormat::Absolute
        } else {
            OpeningFormat::Offset
        }
    }
}

/// Whether a line of numbers has more than one point, each with a comma of its own. A single one such as `5,5` may be
/// written either way.
fn has_points(line: &str) -> bool {
    line.matches(',').count() > 1
}

/// Whether a line has several points such as `5,5 4,4`. Offsets are written with a comma between them as well.
fn has_absolute_points(line: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_point = |word: &str| word.split_once(',').is_some_and(|(x, y)| is_number(x) && is_number(y));
    line.split_whitespace().count() > 1 && line.split_whitespace().all(is_point)
}

/// Whether a file has this extension, in upper or lower case.
#[must_use]
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

impl fmt::Display for OpeningFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that belongs to no [`OpeningFormat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownOpeningFormat(pub String);

impl fmt::Display for UnknownOpeningFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = OpeningFormat::ALL.map(OpeningFormat::name).join(", ");
        write!(f, "`{}` is not a format of openings; the formats are {names}", self.0)
    }
}

impl std::error::Error for UnknownOpeningFormat {}

impl FromStr for OpeningFormat {
    type Err = UnknownOpeningFormat;

    fn from_str(text: &str) -> Result<OpeningFormat, UnknownOpeningFormat> {
        let known = OpeningFormat::ALL.into_iter().find(|format| format.name() == text);
        known.ok_or_else(|| UnknownOpeningFormat(text.to_owned()))
    }
}

/// An opening as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundOpening {
    /// The line where it begins, from 1.
    pub line: usize,
    /// Its stones, Black first: distinct points of the board.
    pub points: Result<Vec<Point>, FormatError>,
}

/// The openings of a file, one by one, on a board of this size. A mistake affects one opening only. Empty lines and
/// lines that begin with `#` are skipped. [`OpeningFormat::Auto`] reads offsets.
pub fn read<'a>(
    text: &'a str,
    format: OpeningFormat,
    size: Size,
) -> Box<dyn Iterator<Item = FoundOpening> + 'a> {
    let by_line = move |read: fn(&str, Size) -> Result<Vec<Point>, FormatError>| {
        let found = move |(line, text)| FoundOpening {
            line,
            points: read(text, size).map_err(|error: FormatError| error.on_line(line)),
        };
        Box::new(lines(text).map(found))
    };
    match format {
        OpeningFormat::Auto | OpeningFormat::Offset => by_line(offset::read),
        OpeningFormat::Absolute | OpeningFormat::Pos => by_line(moves::read),
        OpeningFormat::Psq => {
            let points = psq::read(text).and_then(|game| game.on_size(size)).map(|game| game.points());
            Box::new(std::iter::once(FoundOpening { line: 1, points }))
        }
        OpeningFormat::Sgf => {
            let mut games = sgf::games(text).peekable();
            let no_game = games.peek().is_none().then(|| Err(Mistake::NoGame.at(Place::START)));
            Box::new(games.chain(no_game).map(move |game| match game {
                Ok(game) => FoundOpening {
                    line: game.place().line,
                    points: game.line(Some(size)).and_then(|line| line.alternating()),
                },
                Err(error) => FoundOpening { line: error.place.line, points: Err(error) },
            }))
        }
    }
}

/// An opening as one line of a file in this format. Formats that have no lines of openings, and
/// [`OpeningFormat::Auto`], give offsets.
#[must_use]
pub fn line(points: &[Point], size: Size, format: OpeningFormat) -> String {
    match format {
        OpeningFormat::Absolute => moves::numbers(points),
        OpeningFormat::Pos => moves::letters(points, ""),
        _ => OffsetLine { points, size }.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::square(15);

    fn openings(text: &str, format: OpeningFormat) -> Result<Vec<String>, FormatError> {
        super::read(text, format, SIZE).map(|found| Ok(moves::letters(&found.points?, ""))).collect()
    }

    #[test]
    fn every_format_is_read() {
        let expected = ["h8i9h6".to_owned(), "a1o15".to_owned()];
        for (text, format) in [
            ("0,0, 1,1, 0,-2\n\n# two\n-7,-7, 7,7\r\n", OpeningFormat::Offset),
            ("7,7 8,8 7,5\n0,0;14,14", OpeningFormat::Absolute),
            ("h8i9h6\nA1 o15\n", OpeningFormat::Pos),
            ("(;GM[4]SZ[15];B[hh];W[ii](;B[hf])(;B[aa]))\n(;AB[aa]AW[oo])", OpeningFormat::Sgf),
        ] {
            assert_eq!(openings(text, format).unwrap(), expected, "{format}");
        }
        let text = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\n8,6,3\nfoo.zip\n-1\n";
        assert_eq!(openings(text, OpeningFormat::Psq).unwrap(), expected[..1]);
    }

    #[test]
    fn lines_are_those_of_the_field() {
        let points = ["h8", "a1", "o15"].map(|name| name.parse::<Point>().unwrap());
        for (format, written) in [
            (OpeningFormat::Offset, "0,0, -7,-7, 7,7"),
            (OpeningFormat::Absolute, "7,7 0,0 14,14"),
            (OpeningFormat::Pos, "h8a1o15"),
        ] {
            assert_eq!(line(&points, SIZE, format), written);
            assert_eq!(openings(written, format).unwrap(), ["h8a1o15"]);
        }
    }

    #[test]
    fn formats_are_recognised() {
        let guess = |name: &str, text: &str| OpeningFormat::recognise(Path::new(name), text);
        assert_eq!(guess("a.txt", "\n1,2, 3,4"), OpeningFormat::Offset);
        assert_eq!(guess("a.txt", "5,5, 4,4"), OpeningFormat::Offset);
        assert_eq!(guess("a.txt", "5,5 -4,4"), OpeningFormat::Offset);
        assert_eq!(guess("a.txt", "0,0"), OpeningFormat::Offset);
        assert_eq!(guess("a.txt", "7,7 8,8 9,7"), OpeningFormat::Absolute);
        assert_eq!(guess("a.txt", "7,7\n\n8,7\n7,7 8,8\n"), OpeningFormat::Absolute);
        assert_eq!(guess("a.txt", "1,0\n0,0, 1,1\n7,7 8,8\n"), OpeningFormat::Offset);
        assert_eq!(guess("a.txt", "# openings\nh8h9"), OpeningFormat::Pos);
        assert_eq!(guess("a.txt", "(;GM[4])"), OpeningFormat::Sgf);
        assert_eq!(guess("a.rec", "Piskvorky 15x15, 0:0, 0"), OpeningFormat::Psq);
        assert_eq!(guess("A.SGF", ""), OpeningFormat::Sgf);
        assert!(OpeningFormat::ALL.into_iter().all(|format| format.to_string().parse() == Ok(format)));
        assert!("bmp".parse::<OpeningFormat>().unwrap_err().to_string().contains("auto, offset"));
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (text, format, said) in [
            ("0,0\n0,0, 1,1, 0,0", OpeningFormat::Offset, "line 2, column 11: h8 is taken"),
            ("0,0, 8,0", OpeningFormat::Offset, "off the board"),
            ("h8\n\nh8h16", OpeningFormat::Pos, "line 3, column 3: h16 is off the board"),
            ("h8é", OpeningFormat::Pos, "line 1"),
            ("(;SZ[19];B[aa])", OpeningFormat::Sgf, "the board is 19x19"),
            ("(;B[aa];B[bb])", OpeningFormat::Sgf, "not White"),
            ("(;GM[1];B[aa];W[bb])", OpeningFormat::Sgf, "(Go)"),
            ("(;B[aa])\n\n(;W[b", OpeningFormat::Sgf, "line 3, column 5"),
            ("(;", OpeningFormat::Sgf, "no end"),
            ("", OpeningFormat::Sgf, "no game"),
            ("()", OpeningFormat::Sgf, "empty"),
            ("Piskvorky 20x20, 11:11, 0\n1,1,0", OpeningFormat::Psq, "20x20, not 15x15"),
            ("1,1,0", OpeningFormat::Psq, "header"),
        ] {
            let error = openings(text, format).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
