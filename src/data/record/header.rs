//! The header of a shard: what all its games have in common.

use std::fmt;

use super::bytes::{CRC_BYTES, Fields, crc32};

/// The first bytes of every shard. The line end reveals a transfer in text mode, which would have changed it.
pub const MAGIC: [u8; 8] = *b"KGTREC\r\n";
/// The version that is written, and the only one that is read.
pub const VERSION: u16 = 1;

/// Bytes of the header before the settings.
const HEADER_BYTES: usize = 40;

/// What all games of a shard have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The seed that determines the games, together with their numbers.
    pub seed: u64,
    /// Number of the shard among those of its seed, from 0.
    pub shard: u32,
    /// Games in a full shard; the first game has the number `shard * capacity`.
    pub capacity: u32,
    /// Nodes searched for each move.
    pub nodes: u32,
    /// A number that changes whenever the engine plays differently.
    pub signature: u64,
    /// How the games were made, as human-readable text of at most 65,535 bytes. Two runs made in the same way have the
    /// same text.
    pub settings: String,
}

impl Header {
    /// The header in bytes, with the settings truncated to what fits.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut end = self.settings.len().min(u16::MAX.into());
        while !self.settings.is_char_boundary(end) {
            end -= 1;
        }
        let settings = &self.settings.as_bytes()[..end];
        let mut bytes = Vec::with_capacity(HEADER_BYTES + settings.len() + CRC_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((settings.len() as u16).to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.shard.to_le_bytes());
        bytes.extend(self.capacity.to_le_bytes());
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend(self.signature.to_le_bytes());
        bytes.extend(settings);
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes
    }

    /// Number of the first game of the shard.
    #[must_use]
    pub fn first(&self) -> u32 {
        self.shard.saturating_mul(self.capacity)
    }

    /// Parses the header at the start of `bytes`; also returns how many of them it takes.
    ///
    /// # Errors
    /// If there is no valid header, or one of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Header, usize), HeaderError> {
        if bytes.iter().zip(&MAGIC).any(|(found, expected)| found != expected) {
            return Err(HeaderError::Magic);
        }
        let mut fields = Fields(bytes.get(MAGIC.len()..).ok_or(HeaderError::Truncated)?);
        let version = u16::from_le_bytes(fields.take().ok_or(HeaderError::Truncated)?);
        if version != VERSION {
            return Err(HeaderError::Version(version));
        }
        let header = (|| {
            let settings = usize::from(u16::from_le_bytes(fields.take()?));
            let header = Header {
                seed: u64::from_le_bytes(fields.take()?),
                shard: u32::from_le_bytes(fields.take()?),
                capacity: u32::from_le_bytes(fields.take()?),
                nodes: u32::from_le_bytes(fields.take()?),
                signature: u64::from_le_bytes(fields.take()?),
                settings: String::from_utf8_lossy(fields.0.get(..settings)?).into_owned(),
            };
            let end = HEADER_BYTES + settings;
            let crc = u32::from_le_bytes(Fields(bytes.get(end..)?).take()?);
            Some((header, end, crc))
        })();
        let (header, end, crc) = header.ok_or(HeaderError::Truncated)?;
        if crc != crc32(&bytes[..end]) {
            return Err(HeaderError::Checksum);
        }
        Ok((header, end + CRC_BYTES))
    }
}

/// Why bytes are not a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// They end within the header.
    Truncated,
    /// They do not begin like one.
    Magic,
    /// A version that this program does not know.
    Version(u16),
    /// A byte of the header has changed.
    Checksum,
}

impl HeaderError {
    /// Whether such bytes are what is left of a shard, and not something else.
    #[must_use]
    pub fn is_damage(self) -> bool {
        matches!(self, HeaderError::Truncated | HeaderError::Checksum)
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeaderError::Truncated => write!(f, "the file ends within its header"),
            HeaderError::Magic => write!(f, "this is not a file of training records"),
            HeaderError::Version(version) => {
                write!(f, "training records of version {version}; this program reads version {VERSION}")
            }
            HeaderError::Checksum => write!(f, "the header is damaged"),
        }
    }
}

impl std::error::Error for HeaderError {}
