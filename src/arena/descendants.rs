//! Processes that an engine has started and left behind.
//!
//! A process can easily leave its process group, for example with `setsid`, and killing the group then no longer
//! reaches it. On Linux each engine therefore carries a mark in its environment. Every process that it starts inherits
//! the mark, and every process with the mark is killed together with the engine. A process that also discards its
//! environment is found when the runner ends, provided that the runner has made itself the parent of its engines'
//! orphans ([`adopt_orphans`]).
//!
//! | | in the engine's group or job | left the group | left the group and discarded its environment |
//! |---|---|---|---|
//! | Linux | ends with the engine | ends with the engine | ends with the runner, unless the runner is killed |
//! | other Unix | ends with the engine | may live on | may live on |
//! | Windows | ends with the engine | jobs cannot be left | |

use std::hash::{BuildHasher, Hasher, RandomState};

/// The environment variable that holds the mark. It is not KAGETSU_ENGINE, because tests read the path of the engine
/// from that variable, and engines that they start in a match would find a mark there.
pub(super) const VARIABLE: &str = "KAGETSU_ENGINE_MARK";

/// A unique mark, which is also not a prefix of any other engine's mark.
pub(super) fn new_mark() -> String {
    // The standard library takes the seed of its hash maps from the system.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

#[cfg(target_os = "linux")]
mod imp {
    use std::collections::BTreeMap;
    use std::fs;

    use nix::sys::signal::{Signal, kill};
    use nix::sys::wait::{WaitPidFlag, waitpid};
    use nix::unistd::Pid;

    /// A process may start another just before it is killed, so the search is repeated up to this many times.
    const ROUNDS: usize = 10;

    pub(crate) fn adopt_orphans() {
        if let Err(error) = nix::sys::prctl::set_child_subreaper(true) {
            log::warn!("orphans of engines are not adopted: {error}");
        }
    }

    pub(crate) fn kill_marked(mark: &str) {
        let variable = format!("{}={mark}", super::VARIABLE);
        let is_marked = |&id: &i32| {
            // Nothing can be read of a process that has ended.
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|entry| entry.starts_with(variable.as_bytes()))
        };
        kill_all(|| processes().filter(is_marked).collect());
    }

    pub(crate) fn kill_all_below() {
        let own = std::process::id() as i32;
        kill_all(|| {
            let parents: BTreeMap<i32, i32> =
                processes().filter_map(|id| Some((id, living_parent(id)?))).collect();
            let is_below = |&id: &i32| {
                // No chain has more links than there are processes, even if processes change during the scan.
                let chain = std::iter::successors(parents.get(&id), |parent| parents.get(parent));
                chain.take(parents.len()).any(|&parent| parent == own)
            };
            parents.keys().copied().filter(is_below).collect()
        });
    }

    fn kill_all(find: impl Fn() -> Vec<i32>) {
        for _ in 0..ROUNDS {
            let found = find();
            if found.is_empty() {
                return;
            }
            for id in found {
                let id = Pid::from_raw(id);
                // Errors are ignored: the process is already gone, or this one may not kill it.
                let _ = kill(id, Signal::SIGKILL);
                let _ = waitpid(id, Some(WaitPidFlag::WNOHANG));
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    fn processes() -> impl Iterator<Item = i32> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
    }

    /// The parent of a process, unless the process is dead or a zombie.
    fn living_parent(id: i32) -> Option<i32> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The process name before it may contain blanks and parentheses.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        (!matches!(state, "Z" | "X")).then_some(parent)
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    pub(crate) fn adopt_orphans() {}

    pub(crate) fn kill_marked(_mark: &str) {}

    pub(crate) fn kill_all_below() {}
}

/// Makes this process, instead of the system's first process, adopt the orphans among its descendants from now on. This
/// affects the whole process, so a program may ask for it, but a library should not.
pub(crate) fn adopt_orphans() {
    imp::adopt_orphans();
}

/// Kills every process whose mark begins with `mark`.
pub(super) fn kill_marked(mark: &str) {
    imp::kill_marked(mark);
}

/// Kills every process that this program has started, directly or indirectly.
pub(crate) fn kill_all_below() {
    imp::kill_all_below();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_not_the_variable_of_the_tests() {
        // CONTRIBUTING.md documents the variable of the tests.
        let told = include_str!("../../CONTRIBUTING.md");
        assert!(told.contains("`KAGETSU_ENGINE=") && !told.contains(&format!("`{VARIABLE}=")));
        assert_eq!(VARIABLE, "KAGETSU_ENGINE_MARK");
    }
}
