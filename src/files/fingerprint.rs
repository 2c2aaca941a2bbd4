//! Telling inputs apart by a number that stays the same from version to version.

use std::fmt;

/// FNV-1a with 64 bits: a hash that is simple enough to be written to files. Not for inputs that somebody might choose
/// so that they collide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) const EMPTY: Fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);

    /// The fingerprint of what was hashed so far and one more number, which is a byte in the standard's form.
    #[must_use]
    pub(crate) fn with(self, number: u64) -> Fingerprint {
        Fingerprint((self.0 ^ number).wrapping_mul(0x0100_0000_01b3))
    }

    /// The fingerprint of what was hashed so far and more bytes.
    #[must_use]
    pub(crate) fn with_bytes(self, bytes: &[u8]) -> Fingerprint {
        bytes.iter().fold(self, |hash, &byte| hash.with(byte.into()))
    }

    #[must_use]
    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_hash_as_published() {
        let hash = |text: &str| Fingerprint::EMPTY.with_bytes(text.as_bytes()).value();
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
        let in_pieces = Fingerprint::EMPTY.with_bytes(b"foo").with_bytes(b"bar");
        assert_eq!(in_pieces.value(), hash("foobar"));
    }
}
