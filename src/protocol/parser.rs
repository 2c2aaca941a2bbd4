//! Parses lines into commands. It is total: any input gives a [`Command`], a [`CommandError`] or silence.
//!
//! It knows which commands extend over several lines, not whether they make sense on the board; the spelling of a
//! single line is in `words`.

use std::time::Instant;

use super::command::{Command, CommandError, Parsed};
use super::database_command::{DatabaseAsk, unquote};
use super::input::RawLine;
use super::words::{BlockKind, Words, clipped, first_line, numbers, pair_of, without_blanks_at_commas};

/// Entries kept of a block. No board has as many cells, so a longer block is an error anyway.
const MAX_ENTRIES: usize = 1024;
/// Bytes of a text over several lines, beyond which the rest is dropped.
const MAX_TEXT: usize = 1 << 20;

/// Assembles commands from lines.
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

#[derive(Debug)]
struct Block {
    kind: BlockKind,
    name: &'static str,
    entries: Vec<Vec<i64>>,
    error: Option<CommandError>,
    begun: Instant,
}

impl Block {
    /// Whether a quotation is open, so that the next line is text whatever it says.
    fn is_quoting(&self) -> bool {
        matches!(self.kind, BlockKind::DatabaseText(Some(_)))
    }

    /// Adds a line; true if it ended the block.
    fn feed(&mut self, line: &str) -> bool {
        let mut line = line;
        if let BlockKind::DatabaseText(text) = &mut self.kind {
            let (more, rest) = unquote(line);
            match text {
                None => *text = Some(more),
                Some(text) if text.len() <= MAX_TEXT => {
                    text.push('\n');
                    text.push_str(&more);
                }
                Some(_) => {}
            }
            let Some(rest) = rest else { return false };
            self.kind = BlockKind::Database(DatabaseAsk::EditText(text.take().unwrap_or_default()));
            line = rest;
        }
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
            BlockKind::BlockLine => Command::BlockLine(pairs()),
            BlockKind::UnblockLine => Command::UnblockLine(pairs()),
            BlockKind::Soosorv(step) => Command::SoosorvStep(step, pairs()),
            BlockKind::Database(ask) => Command::Database(ask, pairs()),
            BlockKind::Unsupported(what) => Command::Unsupported(what),
            BlockKind::DatabaseText(_) | BlockKind::Ignored => Command::Ignored,
        };
        // A block with a mistake interrupts a search no more than one without.
        let timing = command.timing();
        Parsed { result: self.error.map_or(Ok(command), Err), arrived: self.begun, timing }
    }
}

impl Parser {
    /// A parser that waits for a command.
    #[must_use]
    pub fn new() -> Parser {
        Parser::default()
    }

    /// Begins a block with what follows its first word.
    fn begin(
        &mut self,
        kind: BlockKind,
        name: &'static str,
        error: Option<CommandError>,
        rest: &str,
        begun: Instant,
    ) -> Option<Parsed> {
        let mut block = Block { kind, name, entries: Vec::new(), error, begun };
        if block.feed(rest) {
            return Some(block.finish());
        }
        self.state = State::Block(block);
        None
    }

    /// Takes a line that arrived at the given time; `None` if it completes no command.
    pub fn feed(&mut self, line: &RawLine, arrived: Instant) -> Option<Parsed> {
        let text = String::from_utf8_lossy(&line.bytes);
        let is_quoted = matches!(&self.state, State::Block(block) if block.is_quoting());
        let text = match is_quoted {
            // A comment keeps its indentation.
            true => text.trim_end_matches('\r'),
            false => text.trim_start_matches('\u{feff}').trim(),
        };
        let parsed = |result| Some(Parsed::of_line(result, arrived));
        let ends_engine = !line.cut && !is_quoted && text.eq_ignore_ascii_case("END");
        match std::mem::take(&mut self.state) {
            State::Block(_) | State::FileName(..) if ends_engine => parsed(Ok(Command::End)),
            State::FileName(Command::SetDatabase(_), arrived) if !line.cut => {
                Some(Parsed::of_line(Ok(Command::SetDatabase(text.to_owned())), arrived))
            }
            State::FileName(Command::ImportLibrary(_), arrived) if !line.cut => {
                Some(Parsed::of_line(Ok(Command::ImportLibrary(text.to_owned())), arrived))
            }
            State::FileName(command, arrived) => Some(Parsed::of_line(Ok(command), arrived)),
            State::Block(mut block) => {
                if line.cut {
                    block.error.get_or_insert(CommandError::LongLine);
                    // The end of a text may be in what was cut off. Then nothing but DONE ends the block.
                    if matches!(block.kind, BlockKind::DatabaseText(_)) {
                        block.kind = BlockKind::Ignored;
                    }
                } else if block.feed(text) {
                    return Some(block.finish());
                }
                self.state = State::Block(block);
                None
            }
            State::Command => match first_line(text) {
                None => None,
                // A path or a comment of any length stays as unanswered as a short one.
                Some(Words::Done(Ok(Command::Info(_)))) if line.cut => parsed(Ok(Command::Info(None))),
                Some(_) if line.cut => parsed(Err(CommandError::LongLine)),
                Some(Words::Done(result)) => parsed(result),
                Some(Words::FileName(command)) => {
                    self.state = State::FileName(command, arrived);
                    None
                }
                Some(Words::Block(kind, name, rest)) => self.begin(kind, name, None, rest, arrived),
                Some(Words::BadBlock(error, name, rest)) => {
                    self.begin(BlockKind::Ignored, name, Some(error), rest, arrived)
                }
            },
        }
    }
}

#[cfg(test)]
#[path = "parser_tests.rs"]
mod tests;
