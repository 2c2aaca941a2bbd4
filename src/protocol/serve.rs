//! The engine as a manager sees it: lines in, lines out, over any reader and writer.
//!
//! Three threads let the engine listen while it thinks. One reads lines and notes when they came, and one thinks. The
//! caller's own thread keeps the [`Session`], carries out commands in the order in which they came and writes every
//! reply. The engine moves to the thinking thread with each question and comes back with the answer.
//!
//! A command that changes the game ends a running search first: its move is printed, and then the command is carried
//! out. One that may take long, such as a check of the database, waits for the move. END drops a running search
//! silently, unless commands wait for it: those are answered first, each search with the best move that it has by then.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use log::{debug, error, info};
use parking_lot::Mutex;

use super::command::{Command, CommandError, Parsed, Timing};
use super::database::Database;
use super::input::{RawLine, read_line};
use super::messages::{Event, Work};
use super::parser::Parser;
use super::reply::Reply;
use super::running::{Purpose, Running};
use super::session::Session;
use super::thinking::{ExperienceFile, spawn_thinking_thread};
use crate::engine::Engine;
use crate::levels::Style;
use crate::rules::Rule;

/// How long END waits for a search to stop; the process may end with the search still running.
const END_PATIENCE: Duration = Duration::from_millis(200);
/// How long the end of the input waits for pending moves.
const INPUT_END_PATIENCE: Duration = Duration::from_millis(500);
/// How many lines and reports may wait for the main loop. Further reports are dropped, further lines wait in the
/// reader.
const QUEUE: usize = 256;

/// The settings that hold until the manager changes them. The engine was made with the same values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search threads, from 1.
    pub threads: usize,
    /// What the whole process may use, in bytes.
    pub memory: u64,
    /// How strong and how varied to play.
    pub style: Style,
    /// Where lost games are remembered.
    pub experience_file: Option<PathBuf>,
}

impl Options {
    /// Full strength, and nothing remembered.
    #[must_use]
    pub fn plain(threads: usize, memory: u64) -> Options {
        Options { threads, memory, style: Style::PLAIN, experience_file: None }
    }
}

/// Speaks the protocol until END or the end of the input. A search that runs at END may still be
/// running when this returns; the process is meant to exit then.
///
/// # Errors
/// What the writer reports, a closed pipe for example, and threads that cannot be started.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    engine: Engine,
    options: Options,
) -> io::Result<()> {
    serve_with(input, output, engine, options, Database::default())
}

/// The same with a library of positions.
///
/// # Errors
/// Those of [`serve`].
pub fn serve_with(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    engine: Engine,
    options: Options,
    database: Database,
) -> io::Result<()> {
    let (sender, events) = sync_channel(QUEUE);
    let experience_file = Arc::default();
    let jobs = spawn_thinking_thread(sender.clone(), Arc::clone(&experience_file))?;
    // Not joined: it may wait for a line for ever.
    thread::Builder::new().name("reader".to_owned()).spawn(move || read_lines(input, &sender))?;
    let server = Server {
        session: Session::new(options.threads, options.memory, options.style)
            .remembering_in(options.experience_file),
        output,
        idle: Some(engine),
        jobs,
        prepared: None,
        running: None,
        waiting: VecDeque::new(),
        after_move: Vec::new(),
        table_usage: 0,
        database,
        experience_file,
    };
    server.run(&events)
}

/// What waits to be carried out.
pub(super) enum Waiting {
    Command(Parsed),
    /// END after commands that were sent together with it, or the end of the input.
    End,
}

impl Waiting {
    /// Whether a running search must end before this can be carried out.
    pub(super) fn ends_search(&self, purpose: Purpose) -> bool {
        match self {
            Waiting::End => true,
            // The move is out, and the engine on its way back.
            Waiting::Command(_) if matches!(purpose, Purpose::Overdue { .. }) => true,
            Waiting::Command(parsed) => match parsed.timing {
                Timing::EndsSearch => true,
                Timing::EndsPondering => purpose == Purpose::Ponder,
                Timing::AtOnce | Timing::AfterMove | Timing::AfterSearch => false,
            },
        }
    }

    /// Whether this waits for the answer of a running search, without ending it.
    fn waits_for(&self, purpose: Purpose) -> bool {
        match self {
            Waiting::Command(Parsed { timing: Timing::AfterMove, .. }) => purpose.is_for_game(),
            Waiting::Command(Parsed { timing: Timing::AfterSearch, .. }) => !purpose.is_idle(),
            _ => false,
        }
    }

    /// Whether this is for the search that runs, and need not wait for the commands before it.
    fn concerns_search(&self) -> bool {
        matches!(self, Waiting::Command(Parsed { result: Ok(command), .. }) if command.concerns_search())
    }
}

/// Whether the loop goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Continue,
    Exit,
}

fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        match read_line(&mut input) {
            Ok(Some(line)) => {
                if events.send(Event::Line(line, Instant::now())).is_err() {
                    return;
                }
            }
            Ok(None) => break,
            Err(error) => {
                error!("reading a line: {error}");
                break;
            }
        }
    }
    // Nobody listens any more if this fails, and nobody needs to know.
    let _ = events.send(Event::InputEnd);
}

/// The main loop: all state, and the writer.
pub(super) struct Server<W> {
    pub session: Session,
    pub output: W,
    /// The engine while it does not think.
    pub idle: Option<Engine>,
    pub jobs: Sender<Work>,
    /// The rule that the thinking thread was last told to prepare for.
    pub prepared: Option<Rule>,
    pub running: Option<Running>,
    pub waiting: VecDeque<Waiting>,
    /// Error replies to commands that came during a search, which follow the move; and what is said at once in place of
    /// a search that could not begin.
    pub after_move: Vec<Reply>,
    /// How full the hash table is, as the engine last said, in thousandths.
    pub table_usage: u32,
    /// The library of positions, if there is one.
    pub database: Database,
    /// What is remembered of lost games; the thinking thread has it too.
    pub experience_file: Arc<Mutex<ExperienceFile>>,
}

impl<W: Write> Server<W> {
    fn run(mut self, events: &Receiver<Event>) -> io::Result<()> {
        let mut parser = Parser::new();
        let mut input_deadline: Option<Instant> = None;
        loop {
            let latest = self.running.as_ref().and_then(|running| running.latest);
            let event = match input_deadline.into_iter().chain(latest).min() {
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Line(line, arrived)) => {
                    info!("<- {}{}", String::from_utf8_lossy(&line.bytes).trim_end(), cut_mark(&line));
                    match parser.feed(&line, arrived) {
                        Some(Parsed { result: Ok(Command::End), .. }) => {
                            // A manager that sends END during a search wants the engine to exit; a script that pipes
                            // its commands in wants those answered that wait for the search.
                            if self.waiting.is_empty() {
                                self.abandon(events);
                                return Ok(());
                            }
                            input_deadline = Some(Instant::now() + INPUT_END_PATIENCE);
                            self.waiting.push_back(Waiting::End);
                        }
                        Some(parsed) => self.waiting.push_back(Waiting::Command(parsed)),
                        None => {}
                    }
                }
                Ok(Event::InputEnd) => {
                    input_deadline = Some(Instant::now() + INPUT_END_PATIENCE);
                    self.waiting.push_back(Waiting::End);
                }
                Ok(Event::Progress(report)) => self.tell(report)?,
                Ok(Event::Finished(engine, outcome)) => {
                    // Answers come one after the other, and each has its time.
                    input_deadline = input_deadline.map(|_| Instant::now() + INPUT_END_PATIENCE);
                    self.finish(engine, outcome)?;
                    self.send_refusals()?;
                }
                Err(RecvTimeoutError::Timeout) if input_deadline.is_none_or(|at| Instant::now() < at) => {
                    self.answer_overdue()?;
                }
                // The time for pending moves is up, or both threads are gone.
                Err(_) => return Ok(()),
            }
            if self.carry_out()? == Flow::Exit {
                return Ok(());
            }
        }
    }

    /// END: stops the search, says nothing more, and gives the search a moment to end.
    fn abandon(&mut self, events: &Receiver<Event>) {
        let Some(running) = self.running.take() else { return };
        drop(running);
        let deadline = Instant::now() + END_PATIENCE;
        while let Ok(event) = events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if let Event::Finished(..) = event {
                return;
            }
        }
    }

    /// Carries out waiting commands, as far as a running search allows.
    fn carry_out(&mut self) -> io::Result<Flow> {
        while let Some(mut next) = self.waiting.pop_front() {
            if let Some(running) = &self.running {
                let waits = next.waits_for(running.purpose);
                let must_end = |waiting: &Waiting| waiting.ends_search(running.purpose);
                if must_end(&next) || waits && self.waiting.iter().any(must_end) {
                    running.control.stop();
                    self.waiting.push_front(next);
                    return Ok(Flow::Continue);
                }
                if waits {
                    // All that follows waits too, in order, but what is meant for the search under way.
                    self.waiting.push_front(next);
                    let urgent = self.waiting.iter().position(Waiting::concerns_search);
                    let Some(urgent) = urgent.and_then(|n| self.waiting.remove(n)) else {
                        return Ok(Flow::Continue);
                    };
                    next = urgent;
                }
            }
            let replies = match next {
                Waiting::End => return Ok(Flow::Exit),
                Waiting::Command(Parsed { result: Ok(command), arrived, .. }) => {
                    self.execute(command, arrived).unwrap_or_else(|error| vec![Reply::Error(error.into())])
                }
                Waiting::Command(Parsed { result: Err(CommandError::Unknown(found)), .. }) => {
                    vec![Reply::Unknown(found)]
                }
                Waiting::Command(Parsed { result: Err(error), .. }) => vec![Reply::Error(error.into())],
            };
            let is_book_move = replies.iter().any(|reply| matches!(reply, Reply::Book(_)));
            for reply in replies {
                // While a move is due, a manager would take a refusal for a failure of the engine.
                let is_due = self.running.as_ref().is_some_and(|running| !running.purpose.is_idle());
                if is_due && matches!(reply, Reply::Error(_) | Reply::Unknown(_)) {
                    self.after_move.push(reply);
                } else {
                    self.send(&reply)?;
                }
            }
            if self.running.is_none() {
                self.send_refusals()?;
            }
            if is_book_move {
                self.ponder();
            }
        }
        Ok(Flow::Continue)
    }

    /// Writes a reply in one piece, line end included.
    pub(super) fn send(&mut self, reply: &Reply) -> io::Result<()> {
        let mut text = reply.to_string();
        match reply {
            Reply::Realtime(_) | Reply::Line(_) => debug!("-> {text}"),
            _ => info!("-> {text}"),
        }
        text.push('\n');
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }
}

fn cut_mark(line: &RawLine) -> &'static str {
    if line.cut { " (cut)" } else { "" }
}

#[cfg(test)]
#[path = "serve_tests.rs"]
mod tests;
