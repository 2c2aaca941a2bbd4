//! A finished game and its byte format.

use std::fmt;

use super::bytes::{CRC_BYTES, Fields, crc32};
use super::header::HeaderError;
use super::moves::{MOVE_BYTES, Origin, TrainingMove};
use crate::board::{Cell, Color, Point, Size, Stones};
use crate::rules::Rule;

/// Bytes of a game before its moves.
pub(super) const GAME_BYTES: usize = 16;

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
    /// Adjudicated a draw, because nothing had happened for a long time.
    Quiet,
}

impl Ending {
    /// All endings, in the order of their numbers in the file.
    pub const ALL: [Ending; 5] = [Ending::Line, Ending::Foul, Ending::Full, Ending::Proven, Ending::Quiet];

    /// A name of one word.
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

/// A finished game to learn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// Its number, which determines everything else together with the seed of the shard.
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
    pub moves: Vec<TrainingMove>,
}

impl TrainingGame {
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

    /// Parses the game at the start of `bytes`; also returns how many of them it takes.
    ///
    /// # Errors
    /// If there is no complete and valid game.
    pub fn from_bytes(bytes: &[u8]) -> Result<(TrainingGame, usize), Damage> {
        let (head, rest) = bytes.split_at_checked(GAME_BYTES).ok_or(Damage::Truncated)?;
        let moves = usize::from(u16::from_le_bytes([head[8], head[9]]));
        let packed = rest.get(..MOVE_BYTES * moves).ok_or(Damage::Truncated)?;
        let end = GAME_BYTES + packed.len();
        let mut fields = Fields(&bytes[..end]);
        let crc = u32::from_le_bytes(fields.take().ok_or(Damage::Truncated)?);
        if crc != crc32(fields.0) {
            return Err(Damage::Checksum);
        }
        let game = TrainingGame::from_fields(fields, packed).ok_or(Damage::Content)?;
        Ok((game, end))
    }

    /// Parses the fields of a game after its checksum. `None` if they are invalid: the rest of the program relies on
    /// moves being on empty points of the board.
    fn from_fields(mut fields: Fields<'_>, packed: &[u8]) -> Option<TrainingGame> {
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
            let played = TrainingMove::unpack(u32::from_le_bytes(bits.try_into().ok()?), size)?;
            if stones.cell(played.point) != Cell::Empty {
                return None;
            }
            stones.place(played.point, stones.to_move());
            moves.push(played);
        }
        (usize::from(opening) <= moves.len()).then_some(TrainingGame {
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

impl TrainingGame {
    /// The game as text, such as `7 renju 15x15 white line h8 i9 | j7:-12 k7!`, with points named by `name`. The moves
    /// after the bar are those that were chosen. A score follows a colon; `?` marks a random move and `!` a forced one.
    pub(crate) fn text(&self, name: impl Fn(Point) -> String) -> String {
        let winner = match self.winner {
            None => "draw",
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
        };
        let mut text = format!("{} {} {} {winner} {}", self.number, self.rule, self.size, self.ending.name());
        for (n, played) in self.moves.iter().enumerate() {
            let bar = if n == usize::from(self.opening) { " |" } else { "" };
            let mark = match played.origin {
                Origin::Opening | Origin::Search => "",
                Origin::Random => "?",
                Origin::Forced => "!",
            };
            text += &format!("{bar} {}{mark}", name(played.point));
            if let Some(score) = played.score {
                text += &format!(":{score}");
            }
        }
        text
    }
}

/// With rows of points counted from the top.
impl fmt::Display for TrainingGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(|point| point.to_string()))
    }
}

/// Why the bytes at some offset of a shard are not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// They end before the game does.
    Truncated,
    /// A byte has changed.
    Checksum,
    /// Such a game is impossible: another program wrote it, or a newer version of this one.
    Content,
    /// It is a game, but not the next one.
    Number {
        /// The number that was expected.
        expected: u32,
        /// The number that was found.
        found: u32,
    },
    /// More follows, although the shard holds as many games as its header says.
    Surplus,
    /// Not even the header of the shard can be read.
    Header(HeaderError),
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
            Damage::Surplus => write!(f, "there is more than the file has room for"),
            Damage::Header(error) => write!(f, "{error}"),
        }
    }
}
