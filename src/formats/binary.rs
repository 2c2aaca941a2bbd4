//! What the binary formats share: a reader that keeps track of its offset, and errors that give the offset.

use std::fmt;
use std::sync::Arc;

use super::text::quoted;

/// Why bytes could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryError {
    /// The offset at which the mistake was noticed, from 0.
    pub offset: usize,
    /// The mistake.
    pub mistake: BinaryMistake,
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.mistake)
    }
}

impl std::error::Error for BinaryError {}

/// What can be wrong with binary data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BinaryMistake {
    /// The bytes do not begin like this format.
    NoHeader(&'static str),
    /// A version newer than any that is known.
    Version(u8, u8),
    /// The bytes end in the middle of something, or before something that was announced.
    End(&'static str),
    /// More bytes follow after the end.
    Rest,
    /// A byte that names no point of the board.
    NoPoint(u8),
    /// A number that means nothing here.
    Number {
        /// What the number should stand for.
        what: &'static str,
        /// The number.
        found: i64,
    },
    /// A second stone on the same point.
    Taken(String),
    /// A text longer than the limit.
    LongText,
    /// The bytes could not be obtained. Holds the message of the system or of the decompression.
    Unreadable(String),
}

impl fmt::Display for BinaryMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BinaryMistake::NoHeader(format) => write!(f, "this is not a {format}"),
            BinaryMistake::Version(major, minor) => {
                write!(f, "version {major}.{minor} is newer than what is known")
            }
            BinaryMistake::End(what) => write!(f, "the file ends before {what}"),
            BinaryMistake::Rest => f.write_str("something follows behind the end"),
            BinaryMistake::NoPoint(byte) => write!(f, "{byte:#04x} is not a point of the board"),
            BinaryMistake::Number { what, found } => write!(f, "{found} is not a {what}"),
            BinaryMistake::Taken(point) => write!(f, "{} is taken", quoted(point)),
            BinaryMistake::LongText => f.write_str("a text without an end"),
            BinaryMistake::Unreadable(why) => write!(f, "unreadable: {}", quoted(why)),
        }
    }
}

impl BinaryMistake {
    /// This mistake at an offset.
    pub(super) fn at(self, offset: usize) -> BinaryError {
        BinaryError { offset, mistake: self }
    }
}

/// The bytes that have not been read yet, and their offset.
#[derive(Clone, Debug)]
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    offset: usize,
}

impl<'a> Bytes<'a> {
    /// A reader before the first byte.
    pub(super) fn new(all: &'a [u8]) -> Bytes<'a> {
        Bytes { all, offset: 0 }
    }

    /// The offset of the next byte.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// All bytes that are left.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.all.get(self.offset..).unwrap_or_default()
    }

    /// Takes `count` bytes. If there are fewer, the error says that the file ends before `what`.
    pub(super) fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], BinaryError> {
        let found = self.rest().get(..count).ok_or_else(|| BinaryMistake::End(what).at(self.all.len()))?;
        self.offset += count;
        Ok(found)
    }

    /// Takes `N` bytes as an array.
    pub(super) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], BinaryError> {
        let found = self.rest().first_chunk().ok_or_else(|| BinaryMistake::End(what).at(self.all.len()))?;
        self.offset += N;
        Ok(*found)
    }
}

/// How to decode texts in files that do not give their encoding.
#[derive(Clone)]
pub struct TextDecoder(Arc<Decode>);

type Decode = dyn Fn(&[u8]) -> String + Send + Sync;

impl TextDecoder {
    /// A decoder that uses this function.
    pub fn new(decode: impl Fn(&[u8]) -> String + Send + Sync + 'static) -> TextDecoder {
        TextDecoder(Arc::new(decode))
    }

    /// The text in these bytes.
    #[must_use]
    pub fn text_of(&self, bytes: &[u8]) -> String {
        (self.0)(bytes)
    }
}

/// Decodes with `text_of`.
impl Default for TextDecoder {
    fn default() -> TextDecoder {
        TextDecoder::new(text_of)
    }
}

impl fmt::Debug for TextDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TextDecoder")
    }
}

/// Decodes bytes of unknown encoding: as UTF-8 if they are valid UTF-8, otherwise as Latin-1, each byte being the
/// character with its number. Latin-1 is right for the languages of western Europe and loses nothing of any other.
#[must_use]
pub fn text_of(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_where() {
        let mut bytes = Bytes::new(&[1, 2, 3]);
        assert_eq!(bytes.array(""), Ok([1, 2]));
        assert_eq!(bytes.offset(), 2);
        let error = bytes.take(2, "a record").unwrap_err();
        assert_eq!(error.to_string(), "byte 3: the file ends before a record");
        assert_eq!(bytes.take(1, ""), Ok(&[3][..]));
        assert_eq!(bytes.take(0, ""), Ok(&[][..]));
    }

    #[test]
    fn what_the_system_says_is_told() {
        let error = BinaryMistake::Unreadable("a disk\nis gone".to_owned()).at(7).to_string();
        assert!(error.starts_with("byte 7: unreadable: a disk") && !error.contains('\n'), "{error}");
    }

    #[test]
    fn texts_of_unknown_encoding_lose_nothing() {
        assert_eq!(text_of("née 水".as_bytes()), "née 水");
        assert_eq!(text_of(b"n\xE9e"), "née");
    }
}
