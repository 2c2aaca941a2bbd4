//! An engine that plays the first empty cell and misbehaves on purpose where its script says so: against such
//! engines matches are tested (`arena.rs`).

use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The side of the board that it plays on.
const SIDE: usize = 9;

/// How an engine behaves when a move is due; all else is done properly.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Proper,
    /// Takes a while for each move.
    Steady,
    Late,
    Silent,
    Illegal,
    Garbage,
    Banner,
    Error,
    Exit,
    Spam,
    EndlessLine,
    Hungry,
    IgnoresEnd,
    WrongOk,
    RefusesStart,
    /// Prints a legal move every now and then, whatever happens, and never reads beyond START.
    Deaf,
    /// Says OK and nothing else, and never reads beyond START.
    Asleep,
    /// Leaves a process behind, in a session of its own and with the same further arguments. The first of these is the
    /// path of a file, in which the number of the process is noted.
    Daemon,
    /// The same without an environment.
    NamelessDaemon,
    /// That process.
    Sleeper,
}

const SCRIPTS: [(&str, Script); 20] = [
    ("proper", Script::Proper),
    ("steady", Script::Steady),
    ("late", Script::Late),
    ("silent", Script::Silent),
    ("illegal", Script::Illegal),
    ("garbage", Script::Garbage),
    ("banner", Script::Banner),
    ("error", Script::Error),
    ("exit", Script::Exit),
    ("spam", Script::Spam),
    ("endless-line", Script::EndlessLine),
    ("hungry", Script::Hungry),
    ("ignores-end", Script::IgnoresEnd),
    ("wrong-ok", Script::WrongOk),
    ("refuses-start", Script::RefusesStart),
    ("deaf", Script::Deaf),
    ("asleep", Script::Asleep),
    ("daemon", Script::Daemon),
    ("nameless-daemon", Script::NamelessDaemon),
    ("sleeper", Script::Sleeper),
];

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match SCRIPTS.iter().find(|&&(known, _)| known == name) {
        Some(&(_, script)) => play(script),
        None => {
            let names = SCRIPTS.map(|(name, _)| name).join(", ");
            eprintln!("scripted_engine NAME: there are {names}");
            std::process::exit(2);
        }
    }
}

/// Plays the first empty cell of the board, row by row.
fn play(script: Script) {
    match script {
        Script::Deaf => {
            agree_to_start();
            for at in (0..SIDE * SIDE).cycle().map(|n| format!("{},{}", n % SIDE, n / SIDE)) {
                sleep(Duration::from_millis(30));
                say(&at);
            }
        }
        Script::Asleep => {
            agree_to_start();
            sleep(Duration::from_secs(600));
        }
        Script::Daemon | Script::NamelessDaemon => start_sleeper(script == Script::NamelessDaemon),
        Script::Sleeper => {
            #[cfg(unix)]
            nix::unistd::setsid().unwrap();
            sleep(Duration::from_secs(600));
        }
        _ => {}
    }
    let mut taken = Vec::new();
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["START", ..] => {
                taken.clear();
                match script {
                    Script::WrongOk => say("OK - ready"),
                    Script::RefusesStart => say("ERROR no such board"),
                    _ => say("OK"),
                }
                continue;
            }
            ["BEGIN"] => {}
            ["TURN", at] => taken.push(at.to_owned()),
            ["BOARD"] => {
                let cells = lines.by_ref().take_while(|line| line != "DONE");
                taken = cells.map(|cell| cell.rsplit_once(',').unwrap().0.to_owned()).collect();
            }
            ["END"] if script == Script::IgnoresEnd => sleep(Duration::from_secs(600)),
            ["END"] => return,
            _ => continue,
        }
        let at = (0..SIDE * SIDE)
            .map(|n| format!("{},{}", n % SIDE, n / SIDE))
            .find(|at| !taken.contains(at))
            .unwrap();
        match script {
            Script::Steady => sleep(Duration::from_millis(200)),
            Script::Late => sleep(Duration::from_millis(1300)),
            Script::Silent => sleep(Duration::from_secs(600)),
            Script::Illegal => say(taken.last().map_or("99,0", |at| at)),
            Script::Garbage => {
                say("j10 looks good, 3");
                continue;
            }
            Script::Banner => say("j10 looks good, 3"),
            Script::Error => say("ERROR cannot think"),
            Script::Exit => {
                eprintln!("the engine's last words");
                std::process::exit(3);
            }
            Script::Spam => loop {
                say("MESSAGE still thinking");
            },
            Script::EndlessLine => loop {
                let _ = std::io::stdout().write_all(&[b'x'; 1000]);
            },
            Script::Hungry => drop(std::hint::black_box(vec![1_u8; 200 << 20])),
            _ => {}
        }
        say(&at);
        taken.push(at);
    }
    if script == Script::IgnoresEnd {
        sleep(Duration::from_secs(600));
    }
}

/// Answers the first line, and not before it has come: a manager forgets what it has not asked for.
fn agree_to_start() {
    let _ = std::io::stdin().lock().read_line(&mut String::new());
    say("OK");
}

fn start_sleeper(is_nameless: bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("sleeper").args(std::env::args().skip(2));
    // Pipes that somebody holds are not closed for who reads from them.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if is_nameless {
        command.env_clear();
    }
    // Nobody waits for it: whether it outlives its parent is what the test asks.
    #[allow(clippy::zombie_processes)]
    let sleeper = command.spawn().unwrap();
    let list = std::env::args().nth(2).unwrap();
    let mut list = OpenOptions::new().append(true).create(true).open(list).unwrap();
    // In one write, since several engines may do so at a time.
    list.write_all(format!("{}\n", sleeper.id()).as_bytes()).unwrap();
}

fn say(line: &str) {
    // When nobody listens any more the engine stays: the arena has to kill it.
    let _ = std::io::stdout().lock().write_all(format!("{line}\n").as_bytes());
}
