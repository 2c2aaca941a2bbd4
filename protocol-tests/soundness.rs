//! What `docs/soundness.md` claims, counted: each test prints a line `soundness NAME key=value ...` of what it has
//! tried.
//!
//! By default each tries a little. These variables make it more, and `packaging/soundness` sets them all at once:
//!
//! ```text
//! KAGETSU_FORBIDDEN_POSITIONS=100000   positions in which all forbidden points are checked against the judge
//! KAGETSU_RIVAL=/path/to/engine        another engine to ask for forbidden points, in place of Kagetsu itself
//! KAGETSU_RIVAL_POSITIONS=10000        positions in which it is asked
//! KAGETSU_SOLVER_POSITIONS=10000       positions in which wins are looked for, their proofs checked
//! KAGETSU_KILLS=10000                  moments at which a program that writes files is killed
//! KAGETSU_LONG_MOVES=10000             moves of one process, whose memory, threads and handles are counted
//! KAGETSU_SEED=2                       others of all these
//! ```

mod harness;
#[path = "harness/random.rs"]
#[allow(dead_code)]
mod random;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use harness::{Client, PATIENCE, Reply, Unmet, runnable, tell_skipped};
use kagetsu::arena::{GAMES_FILE, Records};
use kagetsu::data::{Shard, TrainingGame};
use kagetsu::formats::picture;
use kagetsu::position::Position;
use kagetsu::rules::judge;
use kagetsu::rules::with_rule;
use kagetsu::solve::check;
use kagetsu::{Color, Point, Proof, Rule, Size, Solver, SolverLimits, SolverVerdict, Stones, ThreatSpace};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use random::{crowded_game, filled, rng, scattered};
use tempfile::TempDir;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Random numbers of a test that others share only by chance.
fn numbers(test: u64) -> StdRng {
    rng(setting("KAGETSU_SEED", 1).wrapping_mul(1_000_003).wrapping_add(test))
}

/// Positions of three kinds: crowded games, boards filled at random, and stones scattered as in play.
#[test]
fn forbidden_points_are_those_of_the_judge() {
    let count = setting("KAGETSU_FORBIDDEN_POSITIONS", 300);
    let mut random = numbers(1);
    let (mut points, mut forbidden, mut black) = (0_u64, 0_u64, 0_u64);
    with_rule!(Rule::Renju, R => {
        for n in 0..count {
            let side = random.random_range(5..=22);
            let size = if n % 2 == 0 { Size::square(15) } else { Size::new(side, random.random_range(5..=22)).expect("sizes that boards have") };
            let mut stones = match n % 3 {
                0 => {
                    let game = crowded_game(size, random.random());
                    let most = random.random_range(0..=game.moves.len());
                    let mut stones = game.start.clone();
                    game.moves[..most].iter().for_each(|&(point, color)| stones.place(point, color));
                    stones
                }
                1 => { let share = random.random_range(5..60); filled(size, share, &mut random) }
                _ => { let count = random.random_range(10..60); scattered(Rule::Renju, size, count, 11, &mut random) }
            };
            stones.set_to_move(Color::Black);
            let mut position = Position::<R>::from_stones(&stones, &mut ());
            for point in size.points().filter(|&point| stones.is_empty_at(point)) {
                let expected = judge::is_forbidden::<R>(&stones, point, Color::Black);
                assert_eq!(position.is_forbidden(point), expected, "{point}\n{}", picture::draw(&stones));
                points += 1;
                forbidden += u64::from(expected);
            }
            black += 1;
        }
    });
    assert!(forbidden > count / 10, "only {forbidden} forbidden points in {count} positions");
    println!("soundness forbidden positions={black} points={points} forbidden={forbidden} disagreements=0");
}

/// The same question to another engine, which has its own opinion of the rule, in the words of Yixin-Board.
#[test]
fn forbidden_points_are_those_of_another_engine() -> Result<(), Unmet> {
    let count = setting("KAGETSU_RIVAL_POSITIONS", 40);
    let rival = std::env::var_os("KAGETSU_RIVAL").map(PathBuf::from);
    let mut client = rival.as_deref().map_or_else(Client::start, Client::start_program);
    let mut random = numbers(5);
    // What Yixin-Board says first; some engines read the number of the rule otherwise without it.
    client.send_burst(["YXSHOWINFO", "START 15", "INFO rule 4"]);
    let (mut points, mut forbidden, mut wrong) = (0_u64, 0_u64, Vec::new());
    for n in 0..count {
        // As many stones of either colour, so that it is Black's turn wherever that is counted.
        let (pairs, spread): (usize, usize) = (random.random_range(5..30), [7, 9, 13][n as usize % 3]);
        let mut stones = scattered(Rule::Renju, Size::square(15), 2 * pairs, spread, &mut random);
        if stones.to_move() == Color::White {
            stones.undo();
        }
        let expected: BTreeSet<Point> = with_rule!(Rule::Renju, R => {
            let is_forbidden = |&point: &Point| judge::is_forbidden::<R>(&stones, point, Color::Black);
            stones.size().points().filter(|&point| stones.is_empty_at(point)).filter(is_forbidden).collect()
        });
        let line = |&(point, color): &(Point, Color)| {
            format!("{},{},{}\n", point.x(), point.y(), if color == Color::Black { 1 } else { 2 })
        };
        let block: String = stones.history().iter().map(line).collect();
        client.send_bytes(format!("YXBOARD\n{block}DONE\nYXSHOWFORBID\n").as_bytes());
        let told: BTreeSet<Point> = loop {
            match client.next(PATIENCE)? {
                Some(Reply::Forbid(points)) => break points.into_iter().collect(),
                Some(_) => {}
                None => return Err(client.unmet("no FORBID".to_owned())),
            }
        };
        points += stones.empty_count() as u64;
        forbidden += expected.len() as u64;
        if told != expected {
            wrong.push(format!("told {told:?}, the judge says {expected:?}\n{}", picture::draw(&stones)));
        }
    }
    println!(
        "soundness rival positions={count} points={points} forbidden={forbidden} disagreements={}",
        wrong.len()
    );
    assert!(forbidden > count / 10, "only {forbidden} forbidden points in {count} positions");
    assert!(wrong.is_empty(), "{} positions, the first of them:\n{}", wrong.len(), wrong[0]);
    // How another engine leaves is its own affair.
    if rival.is_none() { client.finish() } else { Ok(()) }
}

/// Every win that the solver claims must have a proof that the checker, which knows nothing but the judge, accepts.
#[test]
fn every_win_that_is_claimed_is_proved() {
    let count = setting("KAGETSU_SOLVER_POSITIONS", 30);
    let mut random = numbers(2);
    let (mut wins, mut none, mut unknown, mut refused, mut nodes) = (0, 0, 0, Vec::new(), 0);
    for n in 0..count {
        let rule = Rule::ALL[n as usize % Rule::ALL.len()];
        let size = [Size::square(15), Size::square(9), Size::square(20)][n as usize / 5 % 3];
        let stones = random.random_range(8..40);
        let stones = scattered(rule, size, stones, 9, &mut random);
        let limits = SolverLimits { nodes: Some(6_000), memory: 16 << 20, ..SolverLimits::default() };
        let Ok(solution) = Solver::new(limits).within(ThreatSpace::Vct).solve(rule, &stones) else {
            continue;
        };
        match solution.verdict {
            SolverVerdict::Win(proof) => {
                wins += 1;
                match Proof::from_json(&proof.to_json()).map_err(|error| error.to_string()) {
                    Ok(read) => match check(&read) {
                        Ok(checked) => nodes += checked.nodes,
                        Err(flaw) => refused.push(format!("{rule}: {flaw}\n{}", picture::draw(&stones))),
                    },
                    Err(error) => refused.push(error),
                }
            }
            SolverVerdict::NoWin(_) => none += 1,
            SolverVerdict::Unknown => unknown += 1,
        }
    }
    println!(
        "soundness solver positions={count} wins={wins} no_win={none} unknown={unknown} proof_nodes={nodes} refused={}",
        refused.len()
    );
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(wins > count / 20, "{wins} wins in {count} positions: this tests nothing");
}

// ----- Kills -----

/// The program in this folder, heard by nobody.
fn program_in(folder: &TempDir, arguments: &[&str]) -> Command {
    let program = std::env::var_os("KAGETSU_ENGINE").unwrap_or(env!("CARGO_BIN_EXE_kagetsu").into());
    let mut command = runnable(program);
    command.args(arguments).current_dir(folder).env_remove("RUST_LOG");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs the program in this folder until it has done its work.
fn run_to_end(folder: &TempDir, arguments: &[&str]) {
    let status = program_in(folder, arguments).status().expect("the program starts");
    assert!(status.success(), "{arguments:?}: {status}");
}

/// Runs the program in this folder for so long, and kills it if it has not ended by then. Whether it was killed.
fn run_for(time: Duration, folder: &TempDir, arguments: &[&str]) -> bool {
    let mut child = program_in(folder, arguments).spawn().expect("the program starts");
    sleep(time);
    let has_ended = child.try_wait().expect("it can be asked").is_some();
    let _ = child.kill();
    let _ = child.wait();
    !has_ended
}

fn moment(random: &mut StdRng, most: Duration) -> Duration {
    most.mul_f64(random.random())
}

/// Within this time the moments of the kills are chosen: about twice what the program takes to write for the first
/// time.
fn time_to_write(mut is_written: impl FnMut(Duration) -> bool) -> Duration {
    let mut time = Duration::from_millis(20);
    while !is_written(time) {
        time = time * 3 / 2;
        assert!(time < PATIENCE, "nothing is ever written");
    }
    2 * time
}

/// Kills of each writer before its files are thrown away, so that what is read again stays small.
const ROUND: u64 = 40;

/// So many kills in rounds of at most [`ROUND`].
fn rounds(kills: u64) -> impl Iterator<Item = u64> {
    (0..kills.div_ceil(ROUND)).map(move |n| ROUND.min(kills - n * ROUND))
}

/// Kills a writer at random moments, again and again, and reads what is there after each kill; what the last one left.
///
/// As long as nothing was written in so many kills, more are tried and each has longer: a machine that has become
/// slower since the first run was timed would otherwise test nothing.
fn kill_a_round<T>(
    kills: u64,
    mut most: Duration,
    random: &mut StdRng,
    mut run: impl FnMut(Duration) -> bool,
    mut read: impl FnMut() -> Vec<T>,
) -> Vec<T>
where
    T: PartialEq,
{
    let mut before = Vec::new();
    let mut killed = 0;
    while killed < kills || before.is_empty() {
        killed += u64::from(run(moment(random, most)));
        let now = read();
        assert!(now.starts_with(&before), "{} entries, {} before the kill", now.len(), before.len());
        before = now;
        if before.is_empty() && killed >= kills {
            most = most * 3 / 2;
            assert!(most < PATIENCE, "nothing is ever written");
        }
    }
    before
}

/// A program that is killed at any moment and started again loses nothing but what it was about to write.
#[test]
fn kills_lose_nothing_but_the_unfinished_entry() {
    let kills = setting("KAGETSU_KILLS", 12);
    let mut random = numbers(3);
    let each = kills.div_ceil(4);
    let games = kill_selfplay(each, &mut random);
    let records = kill_matches(each, &mut random);
    let lines = kill_shards(each, &mut random);
    let proofs = kill_whole_files(each, &mut random);
    println!(
        "soundness kills kills={} shard_games={games} records={records} shard_lines={lines} whole_files={proofs} lost=0",
        4 * each
    );
}

/// Shards of self-play; how many games were written in all.
fn kill_selfplay(kills: u64, random: &mut StdRng) -> usize {
    let games =
        ["selfplay", "--out", ".", "--seed", "1", "--games", "100000", "--nodes", "20", "--size", "7"];
    let play = [&games[..], &["--rule", "standard", "--shard-games", "30", "--threads", "1"]].concat();
    let first = tempfile::tempdir().expect("a folder can be made");
    let most = time_to_write(|time| {
        run_for(time, &first, &play);
        !games_of_selfplay(first.path()).is_empty()
    });
    let mut written = 0;
    for round in rounds(kills) {
        let place = tempfile::tempdir().expect("a folder can be made");
        let run = |time| run_for(time, &place, &play);
        written += kill_a_round(round, most, random, run, || games_of_selfplay(place.path())).len();
    }
    written
}

fn games_of_selfplay(folder: &Path) -> Vec<TrainingGame> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("it was made").flatten().map(|e| e.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "kgr"));
    paths.sort();
    let last = paths.len().saturating_sub(1);
    let mut games = Vec::new();
    for (n, path) in paths.iter().enumerate() {
        let bytes = fs::read(path).expect("it can be read");
        match Shard::from_bytes(&bytes) {
            // Only the file that was being written may end in the middle of a game.
            Ok(shard) => {
                assert!(shard.rest.is_none() || n == last, "{}: {:?}", path.display(), shard.rest);
                games.extend(shard.games);
            }
            Err(error) => assert!(n == last, "{}: {error}", path.display()),
        }
    }
    games
}

/// Records of a match, and their copies for other programs; how many games were written in all.
fn kill_matches(kills: u64, random: &mut StdRng) -> usize {
    let options =
        ["match", "-e", "name=a nodes=20", "-e", "name=b nodes=30", "--size", "7", "--seed", "5", "--quiet"];
    let more = ["--games", "100000", "--openings", "random", "--opening-plies", "4", "--out", "m"];
    let play = [&options[..], &more].concat();
    let recorded = |place: &TempDir| match fs::read(place.path().join("m").join(GAMES_FILE)) {
        Ok(bytes) => Records::parse(&bytes).expect("whole lines are records").games,
        Err(_) => Vec::new(),
    };
    let first = tempfile::tempdir().expect("a folder can be made");
    let most = time_to_write(|time| {
        run_for(time, &first, &play);
        !recorded(&first).is_empty()
    });
    let mut written = 0;
    for round in rounds(kills) {
        let place = tempfile::tempdir().expect("a folder can be made");
        written +=
            kill_a_round(round, most, random, |time| run_for(time, &place, &play), || recorded(&place)).len();
    }
    written
}

/// A shard of a job, killed until it is done, then another one; how many lines were written in all. A shard that was
/// killed must end with what one that was never interrupted has written.
fn kill_shards(kills: u64, random: &mut StdRng) -> usize {
    const POSITIONS: usize = 60;
    let place = tempfile::tempdir().expect("a folder can be made");
    let points = Size::square(15).points();
    let position = |random: &mut StdRng| {
        let stones = points.clone().sample(random, 10);
        stones.iter().map(Point::to_string).collect::<String>()
    };
    let positions: Vec<String> = (0..POSITIONS).map(|_| position(random)).collect();
    fs::write(place.path().join("positions.txt"), positions.join("\n")).expect("it can be written");
    let lines = |results: &str| -> Vec<String> {
        let path = place.path().join(results).join("000000/solutions.jsonl");
        let text = fs::read_to_string(path).unwrap_or_default();
        text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::to_owned).collect()
    };
    let run = |results: &str, time| run_for(time, &place, &["job", "run", "job.json", "--out", results]);
    let plan = ["job", "plan", "job.json", "--shard-size", "60", "solve", "positions.txt", "--nodes", "2000"];
    run_to_end(&place, &plan);
    let most = time_to_write(|time| {
        run("first", time);
        !lines("first").is_empty()
    });
    run_to_end(&place, &["job", "run", "job.json", "--out", "whole"]);
    let whole = lines("whole");
    assert_eq!(whole.len(), POSITIONS);

    let (mut killed, mut written, mut before) = (0, 0, 0);
    while killed < kills || written == 0 {
        let was_killed = run("killed", moment(random, most));
        killed += u64::from(was_killed);
        let now = lines("killed");
        assert!(whole.starts_with(&now) && now.len() >= before, "{} lines, {before} before", now.len());
        before = now.len();
        if !was_killed {
            assert_eq!(before, POSITIONS, "it ended by itself");
            fs::remove_dir_all(place.path().join("killed")).expect("it was made above");
            written += before;
            before = 0;
        }
    }
    written + before
}

/// Files that are written at one go: after a kill the old one is there, or the new. How many were there.
fn kill_whole_files(kills: u64, random: &mut StdRng) -> usize {
    let place = tempfile::tempdir().expect("a folder can be made");
    let positions = ["h8 a1 i8 a2 j8 a3", "f5 h10 f7 h8 e6 e10 h5 g7"];
    let file = place.path().join("proof.json");
    let write = |n: u64, time: Duration| {
        let moves = positions[n as usize % 2];
        let solve = ["solve", "--moves", moves, "--format", "json", "-o", "proof.json", "--nodes", "20000"];
        run_for(time, &place, &solve)
    };
    // Both files as they are when nobody interferes.
    let mut most = Duration::ZERO;
    let whole = [0, 1].map(|n| {
        let _ = fs::remove_file(&file);
        most = most.max(time_to_write(|time| {
            write(n, time);
            file.exists()
        }));
        fs::read(&file).expect("the proof was written")
    });
    assert_ne!(whole[0], whole[1]);
    let (mut killed, mut seen, mut n) = (0, 0, 0);
    while killed < kills || seen == 0 {
        n += 1;
        if killed >= kills {
            most = most * 3 / 2;
            assert!(most < PATIENCE, "the file is never written anew");
        }
        killed += u64::from(write(n, moment(random, most)));
        let now = fs::read(&file).expect("a file that was there is not lost");
        assert!(whole.contains(&now), "half a file of {} bytes", now.len());
        seen += usize::from(now == whole[n as usize % 2]);
    }
    seen
}

// ----- Days in one process -----

/// What a process holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    kilobytes: u64,
    threads: u64,
    handles: usize,
}

fn held(id: u32) -> Option<Held> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().trim_end_matches("kB").trim().parse().ok()
    };
    let handles = fs::read_dir(format!("/proc/{id}/fd")).ok()?.count();
    Some(Held { kilobytes: number("VmRSS:")?, threads: number("Threads:")?, handles })
}

/// Games one after the other in one process, under all rules and on many boards, as in a tournament of days: each move
/// has 5 ms instead of minutes. After the table has been filled once, nothing may grow.
#[test]
fn one_process_plays_for_days() -> Result<(), Unmet> {
    /// What an allocator may keep for itself.
    const SLACK_KILOBYTES: u64 = 2048;
    let moves = setting("KAGETSU_LONG_MOVES", 150);
    let threads = setting("KAGETSU_LONG_THREADS", 2);
    let mut random = numbers(4);
    let mut client = Client::start();
    client.send_burst([
        "INFO max_memory 70000000",
        format!("INFO thread_num {threads}").as_str(),
        "INFO timeout_turn 1500",
        "START 20",
    ]);
    client.expect_ok()?;
    // Fills the table.
    client.send("BOARD 7,7,2 8,8,1 10,4,2 DONE");
    client.expect_move(PATIENCE)?;
    client.send("INFO timeout_turn 5");
    let (mut played, mut games, mut first) = (0, 0, None);
    while played < moves {
        let rule = Rule::ALL[games as usize % Rule::ALL.len()];
        let side = random.random_range(5..=22);
        client.send_burst([
            format!("START {side}").as_str(),
            &format!("INFO rule {}", rule.gomocup_number()),
            "BEGIN",
        ]);
        client.expect_ok()?;
        let mut stones = Stones::new(Size::square(side));
        loop {
            let point = client.expect_move(PATIENCE)?;
            stones.place(point, stones.to_move());
            played += 1;
            // The opponent plays anywhere.
            let free: Vec<_> = stones.size().points().filter(|&p| stones.is_empty_at(p)).collect();
            let is_over = |stones: &Stones| with_rule!(rule, R => judge::verdict::<R>(stones) != judge::Verdict::Ongoing);
            if free.len() < 2 || is_over(&stones) || played >= moves {
                break;
            }
            let answer = free[random.random_range(0..free.len())];
            stones.place(answer, stones.to_move());
            if is_over(&stones) {
                break;
            }
            client.send(&format!("TURN {},{}", answer.x(), answer.y()));
        }
        games += 1;
        // Every rule's tables are there by then.
        if first.is_none() && games >= 10 {
            first = held(client.id());
        }
    }
    let last = held(client.id());
    if cfg!(target_os = "linux") {
        assert!(first.is_some() && last.is_some(), "{games} games are too few to tell growth from start-up");
    } else {
        tell_skipped("what a process holds is read from /proc");
    }
    if let (Some(first), Some(last)) = (first, last) {
        println!(
            "soundness days moves={played} games={games} threads={threads} growth_kb={} threads_grown={} handles_grown={}",
            last.kilobytes.saturating_sub(first.kilobytes),
            last.threads.saturating_sub(first.threads),
            last.handles.saturating_sub(first.handles),
        );
        let grows = last.kilobytes > first.kilobytes + SLACK_KILOBYTES
            || last.threads > first.threads
            || last.handles > first.handles;
        if grows {
            return Err(client.unmet(format!("from {first:?} to {last:?} in {played} moves")));
        }
    }
    client.finish()
}
