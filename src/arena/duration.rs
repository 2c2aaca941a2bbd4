//! Times as people write them, in the options of engines and of the command line.

use std::time::Duration;

use anyhow::{Context, bail, ensure};

/// A time in seconds, or with a unit: `0.5`, `100ms`, `2s`, `3m`.
pub(crate) fn parse_duration(text: &str) -> anyhow::Result<Duration> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match &text[number.len()..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        unit => bail!("`{unit}` is not a unit of time; there are ms, s and m"),
    };
    let number: f64 = number.parse().with_context(|| format!("`{text}` is not a time"))?;
    ensure!((0.0..1e9).contains(&number), "`{text}` is not a time");
    Ok(Duration::from_secs_f64(number * scale))
}

/// The same in whole ms.
pub(super) fn parse_milliseconds(text: &str) -> anyhow::Result<u64> {
    Ok((parse_duration(text)?.as_secs_f64() * 1e3).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_or_are_seconds() {
        let times =
            [("0", 0), ("0.5", 500), ("1e3", 1_000_000), ("500ms", 500), ("0.25s", 250), ("10m", 600_000)];
        for (text, ms) in times {
            assert_eq!(parse_duration(text).unwrap(), Duration::from_millis(ms), "{text}");
            assert_eq!(parse_milliseconds(text).unwrap(), ms, "{text}");
        }
        assert_eq!(parse_duration("1min").unwrap(), parse_duration("60s").unwrap());
        for text in ["", "s", "soon", "1h", "-1", "1e9", "inf", "nan", "1 s"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
