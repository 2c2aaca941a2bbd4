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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::protocol::input::MAX_LINE;

    /// What a parser makes of these lines: commands, and errors in their own words.
    fn parse(lines: &[&[u8]]) -> Vec<Result<Command, String>> {
        let mut parser = Parser::new();
        let now = Instant::now();
        let raw = |line: &&[u8]| RawLine { bytes: line.to_vec(), cut: false };
        let parsed = lines.iter().filter_map(|line| parser.feed(&raw(line), now));
        parsed.map(|parsed| parsed.result.map_err(|error| error.to_string())).collect()
    }

    fn one(line: &str) -> Result<Command, String> {
        let mut all = parse(&[line.as_bytes()]);
        assert_eq!(all.len(), 1, "{line}");
        all.remove(0)
    }

    #[test]
    fn commands_are_read() {
        use Command::*;
        let info = |setting| Info(Some(setting));
        for (line, command) in [
            ("START 15", Start { width: 15, height: 15 }),
            ("  start\t20  \r", Start { width: 20, height: 20 }),
            ("START 15 15", Start { width: 15, height: 15 }),
            ("START -3", Start { width: -3, height: -3 }),
            ("RECTSTART 15,20", Start { width: 15, height: 20 }),
            ("RECTSTART 15 , 20", Start { width: 15, height: 20 }),
            ("\u{feff}RESTART", Restart),
            ("BEGIN", Begin),
            ("TURN 7,8", Turn((7, 8))),
            ("turn 7 , 8", Turn((7, 8))),
            ("TURN 7, 8", Turn((7, 8))),
            ("TURN -1,99999999999", Turn((-1, 99_999_999_999))),
            ("PLAY 0,0", Play((0, 0))),
            ("TAKEBACK 3,4", TakeBack((3, 4))),
            ("about", About),
            ("STOP", Stop),
            ("yxstop", Stop),
            ("End", End),
            ("INFO timeout_turn 0", info(Setting::TurnTime(0))),
            ("info TIMEOUT_MATCH   100000", info(Setting::MatchTime(100_000))),
            ("INFO time_left -20", info(Setting::TimeLeft(-20))),
            ("INFO time_left 99999999999", info(Setting::TimeLeft(99_999_999_999))),
            ("INFO max_memory 367001600", info(Setting::MaxMemory(367_001_600))),
            ("INFO RULE 4", info(Setting::Rule(4))),
            ("INFO rule four", Info(None)),
            ("INFO rule 4 5", Info(None)),
            ("INFO rule 4.5", Info(None)),
            ("INFO rule", Info(None)),
            ("INFO", Info(None)),
            ("INFO time_left 99999999999999999999", Info(None)),
            ("INFO folder C:\\Program Files\\x", Info(None)),
            ("INFO evaluate 3,4", Info(None)),
            ("INFO no_such_key 1", Info(None)),
            ("INFO thread_num 4", info(Setting::Threads(4))),
            ("INFO hash_size 65536", info(Setting::HashSize(65536))),
            ("INFO max_depth 225", info(Setting::MaxDepth(225))),
            ("INFO max_node -1", info(Setting::MaxNodes(-1))),
            ("INFO show_detail 3", info(Setting::ShowDetail(3))),
            ("INFO pondering 1", info(Setting::Pondering(1))),
            ("INFO caution_factor 4", info(Setting::CautionFactor(4))),
            ("INFO time_increment 10", info(Setting::TimeIncrement(10))),
            ("BOARD DONE", Board(vec![])),
            ("YXBOARD 7,7,1 8,8,2 DONE", AnalysisBoard(vec![(7, 7, 1), (8, 8, 2)])),
            ("SWAP2BOARD 1,2 3,4 5,6 done", Swap2Board(vec![(1, 2), (3, 4), (5, 6)])),
            ("YXBLOCK 1,2 DONE", Block(vec![(1, 2)])),
            ("YXBLOCKUNDO 1,2 DONE", Unblock(vec![(1, 2)])),
            ("YXBLOCKRESET", UnblockAll),
            ("YXBLOCKPATHRESET", Ignored),
            ("YXFORBID add 1 2 1", Ignored),
            ("YXNBEST 3", Best(3)),
            ("YXSEARCHDEFEND", BestOfAll),
            ("YXBALANCEONE -30", BalanceOne(-30)),
            ("YXBALANCETWO", BalanceTwo(0)),
            ("YXBALANCETWO 99999999", BalanceTwo(MAX_EVAL)),
            ("YXSHOWINFO", ShowInfo),
            ("YXSHOWFORBID", ShowForbidden),
            ("YXHASHCLEAR", ClearTable),
            ("YXSHOWHASHUSAGE", ShowTableUsage),
            ("YXSWAP2STEP3", Swap2Step(super::Swap2Step::First)),
            ("YXDRAW", Draw),
            ("YXRESIGN", Resign),
            ("YXPRINTFEATURE", Unsupported("printing features")),
            ("YXSOOSORVSTEP4", Unsupported("the Soosorv-8 opening")),
            ("YXQUERYDATABASEALL DONE", Ignored),
        ] {
            assert_eq!(one(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        for (line, error) in [
            ("START", "START needs one number or two"),
            ("START abc", "START needs one number or two, not: abc"),
            ("START 1 2 3", "START needs one number or two, not: 1 2 3"),
            ("RECTSTART 15", "RECTSTART needs width,height, not: 15"),
            ("TURN 7", "TURN needs x,y, not: 7"),
            ("TURN 7 8", "TURN needs x,y, not: 7 8"),
            ("TURN 7,8,9", "TURN needs x,y, not: 7,8,9"),
            ("TURN 7,8x", "TURN needs x,y, not: 7,8x"),
            ("TURN 7.5,8", "TURN needs x,y, not: 7.5,8"),
            ("TURN 99999999999999999999,1", "TURN needs x,y, not: 99999999999999999999,1"),
            ("TURN", "TURN needs x,y"),
            ("YXNBEST 0", "YXNBEST needs a number from 1, not: 0"),
            ("YXBALANCEONE x", "YXBALANCEONE needs a number, not: x"),
            ("BOARD 7,7 DONE", "BOARD needs lines x,y,field, not: 7,7"),
            ("SWAP2BOARD 7,7,1 DONE", "SWAP2BOARD needs lines x,y, not: 7,7,1"),
            ("hello world", "unknown command: hello world"),
            ("7,7", "unknown command: 7,7"),
            ("ENDE", "unknown command: ENDE"),
        ] {
            assert_eq!(one(line), Err(error.to_owned()));
        }
    }

    #[test]
    fn a_block_is_one_command() {
        let block: &[&[u8]] = &[b"BOARD", b"7,7,1", b"", b" 8 , 8 , 2 \r", b"0,0,3", b"DONE\r", b"BEGIN"];
        let cells = vec![(7, 7, 1), (8, 8, 2), (0, 0, 3)];
        assert_eq!(parse(block), [Ok(Command::Board(cells)), Ok(Command::Begin)]);
        // A bad line spoils the block, but the block is read to its end, and only one error comes.
        let bad: &[&[u8]] = &[b"board", b"7,7", b"x", b"START 15", b"done", b"BEGIN"];
        let error = Err("BOARD needs lines x,y,field, not: 7,7".to_owned());
        assert_eq!(parse(bad), [error, Ok(Command::Begin)]);
        // END ends the engine even there.
        assert_eq!(parse(&[b"BOARD", b"7,7,1", b"end"]), [Ok(Command::End)]);
        assert_eq!(parse(&[b"YXBOARD 1,1,1", b"2,2,2 DONE"]).len(), 1);
    }

    #[test]
    fn an_endless_block_is_not_kept() {
        let mut parser = Parser::new();
        let line = |text: &str| RawLine { bytes: text.as_bytes().to_vec(), cut: false };
        let now = Instant::now();
        assert!(parser.feed(&line("BOARD"), now).is_none());
        for _ in 0..10 * MAX_ENTRIES {
            assert!(parser.feed(&line("1,1,1"), now).is_none());
        }
        let State::Block(block) = &parser.state else { panic!("the block is over") };
        assert_eq!(block.entries.len(), MAX_ENTRIES);
        assert_eq!(parser.feed(&line("DONE"), now).unwrap().result, Err(CommandError::LongBlock("BOARD")));
    }

    #[test]
    fn file_names_and_lists_are_swallowed() {
        let lines: &[&[u8]] = &[b"YXHASHDUMP", b"BEGIN", b"YXSETDATABASE", b"", b"ABOUT"];
        let files = Ok(Command::Unsupported("hash table files"));
        assert_eq!(parse(lines), [files, Ok(Command::Ignored), Ok(Command::About)]);
        assert_eq!(parse(&[b"YXEDITTVDDATABASE 1", b"3,4", b"junk", b"DONE"]), [Ok(Command::Ignored)]);
        assert_eq!(parse(&[b"YXBLOCKPATH", b"3,4", b"DONE"]), [Ok(Command::Ignored)]);
        assert_eq!(parse(&[b"YXDBTOTXT", b"END"]), [Ok(Command::End)]);
    }

    #[test]
    fn garbage_of_any_kind_gives_one_answer_at_most() {
        assert_eq!(parse(&[b"", b" \t", b"\r"]), []);
        for garbage in [&b"\xff\xfe\x00"[..], b"\0", b"BO\0ARD 1", b"TURN \xff,\xff", b"START \0", b",,,,"] {
            let all = parse(&[garbage]);
            assert!(matches!(all.as_slice(), [Err(_)]), "{garbage:?}: {all:?}");
        }
        assert_eq!(parse(&[b"INFO folder \xff\xfe"]), [Ok(Command::Info(None))]);
        let mut parser = Parser::new();
        let mut long = |start: &str| {
            let mut bytes = start.as_bytes().to_vec();
            bytes.resize(MAX_LINE, b'x');
            parser.feed(&RawLine { bytes, cut: true }, Instant::now()).map(|parsed| parsed.result)
        };
        assert_eq!(long("nonsense"), Some(Err(CommandError::LongLine)));
        assert_eq!(long("BOARD 1,1,1 "), Some(Err(CommandError::LongLine)));
        assert_eq!(long("INFO folder "), Some(Ok(Command::Info(None))));
    }

    #[test]
    fn random_bytes_never_panic() {
        // A fixed linear congruential sequence (Knuth's MMIX constants).
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let words = ["START", "BOARD", "TURN", "INFO", "DONE", "YXNBEST", ",", " ", "7", "-", "rule", "\0"];
        let mut parser = Parser::new();
        for _ in 0..20_000 {
            let mut bytes = Vec::new();
            for _ in 0..next() % 8 {
                match next() % 4 {
                    0 => bytes.push((next() % 256) as u8),
                    _ => bytes.extend(words.get(next() % words.len()).unwrap().bytes()),
                }
            }
            let line = RawLine { bytes, cut: next() % 50 == 0 };
            let _ = parser.feed(&line, Instant::now());
        }
    }
}
