//! How a command's first line is spelt: its word and the form of its parameters.

use super::command::{Command, CommandError, Swap2Step};
use super::session::Setting;
use crate::board::Coordinates;
use crate::eval::score::{MAX_EVAL, Score};

/// Characters of a line that an error keeps.
const MAX_FOUND: usize = 100;

/// What is done with the entries of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    Board,
    AnalysisBoard,
    Swap2Board,
    Block,
    Unblock,
    /// Swallowed.
    Ignored,
}

impl BlockKind {
    /// Numbers in one entry, and how to say so.
    pub fn form(self) -> Option<(usize, &'static str)> {
        match self {
            BlockKind::Board | BlockKind::AnalysisBoard => Some((3, "lines x,y,field")),
            BlockKind::Swap2Board | BlockKind::Block | BlockKind::Unblock => Some((2, "lines x,y")),
            BlockKind::Ignored => None,
        }
    }
}

/// What the first line of a command says.
pub(super) enum Words<'a> {
    /// All of it.
    Done(Result<Command, CommandError>),
    /// A block begins, perhaps with entries on the same line.
    Block(BlockKind, &'static str, &'a str),
    /// A file name follows.
    FileName(Command),
}

/// Reads the first line of a command; `None` for a blank one.
pub(super) fn first_line(line: &str) -> Option<Words<'_>> {
    let word = line.split_ascii_whitespace().next()?;
    let rest = line.get(word.len()..).unwrap_or_default().trim();
    let word = word.to_ascii_uppercase();
    Some(Words::Done(Ok(match word.as_str() {
        "START" => return Some(Words::Done(start(rest))),
        "RECTSTART" => {
            return Some(Words::Done(
                pair(rest)
                    .map(|(width, height)| Command::Start { width, height })
                    .ok_or_else(|| parameters("RECTSTART", "width,height", rest)),
            ));
        }
        "RESTART" => Command::Restart,
        "BEGIN" => Command::Begin,
        "TURN" => return Some(Words::Done(at("TURN", rest, Command::Turn))),
        "PLAY" => return Some(Words::Done(at("PLAY", rest, Command::Play))),
        "TAKEBACK" => return Some(Words::Done(at("TAKEBACK", rest, Command::TakeBack))),
        "BOARD" => return Some(Words::Block(BlockKind::Board, "BOARD", rest)),
        "YXBOARD" => return Some(Words::Block(BlockKind::AnalysisBoard, "YXBOARD", rest)),
        "SWAP2BOARD" => return Some(Words::Block(BlockKind::Swap2Board, "SWAP2BOARD", rest)),
        "INFO" => Command::Info(setting(rest)),
        "ABOUT" => Command::About,
        "STOP" | "YXSTOP" => Command::Stop,
        "END" => Command::End,
        "YXSHOWINFO" => Command::ShowInfo,
        "YXSHOWFORBID" => Command::ShowForbidden,
        "YXNBEST" => {
            let lines = number(rest).and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0);
            return Some(Words::Done(
                lines.map(Command::Best).ok_or_else(|| parameters("YXNBEST", "a number from 1", rest)),
            ));
        }
        "YXSEARCHDEFEND" => Command::BestOfAll,
        "YXBALANCEONE" => return Some(Words::Done(bias("YXBALANCEONE", rest, Command::BalanceOne))),
        "YXBALANCETWO" => return Some(Words::Done(bias("YXBALANCETWO", rest, Command::BalanceTwo))),
        "YXBLOCK" => return Some(Words::Block(BlockKind::Block, "YXBLOCK", rest)),
        "YXBLOCKUNDO" => return Some(Words::Block(BlockKind::Unblock, "YXBLOCKUNDO", rest)),
        "YXBLOCKRESET" => Command::UnblockAll,
        "YXBLOCKPATH" | "YXBLOCKPATHUNDO" => {
            return Some(Words::Block(BlockKind::Ignored, "YXBLOCKPATH", rest));
        }
        "YXBLOCKPATHRESET" | "YXFORBID" => Command::Ignored,
        "YXHASHCLEAR" => Command::ClearTable,
        "YXSHOWHASHUSAGE" => Command::ShowTableUsage,
        "YXHASHDUMP" | "YXHASHLOAD" => {
            return Some(Words::FileName(Command::Unsupported("hash table files")));
        }
        "YXSWAP2STEP1" => Command::Swap2Step(Swap2Step::Propose),
        "YXSWAP2STEP2" => Command::Swap2Step(Swap2Step::Second),
        "YXSWAP2STEP3" => Command::Swap2Step(Swap2Step::First),
        "YXSAVEDATABASE" | "YXDBCHECK" | "YXDBFIX" => Command::Unsupported("the database"),
        "YXDRAW" => Command::Draw,
        "YXRESIGN" => Command::Resign,
        "YXPRINTFEATURE" => Command::Unsupported("printing features"),
        database if is_database_block(database) => {
            return Some(Words::Block(BlockKind::Ignored, "a database command", rest));
        }
        database if is_database_file(database) => return Some(Words::FileName(Command::Ignored)),
        soosorv if soosorv.starts_with("YXSOOSORVSTEP") => Command::Unsupported("the Soosorv-8 opening"),
        _ => return Some(Words::Done(Err(CommandError::Unknown(clipped(line))))),
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
pub(super) fn numbers(token: &str) -> Option<Vec<i64>> {
    token.split(',').map(number).collect()
}

pub(super) fn pair_of(numbers: &[i64]) -> Option<Coordinates> {
    match *numbers {
        [x, y] => Some((x, y)),
        _ => None,
    }
}

/// `x,y`, with blanks around the comma if need be.
fn pair(rest: &str) -> Option<Coordinates> {
    pair_of(&numbers(&without_blanks_at_commas(rest))?)
}

pub(super) fn without_blanks_at_commas(text: &str) -> String {
    text.split(',').map(str::trim).collect::<Vec<_>>().join(",")
}

fn parameters(command: &'static str, expected: &'static str, found: &str) -> CommandError {
    CommandError::Parameters { command, expected, found: clipped(found) }
}

pub(super) fn clipped(text: &str) -> String {
    text.chars().take(MAX_FOUND).collect()
}
