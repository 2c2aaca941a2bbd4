//! Dialogues as data: each file of `transcripts/` says what a manager sends, what must come back, and by
//! when. Each is a test of its own: `cargo test --test transcripts takeback` runs those of that name.
//!
//! A file is read line by line:
//!
//! ```text
//! # text               comment
//! % args --flag        arguments of the engine; stands before anything is sent
//! % crlf   % lf        how the lines sent from here on end
//! > text               send the line; \r \t \0 \\ and \xff stand for single bytes
//! >+ text              hold the line back and send it in one write with the next
//! >. text              send it without a line end
//! > <EOF>              close the engine's input
//! < text               the next reply is exactly this line
//! < KIND | KIND        the next reply is of one of these kinds (below)
//! <? text              a MESSAGE or INFO line that starts so comes before the next reply
//! <! text              no MESSAGE or INFO line that starts so comes before the next reply
//! ! within MS          the next expectation must be met in this time (default 15 s; both ways generous)
//! ! after MS           the next reply must not come earlier than so long after the last line sent
//! = wait MS            send nothing for so long
//! = silence MS         no reply for so long; MESSAGE, DEBUG and INFO lines may come
//! = quiet MS           not one line for so long
//! = atmost N MS        in this time at most N replies come, none of them a move
//! = exit               the engine, told to end, has left in time, with status 0, without another word
//! = exit KIND | KIND   as `= exit`, but one last reply of these kinds may have come before
//! ```
//!
//! Kinds: `MOVE` one point, `MOVE 7,7 8,8` one of these, `MOVE not 7,7` none of these; `PAIR` and
//! `TRIPLE` so many different points; `OK`, `SWAP`, `ABOUT`, `ERROR`, `UNKNOWN`; `FORBID 7,7 3,4` exactly
//! these forbidden points in any order.
//!
//! In lines to send, `{last}` is the last point that the engine named, `{free}` a point in the corner that
//! neither side has named yet, and `{mine}` the last of these.
//!
//! MESSAGE, DEBUG and INFO lines are skipped, but every line that comes must be one that managers can
//! read (see `harness/reply.rs`). At the end of a file without `= exit`, the engine is sent END and must
//! leave properly, with nothing on stderr and no file left in its working directory.

mod harness;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use harness::{Client, PATIENCE, Reply, Unmet, told};
use kagetsu::{Point, Size};

/// Declares one test for each transcript.
macro_rules! transcripts {
    ($($name:ident),* $(,)?) => {
        /// The names above, to hold against the folder.
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() -> Result<(), Unmet> {
                run(stringify!($name))
            }
        )*
    };
}

transcripts! {
    about,
    begin,
    board_any_order,
    board_bad_lines,
    board_before_start,
    board_dead_cells,
    board_decided,
    board_empty,
    board_full,
    board_last_point,
    board_one_line,
    board_own_stone_counts,
    board_then_turn,
    board_wins_at_once,
    client_c_gomoku_cli,
    client_gomocupjudge,
    client_gomocupjudge_swap2,
    client_network_wrapper,
    client_piskvork,
    client_piskvork_rectangle,
    client_qpiskvork,
    client_rapfi_web,
    client_yixin_board,
    decision_1,
    decision_1_order,
    decision_2,
    decision_2_about,
    decision_2_error,
    decision_3,
    decision_3_longer,
    decision_4,
    decision_5,
    decision_6,
    decision_7,
    decision_8,
    decision_9,
    detail_info_lines,
    detail_realtime_lines,
    end_at_once,
    end_idle,
    end_in_block,
    end_in_block_of_stones_to_block,
    end_in_refused_block,
    end_in_search,
    eof_at_once,
    eof_idle,
    eof_in_block,
    eof_in_line,
    eof_in_search,
    framing_blanks,
    framing_burst,
    framing_bytes,
    framing_case,
    framing_crlf,
    framing_long_line,
    framing_mixed_ends,
    game_to_the_last_point,
    info_in_search,
    info_level,
    info_malformed_keeps,
    info_rule_after_show_detail,
    info_rule_after_yixin,
    info_rule_keeps_stones,
    info_rule_numbers,
    info_silent,
    launch_silent,
    limit_depth,
    limit_memory,
    limit_nodes,
    limit_threads,
    play,
    rectstart,
    restart,
    rule_caro,
    rule_renju,
    rule_standard,
    start_again,
    start_refused,
    start_sizes,
    start_two_numbers,
    stop_idle,
    swap2_errors,
    swap2_five_stones,
    swap2_opening,
    swap2_then_turn,
    swap2_three_stones,
    takeback,
    time_left_gone,
    time_left_huge,
    time_left_short,
    time_only_match,
    time_short_turns,
    time_unset,
    time_used,
    time_zero,
    turn,
    turn_after_end,
    turn_forbidden,
    unknown,
    unknown_switch,
    yx_no_board,
    yx_optional,
    yxbalance,
    yxbalance_stop,
    yxblock,
    yxblock_silent,
    yxblock_start,
    yxboard,
    yxblockpath,
    yxboard_bad_lines,
    yxhash,
    yxhash_files,
    yxnbest,
    yxnbest_bad,
    yxprintfeature,
    yxsearchdefend,
    yxshowforbid,
    yxshowforbid_two,
    yxshowinfo,
    yxsoosorv,
    yxsoosorv_errors,
    yxstop_at_once,
    yxstop_in_search,
}

#[test]
fn every_file_is_a_test() {
    let files: BTreeSet<String> = fs::read_dir(folder())
        .expect("the folder of the transcripts can be read")
        .map(|entry| entry.expect("an entry of the folder").path())
        .map(|path| path.file_stem().expect("a file has a name").to_string_lossy().into_owned())
        .collect();
    let names: BTreeSet<String> = NAMES.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(files, names, "transcripts/ and the list in transcripts.rs differ");
}

/// The lines are checked against what the strictest manager reads, so that must be strict itself.
#[test]
fn strict_lines_pass_and_sloppy_ones_do_not() {
    let fine = [
        "OK",
        "7,7",
        "0,14 3,3",
        "SWAP",
        "ERROR off the board",
        "UNKNOWN command",
        "FORBID .",
        "FORBID 07071410.",
        "name=\"Kagetsu\", version=\"0.1.0\", author=\"A, B\", country=\"C\"",
        "MESSAGE hello",
        "MESSAGE REALTIME BEST 3,4",
        "INFO EVAL +M5",
        "INFO BESTLINE 7,7 8,8",
    ];
    for line in fine {
        assert!(Reply::parse(line.as_bytes()).is_ok(), "{line}");
    }
    let sloppy = [
        "",
        "OK ",
        "OK - ready",
        "ok",
        "7, 7",
        "7,7 ",
        " 7,7",
        "7,22",
        "-1,3",
        "7,7,7",
        "SWAP 1,1",
        "SUGGEST 7,7",
        "ERROR",
        "ERROR 7,7",
        "MESSAGE",
        "MESSAGE ",
        "MESSAGE REALTIME FOO",
        "INFO PV",
        "FORBID",
        "FORBID 070.",
        "name=\"K\"",
        "name=\"a=b\", version=\"1\", author=\"A\", country=\"C\"",
        "MESSAGE h\u{e9}",
    ];
    for line in sloppy {
        assert!(Reply::parse(line.as_bytes()).is_err(), "{line}");
    }
}

/// Details of a search come in a bearable number.
#[test]
fn realtime_lines_do_not_flood() -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send_burst(["INFO show_detail 3", "INFO timeout_turn 3000", "START 15"]);
    client.expect_ok()?;
    client.send("TURN 7,7");
    let (mut lines, start) = (0, Instant::now());
    while let Some(reply) = client.next(PATIENCE)? {
        if !reply.is_prose() {
            break;
        }
        lines += 1;
    }
    // "A few hundred lines per second", and a little for the first of them.
    let allowed = 200.0 + 500.0 * start.elapsed().as_secs_f64();
    if f64::from(lines) > allowed {
        return Err(client.unmet(format!("{lines} lines of detail for one move")));
    }
    client.finish()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/transcripts")
}

/// What a line of a transcript asks for.
enum Step {
    Args(Vec<String>),
    Crlf(bool),
    Send { text: String, ends: bool, hold: bool },
    CloseInput,
    Expect(Vec<Kind>),
    ExpectExactly(String),
    ExpectProse(String),
    ForbidProse(String),
    Within(Duration),
    After(Duration),
    Wait(Duration),
    Silence(Duration),
    Quiet(Duration),
    AtMost(usize, Duration),
    Exit(Vec<Kind>),
}

/// A kind of reply.
enum Kind {
    Ok,
    Swap,
    About,
    Error,
    Unknown,
    /// So many different points.
    Points(usize),
    OneOf(Vec<Point>),
    NoneOf(Vec<Point>),
    Forbid(Vec<Point>),
}

impl Kind {
    fn fits(&self, reply: &Reply) -> bool {
        match (self, reply) {
            (Kind::Ok, Reply::Ok)
            | (Kind::Swap, Reply::Swap)
            | (Kind::About, Reply::About(_))
            | (Kind::Error, Reply::Error(_))
            | (Kind::Unknown, Reply::Unknown(_)) => true,
            (Kind::Points(count), Reply::Points(points)) => {
                points.len() == *count && points.iter().collect::<BTreeSet<_>>().len() == *count
            }
            (Kind::OneOf(list), Reply::Points(points)) => points.len() == 1 && list.contains(&points[0]),
            (Kind::NoneOf(list), Reply::Points(points)) => points.len() == 1 && !list.contains(&points[0]),
            (Kind::Forbid(list), Reply::Forbid(points)) => {
                list.len() == points.len() && list.iter().all(|point| points.contains(point))
            }
            _ => false,
        }
    }
}

/// A transcript in progress.
struct Session {
    client: Client,
    held: Vec<u8>,
    within: Option<Duration>,
    after: Option<Duration>,
    unwanted: Option<String>,
    named: BTreeSet<Point>,
    last: Option<Point>,
    mine: Option<Point>,
}

fn run(name: &str) -> Result<(), Unmet> {
    let path = folder().join(format!("{name}.txt"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = || text.lines().enumerate().map(|(n, line)| (n + 1, line));
    let steps: Vec<(usize, &str, Step)> = lines()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(n, line)| match parse(line) {
            Some(step) => (n, line, step),
            None => panic!("{name}.txt:{n}: `{line}` is not a step of a transcript"),
        })
        .collect();

    let arguments = match steps.first() {
        Some((_, _, Step::Args(arguments))) => arguments.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let mut session = Session {
        client: Client::start_with(&arguments, &[]),
        held: Vec::new(),
        within: None,
        after: None,
        unwanted: None,
        named: BTreeSet::new(),
        last: None,
        mine: None,
    };
    for (n, line, step) in steps {
        let context = format!("{name}.txt:{n} `{line}`");
        if let Step::Exit(kinds) = step {
            let allows = |reply: &Reply| kinds.iter().any(|kind| kind.fits(reply));
            return session.client.leave(1, &allows).map_err(|unmet| unmet.at(&context));
        }
        session.take(step).map_err(|unmet| unmet.at(&context))?;
    }
    session.client.finish().map_err(|unmet| unmet.at(&format!("{name}.txt, at its end")))
}

impl Session {
    fn take(&mut self, step: Step) -> Result<(), Unmet> {
        match step {
            Step::Args(_) | Step::Exit(_) => {}
            Step::Crlf(crlf) => self.client.set_crlf(crlf),
            Step::Send { text, ends, hold } => self.send(&text, ends, hold),
            Step::CloseInput => self.client.close_stdin(),
            Step::Within(time) => self.within = Some(time),
            Step::After(time) => self.after = Some(time),
            Step::Wait(time) => thread::sleep(time),
            Step::Silence(time) => self.client.expect_silence(time)?,
            Step::Quiet(time) => {
                if let Some(reply) = self.client.next(time)? {
                    return Err(self.client.unmet(format!("expected not one line, but `{reply}` came")));
                }
            }
            Step::AtMost(count, time) => {
                let end = Instant::now() + time;
                let left = || end.saturating_duration_since(Instant::now());
                let mut replies = Vec::new();
                while let Some(reply) = self.client.next_reply(left())? {
                    replies.push(reply);
                }
                let moves = replies.iter().any(|reply| matches!(reply, Reply::Points(_)));
                if replies.len() > count || moves {
                    let list: Vec<String> = replies.iter().map(Reply::to_string).collect();
                    return Err(self.client.unmet(format!("too much came: {}", list.join(" / "))));
                }
            }
            Step::ExpectProse(start) => self.expect_prose(&start)?,
            Step::ForbidProse(start) => self.unwanted = Some(start),
            Step::Expect(kinds) => {
                self.expect(&|reply| kinds.iter().any(|kind| kind.fits(reply)))?;
            }
            Step::ExpectExactly(text) => self.expect(&|reply| reply.to_string() == text)?,
        }
        Ok(())
    }

    fn send(&mut self, text: &str, ends: bool, hold: bool) {
        let text = self.fill_in(text);
        self.named.extend(points_in(&text));
        self.held.extend(unescape(&text));
        if ends {
            self.held.extend(self.client.line_end().bytes());
        }
        if !hold {
            self.client.send_bytes(&std::mem::take(&mut self.held));
        }
    }

    fn fill_in(&mut self, text: &str) -> String {
        let write = |point: Option<Point>| point.map_or("?".to_owned(), |p| format!("{},{}", p.x(), p.y()));
        if text.contains("{free}") {
            self.mine = Size::square(5).points().find(|point| !self.named.contains(point));
        }
        let mine = write(self.mine);
        text.replace("{last}", &write(self.last)).replace("{free}", &mine).replace("{mine}", &mine)
    }

    fn expect(&mut self, fits: &dyn Fn(&Reply) -> bool) -> Result<(), Unmet> {
        let within = self.within.take().unwrap_or(PATIENCE);
        let after = self.after.take().unwrap_or_default();
        let unwanted = self.unwanted.take();
        let sent = self.client.last_sent();
        let left = (sent + within).saturating_duration_since(Instant::now());
        let reply = self.client.next_reply_without(left, unwanted.as_deref())?;
        let took = self.client.last_received().saturating_duration_since(sent);
        match &reply {
            Some(reply) if fits(reply) && took < after => {
                Err(self.client.unmet(format!("`{reply}` came too early, after {} ms", took.as_millis())))
            }
            Some(reply) if fits(reply) => {
                if let Reply::Points(points) = reply {
                    self.named.extend(points);
                    self.last = points.last().copied();
                }
                Ok(())
            }
            None => Err(self.client.unmet(format!("nothing came within {} ms", within.as_millis()))),
            other => Err(self.client.unmet(format!("this was expected, but {}", told(other.as_ref())))),
        }
    }

    fn expect_prose(&mut self, start: &str) -> Result<(), Unmet> {
        let within = self.within.take().unwrap_or(PATIENCE);
        let end = self.client.last_sent() + within;
        loop {
            match self.client.next(end.saturating_duration_since(Instant::now()))? {
                Some(reply) if reply.to_string().starts_with(start) => return Ok(()),
                Some(reply) if reply.is_prose() => {}
                other => {
                    let told = told(other.as_ref());
                    return Err(self.client.unmet(format!("this was expected, but {told}")));
                }
            }
        }
    }
}

fn parse(line: &str) -> Option<Step> {
    let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (word, value) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let ms = |text: &str| text.trim().parse().ok().map(Duration::from_millis);
    match (mark, word) {
        ("%", "args") => Some(Step::Args(value.split_whitespace().map(str::to_owned).collect())),
        ("%", "crlf") => Some(Step::Crlf(true)),
        ("%", "lf") => Some(Step::Crlf(false)),
        (">", "<EOF>") => Some(Step::CloseInput),
        (">", _) => Some(Step::Send { text: rest.to_owned(), ends: true, hold: false }),
        (">+", _) => Some(Step::Send { text: rest.to_owned(), ends: true, hold: true }),
        (">.", _) => Some(Step::Send { text: rest.to_owned(), ends: false, hold: false }),
        ("<", _) => {
            let kinds: Option<Vec<Kind>> = rest.split('|').map(|kind| parse_kind(kind.trim())).collect();
            Some(kinds.map_or_else(|| Step::ExpectExactly(rest.to_owned()), Step::Expect))
        }
        ("<?", _) => Some(Step::ExpectProse(rest.to_owned())),
        ("<!", _) => Some(Step::ForbidProse(rest.to_owned())),
        ("!", "within") => ms(value).map(Step::Within),
        ("!", "after") => ms(value).map(Step::After),
        ("=", "wait") => ms(value).map(Step::Wait),
        ("=", "silence") => ms(value).map(Step::Silence),
        ("=", "quiet") => ms(value).map(Step::Quiet),
        ("=", "atmost") => {
            let (count, time) = value.split_once(' ')?;
            Some(Step::AtMost(count.parse().ok()?, ms(time)?))
        }
        ("=", "exit") if value.is_empty() => Some(Step::Exit(Vec::new())),
        ("=", "exit") => {
            value.split('|').map(|kind| parse_kind(kind.trim())).collect::<Option<_>>().map(Step::Exit)
        }
        _ => None,
    }
}

fn parse_kind(text: &str) -> Option<Kind> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let list = |text: &str| text.split_whitespace().map(|p| p.parse().ok()).collect::<Option<Vec<Point>>>();
    match (word, rest) {
        ("OK", "") => Some(Kind::Ok),
        ("SWAP", "") => Some(Kind::Swap),
        ("ABOUT", "") => Some(Kind::About),
        ("ERROR", "") => Some(Kind::Error),
        ("UNKNOWN", "") => Some(Kind::Unknown),
        ("MOVE", "") => Some(Kind::Points(1)),
        ("PAIR", "") => Some(Kind::Points(2)),
        ("TRIPLE", "") => Some(Kind::Points(3)),
        ("MOVE", _) => match rest.strip_prefix("not ") {
            Some(points) => list(points).map(Kind::NoneOf),
            None => list(rest).map(Kind::OneOf),
        },
        ("FORBID", _) => list(rest).map(Kind::Forbid),
        _ => None,
    }
}

/// Every `x,y` in a line.
fn points_in(text: &str) -> Vec<Point> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != ',');
    words
        .filter_map(|word| {
            let mut numbers = word.split(',');
            format!("{},{}", numbers.next()?, numbers.next()?).parse().ok()
        })
        .collect()
}

/// Bytes of a text with escapes.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'r') => bytes.push(b'\r'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'0') => bytes.push(0),
            Some(b'x') => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                bytes.push(u8::from_str_radix(&digits, 16).expect("two hexadecimal digits after \\x"));
            }
            _ => bytes.push(b'\\'),
        }
    }
    bytes
}
