//! The commands that a manager can give, and why a line may not be one. Their spelling is in `words`, what they do in
//! `dispatch`.

use std::fmt;
use std::time::Instant;

use super::database_command::DatabaseAsk;
use super::session::Setting;
use crate::board::Coordinates;
use crate::eval::score::Score;

/// One well-formed command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `START n` and `RECTSTART w,h`.
    Start {
        /// Columns.
        width: i64,
        /// Rows.
        height: i64,
    },
    /// `START w h`, as Yixin-Board begins: where its dialect is in use, points are a row and a column then.
    StartSides {
        /// The first side, columns.
        width: i64,
        /// The second side, rows.
        height: i64,
    },
    /// `RESTART`.
    Restart,
    /// `BEGIN`.
    Begin,
    /// `TURN x,y`.
    Turn(Coordinates),
    /// `PLAY x,y`.
    Play(Coordinates),
    /// `TAKEBACK x,y`.
    TakeBack(Coordinates),
    /// `BOARD` with its lines `x,y,field`.
    Board(Vec<(i64, i64, i64)>),
    /// `YXBOARD`, likewise.
    AnalysisBoard(Vec<(i64, i64, i64)>),
    /// `SWAP2BOARD` with its lines `x,y`.
    Swap2Board(Vec<Coordinates>),
    /// `YXSWAP2STEP1` to `3`.
    Swap2Step(Swap2Step),
    /// `YXSOOSORVSTEP1` to `6`, with its lines `x,y`.
    SoosorvStep(SoosorvStep, Vec<Coordinates>),
    /// `INFO`; `None` for keys and values that mean nothing.
    Info(Option<Setting>),
    /// `ABOUT`.
    About,
    /// `STOP` and `YXSTOP`.
    Stop,
    /// `END`.
    End,
    /// `YXSHOWINFO`.
    ShowInfo,
    /// `YXSHOWFORBID`.
    ShowForbidden,
    /// `YXNBEST n`: the n best lines.
    Best(usize),
    /// `YXSEARCHDEFEND`: a line for every move.
    BestOfAll,
    /// `YXBALANCEONE bias`.
    BalanceOne(Score),
    /// `YXBALANCETWO bias`.
    BalanceTwo(Score),
    /// `YXBLOCK` with its lines `x,y`.
    Block(Vec<Coordinates>),
    /// `YXBLOCKUNDO` with its lines `x,y`.
    Unblock(Vec<Coordinates>),
    /// `YXBLOCKRESET`.
    UnblockAll,
    /// `YXBLOCKPATH` with its lines `x,y`.
    BlockLine(Vec<Coordinates>),
    /// `YXBLOCKPATHUNDO` with its lines `x,y`.
    UnblockLine(Vec<Coordinates>),
    /// `YXBLOCKPATHRESET`.
    UnblockAllLines,
    /// `YXPRINTFEATURE`.
    Assess,
    /// `YXHASHCLEAR`.
    ClearTable,
    /// `YXSHOWHASHUSAGE`.
    ShowTableUsage,
    /// `YXDRAW`.
    Draw,
    /// `YXRESIGN`.
    Resign,
    /// A database command, with the moves that lead to its position.
    Database(DatabaseAsk, Vec<Coordinates>),
    /// `YXSETDATABASE`, with the path that follows it.
    SetDatabase(String),
    /// `YXSAVEDATABASE`.
    SaveDatabase,
    /// `YXDBCHECK`.
    CheckDatabase,
    /// `YXLIBTODB` and the path of a RenLib library, which is imported into the database.
    ImportLibrary(String),
    /// Known, and answered by a note that it does nothing here.
    Unsupported(&'static str),
    /// Known, without effect, and never answered.
    Ignored,
}

/// When a command can be carried out if a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// At once: it asks about other things, or takes effect only at the next search.
    AtOnce,
    /// At once during a search for an answer, but pondering ends first: it uses the engine, or changes how the next
    /// search will be.
    EndsPondering,
    /// After a search for a move of a game, which goes on: it may take longer than the move can wait. At once during an
    /// analysis, which may go on for hours.
    AfterMove,
    /// After a search for an answer of any kind, which goes on: it takes so long that nobody could end the search.
    AfterSearch,
    /// After the search, which ends for it.
    EndsSearch,
}

impl Command {
    /// When this can be carried out if a search runs.
    pub(super) fn timing(&self) -> Timing {
        match self {
            Command::Info(Some(
                Setting::Pondering(false)
                | Setting::Rule(_)
                | Setting::Threads(_)
                | Setting::MaxMemory(_)
                | Setting::HashSize(_)
                | Setting::Strength(_)
                | Setting::Level(_),
            ))
            | Command::Stop => Timing::EndsPondering,
            Command::Database(ask, _) if ask.is_change() => Timing::AfterMove,
            // Another program may be writing to it.
            Command::SetDatabase(_) => Timing::AfterMove,
            Command::CheckDatabase | Command::ImportLibrary(_) => Timing::AfterSearch,
            Command::Info(_)
            | Command::About
            | Command::ShowInfo
            | Command::ShowForbidden
            | Command::ShowTableUsage
            | Command::Block(_)
            | Command::Unblock(_)
            | Command::UnblockAll
            | Command::BlockLine(_)
            | Command::UnblockLine(_)
            | Command::UnblockAllLines
            | Command::Assess
            | Command::Draw
            | Command::Resign
            | Command::Database(..)
            | Command::SaveDatabase
            | Command::Unsupported(_)
            | Command::Ignored => Timing::AtOnce,
            Command::Start { .. }
            | Command::StartSides { .. }
            | Command::Restart
            | Command::Begin
            | Command::Turn(_)
            | Command::Play(_)
            | Command::TakeBack(_)
            | Command::Board(_)
            | Command::AnalysisBoard(_)
            | Command::Swap2Board(_)
            | Command::Swap2Step(_)
            | Command::SoosorvStep(..)
            | Command::End
            | Command::Best(_)
            | Command::BestOfAll
            | Command::BalanceOne(_)
            | Command::BalanceTwo(_)
            | Command::ClearTable => Timing::EndsSearch,
        }
    }

    /// Whether this is for the search that runs, so that it waits for no command before it.
    pub(super) fn concerns_search(&self) -> bool {
        matches!(
            self,
            Command::Stop
                | Command::Info(Some(
                    Setting::TurnTime(_)
                        | Setting::MatchTime(_)
                        | Setting::TimeLeft(_)
                        | Setting::TimeIncrement(_)
                ))
        )
    }

    /// Whether a reply is due anyway, in place of which an error about a limit that cannot be met may be sent.
    pub(super) fn is_owed_a_reply(&self) -> bool {
        match self {
            Command::Start { .. }
            | Command::StartSides { .. }
            | Command::Restart
            | Command::Begin
            | Command::Turn(_)
            | Command::Board(_)
            | Command::Swap2Board(_)
            | Command::Swap2Step(_)
            | Command::SoosorvStep(..)
            | Command::Best(_)
            | Command::BestOfAll
            | Command::BalanceOne(_)
            | Command::BalanceTwo(_) => true,
            Command::Play(_)
            | Command::TakeBack(_)
            | Command::AnalysisBoard(_)
            | Command::Info(_)
            | Command::About
            | Command::Stop
            | Command::End
            | Command::ShowInfo
            | Command::ShowForbidden
            | Command::Block(_)
            | Command::Unblock(_)
            | Command::UnblockAll
            | Command::BlockLine(_)
            | Command::UnblockLine(_)
            | Command::UnblockAllLines
            | Command::Assess
            | Command::ClearTable
            | Command::ShowTableUsage
            | Command::Draw
            | Command::Resign
            | Command::Database(..)
            | Command::SetDatabase(_)
            | Command::SaveDatabase
            | Command::CheckDatabase
            | Command::ImportLibrary(_)
            | Command::Unsupported(_)
            | Command::Ignored => false,
        }
    }
}

/// The questions of the swap2 opening as Yixin-Board asks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap2Step {
    /// Place three stones.
    Propose,
    /// Choose after three stones.
    Second,
    /// Choose after five stones.
    First,
}

/// The questions of the Soosõrv-8 opening as Yixin-Board asks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoosorvStep {
    /// Place three stones.
    Propose,
    /// Whether to swap after three stones.
    SwapAfterThree,
    /// Place the fourth stone and say how many fifth moves.
    Fourth,
    /// Whether to swap after four stones, with so many fifth moves asked for.
    SwapAfterFour(i64),
    /// Offer so many fifth moves after four stones.
    Offer(i64),
    /// Take one of the fifth moves, which follow the four stones.
    Take,
}

/// Why a line is not a command. Up to 100 characters of what was found are kept, and they may contain anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// No such command.
    Unknown(String),
    /// The parameters do not have the form that the command needs.
    Parameters {
        /// The command.
        command: &'static str,
        /// The form needed.
        expected: &'static str,
        /// What came instead.
        found: String,
    },
    /// The block has more entries than any board has cells.
    LongBlock(&'static str),
    /// The line is longer than any command.
    LongLine,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(found) => write!(f, "unknown command: {found}"),
            CommandError::Parameters { command, expected, found } if found.is_empty() => {
                write!(f, "{command} needs {expected}")
            }
            CommandError::Parameters { command, expected, found } => {
                write!(f, "{command} needs {expected}, not: {found}")
            }
            CommandError::LongBlock(command) => write!(f, "{command} has too many entries"),
            CommandError::LongLine => write!(f, "the line is too long"),
        }
    }
}

impl std::error::Error for CommandError {}

/// A command and when it began to arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The command, or why there is none.
    pub result: Result<Command, CommandError>,
    /// Arrival of its first line: the manager's clock runs from here.
    pub arrived: Instant,
    /// When this can be carried out or answered if a search runs.
    pub timing: Timing,
}

impl Parsed {
    /// A command of one line, or why it is not one.
    pub(super) fn of_line(result: Result<Command, CommandError>, arrived: Instant) -> Parsed {
        let timing = match &result {
            Ok(command) => command.timing(),
            Err(CommandError::Unknown(_) | CommandError::LongLine) => Timing::AtOnce,
            Err(_) => Timing::EndsSearch,
        };
        Parsed { result, arrived, timing }
    }
}
