//! The engine as a manager meets it: lines in, lines out, over any reader and writer.
//!
//! Three threads, so that the engine listens while it thinks: one reads lines and notes when they came,
//! one thinks, and the caller's own keeps the [`Session`], carries commands out in the order in which
//! they came and writes every reply. The thinker travels to the thinking thread with each question and
//! comes back with the answer.
//!
//! A command that changes the game ends a running search first: its move is printed, and then the
//! command is carried out. END alone overtakes whatever waits.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use log::{debug, error, info, warn};

use super::command::{Command, CommandError, Parsed, Parser, Swap2Step};
use super::input::{RawLine, read_line};
use super::reply::{Found, Realtime, Reply};
use super::running::{Purpose, Running};
use super::thinking::{Ask, Job, Outcome, Work, spawn_thinking_thread};
use crate::board::{Point, PointSet};
use crate::opening::{Choice, Question};
use crate::rules::Rule;
use crate::search::{Answer, Control, Limits, Report, Request, Task};
use crate::session::{Detail, Session, SessionError, Setting};
use crate::thinker::Thinker;

/// How long END waits for a search to stop; the process may end with the search still running.
const END_PATIENCE: Duration = Duration::from_millis(200);
/// How long the end of the input waits for pending moves.
const INPUT_END_PATIENCE: Duration = Duration::from_millis(500);
/// No news of a search before it has run this long: quick moves stay silent.
const QUIET: Duration = Duration::from_millis(200);
/// Lines and news that may wait for the loop. News beyond are dropped, lines wait in the reader.
const QUEUE: usize = 256;
/// An overdue search that knows no move yet is asked again after this.
const OVERDUE_RETRY: Duration = Duration::from_millis(5);
/// Told to those who ask for the largest hash table: the binary logarithm of its KB, 16 GB.
const MAX_HASH_SIZE: u32 = 24;

/// What holds until the manager says otherwise. The thinker was made with the same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search threads, from 1.
    pub threads: usize,
    /// What the whole process may use, in bytes.
    pub memory: u64,
}

/// Speaks the protocol until END or the end of the input. A search that runs at END may still be
/// running when this returns; the process is meant to exit then.
///
/// # Errors
/// What the writer reports, a closed pipe for example, and threads that cannot be started.
pub fn serve<T: Thinker>(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    thinker: T,
    options: Options,
) -> io::Result<()> {
    let (sender, events) = sync_channel(QUEUE);
    let jobs = spawn_thinking_thread(sender.clone(), options)?;
    // Not joined: it may wait for a line for ever.
    thread::Builder::new().name("reader".to_owned()).spawn(move || read_lines(input, &sender))?;
    let server = Server {
        session: Session::new(options.threads, options.memory),
        output,
        idle: Some(thinker),
        jobs,
        prepared: None,
        running: None,
        waiting: VecDeque::new(),
        after_move: Vec::new(),
        table_usage: 0,
    };
    server.run(&events)
}

/// What happens to the loop.
pub(super) enum Event<T> {
    /// A line came in at this time.
    Line(RawLine, Instant),
    /// No more lines will come.
    InputEnd,
    /// News of the running search.
    Report(Report),
    /// The running search is over.
    Finished(T, Outcome),
}

/// What waits to be carried out.
enum Waiting {
    Command(Parsed),
    InputEnd,
}

/// Whether the loop goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Continue,
    Exit,
}

fn read_lines<T>(mut input: impl BufRead, events: &SyncSender<Event<T>>) {
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

/// The loop: all state, and the writer.
struct Server<W, T> {
    session: Session,
    output: W,
    /// The thinker while it does not think.
    idle: Option<T>,
    jobs: SyncSender<Work<T>>,
    /// The rule that the thinker was last told to prepare for.
    prepared: Option<Rule>,
    running: Option<Running>,
    waiting: VecDeque<Waiting>,
    /// Refusals of what came in mid-search; they follow the move.
    after_move: Vec<Reply>,
    /// As the thinker last said, in thousandths.
    table_usage: u32,
}

impl<W: Write, T: Thinker> Server<W, T> {
    fn run(mut self, events: &Receiver<Event<T>>) -> io::Result<()> {
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
                            self.abandon(events);
                            return Ok(());
                        }
                        Some(parsed) => self.waiting.push_back(Waiting::Command(parsed)),
                        None => {}
                    }
                }
                Ok(Event::InputEnd) => {
                    input_deadline = Some(Instant::now() + INPUT_END_PATIENCE);
                    self.waiting.push_back(Waiting::InputEnd);
                }
                Ok(Event::Report(report)) => self.tell(report)?,
                Ok(Event::Finished(thinker, outcome)) => {
                    self.finish(thinker, outcome)?;
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
    fn abandon(&mut self, events: &Receiver<Event<T>>) {
        let Some(running) = self.running.take() else { return };
        drop(running);
        let deadline = Instant::now() + END_PATIENCE;
        while let Ok(event) = events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if let Event::Finished(..) = event {
                return;
            }
        }
    }

    /// Carries out what waits, as far as a running search lets it.
    fn carry_out(&mut self) -> io::Result<Flow> {
        while let Some(first) = self.waiting.pop_front() {
            if let Some(running) = &self.running
                && (running.purpose.is_idle() || ends_search(&first))
            {
                running.control.stop();
                self.waiting.push_front(first);
                return Ok(Flow::Continue);
            }
            let replies = match first {
                Waiting::InputEnd => return Ok(Flow::Exit),
                Waiting::Command(Parsed { result: Ok(command), arrived }) => {
                    self.execute(command, arrived).unwrap_or_else(|error| vec![Reply::Error(error.into())])
                }
                Waiting::Command(Parsed { result: Err(CommandError::Unknown(found)), .. }) => {
                    vec![Reply::Unknown(found)]
                }
                Waiting::Command(Parsed { result: Err(error), .. }) => vec![Reply::Error(error.into())],
            };
            for reply in replies {
                // In place of a move, a manager would take a refusal for the engine's failure.
                if self.running.is_some() && matches!(reply, Reply::Error(_) | Reply::Unknown(_)) {
                    self.after_move.push(reply);
                } else {
                    self.send(&reply)?;
                }
            }
        }
        Ok(Flow::Continue)
    }

    /// Carries one command out, or begins to: what is to be said at once comes back, the answer of a
    /// search comes later.
    fn execute(&mut self, command: Command, arrived: Instant) -> Result<Vec<Reply>, SessionError> {
        if may_carry_a_complaint(&command)
            && let Some(complaint) = self.session.take_complaint()
        {
            return Err(complaint);
        }
        let silence = Vec::new();
        match command {
            Command::Start { width, height } => {
                self.session.start(width, height)?;
                self.prepare();
                Ok(vec![Reply::Ok])
            }
            Command::Restart => {
                self.session.restart()?;
                self.prepare();
                Ok(vec![Reply::Ok])
            }
            Command::TakeBack(at) => self.session.take_back(at).map(|()| vec![Reply::Ok]),
            Command::Play(at) => self.session.play(at).map(|point| vec![Reply::Moves(vec![point])]),
            Command::Begin => {
                self.session.begin()?;
                self.think(Task::Best { lines: 1 }, Purpose::MOVE, arrived).map(|()| silence)
            }
            Command::Turn(at) => {
                self.session.turn(at)?;
                self.think(Task::Best { lines: 1 }, Purpose::MOVE, arrived).map(|()| silence)
            }
            Command::Board(cells) => {
                self.session.set_board(&cells)?;
                self.think(Task::Best { lines: 1 }, Purpose::MOVE, arrived).map(|()| silence)
            }
            Command::Swap2Board(cells) => self.swap2(&cells, arrived).map(|()| silence),
            Command::Info(setting) => {
                setting.into_iter().for_each(|setting| self.apply(setting));
                Ok(silence)
            }
            Command::About => Ok(vec![Reply::About]),
            Command::Stop => {
                self.running.iter().for_each(|running| running.control.stop());
                Ok(silence)
            }
            other => self.execute_extension(other, arrived),
        }
    }

    /// The commands of Yixin's dialect.
    fn execute_extension(&mut self, command: Command, arrived: Instant) -> Result<Vec<Reply>, SessionError> {
        let silence = Vec::new();
        match command {
            Command::AnalysisBoard(cells) => self.session.set_analysis_board(&cells).map(|()| silence),
            Command::Best(lines) => self.analyse(lines, arrived).map(|()| silence),
            Command::BestOfAll => self.analyse(usize::MAX, arrived).map(|()| silence),
            Command::BalanceOne(bias) => {
                self.session.adopt_side_to_move(1)?;
                let purpose = Purpose::Play { moves: 1, ranks: 1, in_game: false };
                self.think(Task::BalanceOne { bias }, purpose, arrived).map(|()| silence)
            }
            Command::BalanceTwo(bias) => {
                self.session.adopt_side_to_move(2)?;
                let purpose = Purpose::Play { moves: 2, ranks: 1, in_game: false };
                self.think(Task::BalanceTwo { bias }, purpose, arrived).map(|()| silence)
            }
            Command::Swap2Step(step) => self.swap2_step(step, arrived).map(|()| silence),
            Command::Block(cells) => self.session.block(&cells).map(|()| silence),
            Command::Unblock(cells) => self.session.unblock(&cells).map(|()| silence),
            Command::UnblockAll => {
                self.session.unblock_all();
                Ok(silence)
            }
            Command::ClearTable => {
                if let Some(thinker) = &mut self.idle {
                    thinker.clear_table();
                    self.table_usage = thinker.table_usage();
                }
                Ok(silence)
            }
            Command::ShowInfo => {
                self.session.mark_yixin();
                let threads = thread::available_parallelism().map_or(1, usize::from);
                Ok(vec![Reply::MaxThreads(threads), Reply::MaxHashSize(MAX_HASH_SIZE)])
            }
            Command::ShowForbidden => Ok(vec![Reply::Forbidden(self.session.forbidden_points()?)]),
            Command::ShowTableUsage => Ok(vec![Reply::TableUsage(self.table_usage)]),
            Command::Draw => Ok(vec![Reply::DrawRejected]),
            Command::Resign => Ok(vec![Reply::ResignationNoted]),
            Command::Unsupported(what) => Ok(vec![Reply::Unsupported(what)]),
            // END is dealt with as it arrives, and `execute` has all others.
            _ => Ok(silence),
        }
    }

    /// INFO, which reaches a running search as far as it is about time.
    fn apply(&mut self, setting: Setting) {
        self.session.apply(setting);
        let Some(running) = &mut self.running else {
            // Before START the rule may still change.
            if self.session.stones().is_ok() {
                self.prepare();
            }
            return;
        };
        match setting {
            // "Move now".
            Setting::TurnTime(0) => running.control.stop(),
            Setting::TurnTime(_)
            | Setting::MatchTime(_)
            | Setting::TimeLeft(_)
            | Setting::TimeIncrement(_) => {
                let time = self.session.time_control();
                match running.purpose {
                    Purpose::Play { .. } => {
                        running.control.set_time(time);
                        let limits = Limits { time, ..self.session.limits() };
                        running.latest =
                            running.purpose.latest_answer(&limits, &running.stones, running.started);
                    }
                    // The opening shares its time out among searches and looks only for a stop.
                    Purpose::Opening(_) | Purpose::OpeningStep(_) => {
                        if time.limit().is_some_and(|allowed| allowed <= running.started.elapsed()) {
                            running.control.stop();
                        }
                    }
                    Purpose::Ponder | Purpose::Overdue { .. } => {}
                }
            }
            _ => {}
        }
    }

    /// Lets the thinking thread, which is idle, build what the first search will need.
    fn prepare(&mut self) {
        let rule = self.session.rule();
        if self.prepared != Some(rule) && self.jobs.try_send(Work::Prepare(rule)).is_ok() {
            self.prepared = Some(rule);
        }
    }

    fn analyse(&mut self, lines: usize, arrived: Instant) -> Result<(), SessionError> {
        self.session.adopt_side_to_move(1)?;
        let lines = lines.min(self.session.stones()?.empty_count());
        let purpose = Purpose::Play { moves: 1, ranks: lines, in_game: false };
        self.think(Task::Best { lines }, purpose, arrived)
    }

    fn swap2(&mut self, cells: &[(i64, i64)], arrived: Instant) -> Result<(), SessionError> {
        // Before START that is the error, not the number of stones.
        self.session.stones()?;
        let question = Question::with_stones(cells.len()).ok_or(SessionError::OpeningStones(cells.len()))?;
        self.session.set_opening(cells)?;
        self.think_about_opening(question, Purpose::Opening(question), arrived)
    }

    fn swap2_step(&mut self, step: Swap2Step, arrived: Instant) -> Result<(), SessionError> {
        let question = match step {
            Swap2Step::Propose => Question::Propose,
            Swap2Step::Second => Question::Second,
            Swap2Step::First => Question::First,
        };
        let count = self.session.stones()?.history().len();
        if Question::with_stones(count) != Some(question) {
            return Err(SessionError::OpeningStones(count));
        }
        self.think_about_opening(question, Purpose::OpeningStep(question), arrived)
    }

    fn think_about_opening(
        &mut self,
        question: Question,
        purpose: Purpose,
        arrived: Instant,
    ) -> Result<(), SessionError> {
        let limits = self.session.limits();
        self.start_job(Ask::Opening { question, limits, started: arrived }, purpose, arrived)
    }

    fn think(&mut self, task: Task, purpose: Purpose, arrived: Instant) -> Result<(), SessionError> {
        let request = self.session.request(task, arrived);
        self.start_job(Ask::Search(request), purpose, arrived)
    }

    fn start_job(&mut self, ask: Ask, purpose: Purpose, started: Instant) -> Result<(), SessionError> {
        let stones = self.session.stones()?.clone();
        let rule = self.session.rule();
        let latest = match &ask {
            Ask::Search(request) => purpose.latest_answer(&request.limits, &stones, started),
            Ask::Opening { .. } => None,
        };
        // Whoever starts a job has seen that none is running, so the thinker is here.
        let Some(thinker) = self.idle.take() else { return Ok(()) };
        let control = Arc::new(Control::new());
        let job = Job {
            thinker,
            threads: self.session.threads(),
            memory: self.session.memory(),
            rule,
            stones: stones.clone(),
            ask,
            control: Arc::clone(&control),
            detail: if purpose == Purpose::Ponder { Detail::default() } else { self.session.detail() },
        };
        self.running = Some(Running::new(control, purpose, latest, rule, stones, started));
        if self.jobs.send(Work::Think(Box::new(job))).is_err() {
            // The thinking thread catches panics and ends only with the loop.
            error!("the thinking thread is gone");
        }
        Ok(())
    }

    /// News of the running search, as far as the manager wants them.
    fn tell(&mut self, report: Report) -> io::Result<()> {
        let detail = self.session.detail();
        let Some(running) = &mut self.running else { return Ok(()) };
        let now = Instant::now();
        if now.saturating_duration_since(running.started) < QUIET || running.purpose.is_idle() {
            return Ok(());
        }
        let mut replies = Vec::new();
        match report {
            Report::IterationStarted { .. } if detail.realtime => {
                running.shown = PointSet::EMPTY;
                replies.push(Reply::Realtime(Realtime::Refresh));
            }
            Report::MoveStarted(point) if detail.realtime && running.moves.allows(now) => {
                running.shown.insert(point);
                replies.push(Reply::Realtime(Realtime::Searching(point)));
            }
            Report::MoveFinished { point, lost } if detail.realtime => {
                // What was shown must be cleared, throttled or not.
                if running.shown.contains(point) {
                    running.shown.remove(point);
                    replies.push(Reply::Realtime(Realtime::Done(point)));
                }
                if lost && running.moves.allows(now) {
                    replies.push(Reply::Realtime(Realtime::Lost(point)));
                }
            }
            Report::NewBest(point) if detail.realtime && running.moves.allows(now) => {
                replies.push(Reply::Realtime(Realtime::Best(point)));
            }
            Report::Line { rank, ranks, line, nodes, elapsed } if running.lines.allows(now) => {
                if detail.realtime && rank == 0 {
                    replies.push(Reply::Realtime(Realtime::Value(line.score)));
                    replies.push(Reply::Realtime(Realtime::Variation(line.points.clone())));
                }
                if detail.lines {
                    let found = Found { rank, ranks, line, nodes, elapsed };
                    running.note_told(&found);
                    replies.push(Reply::Line(Box::new(found)));
                }
            }
            _ => {}
        }
        replies.iter().try_for_each(|reply| self.send(reply))
    }

    /// The search is over: its result is printed and becomes part of the game.
    fn finish(&mut self, thinker: T, outcome: Outcome) -> io::Result<()> {
        self.table_usage = thinker.table_usage();
        self.idle = Some(thinker);
        let Some(running) = self.running.take() else { return Ok(()) };
        match (running.purpose, outcome) {
            (Purpose::Ponder | Purpose::Overdue { in_game: false }, _) => Ok(()),
            (Purpose::Overdue { in_game: true }, _) => {
                self.ponder();
                Ok(())
            }
            (Purpose::Play { moves, ranks, in_game }, Outcome::Answer(answer)) => {
                if let Some(answer) = &answer {
                    self.sum_up(&running, answer, ranks)?;
                }
                let points = running.legal_moves(answer.as_ref().map_or(&[], |answer| &answer.moves), moves);
                self.session.spent(running.started.elapsed());
                self.session.answered(&points);
                self.send(&Reply::Moves(points))?;
                if in_game {
                    self.ponder();
                }
                Ok(())
            }
            (Purpose::Opening(question), Outcome::Choice(choice)) => {
                let choice = choice.unwrap_or_else(|| running.makeshift_choice(question));
                self.session.spent(running.started.elapsed());
                self.session.set_own(choice.own_color());
                match choice {
                    Choice::Swap => self.send(&Reply::Swap),
                    Choice::Place(points) => {
                        self.session.answered(&points);
                        self.send(&Reply::Moves(points))
                    }
                }
            }
            (Purpose::OpeningStep(question), Outcome::Choice(choice)) => {
                let choice = choice.unwrap_or_else(|| running.makeshift_choice(question));
                step_replies(question, &choice).iter().try_for_each(|reply| self.send(reply))
            }
            // A job's question decides its outcome: the two cannot differ.
            (Purpose::Play { .. }, Outcome::Choice(_))
            | (Purpose::Opening(_) | Purpose::OpeningStep(_), Outcome::Answer(_)) => Ok(()),
        }
    }

    /// The search should have come back by now: its thread gets no processor, or waits for memory. What it
    /// has found so far is printed and becomes part of the game.
    fn answer_overdue(&mut self) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        running.latest = None;
        let Purpose::Play { in_game, .. } = running.purpose else { return Ok(()) };
        let Some(best) = running.control.best() else {
            running.latest = Some(Instant::now() + OVERDUE_RETRY);
            return Ok(());
        };
        running.control.stop();
        running.purpose = Purpose::Overdue { in_game };
        let elapsed = running.started.elapsed();
        warn!("the search is not back after {elapsed:?}; its best move so far is played");
        let points = running.legal_moves(&[best], 1);
        self.session.spent(elapsed);
        self.session.answered(&points);
        self.send(&Reply::Moves(points))?;
        self.send_refusals()
    }

    /// What could not be said while a move was awaited.
    fn send_refusals(&mut self) -> io::Result<()> {
        let refusals = std::mem::take(&mut self.after_move);
        refusals.iter().try_for_each(|reply| self.send(reply))
    }

    /// What a search found, once, before the move: one message a line for people, or the lines that a
    /// display was not told yet.
    fn sum_up(&mut self, running: &Running, answer: &Answer, ranks: usize) -> io::Result<()> {
        let detail = self.session.detail();
        let elapsed = running.started.elapsed();
        for (rank, line) in answer.lines.iter().enumerate().filter(|(_, line)| line.depth > 0) {
            let found = Found { rank, ranks, line: line.clone(), nodes: answer.nodes, elapsed };
            if !detail.lines {
                self.send(&Reply::Summary(Box::new(found)))?;
            } else if elapsed >= QUIET && !running.was_told(&found) {
                self.send(&Reply::Line(Box::new(found)))?;
            }
        }
        Ok(())
    }

    /// Fills the table in the opponent's time, if that is wanted and nothing else waits.
    fn ponder(&mut self) {
        if !self.session.pondering() || !self.waiting.is_empty() {
            return;
        }
        if self.session.stones().is_ok_and(|stones| !stones.is_full()) {
            let request = Request::best(Limits::default());
            let started = request.started;
            // There is a board, so nothing can fail.
            let _ = self.start_job(Ask::Search(request), Purpose::Ponder, started);
        }
    }

    /// Writes a reply in one piece, line end included.
    fn send(&mut self, reply: &Reply) -> io::Result<()> {
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

/// Whether a running search must end before this can be carried out. INFO, questions about other things
/// and what takes effect only at the next search do not need that.
fn ends_search(waiting: &Waiting) -> bool {
    match waiting {
        Waiting::InputEnd => true,
        Waiting::Command(Parsed { result: Ok(command), .. }) => !matches!(
            command,
            Command::Info(_)
                | Command::About
                | Command::Stop
                | Command::ShowInfo
                | Command::ShowForbidden
                | Command::ShowTableUsage
                | Command::Block(_)
                | Command::Unblock(_)
                | Command::UnblockAll
                | Command::Draw
                | Command::Resign
                | Command::Unsupported(_)
                | Command::Ignored
        ),
        Waiting::Command(Parsed {
            result: Err(CommandError::Unknown(_) | CommandError::LongLine), ..
        }) => false,
        Waiting::Command(Parsed { result: Err(_), .. }) => true,
    }
}

/// Whether a limit that cannot be met may be complained of in place of carrying the command out: where
/// a reply is due anyway.
fn may_carry_a_complaint(command: &Command) -> bool {
    matches!(
        command,
        Command::Start { .. }
            | Command::Restart
            | Command::Begin
            | Command::Turn(_)
            | Command::Board(_)
            | Command::Swap2Board(_)
            | Command::Best(_)
            | Command::BestOfAll
            | Command::BalanceOne(_)
            | Command::BalanceTwo(_)
    )
}

/// The answer to a step of Yixin-Board's swap2.
fn step_replies(question: Question, choice: &Choice) -> Vec<Reply> {
    let moves = |points: &[Point], first: usize| {
        points.iter().enumerate().map(|(n, &point)| Reply::Swap2Move(first + n, point)).collect()
    };
    match (question, choice) {
        (Question::Propose, Choice::Place(points)) => moves(points, 1),
        (Question::Second, Choice::Place(points)) if points.len() == 2 => moves(points, 4),
        (Question::First, choice) => {
            vec![Reply::Swap2Answer { question: 2, swap: *choice == Choice::Swap }]
        }
        (_, choice) => vec![Reply::Swap2Answer { question: 1, swap: *choice == Choice::Swap }],
    }
}

fn cut_mark(line: &RawLine) -> &'static str {
    if line.cut { " (cut)" } else { "" }
}

#[cfg(test)]
mod tests;
