//! The engine as a manager meets it: a child process on stdin and stdout.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Write as _};
use std::fs;
use std::io::{Read, Write};
use std::panic::Location;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::reply::Reply;
use kagetsu::Point;
use tempfile::TempDir;

/// How long a test waits for a reply that has no deadline of its own. Generous: it only ends tests that
/// fail anyway.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// How long an engine may take to leave after END or the end of input. The Gomocup protocol lets a manager
/// kill it after a second, and `docs/protocol.md` promises 200 ms; the rest is for a busy machine.
pub const EXIT_LIMIT: Duration = Duration::from_secs(2);

/// Lines of the dialogue that a failure shows, and characters of each.
const SHOWN_LINES: usize = 40;
const SHOWN_CHARS: usize = 160;

/// What was expected of the engine and did not come.
pub struct Unmet {
    /// In one line.
    pub what: String,
    place: &'static Location<'static>,
    dialogue: String,
}

impl Unmet {
    /// The same failure, told with more around it.
    #[must_use]
    pub fn at(mut self, context: &str) -> Unmet {
        self.what = format!("{context}: {}", self.what);
        self
    }
}

/// Tests end with this text, so it is written for people.
impl fmt::Debug for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  at {}\n  the dialogue so far:\n{}", self.what, self.place, self.dialogue)
    }
}

/// A line of the engine as it came out of the pipe.
struct Received {
    line: Vec<u8>,
    at: Instant,
    flaw: Option<&'static str>,
}

/// A running engine. Killed when dropped.
pub struct Client {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Received>,
    complaints: Option<JoinHandle<Vec<u8>>>,
    directory: TempDir,
    line_end: &'static str,
    dialogue: Vec<(Instant, String)>,
    started: Instant,
    last_sent: Instant,
    last_received: Instant,
    realtime_allowed: bool,
    info_allowed: bool,
}

impl Client {
    /// Starts the engine as managers do, without arguments.
    pub fn start() -> Client {
        Client::start_with(&[], &[])
    }

    /// Starts the engine with arguments and environment.
    pub fn start_with(arguments: &[&str], environment: &[(&str, &str)]) -> Client {
        Client::spawn(&default_program(), arguments, environment, true)
    }

    /// Starts the engine and closes the pipe that it writes to.
    pub fn start_deaf() -> Client {
        Client::spawn(&default_program(), &[], &[], false)
    }

    /// Starts another program than the one under test.
    pub fn start_program(program: &Path) -> Client {
        Client::spawn(program.as_os_str(), &[], &[], true)
    }

    fn spawn(program: &OsStr, arguments: &[&str], environment: &[(&str, &str)], listen: bool) -> Client {
        // An empty working directory of its own: whatever lies there at the end was left by the engine.
        let directory = tempfile::tempdir().expect("a working directory for the engine");

        let mut child = runnable(program)
            .args(arguments)
            .env_remove("RUST_LOG")
            .env_remove("KAGETSU_LOG_FILE")
            .envs(environment.iter().copied())
            .current_dir(&directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));

        // A thread writes, so that an engine that does not read cannot hang the test.
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        let (input, to_write) = mpsc::channel::<Vec<u8>>();
        thread::spawn(move || {
            for bytes in to_write {
                // The engine may be gone: the test sees that by itself.
                let _ = stdin.write_all(&bytes);
            }
        });

        let mut stdout = child.stdout.take().expect("stdout is a pipe");
        let (lines, output) = mpsc::channel();
        if listen {
            thread::spawn(move || read_lines(&mut stdout, &lines));
        } else {
            drop(stdout);
        }
        let mut stderr = child.stderr.take().expect("stderr is a pipe");
        let complaints = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            text
        });

        let now = Instant::now();
        Client {
            child,
            input: Some(input),
            output,
            complaints: Some(complaints),
            directory,
            line_end: "\n",
            dialogue: Vec::new(),
            started: now,
            last_sent: now,
            last_received: now,
            realtime_allowed: false,
            info_allowed: false,
        }
    }

    /// Ends the lines that follow with CRLF, or with LF again.
    pub fn set_crlf(&mut self, crlf: bool) {
        self.line_end = if crlf { "\r\n" } else { "\n" };
    }

    /// What ends the lines that are sent.
    pub fn line_end(&self) -> &'static str {
        self.line_end
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}{}", self.line_end).as_bytes());
    }

    /// Sends several lines in one write.
    pub fn send_burst<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) {
        let text: String = lines.into_iter().flat_map(|line| [line, self.line_end]).collect();
        self.send_bytes(text.as_bytes());
    }

    /// Sends bytes as they are, in one write.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let shown = &bytes[..bytes.len().min(64 * SHOWN_CHARS)];
        for line in String::from_utf8_lossy(shown).lines() {
            let upper = line.trim().to_ascii_uppercase();
            // Once allowed is allowed: a search that still runs may print a last line.
            if let Some(level) = upper.strip_prefix("INFO SHOW_DETAIL ") {
                self.realtime_allowed |= matches!(level.trim(), "1" | "3");
                self.info_allowed |= matches!(level.trim(), "2" | "3");
            }
            self.note(">", line);
        }
        if let Some(input) = &self.input {
            let _ = input.send(bytes.to_vec());
        }
        self.last_sent = Instant::now();
    }

    /// Ends the engine's input.
    pub fn close_stdin(&mut self) {
        self.input = None;
        self.last_sent = Instant::now();
        self.note(">", "(end of input)");
    }

    /// When the last bytes were sent.
    pub fn last_sent(&self) -> Instant {
        self.last_sent
    }

    /// When the line that was read last had come.
    pub fn last_received(&self) -> Instant {
        self.last_received
    }

    /// The next line, whatever it is; `None` if none comes within the time.
    ///
    /// # Errors
    /// The line is not one that a manager understands, or the engine closed its output.
    #[track_caller]
    pub fn next(&mut self, within: Duration) -> Result<Option<Reply>, Unmet> {
        match self.output.recv_timeout(within) {
            Ok(received) => {
                self.last_received = received.at;
                let text = String::from_utf8_lossy(&received.line).into_owned();
                self.note_at(received.at, "<", &text);
                if let Some(flaw) = received.flaw {
                    return Err(self.unmet(format!("`{}` {flaw}", clip(&text))));
                }
                let reply = Reply::parse(&received.line)
                    .map_err(|why| self.unmet(format!("the engine printed `{}`: {why}", clip(&text))))?;
                let unasked = match &reply {
                    Reply::Info(_) => !self.info_allowed,
                    Reply::Message(text) => text.starts_with("REALTIME ") && !self.realtime_allowed,
                    _ => false,
                };
                if unasked {
                    return Err(self.unmet(format!("`{}` was not asked for by show_detail", clip(&text))));
                }
                Ok(Some(reply))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                let end = self.last_words();
                Err(self.unmet(format!("the engine closed its output: {end}")))
            }
        }
    }

    /// The next line that is a reply: MESSAGE, DEBUG and INFO lines are skipped. `None` if none comes
    /// within the time.
    ///
    /// # Errors
    /// As [`Client::next`].
    #[track_caller]
    pub fn next_reply(&mut self, within: Duration) -> Result<Option<Reply>, Unmet> {
        self.next_reply_without(within, None)
    }

    /// The same, where no MESSAGE, DEBUG or INFO line that starts so may come before.
    ///
    /// # Errors
    /// One comes, or as [`Client::next`].
    #[track_caller]
    pub fn next_reply_without(
        &mut self,
        within: Duration,
        unwanted: Option<&str>,
    ) -> Result<Option<Reply>, Unmet> {
        let end = Instant::now() + within;
        loop {
            let next = self.next(end.saturating_duration_since(Instant::now()))?;
            let Some(prose) = next.as_ref().filter(|reply| reply.is_prose()) else { return Ok(next) };
            if unwanted.is_some_and(|start| prose.to_string().starts_with(start)) {
                return Err(self.unmet(format!("`{prose}` was not to come")));
            }
        }
    }

    /// The next reply.
    ///
    /// # Errors
    /// None comes in time, or as [`Client::next`].
    #[track_caller]
    pub fn expect_line(&mut self, within: Duration) -> Result<Reply, Unmet> {
        match self.next_reply(within)? {
            Some(reply) => Ok(reply),
            None => Err(self.unmet(format!("no reply within {} ms", within.as_millis()))),
        }
    }

    /// The next reply, which must be this one.
    ///
    /// # Errors
    /// Another comes, none comes in time, or as [`Client::next`].
    #[track_caller]
    pub fn expect(&mut self, expected: &Reply, within: Duration) -> Result<(), Unmet> {
        match self.next_reply(within)? {
            Some(reply) if reply == *expected => Ok(()),
            other => Err(self.unmet(format!("expected `{expected}`, but {}", told(other.as_ref())))),
        }
    }

    /// The next reply, which must be `OK`.
    ///
    /// # Errors
    /// As [`Client::expect`].
    #[track_caller]
    pub fn expect_ok(&mut self) -> Result<(), Unmet> {
        self.expect(&Reply::Ok, PATIENCE)
    }

    /// The next reply, which must be a move.
    ///
    /// # Errors
    /// Something else comes, nothing comes in time, or as [`Client::next`].
    #[track_caller]
    pub fn expect_move(&mut self, within: Duration) -> Result<Point, Unmet> {
        match self.next_reply(within)? {
            Some(Reply::Points(points)) if points.len() == 1 => Ok(points[0]),
            other => Err(self.unmet(format!("expected a move, but {}", told(other.as_ref())))),
        }
    }

    /// Nothing but MESSAGE, DEBUG and INFO lines for so long.
    ///
    /// # Errors
    /// A reply comes, or as [`Client::next`].
    #[track_caller]
    pub fn expect_silence(&mut self, time: Duration) -> Result<(), Unmet> {
        match self.next_reply(time)? {
            Some(reply) => Err(self.unmet(format!("expected silence, but `{reply}` came"))),
            None => Ok(()),
        }
    }

    /// Reads whatever comes until nothing has come for so long; the replies, without MESSAGE, DEBUG and
    /// INFO lines.
    ///
    /// # Errors
    /// As [`Client::next`].
    #[track_caller]
    pub fn drain(&mut self, quiet: Duration) -> Result<Vec<Reply>, Unmet> {
        let mut replies = Vec::new();
        while let Some(reply) = self.next(quiet)? {
            if !reply.is_prose() {
                replies.push(reply);
            }
        }
        Ok(replies)
    }

    /// Waits for the process to end.
    ///
    /// # Errors
    /// It does not.
    #[track_caller]
    pub fn wait_exit(&mut self, within: Duration) -> Result<ExitStatus, Unmet> {
        let end = Instant::now() + within;
        loop {
            if let Some(status) = self.child.try_wait().expect("the state of a child can be asked") {
                return Ok(status);
            }
            if Instant::now() >= end {
                return Err(self.unmet(format!("the engine still runs after {} ms", within.as_millis())));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends END; the engine must print nothing more and leave as [`Client::leave`] says.
    ///
    /// # Errors
    /// As [`Client::leave`].
    #[track_caller]
    pub fn finish(mut self) -> Result<(), Unmet> {
        self.send("END");
        self.leave(0, &|_| false)
    }

    /// The engine, told to end, leaves in time with status 0, has printed at most so many replies more, all
    /// of them allowed, has written nothing to stderr and has left no file behind.
    ///
    /// # Errors
    /// One of these is not so.
    #[track_caller]
    pub fn leave(mut self, replies: usize, allows: &dyn Fn(&Reply) -> bool) -> Result<(), Unmet> {
        let status = self.wait_exit(EXIT_LIMIT)?;
        let mut left = replies;
        while let Ok(received) = self.output.recv_timeout(PATIENCE) {
            let text = String::from_utf8_lossy(&received.line).into_owned();
            self.note_at(received.at, "<", &text);
            if let Some(flaw) = received.flaw {
                return Err(self.unmet(format!("`{}` {flaw}", clip(&text))));
            }
            match Reply::parse(&received.line) {
                Ok(reply) if reply.is_prose() => {}
                Ok(reply) if left > 0 && allows(&reply) => left -= 1,
                _ => return Err(self.unmet(format!("`{}` came after the end", clip(&text)))),
            }
        }
        let complaints = self.stderr_text();
        if status.code() != Some(0) || !complaints.is_empty() {
            return Err(self.unmet(format!("the engine left with {status}, stderr: {}", clip(&complaints))));
        }
        let left = fs::read_dir(self.directory.path()).into_iter().flatten().flatten().next();
        if let Some(file) = left {
            return Err(self.unmet(format!("the engine left {} behind", file.file_name().display())));
        }
        Ok(())
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The most memory in bytes that the process ever held at once; `None` where the system does not
    /// say, or the process is gone.
    pub fn peak_memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// How the process ended, if it did, and what it wrote to stderr.
    fn last_words(&mut self) -> String {
        let Ok(status) = self.wait_exit(Duration::from_secs(1)) else { return "it still runs".to_owned() };
        format!("{status}, stderr: {}", clip(&self.stderr_text()))
    }

    /// All that the process, which has ended, wrote to stderr.
    fn stderr_text(&mut self) -> String {
        let bytes = self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A failure at this point of the dialogue.
    #[track_caller]
    pub fn unmet(&self, what: String) -> Unmet {
        let mut dialogue = String::new();
        let left_out = self.dialogue.len().saturating_sub(SHOWN_LINES);
        if left_out > 0 {
            let _ = writeln!(dialogue, "     ... {left_out} lines before ...");
        }
        for (at, line) in &self.dialogue[left_out..] {
            let ms = at.saturating_duration_since(self.started).as_millis();
            let _ = writeln!(dialogue, "  {ms:6} ms {line}");
        }
        Unmet { what, place: Location::caller(), dialogue }
    }

    fn note(&mut self, direction: &str, line: &str) {
        self.note_at(Instant::now(), direction, line);
    }

    fn note_at(&mut self, at: Instant, direction: &str, line: &str) {
        self.dialogue.push((at, format!("{direction} {}", clip(line))));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn default_program() -> OsString {
    std::env::var_os("KAGETSU_ENGINE").unwrap_or(env!("CARGO_BIN_EXE_kagetsu").into())
}

/// The command that starts a program: the program itself, or what `KAGETSU_RUNNER` names (as wine) with it.
pub fn runnable(program: impl AsRef<OsStr>) -> Command {
    let Some(runner) = std::env::var_os("KAGETSU_RUNNER") else { return Command::new(program) };
    let mut command = Command::new(runner);
    command.arg(program);
    command
}

/// What came in place of what was expected.
pub fn told(reply: Option<&Reply>) -> String {
    reply.map_or("nothing came in time".to_owned(), |reply| format!("`{reply}` came"))
}

fn clip(text: &str) -> String {
    let mut shown: String = text.trim_end().chars().take(SHOWN_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN_CHARS {
        shown += " ...";
    }
    shown
}

/// Cuts the engine's output into lines and marks those that some manager could not read: qpiskvork drops
/// what comes without its line end, and line ends of both kinds confuse others.
fn read_lines(stdout: &mut impl Read, lines: &Sender<Received>) {
    // As large as a pipe, so that a read takes all there is: where it ends in the middle of a line, a
    // write ended there.
    let mut buffer = vec![0; 1 << 16];
    let mut line = Vec::new();
    let mut torn = false;
    let mut crlf = None;
    loop {
        let count = stdout.read(&mut buffer).unwrap_or(0);
        let at = Instant::now();
        if count == 0 {
            if !line.is_empty() {
                let _ = lines.send(Received { line, at, flaw: Some("has no line end") });
            }
            return;
        }
        for &byte in &buffer[..count] {
            if byte != b'\n' {
                line.push(byte);
                continue;
            }
            let ends_in_cr = line.last() == Some(&b'\r');
            if ends_in_cr {
                line.pop();
            }
            let flaw = if *crlf.get_or_insert(ends_in_cr) != ends_in_cr {
                Some("ends otherwise than the lines before")
            } else if torn {
                Some("was not written together with its line end")
            } else {
                None
            };
            torn = false;
            if lines.send(Received { line: std::mem::take(&mut line), at, flaw }).is_err() {
                return;
            }
        }
        torn = !line.is_empty();
    }
}
