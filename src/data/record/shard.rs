//! A shard: a header followed by games.

use super::game::{Damage, TrainingGame};
use super::header::{Header, HeaderError};

/// What could not be read at the end of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Bytes that could not be read.
    pub bytes: usize,
    /// Why.
    pub damage: Damage,
}

/// A shard as far as it could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// What the games have in common.
    pub header: Header,
    /// The games, numbered from [`Header::first`] on.
    pub games: Vec<TrainingGame>,
    /// Bytes of the header and these games.
    pub good_bytes: usize,
    /// What follows them, if anything.
    pub rest: Option<Rest>,
}

impl Shard {
    /// Reads a shard, which may end anywhere.
    ///
    /// # Errors
    /// If not even its header can be read.
    pub fn from_bytes(bytes: &[u8]) -> Result<Shard, HeaderError> {
        let (header, mut at) = Header::from_bytes(bytes)?;
        let mut games = Vec::new();
        let mut damage = None;
        while at < bytes.len() && damage.is_none() {
            if games.len() as u64 >= u64::from(header.capacity) {
                damage = Some(Damage::Surplus);
                break;
            }
            let expected = header.first().saturating_add(games.len() as u32);
            match TrainingGame::from_bytes(&bytes[at..]) {
                Ok((game, length)) if game.number == expected => {
                    at += length;
                    games.push(game);
                }
                Ok((game, _)) => damage = Some(Damage::Number { expected, found: game.number }),
                Err(error) => damage = Some(error),
            }
        }
        let rest = damage.map(|damage| Rest { bytes: bytes.len() - at, damage });
        Ok(Shard { header, games, good_bytes: at, rest })
    }
}
