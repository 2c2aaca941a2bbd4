//! Training samples in the three formats of c-gomoku-cli. Its README describes them, and existing training programs
//! read them.
//!
//! | format | holds |
//! |---|---|
//! | csv | one position per line: stones, move, result; `h8i9,j8,2` |
//! | bin | the same in binary form, each position on its own |
//! | binpack | whole games in binary form: the opening, then each move with its score |
//!
//! Results are from the point of view of the side to move: 0 is a loss, 1 a draw, 2 a win.

use std::fmt;
use std::str::FromStr;

use super::error::{FormatError, Mistake, Place};
use super::moves;
use crate::board::{Point, PointSet, Size};
use crate::rules::Rule;

/// The format of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleFormat {
    /// Text, position by position.
    #[default]
    Csv,
    /// Bytes, position by position.
    Bin,
    /// Bytes, game by game.
    Binpack,
}

/// A name that belongs to no [`SampleFormat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSampleFormat(pub String);

impl fmt::Display for UnknownSampleFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a format of samples; the formats are csv, bin, binpack", self.0)
    }
}

impl std::error::Error for UnknownSampleFormat {}

impl FromStr for SampleFormat {
    type Err = UnknownSampleFormat;

    fn from_str(text: &str) -> Result<SampleFormat, UnknownSampleFormat> {
        match text {
            "csv" => Ok(SampleFormat::Csv),
            "bin" => Ok(SampleFormat::Bin),
            "binpack" => Ok(SampleFormat::Binpack),
            _ => Err(UnknownSampleFormat(text.to_owned())),
        }
    }
}

/// How a game ended for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleResult {
    /// 0
    Loss,
    /// 1
    Draw,
    /// 2
    Win,
}

impl SampleResult {
    fn from_number(number: u32) -> Option<SampleResult> {
        [SampleResult::Loss, SampleResult::Draw, SampleResult::Win].get(number as usize).copied()
    }
}

/// Why a sample cannot be written or read in a binary format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SampleError {
    /// The binary formats have no number for the rule.
    Rule(Rule),
    /// The binary formats support square boards only.
    Board(Size),
    /// Bytes that are not a sample.
    Damaged,
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleError::Rule(rule) => {
                write!(f, "this format has no number for the rule {rule}; csv takes all rules")
            }
            SampleError::Board(size) => {
                write!(f, "this format has square boards only, not {size}; csv takes all boards")
            }
            SampleError::Damaged => f.write_str("these bytes are not a sample"),
        }
    }
}

impl std::error::Error for SampleError {}

/// A position, the move that was played in it, and the result of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSample {
    /// The board. The text format does not contain it.
    pub size: Size,
    /// The rule. The text format does not contain it.
    pub rule: Rule,
    /// Stones, Black first.
    pub stones: Vec<Point>,
    /// The move that was played.
    pub played: Point,
    /// The result for the side that played it.
    pub result: SampleResult,
}

impl PositionSample {
    /// The sample as a line of text, without the line end.
    #[must_use]
    pub fn to_csv(&self) -> String {
        format!("{},{},{}", moves::letters(&self.stones, ""), self.played, self.result as u32)
    }

    /// Reads a line of text, which contains neither the rule nor the board.
    ///
    /// # Errors
    /// A line that is not a sample, a point off the board, and a point that is taken.
    pub fn from_csv(line: &str, rule: Rule, size: Size) -> Result<PositionSample, FormatError> {
        let no_sample = || Mistake::NoSample(line.to_owned()).at(Place::START);
        let fields: Vec<&str> = line.trim().split(',').collect();
        let &[stones, played, result] = fields.as_slice() else { return Err(no_sample()) };
        let result = result.parse().ok().and_then(SampleResult::from_number).ok_or_else(no_sample)?;
        let mut points = moves::read(&format!("{stones} {played}"), size)?;
        let played = points.pop().filter(|point| played.parse() == Ok(*point)).ok_or_else(no_sample)?;
        Ok(PositionSample { size, rule, stones: points, played, result })
    }

    /// The sample in binary form: a header of two 16-bit numbers, then the stones.
    ///
    /// # Errors
    /// A rule or a board that the format does not support.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SampleError> {
        let (side, rule) = side_and_rule(self.size, self.rule)?;
        let ply = self.stones.len() as u16;
        let head =
            [self.result as u16 | ply << 2 | (side as u16) << 11, u16::from(rule) | cell(self.played) << 3];
        let words = head.into_iter().chain(self.stones.iter().map(|&point| cell(point)));
        Ok(words.flat_map(u16::to_le_bytes).collect())
    }

    /// Reads the sample at the start of the bytes, and returns it with the bytes after it.
    ///
    /// # Errors
    /// Bytes that are not a sample.
    pub fn from_bytes(bytes: &[u8]) -> Result<(PositionSample, &[u8]), SampleError> {
        let mut rest = bytes;
        let head = [word(&mut rest)?, word(&mut rest)?];
        let result = SampleResult::from_number((head[0] & 0b11).into()).ok_or(SampleError::Damaged)?;
        let (size, rule) = board_and_rule(head[0] >> 11, head[1] & 0b111)?;
        let played = point(head[1] >> 3, size)?;
        let stones: Vec<Point> =
            (0..head[0] >> 2 & 0x1FF).map(|_| point(word(&mut rest)?, size)).collect::<Result<_, _>>()?;
        ensure_distinct(stones.iter().copied().chain([played]))?;
        Ok((PositionSample { size, rule, stones, played, result }, rest))
    }
}

/// A game: its opening, and the moves that were played with their scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSample {
    /// The board.
    pub size: Size,
    /// The rule.
    pub rule: Rule,
    /// The result for the side that plays the first of the moves.
    pub result: SampleResult,
    /// The stones of the opening, which neither player chose, Black first.
    pub opening: Vec<Point>,
    /// The moves after the opening. Each score is from the point of view of the player that moved, in its own units;
    /// `None` for a move without a score.
    pub moves: Vec<(Point, Option<i16>)>,
}

/// Flags of a move that is both the first (the best) and the last line of its position.
const ONLY_LINE: u16 = 0b11;
const NO_SCORE: u16 = 0b100;

impl GameSample {
    /// The game in binary form: a header of two 32-bit numbers, the stones of the opening, then each move with its
    /// score.
    ///
    /// # Errors
    /// A rule or a board that the format does not support.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SampleError> {
        let (side, rule) = side_and_rule(self.size, self.rule)?;
        let number = |n: usize| n as u32;
        let head = [
            number(side)
                | u32::from(rule) << 5
                | (self.result as u32) << 8
                | number(self.opening.len() + self.moves.len()) << 12
                | number(self.opening.len()) << 22,
            number(self.moves.len()) << 14,
        ];
        let mut bytes: Vec<u8> = head.into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.extend(self.opening.iter().flat_map(|&point| cell(point).to_le_bytes()));
        for &(point, score) in &self.moves {
            let flags = ONLY_LINE | if score.is_none() { NO_SCORE } else { 0 };
            bytes.extend((flags | cell(point) << 6).to_le_bytes());
            bytes.extend(score.unwrap_or(0).to_le_bytes());
        }
        Ok(bytes)
    }

    /// Reads the game at the start of the bytes, and returns it with the bytes after it.
    ///
    /// # Errors
    /// Bytes that are not a game.
    pub fn from_bytes(bytes: &[u8]) -> Result<(GameSample, &[u8]), SampleError> {
        let mut rest = bytes;
        let mut half = || Ok(u32::from(word(&mut rest)?));
        let head = [half()? | half()? << 16, half()? | half()? << 16];
        let result = SampleResult::from_number(head[0] >> 8 & 0xF).ok_or(SampleError::Damaged)?;
        let (size, rule) = board_and_rule((head[0] & 0x1F) as u16, (head[0] >> 5 & 0b111) as u16)?;
        let (all, opening, count) = (head[0] >> 12 & 0x3FF, head[0] >> 22, head[1] >> 14);
        if opening + count != all {
            return Err(SampleError::Damaged);
        }
        let opening: Vec<Point> =
            (0..opening).map(|_| point(word(&mut rest)?, size)).collect::<Result<_, _>>()?;
        let mut one_move = || {
            let (played, score) = (word(&mut rest)?, word(&mut rest)?.cast_signed());
            Ok((point(played >> 6, size)?, (played & NO_SCORE == 0).then_some(score)))
        };
        let moves: Vec<(Point, Option<i16>)> = (0..count).map(|_| one_move()).collect::<Result<_, _>>()?;
        ensure_distinct(opening.iter().chain(moves.iter().map(|(point, _)| point)).copied())?;
        Ok((GameSample { size, rule, result, opening, moves }, rest))
    }
}

/// The side of the board and the number of the rule, if the binary formats support them.
fn side_and_rule(size: Size, rule: Rule) -> Result<(usize, u8), SampleError> {
    const MOST: u8 = 7;
    let number = rule.gomocup_number();
    if number > MOST {
        return Err(SampleError::Rule(rule));
    }
    if size.width() != size.height() {
        return Err(SampleError::Board(size));
    }
    Ok((size.width(), number))
}

fn board_and_rule(side: u16, rule: u16) -> Result<(Size, Rule), SampleError> {
    let size = Size::new(side.into(), side.into());
    size.zip(Rule::from_gomocup_number(rule.into())).ok_or(SampleError::Damaged)
}

/// A point in ten bits: five each for column and row.
fn cell(point: Point) -> u16 {
    (point.x() as u16) << 5 | point.y() as u16
}

/// The point that these ten bits stand for.
fn point(cell: u16, size: Size) -> Result<Point, SampleError> {
    Point::checked((cell >> 5).into(), (cell & 0x1F).into(), size).ok_or(SampleError::Damaged)
}

/// Checks that no two stones are on the same point.
fn ensure_distinct(points: impl Iterator<Item = Point>) -> Result<(), SampleError> {
    let mut taken = PointSet::EMPTY;
    for point in points {
        if taken.contains(point) {
            return Err(SampleError::Damaged);
        }
        taken.insert(point);
    }
    Ok(())
}

/// Takes the first 16-bit number.
fn word(rest: &mut &[u8]) -> Result<u16, SampleError> {
    let (first, after) = rest.split_first_chunk().ok_or(SampleError::Damaged)?;
    *rest = after;
    Ok(u16::from_le_bytes(*first))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::square(15);

    fn renju() -> Rule {
        "renju".parse().unwrap()
    }

    fn points(text: &str) -> Vec<Point> {
        moves::read(text, SIZE).unwrap()
    }

    fn position() -> PositionSample {
        let (stones, played) = (points("h8i9"), points("a15")[0]);
        PositionSample { size: SIZE, rule: renju(), stones, played, result: SampleResult::Loss }
    }

    fn game() -> GameSample {
        let moves = points("i9a15").into_iter().zip([Some(-3), None]).collect();
        GameSample { size: SIZE, rule: renju(), result: SampleResult::Win, opening: points("h8"), moves }
    }

    #[test]
    fn text() {
        assert_eq!(position().to_csv(), "h8i9,a15,0");
        assert_eq!(PositionSample::from_csv("h8i9,a15,0\n", renju(), SIZE), Ok(position()));
        let first = PositionSample { stones: Vec::new(), ..position() };
        assert_eq!(PositionSample::from_csv(&first.to_csv(), renju(), SIZE), Ok(first));
        for line in ["", "h8,i9", "h8,,2", "h8,i9,3", "h8,i9j9,2", "h8,i9,2,", "h8,h8,2", "h8,p1,2", ",é,1"]
        {
            assert!(PositionSample::from_csv(line, renju(), SIZE).is_err(), "{line}");
        }
    }

    /// Written by hand from the description of the formats: h8 is column 7, row 7.
    #[test]
    fn bytes_of_positions() {
        let bytes = position().to_bytes().unwrap();
        let words: Vec<u16> = bytes.chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
        let (h8, i9, a15) = (7 << 5 | 7, 8 << 5 | 8, 14);
        assert_eq!(words, [2 << 2 | 15 << 11, 4 | a15 << 3, h8, i9]);
        assert_eq!(
            PositionSample::from_bytes(&[&bytes, &b"more"[..]].concat()),
            Ok((position(), &b"more"[..]))
        );
        for length in 0..bytes.len() {
            assert_eq!(PositionSample::from_bytes(&bytes[..length]), Err(SampleError::Damaged));
        }
        let taken = PositionSample { stones: points("h8").repeat(2), ..position() };
        assert_eq!(PositionSample::from_bytes(&taken.to_bytes().unwrap()), Err(SampleError::Damaged));
    }

    #[test]
    fn bytes_of_games() {
        let bytes = game().to_bytes().unwrap();
        assert_eq!(bytes.len(), 8 + 2 + 2 * 4);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((word(0), word(4)), (15 | 4 << 5 | 2 << 8 | 3 << 12 | 1 << 22, 2 << 14));
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        assert_eq!((half(8), half(10), half(12) as i16), (7 << 5 | 7, 3 | (8 << 5 | 8) << 6, -3));
        assert_eq!((half(14), half(16)), (7 | 14 << 6, 0));
        assert_eq!(GameSample::from_bytes(&bytes), Ok((game(), &b""[..])));
        for length in 0..bytes.len() {
            assert_eq!(GameSample::from_bytes(&bytes[..length]), Err(SampleError::Damaged));
        }
        let taken = GameSample { opening: points("h8").repeat(2), ..game() };
        assert_eq!(GameSample::from_bytes(&taken.to_bytes().unwrap()), Err(SampleError::Damaged));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let caro: Rule = "caro".parse().unwrap();
        let wide = Size::new(15, 16).unwrap();
        assert_eq!(PositionSample { rule: caro, ..position() }.to_bytes(), Err(SampleError::Rule(caro)));
        assert_eq!(PositionSample { size: wide, ..position() }.to_bytes(), Err(SampleError::Board(wide)));
        assert_eq!(GameSample { rule: caro, ..game() }.to_bytes(), Err(SampleError::Rule(caro)));
        assert_eq!(GameSample { size: wide, ..game() }.to_bytes(), Err(SampleError::Board(wide)));
        for (error, said) in [
            (SampleError::Rule(caro), "this format has no number for the rule caro; csv takes all rules"),
            (SampleError::Board(wide), "this format has square boards only, not 15x16; csv takes all boards"),
            (SampleError::Damaged, "these bytes are not a sample"),
        ] {
            assert_eq!(error.to_string(), said);
        }
    }

    #[test]
    fn formats_have_names() {
        for (name, format) in
            [("csv", SampleFormat::Csv), ("bin", SampleFormat::Bin), ("binpack", SampleFormat::Binpack)]
        {
            assert_eq!(name.parse(), Ok(format));
        }
        let unknown = "json".parse::<SampleFormat>().unwrap_err().to_string();
        assert_eq!(unknown, "`json` is not a format of samples; the formats are csv, bin, binpack");
    }
}
