//! The watchdog: a small process that kills engines when the runner has died.
//!
//! However the runner ends, even by SIGKILL, its end of the watchdog's pipe is closed, and the watchdog then
//! kills the process groups it was told of. (On Windows the system does this for job objects.)

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

    /// The runner's end of a watchdog.
    #[derive(Debug)]
    pub struct Watchdog {
        pipe: Mutex<Option<ChildStdin>>,
        child: Mutex<Child>,
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
            Ok(Watchdog { pipe: Mutex::new(child.stdin.take()), child: Mutex::new(child) })
        }

        pub(super) fn tell(&self, sign: char, group: u32) {
            if let Some(pipe) = self.pipe.lock().as_mut()
                && let Err(error) = pipe.write_all(format!("{sign}{group}\n").as_bytes())
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
        for line in input.lines() {
            let Ok(line) = line else { break };
            let number = line.get(1..).and_then(|text| text.parse::<i32>().ok());
            // 0 and 1 would mean this group and everyone.
            let Some(group) = number.filter(|&group| group > 1) else { continue };
            if line.starts_with('+') {
                groups.insert(group);
            } else {
                groups.remove(&group);
            }
        }
        for group in groups {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use std::io::{self, BufRead};
    use std::path::Path;

    /// Nothing: job objects end with the runner.
    #[derive(Debug)]
    pub struct Watchdog;

    impl Watchdog {
        pub(super) fn start(_program: &Path) -> io::Result<Watchdog> {
            Ok(Watchdog)
        }

        pub(super) fn tell(&self, _sign: char, _group: u32) {}
    }

    pub(super) fn serve(_input: impl BufRead) {}
}

pub use imp::Watchdog;

/// Starts a watchdog. `program` is this crate's binary.
///
/// # Errors
/// The program cannot be started.
pub fn start(program: &Path) -> io::Result<Watchdog> {
    Watchdog::start(program)
}

impl Watchdog {
    /// Kills this process group when the runner dies.
    pub fn watch(&self, group: u32) {
        self.tell('+', group);
    }

    /// Forgets the group: its processes are gone.
    pub fn release(&self, group: u32) {
        self.tell('-', group);
    }
}

/// What the hidden subcommand does: reads `+group` and `-group` until the input ends, then kills the
/// groups that are left.
pub fn serve(input: impl io::BufRead) {
    imp::serve(input);
}
