//! The build that does a job: results of different builds must not be mixed.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::eval::hand_crafted::weights;
use crate::eval::nnue::NnueWeights;
use crate::formats::text::hex;

/// Identifies builds of this program that may play differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// The version of the program.
    pub version: String,
    /// The search signature: the number of nodes that it searches from fixed positions.
    pub signature: u64,
    /// SHA-256 of the built-in weights, in hexadecimal.
    pub weights: String,
    /// Whether search parameters can be set while the program runs.
    pub tunable: bool,
}

impl Build {
    /// This build, with the signature of its search.
    #[must_use]
    pub fn this(signature: u64) -> Build {
        let mut hash = Sha256::new();
        hash.update(weights::to_bytes(&weights::builtin()));
        hash.update(NnueWeights::builtin().to_bytes());
        Build {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            signature,
            weights: hex(&hash.finalize()),
            tunable: cfg!(feature = "tunable"),
        }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Build { version, signature, weights, tunable } = self;
        let weights = weights.get(..12).unwrap_or(weights);
        write!(f, "version {version}, search {signature}, weights {weights}")?;
        if *tunable { f.write_str(", tunable") } else { Ok(()) }
    }
}

/// A job that was planned with another build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherBuild {
    /// The build of the job.
    pub planned: Build,
    /// The build that was to do it.
    pub found: Build,
}

impl fmt::Display for OtherBuild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherBuild { planned, found } = self;
        write!(f, "the job was planned with another build\n  planned: {planned}\n  this:    {found}")
    }
}

impl std::error::Error for OtherBuild {}

/// The SHA-256 of some bytes, in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    sha256_of([bytes])
}

/// The SHA-256 of the concatenation of these bytes, in hexadecimal.
pub(crate) fn sha256_of<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> String {
    let mut hash = Sha256::new();
    parts.into_iter().for_each(|part| hash.update(part));
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_that_others_compute() {
        // The example of the standard, FIPS 180-2.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256_of(["a", "bc"]), sha256(b"abc"));
    }

    #[test]
    fn builds_are_told_apart() {
        let build = Build::this(5);
        assert_eq!(build, Build::this(5));
        assert_ne!(build, Build::this(6));
        let error = OtherBuild { planned: build, found: Build::this(6) };
        assert!(error.to_string().contains("search 5") && error.to_string().contains("search 6"));
    }
}
