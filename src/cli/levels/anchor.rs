//! Engines with known ratings, which place the levels on the same scale.

use std::str::FromStr;

use anyhow::{Context, ensure};

use crate::arena::spec::EngineSpec;

/// An engine whose rating is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// How it is started, and its limits.
    pub(super) spec: EngineSpec,
    /// Whether the user has named it.
    pub(super) is_named: bool,
    /// Its rating on somebody's scale.
    pub(super) rating: f64,
}

impl FromStr for Anchor {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Anchor> {
        let (text, rating) = text.rsplit_once('=').context("this is not SPEC=RATING")?;
        let rating: f64 = rating.trim().parse().with_context(|| format!("`{rating}` is not a rating"))?;
        ensure!(rating.is_finite(), "a rating is a number");
        let spec = EngineSpec::parse(text, &[])?;
        ensure!(spec.is_limited(), "nothing limits {}: give turn=, nodes= or another limit", spec.name);
        Ok(Anchor { spec, is_named: EngineSpec::is_named(text), rating })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_stands_behind_the_options() {
        let anchor: Anchor = "cmd=./pela turn=0.1=1600".parse().unwrap();
        assert_eq!(
            (anchor.spec.name.as_str(), anchor.spec.turn_ms, anchor.rating),
            ("pela", Some(100), 1600.0)
        );
        assert_eq!("level=3 =-5.5".parse::<Anchor>().unwrap().rating, -5.5);
        for text in ["", "cmd=./pela", "cmd=./pela=1600", "cmd=./pela turn=1=much", "level=3=inf"] {
            assert!(text.parse::<Anchor>().is_err(), "{text}");
        }
    }
}
