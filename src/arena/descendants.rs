//! What an engine has started and left behind.
//!
//! A process group is easily left, with `setsid` for one, and then its end does not reach the process any more. On
//! Linux each engine therefore carries a mark in its environment, which all that it starts inherits, and whatever
//! carries the mark ends with the engine. A process that throws its environment away as well is found at the end of
//! the runner, if that has asked the system to be handed the orphans of its engines ([`adopt_orphans`]).
//!
//! | | in the engine's group or job | left the group | and its environment |
//! |---|---|---|---|
//! | Linux | ends with the engine | ends with the engine | ends with the runner, unless that is killed |
//! | other Unix | ends with the engine | may live on | may live on |
//! | Windows | ends with the engine | jobs cannot be left | |

use std::hash::{BuildHasher, Hasher, RandomState};

/// The variable of the environment that holds the mark.
pub(super) const VARIABLE: &str = "KAGETSU_ENGINE_MARK";

// Tests read the path of the engine from a variable of their own, KAGETSU_ENGINE: engines that they start in a match
// would find a mark in its place.
/// A mark that no other engine has, nor is it the beginning of one.
pub(super) fn new_mark() -> String {
    // Hash maps of the standard library are seeded by the system.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

#[cfg(target_os = "linux")]
mod imp {
    use std::collections::BTreeMap;
    use std::fs;

    use nix::sys::signal::{Signal, kill};
    use nix::sys::wait::{WaitPidFlag, waitpid};
    use nix::unistd::Pid;

    /// Who is killed may start another in its last moment; this often it is looked again.
    const ROUNDS: usize = 10;

    pub(crate) fn adopt_orphans() {
        if let Err(error) = nix::sys::prctl::set_child_subreaper(true) {
            log::warn!("orphans of engines are not adopted: {error}");
        }
    }

    pub(crate) fn kill_marked(mark: &str) {
        let variable = format!("{}={mark}", super::VARIABLE);
        let is_marked = |&id: &i32| {
            // Of a process that has ended nothing can be read.
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
                // No chain is longer than there are processes, however they change meanwhile.
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
                // Gone in the meantime, or nobody's to kill: neither can be helped.
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

    /// The parent of a process that is no zombie.
    fn living_parent(id: i32) -> Option<i32> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name before may hold blanks and brackets.
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

/// From now on whatever processes below this one leave behind is handed to this one, and not to the system's first.
/// That holds for the whole program, so it is for programs to ask for, not for libraries.
pub(crate) fn adopt_orphans() {
    imp::adopt_orphans();
}

/// Kills everything whose mark begins so.
pub(super) fn kill_marked(mark: &str) {
    imp::kill_marked(mark);
}

/// Kills everything that this program has started, directly or not.
pub(crate) fn kill_all_below() {
    imp::kill_all_below();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_not_the_variable_of_the_tests() {
        // CONTRIBUTING.md tells people which one that is.
        let told = include_str!("../../CONTRIBUTING.md");
        assert!(told.contains("`KAGETSU_ENGINE=") && !told.contains(&format!("`{VARIABLE}=")));
        assert_eq!(VARIABLE, "KAGETSU_ENGINE_MARK");
    }
}
