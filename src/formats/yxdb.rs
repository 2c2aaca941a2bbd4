//! YXDB, the position database (`.db`) that Yixin introduced and Rapfi maintains, without the compression around it.
//!
//! A database is a 32-bit number of records, followed by the records. All numbers are little-endian. A record is a key
//! and a value, each after its 16-bit length:
//!
//! | part | holds |
//! |---|---|
//! | key | rule (0 freestyle, 1 standard, 2 renju), columns, rows, and two bytes for each stone, column and row: Black's, then White's. FF FF is a pass, which shows who is to move |
//! | value | a label, a score in 16 bits, its depth and kind in 16 bits, and a text up to the end. Each of these may be missing |
//!
//! The label is a letter: `w` if the side that has just moved wins, `l` if it loses, `d` for a draw, `!` and `x` for
//! moves that a search must and must not play, or whatever else people have put there; 0 and -1 mean no label. The
//! score is from the point of view of the side to move. The lowest two of the next 16 bits give its kind: 3 is exact, 1
//! an upper bound, 2 a lower bound, and 0 means no score. The text may begin with `@BTXT@` and the labels of points,
//! one per line, up to a backspace. A record for a board without columns and rows says that texts are UTF-8.

use std::io::{ErrorKind, Read};

use super::binary::{BinaryError, BinaryMistake, TextDecoder};
use super::point_names::PointNames;
use crate::board::{Color, MAX_SIDE, Point, Size, Stones};
use crate::rules::Rule;

/// The numbers of the rules in the Gomocup protocol, indexed by their numbers in YXDB.
const RULES: [i64; 3] = [0, 1, 4];
/// Introduces the labels of points.
const LABELS: &str = "@BTXT@";
/// Separates the parts of a text.
const NEXT_PART: char = '\u{8}';
/// Marks an exact score.
const EXACT: i16 = 3;
const BOUND: i16 = 3;
/// What the record about the database itself says of its texts; nothing else is known to stand there.
const UTF_8: &[u8] = b"charset=\"UTF-8\"";

/// A position and what is known about it.
#[derive(Clone, Debug)]
pub struct YxRecord {
    /// The rule.
    pub rule: Rule,
    /// The stones and the side to move; the order in which they were placed is not stored.
    pub stones: Stones,
    /// The label.
    pub label: Option<char>,
    /// The score for the side to move and its depth in plies, if the score is exact.
    pub score: Option<(i16, i16)>,
    /// The lines of the comment.
    pub comment: String,
    /// Texts on points of the board.
    pub labels: Vec<(Point, String)>,
}

/// The records of a database, one by one. Only the current one is kept in memory.
#[derive(Debug)]
pub struct YxRecords<R> {
    input: R,
    offset: usize,
    left: u32,
    has_failed: bool,
    decoder: TextDecoder,
}

/// Whether a file that begins with these bytes can be a database that is not compressed. Other programs give their
/// files the same extension, and begin them with letters where a database has the length of its first key.
#[must_use]
pub fn looks_like_database(begin: &[u8]) -> bool {
    /// Rule, width and height, and a stone on every point.
    const LONGEST_KEY: usize = 3 + 2 * MAX_SIDE * MAX_SIDE;
    let length = begin.get(4..).and_then(|rest| rest.first_chunk());
    length.is_none_or(|&length| usize::from(u16::from_le_bytes(length)) <= LONGEST_KEY)
}

/// Begins to read a database.
///
/// # Errors
/// The number of records cannot be read.
pub fn records<R: Read>(input: R) -> Result<YxRecords<R>, BinaryError> {
    let mut records =
        YxRecords { input, offset: 0, left: 0, has_failed: false, decoder: TextDecoder::default() };
    let mut count = [0; 4];
    records.fill(&mut count, "the number of its records")?;
    records.left = u32::from_le_bytes(count);
    Ok(records)
}

impl<R: Read> YxRecords<R> {
    /// Decodes the texts of all further records with this decoder, unless the database says that they are UTF-8.
    #[must_use]
    pub fn with_texts(self, decoder: TextDecoder) -> Self {
        YxRecords { decoder, ..self }
    }

    fn fill(&mut self, buffer: &mut [u8], what: &'static str) -> Result<(), BinaryError> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.input.read(rest) {
                Ok(0) => return Err(BinaryMistake::End(what).at(self.offset)),
                Ok(count) => {
                    filled += count;
                    self.offset += count;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    return Err(BinaryMistake::End(what).at(self.offset));
                }
                Err(error) => return Err(BinaryMistake::Unreadable(error.to_string()).at(self.offset)),
            }
        }
        Ok(())
    }

    /// Whether there are no more bytes.
    fn is_at_end(&mut self) -> bool {
        let offset = self.offset;
        let is_at_end = self.fill(&mut [0], "a byte").is_err();
        self.offset = offset;
        is_at_end
    }

    /// Reads a key or a value, which comes after its length.
    fn part(&mut self, what: &'static str) -> Result<Vec<u8>, BinaryError> {
        let mut length = [0; 2];
        self.fill(&mut length, what)?;
        let mut part = vec![0; u16::from_le_bytes(length).into()];
        self.fill(&mut part, what)?;
        Ok(part)
    }

    /// The next record; `None` if it does not describe a position.
    fn record(&mut self) -> Result<Option<YxRecord>, BinaryError> {
        let begun = self.offset;
        let key = self.part("the end of a key")?;
        if key.is_empty() {
            return Ok(None);
        }
        let value = self.part("the end of a record")?;
        let Some((rule, stones)) = position(&key).map_err(|mistake| mistake.at(begun))? else {
            if value.windows(UTF_8.len()).any(|found| found == UTF_8) {
                self.decoder = TextDecoder::default();
            }
            return Ok(None);
        };
        Ok(Some(read_value(rule, stones, &value, &self.decoder)))
    }
}

impl<R: Read> Iterator for YxRecords<R> {
    type Item = Result<YxRecord, BinaryError>;

    fn next(&mut self) -> Option<Result<YxRecord, BinaryError>> {
        while self.left > 0 && !self.has_failed {
            self.left -= 1;
            match self.record() {
                Ok(None) => {}
                Ok(Some(record)) => return Some(Ok(record)),
                Err(error) => {
                    self.has_failed = true;
                    return Some(Err(error));
                }
            }
        }
        // A wrong number of records would leave positions out.
        let is_at_end = self.has_failed || self.is_at_end();
        self.has_failed = true;
        (!is_at_end).then(|| Err(BinaryMistake::Rest.at(self.offset)))
    }
}

/// The position of a key; `None` if the record is about the database itself.
fn position(key: &[u8]) -> Result<Option<(Rule, Stones)>, BinaryMistake> {
    let &[rule, width, height, ref stones @ ..] = key else {
        return Err(BinaryMistake::End("the board of a key"));
    };
    if width == 0 && height == 0 {
        return Ok(None);
    }
    let number = |what, found: u8| BinaryMistake::Number { what, found: found.into() };
    let known = RULES.get(usize::from(rule)).and_then(|&known| Rule::from_gomocup_number(known));
    let known = known.ok_or_else(|| number("rule", rule))?;
    let size =
        Size::new(width.into(), height.into()).ok_or_else(|| number("side of a board", width.max(height)))?;
    let (pairs, odd) = stones.as_chunks::<2>();
    if !odd.is_empty() {
        return Err(BinaryMistake::End("the row of a stone"));
    }
    let mut found = Stones::new(size);
    let (black, white) = pairs.split_at(pairs.len().div_ceil(2));
    for (pairs, color) in [(black, Color::Black), (white, Color::White)] {
        for &[x, y] in pairs {
            if [x, y] == [0xFF, 0xFF] {
                break;
            }
            let point = Point::checked(x.into(), y.into(), size).ok_or(BinaryMistake::NoPoint(x.max(y)))?;
            if !found.is_empty_at(point) {
                return Err(BinaryMistake::Taken(PointNames::of(size).name(point)));
            }
            found.place(point, color);
        }
    }
    found.set_to_move(if pairs.len().is_multiple_of(2) { Color::Black } else { Color::White });
    Ok(Some((known, found)))
}

fn read_value(rule: Rule, stones: Stones, value: &[u8], decoder: &TextDecoder) -> YxRecord {
    let (label, rest) = value.split_first().map_or((0, value), |(&label, rest)| (label, rest));
    let (score, rest) = half(rest);
    let (depth, rest) = half(rest);
    let text = decoder.text_of(rest).replace('\0', "");
    let (labels, comment) = match text.strip_prefix(LABELS) {
        Some(text) => text.split_once(NEXT_PART).unwrap_or((text, "")),
        None => ("", text.as_str()),
    };
    let size = stones.size();
    let labels = labels.split('\n').filter_map(|line| label_of(line, size)).collect();
    YxRecord {
        rule,
        stones,
        label: Some(char::from(label)).filter(char::is_ascii_graphic),
        score: score
            .zip(depth)
            .filter(|(_, depth)| depth & BOUND == EXACT)
            .map(|(score, depth)| (score, depth >> 2)),
        comment: comment.replace(NEXT_PART, "\n").trim_end().to_owned(),
        labels,
    }
}

/// The first 16 bits as a number, and the bytes after them.
fn half(bytes: &[u8]) -> (Option<i16>, &[u8]) {
    match bytes.split_first_chunk() {
        Some((&number, rest)) => (Some(i16::from_le_bytes(number)), rest),
        None => (None, &[]),
    }
}

/// The label of a point: column and row, each a digit or a letter of either case, and a text.
fn label_of(line: &str, size: Size) -> Option<(Point, String)> {
    let mut signs = line.chars();
    let mut coordinate = || signs.next()?.to_digit(36).map(i64::from);
    let (x, y) = (coordinate()?, coordinate()?);
    let text = signs.as_str().trim();
    (!text.is_empty()).then_some((Point::checked(x, y, size)?, text.to_owned()))
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::formats::test_reader::Halting;

    fn part(bytes: &[u8]) -> Vec<u8> {
        [&(bytes.len() as u16).to_le_bytes(), bytes].concat()
    }

    /// A database written by hand from the description: a record about the database itself, a position with a pass, and
    /// one with every part.
    fn database() -> Vec<u8> {
        let text = "@BTXT@7AA\nE0bc\u{8}one\u{8}two";
        let mut value = vec![b'w'];
        value.extend((-29_990i16).to_le_bytes());
        value.extend((12i16 << 2 | 3).to_le_bytes());
        value.extend(text.as_bytes());
        let mut bytes = 3u32.to_le_bytes().to_vec();
        bytes.extend([part(&[0, 0, 0]), part(b"\0\0\0\0\0charset=\"UTF-8\"")].concat());
        bytes.extend([part(&[2, 15, 15, 7, 7, 0xFF, 0xFF, 8, 6]), part(&[0xFF])].concat());
        bytes.extend([part(&[0, 20, 20, 7, 7]), part(&value)].concat());
        bytes
    }

    fn all(bytes: &[u8]) -> Result<Vec<YxRecord>, BinaryError> {
        records(bytes)?.collect()
    }

    #[test]
    fn texts_are_decoded_as_the_caller_wishes() {
        let loud = TextDecoder::new(|bytes| String::from_utf8_lossy(bytes).to_uppercase());
        let says_utf_8 = database();
        let at = says_utf_8.windows(UTF_8.len()).position(|found| found == UTF_8).unwrap();
        let mut says_nothing = says_utf_8.clone();
        says_nothing[at..at + UTF_8.len()].fill(0);
        for (bytes, expected) in [(says_nothing, "ONE\nTWO"), (says_utf_8, "one\ntwo")] {
            let records = records(bytes.as_slice()).unwrap().with_texts(loud.clone());
            assert_eq!(records.last().unwrap().unwrap().comment, expected);
        }
    }

    #[test]
    fn records_are_read() {
        let found = all(&database()).unwrap();
        let [passed, whole] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((passed.rule.gomocup_number(), passed.stones.size()), (4, Size::square(15)));
        assert_eq!((passed.stones.history().len(), passed.stones.to_move()), (2, Color::White));
        assert_eq!((passed.label, passed.score, passed.comment.as_str()), (None, None, ""));
        assert_eq!((whole.stones.size(), whole.stones.to_move()), (Size::square(20), Color::White));
        assert_eq!((whole.label, whole.score), (Some('w'), Some((-29_990, 12))));
        assert_eq!(whole.comment, "one\ntwo");
        let labels = [(Point::new(7, 10), "A".to_owned()), (Point::new(14, 0), "bc".to_owned())];
        assert_eq!(whole.labels, labels);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let one = |key: &[u8]| [1u32.to_le_bytes().to_vec(), part(key), part(&[])].concat();
        for (bytes, said) in [
            (vec![1, 0], "byte 2: the file ends before the number of its records"),
            (one(&[9, 15, 15]), "byte 4: 9 is not a rule"),
            (one(&[0, 15, 40]), "byte 4: 40 is not a side of a board"),
            (one(&[0, 0, 40]), "byte 4: 40 is not a side of a board"),
            (one(&[0, 15, 15, 15, 3]), "byte 4: 0x0f is not a point of the board"),
            (one(&[0, 15, 15, 3, 3, 3, 3]), "byte 4: d4 is taken"),
            (one(&[0, 15, 15, 3]), "byte 4: the file ends before the row of a stone"),
            (one(&[0, 15]), "byte 4: the file ends before the board of a key"),
            (database()[..40].to_vec(), "byte 40: the file ends before the end of a key"),
            (
                [&1u32.to_le_bytes()[..], &part(&[]), &database()[4..]].concat(),
                "byte 6: something follows behind the end",
            ),
        ] {
            assert_eq!(all(&bytes).unwrap_err().to_string(), said);
        }
        assert_eq!(all(&[&1u32.to_le_bytes()[..], &part(&[])].concat()).unwrap().len(), 0);
    }

    #[test]
    fn an_interrupted_read_goes_on_and_a_failed_one_says_why() {
        let bytes = database();
        let read = |kind| records(Halting::new(&bytes, kind))?.collect::<Result<Vec<_>, _>>();
        assert_eq!(read(ErrorKind::Interrupted).unwrap().len(), 2);
        // A decoder says so where the compressed file was cut.
        let cut = read(ErrorKind::UnexpectedEof).unwrap_err();
        assert_eq!(cut.to_string(), "byte 0: the file ends before the number of its records");
        assert!(matches!(read(ErrorKind::TimedOut).unwrap_err().mistake, BinaryMistake::Unreadable(_)));
    }

    #[test]
    fn nothing_that_is_read_panics() {
        let mut random = StdRng::seed_from_u64(3);
        for _ in 0..5_000 {
            let mut bytes = database();
            for _ in 0..random.random_range(1..6) {
                let at = random.random_range(0..bytes.len());
                match random.random_range(0..3) {
                    0 => bytes[at] = random.random(),
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, random.random()),
                }
            }
            if let Err(error) = all(&bytes) {
                assert!(error.offset <= bytes.len(), "{error}");
            }
            let noise: Vec<u8> = (0..random.random_range(0..64)).map(|_| random.random()).collect();
            let _ = all(&noise);
        }
    }
}
