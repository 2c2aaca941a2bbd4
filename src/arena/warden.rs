//! The warden: a small process that kills engines when the runner has died.
//!
//! However the runner ends, even by SIGKILL, its end of the warden's pipe is closed, and the warden then
//! kills the process groups it was told of. (On Windows the system does this for job objects.)

use std::io;
use std::path::Path;

/// The hidden subcommand of the binary that makes it a warden.
pub const SUBCOMMAND: &str = "warden";

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

    /// The runner's end of a warden.
    #[derive(Debug)]
    pub struct Warden {
        pipe: Mutex<Option<ChildStdin>>,
        child: Mutex<Child>,
    }

    impl Warden {
        pub(super) fn start(program: &Path) -> io::Result<Warden> {
            let mut child = Command::new(program)
                .arg(super::SUBCOMMAND)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                // Ctrl-C goes to the runner alone.
                .process_group(0)
                .spawn()?;
            Ok(Warden { pipe: Mutex::new(child.stdin.take()), child: Mutex::new(child) })
        }

        pub(super) fn tell(&self, sign: char, group: u32) {
            if let Some(pipe) = self.pipe.lock().as_mut()
                && let Err(error) = pipe.write_all(format!("{sign}{group}\n").as_bytes())
            {
                log::warn!("the warden is gone: {error}");
            }
        }
    }

    impl Drop for Warden {
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
    pub struct Warden;

    impl Warden {
        pub(super) fn start(_program: &Path) -> io::Result<Warden> {
            Ok(Warden)
        }

        pub(super) fn tell(&self, _sign: char, _group: u32) {}
    }

    pub(super) fn serve(_input: impl BufRead) {}
}

pub use imp::Warden;

/// Starts a warden. `program` is this crate's binary.
///
/// # Errors
/// The program cannot be started.
pub fn start(program: &Path) -> io::Result<Warden> {
    Warden::start(program)
}

impl Warden {
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
