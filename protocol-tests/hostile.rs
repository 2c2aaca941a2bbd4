//! Input that no manager should send, at moments that none should choose: the engine answers with one
//! ERROR or UNKNOWN at most, keeps its state, and goes on; told to end, it ends.
//!
//! `KAGETSU_FUZZ_LINES=1000000` makes the fuzzer longer, `KAGETSU_SEED=7` makes it another one.

mod harness;

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use harness::{Client, EXIT_LIMIT, PATIENCE, Reply, Unmet, told};
use kagetsu::{Point, Size};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};

const MEGABYTE: usize = 1 << 20;

/// How late a move may be on a busy machine before a test fails, beyond its limit. A manager allows
/// 1000 ms; the engine's own precision is measured in `games.rs`.
const LATENESS: Duration = Duration::from_millis(700);

/// A quiet position with the engine (White) to move: no search ends early in it.
const QUIET: [&str; 5] = ["BOARD", "7,7,2", "8,8,1", "10,4,2", "DONE"];

/// Undoes whatever limits were sent before, and leaves any block.
const SOBER: [&str; 14] = [
    "DONE",
    "DONE",
    "DONE",
    "YXSTOP",
    "INFO timeout_turn 100",
    "INFO timeout_match 0",
    "INFO time_left 2147483647",
    "INFO time_increment 0",
    "INFO max_memory 367001600",
    "INFO max_node 0",
    "INFO max_depth 225",
    "INFO thread_num 1",
    "INFO pondering 0",
    "INFO rule 0",
];

/// A new game begins and goes on as if nothing had been.
fn works(client: &mut Client) -> Result<(), Unmet> {
    client.send("INFO timeout_turn 100");
    client.send("START 15");
    client.expect_ok()?;
    client.send("BEGIN");
    let first = client.expect_move(PATIENCE)?;
    let answer = Size::square(15).points().find(|&point| point != first).expect("225 points");
    client.send(&format!("TURN {},{}", answer.x(), answer.y()));
    let second = client.expect_move(PATIENCE)?;
    let fits = Size::square(15).contains(second) && second != first && second != answer;
    if fits { Ok(()) } else { Err(client.unmet(format!("{second} cannot be played"))) }
}

/// The replies to all that has been sent. The answer to ABOUT shows that they have come, however long the engine takes.
fn replies_so_far(client: &mut Client) -> Result<Vec<Reply>, Unmet> {
    client.send("ABOUT");
    let mut replies = Vec::new();
    loop {
        match client.expect_line(PATIENCE)? {
            Reply::About(_) => return Ok(replies),
            reply => replies.push(reply),
        }
    }
}

/// At most one reply has come to what was sent, and it is a refusal.
fn expect_refusal_at_most(client: &mut Client) -> Result<(), Unmet> {
    let replies = replies_so_far(client)?;
    let refusals = replies.iter().all(|r| matches!(r, Reply::Error(_) | Reply::Unknown(_)));
    match replies.last() {
        Some(last) if replies.len() > 1 || !refusals => {
            Err(client.unmet(format!("{} replies came, the last of them `{last}`", replies.len())))
        }
        _ => Ok(()),
    }
}

#[test]
fn garbage_bytes() -> Result<(), Unmet> {
    let mut rng = StdRng::seed_from_u64(1);
    let mut client = Client::start();
    let mut lines = 0;
    for _ in 0..64 {
        let mut bytes = vec![0; 1 << 14];
        rng.fill_bytes(&mut bytes);
        lines += bytes.iter().filter(|&&byte| byte == b'\n').count();
        client.send_bytes(&bytes);
    }
    client.send("");
    let replies = client.drain(Duration::from_secs(1))?;
    if replies.len() > lines + 1 {
        return Err(client.unmet(format!("{} replies to {lines} lines", replies.len())));
    }
    works(&mut client)?;
    client.finish()
}

#[test]
fn zero_bytes() -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send_bytes(&[0; 4096]);
    client.send("");
    expect_refusal_at_most(&mut client)?;
    client.send_bytes(b"START\x0015\n");
    expect_refusal_at_most(&mut client)?;
    client.send_bytes(b"START 15\x00\n");
    // Read as START 15 or refused: both can be lived with.
    replies_so_far(&mut client)?;
    works(&mut client)?;
    client.finish()
}

#[test]
fn lines_of_a_megabyte() -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send("START 15");
    client.expect_ok()?;
    let starts: [&[u8]; 12] = [
        b"",
        b" ",
        b"START ",
        b"START 15",
        b"TURN 7,",
        b"TURN 7,7 ",
        b"TAKEBACK ",
        b"INFO ",
        b"INFO timeout_turn ",
        b"YXNBEST ",
        b"\xff\xfe",
        b"FOO\0",
    ];
    for filling in *b"1x \xf0," {
        for start in starts {
            let mut line = start.to_vec();
            line.resize(MEGABYTE, filling);
            // Blanks at the end are ignored: these may be plain commands, and are sent elsewhere.
            if filling == b' ' && matches!(start, b"START 15" | b"TURN 7,7 " | b"YXNBEST ") {
                continue;
            }
            line.push(b'\n');
            client.send_bytes(&line);
        }
    }
    client.send("ABOUT");
    let mut refusals = 0;
    loop {
        match client.expect_line(4 * PATIENCE)? {
            Reply::About(_) => break,
            Reply::Error(text) | Reply::Unknown(text) if text.len() <= 200 => refusals += 1,
            other => return Err(client.unmet(format!("`{other}` answers a line of a megabyte"))),
        }
    }
    if refusals > 5 * starts.len() {
        return Err(client.unmet(format!("{refusals} replies to {} lines", 5 * starts.len())));
    }
    // Within a block, a megabyte is one bad line.
    client.send("BOARD");
    client.send(&"7".repeat(MEGABYTE));
    client.send("DONE");
    match client.expect_line(PATIENCE)? {
        Reply::Error(_) => {}
        other => return Err(client.unmet(format!("expected an ERROR, but {}", told(Some(&other))))),
    }
    client.expect_silence(Duration::from_millis(200))?;
    works(&mut client)?;
    client.finish()
}

#[test]
fn a_megabyte_without_end() -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send("START 15");
    client.expect_ok()?;
    client.send_bytes(&vec![b'A'; MEGABYTE]);
    client.close_stdin();
    client.leave(1, &|reply| matches!(reply, Reply::Unknown(_) | Reply::Error(_)))
}

#[test]
fn half_lines_before_the_end_of_input() -> Result<(), Unmet> {
    let halves =
        ["S", "START", "START 1", "TURN 7,", "BOARD", "BOARD\n7,7", "INFO timeout_turn 5", "EN", "\r"];
    for half in halves {
        let mut client = Client::start();
        client.send("START 15");
        client.expect_ok()?;
        client.send_bytes(half.as_bytes());
        client.close_stdin();
        // The line may count as it stands, so it may be answered.
        client.leave(1, &|_| true).map_err(|unmet| unmet.at(&format!("{half:?}")))?;
    }
    Ok(())
}

#[test]
fn the_end_of_input_in_mid_search() -> Result<(), Unmet> {
    for wait in [0, 1, 5, 20, 100, 1500] {
        let mut client = Client::start();
        client.send_burst(["START 15", "INFO timeout_turn 60000"]);
        client.send_burst(QUIET);
        client.expect_ok()?;
        thread::sleep(Duration::from_millis(wait));
        client.close_stdin();
        // What was asked is answered.
        client
            .expect_move(EXIT_LIMIT)
            .and_then(|_| client.leave(0, &|_| false))
            .map_err(|unmet| unmet.at(&format!("closed after {wait} ms")))?;
    }
    Ok(())
}

#[test]
fn end_in_mid_search() -> Result<(), Unmet> {
    for wait in [0, 1, 2, 5, 10, 20, 50, 100, 200, 1500] {
        for threads in ["INFO thread_num 1", "INFO thread_num 2"] {
            let mut client = Client::start();
            client.send_burst(["START 15", "INFO timeout_turn 60000", threads]);
            client.send_burst(QUIET);
            client.expect_ok()?;
            thread::sleep(Duration::from_millis(wait));
            client.finish().map_err(|unmet| unmet.at(&format!("{threads}, END after {wait} ms")))?;
        }
    }
    Ok(())
}

#[test]
fn end_in_the_same_write_as_everything_else() -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send_burst(["START 15", "INFO timeout_turn 60000", "TURN 7,7", "END", "TURN 8,8", "FOO"]);
    client.leave(1, &|reply| *reply == Reply::Ok)
}

#[test]
fn nobody_listens() -> Result<(), Unmet> {
    // The reading end of its output is closed: there is no one to complain to.
    for last in ["END", ""] {
        let mut client = Client::start_deaf();
        client.send_burst(["ABOUT", "START 15", "INFO timeout_turn 50", "BEGIN", "FOO", "TURN 0,0", last]);
        thread::sleep(Duration::from_millis(200));
        client.close_stdin();
        client
            .leave(0, &|_| false)
            .map_err(|unmet| unmet.at(&format!("nobody listens, last line {last:?}")))?;
    }
    Ok(())
}

#[test]
fn tiny_clocks() -> Result<(), Unmet> {
    let mut client = Client::start();
    let size = Size::square(15);
    for limit in [0, 1, 2, 3, 5, 10, 20, 35, 50] {
        client.send_burst(["START 15", &format!("INFO timeout_turn {limit}")]);
        client.expect_ok()?;
        let mut free: BTreeSet<Point> = size.points().collect();
        client.send("BEGIN");
        for _ in 0..8 {
            let played = client.expect_move(PATIENCE)?;
            let took = client.last_received().saturating_duration_since(client.last_sent());
            if took > Duration::from_millis(limit) + LATENESS {
                return Err(client.unmet(format!("{} ms for a move in {limit} ms", took.as_millis())));
            }
            if !free.remove(&played) {
                return Err(client.unmet(format!("{played} is taken or off the board")));
            }
            let answer = free.pop_last().expect("the board is not full");
            client.send(&format!("TURN {},{}", answer.x(), answer.y()));
        }
        client.expect_move(PATIENCE)?;
    }
    client.finish()
}

/// Numbers that a parser or a clock may stumble over.
const NASTY: [&str; 22] = [
    "-1",
    "-2147483649",
    "2147483648",
    "4294967296",
    "4294967303",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e3",
    "7.5",
    "0x10",
    "NaN",
    "inf",
    "-0.0",
    "--7",
    "7-",
    "\u{662}",
    "7_000",
];

#[test]
fn nasty_numbers_in_commands() -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send_burst(["START 15", "INFO timeout_turn 100"]);
    client.expect_ok()?;
    client.send("TURN 7,7");
    client.expect_move(PATIENCE)?;
    for number in NASTY {
        let commands = [
            format!("START {number}"),
            format!("RECTSTART {number},15"),
            format!("RECTSTART 15,{number}"),
            format!("TURN {number},3"),
            format!("TURN 3,{number}"),
            format!("PLAY {number},3"),
            format!("TAKEBACK 3,{number}"),
            format!("BOARD {number},3,1 DONE"),
            format!("BOARD 3,3,{number} DONE"),
            format!("YXBOARD 3,{number},2 DONE"),
            format!("SWAP2BOARD 3,{number} DONE"),
        ];
        for command in commands {
            client.send(&command);
            match client.expect_line(PATIENCE)? {
                Reply::Error(_) => {}
                other => return Err(client.unmet(format!("`{command}` was answered `{other}`"))),
            }
        }
        // These may be in their range, and then they are answered with a move.
        for command in [format!("YXNBEST {number}"), format!("YXBALANCEONE {number}")] {
            client.send_burst(["INFO timeout_turn 0", &command]);
            match client.expect_line(PATIENCE)? {
                Reply::Error(_) | Reply::Points(_) => {}
                other => return Err(client.unmet(format!("`{command}` was answered `{other}`"))),
            }
        }
    }
    client.send("TAKEBACK 7,7");
    client.expect_ok()?;
    works(&mut client)?;
    client.finish()
}

#[test]
fn nasty_numbers_in_info() -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send("START 15");
    client.expect_ok()?;
    // What the search is told is tried value by value, the rest all at once.
    let limits = |key: &str| {
        ["timeout", "time_", "max_node", "max_depth", "thread_num", "hash_size"]
            .iter()
            .any(|own| key.starts_with(own))
    };
    for key in INFO_KEYS {
        let numbers: Vec<&str> = NASTY.into_iter().chain(["0", ""]).collect();
        for numbers in numbers.chunks(if limits(key) { 1 } else { numbers.len() }) {
            for number in numbers {
                client.send(&format!("INFO {key} {number}"));
                // No limit on memory that a machine could really have given up by now.
                client.send("INFO max_memory 100000000");
                if key != "timeout_turn" {
                    client.send("INFO timeout_turn 20");
                }
            }
            // INFO is never answered, so the first reply is that of the next command.
            client.send("ABOUT");
            match client.expect_line(PATIENCE)? {
                Reply::About(_) => {}
                other => return Err(client.unmet(format!("`INFO {key}` was answered `{other}`"))),
            }
            // Whatever was set, a move comes; a limit in hours is cut short.
            client.send("RESTART");
            client.expect_ok()?;
            client.send("TURN 7,7");
            let end = Instant::now() + PATIENCE;
            let answer = loop {
                match client.next_reply(Duration::from_millis(100))? {
                    Some(Reply::Points(points)) => break points,
                    None if Instant::now() < end => client.send("YXSTOP"),
                    other => return Err(client.unmet(format!("after `{key}`: {}", told(other.as_ref())))),
                }
            };
            if answer.len() != 1 || !Size::square(15).contains(answer[0]) {
                return Err(client.unmet(format!("after `{key}` {numbers:?}: {answer:?} is not a move")));
            }
        }
        client.send_burst(["INFO max_node 0", "INFO max_depth 225", "INFO thread_num 1", "INFO rule 0"]);
    }
    client.send_burst(SOBER);
    client.drain(Duration::from_millis(300))?;
    works(&mut client)?;
    client.finish()
}

#[test]
fn a_board_that_never_ends() -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send("START 15");
    client.expect_ok()?;
    client.send("BOARD");
    for n in 0..20_000 {
        client.send(&format!("{},{},{}", n % 15, n / 15 % 15, 1 + n % 2));
    }
    client.expect_silence(Duration::from_millis(300))?;
    for line in ["START 20", "TURN 3,3", "ABOUT", "BOARD", "INFO rule 4", "YXSTOP", "FOO"] {
        client.send(line);
    }
    client.expect_silence(Duration::from_millis(300))?;
    client.send("DONE");
    match client.expect_line(PATIENCE)? {
        Reply::Error(_) => {}
        other => return Err(client.unmet(format!("the broken block was answered `{other}`"))),
    }
    client.expect_silence(Duration::from_millis(200))?;
    works(&mut client)?;
    client.send("BOARD");
    client.send("1,1,1");
    client.finish()
}

#[test]
fn to_the_last_point() -> Result<(), Unmet> {
    for side in [5, 6] {
        let mut client = Client::start();
        client.send_burst(["INFO timeout_turn 20", &format!("START {side}"), "BEGIN"]);
        client.expect_ok()?;
        let mut free: BTreeSet<Point> = Size::square(side).points().collect();
        let full = loop {
            let played = client.expect_move(PATIENCE)?;
            if !free.remove(&played) {
                return Err(client.unmet(format!("{played} is taken or off the board")));
            }
            // Whether somebody has won does not matter to a manager that goes on.
            let Some(answer) = free.pop_first() else { break true };
            client.send(&format!("TURN {},{}", answer.x(), answer.y()));
            if free.is_empty() {
                // The manager wants the last point: there would be no move to answer with.
                expect_refusal_at_most(&mut client)?;
                break false;
            }
        };
        let requests = ["TURN 0,0", "BEGIN", "YXNBEST 1", "YXBALANCEONE 0", "YXBALANCETWO 0", "PLAY 2,2"];
        for request in requests.into_iter().filter(|_| full) {
            client.send(request);
            match client.expect_line(PATIENCE)? {
                Reply::Error(_) => {}
                other => return Err(client.unmet(format!("on a full board: `{other}`"))),
            }
        }
        works(&mut client)?;
        client.finish()?;
    }
    Ok(())
}

#[test]
fn a_storm_of_info_in_mid_search() -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send_burst(["START 15", "INFO timeout_turn 1500"]);
    client.expect_ok()?;
    client.send_burst(QUIET);
    let asked = Instant::now();
    for n in 0..20_000 {
        client.send(&format!("INFO evaluate {},{}", n % 15, n / 15 % 15));
        if n % 10 == 0 {
            client.send("INFO time_left 100000");
            client.send("INFO nonsense");
        }
    }
    client.expect_move(PATIENCE)?;
    let took = client.last_received() - asked;
    // The storm neither ends the search nor keeps it from hearing its clock.
    let (least, most) = (Duration::from_millis(700), Duration::from_millis(1500) + LATENESS);
    if !(least..=most).contains(&took) {
        return Err(client.unmet(format!("the move took {} ms of 1500", took.as_millis())));
    }
    client.expect_silence(Duration::from_millis(200))?;
    works(&mut client)?;
    client.finish()
}

#[test]
fn one_write_or_many() -> Result<(), Unmet> {
    let burst = [
        "ABOUT",
        "START 15",
        "INFO timeout_turn 30",
        "TURN 7,7",
        "TURN 7,7",
        "TAKEBACK 7,7",
        "FOO",
        "BOARD",
        "1,1,1",
        "2,2,2",
        "DONE",
        "BOARD",
        "1,1,1",
        "1,1,2",
        "DONE",
        "YXBOARD 3,3,1 4,4,2 DONE",
        "YXSHOWFORBID",
        "START 99",
        "RESTART",
        "BEGIN",
        "BEGIN",
        "START 20",
        "TURN 19,19",
        "TURN 20,19",
        "YXNBEST 1",
        "RESTART",
    ];
    let kinds = "ABOUT OK MOVE ERROR OK UNKNOWN MOVE ERROR FORBID ERROR OK MOVE ERROR OK MOVE ERROR MOVE OK";
    for in_one_write in [true, false] {
        let mut client = Client::start();
        if in_one_write {
            client.send_burst(burst);
        } else {
            burst.iter().for_each(|line| client.send(line));
        }
        for (n, kind) in kinds.split(' ').enumerate() {
            let reply = client.expect_line(PATIENCE)?;
            let came = match &reply {
                Reply::About(_) => "ABOUT",
                Reply::Ok => "OK",
                Reply::Points(_) => "MOVE",
                Reply::Error(_) => "ERROR",
                Reply::Unknown(_) => "UNKNOWN",
                Reply::Forbid(_) => "FORBID",
                _ => "another kind",
            };
            if came != kind {
                let number = n + 1;
                return Err(client.unmet(format!("reply {number} should be {kind}, but `{reply}` came")));
            }
        }
        client.finish()?;
    }
    Ok(())
}

#[test]
fn ten_thousand_random_commands() -> Result<(), Unmet> {
    let setting = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let seed = setting("KAGETSU_SEED").unwrap_or(20_240_601);
    let lines = setting("KAGETSU_FUZZ_LINES").unwrap_or(10_000);
    let mut rng = StdRng::seed_from_u64(seed);
    let mut client = Client::start();
    client.send_burst(["INFO max_memory 80000000", "INFO timeout_turn 5"]);
    let mut replies = 0;
    for n in 0..lines {
        let line = random_line(&mut rng);
        client.send_bytes(line.as_bytes());
        // Half of the time the engine is given the time to answer, so that not every search is cut short.
        if n % 64 == 0 {
            replies += client.drain(Duration::from_millis(if n % 128 == 0 { 20 } else { 1 }))?.len();
        }
    }
    // ABOUT is not among the random commands: its answer shows that all before has been read.
    client.send_burst(SOBER);
    client.send("ABOUT");
    let end = Instant::now() + 8 * PATIENCE;
    loop {
        match client.next_reply(end.saturating_duration_since(Instant::now()))? {
            Some(Reply::About(_)) => break,
            Some(_) => replies += 1,
            None => return Err(client.unmet(format!("seed {seed}: ABOUT was never answered"))),
        }
    }
    replies += client.drain(Duration::from_secs(1))?.len();
    if replies as u64 > lines + SOBER.len() as u64 {
        return Err(client.unmet(format!("seed {seed}: {replies} replies to {lines} lines")));
    }
    works(&mut client).map_err(|unmet| unmet.at(&format!("seed {seed}")))?;
    client.finish()
}

const INFO_KEYS: [&str; 30] = [
    "timeout_turn",
    "timeout_match",
    "time_left",
    "time_increment",
    "max_memory",
    "game_type",
    "rule",
    "evaluate",
    "folder",
    "max_node",
    "max_depth",
    "thread_num",
    "hash_size",
    "show_detail",
    "pondering",
    "caution_factor",
    "checkmate",
    "vcthread",
    "nbestsym",
    "strength",
    "level",
    "variety",
    "seed",
    "learn",
    "swapable",
    "max_moves",
    "usedatabase",
    "database_readonly",
    "own_book",
    "nonsense",
];

/// One line (sometimes a whole block) that is more or less a command.
fn random_line(rng: &mut StdRng) -> String {
    let number = |rng: &mut StdRng| match rng.random_range(0..20) {
        0 => (*NASTY.choose(rng).expect("a list")).to_owned(),
        1 => rng.random_range(-1000..1000).to_string(),
        _ => rng.random_range(0..16).to_string(),
    };
    let point = |rng: &mut StdRng| {
        let comma =
            if rng.random_ratio(1, 30) { [" ", ", ", " , ", ",,", ";"].choose(rng) } else { Some(&",") };
        format!("{}{}{}", number(rng), comma.expect("a list"), number(rng))
    };
    let command = match rng.random_range(0..100) {
        0..6 => format!("START {}", number(rng)),
        6..8 => format!("RECTSTART {}", point(rng)),
        8..10 => "RESTART".to_owned(),
        10..15 => "BEGIN".to_owned(),
        15..38 => format!("TURN {}", point(rng)),
        38..42 => format!("TAKEBACK {}", point(rng)),
        42..45 => format!("PLAY {}", point(rng)),
        45..57 => {
            let word = [
                "BOARD",
                "YXBOARD",
                "SWAP2BOARD",
                "YXBLOCK",
                "YXBLOCKUNDO",
                "YXBLOCKPATH",
                "YXBLOCKPATHUNDO",
                "YXSOOSORVSTEP2",
                "YXSOOSORVSTEP4 2",
                "YXSOOSORVSTEP5",
                "YXSOOSORVSTEP6",
            ];
            let field = rng.random_bool(0.9);
            let between = if rng.random_bool(0.8) { "\n" } else { " " };
            let mut block = (*word.choose(rng).expect("a list")).to_owned();
            for n in 0..rng.random_range(0..8) {
                block += between;
                block += &point(rng);
                if field && block.contains("BOARD") && !block.starts_with("SWAP2") {
                    block += &format!(",{}", if rng.random_ratio(1, 30) { 3 } else { 1 + n % 2 });
                }
            }
            if rng.random_bool(0.9) {
                block += between;
                block += "DONE";
            }
            block
        }
        57..80 => {
            let key = INFO_KEYS.choose(rng).expect("a list");
            let value = match (*key, rng.random_range(0..10)) {
                // With a folder, which is as random as all else, 1 would write lost games there.
                ("learn", _) => "0".to_owned(),
                (_, 0) => number(rng),
                ("timeout_turn", _) => rng.random_range(0..30).to_string(),
                ("max_memory", _) => rng.random_range(70_000_000..100_000_000u64).to_string(),
                ("hash_size", _) => rng.random_range(0..40_000).to_string(),
                ("rule", _) => rng.random_range(0..10).to_string(),
                ("thread_num" | "show_detail" | "pondering", _) => rng.random_range(0..4).to_string(),
                ("evaluate", _) => point(rng),
                _ => number(rng),
            };
            format!("INFO {key} {value}")
        }
        80..95 => {
            let words = [
                "YXSTOP",
                "STOP",
                "YXSHOWFORBID",
                "YXSHOWINFO",
                "YXNBEST 1",
                "YXNBEST 3",
                "YXNBEST",
                "YXHASHCLEAR",
                "YXSHOWHASHUSAGE",
                "YXHASHDUMP",
                "YXBALANCEONE 0",
                "YXBALANCETWO 10",
                "YXSEARCHDEFEND",
                "YXBLOCKRESET",
                "YXBLOCKPATHRESET",
                "YXFORBID add 3 3 1",
                "YXSWAP2STEP1",
                "YXSWAP2STEP2",
                "YXSOOSORVSTEP1",
                "YXDRAW",
                "YXPRINTFEATURE",
                "YXSETDATABASE",
                "YXQUERYDATABASEALL",
                "DONE",
                "",
            ];
            (*words.choose(rng).expect("a list")).to_owned()
        }
        95..98 => {
            let length = rng.random_range(1..40);
            (0..length).map(|_| char::from(rng.random_range(b' '..0x7f))).collect()
        }
        _ => (*["FOO", "\u{0}", "\u{1F600}", "TURN", "BOARD 1", "\t", "OK", "7,7", "MESSAGE hi"]
            .choose(rng)
            .expect("a list"))
        .to_owned(),
    };
    let command = if rng.random_ratio(1, 10) { command.to_lowercase() } else { command };
    // "END" alone would end the test before its time.
    let command = if command.trim().eq_ignore_ascii_case("END") { String::new() } else { command };
    let end = if rng.random_ratio(1, 10) { "\r\n" } else { "\n" };
    format!("{command}{end}")
}
