//! The file format of training records: what a shard of games looks like in bytes. Knows no file system.
//!
//! All numbers are little-endian. A shard is a header and then games, numbered without a gap:
//!
//! ```text
//! header   8  magic "KGTREC\r\n"            game   4  CRC-32 of the rest of the game
//!          2  version                              4  number of the game, counted over all shards of the seed
//!          2  bytes of the settings                2  moves
//!          8  seed                                 1  rule, as its Gomocup number
//!          4  number of the shard, from 0          2  columns, rows
//!          4  games in a full shard                1  moves of the opening
//!          4  nodes a move                         1  winner: 0 nobody, 1 Black, 2 White
//!          8  signature of the engine              1  how it ended, see Ending
//!          .  settings, UTF-8                    4 n  the moves, see below
//!          4  CRC-32 of all before
//!
//! move     5 bits column, 5 bits row, 6 bits flags (1 opening, 2 random, 4 forced, 8 searched, 16 decided,
//!          32 is free), 16 bits score from the view of the side that moves
//! ```
//!
//! A file may end anywhere and any byte may be wrong: what was written before is read, the rest is reported.

use std::fmt;

use crate::board::{Cell, Color, Point, Size, Stones};
use crate::eval::score::{self, Score};
use crate::rules::Rule;

/// The first bytes of every shard. The line end shows a transfer as text, which would have changed it.
pub const MAGIC: [u8; 8] = *b"KGTREC\r\n";
/// The version that is written, and the only one that is read.
pub const VERSION: u16 = 1;

/// Bytes of the header before the settings.
const HEADER_BYTES: usize = 40;
/// Bytes of a game before its moves.
const GAME_BYTES: usize = 16;
/// Bytes of a move.
const MOVE_BYTES: usize = 4;
const CRC_BYTES: usize = 4;

/// What all games of a shard have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The seed that the games follow from, together with their numbers.
    pub seed: u64,
    /// Number of the shard among those of its seed, from 0.
    pub shard: u32,
    /// Games in a full shard; the first game has the number `shard * capacity`.
    pub capacity: u32,
    /// Positions searched for each move.
    pub nodes: u32,
    /// A number that changes whenever the engine plays differently.
    pub signature: u64,
    /// How the games were made, in words for people; at most 65,535 bytes. Two runs made alike have the same.
    pub settings: String,
}

impl Header {
    /// The header in bytes, settings cut to what fits.
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

    /// The header at the start of `bytes`, and how many of them it takes.
    ///
    /// # Errors
    /// If there is none, or one of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Header, usize), HeaderError> {
        let magic = bytes.get(..MAGIC.len()).ok_or(HeaderError::Truncated)?;
        if magic != MAGIC {
            return Err(HeaderError::Magic);
        }
        let mut fields = Fields(bytes.get(MAGIC.len()..).unwrap_or_default());
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

/// Why bytes are no shard.
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

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeaderError::Truncated => write!(f, "the file ends within its header"),
            HeaderError::Magic => write!(f, "this is no file of training records"),
            HeaderError::Version(version) => {
                write!(f, "training records of version {version}; this program reads version {VERSION}")
            }
            HeaderError::Checksum => write!(f, "the header is damaged"),
        }
    }
}

impl std::error::Error for HeaderError {}

/// Where a move came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Part of the opening: nobody chose it.
    Opening,
    /// The best that the search found.
    Search,
    /// There was no other move worth a look.
    Forced,
    /// Chosen by lot in place of the best, so that games differ; a score is still that of the position.
    Random,
}

/// A move, and what the search thought of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The move.
    pub point: Point,
    /// Where it came from.
    pub origin: Origin,
    /// The score for the side that moves, if the position was searched.
    pub score: Option<Score>,
}

const OPENING: u32 = 1;
const RANDOM: u32 = 2;
const FORCED: u32 = 4;
const SEARCHED: u32 = 8;
const DECIDED: u32 = 16;
const COORDINATE_BITS: u32 = 5;
const COORDINATE: u32 = (1 << COORDINATE_BITS) - 1;
const FLAGS_AT: u32 = 2 * COORDINATE_BITS;
const FLAGS: u32 = 0x3f;
const SCORE_AT: u32 = 16;

const _: () = assert!(crate::board::MAX_SIDE <= 1 << COORDINATE_BITS);

impl Move {
    /// Whether the score says that one side wins by force.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.score.is_some_and(score::is_decided)
    }

    fn pack(&self) -> u32 {
        let origin = match self.origin {
            Origin::Opening => OPENING,
            Origin::Search => 0,
            Origin::Forced => FORCED,
            Origin::Random => RANDOM,
        };
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let flags = origin | flag(self.score.is_some(), SEARCHED) | flag(self.is_decided(), DECIDED);
        // Every score fits into 16 bits, see `eval::score`.
        let score = self.score.unwrap_or(0) as i16 as u16;
        self.point.x() as u32
            | (self.point.y() as u32) << COORDINATE_BITS
            | flags << FLAGS_AT
            | u32::from(score) << SCORE_AT
    }

    fn unpack(bits: u32, size: Size) -> Option<Move> {
        let (x, y) = (bits & COORDINATE, bits >> COORDINATE_BITS & COORDINATE);
        let point = Point::checked(x.into(), y.into(), size)?;
        let flags = bits >> FLAGS_AT & FLAGS;
        let origin = match flags & (OPENING | RANDOM | FORCED) {
            0 => Origin::Search,
            OPENING => Origin::Opening,
            RANDOM => Origin::Random,
            FORCED => Origin::Forced,
            _ => return None,
        };
        let score = Score::from((bits >> SCORE_AT) as u16 as i16);
        let played = Move { point, origin, score: (flags & SEARCHED != 0).then_some(score) };
        // Nothing but what is written is read, so that bytes and moves stand for each other.
        (played.pack() == bits).then_some(played)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A winning line was completed.
    Line,
    /// A forbidden move was made.
    Foul,
    /// The board is full.
    Full,
    /// The search proved a win, which was not played out.
    Proven,
    /// For long nothing had happened any more: a draw.
    Quiet,
}

impl Ending {
    /// Every ending, in the order of its number in the file.
    pub const ALL: [Ending; 5] = [Ending::Line, Ending::Foul, Ending::Full, Ending::Proven, Ending::Quiet];

    /// One word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Line => "line",
            Ending::Foul => "foul",
            Ending::Full => "full",
            Ending::Proven => "proven",
            Ending::Quiet => "quiet",
        }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number; together with the seed of the shard everything follows from it.
    pub number: u32,
    /// The rule it was played under.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Moves of the opening.
    pub opening: u8,
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Ending,
    /// The moves, Black first, each on an empty point.
    pub moves: Vec<Move>,
}

impl Game {
    /// 1 if `color` won, 0 for a draw, -1 if it lost.
    #[must_use]
    pub fn result_for(&self, color: Color) -> i32 {
        self.winner.map_or(0, |winner| if winner == color { 1 } else { -1 })
    }

    /// The game in bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(GAME_BYTES + MOVE_BYTES * self.moves.len());
        bytes.extend([0; CRC_BYTES]);
        bytes.extend(self.number.to_le_bytes());
        bytes.extend((self.moves.len() as u16).to_le_bytes());
        bytes.push(self.rule.gomocup_number());
        bytes.extend([self.size.width() as u8, self.size.height() as u8]);
        bytes.push(self.opening);
        bytes.push(self.winner.map_or(0, |color| color.index() as u8 + 1));
        bytes.push(Ending::ALL.iter().position(|&ending| ending == self.ending).unwrap_or(0) as u8);
        bytes.extend(self.moves.iter().flat_map(|played| played.pack().to_le_bytes()));
        let crc = crc32(&bytes[CRC_BYTES..]);
        bytes[..CRC_BYTES].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The game at the start of `bytes`, and how many of them it takes.
    ///
    /// # Errors
    /// If there is no whole game.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Game, usize), Damage> {
        let (head, rest) = bytes.split_at_checked(GAME_BYTES).ok_or(Damage::Truncated)?;
        let moves = usize::from(u16::from_le_bytes([head[8], head[9]]));
        let packed = rest.get(..MOVE_BYTES * moves).ok_or(Damage::Truncated)?;
        let end = GAME_BYTES + packed.len();
        let mut fields = Fields(&bytes[..end]);
        let crc = u32::from_le_bytes(fields.take().ok_or(Damage::Truncated)?);
        if crc != crc32(fields.0) {
            return Err(Damage::Checksum);
        }
        let game = Game::from_fields(fields, packed).ok_or(Damage::Content)?;
        Ok((game, end))
    }

    /// The game whose fields begin behind its checksum. `None` if they make no sense: the rest of the program
    /// relies on moves that stand on empty points of the board.
    fn from_fields(mut fields: Fields<'_>, packed: &[u8]) -> Option<Game> {
        let number = u32::from_le_bytes(fields.take()?);
        let _moves: [u8; 2] = fields.take()?;
        let [rule, width, height, opening, winner, ending] = fields.take()?;
        let rule = Rule::from_gomocup_number(rule.into()).filter(|r| r.gomocup_number() == rule)?;
        let size = Size::new(width.into(), height.into())?;
        let winner = match winner {
            0 => None,
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => return None,
        };
        let ending = *Ending::ALL.get(usize::from(ending))?;
        let mut stones = Stones::new(size);
        let mut moves = Vec::with_capacity(packed.len() / MOVE_BYTES);
        for bits in packed.chunks_exact(MOVE_BYTES) {
            let played = Move::unpack(u32::from_le_bytes(bits.try_into().ok()?), size)?;
            if stones.cell(played.point) != Cell::Empty {
                return None;
            }
            stones.place(played.point, stones.to_move());
            moves.push(played);
        }
        (usize::from(opening) <= moves.len()).then_some(Game {
            number,
            rule,
            size,
            opening,
            winner,
            ending,
            moves,
        })
    }
}

/// `7 renju 15x15 white line h8 i9 | j7:-12 k7!`: behind the bar the moves that were chosen. A score stands
/// behind a colon; `?` marks a random move and `!` a forced one.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let winner = match self.winner {
            None => "draw",
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
        };
        write!(f, "{} {} {} {winner} {}", self.number, self.rule, self.size, self.ending.name())?;
        for (n, played) in self.moves.iter().enumerate() {
            let bar = if n == usize::from(self.opening) { " |" } else { "" };
            let mark = match played.origin {
                Origin::Opening | Origin::Search => "",
                Origin::Random => "?",
                Origin::Forced => "!",
            };
            write!(f, "{bar} {}{mark}", played.point)?;
            if let Some(score) = played.score {
                write!(f, ":{score}")?;
            }
        }
        Ok(())
    }
}

/// Why the bytes at some place of a shard are no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// They end before the game does.
    Truncated,
    /// A byte has changed.
    Checksum,
    /// No such game can be: a writer other than this one, or a newer one.
    Content,
    /// It is a game, but not the next one.
    Number {
        /// The number that was expected.
        expected: u32,
        /// The number that was found.
        found: u32,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Truncated => write!(f, "the last game is cut short"),
            Damage::Checksum => write!(f, "a game is damaged"),
            Damage::Content => write!(f, "a game makes no sense"),
            Damage::Number { expected, found } => {
                write!(f, "game {found} stands where game {expected} should be")
            }
        }
    }
}

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
    pub games: Vec<Game>,
    /// Bytes of the header and these games.
    pub good_bytes: usize,
    /// What comes behind them, if anything.
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
            let expected = header.first().saturating_add(games.len() as u32);
            match Game::from_bytes(&bytes[at..]) {
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

/// What is left to be read.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    /// The next so many bytes.
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*field)
    }
}

/// The CRC-32 of zip and PNG (polynomial 0x04c11db7, bits reversed): finds every change of up to 32 bits in
/// a row.
fn crc32(bytes: &[u8]) -> u32 {
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
pub(crate) mod tests;
