//! Reads lines of bytes from a manager. However long a line is, never more than [`MAX_LINE`] bytes of it are
//! kept.

use std::io::{self, BufRead};

/// Bytes kept of a line. A full board in a one-line block needs less than 5,000.
pub const MAX_LINE: usize = 16 << 10;

/// One line without its end, or the beginning of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLine {
    /// The bytes, without the line feed.
    pub bytes: Vec<u8>,
    /// Whether the line was longer than [`MAX_LINE`] bytes, and the rest of it was thrown away.
    pub cut: bool,
}

/// Reads the next line; `None` at the end of the input. A last line without a line feed is ignored, because
/// something may have been cut off: `TURN 7,1` may have been the beginning of `TURN 7,12`.
///
/// # Errors
/// What the reader reports, except that interrupted reads are tried again.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<RawLine>> {
    let mut line = RawLine { bytes: Vec::new(), cut: false };
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(None);
        }
        let mut parts = chunk.splitn(2, |&byte| byte == b'\n');
        let text = parts.next().unwrap_or_default();
        let ended = parts.next().is_some();
        let kept = text.len().min(MAX_LINE - line.bytes.len());
        line.bytes.extend(text.iter().take(kept));
        line.cut |= kept < text.len();
        let used = text.len() + usize::from(ended);
        input.consume(used);
        if ended {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_long_ones_are_cut() {
        let mut text = b"START 15\r\n\nEND".to_vec();
        text.push(b'\n');
        text.extend(std::iter::repeat_n(b'x', 3 * MAX_LINE));
        text.extend(b"\nlast\ncut o");
        let mut input = io::BufReader::with_capacity(7, text.as_slice());
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next().unwrap().bytes, b"START 15\r");
        assert_eq!(next().unwrap().bytes, b"");
        assert_eq!(next().unwrap().bytes, b"END");
        let long = next().unwrap();
        assert!(long.cut && long.bytes.len() == MAX_LINE);
        let last = next().unwrap();
        assert!(!last.cut && last.bytes == b"last");
        assert_eq!(next(), None);
    }
}
