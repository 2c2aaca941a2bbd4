//! How a command's first line is spelt: its word and the form of its parameters.

use std::path::PathBuf;

use log::{debug, info, warn};

use super::command::{Command, CommandError, SoosorvStep, Swap2Step};
use super::database_command::{self, DatabaseAsk, DatabaseWords};
use super::session::Setting;
use crate::board::Coordinates;
use crate::eval::score::{MAX_EVAL, Score};

/// The longest name of a folder, in bytes.
const LONGEST_PATH: usize = 4096;
/// The largest number of characters of a line that an error keeps.
const MAX_FOUND: usize = 100;
/// Settings of managers and graphical interfaces that mean nothing to this engine.
const WITHOUT_EFFECT: [&str; 5] = ["game_type", "evaluate", "checkmate", "vcthread", "nbestsym"];

/// What is done with the entries of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    Board,
    AnalysisBoard,
    Swap2Board,
    Block,
    Unblock,
    BlockLine,
    UnblockLine,
    Soosorv(SoosorvStep),
    Database(DatabaseAsk),
    /// A quoted text that is not complete yet, `None` before its first line; the moves follow it.
    DatabaseText(Option<String>),
    /// Read and ignored, and answered by a note.
    Unsupported(&'static str),
    /// Read and ignored.
    Ignored,
}

impl BlockKind {
    /// How many numbers an entry has, and the form as errors describe it.
    pub fn form(&self) -> Option<(usize, &'static str)> {
        match self {
            BlockKind::Board | BlockKind::AnalysisBoard => Some((3, "lines x,y,field")),
            BlockKind::Swap2Board
            | BlockKind::Block
            | BlockKind::Unblock
            | BlockKind::BlockLine
            | BlockKind::UnblockLine
            | BlockKind::Soosorv(_)
            | BlockKind::Database(_)
            | BlockKind::DatabaseText(_) => Some((2, "lines x,y")),
            BlockKind::Unsupported(_) | BlockKind::Ignored => None,
        }
    }
}

/// What the first line of a command says.
pub(super) enum Words<'a> {
    /// A whole command, or an error.
    Done(Result<Command, CommandError>),
    /// A block begins, perhaps with entries on the same line.
    Block(BlockKind, &'static str, &'a str),
    /// Likewise, but there is a mistake before it, which is reported when the block has been read.
    BadBlock(CommandError, &'static str, &'a str),
    /// A file name follows.
    FileName(Command),
}

/// Reads the first line of a command; `None` for a blank one.
pub(super) fn first_line(line: &str) -> Option<Words<'_>> {
    let word = line.split_ascii_whitespace().next()?;
    let rest = line.get(word.len()..).unwrap_or_default().trim();
    let word = word.to_ascii_uppercase();
    Some(match word.as_str() {
        "START" => Words::Done(start(rest)),
        "RECTSTART" => Words::Done(start_rectangle(rest)),
        "RESTART" => whole(Command::Restart),
        "BEGIN" => whole(Command::Begin),
        "TURN" => Words::Done(at("TURN", rest, Command::Turn)),
        "PLAY" => Words::Done(at("PLAY", rest, Command::Play)),
        "TAKEBACK" => Words::Done(at("TAKEBACK", rest, Command::TakeBack)),
        "BOARD" => Words::Block(BlockKind::Board, "BOARD", rest),
        "YXBOARD" => Words::Block(BlockKind::AnalysisBoard, "YXBOARD", rest),
        "SWAP2BOARD" => Words::Block(BlockKind::Swap2Board, "SWAP2BOARD", rest),
        "INFO" => whole(Command::Info(setting(rest))),
        "ABOUT" => whole(Command::About),
        "STOP" | "YXSTOP" => whole(Command::Stop),
        "END" => whole(Command::End),
        "YXSHOWINFO" => whole(Command::ShowInfo),
        "YXSHOWFORBID" => whole(Command::ShowForbidden),
        "YXNBEST" => Words::Done(best(rest)),
        "YXSEARCHDEFEND" => whole(Command::BestOfAll),
        "YXBALANCEONE" => Words::Done(bias("YXBALANCEONE", rest, Command::BalanceOne)),
        "YXBALANCETWO" => Words::Done(bias("YXBALANCETWO", rest, Command::BalanceTwo)),
        "YXBLOCK" => Words::Block(BlockKind::Block, "YXBLOCK", rest),
        "YXBLOCKUNDO" => Words::Block(BlockKind::Unblock, "YXBLOCKUNDO", rest),
        "YXBLOCKRESET" => whole(Command::UnblockAll),
        "YXBLOCKPATH" => Words::Block(BlockKind::BlockLine, "YXBLOCKPATH", rest),
        "YXBLOCKPATHUNDO" => Words::Block(BlockKind::UnblockLine, "YXBLOCKPATHUNDO", rest),
        "YXBLOCKPATHRESET" => whole(Command::UnblockAllLines),
        "YXFORBID" => whole(Command::Ignored),
        "YXHASHCLEAR" => whole(Command::ClearTable),
        "YXSHOWHASHUSAGE" => whole(Command::ShowTableUsage),
        "YXHASHDUMP" | "YXHASHLOAD" => Words::FileName(Command::Unsupported("hash table files")),
        "YXSWAP2STEP1" => whole(Command::Swap2Step(Swap2Step::Propose)),
        "YXSWAP2STEP2" => whole(Command::Swap2Step(Swap2Step::Second)),
        "YXSWAP2STEP3" => whole(Command::Swap2Step(Swap2Step::First)),
        "YXSAVEDATABASE" => whole(Command::SaveDatabase),
        "YXDBCHECK" => whole(Command::CheckDatabase),
        "YXDBFIX" => whole(Command::Unsupported("mending a database")),
        "YXDRAW" => whole(Command::Draw),
        "YXRESIGN" => whole(Command::Resign),
        "YXPRINTFEATURE" => whole(Command::Assess),
        "YXSOOSORVSTEP1" => whole(Command::SoosorvStep(SoosorvStep::Propose, Vec::new())),
        "YXSOOSORVSTEP2" => soosorv("YXSOOSORVSTEP2", SoosorvStep::SwapAfterThree, rest),
        "YXSOOSORVSTEP3" => soosorv("YXSOOSORVSTEP3", SoosorvStep::Fourth, rest),
        "YXSOOSORVSTEP4" => soosorv_with_fifths("YXSOOSORVSTEP4", SoosorvStep::SwapAfterFour, rest),
        "YXSOOSORVSTEP5" => soosorv_with_fifths("YXSOOSORVSTEP5", SoosorvStep::Offer, rest),
        "YXSOOSORVSTEP6" => soosorv("YXSOOSORVSTEP6", SoosorvStep::Take, rest),
        database if is_database_block(database) => database_block(database, rest),
        "YXSETDATABASE" => Words::FileName(Command::SetDatabase(String::new())),
        "YXLIBTODB" => Words::FileName(Command::ImportLibrary(String::new())),
        database if is_database_file(database) => Words::FileName(Command::Ignored),
        _ => Words::Done(Err(CommandError::Unknown(clipped(line)))),
    })
}

/// A command without parameters, or with parameters that cannot be wrong.
fn whole(command: Command) -> Words<'static> {
    Words::Done(Ok(command))
}

/// Whether this is a database command that a list of coordinates up to DONE follows.
fn is_database_block(word: &str) -> bool {
    let edit = word.strip_prefix("YXEDIT").is_some_and(|rest| rest.contains("DATABASE"));
    edit || ["YXQUERYDATABASE", "YXDELETEDATABASE", "YXSETBESTMOVE", "YXCLEARBESTMOVE"]
        .iter()
        .any(|start| word.starts_with(start))
}

/// A database command that is understood, or one whose block is read and ignored.
fn database_block<'a>(word: &str, rest: &'a str) -> Words<'a> {
    const NAME: &str = "a database command";
    match database_command::first_line(word, rest) {
        Some(DatabaseWords::Moves(ask, rest)) => Words::Block(BlockKind::Database(ask), NAME, rest),
        Some(DatabaseWords::OpenText(rest)) => Words::Block(BlockKind::DatabaseText(None), NAME, rest),
        Some(DatabaseWords::Unknown(what)) => Words::Block(BlockKind::Unsupported(what), NAME, rest),
        Some(DatabaseWords::Bad(expected)) => Words::BadBlock(parameters(NAME, expected, rest), NAME, rest),
        None => Words::Block(BlockKind::Ignored, NAME, rest),
    }
}

/// Whether this is a database command whose next line is a file name.
fn is_database_file(word: &str) -> bool {
    word.starts_with("YXDBTO") || ["YXTXTTODB", "YXDBMERGE", "YXDBSPLIT"].contains(&word)
}

fn soosorv<'a>(command: &'static str, step: SoosorvStep, rest: &'a str) -> Words<'a> {
    Words::Block(BlockKind::Soosorv(step), command, rest)
}

/// A step that begins with the number of fifth moves.
fn soosorv_with_fifths<'a>(
    command: &'static str,
    step: impl FnOnce(i64) -> SoosorvStep,
    rest: &'a str,
) -> Words<'a> {
    let (first, others) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
    match number(first) {
        Some(fifths) => soosorv(command, step(fifths), others),
        // The stones follow all the same.
        None => Words::BadBlock(parameters(command, "a number of fifth moves", first), command, rest),
    }
}

fn start(rest: &str) -> Result<Command, CommandError> {
    let error = || parameters("START", "one number or two", rest);
    let sides: Option<Vec<i64>> = rest.split_ascii_whitespace().map(number).collect();
    match *sides.ok_or_else(error)? {
        [side] => Ok(Command::Start { width: side, height: side }),
        [width, height] => Ok(Command::StartSides { width, height }),
        _ => Err(error()),
    }
}

fn start_rectangle(rest: &str) -> Result<Command, CommandError> {
    let start = pair(rest).map(|(width, height)| Command::Start { width, height });
    start.ok_or_else(|| parameters("RECTSTART", "width,height", rest))
}

fn best(rest: &str) -> Result<Command, CommandError> {
    let lines = number(rest).and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0);
    lines.map(Command::Best).ok_or_else(|| parameters("YXNBEST", "a number from 1", rest))
}

fn at(
    command: &'static str,
    rest: &str,
    make: impl FnOnce(Coordinates) -> Command,
) -> Result<Command, CommandError> {
    pair(rest).map(make).ok_or_else(|| parameters(command, "x,y", rest))
}

/// A bias in points; without one, an even game is meant.
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

/// Why a setting has no effect.
enum Ignored {
    /// Its key means nothing here.
    Key,
    /// Its value is not what the key needs, which is this.
    Value(&'static str),
}

/// The setting that `INFO key value` names, if any. As INFO is never answered, only the log says why there is none.
fn setting(rest: &str) -> Option<Setting> {
    let (key, value) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
    let (key, value) = (key.to_ascii_lowercase(), value.trim());
    let ignored = match setting_of(&key, value) {
        Ok(setting) => return Some(setting),
        Err(ignored) => ignored,
    };
    let (key, value) = (clipped(&key), clipped(value));
    match ignored {
        // These come in every game, and it is documented that they are ignored.
        Ignored::Key if WITHOUT_EFFECT.contains(&key.as_str()) => debug!("ignored: INFO {key}"),
        Ignored::Key => info!("ignored: there is no setting `{key}`"),
        Ignored::Value(expected) => warn!("ignored: INFO {key} needs {expected}, not `{value}`"),
    }
    None
}

fn setting_of(key: &str, value: &str) -> Result<Setting, Ignored> {
    let whole = || number(value).ok_or(Ignored::Value("a whole number"));
    let switch = || match number(value) {
        Some(on @ (0 | 1)) => Ok(on == 1),
        _ => Err(Ignored::Value("0 or 1")),
    };
    Ok(match key {
        "folder" => {
            Setting::Folder(folder(value).ok_or(Ignored::Value("a folder whose name is valid text"))?)
        }
        "timeout_turn" => Setting::TurnTime(whole()?),
        "timeout_match" => Setting::MatchTime(whole()?),
        "time_left" => Setting::TimeLeft(whole()?),
        "time_increment" => Setting::TimeIncrement(whole()?),
        "max_memory" => Setting::MaxMemory(whole()?),
        "hash_size" => Setting::HashSize(whole()?),
        "rule" => Setting::Rule(whole()?),
        "max_node" => Setting::MaxNodes(whole()?),
        "max_depth" => Setting::MaxDepth(whole()?),
        "thread_num" => Setting::Threads(whole()?),
        "show_detail" => Setting::ShowDetail(whole()?),
        "pondering" => Setting::Pondering(switch()?),
        "caution_factor" => Setting::CautionFactor(whole()?),
        "strength" => Setting::Strength(whole()?),
        "level" => Setting::Level(whole()?),
        "variety" => Setting::Variety(whole()?),
        "seed" => Setting::Seed(whole()?),
        "learn" => Setting::Learn(switch()?),
        "usedatabase" => Setting::UseDatabase(switch()?),
        "own_book" => Setting::OwnBook(switch()?),
        "database_readonly" => Setting::DatabaseReadOnly(switch()?),
        _ => return Err(Ignored::Key),
    })
}

/// A folder; `None` if its name was not valid text, since its bytes are lost then, or if it is too long for
/// any system.
fn folder(text: &str) -> Option<PathBuf> {
    let is_whole = text.len() <= LONGEST_PATH && !text.contains(char::REPLACEMENT_CHARACTER);
    (is_whole && !text.is_empty()).then(|| PathBuf::from(text))
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
