//! One game and its settings: everything that a manager says and that is no search.
//!
//! Knows no text and does no I/O. A method either carries its command out or returns a
//! [`SessionError`] and changes nothing.

use std::fmt;
use std::time::{Duration, Instant};

use crate::board::{Color, Point, PointSet, Size, Stones};
use crate::rules::{Rule, RuleSet, reference};
use crate::search::{Limits, Request, Task, TimeControl};
use crate::with_rule;

/// The shortest side of a board that can be played on: five in a row must fit.
pub const MIN_SIDE: i64 = 5;
/// The longest side of a board that can be played on.
pub const MAX_SIDE: i64 = crate::board::MAX_SIDE as i64;
/// Search threads that may be asked for; more are cut to this.
pub const MAX_THREADS: usize = 256;
/// A move's time when nothing at all limits the search.
pub const DEFAULT_TURN: Duration = Duration::from_secs(5);
/// The least `max_memory` in bytes under which a process of this size can live at all.
pub const MIN_MEMORY: u64 = 16 << 20;
/// What a process needs beside a hash table of the size asked for, in bytes: code, threads, shapes.
const MEMORY_BESIDE_TABLE: u64 = 24 << 20;
/// `time_left` from here on means "unlimited" (2^31 - 1 ms, as Piskvork sends it).
const UNLIMITED_TIME_LEFT: i64 = i32::MAX as i64;

/// Column and row as a manager sends them, not yet known to lie on the board.
pub type Coordinates = (i64, i64);

/// Why a command was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionError {
    /// No board was set up yet.
    NoBoard,
    /// A board of this width and height is not supported.
    Size(i64, i64),
    /// The coordinates are off the board.
    Outside(i64, i64),
    /// There is a stone or a dead cell already.
    Occupied(Point),
    /// There is no stone to take back.
    NoStone(Point),
    /// The field of a `BOARD` line is none of 1, 2 and 3.
    Field(i64),
    /// The game has begun already.
    NotEmpty,
    /// No empty cell is left for the move that is asked for.
    Full,
    /// An opening question was asked with this number of stones.
    OpeningStones(usize),
    /// Less memory is allowed than any search needs, in bytes.
    Memory(u64),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::NoBoard => write!(f, "there is no board yet, send START"),
            // The sides asked for are left out: Piskvork searches this text for "20".
            SessionError::Size(..) => {
                write!(f, "unsupported board size, both sides must be {MIN_SIDE} to {MAX_SIDE}")
            }
            SessionError::Outside(x, y) => write!(f, "the point {x},{y} is off the board"),
            SessionError::Occupied(point) => {
                write!(f, "the point {},{} is taken", point.x(), point.y())
            }
            SessionError::NoStone(point) => {
                write!(f, "there is no stone on {},{}", point.x(), point.y())
            }
            SessionError::Field(field) => write!(f, "the field {field} is none of 1, 2 and 3"),
            SessionError::NotEmpty => write!(f, "the board is not empty"),
            SessionError::Full => write!(f, "the board is full"),
            SessionError::OpeningStones(count) => {
                write!(f, "the opening cannot be decided with {count} stones on the board")
            }
            SessionError::Memory(bytes) => {
                write!(f, "max_memory {bytes} is too low, {MIN_MEMORY} bytes are needed")
            }
        }
    }
}

impl std::error::Error for SessionError {}

/// Who or what holds a cell, as `BOARD` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Own,
    Other,
    Dead,
}

/// How much a manager wants to hear of a running search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Root moves as they are searched, for a board display.
    pub realtime: bool,
    /// Each line found, with depth, nodes and score.
    pub lines: bool,
}

/// One setting of a manager (`INFO`), well-formed but not yet judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Limit for a move in ms; 0 asks for an answer at once.
    TurnTime(i64),
    /// Limit for a game in ms; 0 is none.
    MatchTime(i64),
    /// What is left of the limit for the game in ms; may be negative.
    TimeLeft(i64),
    /// Added after each move in ms.
    TimeIncrement(i64),
    /// Limit for the whole process in bytes; 0 is none.
    MaxMemory(i64),
    /// Size of the hash table in KB.
    HashSize(i64),
    /// The rule as a sum of bits, or in the numbers of Yixin's dialect.
    Rule(i64),
    /// Positions to search; 0 and below are no limit.
    MaxNodes(i64),
    /// Plies to search; 0 and below are no limit.
    MaxDepth(i64),
    /// Search threads.
    Threads(i64),
    /// 0 nothing, 1 realtime, 2 lines, 3 both. Marks a session in Yixin's dialect.
    ShowDetail(i64),
    /// Whether to search in the opponent's time.
    Pondering(i64),
    /// Width of the move generator, 0 to 5. Kept, without effect.
    CautionFactor(i64),
}

/// The settings, which outlive a game.
#[derive(Clone, Debug)]
struct Settings {
    rule: i64,
    /// Whether the manager speaks Yixin's dialect, in which rule 2 is renju.
    yixin: bool,
    turn_time: Option<Duration>,
    match_time: Option<Duration>,
    increment: Duration,
    max_memory: Option<u64>,
    hash_size: Option<u64>,
    threads: usize,
    nodes: Option<u64>,
    depth: Option<u32>,
    detail: Detail,
    pondering: bool,
    caution_factor: u8,
}

/// The time used in a game, and what the manager says is left of it.
#[derive(Clone, Copy, Debug, Default)]
struct Bookkeeping {
    /// As last told; the outer `None`: never told in this game, the inner: unlimited.
    told: Option<Option<Duration>>,
    /// Own use since it was told, or since the game began.
    used: Duration,
    /// Increments earned in the same time.
    earned: Duration,
    /// Told since the last move, so that it is meant for the next one even if START comes between.
    fresh: bool,
}

/// One game and its settings.
#[derive(Clone, Debug)]
pub struct Session {
    stones: Option<Stones>,
    /// The engine's colour; `None` while that is open.
    own: Option<Color>,
    blocked: PointSet,
    clock: Bookkeeping,
    settings: Settings,
    default_memory: u64,
    /// A limit that cannot be met and was not yet complained of.
    complaint: Option<SessionError>,
}

impl Session {
    /// A session without a board. `memory` in bytes holds for the whole process until the manager says
    /// otherwise.
    #[must_use]
    pub fn new(threads: usize, memory: u64) -> Session {
        Session {
            stones: None,
            own: None,
            blocked: PointSet::EMPTY,
            clock: Bookkeeping::default(),
            settings: Settings {
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
                caution_factor: 0,
            },
            default_memory: memory,
            complaint: None,
        }
    }

    // ----- The board -----

    /// An empty board of this size; settings stay.
    ///
    /// # Errors
    /// [`SessionError::Size`].
    pub fn start(&mut self, width: i64, height: i64) -> Result<(), SessionError> {
        let error = SessionError::Size(width, height);
        let side = |n: i64| match n {
            MIN_SIDE..=MAX_SIDE => usize::try_from(n).map_err(|_| error),
            _ => Err(error),
        };
        let size = Size::new(side(width)?, side(height)?).ok_or(error)?;
        self.new_game(size);
        Ok(())
    }

    /// An empty board of the same size; settings stay.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`].
    pub fn restart(&mut self) -> Result<(), SessionError> {
        let size = self.stones()?.size();
        self.new_game(size);
        Ok(())
    }

    fn new_game(&mut self, size: Size) {
        self.stones = Some(Stones::new(size));
        self.own = None;
        self.blocked = PointSet::EMPTY;
        // Yixin-Board tells the time left before START, so what no move has used yet still counts.
        if !self.clock.fresh {
            self.clock = Bookkeeping::default();
        }
    }

    /// The position.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`].
    pub fn stones(&self) -> Result<&Stones, SessionError> {
        self.stones.as_ref().ok_or(SessionError::NoBoard)
    }

    fn stones_mut(&mut self) -> Result<&mut Stones, SessionError> {
        self.stones.as_mut().ok_or(SessionError::NoBoard)
    }

    /// The engine's colour, if it is settled.
    #[must_use]
    pub fn own(&self) -> Option<Color> {
        self.own
    }

    fn on_board(stones: &Stones, (x, y): Coordinates) -> Result<Point, SessionError> {
        Point::checked(x, y, stones.size()).ok_or(SessionError::Outside(x, y))
    }

    fn empty_point(stones: &Stones, at: Coordinates) -> Result<Point, SessionError> {
        let point = Session::on_board(stones, at)?;
        if stones.is_empty_at(point) { Ok(point) } else { Err(SessionError::Occupied(point)) }
    }

    /// The engine is to open the game as Black.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::NotEmpty`], [`SessionError::Full`].
    pub fn begin(&mut self) -> Result<(), SessionError> {
        let stones = self.stones_mut()?;
        if !stones.history().is_empty() {
            return Err(SessionError::NotEmpty);
        }
        if stones.is_full() {
            return Err(SessionError::Full);
        }
        stones.set_to_move(Color::Black);
        self.own = Some(Color::Black);
        Ok(())
    }

    /// The opponent's stone; the engine is to move afterwards.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`], [`SessionError::Occupied`], and
    /// [`SessionError::Full`] if the stone would leave no room for an answer.
    pub fn turn(&mut self, at: Coordinates) -> Result<(), SessionError> {
        let own = self.own;
        let stones = self.stones_mut()?;
        let point = Session::empty_point(stones, at)?;
        if stones.empty_count() < 2 {
            return Err(SessionError::Full);
        }
        let other = own.map_or(stones.to_move(), |own| !own);
        stones.place(point, other);
        self.own = Some(!other);
        Ok(())
    }

    /// The engine's stone where the manager wants it; the opponent is to move afterwards.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`], [`SessionError::Occupied`].
    pub fn play(&mut self, at: Coordinates) -> Result<Point, SessionError> {
        let own = self.own;
        let stones = self.stones_mut()?;
        let point = Session::empty_point(stones, at)?;
        let own = own.unwrap_or(stones.to_move());
        stones.place(point, own);
        self.own = Some(own);
        Ok(point)
    }

    /// Takes the stone on the point back, whenever it was placed.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`], [`SessionError::NoStone`].
    pub fn take_back(&mut self, at: Coordinates) -> Result<(), SessionError> {
        let stones = self.stones_mut()?;
        let point = Session::on_board(stones, at)?;
        if !stones.remove(point) {
            return Err(SessionError::NoStone(point));
        }
        if stones.history().is_empty() {
            // A new game in effect: whoever is named next opens it.
            stones.set_to_move(Color::Black);
            self.own = None;
        }
        Ok(())
    }

    /// Replaces the position by `cells` (`x, y, field`); the engine, which owns field 1, is to move.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Full`], and what is wrong with the first bad cell.
    pub fn set_board(&mut self, cells: &[(i64, i64, i64)]) -> Result<(), SessionError> {
        let stones = self.position_of(cells)?;
        if stones.is_full() {
            return Err(SessionError::Full);
        }
        self.own = Some(stones.to_move());
        self.stones = Some(stones);
        Ok(())
    }

    /// Replaces the position by `cells` for analysis: field 1 is the side to move, no side is the
    /// engine's, and the board may be full.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], and what is wrong with the first bad cell.
    pub fn set_analysis_board(&mut self, cells: &[(i64, i64, i64)]) -> Result<(), SessionError> {
        self.stones = Some(self.position_of(cells)?);
        self.own = None;
        Ok(())
    }

    fn position_of(&self, cells: &[(i64, i64, i64)]) -> Result<Stones, SessionError> {
        let mut stones = Stones::new(self.stones()?.size());
        let fields = cells
            .iter()
            .map(|&(_, _, field)| match field {
                1 => Ok(Field::Own),
                2 => Ok(Field::Other),
                3 => Ok(Field::Dead),
                _ => Err(SessionError::Field(field)),
            })
            .collect::<Result<Vec<Field>, SessionError>>()?;
        let own = own_color(&fields);
        for (&(x, y, _), field) in cells.iter().zip(fields) {
            let point = Session::empty_point(&stones, (x, y))?;
            match field {
                Field::Own => stones.place(point, own),
                Field::Other => stones.place(point, !own),
                Field::Dead => stones.kill(point),
            }
        }
        stones.set_to_move(own);
        Ok(stones)
    }

    /// Replaces the position by an opening in order of play, Black first. How many stones an opening
    /// question may have is for the caller to say. No side is the engine's yet.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], and what is wrong with the first bad cell.
    pub fn set_opening(&mut self, cells: &[Coordinates]) -> Result<(), SessionError> {
        let mut stones = Stones::new(self.stones()?.size());
        for &at in cells {
            let point = Session::empty_point(&stones, at)?;
            stones.place(point, stones.to_move());
        }
        self.stones = Some(stones);
        self.own = None;
        Ok(())
    }

    /// Says which colour the engine has, or that this is open again.
    pub fn set_own(&mut self, own: Option<Color>) {
        self.own = own;
    }

    /// Makes the side to move the engine's, as for the answer to an analysis question.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Full`] if fewer than `moves` cells are empty.
    pub fn adopt_side_to_move(&mut self, moves: usize) -> Result<(), SessionError> {
        let stones = self.stones()?;
        if stones.empty_count() < moves {
            return Err(SessionError::Full);
        }
        self.own = Some(stones.to_move());
        Ok(())
    }

    /// Puts the engine's answer on the board, one stone of each colour in turn from the side to move.
    /// Points that are taken are left out.
    pub fn answered(&mut self, moves: &[Point]) {
        if let Some(stones) = &mut self.stones {
            for &point in moves {
                if stones.is_empty_at(point) {
                    stones.place(point, stones.to_move());
                }
            }
        }
    }

    /// The points that are forbidden to the side to move, in row order; none on an empty board.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`].
    pub fn forbidden_points(&self) -> Result<Vec<Point>, SessionError> {
        Ok(forbidden_points(self.rule(), self.stones()?))
    }

    // ----- Blocked points -----

    /// Points that the engine may not choose.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`].
    pub fn block(&mut self, cells: &[Coordinates]) -> Result<(), SessionError> {
        let points = self.points_of(cells)?;
        self.blocked |= points;
        Ok(())
    }

    /// Points that the engine may choose again.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`].
    pub fn unblock(&mut self, cells: &[Coordinates]) -> Result<(), SessionError> {
        let points = self.points_of(cells)?;
        self.blocked = self.blocked & !points;
        Ok(())
    }

    /// All points may be chosen again.
    pub fn unblock_all(&mut self) {
        self.blocked = PointSet::EMPTY;
    }

    fn points_of(&self, cells: &[Coordinates]) -> Result<PointSet, SessionError> {
        let stones = self.stones()?;
        cells.iter().map(|&at| Session::on_board(stones, at)).collect()
    }

    // ----- Settings -----

    /// Takes a setting over. A value that means nothing leaves the old one.
    pub fn apply(&mut self, setting: Setting) {
        let settings = &mut self.settings;
        match setting {
            Setting::TurnTime(ms) => {
                if let Ok(ms) = u64::try_from(ms) {
                    settings.turn_time = Some(Duration::from_millis(ms));
                }
            }
            Setting::MatchTime(ms) => {
                if let Ok(ms) = u64::try_from(ms) {
                    settings.match_time = (ms > 0).then(|| Duration::from_millis(ms));
                }
            }
            Setting::TimeLeft(ms) => {
                let left = Duration::from_millis(u64::try_from(ms).unwrap_or(0));
                let told = (ms < UNLIMITED_TIME_LEFT).then_some(left);
                self.clock = Bookkeeping { told: Some(told), fresh: true, ..Bookkeeping::default() };
            }
            Setting::TimeIncrement(ms) => {
                if let Ok(ms) = u64::try_from(ms) {
                    settings.increment = Duration::from_millis(ms);
                }
            }
            Setting::MaxMemory(bytes) => {
                if let Ok(bytes) = u64::try_from(bytes) {
                    settings.max_memory = (bytes > 0).then_some(bytes);
                    let too_low = bytes > 0 && bytes < MIN_MEMORY;
                    self.complaint = too_low.then_some(SessionError::Memory(bytes));
                }
            }
            Setting::HashSize(kilobytes) => {
                if let Ok(kilobytes) = u64::try_from(kilobytes) {
                    settings.hash_size = (kilobytes > 0).then(|| kilobytes.saturating_mul(1 << 10));
                }
            }
            Setting::Rule(number) => {
                if Rule::from_gomocup_number(number).is_some() {
                    settings.rule = number;
                }
            }
            Setting::MaxNodes(nodes) => settings.nodes = u64::try_from(nodes).ok().filter(|&n| n > 0),
            Setting::MaxDepth(plies) => {
                settings.depth = (plies > 0).then(|| u32::try_from(plies).unwrap_or(u32::MAX));
            }
            Setting::Threads(threads) => {
                if threads >= 1 {
                    settings.threads = usize::try_from(threads).unwrap_or(MAX_THREADS).min(MAX_THREADS);
                }
            }
            Setting::ShowDetail(level) => {
                if (0..=3).contains(&level) {
                    settings.detail = Detail { realtime: level & 1 != 0, lines: level & 2 != 0 };
                    settings.yixin = true;
                }
            }
            Setting::Pondering(on) => {
                if (0..=1).contains(&on) {
                    settings.pondering = on == 1;
                }
            }
            Setting::CautionFactor(factor) => {
                if (0..=5).contains(&factor) {
                    settings.caution_factor = u8::try_from(factor).unwrap_or(0);
                }
            }
        }
    }

    /// The manager speaks Yixin's dialect, in which rule 2 is renju.
    pub fn mark_yixin(&mut self) {
        self.settings.yixin = true;
    }

    /// The rule in force, as it must be understood now.
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

    /// The width of the move generator that was asked for, 0 to 5.
    #[must_use]
    pub fn caution_factor(&self) -> u8 {
        self.settings.caution_factor
    }

    /// What the whole process may use, in bytes: the lower of the manager's limit and what its hash
    /// table needs; the default where it said neither. At least [`MIN_MEMORY`] where the manager limits it.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let for_table = self.settings.hash_size.map(|bytes| bytes.saturating_add(MEMORY_BESIDE_TABLE));
        let limit = self.settings.max_memory.map(|bytes| bytes.max(MIN_MEMORY));
        match (limit, for_table) {
            (Some(limit), Some(table)) => limit.min(table),
            (Some(bytes), None) | (None, Some(bytes)) => bytes,
            (None, None) => self.default_memory,
        }
    }

    /// A limit that cannot be met, once: INFO itself is never answered.
    pub fn take_complaint(&mut self) -> Option<SessionError> {
        self.complaint.take()
    }

    // ----- Time -----

    /// The time that is allowed for the next move, or for the running one.
    #[must_use]
    pub fn time_control(&self) -> TimeControl {
        let settings = &self.settings;
        let left = self.clock.told.unwrap_or(settings.match_time);
        let left = left.map(|left| left.saturating_add(self.clock.earned).saturating_sub(self.clock.used));
        let limited =
            settings.turn_time.or(left).is_some() || settings.nodes.is_some() || settings.depth.is_some();
        let turn = if limited { settings.turn_time } else { Some(DEFAULT_TURN) };
        TimeControl { turn, left, increment: settings.increment }
    }

    /// The limits for the next move.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits { time: self.time_control(), nodes: self.settings.nodes, depth: self.settings.depth }
    }

    /// A question to the search under the settings in force; the clock runs from `started`.
    #[must_use]
    pub fn request(&self, task: Task, started: Instant) -> Request {
        Request { task, limits: self.limits(), blocked: self.blocked, started }
    }

    /// Books the time that a move has taken.
    pub fn spent(&mut self, elapsed: Duration) {
        self.clock.used = self.clock.used.saturating_add(elapsed);
        self.clock.earned = self.clock.earned.saturating_add(self.settings.increment);
        self.clock.fresh = false;
    }
}

/// The colour of the side that owns field 1 and is to move.
///
/// Equal counts make it Black and one stone less makes it White, as in a game in progress; with any
/// other counts the owner of the first stone is Black.
fn own_color(fields: &[Field]) -> Color {
    let count = |field| fields.iter().filter(|&&f| f == field).count();
    let (own, other) = (count(Field::Own), count(Field::Other));
    if own == other {
        Color::Black
    } else if other == own + 1 {
        Color::White
    } else {
        match fields.iter().find(|&&field| field != Field::Dead) {
            Some(Field::Other) => Color::White,
            _ => Color::Black,
        }
    }
}

/// The points that are forbidden to the side to move, in row order; none on an empty board.
#[must_use]
pub fn forbidden_points(rule: Rule, stones: &Stones) -> Vec<Point> {
    if stones.history().is_empty() {
        return Vec::new();
    }
    stones.size().points().filter(|&point| is_forbidden(rule, stones, point)).collect()
}

/// Whether the side to move may not place a stone on this empty point. False for one that is taken.
#[must_use]
pub fn is_forbidden(rule: Rule, stones: &Stones, point: Point) -> bool {
    let color = stones.to_move();
    with_rule!(rule, R => {
        R::forbids(color) && stones.is_empty_at(point) && reference::is_forbidden::<R>(stones, point, color)
    })
}

/// A move for the side to move when the search has none: it wins if it can, stops a win if it can, and is
/// otherwise the point nearest to the last stone or to the centre. No foul, unless nothing else is left.
/// `None` on a full board.
#[must_use]
pub fn makeshift_move(rule: Rule, stones: &Stones) -> Option<Point> {
    let near = stones.recent(0).map_or(stones.size().center(), |(point, _)| point);
    let own = stones.to_move();
    let forbidden: PointSet = forbidden_points(rule, stones).into_iter().collect();
    let wins = |point, color| with_rule!(rule, R => reference::wins_at::<R>(stones, point, color));
    stones.size().points().filter(|&point| stones.is_empty_at(point)).min_by_key(|&point| {
        (forbidden.contains(point), !wins(point, own), !wins(point, !own), point.distance(near))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(side: i64) -> Session {
        let mut session = Session::new(1, 350 << 20);
        session.start(side, side).unwrap();
        session
    }

    /// Everything that a faulty command could have changed.
    fn state(session: &Session) -> String {
        format!("{session:?}")
    }

    #[test]
    fn faulty_commands_change_nothing() {
        let mut session = started(15);
        session.set_board(&[(7, 7, 1), (8, 8, 2), (0, 0, 3)]).unwrap();
        session.block(&[(1, 1)]).unwrap();
        session.apply(Setting::TimeLeft(1000));
        let before = state(&session);
        let taken = SessionError::Occupied(Point::new(7, 7));
        assert_eq!(session.start(4, 4), Err(SessionError::Size(4, 4)));
        assert_eq!(session.start(15, 23), Err(SessionError::Size(15, 23)));
        assert_eq!(session.start(i64::MIN, i64::MAX), Err(SessionError::Size(i64::MIN, i64::MAX)));
        assert_eq!(session.begin(), Err(SessionError::NotEmpty));
        assert_eq!(session.turn((7, 7)), Err(taken));
        assert_eq!(session.turn((0, 0)), Err(SessionError::Occupied(Point::new(0, 0))));
        assert_eq!(session.turn((15, 0)), Err(SessionError::Outside(15, 0)));
        assert_eq!(session.turn((-1, i64::MAX)), Err(SessionError::Outside(-1, i64::MAX)));
        assert_eq!(session.play((7, 7)), Err(taken));
        assert_eq!(session.take_back((3, 3)), Err(SessionError::NoStone(Point::new(3, 3))));
        assert_eq!(session.take_back((0, 0)), Err(SessionError::NoStone(Point::new(0, 0))));
        assert_eq!(session.set_board(&[(1, 1, 1), (1, 1, 2)]), Err(SessionError::Occupied(Point::new(1, 1))));
        assert_eq!(session.set_board(&[(1, 1, 4)]), Err(SessionError::Field(4)));
        assert_eq!(session.set_board(&[(1, 15, 1)]), Err(SessionError::Outside(1, 15)));
        assert_eq!(session.set_analysis_board(&[(1, 15, 1)]), Err(SessionError::Outside(1, 15)));
        assert_eq!(session.set_opening(&[(1, 1), (1, 1)]), Err(SessionError::Occupied(Point::new(1, 1))));
        assert_eq!(session.block(&[(2, 2), (15, 15)]), Err(SessionError::Outside(15, 15)));
        assert_eq!(session.unblock(&[(1, 1), (15, 15)]), Err(SessionError::Outside(15, 15)));
        assert_eq!(session.adopt_side_to_move(1000), Err(SessionError::Full));
        for setting in [
            Setting::Rule(16),
            Setting::Rule(-1),
            Setting::TurnTime(-5),
            Setting::MatchTime(-5),
            Setting::MaxMemory(-5),
            Setting::Threads(0),
            Setting::ShowDetail(4),
            Setting::Pondering(2),
            Setting::CautionFactor(6),
        ] {
            session.apply(setting);
        }
        assert_eq!(state(&session), before);
    }

    #[test]
    fn nothing_goes_before_start() {
        let mut session = Session::new(1, 1 << 30);
        let no = Err(SessionError::NoBoard);
        assert_eq!(session.restart(), no);
        assert_eq!(session.begin(), no);
        assert_eq!(session.turn((1, 1)), no);
        assert_eq!(session.take_back((1, 1)), no);
        assert_eq!(session.set_board(&[]), no);
        assert_eq!(session.set_opening(&[]), no);
        assert_eq!(session.block(&[(1, 1)]), no);
        assert_eq!(session.forbidden_points(), Err(SessionError::NoBoard));
    }

    #[test]
    fn colors_follow_from_the_board() {
        type Case = (&'static [(i64, i64, i64)], Color);
        let cases: [Case; 6] = [
            (&[], Color::Black),
            (&[(1, 1, 1), (2, 2, 2)], Color::Black),
            (&[(1, 1, 2)], Color::White),
            // Own stones first, in a freestyle manager's order: counts decide.
            (&[(1, 1, 1), (2, 2, 2), (3, 3, 2)], Color::White),
            // Counts of no game in progress: who came first decides.
            (&[(0, 0, 3), (1, 1, 2), (2, 2, 2), (3, 3, 2)], Color::White),
            (&[(1, 1, 1), (2, 2, 1)], Color::Black),
        ];
        for (cells, own) in cases {
            let mut session = started(15);
            session.set_board(cells).unwrap();
            assert_eq!(session.own(), Some(own), "{cells:?}");
            assert_eq!(session.stones().unwrap().to_move(), own);
            // The opponent's next stone has the other colour, and the engine is to move again.
            session.answered(&[Point::new(9, 9)]);
            session.turn((10, 10)).unwrap();
            assert_eq!(session.stones().unwrap().recent(0), Some((Point::new(10, 10), !own)));
            assert_eq!(session.stones().unwrap().to_move(), own);
        }
    }

    #[test]
    fn colors_survive_taking_back() {
        let mut session = started(15);
        session.begin().unwrap();
        session.answered(&[Point::new(7, 7)]);
        session.turn((8, 8)).unwrap();
        session.answered(&[Point::new(6, 6)]);
        session.take_back((6, 6)).unwrap();
        session.take_back((8, 8)).unwrap();
        session.turn((9, 9)).unwrap();
        assert_eq!(session.own(), Some(Color::Black));
        // All stones away: the game begins anew, and the opponent opens it.
        session.take_back((9, 9)).unwrap();
        session.take_back((7, 7)).unwrap();
        session.turn((3, 3)).unwrap();
        assert_eq!(session.own(), Some(Color::White));
    }

    #[test]
    fn the_last_cell_leaves_no_answer() {
        let mut session = started(5);
        let cells: Vec<_> = (0..24).map(|n| (n % 5, n / 5, 1 + n % 2)).collect();
        session.set_board(&cells).unwrap();
        assert_eq!(session.turn((4, 4)), Err(SessionError::Full));
        let full: Vec<_> = (0..25).map(|n| (n % 5, n / 5, 1 + n % 2)).collect();
        assert_eq!(session.set_board(&full), Err(SessionError::Full));
        assert_eq!(session.set_analysis_board(&full), Ok(()));
    }

    #[test]
    fn rule_two_depends_on_the_dialect() {
        let mut session = Session::new(1, 1 << 30);
        session.apply(Setting::Rule(2));
        assert_eq!(session.rule(), Rule::Freestyle);
        // The marker may come after the rule.
        session.apply(Setting::ShowDetail(1));
        assert_eq!(session.rule(), Rule::Renju);
        for (number, rule) in
            [(4, Rule::Renju), (5, Rule::Freestyle), (6, Rule::Freestyle), (1, Rule::Standard)]
        {
            session.apply(Setting::Rule(number));
            assert_eq!(session.rule(), rule);
        }
        let mut plain = Session::new(1, 1 << 30);
        plain.apply(Setting::Rule(5));
        assert_eq!(plain.rule(), Rule::Renju);
    }

    #[test]
    fn time_left_replaces_own_bookkeeping() {
        let ms = Duration::from_millis;
        let mut session = started(15);
        assert_eq!(session.time_control().turn, Some(DEFAULT_TURN));
        session.apply(Setting::MatchTime(10_000));
        assert_eq!(session.time_control(), TimeControl { left: Some(ms(10_000)), ..TimeControl::default() });
        session.spent(ms(3_000));
        assert_eq!(session.time_control().left, Some(ms(7_000)));
        session.apply(Setting::TimeLeft(9_000));
        session.spent(ms(500));
        assert_eq!(session.time_control().left, Some(ms(8_500)));
        session.apply(Setting::TimeLeft(-20));
        assert_eq!(session.time_control().left, Some(Duration::ZERO));
        session.apply(Setting::TimeLeft(i64::from(i32::MAX)));
        assert_eq!(session.time_control().left, None);
        session.apply(Setting::TurnTime(0));
        assert_eq!(session.time_control().turn, Some(Duration::ZERO));
    }

    #[test]
    fn a_new_game_has_all_its_time_again() {
        let ms = Duration::from_millis;
        let mut session = started(15);
        session.apply(Setting::MatchTime(10_000));
        session.apply(Setting::TimeLeft(4_000));
        // As Yixin-Board does it: the time, then the board.
        session.start(15, 15).unwrap();
        assert_eq!(session.time_control().left, Some(ms(4_000)));
        session.spent(ms(1_000));
        session.restart().unwrap();
        assert_eq!(session.time_control().left, Some(ms(10_000)));
        session.apply(Setting::TimeIncrement(2_000));
        session.spent(ms(500));
        assert_eq!(session.time_control().left, Some(ms(11_500)));
    }

    #[test]
    fn memory_is_the_lower_limit() {
        let mut session = Session::new(1, 350 << 20);
        assert_eq!(session.memory(), 350 << 20);
        session.apply(Setting::HashSize(64 << 10));
        assert_eq!(session.memory(), (64 << 20) + MEMORY_BESIDE_TABLE);
        session.apply(Setting::MaxMemory(70 << 20));
        assert_eq!(session.memory(), 70 << 20);
        session.apply(Setting::MaxMemory(1000));
        assert_eq!(session.memory(), MIN_MEMORY);
        assert_eq!(session.take_complaint(), Some(SessionError::Memory(1000)));
        assert_eq!(session.take_complaint(), None);
        session.apply(Setting::HashSize(i64::MAX));
        session.apply(Setting::MaxMemory(0));
        assert_eq!(session.memory(), u64::MAX);
    }

    #[test]
    fn makeshift_moves_are_near() {
        let mut stones = Stones::new(Size::square(15));
        assert_eq!(makeshift_move(Rule::Renju, &stones), Some(Point::new(7, 7)));
        stones.place(Point::new(0, 0), Color::Black);
        let point = makeshift_move(Rule::Renju, &stones).unwrap();
        assert!(stones.is_empty_at(point) && point.distance(Point::new(0, 0)) == 1);
    }

    #[test]
    fn makeshift_moves_win_and_stop_wins() {
        let mut stones = Stones::new(Size::square(15));
        for x in 3..7 {
            stones.place(Point::new(x, 2), Color::Black);
            stones.place(Point::new(x, 9), Color::White);
        }
        let ends = |y| [Some(Point::new(2, y)), Some(Point::new(7, y))];
        assert!(ends(2).contains(&makeshift_move(Rule::Freestyle, &stones)));
        stones.place(Point::new(14, 14), Color::Black);
        assert!(ends(9).contains(&makeshift_move(Rule::Freestyle, &stones)));
        stones.undo();
        stones.place(Point::new(7, 2), Color::White);
        stones.place(Point::new(2, 2), Color::White);
        assert!(ends(9).contains(&makeshift_move(Rule::Freestyle, &stones)), "Black has to stop a five");
    }
}
