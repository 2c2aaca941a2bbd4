//! The watchdog: it kills engines when the runner has died.
//!
//! On Unix it is a small process. However the runner ends, even by SIGKILL, its end of the watchdog's pipe is closed.
//! The watchdog then kills the process groups that it was told about, and on Linux also processes that have left them
//! (`descendants`). On Windows it is a job object that the runner joins, and the runner holds the last handle to it.
//! When that handle is closed, the system ends every process in the job.

use std::io;
use std::path::Path;

/// The hidden subcommand of the binary that makes it a watchdog.
pub const SUBCOMMAND: &str = "watchdog";

#[cfg(unix)]
mod imp {
    use std::collections::BTreeSet;
    use std::io::{self, BufRead, Write};
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::{Child, ChildStdin, Command, Stdio};

    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    use parking_lot::Mutex;

    use crate::arena::descendants::{kill_marked, new_mark};

    /// The runner's end of a watchdog.
    #[derive(Debug)]
    pub struct Watchdog {
        pipe: Mutex<Option<ChildStdin>>,
        child: Mutex<Child>,
        /// The prefix of the marks of all its engines.
        mark: String,
    }

    impl Watchdog {
        pub(super) fn start(program: &Path) -> io::Result<Watchdog> {
            let mut child = Command::new(program)
                .arg(super::SUBCOMMAND)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                // Ctrl-C goes to the runner alone.
                .process_group(0)
                .spawn()?;
            let mark = new_mark();
            let pipe = Mutex::new(child.stdin.take());
            let watchdog = Watchdog { pipe, child: Mutex::new(child), mark };
            watchdog.tell(&format!("={}\n", watchdog.mark));
            Ok(watchdog)
        }

        pub(super) fn mark(&self) -> &str {
            &self.mark
        }

        pub(super) fn tell(&self, line: &str) {
            if let Some(pipe) = self.pipe.lock().as_mut()
                && let Err(error) = pipe.write_all(line.as_bytes())
            {
                log::warn!("the watchdog is gone: {error}");
            }
        }
    }

    impl Drop for Watchdog {
        fn drop(&mut self) {
            *self.pipe.lock() = None;
            let _ = self.child.lock().wait();
        }
    }

    pub(super) fn serve(input: impl BufRead) {
        let mut groups = BTreeSet::new();
        let mut mark = String::new();
        for line in input.lines() {
            let Ok(line) = line else { break };
            let (sign, rest) = line.split_at_checked(1).unwrap_or_default();
            // `killpg` takes 0 for the caller's own group and 1 for all processes.
            let group = rest.parse::<i32>().ok().filter(|&group| group > 1);
            match (sign, group) {
                ("=", _) => rest.clone_into(&mut mark),
                ("+", Some(group)) => drop(groups.insert(group)),
                ("-", Some(group)) => drop(groups.remove(&group)),
                _ => {}
            }
        }
        for group in groups {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
        if !mark.is_empty() {
            kill_marked(&mark);
        }
    }
}

#[cfg(windows)]
mod imp {
    use std::io::{self, BufRead};
    use std::path::Path;

    use win32job::{ExtendedLimitInfo, Job};

    /// The runner's job.
    #[derive(Debug)]
    pub struct Watchdog;

    impl Watchdog {
        pub(super) fn start(_program: &Path) -> io::Result<Watchdog> {
            let mut limits = ExtendedLimitInfo::new();
            limits.limit_kill_on_job_close();
            let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
            job.assign_current_process().map_err(io::Error::other)?;
            // Closing the handle would end this very process. The system closes it when the process ends by itself.
            let _ = job.into_handle();
            Ok(Watchdog)
        }

        pub(super) fn mark(&self) -> &str {
            ""
        }

        pub(super) fn tell(&self, _line: &str) {}
    }

    pub(super) fn serve(_input: impl BufRead) {}
}

#[cfg(not(any(unix, windows)))]
mod imp {
    use std::io::{self, BufRead};
    use std::path::Path;

    /// Does nothing: this system is not supported.
    #[derive(Debug)]
    pub struct Watchdog;

    impl Watchdog {
        pub(super) fn start(_program: &Path) -> io::Result<Watchdog> {
            Ok(Watchdog)
        }

        pub(super) fn mark(&self) -> &str {
            ""
        }

        pub(super) fn tell(&self, _line: &str) {}
    }

    pub(super) fn serve(_input: impl BufRead) {}
}

pub use imp::Watchdog;

/// Starts a watchdog. `program` is this crate's binary, which is used on Unix only.
///
/// # Errors
/// The program cannot be started.
pub fn start(program: &Path) -> io::Result<Watchdog> {
    Watchdog::start(program)
}

impl Watchdog {
    /// A mark for an engine that this watchdog kills when the runner dies, even before it is told about the group.
    pub(super) fn new_mark(&self) -> String {
        format!("{}-{}", self.mark(), super::descendants::new_mark())
    }

    /// Kills this process group when the runner dies.
    pub(super) fn watch(&self, group: u32) {
        self.tell(&format!("+{group}\n"));
    }

    /// Forgets the group: its processes are gone.
    pub(super) fn release(&self, group: u32) {
        self.tell(&format!("-{group}\n"));
    }
}

/// Runs the hidden subcommand: reads `=mark`, `+group` and `-group` until the input ends, then kills the remaining
/// groups and every process whose mark begins with `mark`.
pub fn serve(input: impl io::BufRead) {
    imp::serve(input);
}
