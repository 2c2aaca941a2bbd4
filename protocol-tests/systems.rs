//! What differs between systems and must not: line ends, names of files and folders, and what becomes of engines whose
//! runner is killed.
//!
//! `KAGETSU_ENGINE=/path/to/kagetsu.exe KAGETSU_RUNNER=wine64` tests a program for Windows; `packaging/windows` does
//! so.

mod harness;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use harness::{PATIENCE, runnable, tell_skipped};
use kagetsu::Rule;
use kagetsu::arena::{GAMES_FILE, Records};
use kagetsu::data::Shard;
use tempfile::{Builder, TempDir};

/// The program under test.
fn program() -> OsString {
    std::env::var_os("KAGETSU_ENGINE").unwrap_or(env!("CARGO_BIN_EXE_kagetsu").into())
}

/// A folder with blanks and letters of several scripts in its name.
fn folder() -> TempDir {
    Builder::new().prefix("kagetsu Gömöku, 五目 (").suffix(")").tempdir().expect("a folder can be made")
}

fn kagetsu(folder: impl AsRef<Path>, arguments: &[&str]) -> Output {
    let mut command = runnable(program());
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env_remove("RUST_LOG").env_remove("KAGETSU_LOG_FILE");
    command.output().expect("the program starts")
}

/// What the command says, which must end well.
fn said(folder: impl AsRef<Path>, arguments: &[&str]) -> String {
    let output = kagetsu(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}: {errors}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The same position in every format, as editors of Windows save it, in files whose names are not easy.
#[test]
fn files_of_windows_are_read() {
    let folder = folder();
    let texts = [
        ("five stones.sgf", "(;GM[4]SZ[15]\n;B[hh];W[aa]\n;B[ih];W[oa]\n;B[jh]C[ends\nhere])\n"),
        ("five stones.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n1,1,10\n9,8,0\n15,1,10\n10,8,0\na\nb\n-1\n"),
        ("fünf Steine.txt", "h8 a15\ni8 o15\nj8\n"),
        (
            "五.txt",
            concat!(
                "O.............O\n",
                "...............\n...............\n...............\n",
                "...............\n...............\n...............\n",
                ".......XXX.....\n",
                "...............\n...............\n...............\n...............\n",
                "...............\n...............\n...............\n"
            ),
        ),
    ];
    for (name, text) in texts {
        for (mark, end) in [("", "\n"), ("", "\r\n"), ("\u{feff}", "\r\n")] {
            fs::write(folder.path().join(name), format!("{mark}{}", text.replace('\n', end)))
                .expect("it can be written");
            let text = said(&folder, &["analyse", name, "--nodes", "2000", "--lines", "1"]);
            assert!(text.contains("freestyle 15x15, 5 stones, White to move"), "{name}: {text}");
        }
    }
    // In the encoding of PowerShell's redirections.
    let wide: Vec<u8> = "\u{feff}h8 a15\r\ni8 o15 j8\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.path().join("wide.txt"), wide).expect("it can be written");
    let text = said(&folder, &["analyse", "wide.txt", "--nodes", "2000", "--lines", "1"]);
    assert!(text.contains("5 stones, White to move"), "{text}");
    // A mistake is told with file, line and column, whatever the line ends.
    fs::write(folder.path().join("schlecht.sgf"), "(;GM[4]SZ[15]\r\n;B[hh]\r\n;W[zz])\r\n")
        .expect("it can be written");
    let wrong = kagetsu(&folder, &["analyse", "schlecht.sgf"]);
    let told = String::from_utf8_lossy(&wrong.stderr);
    assert!(!wrong.status.success() && told.contains("schlecht.sgf: line 3, column 4: "), "{told}");
}

#[test]
fn files_are_written_wherever_people_want_them() {
    let folder = folder();
    // An opening a line, with the line ends of Windows.
    fs::write(folder.path().join("Eröffnungen.txt"), "h8i9j8\r\nh8i8h7\r\n").expect("it can be written");
    let options =
        ["match", "-e", "name=eins nodes=40", "-e", "name=zwei nodes=60", "--games", "4", "--quiet"];
    let files = ["--openings", "Eröffnungen.txt", "--out", "das Spiel", "--report", "Bericht 1.html"];
    said(&folder, &[&options[..], &files].concat());
    let records =
        Records::read(&folder.path().join("das Spiel").join(GAMES_FILE)).expect("the records can be read");
    assert_eq!(records.games.len(), 4);
    assert!(records.games.iter().all(|game| game.fault().is_none()), "{records:?}");
    let page = fs::read_to_string(folder.path().join("Bericht 1.html")).expect("the report was written");
    assert!(page.contains("zwei"));
    let samples = said(&folder, &["samples", "das Spiel"]);
    assert!(samples.lines().count() > 20, "{samples}");

    let play = ["selfplay", "--out", "Partien für später", "--games", "6", "--nodes", "60", "--seed", "1"];
    said(&folder, &[&play[..], &["--rule", Rule::Freestyle.name(), "--size", "9"]].concat());
    said(&folder, &["data", "check", "Partien für später"]);
    let shard =
        fs::read(folder.path().join("Partien für später").join("seed-1-0000.kgr")).expect("it was written");
    assert_eq!(Shard::from_bytes(&shard).expect("it is a shard").games.len(), 6);

    let moves = "f5 h10 f7 h8 e6 e10 h5 g7";
    said(&folder, &["solve", "--moves", moves, "--format", "json", "-o", "Beweis.json"]);
    assert!(said(&folder, &["check-proof", "Beweis.json"]).starts_with("verified: "));
}

/// An engine under a path with blanks and umlauts, which never answers and does not mind that nobody listens: the
/// server of the board. It must end with its runner.
#[test]
fn an_engine_ends_with_a_runner_that_is_killed() {
    if !cfg!(any(target_os = "linux", windows)) {
        tell_skipped("there is no list of processes to look into");
        return;
    }
    let folder = folder();
    let token = format!("engine-{}", std::process::id());
    let engine = folder.path().join(format!("{token}{}", if is_for_windows() { ".exe" } else { "" }));
    fs::copy(program(), &engine).expect("a program can be copied");
    let name = engine.file_name().expect("it has a name").to_string_lossy().into_owned();
    let spec = format!("cmd=./{name} arg=board arg=--no-open name=deaf turn=300 hang=300");
    let mut command = runnable(program());
    command.args(["match", "-e", &spec, "-e", "nodes=50", "--games", "2", "--size", "9"]);
    let runner =
        command.current_dir(&folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut runner = runner.spawn().expect("the runner starts");
    wait_until("the engine runs", || is_running(&name, runner.id()));
    runner.kill().expect("it can be killed");
    runner.wait().expect("it was started here");
    wait_until("the engine is gone", || !is_running(&name, runner.id()));
}

fn is_for_windows() -> bool {
    Path::new(&program()).extension().is_some_and(|end| end == "exe")
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + 2 * PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "in vain: {what}");
        sleep(Duration::from_millis(50));
    }
}

/// Whether a process other than the runner was started from this file.
fn is_running(name: &str, runner: u32) -> bool {
    if cfg!(windows) {
        let list = Command::new("tasklist").args(["/FO", "CSV", "/NH"]).output().expect("Windows has it");
        return String::from_utf8_lossy(&list.stdout).contains(name);
    }
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_string_lossy().parse::<u32>().ok());
    ids.filter(|&id| id != runner).any(|id| {
        let command = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        // The runner's watchdog and the loader of wine have the name in an argument; the engine in its first words.
        let mut words = command.split(|&byte| byte == 0).take(2);
        words.any(|word| String::from_utf8_lossy(word).ends_with(name))
    })
}
