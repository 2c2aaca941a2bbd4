//! Reading numbers from bytes, and checksums of bytes.

/// Bytes of a checksum.
pub(super) const CRC_BYTES: usize = 4;

/// The bytes that are left to read.
pub(super) struct Fields<'a>(pub &'a [u8]);

impl Fields<'_> {
    /// The next `N` bytes; `None` if there are fewer.
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*field)
    }
}

/// The CRC-32 of zip and PNG: detects every burst of changes of up to 32 bits.
pub(super) use crc32fast::hash as crc32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_common_one() {
        // The check value that catalogues of CRCs give for CRC-32/ISO-HDLC.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
