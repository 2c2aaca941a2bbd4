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

/// The CRC-32 of zip and PNG (polynomial 0x04c11db7, bits reversed): detects every burst of changes of up to 32 bits.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| crc >> 8 ^ CRC_TABLE[usize::from(crc as u8 ^ byte)])
}

const CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut crc = n as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[n] = crc;
        n += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_common_one() {
        // The check value that catalogues of CRCs give for CRC-32/ISO-HDLC.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
