//! Matches against engines that misbehave on purpose, and matches that are killed.
//!
//! The engines are a program of their own, `scripted_engine.rs`, which takes the name of a script.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::thread::sleep;
use std::time::{Duration, Instant};

use kagetsu::Size;
use kagetsu::arena::{
    Book, EngineSpec, Event, Fault, GAMES_FILE, GameRecord, GameResult, MatchConfig, MatchContext, Records,
    Stop, make_names_unique, run_match, start_watchdog,
};

const SIDE: usize = 9;
const KAGETSU: &str = env!("CARGO_BIN_EXE_kagetsu");

// ----- The engines -----

/// The program of the scripted engines. `cargo test` builds it with everything else, but `cargo test --test arena`
/// does not, so it is built here if it is older than its source. Otherwise Cargo is not asked, since it would wait for
/// another Cargo that uses the same folder, such as Clippy's.
fn scripted_engine() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let own = std::env::current_exe().unwrap();
        // target/PROFILE/deps/arena-HASH, or target/TRIPLE/PROFILE/deps/arena-HASH with `--target TRIPLE`
        let profile = own.ancestors().nth(2).unwrap();
        let program =
            profile.join("examples").join(format!("scripted_engine{}", std::env::consts::EXE_SUFFIX));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol-tests/scripted_engine.rs");
        let written = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        if written(&program) > written(Path::new(source)) {
            return program;
        }
        let mut target = profile.parent().unwrap();
        let mut triple = Vec::new();
        let name = target.file_name().unwrap().to_str().unwrap();
        if name.starts_with(&format!("{}-", std::env::consts::ARCH)) {
            triple = vec!["--target", name];
            target = target.parent().unwrap();
        }
        let name = match profile.file_name().unwrap().to_str().unwrap() {
            "debug" => "dev",
            name => name,
        };
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--example", "scripted_engine", "--profile", name])
            .arg("--manifest-path")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
            .arg("--target-dir")
            .arg(target)
            .args(triple)
            .status();
        assert!(built.unwrap().success(), "the scripted engine does not build");
        program
    })
}

/// The command line of an engine.
fn command(script: &str) -> String {
    format!("'{}' arg={script}", scripted_engine().display())
}

// ----- Verdicts -----

fn config(script: &str) -> MatchConfig {
    // Who is meant to run out of time has little of it; a busy machine must not be taken for a fault of the others.
    let waits =
        ["late", "silent", "garbage", "wrong-ok", "spam", "endless-line", "deaf", "asleep"].contains(&script);
    let limits = if waits { "turn=0.2 margin=0.8 hang=3" } else { "turn=20 margin=10" };
    let scripted = format!("cmd={} name={script} {limits} memory=150M", command(script));
    let mut engines =
        [scripted.as_str(), "nodes=50"].map(|text| EngineSpec::parse(text, &[]).unwrap()).to_vec();
    make_names_unique(&mut engines, &[true, false]).unwrap();
    let book = Book::empty(Size::square(SIDE));
    MatchConfig { games: 2, concurrency: 2, ..MatchConfig::new(engines, book) }
}

fn context() -> MatchContext {
    let watchdog = start_watchdog(Path::new(KAGETSU)).unwrap();
    MatchContext { watchdog: Some(Arc::new(watchdog)), ..MatchContext::default() }
}

/// Both games and the notes of a match against the scripted engine.
fn played(config: &MatchConfig) -> (Vec<GameRecord>, Vec<String>) {
    let (mut games, mut notes) = (Vec::new(), Vec::new());
    run_match(config, &context(), &Stop::new(), |_, event| match event {
        Event::Game(game) => games.push(game.clone()),
        Event::Note(text) => notes.push(text.to_owned()),
        Event::Resumed(_) => {}
    })
    .unwrap();
    assert_eq!(games.len(), config.games);
    (games, notes)
}

/// The fault by which the engine lost both games, one with each colour: so it was restarted.
fn fault(script: &str) -> Fault {
    let (games, _) = played(&MatchConfig { concurrency: 1, ..config(script) });
    let faults: Vec<&Fault> = games
        .iter()
        .map(|game| {
            assert_eq!(game.loser(), Some(script), "{game:?}");
            game.fault().unwrap_or_else(|| panic!("no fault: {game:?}"))
        })
        .collect();
    assert_eq!(std::mem::discriminant(faults[0]), std::mem::discriminant(faults[1]), "{faults:?}");
    faults[1].clone()
}

#[test]
fn a_proper_engine_loses_on_the_board_only() {
    let (games, notes) = played(&config("proper"));
    assert!(games.iter().all(|game| game.fault().is_none()), "{games:?}");
    assert!(notes.is_empty(), "{notes:?}");
}

/// One engine over the protocol, the other within the runner: each proposes once and chooses once.
#[test]
fn swap2_is_asked_of_engines_of_both_kinds() {
    let size = Size::square(15);
    // Openings are weighed for as long as there is time.
    let outside = format!("cmd='{KAGETSU}' name=outside nodes=50 turn=0.5 margin=20");
    let mut config = config("proper");
    config.engines = [outside.as_str(), "name=inside nodes=50 turn=0.5 margin=20"]
        .map(|text| EngineSpec::parse(text, &[]).unwrap())
        .to_vec();
    config.book = Book::empty(size);
    config = MatchConfig { swap2: true, size, ..config };
    let (games, notes) = played(&config);
    assert!(notes.is_empty(), "{notes:?}");
    for game in &games {
        assert!(game.fault().is_none() && game.moves.len() > 4, "{game:?}");
        // The three stones are one answer, whose time stands beside the last of them.
        let timed: Vec<bool> = game.moves[..3].iter().map(|stone| stone.ms.is_some()).collect();
        assert_eq!(timed, [false, false, true], "{game:?}");
    }
}

#[test]
fn late() {
    let fault = fault("late");
    assert!(matches!(fault, Fault::Late { limit_ms: 200, used_ms: 1300.. }), "{fault:?}");
}

#[test]
fn silent() {
    let fault = fault("silent");
    assert!(matches!(fault, Fault::Hang { waited_ms: 2000..9000 }), "{fault:?}");
}

#[test]
fn illegal() {
    let fault = fault("illegal");
    assert!(matches!(fault, Fault::Illegal { .. }), "{fault:?}");
}

#[test]
fn garbage() {
    assert_eq!(fault("garbage"), Fault::Nonsense { line: "j10 looks good, 3".to_owned() });
}

#[test]
fn garbage_before_a_move() {
    let (games, _) = played(&config("banner"));
    assert!(games.iter().all(|game| game.fault().is_none()), "{games:?}");
}

#[test]
fn garbage_in_place_of_ok() {
    assert_eq!(fault("wrong-ok"), Fault::NoOk { got: Some("OK - ready".to_owned()) });
}

#[test]
fn error_in_place_of_a_move() {
    assert_eq!(fault("error"), Fault::Error { text: "ERROR cannot think".to_owned() });
}

#[test]
fn refused_start() {
    assert_eq!(fault("refuses-start"), Fault::Refused { text: "ERROR no such board".to_owned() });
}

#[test]
fn exit() {
    match fault("exit") {
        Fault::Crash { status, stderr } => {
            assert!(status.contains('3'), "{status}");
            assert_eq!(stderr, ["the engine's last words"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn spam() {
    let fault = fault("spam");
    assert!(matches!(fault, Fault::Spam { lines: 1000.. }), "{fault:?}");
}

#[test]
fn a_line_without_end() {
    let fault = fault("endless-line");
    assert!(matches!(fault, Fault::Spam { .. } | Fault::Nonsense { .. }), "{fault:?}");
}

/// More than a pipe holds is sent to an engine that never reads.
#[test]
fn an_engine_that_does_not_read_holds_up_nothing() {
    for script in ["deaf", "asleep"] {
        let mut config = MatchConfig { games: 1, ..config(script) };
        config.engines[0].raw = vec!["x".repeat(100_000)];
        let (games, _) = played(&config);
        assert!(matches!(games[0].fault(), Some(Fault::Hang { waited_ms: 2000.. })), "{script}: {games:?}");
    }
}

/// It is neither the engine nor the pipe that ends the match here, and who asks twice waits for nobody.
#[test]
#[cfg(target_os = "linux")]
fn a_match_with_an_engine_that_does_not_read_can_be_interrupted() {
    use nix::sys::signal::Signal::{SIGINT, SIGTERM};
    let engine = format!("cmd={} name=asleep raw={} turn=300", command("asleep"), "x".repeat(100_000));
    for signals in [&[SIGINT][..], &[SIGTERM], &[SIGINT, SIGINT], &[SIGTERM, SIGINT]] {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log.txt");
        let arguments = ["-e", &engine, "-e", "nodes=50", "--size", "9", "--games", "1", "--log"];
        let mut runner = start_runner(&[&arguments[..], &[log.to_str().unwrap()]].concat());
        let is_asked = || std::fs::read_to_string(&log).is_ok_and(|text| text.contains("asleep > BEGIN"));
        wait_until("a move is asked for", is_asked);
        let engines = engines_of(runner.id());
        assert_eq!(engines.len(), 1);
        signals.iter().for_each(|&signal| interrupt(&runner, signal));
        wait_until("the runner is gone", || runner.try_wait().unwrap().is_some());
        // What shells say of a program that Ctrl-C has ended.
        assert_eq!(runner.wait().unwrap().code(), Some(130), "{signals:?}");
        wait_until("the engine is gone", || !is_alive(engines[0]));
    }
}

/// Names that engines have not said yet are not entered, so the same command goes on, and so does the match.
#[test]
#[cfg(target_os = "linux")]
fn a_match_can_be_interrupted_while_engines_say_their_names() {
    use nix::sys::signal::Signal::SIGINT;
    let folder = tempfile::tempdir().unwrap();
    let (log, out) = (folder.path().join("log.txt"), folder.path().join("out"));
    // It does not answer to ABOUT, and the match waits for it; and its moves take so long that the match is not over
    // before it can be interrupted.
    let engine = format!("cmd={} turn=20", command("steady"));
    let arguments = ["-e", &engine, "-e", "nodes=50", "--size", "9", "--games", "2", "--log"];
    let arguments = [&arguments[..], &[log.to_str().unwrap(), "--out", out.to_str().unwrap()]].concat();
    let path = out.join(GAMES_FILE);
    for name in [None, Some("as it was called before")] {
        if let Some(name) = name {
            // As if it had answered in time when the match began.
            let mut runner = start_runner(&arguments);
            wait_until("the match has begun", || path.metadata().is_ok_and(|file| file.len() > 0));
            interrupt(&runner, SIGINT);
            assert_eq!(runner.wait().unwrap().code(), Some(130));
            let before = std::fs::read_to_string(&path).unwrap();
            let named = before.replacen("\"name\":\"scripted_engine\"", &format!("\"name\":\"{name}\""), 1);
            assert_ne!(named, before);
            std::fs::write(&path, named).unwrap();
        }
        let before = std::fs::read(&path).ok();
        std::fs::write(&log, "").unwrap();
        let mut runner = start_runner(&arguments);
        let is_asked = || std::fs::read_to_string(&log).is_ok_and(|text| text.contains("> ABOUT"));
        wait_until("an engine is asked for its name", is_asked);
        interrupt(&runner, SIGINT);
        assert_eq!(runner.wait().unwrap().code(), Some(130), "{name:?}");
        assert_eq!(std::fs::read(&path).ok(), before);
    }
    let mut runner = start_runner(&arguments);
    assert!(runner.wait().unwrap().success());
    let records = Records::read(&path).unwrap();
    assert_eq!(records.games.len(), 2);
    assert_eq!(records.header.unwrap().engines[0].name, "as it was called before");
}

#[test]
#[cfg(target_os = "linux")]
fn memory() {
    let fault = fault("hungry");
    assert!(matches!(fault, Fault::Memory { peak: 209_715_200.., limit: 157_286_400 }), "{fault:?}");
}

#[test]
fn an_engine_that_ignores_end_is_killed_and_noted() {
    let (games, notes) = played(&MatchConfig { concurrency: 1, ..config("ignores-end") });
    assert!(games.iter().all(|game| game.fault().is_none()));
    assert_eq!(notes, ["ignores-end ignored END and was killed"]);
}

#[test]
fn a_program_that_is_missing_loses() {
    let mut config = config("proper");
    config.engines[0].command = Some(vec!["/nonexistent/engine".to_owned()]);
    let (games, _) = played(&config);
    assert!(games.iter().all(|game| matches!(game.fault(), Some(Fault::Launch { .. }))), "{games:?}");
}

#[test]
fn a_fault_can_end_the_match() {
    let config = MatchConfig { faults_are_fatal: true, games: 50, concurrency: 1, ..config("error") };
    let summary = run_match(&config, &context(), &Stop::new(), |_, _| {}).unwrap();
    assert_eq!(summary.standings.games(), 1);
    assert!(summary.fatal.unwrap().contains("ERROR"));
}

/// How little it is, `benches/arena.rs` measures.
#[test]
fn what_the_manager_adds_to_a_move_is_recorded() {
    let mut config = config("proper");
    config.engines[1] = EngineSpec { name: "other".to_owned(), ..config.engines[0].clone() };
    config.concurrency = 1;
    let (games, _) = played(&config);
    assert_eq!(games[0].result, GameResult::Black);
    for game in &games {
        let thinking: f64 = game.moves.iter().filter_map(|record| record.ms).sum();
        let added = game.overhead_ms.expect("there was no fault");
        // Milliseconds of the whole game are cut off.
        assert!(added > 0.0, "a move cannot come in no time");
        assert!(added + thinking < game.duration_ms as f64 + 1.0, "{added} {thinking} {}", game.duration_ms);
    }
}

// ----- Runners that are killed -----

fn start_runner(arguments: &[&str]) -> Child {
    Command::new(KAGETSU)
        .arg("match")
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[cfg(unix)]
fn interrupt(runner: &Child, signal: nix::sys::signal::Signal) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(runner.id() as i32), signal).unwrap();
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Games without what differs from run to run.
fn games_in(folder: impl AsRef<Path>) -> BTreeMap<usize, GameRecord> {
    let records = Records::read(&folder.as_ref().join(GAMES_FILE)).unwrap();
    let plain = |mut game: GameRecord| {
        (game.duration_ms, game.overhead_ms) = (0, None);
        game.moves.iter_mut().for_each(|record| record.ms = None);
        (game.id, game)
    };
    records.games.into_iter().map(plain).collect()
}

#[test]
fn a_killed_match_goes_on_and_is_the_same() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let arguments = |folder: &Path| -> Vec<String> {
        let text = "-e nodes=400 -e nodes=300 --size 11 --openings random --opening-plies 5 --seed 3 --games 30 \
                    --concurrency 2 --rule renju --quiet --out";
        text.split_whitespace().map(String::from).chain([folder.display().to_string()]).collect()
    };
    let start = |folder: &Path| {
        let arguments = arguments(folder);
        start_runner(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert!(start(whole.path()).wait().unwrap().success());
    let path = killed.path().join(GAMES_FILE);
    let lines = || std::fs::read(&path).map_or(0, |bytes| bytes.iter().filter(|&&b| b == b'\n').count());
    for least in [4, 9] {
        let mut runner = start(killed.path());
        wait_until("some games", || lines() > least || runner.try_wait().unwrap().is_some());
        runner.kill().unwrap();
        assert!(!runner.wait().unwrap().success(), "it was over before it could be killed");
    }
    assert!(lines() < 31);
    assert!(start(killed.path()).wait().unwrap().success());
    assert_eq!(games_in(&whole).len(), 30);
    assert_eq!(games_in(&killed), games_in(&whole));
    // No game was played twice: each has one line.
    assert_eq!(lines(), 31);
}

/// The page at the end of a match that is now shorter shows the games that its result counts.
#[test]
fn the_page_of_a_shorter_match_shows_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    for (games, shown) in [("6", 6), ("4", 4)] {
        let engines = ["-e", "name=a nodes=20", "-e", "name=b nodes=10", "--size", "9", "--seed", "1"];
        let records =
            ["--games", games, "--out", folder.path().to_str().unwrap(), "--report", page.to_str().unwrap()];
        let mut runner = start_runner(&[&engines[..], &records].concat());
        assert!(runner.wait().unwrap().success());
        let text = std::fs::read_to_string(&page).unwrap();
        assert_eq!(text.matches("{\"id\":").count(), shown);
        assert_eq!(Records::read(&folder.path().join(GAMES_FILE)).unwrap().games.len(), 6);
    }
}

/// The runner is stopped as by Ctrl-Z while an engine has 300 ms for its move, and goes on long after that.
#[test]
#[cfg(unix)]
fn time_that_the_runner_lost_is_not_the_engines() {
    use nix::sys::signal::Signal;
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("cmd={} name=steady turn=0.3 margin=0.7", command("steady"));
    let arguments = ["-e", &engine, "-e", "nodes=50", "--size", "9", "--games", "2", "--out"];
    let mut runner = start_runner(&[&arguments[..], &[folder.path().to_str().unwrap()]].concat());
    let path = folder.path().join(GAMES_FILE);
    wait_until("a game has begun", || path.metadata().is_ok_and(|file| file.len() > 0));
    for _ in 0..2 {
        sleep(Duration::from_millis(400));
        interrupt(&runner, Signal::SIGSTOP);
        sleep(Duration::from_secs(3));
        interrupt(&runner, Signal::SIGCONT);
    }
    assert!(runner.wait().unwrap().success());
    let records = Records::read(&path).unwrap();
    assert!(records.games.iter().all(|game| game.fault().is_none()), "{records:?}");
    let noted = records.notes.iter().filter(|note| note.contains("is played again")).count();
    assert!(noted > 0 && records.games.len() == 2, "{records:?}");
}

/// Process ids of all whose parent and command line are as wanted.
#[cfg(target_os = "linux")]
fn processes(is_wanted: impl Fn(Option<u32>, &str) -> bool) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(id) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let read = |name: &str| std::fs::read_to_string(format!("/proc/{id}/{name}")).unwrap_or_default();
        let parent =
            read("stat").rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok());
        if is_wanted(parent, &read("cmdline")) {
            found.push(id);
        }
    }
    found
}

/// Process ids of scripted engines that this runner started.
#[cfg(target_os = "linux")]
fn engines_of(runner: u32) -> Vec<u32> {
    processes(|parent, command| parent == Some(runner) && command.contains("scripted_engine"))
}

#[cfg(target_os = "linux")]
fn is_alive(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // A zombie waits for whoever inherited it.
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with(['Z', 'X']))
}

/// Engines that would outlive their runner if they could: they notice nothing and wait for ten minutes.
#[cfg(target_os = "linux")]
fn engines_die_with(signal: nix::sys::signal::Signal) {
    let engine = format!("cmd={} name=deaf turn=300", command("silent"));
    let mut runner =
        start_runner(&["-e", &engine, "-e", "nodes=50", "--size", "9", "--games", "4", "--concurrency", "2"]);
    let mut engines = Vec::new();
    wait_until("two engines", || {
        engines = engines_of(runner.id());
        engines.len() == 2
    });
    interrupt(&runner, signal);
    runner.wait().unwrap();
    wait_until("the engines are gone", || !engines.iter().any(|&id| is_alive(id)));
}

#[test]
#[cfg(target_os = "linux")]
fn engines_die_with_a_runner_that_is_killed() {
    engines_die_with(nix::sys::signal::Signal::SIGKILL);
}

#[test]
#[cfg(target_os = "linux")]
fn engines_die_with_a_runner_that_is_interrupted() {
    engines_die_with(nix::sys::signal::Signal::SIGINT);
}

/// The sleepers that the engines of one test have started.
#[cfg(target_os = "linux")]
struct Sleepers {
    folder: tempfile::TempDir,
    /// The engines note here which processes they have started, and each of those has the path among its arguments.
    list: String,
}

#[cfg(target_os = "linux")]
impl Sleepers {
    fn new() -> Sleepers {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("sleepers.txt").to_str().unwrap().to_owned();
        Sleepers { folder, list }
    }

    /// Those that still live.
    fn alive(&self) -> Vec<u32> {
        let is_own = |command: &str| command.contains("sleeper\0") && command.contains(&self.list);
        processes(|_, command| is_own(command)).into_iter().filter(|&id| is_alive(id)).collect()
    }

    /// There were some, and they end without anybody's help.
    fn wait_until_gone(self) {
        let started: Vec<u32> = std::fs::read_to_string(&self.list)
            .unwrap_or_default()
            .lines()
            .map(|line| line.parse().unwrap())
            .collect();
        assert!(!started.is_empty(), "the engine has left nothing behind");
        wait_until("the sleepers are gone", || {
            self.alive().is_empty() && !started.iter().any(|&id| is_alive(id))
        });
        self.folder.close().unwrap();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_an_engine_leaves_behind_ends_with_it() {
    let sleepers = Sleepers::new();
    let mut config = MatchConfig { concurrency: 1, ..config("daemon") };
    config.engines[0].command.as_mut().unwrap().push(sleepers.list.clone());
    let (games, _) = played(&config);
    assert!(games.iter().all(|game| game.fault().is_none()), "{games:?}");
    sleepers.wait_until_gone();
}

#[test]
#[cfg(target_os = "linux")]
fn what_hides_ends_with_the_runner() {
    let sleepers = Sleepers::new();
    let list = &sleepers.list;
    let engine = format!("cmd={} arg='{list}' name=nameless turn=20", command("nameless-daemon"));
    let mut runner = start_runner(&["-e", &engine, "-e", "nodes=50", "--size", "9", "--games", "2"]);
    assert!(runner.wait().unwrap().success());
    sleepers.wait_until_gone();
}

#[test]
#[cfg(target_os = "linux")]
fn what_an_engine_leaves_behind_ends_with_a_runner_that_is_killed() {
    let sleepers = Sleepers::new();
    let engine = format!("cmd={} arg='{}' name=daemon turn=20", command("daemon"), sleepers.list);
    let arguments =
        ["-e", &engine, "-e", "nodes=50 turn=20", "--size", "9", "--games", "100000", "--no-repeat"];
    let mut runner = start_runner(&arguments);
    let is_noted = || std::fs::metadata(&sleepers.list).is_ok_and(|list| list.len() > 0);
    wait_until("a sleeper", || is_noted() && !sleepers.alive().is_empty());
    runner.kill().unwrap();
    runner.wait().unwrap();
    sleepers.wait_until_gone();
}
