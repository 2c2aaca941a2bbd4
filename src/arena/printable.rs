//! Text of strangers that is about to be printed: engines choose their names, and what they complain of is quoted.

use std::borrow::Cow;

/// The text with everything that a terminal would obey rather than show in escaped form: `\u{1b}`.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_printable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_printable(c) { shown.push(c) } else { shown.extend(c.escape_default()) }
    }
    Cow::Owned(shown)
}

/// Whether a terminal shows the character and does nothing else: no control characters, no ends of lines, nothing that
/// turns the direction of writing around.
#[must_use]
pub fn is_printable(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !(c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        assert_eq!(printable("Pelé \"7\" \\o/"), "Pelé \"7\" \\o/");
        assert_eq!(printable("a\u{1b}[2Jb\r\n"), "a\\u{1b}[2Jb\\r\\n");
        assert_eq!(printable("x\u{202e}y\u{9b}z"), "x\\u{202e}y\\u{9b}z");
    }
}
