//! What a manager can set with `INFO`, as values.

use std::path::PathBuf;
use std::time::Duration;

use crate::engine::MAX_THREADS;
use crate::levels::Style;

/// The least `max_memory` in bytes with which the process can run at all.
pub const MIN_MEMORY: u64 = 16 << 20;

/// How much a manager wants to hear of a running search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Root moves as they are searched, for a board display.
    pub realtime: bool,
    /// Each line found, with depth, nodes and score.
    pub lines: bool,
}

/// One setting of a manager (`INFO`), well-formed but not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Limit for a move in ms; 0 asks for an answer at once.
    TurnTime(i64),
    /// Limit for a game in ms; 0 is none.
    MatchTime(i64),
    /// What is left of the limit for the game in ms; may be negative.
    TimeLeft(i64),
    /// The increment after each move in ms.
    TimeIncrement(i64),
    /// Limit for the whole process in bytes; 0 is none.
    MaxMemory(i64),
    /// Size of the hash table in KB.
    HashSize(i64),
    /// The rule as a sum of bits, or in the numbers of Yixin's dialect.
    Rule(i64),
    /// Nodes to search; 0 and below are no limit.
    MaxNodes(i64),
    /// Plies to search; 0 and below are no limit.
    MaxDepth(i64),
    /// Search threads.
    Threads(i64),
    /// 0 nothing, 1 realtime, 2 lines, 3 both. Marks a session in Yixin's dialect.
    ShowDetail(i64),
    /// Whether to search in the opponent's time.
    Pondering(bool),
    /// Whether moves are played from the database.
    UseDatabase(bool),
    /// Whether the database must not be changed.
    DatabaseReadOnly(bool),
    /// Whether moves are played from the database or, without one, from the engine's own book.
    OwnBook(bool),
    /// Width of the move generator, 0 to 5. Accepted, without effect.
    CautionFactor(i64),
    /// How strong to play, 0 to 100.
    Strength(i64),
    /// The number of a level.
    Level(i64),
    /// What a move may give away for the sake of variety, in percent of the expected score.
    Variety(i64),
    /// The seed of random choices.
    Seed(i64),
    /// Where persistent data may go.
    Folder(PathBuf),
    /// Whether to remember lost games in that folder.
    Learn(bool),
}

/// The settings, which outlive a game.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub rule: i64,
    /// Whether the manager speaks Yixin's dialect, in which rule 2 is renju.
    pub yixin: bool,
    pub turn_time: Option<Duration>,
    pub match_time: Option<Duration>,
    pub increment: Duration,
    pub max_memory: Option<u64>,
    pub hash_size: Option<u64>,
    pub threads: usize,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub detail: Detail,
    pub pondering: bool,
    pub style: Style,
    /// Where persistent data may go, as the manager says.
    pub folder: Option<PathBuf>,
    /// Whether to remember lost games there.
    pub learns: bool,
}

impl Settings {
    /// The settings that hold until the manager changes them.
    pub fn new(threads: usize, style: Style) -> Settings {
        Settings {
            rule: 0,
            yixin: false,
            turn_time: None,
            match_time: None,
            increment: Duration::ZERO,
            max_memory: None,
            hash_size: None,
            threads: threads.clamp(1, MAX_THREADS),
            nodes: None,
            depth: None,
            detail: Detail::default(),
            pondering: false,
            style,
            folder: None,
            learns: false,
        }
    }
}

/// The time used in a game, and what is left of it as the manager says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameClock {
    /// What is left, as last stated. The outer `None` means that it was never stated in this game, the inner one that
    /// it is unlimited.
    pub stated: Option<Option<Duration>>,
    /// Time used since then, or since the game began.
    pub used: Duration,
    /// Time that the manager takes off for a move beyond what the engine has used, as the last moves have shown.
    pub overhead: Duration,
    /// Increments earned in the same time.
    pub earned: Duration,
    /// Whether it was stated after the last move. Then it is meant for the next one, even if START comes in between.
    pub fresh: bool,
}
