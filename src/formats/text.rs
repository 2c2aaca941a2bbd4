//! Decodes the bytes of a file, and makes text safe to print on a terminal.

use std::borrow::Cow;

#[cfg(feature = "library")]
use encoding_rs::Encoding;

#[cfg(feature = "library")]
use super::encoding::{self, Utf8Count};

/// Decodes the text of a file, whichever program saved it: UTF-8 with or without a byte order mark, or UTF-16 in either
/// byte order, which is what Windows PowerShell writes for `kagetsu solve ... > file`. The mark is removed.
///
/// Bytes that are not valid in these encodings become U+FFFD: names of players may be in any encoding, and what matters
/// here is ASCII. In Shift-JIS, GBK and Big5 the second byte of a character may look like a bracket or a backslash,
/// which can swallow moves of SGF; [`decode_games`] reads those in their encoding.
///
/// ```
/// use kagetsu::formats::text::decode;
/// assert_eq!(decode(b"\xEF\xBB\xBFh8 i9"), "h8 i9");
/// assert_eq!(decode(b"\xFF\xFEh\08\0"), "h8");
/// ```
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match wide_text(bytes) {
        Some((rest, unit)) => Cow::Owned(utf16(rest, unit)),
        None => String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)),
    }
}

/// How two bytes are a unit of UTF-16.
type Unit = fn([u8; 2]) -> u16;

/// The text behind a mark, and how its units are stored, if the bytes are a text in UTF-16. Without a mark it is
/// recognised by the zero beside the first character, which is ASCII in all formats.
fn wide_text(bytes: &[u8]) -> Option<(&[u8], Unit)> {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => Some((rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Some((rest, u16::from_be_bytes)),
        [first, 0, ..] if *first != 0 => Some((bytes, u16::from_le_bytes)),
        [0, second, ..] if *second != 0 => Some((bytes, u16::from_be_bytes)),
        _ => None,
    }
}

/// Like [`decode`], for texts that may be SGF: where it is not UTF-8, the encoding counts that it names by `CA`, and
/// where it names none, the one in which it was most likely written. UTF-8 is read as such whatever the text calls
/// itself, because editors convert files and leave the name. Only builds with the feature `library` know encodings
/// other than those of [`decode`].
///
/// ```
/// use kagetsu::formats::text::decode_games;
/// // The second byte of the player's name is a backslash.
/// let text = decode_games(b"(;CA[Shift_JIS]PB[\x83\x5C];B[hh])");
/// # #[cfg(feature = "library")]
/// assert_eq!(text, "(;CA[Shift_JIS]PB[ソ];B[hh])");
/// ```
#[must_use]
pub fn decode_games(bytes: &[u8]) -> Cow<'_, str> {
    #[cfg(feature = "library")]
    if let Some(encoding) = encoding_of_games(bytes) {
        // A byte order mark overrides this encoding.
        return encoding.decode(bytes).0;
    }
    decode(bytes)
}

/// The encoding that SGF names or was most likely written in; `None` where [`decode`] knows it, and where it is no SGF.
#[cfg(feature = "library")]
fn encoding_of_games(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut count = Utf8Count::default();
    count.add(bytes);
    if count.is_utf8_beyond_ascii() {
        return None;
    }
    let named = encoding_named(bytes);
    // ASCII alone may still be in an encoding that switches by escapes.
    if named.is_some_and(|encoding| encoding != encoding_rs::UTF_8) || bytes.is_ascii() {
        return named;
    }
    let is_sgf = bytes.trim_ascii_start().starts_with(b"(") || bytes.windows(2).any(|pair| pair == b"(;");
    (is_sgf && !bytes.contains(&0) && !is_wide(bytes)).then(|| encoding::guess(bytes)).or(named)
}

/// Whether these bytes begin a text in UTF-16.
#[cfg(feature = "library")]
pub(crate) fn is_wide(bytes: &[u8]) -> bool {
    wide_text(bytes).is_some()
}

/// The encoding that the property `CA` of SGF names, if it is among the first bytes and known. UTF-16 is none that a
/// text can name in single bytes.
#[cfg(feature = "library")]
pub(crate) fn encoding_named(bytes: &[u8]) -> Option<&'static Encoding> {
    const PROPERTY: &[u8] = b"CA[";
    /// `CA` stands in the root of a game.
    const BEGIN: usize = 4096;
    let begin = &bytes[..bytes.len().min(BEGIN)];
    let game = &begin[begin.iter().position(|&byte| byte == b'(')?..];
    let at = game.windows(PROPERTY.len()).position(|bytes| bytes == PROPERTY)? + PROPERTY.len();
    let label = game[at..].split(|&byte| byte == b']').next()?;
    Encoding::for_label(label.trim_ascii()).filter(|&encoding| encoding == encoding.output_encoding())
}

fn utf16(bytes: &[u8], unit: Unit) -> String {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|&pair| unit(pair));
    let characters = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    // Half a character is left over if a file was cut.
    characters.chain((!odd.is_empty()).then_some(char::REPLACEMENT_CHARACTER)).collect()
}

/// The text on one line of a terminal. Line ends, escape bytes and marks that change the writing direction could let a
/// name overwrite the text around it, so they are shown as escapes such as `\n` and `\u{1b}`.
///
/// ```
/// use kagetsu::formats::text::printable;
/// assert_eq!(printable("née \u{1b}[31m\n"), r"née \u{1b}[31m\n");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_invisible(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The most characters of a foreign text that an error quotes.
pub(crate) const MOST_QUOTED: usize = 80;

/// The beginning of a text on one line of a terminal, escaped as by [`printable`]. Errors use it because the text that
/// they quote may be a whole file.
///
/// ```
/// use kagetsu::formats::text::quoted;
/// assert_eq!(quoted("h8\0"), r"h8\u{0}");
/// assert_eq!(quoted(&"x".repeat(1_000_000)).chars().count(), 81);
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut shown = String::new();
    let mut length = 0;
    for c in text.chars() {
        let one: String = if is_invisible(c) { c.escape_default().collect() } else { c.into() };
        length += one.chars().count();
        if length > MOST_QUOTED {
            shown.push('…');
            break;
        }
        shown += &one;
    }
    shown
}

/// Whether a character is a control character, ends a line or paragraph, or controls the writing direction.
#[must_use]
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// The lines of a text that are neither empty nor comments, which begin with `#`; trimmed, and numbered from 1.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(n, line)| (n + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_says_the_same() {
        const TEXT: &str = "(;PB[é水😀];B[hh])\r\n";
        let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { TEXT.encode_utf16().flat_map(bytes).collect() };
        let (little, big) = (utf16(u16::to_le_bytes), utf16(u16::to_be_bytes));
        let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
        for bytes in [
            TEXT.as_bytes().to_vec(),
            marked(b"\xEF\xBB\xBF", TEXT.as_bytes()),
            marked(b"\xFF\xFE", &little),
            marked(b"\xFE\xFF", &big),
            little.clone(),
            big.clone(),
        ] {
            assert_eq!(decode(&bytes), TEXT, "{bytes:?}");
        }
        assert_eq!(decode(b"\xFF\xFEh\08"), "h\u{FFFD}");
        assert_eq!(decode(b"\xFF\xFE\x00\xD8h\0"), "\u{FFFD}h");
        assert_eq!(decode(b"(;PB[\xC0\xD7];B[hh])"), "(;PB[\u{FFFD}\u{FFFD}];B[hh])");
        assert_eq!((decode(b""), decode(b"\xEF\xBB\xBF")), ("".into(), "".into()));
        // Zeros alone are no text in any encoding.
        for zeros in [&b"\0\0"[..], b"\0\0h"] {
            assert_eq!(decode(zeros).as_bytes(), zeros);
        }
    }

    #[cfg(feature = "library")]
    #[test]
    fn games_are_read_in_the_encoding_that_they_name() {
        use encoding_rs::SHIFT_JIS;

        // The second byte of the name is a backslash, which would swallow the bracket behind it.
        const NAMED: &str = "(;CA[Shift_JIS]GM[4]SZ[15]PB[\u{30BD}];B[hh];W[ii];B[jh])";
        let bytes = SHIFT_JIS.encode(NAMED).0;
        assert_eq!(decode_games(&bytes), NAMED);
        assert!(decode(&bytes).contains("\\]"));
        let marked = [b"\xEF\xBB\xBF", NAMED.as_bytes()].concat();
        assert_eq!(decode_games(&marked), NAMED);
        // An editor has converted it. Read as Shift-JIS, the name would swallow its bracket.
        assert_eq!(decode_games(NAMED.as_bytes()), NAMED);
        let cut = [NAMED.as_bytes(), "中村茂の手は良い".as_bytes(), b"\xE6"].concat();
        assert!(decode_games(&cut).starts_with(NAMED));
        // All bytes of this encoding are ASCII.
        let escaped = b"(;CA[ISO-2022-JP]PB[\x1B$B%=\x1B(B];B[hh])";
        assert_eq!(decode_games(escaped), "(;CA[ISO-2022-JP]PB[\u{30BD}];B[hh])");
        // What cannot be true or is unknown is as if it were not there, and only games name their encoding.
        for said in ["UTF-16", "UTF-16LE", "hz-gb-2312", "klingon", ""] {
            let text = format!("(;CA[{said}]PB[é];B[hh])");
            assert_eq!(decode_games(text.as_bytes()), text);
        }
        assert_eq!(encoding_named(b"CA[Shift_JIS]"), None);
        let wide: Vec<u8> = NAMED.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode_games(&wide), NAMED);
        // Where it names none, or a wrong one, it is guessed; other formats are left as they are.
        for name in ["", "CA[UTF-8]"] {
            let text = format!("(;{name}GM[4]SZ[15]PB[\u{30BD}]PW[\u{4E2D}\u{6751}];B[hh];W[ii])");
            assert_eq!(decode_games(&SHIFT_JIS.encode(&text).0), text);
        }
        assert_eq!(decode_games(b"\xFFRenLib\xFF\x03\0(;"), "\u{FFFD}RenLib\u{FFFD}\u{3}\0(;");
    }

    #[test]
    fn a_quotation_is_cut_where_it_becomes_too_long() {
        let whole = "x".repeat(MOST_QUOTED);
        assert_eq!(quoted(&whole), whole);
        assert_eq!(quoted(&format!("{whole}y")), format!("{whole}…"));
        assert_eq!(quoted(""), "");
    }

    #[test]
    fn names_cannot_write_elsewhere() {
        assert!(matches!(printable("an ordinary name, \"quoted\" \\"), Cow::Borrowed(_)));
        let shown = printable("a\r\u{1b}]0;title\u{7}\u{9b}2J\u{202e}b\u{7f}\u{2028}");
        assert_eq!(shown, r"a\r\u{1b}]0;title\u{7}\u{9b}2J\u{202e}b\u{7f}\u{2028}");
    }
}
