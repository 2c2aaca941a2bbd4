//! What the settings mean for the next move: rule, threads, memory, time.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::error::SessionError;
use super::settings::{Detail, GameClock, MIN_MEMORY, Setting};
use super::state::Session;
use crate::engine::{Engine, MAX_THREADS};
use crate::levels::{Level, Style, Variety};
use crate::rules::Rule;
use crate::search::{Limits, Request, Task, Threads, TimeControl};

/// The engine's own folder within the manager's.
const FOLDER: &str = "kagetsu";
/// The file of lost games in it.
const EXPERIENCE_FILE: &str = "losses.txt";
/// `time_left` from here on means "unlimited" (2^31 - 1 ms, as Piskvork sends it).
const UNLIMITED_TIME_LEFT: i64 = i32::MAX as i64;
/// The overhead of so many moves of the engine's is kept back; a game rarely lasts longer.
const OVERHEAD_MOVES: u32 = 40;
/// One over this many is the weight of the last move in the mean overhead.
const OVERHEAD_MEMORY: u32 = 4;
/// An overhead of this much is none: somebody has set the clocks anew.
const LONGEST_OVERHEAD: Duration = Duration::from_secs(1);

impl GameClock {
    /// What is left by the engine's own count, of `match_time` if nothing was stated; `None` is unlimited.
    fn left(&self, match_time: Option<Duration>) -> Option<Duration> {
        let left = self.stated.unwrap_or(match_time);
        left.map(|left| left.saturating_add(self.earned).saturating_sub(self.used))
    }

    /// The overhead of a move, now that this time is stated: a mean of it, in which the last moves count most.
    fn overhead_by(&self, stated: Option<Duration>) -> Duration {
        let expected = self.stated.filter(|_| !self.fresh).and_then(|_| self.left(None));
        let Some((expected, stated)) = expected.zip(stated) else { return self.overhead };
        // A large difference says nothing. Of the small ones those in the engine's favour count as well: a clock that
        // is rounded is ahead as often as it is behind.
        if expected.abs_diff(stated) >= LONGEST_OVERHEAD {
            return self.overhead;
        }
        let mean = self.overhead * (OVERHEAD_MEMORY - 1);
        (mean + expected.saturating_sub(stated)).saturating_sub(stated.saturating_sub(expected))
            / OVERHEAD_MEMORY
    }
}

impl Session {
    /// Applies a setting. An invalid value leaves the old one; then this returns what it has to be, in words.
    pub fn apply(&mut self, setting: &Setting) -> Option<String> {
        let settings = &mut self.settings;
        let not_negative = || Some("0 or more".to_owned());
        match *setting {
            Setting::TurnTime(ms) => match u64::try_from(ms) {
                Ok(ms) => settings.turn_time = Some(Duration::from_millis(ms)),
                Err(_) => return not_negative(),
            },
            Setting::MatchTime(ms) => match u64::try_from(ms) {
                Ok(ms) => settings.match_time = (ms > 0).then(|| Duration::from_millis(ms)),
                Err(_) => return not_negative(),
            },
            Setting::TimeLeft(ms) => {
                let left = Duration::from_millis(u64::try_from(ms).unwrap_or(0));
                let stated = (ms < UNLIMITED_TIME_LEFT).then_some(left);
                let overhead = self.clock.overhead_by(stated);
                self.clock =
                    GameClock { stated: Some(stated), overhead, fresh: true, ..GameClock::default() };
            }
            Setting::TimeIncrement(ms) => match u64::try_from(ms) {
                Ok(ms) => settings.increment = Duration::from_millis(ms),
                Err(_) => return not_negative(),
            },
            Setting::MaxMemory(bytes) => match u64::try_from(bytes) {
                Ok(bytes) => {
                    settings.max_memory = (bytes > 0).then_some(bytes);
                    let too_low = bytes > 0 && bytes < MIN_MEMORY;
                    self.complaint = too_low.then_some(SessionError::Memory(bytes));
                }
                Err(_) => return not_negative(),
            },
            Setting::HashSize(kilobytes) => match u64::try_from(kilobytes) {
                Ok(kilobytes) => {
                    settings.hash_size = (kilobytes > 0).then(|| kilobytes.saturating_mul(1 << 10));
                }
                Err(_) => return not_negative(),
            },
            Setting::Rule(number) => match Rule::from_gomocup_number(number) {
                Some(_) => settings.rule = number,
                None => return Some("the number of a rule".to_owned()),
            },
            Setting::MaxNodes(nodes) => settings.nodes = u64::try_from(nodes).ok().filter(|&n| n > 0),
            Setting::MaxDepth(plies) => {
                settings.depth = (plies > 0).then(|| u32::try_from(plies).unwrap_or(u32::MAX));
            }
            Setting::Threads(threads) => match usize::try_from(threads) {
                Ok(threads @ 1..) => settings.threads = threads.min(MAX_THREADS),
                _ => return Some("1 or more".to_owned()),
            },
            Setting::ShowDetail(level) => match level {
                0..=3 => {
                    settings.detail = Detail { realtime: level & 1 != 0, lines: level & 2 != 0 };
                    settings.yixin = true;
                }
                _ => return Some("0 to 3".to_owned()),
            },
            Setting::Pondering(on) => settings.pondering = on,
            // The width of Yixin's move generator; this search decides that for itself.
            Setting::CautionFactor(_) => {}
            Setting::Strength(percent) => match u8::try_from(percent) {
                Ok(percent @ 0..=100) => settings.style.level = Level::from_strength(percent),
                _ => return Some("0 to 100".to_owned()),
            },
            Setting::Level(number) => match usize::try_from(number).ok().and_then(Level::from_number) {
                Some(level) => settings.style.level = level,
                None => return Some(format!("the number of a level, 1 to {}", Level::FULL.number())),
            },
            Setting::Variety(percent) => match u8::try_from(percent) {
                Ok(percent @ 0..=Variety::MOST) => settings.style.variety = Variety::percent(percent),
                _ => return Some(format!("0 to {}", Variety::MOST)),
            },
            Setting::Seed(seed) => {
                settings.style.seed = seed as u64;
                settings.style.repeats = true;
            }
            Setting::Folder(ref folder) => settings.folder = Some(folder.clone()),
            Setting::Learn(on) => settings.learns = on,
            // The database does not belong to the session.
            Setting::UseDatabase(_) | Setting::DatabaseReadOnly(_) | Setting::OwnBook(_) => {}
        }
        None
    }

    /// The manager speaks Yixin's dialect, in which rule 2 is renju.
    pub fn mark_yixin(&mut self) {
        self.settings.yixin = true;
    }

    /// The rule in force, as the dialect in use defines it.
    #[must_use]
    pub fn rule(&self) -> Rule {
        /// Renju in Yixin's dialect; a continuous game elsewhere.
        const YIXIN_RENJU: i64 = 2;
        /// Freestyle with an opening by swap, in the dialect as Rapfi extends it.
        const YIXIN_SWAP: [i64; 2] = [5, 6];
        match self.settings.rule {
            YIXIN_RENJU if self.settings.yixin => Rule::Renju,
            number if self.settings.yixin && YIXIN_SWAP.contains(&number) => Rule::Freestyle,
            number => Rule::from_gomocup_number(number).unwrap_or_default(),
        }
    }

    /// How much the manager wants to hear of a search.
    #[must_use]
    pub fn detail(&self) -> Detail {
        self.settings.detail
    }

    /// Search threads asked for, 1 to [`MAX_THREADS`].
    #[must_use]
    pub fn threads(&self) -> usize {
        self.settings.threads
    }

    /// Whether to search in the opponent's time.
    #[must_use]
    pub fn pondering(&self) -> bool {
        self.settings.pondering
    }

    /// How the moves of a game are played. Analysis ignores levels and variety.
    #[must_use]
    pub fn style(&self) -> Style {
        self.settings.style
    }

    /// The experience file, if lost games are to be remembered: the one given at the start, or one in the engine's own
    /// folder within the manager's.
    #[must_use]
    pub fn experience_file(&self) -> Option<PathBuf> {
        let in_folder =
            || self.settings.folder.as_ref().map(|folder| folder.join(FOLDER).join(EXPERIENCE_FILE));
        self.experience_file.clone().or_else(|| in_folder().filter(|_| self.settings.learns))
    }

    /// What the whole process may use, in bytes: the lower of the manager's limit and what its hash table needs, or the
    /// default if it set neither. A limit set by the manager counts as at least [`MIN_MEMORY`].
    #[must_use]
    pub fn memory(&self) -> u64 {
        let beside_table = Engine::memory_for(self.threads(), 0);
        let for_table = self.settings.hash_size.map(|bytes| bytes.saturating_add(beside_table));
        let limit = self.settings.max_memory.map(|bytes| bytes.max(MIN_MEMORY));
        match (limit, for_table) {
            (Some(limit), Some(table)) => limit.min(table),
            (Some(bytes), None) | (None, Some(bytes)) => bytes,
            (None, None) => self.default_memory,
        }
    }

    /// Returns the error about a limit that cannot be met, once: INFO itself is never answered.
    pub fn take_complaint(&mut self) -> Option<SessionError> {
        self.complaint.take()
    }

    // ----- Time -----

    /// The limits for the next move, or for the running one.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let settings = &self.settings;
        let left = self.clock.left(settings.match_time).map(|left| left - self.overhead_of_rest(left));
        let time = TimeControl { turn: settings.turn_time, left, increment: settings.increment };
        Limits { time, nodes: settings.nodes, depth: settings.depth }.or_default_time()
    }

    /// What the manager is expected to take off this time for the rest of the game, beyond what the engine will use.
    fn overhead_of_rest(&self, left: Duration) -> Duration {
        let own_moves = self.stones().map_or(0, |stones| stones.empty_count() / 2) as u32;
        (self.clock.overhead * own_moves.min(OVERHEAD_MOVES)).min(left / 2)
    }

    /// The request for the searches of a decision in an opening; the clock runs from `started`.
    #[must_use]
    pub fn opening_request(&self, started: Instant) -> Request {
        self.style().opening_request(self.limits(), started)
    }

    /// A question to the search under the settings in force; the clock runs from `started`.
    #[must_use]
    pub fn request(&self, task: Task, started: Instant) -> Request {
        Request { task, limits: self.limits(), blocked: self.blocked_now(), threads: Threads::All, started }
    }

    /// Records the time that a move has taken.
    pub fn record_time(&mut self, elapsed: Duration) {
        self.clock.used = self.clock.used.saturating_add(elapsed);
        self.clock.earned = self.clock.earned.saturating_add(self.settings.increment);
        self.clock.fresh = false;
    }
}
