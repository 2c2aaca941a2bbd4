//! From lines to commands. Total: whatever comes in, a [`Command`], a [`CommandError`] or silence
//! comes out.
//!
//! Knows the words and the form of their parameters, not whether they make sense on the board.

use std::fmt;
use std::time::Instant;

use super::input::RawLine;
use crate::eval::score::{MAX_EVAL, Score};
use crate::session::{Coordinates, Setting};

/// Entries kept of a block; more than any board has cells, so a longer block is in error anyway.
const MAX_ENTRIES: usize = 1024;
/// Characters of a line that an error keeps.
const MAX_FOUND: usize = 100;

/// One well-formed command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `START n`, `START w h` and `RECTSTART w,h`.
    Start {
        /// Columns.
        width: i64,
        /// Rows.
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
    /// `YXHASHCLEAR`.
    ClearTable,
    /// `YXSHOWHASHUSAGE`.
    ShowTableUsage,
    /// `YXDRAW`.
    Draw,
    /// `YXRESIGN`.
    Resign,
    /// Known, answered by a note that it does nothing here.
    Unsupported(&'static str),
    /// Known, without effect, and never answered.
    Ignored,
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

/// Why a line is no command. What was found is kept up to 100 characters and may hold anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// No such command.
    Unknown(String),
    /// The parameters have not the form that the command needs.
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
}

/// Puts commands together from lines.
#[derive(Debug, Default)]
pub struct Parser {
    state: State,
}

#[derive(Debug, Default)]
enum State {
    /// The next line is a command.
    #[default]
    Command,
    /// Lines up to DONE belong to a block.
    Block(Block),
    /// The next line is a file name of this command.
    FileName(Command, Instant),
}

/// What is done with the entries of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    Board,
    AnalysisBoard,
    Swap2Board,
    Block,
    Unblock,
    /// Swallowed.
    Ignored,
}

#[derive(Debug)]
struct Block {
    kind: BlockKind,
    name: &'static str,
    entries: Vec<Vec<i64>>,
    error: Option<CommandError>,
    begun: Instant,
}

impl BlockKind {
    /// Numbers in one entry, and how to say so.
    fn form(self) -> Option<(usize, &'static str)> {
        match self {
            BlockKind::Board | BlockKind::AnalysisBoard => Some((3, "lines x,y,field")),
            BlockKind::Swap2Board | BlockKind::Block | BlockKind::Unblock => Some((2, "lines x,y")),
            BlockKind::Ignored => None,
        }
    }
}

impl Block {
    /// Takes one line in; true if it ended the block.
    fn feed(&mut self, line: &str) -> bool {
        let line = without_blanks_at_commas(line);
        for entry in line.split_ascii_whitespace() {
            if entry.eq_ignore_ascii_case("DONE") {
                return true;
            }
            self.take(entry);
        }
        false
    }

    fn take(&mut self, entry: &str) {
        let Some((length, expected)) = self.kind.form() else { return };
        if self.error.is_some() {
            return;
        }
        match numbers(entry).filter(|numbers| numbers.len() == length) {
            Some(_) if self.entries.len() == MAX_ENTRIES => {
                self.error = Some(CommandError::LongBlock(self.name));
            }
            Some(numbers) => self.entries.push(numbers),
            None => {
                self.error =
                    Some(CommandError::Parameters { command: self.name, expected, found: clipped(entry) });
            }
        }
    }

    fn finish(self) -> Parsed {
        let pairs = || self.entries.iter().filter_map(|entry| pair_of(entry)).collect();
        let triples = || {
            let triple = |entry: &Vec<i64>| match *entry.as_slice() {
                [x, y, field] => Some((x, y, field)),
                _ => None,
            };
            self.entries.iter().filter_map(triple).collect()
        };
        let command = match self.kind {
            BlockKind::Board => Command::Board(triples()),
            BlockKind::AnalysisBoard => Command::AnalysisBoard(triples()),
            BlockKind::Swap2Board => Command::Swap2Board(pairs()),
            BlockKind::Block => Command::Block(pairs()),
            BlockKind::Unblock => Command::Unblock(pairs()),
            BlockKind::Ignored => Command::Ignored,
        };
        Parsed { result: self.error.map_or(Ok(command), Err), arrived: self.begun }
    }
}

impl Parser {
    /// A parser that waits for a command.
    #[must_use]
    pub fn new() -> Parser {
        Parser::default()
    }

    /// Takes a line in that arrived at the given time; `None` if it completes no command.
    pub fn feed(&mut self, line: &RawLine, arrived: Instant) -> Option<Parsed> {
        let text = String::from_utf8_lossy(&line.bytes);
        let text = text.trim_start_matches('\u{feff}').trim();
        let parsed = |result| Some(Parsed { result, arrived });
        let ends_engine = !line.cut && text.eq_ignore_ascii_case("END");
        match std::mem::take(&mut self.state) {
            State::Block(_) | State::FileName(..) if ends_engine => parsed(Ok(Command::End)),
            State::FileName(command, arrived) => Some(Parsed { result: Ok(command), arrived }),
            State::Block(mut block) => {
                if line.cut {
                    block.error.get_or_insert(CommandError::LongLine);
                } else if block.feed(text) {
                    return Some(block.finish());
                }
                self.state = State::Block(block);
                None
            }
            State::Command => match read(text) {
                None => None,
                // A path or a comment of any length stays as unanswered as a short one.
                Some(Read::Done(Ok(Command::Info(_)))) if line.cut => parsed(Ok(Command::Info(None))),
                Some(_) if line.cut => parsed(Err(CommandError::LongLine)),
                Some(Read::Done(result)) => parsed(result),
                Some(Read::FileName(command)) => {
                    self.state = State::FileName(command, arrived);
                    None
                }
                Some(Read::Block(kind, name, rest)) => {
                    let mut block = Block { kind, name, entries: Vec::new(), error: None, begun: arrived };
                    if block.feed(rest) {
                        return Some(block.finish());
                    }
                    self.state = State::Block(block);
                    None
                }
            },
        }
    }
}

/// What the first line of a command says.
enum Read<'a> {
    /// All of it.
    Done(Result<Command, CommandError>),
    /// A block begins, perhaps with entries on the same line.
    Block(BlockKind, &'static str, &'a str),
    /// A file name follows.
    FileName(Command),
}

/// Reads the first line of a command; `None` for a blank one.
fn read(line: &str) -> Option<Read<'_>> {
    let word = line.split_ascii_whitespace().next()?;
    let rest = line.get(word.len()..).unwrap_or_default().trim();
    let word = word.to_ascii_uppercase();
    Some(Read::Done(Ok(match word.as_str() {
        "START" => return Some(Read::Done(start(rest))),
        "RECTSTART" => {
            return Some(Read::Done(
                pair(rest)
                    .map(|(width, height)| Command::Start { width, height })
                    .ok_or_else(|| parameters("RECTSTART", "width,height", rest)),
            ));
        }
        "RESTART" => Command::Restart,
        "BEGIN" => Command::Begin,
        "TURN" => return Some(Read::Done(at("TURN", rest, Command::Turn))),
        "PLAY" => return Some(Read::Done(at("PLAY", rest, Command::Play))),
        "TAKEBACK" => return Some(Read::Done(at("TAKEBACK", rest, Command::TakeBack))),
        "BOARD" => return Some(Read::Block(BlockKind::Board, "BOARD", rest)),
        "YXBOARD" => return Some(Read::Block(BlockKind::AnalysisBoard, "YXBOARD", rest)),
        "SWAP2BOARD" => return Some(Read::Block(BlockKind::Swap2Board, "SWAP2BOARD", rest)),
        "INFO" => Command::Info(setting(rest)),
        "ABOUT" => Command::About,
        "STOP" | "YXSTOP" => Command::Stop,
        "END" => Command::End,
        "YXSHOWINFO" => Command::ShowInfo,
        "YXSHOWFORBID" => Command::ShowForbidden,
        "YXNBEST" => {
            let lines = number(rest).and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0);
            return Some(Read::Done(
                lines.map(Command::Best).ok_or_else(|| parameters("YXNBEST", "a number from 1", rest)),
            ));
        }
        "YXSEARCHDEFEND" => Command::BestOfAll,
        "YXBALANCEONE" => return Some(Read::Done(bias("YXBALANCEONE", rest, Command::BalanceOne))),
        "YXBALANCETWO" => return Some(Read::Done(bias("YXBALANCETWO", rest, Command::BalanceTwo))),
        "YXBLOCK" => return Some(Read::Block(BlockKind::Block, "YXBLOCK", rest)),
        "YXBLOCKUNDO" => return Some(Read::Block(BlockKind::Unblock, "YXBLOCKUNDO", rest)),
        "YXBLOCKRESET" => Command::UnblockAll,
        "YXBLOCKPATH" | "YXBLOCKPATHUNDO" => {
            return Some(Read::Block(BlockKind::Ignored, "YXBLOCKPATH", rest));
        }
        "YXBLOCKPATHRESET" | "YXFORBID" => Command::Ignored,
        "YXHASHCLEAR" => Command::ClearTable,
        "YXSHOWHASHUSAGE" => Command::ShowTableUsage,
        "YXHASHDUMP" | "YXHASHLOAD" => {
            return Some(Read::FileName(Command::Unsupported("hash table files")));
        }
        "YXSWAP2STEP1" => Command::Swap2Step(Swap2Step::Propose),
        "YXSWAP2STEP2" => Command::Swap2Step(Swap2Step::Second),
        "YXSWAP2STEP3" => Command::Swap2Step(Swap2Step::First),
        "YXDRAW" => Command::Draw,
        "YXRESIGN" => Command::Resign,
        "YXPRINTFEATURE" => Command::Unsupported("printing features"),
        database if is_database_block(database) => {
            return Some(Read::Block(BlockKind::Ignored, "a database command", rest));
        }
        database if is_database_file(database) => return Some(Read::FileName(Command::Ignored)),
        soosorv if soosorv.starts_with("YXSOOSORVSTEP") => Command::Unsupported("the Soosorv-8 opening"),
        _ => return Some(Read::Done(Err(CommandError::Unknown(clipped(line))))),
    })))
}

/// Database commands that a list of coordinates up to DONE follows.
fn is_database_block(word: &str) -> bool {
    let edit = word.strip_prefix("YXEDIT").is_some_and(|rest| rest.contains("DATABASE"));
    edit || ["YXQUERYDATABASE", "YXDELETEDATABASE", "YXSETBESTMOVE", "YXCLEARBESTMOVE"]
        .iter()
        .any(|start| word.starts_with(start))
}

/// Database commands whose next line is a file name.
fn is_database_file(word: &str) -> bool {
    word.starts_with("YXDBTO")
        || ["YXSETDATABASE", "YXTXTTODB", "YXLIBTODB", "YXDBMERGE", "YXDBSPLIT"].contains(&word)
}

fn start(rest: &str) -> Result<Command, CommandError> {
    let error = || parameters("START", "one number or two", rest);
    let mut sides = rest.split_ascii_whitespace();
    let width = sides.next().and_then(number).ok_or_else(error)?;
    let height = sides.next().map_or(Some(width), number).ok_or_else(error)?;
    if sides.next().is_some() {
        return Err(error());
    }
    Ok(Command::Start { width, height })
}

fn at(
    command: &'static str,
    rest: &str,
    make: impl FnOnce(Coordinates) -> Command,
) -> Result<Command, CommandError> {
    pair(rest).map(make).ok_or_else(|| parameters(command, "x,y", rest))
}

/// A bias in points; none given is an even game.
fn bias(
    command: &'static str,
    rest: &str,
    make: impl FnOnce(Score) -> Command,
) -> Result<Command, CommandError> {
    let bias = if rest.is_empty() { Some(0) } else { number(rest) };
    let bias = bias.ok_or_else(|| parameters(command, "a number", rest))?;
    let bias = bias.clamp(-i64::from(MAX_EVAL), i64::from(MAX_EVAL));
    Ok(make(Score::try_from(bias).unwrap_or(0)))
}

/// The setting that `INFO key value` means, if any. Strings and keys without effect here are none.
fn setting(rest: &str) -> Option<Setting> {
    let (key, value) = rest.split_once(|c: char| c.is_ascii_whitespace())?;
    let value = number(value.trim())?;
    Some(match key.to_ascii_lowercase().as_str() {
        "timeout_turn" => Setting::TurnTime(value),
        "timeout_match" => Setting::MatchTime(value),
        "time_left" => Setting::TimeLeft(value),
        "time_increment" => Setting::TimeIncrement(value),
        "max_memory" => Setting::MaxMemory(value),
        "hash_size" => Setting::HashSize(value),
        "rule" => Setting::Rule(value),
        "max_node" => Setting::MaxNodes(value),
        "max_depth" => Setting::MaxDepth(value),
        "thread_num" => Setting::Threads(value),
        "show_detail" => Setting::ShowDetail(value),
        "pondering" => Setting::Pondering(value),
        "caution_factor" => Setting::CautionFactor(value),
        _ => return None,
    })
}

/// A whole decimal token in 64 bits.
fn number(token: &str) -> Option<i64> {
    token.parse().ok()
}

/// Numbers with commas between them.
fn numbers(token: &str) -> Option<Vec<i64>> {
    token.split(',').map(number).collect()
}

fn pair_of(numbers: &[i64]) -> Option<Coordinates> {
    match *numbers {
        [x, y] => Some((x, y)),
        _ => None,
    }
}

/// `x,y`, with blanks around the comma if need be.
fn pair(rest: &str) -> Option<Coordinates> {
    pair_of(&numbers(&without_blanks_at_commas(rest))?)
}

fn without_blanks_at_commas(text: &str) -> String {
    text.split(',').map(str::trim).collect::<Vec<_>>().join(",")
}

fn parameters(command: &'static str, expected: &'static str, found: &str) -> CommandError {
    CommandError::Parameters { command, expected, found: clipped(found) }
}

fn clipped(text: &str) -> String {
    text.chars().take(MAX_FOUND).collect()
}
