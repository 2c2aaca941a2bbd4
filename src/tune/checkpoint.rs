//! Checkpoints: the progress of a fit or training run in bytes. This module does not access files.
//!
//! A run is identified by a text, its identity, with one line for each thing that determines its result. All numbers
//! are little-endian:
//!
//! ```text
//! 8  magic "KGTCKP\r\n"
//! 4  version
//! 4  bytes of the identity
//! 8  bytes of the state
//! .  identity, UTF-8
//! .  state
//! 4  CRC-32 of all before
//! ```

use std::fmt;

pub(crate) const MAGIC: [u8; 8] = *b"KGTCKP\r\n";
/// Incremented with every change of the state or of what a step does.
const VERSION: u32 = 1;
/// The number of bytes before the identity, and after the state.
const HEADER: usize = MAGIC.len() + 16;
const CHECKSUM: usize = 4;

/// The progress of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// What determines the result of the run: a line for each thing, always in the same order.
    pub identity: String,
    /// Everything that changes during the run.
    pub state: Vec<u8>,
}

/// Why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// The bytes are not a checkpoint.
    Foreign,
    /// It is in the format of this other version.
    OtherVersion(u32),
    /// It is cut short, or a byte of it is wrong.
    Damaged,
    /// It belongs to another run: holds the first lines in which the identities differ, the checkpoint's and then this
    /// run's.
    OtherRun(String, String),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Foreign => f.write_str("it is not a checkpoint"),
            CheckpointError::OtherVersion(version) => {
                write!(f, "it has the format of version {version}, and this program knows {VERSION}")
            }
            CheckpointError::Damaged => f.write_str("it is damaged"),
            CheckpointError::OtherRun(its, own) => {
                write!(f, "it belongs to another run, with \"{its}\" in place of \"{own}\"")
            }
        }
    }
}

impl std::error::Error for CheckpointError {}

impl Checkpoint {
    /// The checkpoint in bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Checkpoint { identity, state } = self;
        let mut bytes = Vec::with_capacity(HEADER + identity.len() + state.len() + CHECKSUM);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((identity.len() as u32).to_le_bytes());
        bytes.extend((state.len() as u64).to_le_bytes());
        bytes.extend(identity.as_bytes());
        bytes.extend(state);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If the bytes are not a checkpoint, are of another version, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(CheckpointError::Foreign)?;
        let (version, rest) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
        match u32::from_le_bytes(*version) {
            VERSION => Checkpoint::of_this_version(bytes, rest).ok_or(CheckpointError::Damaged),
            other => Err(CheckpointError::OtherVersion(other)),
        }
    }

    fn of_this_version(bytes: &[u8], rest: &[u8]) -> Option<Checkpoint> {
        let (whole, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
        if crc32fast::hash(whole) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let (identity_bytes, rest) = rest.split_first_chunk()?;
        let (state_bytes, rest) = rest.split_first_chunk()?;
        let (identity, rest) = rest.split_at_checked(u32::from_le_bytes(*identity_bytes) as usize)?;
        let (state, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*state_bytes)).ok()?)?;
        let identity = str::from_utf8(identity).ok()?.to_owned();
        (rest.len() == CHECKSUM).then(|| Checkpoint { identity, state: state.to_vec() })
    }

    /// The state, if the checkpoint belongs to this run.
    ///
    /// # Errors
    /// If it belongs to another run.
    pub fn state_for(self, identity: &str) -> Result<Vec<u8>, CheckpointError> {
        if self.identity == identity {
            return Ok(self.state);
        }
        let (mut its, mut own) = (self.identity.lines(), identity.lines());
        loop {
            match (its.next(), own.next()) {
                (Some(a), Some(b)) if a == b => {}
                (a, b) => {
                    let line = |line: Option<&str>| line.unwrap_or("nothing").to_owned();
                    return Err(CheckpointError::OtherRun(line(a), line(b)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint { identity: "epochs 6\nrate 0.002\n".to_owned(), state: (0..=255).collect() }
    }

    #[test]
    fn a_checkpoint_comes_back() {
        let there = Checkpoint::from_bytes(&checkpoint().to_bytes()).unwrap();
        assert_eq!(there, checkpoint());
        assert_eq!(there.state_for("epochs 6\nrate 0.002\n").unwrap(), checkpoint().state);
    }

    #[test]
    fn damage_is_found_wherever_it_is() {
        let whole = checkpoint().to_bytes();
        for length in 0..whole.len() {
            let error = Checkpoint::from_bytes(&whole[..length]).unwrap_err();
            let expected =
                if length < MAGIC.len() { CheckpointError::Foreign } else { CheckpointError::Damaged };
            assert_eq!(error, expected, "{length} bytes");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            assert!(Checkpoint::from_bytes(&bytes).is_err(), "byte {at}");
        }
        let longer = [&whole[..], &[0]].concat();
        assert_eq!(Checkpoint::from_bytes(&longer), Err(CheckpointError::Damaged));
        let mut newer = whole;
        newer[8] = 9;
        assert_eq!(Checkpoint::from_bytes(&newer), Err(CheckpointError::OtherVersion(9)));
    }

    #[test]
    fn another_run_is_refused_with_what_differs() {
        for (identity, its, own) in [
            ("epochs 6\nrate 0.001\n", "rate 0.002", "rate 0.001"),
            ("epochs 6\n", "rate 0.002", "nothing"),
            ("epochs 6\nrate 0.002\ngames 3\n", "nothing", "games 3"),
        ] {
            let error = checkpoint().state_for(identity).unwrap_err();
            assert_eq!(error, CheckpointError::OtherRun(its.to_owned(), own.to_owned()));
            assert!(error.to_string().contains(its) && error.to_string().contains(own), "{error}");
        }
    }
}
