//! Times as people write them, in the options of engines and of the command line.

use std::fmt;
use std::time::Duration;

use super::text::quoted;

/// Why a text is not a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseDurationError {
    /// It does not begin with a number, or with one that is too large.
    NoTime(String),
    /// Something else than a unit follows the number.
    Unit(String),
}

impl fmt::Display for ParseDurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseDurationError::NoTime(text) => write!(f, "`{}` is not a time", quoted(text)),
            ParseDurationError::Unit(unit) => {
                write!(f, "`{}` is not a unit of time; there are ms, s and m", quoted(unit))
            }
        }
    }
}

impl std::error::Error for ParseDurationError {}

/// A time in seconds, or with a unit: `0.5`, `100ms`, `2s`, `3m`.
///
/// # Errors
/// The text is not a time, or one of more than a billion of its units.
pub fn parse_duration(text: &str) -> Result<Duration, ParseDurationError> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match &text[number.len()..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        unit => return Err(ParseDurationError::Unit(unit.to_owned())),
    };
    let number = number.parse().ok().filter(|number| (0.0..1e9).contains(number));
    let number: f64 = number.ok_or_else(|| ParseDurationError::NoTime(text.to_owned()))?;
    Ok(Duration::from_secs_f64(number * scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_or_are_seconds() {
        let times =
            [("0", 0), ("0.5", 500), ("1e3", 1_000_000), ("500ms", 500), ("0.25s", 250), ("10m", 600_000)];
        for (text, ms) in times {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        assert_eq!(parse_duration("1min"), parse_duration("60s"));
        for text in ["", "s", "soon", "1h", "-1", "1e9", "inf", "nan", "1 s"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        assert_eq!(
            parse_duration("1h").unwrap_err().to_string(),
            "`h` is not a unit of time; there are ms, s and m"
        );
        assert_eq!(parse_duration("1e9").unwrap_err().to_string(), "`1e9` is not a time");
    }
}
