//! A player that is a child process: the manager's side of the Gomocup protocol.

use std::fmt::{self, Write as _};
use std::io;
use std::time::{Duration, Instant};

use super::messages;
use super::player::{Fault, NoMove, OpeningReply, Player, Thinking, whole_milliseconds};
use super::process::{EngineProcess, MatchContext, NoLine, OutputLine};
use super::spec::EngineSpec;
use super::stop::Stop;
use crate::board::{Color, Coordinates, Point, Size, Stones};
use crate::rules::Rule;
use crate::search::TimeControl;

/// How long to wait for `OK`.
const START_LIMIT: Duration = Duration::from_secs(5);
/// How long to wait for the answer to `ABOUT`.
const ABOUT_LIMIT: Duration = Duration::from_secs(2);
/// How long to wait for a move beyond limit and margin, to tell late engines from hanging ones.
const GRACE: Duration = Duration::from_secs(1);
/// This many lines without a move are spam.
const SPAM_LINES: u64 = 2000;
/// No engine needs this many lines for a move, so waiting ends here.
const ENDLESS_LINES: u64 = 1_000_000;
/// Messages kept for one move, and characters of each.
const KEPT_MESSAGES: usize = 100;
const KEPT_CHARACTERS: usize = 1000;
/// The value of `time_left` without a time limit for the game, as Piskvork sends it.
const UNLIMITED_MS: u64 = i32::MAX as u64;

/// An engine in its own process, which is started when it is first needed, and again after a fault.
pub struct External {
    spec: EngineSpec,
    context: MatchContext,
    process: Option<EngineProcess>,
    /// Whether this process has answered `START` with `OK` before. One that ends earlier was never started.
    was_ready: bool,
    /// The stones that the engine has on its board.
    known: Vec<(Point, Color)>,
}

impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("External");
        fields.field("spec", &self.spec).field("is_running", &self.process.is_some()).finish_non_exhaustive()
    }
}

impl External {
    /// A player for an engine with a command.
    #[must_use]
    pub fn new(spec: EngineSpec, context: MatchContext) -> External {
        External { spec, context, process: None, was_ready: false, known: Vec::new() }
    }

    /// The engine's answer to `ABOUT`, if it gives one in time.
    ///
    /// # Errors
    /// The program cannot be started or ends at once.
    pub fn about(&mut self, stop: &Stop) -> Result<Option<String>, NoMove> {
        self.send("ABOUT\n")?;
        let deadline = Instant::now() + ABOUT_LIMIT;
        loop {
            match self.receive(deadline, stop) {
                Ok(line) if message(&line.text).is_none() => return Ok(Some(line.text)),
                Ok(_) => {}
                Err(NoLine::Timeout) => return Ok(None),
                Err(other) => return Err(self.gone(other)),
            }
        }
    }

    fn process(&mut self) -> Result<&mut EngineProcess, Fault> {
        if self.process.is_none() {
            let launched = EngineProcess::launch(&self.spec, self.context.clone());
            self.process = Some(launched.map_err(|error| Fault::Launch { error: error.to_string() })?);
            self.was_ready = false;
        }
        Ok(self.process.as_mut().expect("just launched"))
    }

    fn send(&mut self, text: &str) -> Result<(), NoMove> {
        let process = self.process()?;
        process.drain();
        match process.send(text) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                Err(Fault::Hang { waited_ms: 0 }.into())
            }
            Err(_) => Err(self.gone(NoLine::Closed)),
        }
    }

    fn receive(&mut self, deadline: Instant, stop: &Stop) -> Result<OutputLine, NoLine> {
        self.process.as_mut().ok_or(NoLine::Closed)?.receive(deadline, stop)
    }

    /// Turns the reason why no line came, other than a timeout, into a [`NoMove`].
    fn gone(&mut self, no_line: NoLine) -> NoMove {
        if no_line == NoLine::Stopped {
            return NoMove::Stopped;
        }
        let Some(process) = &mut self.process else {
            return NoMove::Fault(Fault::Crash { status: "not running".to_owned(), stderr: Vec::new() });
        };
        let status = process.status();
        NoMove::Fault(Fault::Crash { status, stderr: process.last_words() })
    }

    /// Sends `START` and waits for `OK`.
    fn begin(&mut self, size: Size, stop: &Stop) -> Result<(), NoMove> {
        self.known.clear();
        let (width, height) = (size.width(), size.height());
        if width == height {
            self.send(&format!("START {width}\n"))?;
        } else {
            self.send(&format!("RECTSTART {width},{height}\n"))?;
        }
        let limit = START_LIMIT.min(Duration::from_millis(self.spec.hang_ms));
        let deadline = Instant::now() + limit;
        let mut got = None;
        let mut lines = 0;
        loop {
            match self.receive(deadline, stop) {
                Ok(line) if line.text == "OK" => return Ok(()),
                Ok(line) if starts_with_word(&line.text, "ERROR") => {
                    return Err(NoMove::Fault(Fault::Refused { text: shortened(&line.text) }));
                }
                Ok(line) if message(&line.text).is_some() => lines += 1,
                Ok(line) => {
                    lines += 1;
                    got = Some(shortened(&line.text));
                }
                Err(NoLine::Timeout) if lines >= SPAM_LINES => return Err(Fault::Spam { lines }.into()),
                Err(NoLine::Timeout) => return Err(Fault::NoOk { got }.into()),
                Err(other) => return Err(self.gone(other)),
            }
        }
    }

    /// `INFO` lines that hold for the whole game.
    fn settings(&self, rule: Rule) -> String {
        let spec = &self.spec;
        let mut text = String::new();
        let mut info = |key: &str, value: u64| {
            let _ = writeln!(text, "INFO {key} {value}");
        };
        info("rule", rule.gomocup_number().into());
        if let Some(turn) = spec.turn_ms {
            info("timeout_turn", turn);
        }
        info("timeout_match", spec.match_ms.unwrap_or(0));
        if spec.increment_ms > 0 {
            info("time_increment", spec.increment_ms);
        }
        info("max_memory", spec.memory_sent());
        if let Some(nodes) = spec.nodes {
            info("max_node", nodes);
        }
        if let Some(depth) = spec.depth {
            info("max_depth", depth.into());
        }
        info("thread_num", spec.threads as u64);
        for (key, value) in &spec.info {
            let _ = writeln!(text, "INFO {key} {value}");
        }
        for line in &spec.raw {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// Sends a command that asks for a reply and reads until `parse` finds one.
    fn ask<T>(
        &mut self,
        command: &str,
        time: TimeControl,
        stop: &Stop,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<(T, Thinking), NoMove> {
        let left = time.left.map_or(UNLIMITED_MS, |left| left.as_millis().min(UNLIMITED_MS.into()) as u64);
        let limit = [time.turn, time.left].into_iter().flatten().min();
        let patience = match limit {
            Some(limit) => limit + self.spec.margin() + GRACE,
            None => Duration::from_millis(self.spec.hang_ms),
        };
        let started = Instant::now();
        self.send(&format!("INFO time_left {left}\n{command}"))?;
        let mut thinking = Thinking::default();
        let mut nonsense = None;
        let mut lines = 0;
        let reply = loop {
            let line = match self.receive(started + patience, stop) {
                Ok(line) if lines < ENDLESS_LINES => line,
                Ok(_) | Err(NoLine::Timeout) => {
                    return Err(NoMove::Fault(match nonsense {
                        _ if lines >= SPAM_LINES => Fault::Spam { lines },
                        Some(line) => Fault::Nonsense { line },
                        None => Fault::Hang { waited_ms: whole_milliseconds(started.elapsed()) },
                    }));
                }
                Err(other) => return Err(self.gone(other)),
            };
            lines += 1;
            if let Some(text) = message(&line.text) {
                messages::note(text, &mut thinking);
                if self.context.keep_messages && thinking.messages.len() < KEPT_MESSAGES {
                    thinking.messages.push(text.chars().take(KEPT_CHARACTERS).collect());
                }
            } else if let Some(reply) = parse(&line.text) {
                thinking.elapsed = line.at.saturating_duration_since(started);
                break reply;
            } else if starts_with_word(&line.text, "ERROR") {
                return Err(NoMove::Fault(Fault::Error { text: shortened(&line.text) }));
            } else {
                // Many engines print more than they should, so unknown lines are a fault only if no move comes.
                nonsense = Some(shortened(&line.text));
            }
        };
        // A reply that was printed before the engine could read the command is not an answer to it.
        let process = self.process.as_ref().ok_or(NoMove::Stopped)?;
        match process.take_in(started + patience, stop) {
            Ok(()) => {}
            Err(NoLine::Stopped) => return Err(NoMove::Stopped),
            Err(_) => return Err(Fault::Hang { waited_ms: whole_milliseconds(started.elapsed()) }.into()),
        }
        self.check_memory()?;
        Ok((reply, thinking))
    }

    fn check_memory(&self) -> Result<(), Fault> {
        let peak = self.process.as_ref().and_then(EngineProcess::peak_memory);
        match (peak, self.spec.memory) {
            (Some(peak), Some(limit)) if peak > limit => Err(Fault::Memory { peak, limit }),
            _ => Ok(()),
        }
    }

    /// The command that makes the engine's board equal to these stones and asks for a move.
    fn move_command(&self, stones: &Stones) -> String {
        let history = stones.history();
        if history.is_empty() && !self.spec.send_board {
            return "BEGIN\n".to_owned();
        }
        if let Some((&(point, color), before)) = history.split_last()
            && !self.spec.send_board
            && !self.known.is_empty()
            && before == self.known
            && color != stones.to_move()
        {
            return format!("TURN {},{}\n", point.x(), point.y());
        }
        let mut text = String::from("BOARD\n");
        for &(point, color) in history {
            let field = if color == stones.to_move() { 1 } else { 2 };
            let _ = writeln!(text, "{},{},{field}", point.x(), point.y());
        }
        text + "DONE\n"
    }
}

impl Player for External {
    fn start(&mut self, rule: Rule, size: Size, _seed: u64, stop: &Stop) -> Result<(), NoMove> {
        match self.begin(size, stop) {
            Err(NoMove::Fault(fault @ Fault::Crash { .. })) if !self.was_ready => {
                return Err(Fault::Launch { error: fault.to_string() }.into());
            }
            begun => begun?,
        }
        self.was_ready = true;
        let settings = self.settings(rule);
        self.send(&settings)
    }

    fn choose(
        &mut self,
        stones: &Stones,
        time: TimeControl,
        stop: &Stop,
    ) -> Result<(Coordinates, Thinking), NoMove> {
        let command = self.move_command(stones);
        let (at, thinking) = self.ask(&command, time, stop, coordinates)?;
        self.known = stones.history().to_vec();
        if let Some(point) = Point::checked(at.0, at.1, stones.size()) {
            self.known.push((point, stones.to_move()));
        }
        Ok((at, thinking))
    }

    fn open(
        &mut self,
        stones: &Stones,
        time: TimeControl,
        stop: &Stop,
    ) -> Result<(OpeningReply, Thinking), NoMove> {
        self.known.clear();
        let mut command = String::from("SWAP2BOARD\n");
        for (point, _) in stones.history() {
            let _ = writeln!(command, "{},{}", point.x(), point.y());
        }
        command.push_str("DONE\n");
        self.ask(&command, time, stop, |line| {
            if line.eq_ignore_ascii_case("SWAP") {
                return Some(OpeningReply::Swap);
            }
            line.split_whitespace().map(coordinates).collect::<Option<Vec<_>>>().map(OpeningReply::Place)
        })
    }

    fn discard(&mut self) {
        self.process = None;
    }

    fn quit(&mut self) -> bool {
        self.process.take().is_none_or(EngineProcess::end)
    }
}

/// `x,y` and nothing else.
fn coordinates(line: &str) -> Option<Coordinates> {
    let (x, y) = line.split_once(',')?;
    let number = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
    };
    Some((number(x)?, number(y)?))
}

/// The text of a line that is a message and not a reply.
fn message(line: &str) -> Option<&str> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    ["MESSAGE", "DEBUG", "INFO"].iter().any(|known| word.eq_ignore_ascii_case(known)).then_some(rest)
}

fn starts_with_word(line: &str, word: &str) -> bool {
    line.split_whitespace().next().is_some_and(|first| first.eq_ignore_ascii_case(word))
}

fn shortened(line: &str) -> String {
    const SHOWN: usize = 100;
    line.chars().take(SHOWN).collect()
}
