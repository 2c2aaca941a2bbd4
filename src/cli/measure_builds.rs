//! What `kagetsu measure` plays with: the programs of the working tree and of a commit, built with git and Cargo. It
//! knows nothing of matches.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use super::bench::SIGNATURE_DEPTH;
use super::ending::Interrupted;
use super::output::remark;
use crate::arena::process::in_group;
use crate::arena::stop::Stop;
use crate::files::{Fingerprint, beside, lock, make_folder};

/// Characters of a commit's hash that are shown.
const SHORT_NAME: usize = 10;
/// Time between two looks whether another process has ended its builds.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// Time between two looks whether a command has ended, or is to be.
const POLL: Duration = Duration::from_millis(20);
/// How the names of the trees of commits begin, each of which lasts as long as its build.
const TREE: &str = "tree-";

/// A checkout of Kagetsu, and its folder of builds and records.
pub(super) struct Checkout<'a> {
    root: PathBuf,
    /// `target/measure`.
    pub(super) folder: PathBuf,
    stop: &'a Stop,
}

impl<'a> Checkout<'a> {
    /// The checkout around the current folder.
    ///
    /// # Errors
    /// There is none, or the folder cannot be made.
    pub(super) fn open(stop: &'a Stop) -> anyhow::Result<Checkout<'a>> {
        let root = PathBuf::from(said(git(Path::new(".")).args(["rev-parse", "--show-toplevel"]))?);
        let folder = root.join("target").join("measure");
        make_folder(&folder)?;
        Ok(Checkout { root, folder, stop })
    }

    /// The commit to compare with: the one asked for, or HEAD if there are uncommitted changes, or the one before it.
    ///
    /// # Errors
    /// There is no such commit.
    pub(super) fn base(&self, asked: Option<&str>) -> anyhow::Result<String> {
        let root = &self.root;
        let is_dirty = !said(git(root).args(["status", "--porcelain", "--untracked-files=no"]))?.is_empty();
        let revision = asked.unwrap_or(if is_dirty { "HEAD" } else { "HEAD^" });
        let commit = format!("{revision}^{{commit}}");
        let said = said(git(root).args(["rev-parse", "--verify", "--quiet", &commit]));
        let Ok(mut name) = said else { bail!("`{revision}` is not a commit of {}", root.display()) };
        name.truncate(SHORT_NAME);
        Ok(name)
    }

    /// Waits until no other process builds here. None will until the returned file is closed: the builds of all share
    /// their folders, and one would remove what another is compiling.
    ///
    /// # Errors
    /// The lock file cannot be created or locked; an interruption.
    pub(super) fn await_turn(&self) -> anyhow::Result<File> {
        await_turn(&self.folder, self.stop)
    }

    /// The program of the working tree, and its fingerprint. The name identifies the contents, so that records of
    /// another state are not continued.
    ///
    /// # Errors
    /// The build fails; an interruption.
    pub(super) fn build_tree(&self) -> anyhow::Result<(PathBuf, String)> {
        remark("building the working tree");
        let built = self.build(&self.root, &self.root.join("target"))?;
        let state = fingerprint(&std::fs::read(&built)?);
        let program = self.folder.join(format!("kagetsu-tree-{state}"));
        keep(&built, &program)?;
        Ok((program, state))
    }

    /// The program of a commit; built once by each compiler.
    ///
    /// # Errors
    /// The build fails; an interruption.
    pub(super) fn build_commit(&self, commit: &str) -> anyhow::Result<PathBuf> {
        let program = self.folder.join(format!("kagetsu-{commit}-{}", toolchain(&self.root)?));
        if program.exists() {
            remark(format_args!("{commit} was built before"));
            return Ok(program);
        }
        remark(format_args!("building {commit}, which is needed only once"));
        // Left behind by processes that were killed.
        self.remove_trees();
        let tree = self.folder.join(format!("{TREE}{commit}"));
        let added =
            said(git(&self.root).args(["worktree", "add", "--force", "--detach"]).arg(&tree).arg(commit));
        let built = added.and_then(|_| self.build(&tree, &self.folder.join("build")));
        let kept = built.and_then(|built| keep(&built, &program));
        self.remove_trees();
        kept.map(|()| program)
    }

    /// Removes the trees of commits from the folder, and from the list that git keeps of them. Only for who builds.
    fn remove_trees(&self) {
        for entry in self.folder.read_dir().into_iter().flatten().flatten() {
            if !entry.file_name().to_string_lossy().starts_with(TREE) {
                continue;
            }
            let mut remove = git(&self.root);
            remove.args(["worktree", "remove", "--force"]).arg(entry.path());
            // Git may know nothing of a tree that it was about to make.
            if said(&mut remove).is_err() {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Builds the release binary of a checkout, and asks Cargo where it is: that depends on its configuration.
    fn build(&self, tree: &Path, target: &Path) -> anyhow::Result<PathBuf> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["build", "--release", "--bin", "kagetsu", "--message-format=json-render-diagnostics"])
            .arg("--target-dir")
            .arg(target)
            .current_dir(tree)
            .stdout(Stdio::piped());
        let (status, told) = run(command, self.stop).context("running cargo")?;
        ensure!(status.success(), "{} does not build", tree.display());
        program_in(&told)
            .with_context(|| format!("cargo does not say where the program of {} is", tree.display()))
    }
}

/// The program that Cargo says it has built, or found up to date.
fn program_in(told: &str) -> Option<PathBuf> {
    let messages = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let program = messages.filter(|message| message["target"]["name"] == "kagetsu");
    program.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back()
}

/// The nodes that a build searches to [`SIGNATURE_DEPTH`]; `None` if its `kagetsu bench` does not print them last.
///
/// # Errors
/// An interruption.
pub(super) fn signature_of(program: &Path, stop: &Stop) -> anyhow::Result<Option<u64>> {
    let mut command = Command::new(program);
    command.args(["bench", "--depth", &SIGNATURE_DEPTH.to_string()]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    match run(command, stop) {
        Ok((_, benched)) => Ok(signature_in(&benched)),
        Err(_) if !stop.is_interrupted() => Ok(None),
        Err(error) => Err(error),
    }
}

/// The signature in the last line of what `kagetsu bench` prints.
fn signature_in(benched: &str) -> Option<u64> {
    let (nodes, rest) = benched.lines().last()?.split_once(' ')?;
    rest.starts_with("nodes").then(|| nodes.parse().ok()).flatten()
}

/// Runs a command to its end, and returns its output if that is piped. A command that is still running when `stop` is
/// asked for is killed with all that it has started.
///
/// # Errors
/// It cannot be started; an interruption.
fn run(mut command: Command, stop: &Stop) -> anyhow::Result<(ExitStatus, String)> {
    command.stdin(Stdio::null());
    // Cargo alone would leave compilers behind.
    let mut child = in_group(command).spawn()?;
    // Read meanwhile, since a pipe that is full would hold the command up.
    let output = child.stdout().take().map(|mut pipe| {
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = pipe.read_to_string(&mut text);
            text
        })
    });
    let status = loop {
        if let Some(status) = child.inner_mut().try_wait()? {
            break status;
        }
        if stop.is_asked() {
            let _ = child.start_kill();
            let _ = child.wait();
            bail!(Interrupted { goes_on: true });
        }
        std::thread::sleep(POLL);
    };
    let output = output.and_then(|reader| reader.join().ok());
    Ok((status, output.unwrap_or_default()))
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    command
}

/// What a command prints, without the line end.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::piped()).output().with_context(|| format!("running {name}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    ensure!(output.status.success(), "{name}: {}", text(&output.stderr));
    Ok(text(&output.stdout))
}

fn await_turn(folder: &Path, stop: &Stop) -> anyhow::Result<File> {
    let path = folder.join("build.lock");
    let mut is_told = false;
    loop {
        if let Some(turn) = lock::take(&path)? {
            return Ok(turn);
        }
        ensure!(!stop.is_asked(), Interrupted { goes_on: true });
        if !is_told {
            remark("another `kagetsu measure` is building: waiting until it is done");
            is_told = true;
        }
        std::thread::sleep(LOOK_AGAIN);
    }
}

/// Keeps a built binary under this name. One that is there already may be playing a match, and is the same.
///
/// # Errors
/// The binary cannot be copied.
fn keep(built: &Path, binary: &Path) -> anyhow::Result<()> {
    if binary.exists() {
        return Ok(());
    }
    // Half a copy must not pass for a binary.
    let part = beside(binary, ".part");
    std::fs::copy(built, &part).with_context(|| format!("copying {}", built.display()))?;
    std::fs::rename(&part, binary).with_context(|| format!("renaming {}", part.display()))
}

/// What builds programs here, as a number: the compiler, and what the environment tells it. With another one, the same
/// commit is another program, and a match would measure the compiler.
fn toolchain(root: &Path) -> anyhow::Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut told = said(Command::new(rustc).arg("-vV").current_dir(root))?.into_bytes();
    let mut settings: Vec<_> =
        std::env::vars_os().filter(|(name, _)| shapes_programs(&name.to_string_lossy())).collect();
    settings.sort();
    for (name, value) in settings {
        told.push(b'\n');
        told.extend(name.as_encoded_bytes());
        told.push(b'=');
        told.extend(value.as_encoded_bytes());
    }
    Ok(fingerprint(&told))
}

/// Whether a variable of the environment changes what Cargo builds.
fn shapes_programs(name: &str) -> bool {
    let of_target = |rest: &str| ["_RUSTFLAGS", "_LINKER"].iter().any(|ending| rest.ends_with(ending));
    ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_BUILD_TARGET"].contains(&name)
        || name.starts_with("CARGO_PROFILE_RELEASE_")
        || name.strip_prefix("CARGO_TARGET_").is_some_and(of_target)
}

pub(super) fn fingerprint(bytes: &[u8]) -> String {
    Fingerprint::EMPTY.with_bytes(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_build_in_turn_and_leave_what_plays_alone() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        let stop = Stop::new();
        let turn = await_turn(folder, &stop).unwrap();
        let next = std::thread::spawn({
            let (folder, stop) = (folder.to_owned(), std::sync::Arc::clone(&stop));
            move || await_turn(&folder, &stop).is_ok()
        });
        std::thread::sleep(LOOK_AGAIN);
        assert!(!next.is_finished());
        drop(turn);
        assert!(next.join().unwrap());
        let _turn = await_turn(folder, &stop).unwrap();
        stop.interrupt();
        let error = await_turn(folder, &stop).unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&Interrupted { goes_on: true }));

        let (built, binary) = (folder.join("built"), folder.join("kagetsu-1"));
        for text in ["first", "second"] {
            std::fs::write(&built, text).unwrap();
            keep(&built, &binary).unwrap();
            assert_eq!(std::fs::read_to_string(&binary).unwrap(), "first");
        }
        assert!(keep(&folder.join("none"), &folder.join("kagetsu-2")).is_err());
        assert!(!folder.join("kagetsu-2").exists());
    }

    #[test]
    fn a_build_tells_its_signature_last() {
        let signature = signature_in("signature  4711\nnodes/s    99\n4711 nodes 99 nps\n");
        assert_eq!(signature, Some(4711));
        assert_eq!((signature_in("4711 games played"), signature_in("")), (None, None));
        assert_eq!(signature_of(Path::new("/does/not/exist"), &Stop::new()).unwrap(), None);
    }

    #[test]
    fn cargo_tells_where_a_program_is() {
        let told = r#"{"reason":"compiler-artifact","target":{"name":"kagetsu","kind":["lib"]},"executable":null}
warning: no message
{"reason":"compiler-artifact","target":{"name":"other"},"executable":"/t/release/other"}
{"reason":"compiler-artifact","target":{"name":"kagetsu","kind":["bin"]},"executable":"/t/musl/release/kagetsu"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(program_in(told), Some(PathBuf::from("/t/musl/release/kagetsu")));
        assert_eq!(program_in(r#"{"reason":"build-finished","success":true}"#), None);
    }

    #[test]
    fn what_shapes_programs_is_part_of_their_names() {
        let shaping =
            ["RUSTFLAGS", "CARGO_PROFILE_RELEASE_LTO", "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS"];
        assert!(shaping.into_iter().all(shapes_programs));
        let others = ["PATH", "CARGO_TARGET_DIR", "CARGO_BUILD_JOBS", "CARGO_PROFILE_DEV_OPT_LEVEL"];
        assert!(!others.into_iter().any(shapes_programs));
    }

    #[cfg(unix)]
    #[test]
    fn a_command_ends_with_all_that_it_has_started() {
        let folder = tempfile::tempdir().unwrap();
        let stop = Stop::new();
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).current_dir(folder.path()).stdout(Stdio::piped());
            command
        };
        let (status, said) = run(shell("echo done; exit 3"), &stop).unwrap();
        assert_eq!((status.code(), said.as_str()), (Some(3), "done\n"));
        // More than a pipe holds.
        let (_, said) = run(shell("seq 40000"), &stop).unwrap();
        assert_eq!(said.lines().count(), 40_000);
        let stopper = std::sync::Arc::clone(&stop);
        let started = folder.path().join("started");
        std::thread::spawn(move || {
            while !started.exists() {
                std::thread::sleep(POLL);
            }
            stopper.interrupt();
        });
        let error = run(shell("(sleep 1; touch late) & touch started; sleep 100"), &stop).unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&Interrupted { goes_on: true }));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!folder.path().join("late").exists());
    }
}
