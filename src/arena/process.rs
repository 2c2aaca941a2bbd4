//! An engine as a child process: lines in, and lines out with their arrival times.
//!
//! It knows the protocol's framing and `END`, but nothing of the game. Everything that the engine has started is killed
//! when the value is dropped.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use parking_lot::Mutex;
use process_wrap::std::{ChildWrapper, CommandWrap};

use super::descendants;
use super::outbox::Outbox;
use super::spec::EngineSpec;
use super::stop::Stop;
use super::watchdog::Watchdog;

/// Maximum length of a line in bytes; a longer line is split into several.
const MAX_LINE: usize = 8192;
/// How many lines may wait to be read. After that the engine's pipe fills up and the engine has to wait.
const WAITING_LINES: usize = 256;
/// How many lines of stderr are shown after a crash, those without text left out.
const STDERR_LINES: usize = 5;
/// How often a wait checks whether the match is being stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(50);
/// How long an engine may take to exit after `END`, as the protocol allows.
const END_LIMIT: Duration = Duration::from_secs(1);
/// How long to wait for the exit status once the output is closed.
const STATUS_LIMIT: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(2);

/// A log of all lines sent to and received from engines, shared by several of them.
pub type Dialogue = Arc<Mutex<File>>;

/// The command so that it can be killed together with all that it has started.
pub(crate) fn in_group(command: Command) -> CommandWrap {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    command
}

/// Opens the log of all dialogues.
///
/// # Errors
/// The file cannot be opened.
pub fn open_dialogue(path: &Path) -> anyhow::Result<Dialogue> {
    let open = OpenOptions::new().create(true).append(true).open(path);
    Ok(Arc::new(Mutex::new(open.with_context(|| format!("opening {}", path.display()))?)))
}

/// What all players of a match share.
#[derive(Clone, Debug, Default)]
pub struct MatchContext {
    /// Kills engines if the runner dies.
    pub watchdog: Option<Arc<Watchdog>>,
    /// Where the dialogue is written.
    pub dialogue: Option<Dialogue>,
    /// Whether messages of engines are kept.
    pub keep_messages: bool,
    /// Command words that name files which are elsewhere on this machine, each with its replacement.
    pub moved: Vec<(String, OsString)>,
}

impl MatchContext {
    /// The words of a command, with files replaced by where they are on this machine.
    fn found(&self, words: &[String]) -> Vec<OsString> {
        let place =
            |word: &String| self.moved.iter().find(|(from, _)| from == word).map(|(_, to)| to.clone());
        words.iter().map(|word| place(word).unwrap_or_else(|| word.into())).collect()
    }
}

/// A line of the engine's output.
#[derive(Clone, Debug)]
pub struct OutputLine {
    /// The line without line end and surrounding blanks.
    pub text: String,
    /// When its last byte was read.
    pub at: Instant,
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// The deadline has passed.
    Timeout,
    /// The engine has closed its output: it is gone.
    Closed,
    /// The match is being stopped.
    Stopped,
}

/// The processes of an engine. They are killed when this value is dropped, even after the engine has ended properly,
/// because it may have started others.
struct ProcessTree {
    child: Box<dyn ChildWrapper>,
    id: u32,
    /// The mark that all of its processes carry in their environment.
    mark: String,
    watchdog: Option<Arc<Watchdog>>,
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        let _ = self.child.start_kill();
        let _ = self.child.wait();
        descendants::kill_marked(&self.mark);
        if let Some(watchdog) = &self.watchdog {
            watchdog.release(self.id);
        }
    }
}

/// A running engine.
pub struct EngineProcess {
    name: String,
    processes: ProcessTree,
    input: Outbox,
    lines: Receiver<OutputLine>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    stderr_reader: thread::JoinHandle<()>,
    context: MatchContext,
}

impl EngineProcess {
    /// Starts the program of an external engine.
    ///
    /// # Errors
    /// The system cannot start it.
    ///
    /// # Panics
    /// If the engine is the built-in one.
    pub fn launch(spec: &EngineSpec, context: MatchContext) -> io::Result<EngineProcess> {
        // The system would say the same of this folder as of a program that is not there.
        if let Some(folder) = spec.folder.as_deref().filter(|folder| !folder.is_dir()) {
            let text = format!("dir={}: there is no such folder", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        let words = context.found(spec.command.as_ref().expect("an external engine has a command"));
        // A path is made absolute, because the program runs in another folder. A link stays one: an interpreter finds
        // its packages by the name under which it was started.
        let program = Path::new(&words[0]);
        let is_path = program.components().count() > 1;
        let absolute = if is_path { std::path::absolute(program)? } else { program.to_owned() };
        let watchdog = context.watchdog.as_deref();
        let mark = watchdog.map_or_else(descendants::new_mark, Watchdog::new_mark);
        let mut command = Command::new(&absolute);
        command.env(descendants::VARIABLE, &mark);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        match (&spec.folder, absolute.parent()) {
            (Some(folder), _) => drop(command.current_dir(folder)),
            (None, Some(parent)) if is_path => drop(command.current_dir(parent)),
            _ => {}
        }
        let child = in_group(command).spawn()?;
        let id = child.id();
        if let Some(watchdog) = watchdog {
            watchdog.watch(id);
        }
        // From here on a failure drops the `ProcessTree`, which ends the engine.
        let mut processes = ProcessTree { child, id, mark, watchdog: context.watchdog.clone() };
        let (sender, lines) = sync_channel(WAITING_LINES);
        let stdout = processes.child.stdout().take().expect("stdout is piped");
        thread::Builder::new()
            .name(format!("read {}", spec.name))
            .spawn(move || read_lines(stdout, &sender))?;
        let stderr: Arc<Mutex<VecDeque<String>>> = Arc::default();
        let last_words = Arc::clone(&stderr);
        let pipe = processes.child.stderr().take().expect("stderr is piped");
        let stderr_reader = thread::Builder::new()
            .name(format!("stderr {}", spec.name))
            .spawn(move || keep_last(pipe, &last_words))?;
        let stdin = processes.child.stdin().take().expect("stdin is piped");
        let input = Outbox::new(stdin, format!("write {}", spec.name))?;
        Ok(EngineProcess { name: spec.name.clone(), processes, input, lines, stderr, stderr_reader, context })
    }

    /// Sends lines in one write, and does not wait for the engine to read them.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if it has not read anything for a long time, another kind if it is gone.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.write_down('>', text);
        self.input.send(text.to_owned())
    }

    /// Waits until everything that was sent is at least in the engine's input pipe.
    ///
    /// # Errors
    /// [`NoLine::Timeout`] or [`NoLine::Stopped`].
    pub fn take_in(&self, deadline: Instant, stop: &Stop) -> Result<(), NoLine> {
        loop {
            if self.input.is_written(deadline.min(Instant::now() + STOP_INTERVAL)) {
                return Ok(());
            }
            if stop.is_asked() {
                return Err(NoLine::Stopped);
            }
            if Instant::now() >= deadline {
                return Err(NoLine::Timeout);
            }
        }
    }

    /// The next line that is not blank. A line that came after the deadline is a timeout, however many lines there are.
    ///
    /// # Errors
    /// [`NoLine`].
    pub fn receive(&mut self, deadline: Instant, stop: &Stop) -> Result<OutputLine, NoLine> {
        loop {
            if stop.is_asked() {
                return Err(NoLine::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(STOP_INTERVAL)) {
                Ok(line) => {
                    self.write_down('<', &line.text);
                    if line.at > deadline {
                        return Err(NoLine::Timeout);
                    }
                    if !line.text.is_empty() {
                        return Ok(line);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Closed),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if Instant::now() >= deadline {
                return Err(NoLine::Timeout);
            }
        }
    }

    /// Discards what the engine has printed unasked until now.
    pub fn drain(&mut self) {
        for _ in 0..=WAITING_LINES {
            match self.lines.try_recv() {
                Ok(line) => self.write_down('<', &line.text),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return,
            }
        }
    }

    /// How the process ended, after its output was closed.
    pub fn status(&mut self) -> String {
        // This is the engine's own status. The wrapper would wait for the whole process group, which may have others in
        // it.
        let deadline = Instant::now() + STATUS_LIMIT;
        loop {
            match self.processes.child.inner_mut().try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
                Ok(None) => return "closed its output".to_owned(),
                Err(error) => return error.to_string(),
            }
        }
    }

    /// The last lines that the engine wrote to stderr before it ended.
    #[must_use]
    pub fn last_words(&self) -> Vec<String> {
        let deadline = Instant::now() + STATUS_LIMIT;
        while !self.stderr_reader.is_finished() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        self.stderr.lock().iter().cloned().collect()
    }

    /// The peak resident memory in bytes, of the process and those it started; `None` where the system does not report
    /// it.
    #[must_use]
    pub fn peak_memory(&self) -> Option<u64> {
        peak_memory(self.processes.id)
    }

    /// Sends `END` and waits as long as the protocol allows; false if the engine had to be killed.
    pub fn end(mut self) -> bool {
        let _ = self.send("END\n");
        self.input.close();
        let deadline = Instant::now() + END_LIMIT;
        while Instant::now() < deadline {
            // The engine must not be blocked by last lines that nobody reads.
            self.drain();
            match self.processes.child.inner_mut().try_wait() {
                Ok(Some(_)) => {
                    return true;
                }
                Ok(None) => thread::sleep(POLL),
                Err(_) => break,
            }
        }
        false
    }

    fn write_down(&self, direction: char, text: &str) {
        if let Some(dialogue) = &self.context.dialogue {
            let mut file = dialogue.lock();
            for line in text.lines() {
                // A log that cannot be written is no reason to end a match.
                let _ = writeln!(file, "{} {direction} {line}", self.name);
            }
        }
    }
}

/// Sends each line with its arrival time, until the output ends or the receiver is gone.
fn read_lines(output: impl Read, lines: &SyncSender<OutputLine>) {
    let mut reader = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = reader.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut bytes);
        match read {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&bytes).trim().to_owned();
                if lines.send(OutputLine { text, at: Instant::now() }).is_err() {
                    return;
                }
            }
        }
    }
}

fn keep_last(pipe: impl Read, last: &Mutex<VecDeque<String>>) {
    let mut reader = BufReader::new(pipe);
    let mut bytes = Vec::new();
    while let Ok(1..) = {
        bytes.clear();
        reader.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut bytes)
    } {
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        if text.is_empty() {
            continue;
        }
        let mut last = last.lock();
        if last.len() == STDERR_LINES {
            last.pop_front();
        }
        last.push_back(text);
    }
}

#[cfg(target_os = "linux")]
fn peak_memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let own = peak.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10;
    Some(own + children_of(id).into_iter().filter_map(peak_memory).sum::<u64>())
}

/// The processes that this one has started. Each of its threads has a list of its own.
#[cfg(target_os = "linux")]
fn children_of(id: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<u32>>()).collect()
}

#[cfg(not(target_os = "linux"))]
fn peak_memory(_id: u32) -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_folder_that_is_missing_is_named() {
        let spec = EngineSpec::parse("cmd=/bin/cat dir=/does/not/exist", &[]).unwrap();
        let error = EngineProcess::launch(&spec, MatchContext::default()).err().unwrap().to_string();
        assert_eq!(error, "dir=/does/not/exist: there is no such folder");
    }

    #[test]
    fn lines_without_text_take_no_place_among_the_last() {
        let last = Mutex::default();
        let mistake =
            "error: unexpected\n\n  tip: similar\n\nUsage: kagetsu play\n\nFor more information, help\n";
        keep_last(mistake.as_bytes(), &last);
        let kept: Vec<String> = last.into_inner().into();
        assert_eq!(
            kept,
            ["error: unexpected", "tip: similar", "Usage: kagetsu play", "For more information, help"]
        );
        let last = Mutex::default();
        keep_last("1\n2\n3\n\n4\n5\n6".as_bytes(), &last);
        assert_eq!(Vec::from(last.into_inner()), ["2", "3", "4", "5", "6"]);
    }

    #[test]
    fn children_of_every_thread_are_found() {
        let start = || Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let (hand, handed) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        // This is not the main thread of the process, and the other is not this one. Its child would go to a third
        // thread if it ended.
        let other = thread::spawn(move || {
            hand.send(start()).unwrap();
            let _ = released.recv();
        });
        let mut children = [start(), handed.recv().unwrap()];
        let found = children_of(std::process::id());
        drop(release);
        other.join().unwrap();
        let is_found = children.each_ref().map(|child| found.contains(&child.id()));
        children.iter_mut().for_each(|child| {
            child.kill().unwrap();
            child.wait().unwrap();
        });
        assert_eq!(is_found, [true; 2]);
    }
}
