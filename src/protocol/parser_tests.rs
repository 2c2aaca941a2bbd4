#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::eval::score::MAX_EVAL;
use crate::protocol::command::{SoosorvStep as Soosorv, Swap2Step as Step, Timing};
use crate::protocol::database_command::DatabaseAsk;
use crate::protocol::input::MAX_LINE;
use crate::protocol::session::Setting;

/// The results of parsing these lines: commands, and the texts of errors.
fn parse(lines: &[&[u8]]) -> Vec<Result<Command, String>> {
    let mut parser = Parser::new();
    let now = Instant::now();
    let raw = |line: &&[u8]| RawLine { bytes: line.to_vec(), cut: false };
    let parsed = lines.iter().filter_map(|line| parser.feed(&raw(line), now));
    parsed.map(|parsed| parsed.result.map_err(|error| error.to_string())).collect()
}

fn one(line: &str) -> Result<Command, String> {
    let mut all = parse(&[line.as_bytes()]);
    assert_eq!(all.len(), 1, "{line}");
    all.remove(0)
}

#[test]
fn commands_are_read() {
    use Command::*;
    let info = |setting| Info(Some(setting));
    for (line, command) in [
        ("START 15", Start { width: 15, height: 15 }),
        ("  start\t20  \r", Start { width: 20, height: 20 }),
        ("START 15 15", StartSides { width: 15, height: 15 }),
        ("START 20 16", StartSides { width: 20, height: 16 }),
        ("START -3", Start { width: -3, height: -3 }),
        ("RECTSTART 15,20", Start { width: 15, height: 20 }),
        ("RECTSTART 15 , 20", Start { width: 15, height: 20 }),
        ("\u{feff}RESTART", Restart),
        ("BEGIN", Begin),
        ("TURN 7,8", Turn((7, 8))),
        ("turn 7 , 8", Turn((7, 8))),
        ("TURN 7, 8", Turn((7, 8))),
        ("TURN -1,99999999999", Turn((-1, 99_999_999_999))),
        ("PLAY 0,0", Play((0, 0))),
        ("TAKEBACK 3,4", TakeBack((3, 4))),
        ("about", About),
        ("STOP", Stop),
        ("yxstop", Stop),
        ("End", End),
        ("INFO timeout_turn 0", info(Setting::TurnTime(0))),
        ("info TIMEOUT_MATCH   100000", info(Setting::MatchTime(100_000))),
        ("INFO time_left -20", info(Setting::TimeLeft(-20))),
        ("INFO time_left 99999999999", info(Setting::TimeLeft(99_999_999_999))),
        ("INFO max_memory 367001600", info(Setting::MaxMemory(367_001_600))),
        ("INFO RULE 4", info(Setting::Rule(4))),
        ("INFO rule four", Info(None)),
        ("INFO rule 4 5", Info(None)),
        ("INFO rule 4.5", Info(None)),
        ("INFO rule", Info(None)),
        ("INFO", Info(None)),
        ("INFO time_left 99999999999999999999", Info(None)),
        ("INFO folder C:\\Program Files\\x", Info(Some(Setting::Folder("C:\\Program Files\\x".into())))),
        ("INFO evaluate 3,4", Info(None)),
        ("INFO no_such_key 1", Info(None)),
        ("INFO thread_num 4", info(Setting::Threads(4))),
        ("INFO hash_size 65536", info(Setting::HashSize(65536))),
        ("INFO max_depth 225", info(Setting::MaxDepth(225))),
        ("INFO max_node -1", info(Setting::MaxNodes(-1))),
        ("INFO show_detail 3", info(Setting::ShowDetail(3))),
        ("INFO pondering 1", info(Setting::Pondering(true))),
        ("INFO own_book 0", info(Setting::OwnBook(false))),
        ("INFO pondering 2", Info(None)),
        ("INFO learn 7", Info(None)),
        ("INFO usedatabase 2", Info(None)),
        ("INFO database_readonly -1", Info(None)),
        ("INFO caution_factor 4", info(Setting::CautionFactor(4))),
        ("INFO time_increment 10", info(Setting::TimeIncrement(10))),
        ("BOARD DONE", Board(vec![])),
        ("YXBOARD 7,7,1 8,8,2 DONE", AnalysisBoard(vec![(7, 7, 1), (8, 8, 2)])),
        ("SWAP2BOARD 1,2 3,4 5,6 done", Swap2Board(vec![(1, 2), (3, 4), (5, 6)])),
        ("YXBLOCK 1,2 DONE", Block(vec![(1, 2)])),
        ("YXBLOCKUNDO 1,2 DONE", Unblock(vec![(1, 2)])),
        ("YXBLOCKRESET", UnblockAll),
        ("YXBLOCKPATH 7,7 8,8 DONE", BlockLine(vec![(7, 7), (8, 8)])),
        ("YXBLOCKPATHUNDO 7,7 DONE", UnblockLine(vec![(7, 7)])),
        ("YXBLOCKPATHRESET", UnblockAllLines),
        ("YXFORBID add 1 2 1", Ignored),
        ("YXNBEST 3", Best(3)),
        ("YXSEARCHDEFEND", BestOfAll),
        ("YXBALANCEONE -30", BalanceOne(-30)),
        ("YXBALANCETWO", BalanceTwo(0)),
        ("YXBALANCETWO 99999999", BalanceTwo(MAX_EVAL)),
        ("YXSHOWINFO", ShowInfo),
        ("YXSHOWFORBID", ShowForbidden),
        ("YXHASHCLEAR", ClearTable),
        ("YXSHOWHASHUSAGE", ShowTableUsage),
        ("YXSWAP2STEP3", Swap2Step(Step::First)),
        ("YXDRAW", Draw),
        ("yxsavedatabase", SaveDatabase),
        ("YXDBCHECK", CheckDatabase),
        ("YXDBFIX", Unsupported("mending a database")),
        ("YXRESIGN", Resign),
        ("YXPRINTFEATURE", Assess),
        ("YXSOOSORVSTEP1", SoosorvStep(Soosorv::Propose, vec![])),
        (
            "yxsoosorvstep2 7,7 7,6 8,6 done",
            SoosorvStep(Soosorv::SwapAfterThree, vec![(7, 7), (7, 6), (8, 6)]),
        ),
        ("YXSOOSORVSTEP4 3 7,7 7,6 DONE", SoosorvStep(Soosorv::SwapAfterFour(3), vec![(7, 7), (7, 6)])),
        ("YXSOOSORVSTEP5 -1 DONE", SoosorvStep(Soosorv::Offer(-1), vec![])),
        ("YXQUERYDATABASEALL DONE", Database(DatabaseAsk::All { with_text: false }, vec![])),
        ("yxquerydatabaseone 7,7 8,8 done", Database(DatabaseAsk::One, vec![(7, 7), (8, 8)])),
    ] {
        assert_eq!(one(line), Ok(command), "{line}");
    }
}

#[test]
fn a_bad_number_of_fifth_moves_is_told_after_the_stones() {
    let lines: [&[u8]; 4] = [b"YXSOOSORVSTEP5 many", b"7,7", b"DONE", b"ABOUT"];
    let error = "YXSOOSORVSTEP5 needs a number of fifth moves, not: many";
    assert_eq!(parse(&lines), [Err(error.to_owned()), Ok(Command::About)]);
    let error = "YXSOOSORVSTEP4 needs a number of fifth moves";
    assert_eq!(parse(&[b"YXSOOSORVSTEP4", b"7,7", b"DONE"]), [Err(error.to_owned())]);
}

#[test]
fn bad_parameters_are_named() {
    for (line, error) in [
        ("START", "START needs one number or two"),
        ("START abc", "START needs one number or two, not: abc"),
        ("START 1 2 3", "START needs one number or two, not: 1 2 3"),
        ("RECTSTART 15", "RECTSTART needs width,height, not: 15"),
        ("TURN 7", "TURN needs x,y, not: 7"),
        ("TURN 7 8", "TURN needs x,y, not: 7 8"),
        ("TURN 7,8,9", "TURN needs x,y, not: 7,8,9"),
        ("TURN 7,8x", "TURN needs x,y, not: 7,8x"),
        ("TURN 7.5,8", "TURN needs x,y, not: 7.5,8"),
        ("TURN 99999999999999999999,1", "TURN needs x,y, not: 99999999999999999999,1"),
        ("TURN", "TURN needs x,y"),
        ("YXNBEST 0", "YXNBEST needs a number from 1, not: 0"),
        ("YXBALANCEONE x", "YXBALANCEONE needs a number, not: x"),
        ("BOARD 7,7 DONE", "BOARD needs lines x,y,field, not: 7,7"),
        ("SWAP2BOARD 7,7,1 DONE", "SWAP2BOARD needs lines x,y, not: 7,7,1"),
        ("hello world", "unknown command: hello world"),
        ("7,7", "unknown command: 7,7"),
        ("ENDE", "unknown command: ENDE"),
    ] {
        assert_eq!(one(line), Err(error.to_owned()));
    }
}

#[test]
fn a_block_is_one_command() {
    let block: &[&[u8]] = &[b"BOARD", b"7,7,1", b"", b" 8 , 8 , 2 \r", b"0,0,3", b"DONE\r", b"BEGIN"];
    let cells = vec![(7, 7, 1), (8, 8, 2), (0, 0, 3)];
    assert_eq!(parse(block), [Ok(Command::Board(cells)), Ok(Command::Begin)]);
    // A bad line spoils the block, but the block is read to its end, and only one error comes.
    let bad: &[&[u8]] = &[b"board", b"7,7", b"x", b"START 15", b"done", b"BEGIN"];
    let error = Err("BOARD needs lines x,y,field, not: 7,7".to_owned());
    assert_eq!(parse(bad), [error, Ok(Command::Begin)]);
    // END ends the engine even there.
    assert_eq!(parse(&[b"BOARD", b"7,7,1", b"end"]), [Ok(Command::End)]);
    assert_eq!(parse(&[b"YXBOARD 1,1,1", b"2,2,2 DONE"]).len(), 1);
}

#[test]
fn an_endless_block_is_not_kept() {
    let mut parser = Parser::new();
    let line = |text: &str| RawLine { bytes: text.as_bytes().to_vec(), cut: false };
    let now = Instant::now();
    assert!(parser.feed(&line("BOARD"), now).is_none());
    for _ in 0..10 * MAX_ENTRIES {
        assert!(parser.feed(&line("1,1,1"), now).is_none());
    }
    let State::Block(block) = &parser.state else { panic!("the block is over") };
    assert_eq!(block.entries.len(), MAX_ENTRIES);
    assert_eq!(parser.feed(&line("DONE"), now).unwrap().result, Err(CommandError::LongBlock("BOARD")));
}

#[test]
fn file_names_and_lists_are_swallowed() {
    let lines: &[&[u8]] = &[b"YXHASHDUMP", b"BEGIN", b"YXSETDATABASE", b"", b"ABOUT"];
    let files = Ok(Command::Unsupported("hash table files"));
    assert_eq!(parse(lines), [files, Ok(Command::SetDatabase(String::new())), Ok(Command::About)]);
    assert_eq!(
        parse(&[b"YXSETDATABASE", b" my book.kgl "]),
        [Ok(Command::SetDatabase("my book.kgl".to_owned()))]
    );
    assert_eq!(parse(&[b"YXLIBTODB", b"D4.lib"]), [Ok(Command::ImportLibrary("D4.lib".to_owned()))]);
    assert_eq!(parse(&[b"YXSETBESTMOVEDATABASE 1", b"3,4", b"junk", b"DONE"]), [Ok(Command::Ignored)]);
    let bad = parse(&[b"YXEDITTVDDATABASE 1", b"3,4", b"junk", b"DONE", b"ABOUT"]);
    assert!(matches!(bad[..], [Err(_), Ok(Command::About)]), "{bad:?}");
    assert_eq!(parse(&[b"YXBLOCKPATH", b"3,4", b"DONE"]), [Ok(Command::BlockLine(vec![(3, 4)]))]);
    assert_eq!(parse(&[b"YXDBTOTXT", b"END"]), [Ok(Command::End)]);
}

#[test]
fn texts_of_the_database_may_have_many_lines() {
    let text = |text: &str, cells| Ok(Command::Database(DatabaseAsk::EditText(text.to_owned()), cells));
    assert_eq!(parse(&[b"YXEDITTEXTDATABASE \"a\"", b"7,7", b"done"]), [text("a", vec![(7, 7)])]);
    let lines: &[&[u8]] = &[b"YXEDITTEXTDATABASE \"a", b"DONE", b"c\" 7,7 8,8", b"done", b"ABOUT"];
    assert_eq!(parse(lines), [text("a\nDONE\nc", vec![(7, 7), (8, 8)]), Ok(Command::About)]);
    let blank_lines: &[&[u8]] = &[b"YXEDITTEXTDATABASE \"", b"", b"a\" 7,7", b"done"];
    assert_eq!(parse(blank_lines), [text("\n\na", vec![(7, 7)])]);
    // A comment may have any lines, which keep their indentation. It ends with its quote, and so may the engine then.
    let lines: &[&[u8]] = &[b"YXEDITTEXTDATABASE \"in the", b"end\r", b"  . x o", b"won\"", b"7,7", b"done"];
    assert_eq!(parse(lines), [text("in the\nend\n  . x o\nwon", vec![(7, 7)])]);
    assert_eq!(parse(&[b"YXEDITTEXTDATABASE \"a", b"b\"", b"END"]), [Ok(Command::End)]);
    assert_eq!(
        parse(&[b"YXDELETEDATABASEALL nonwl", b"done"]),
        [Ok(Command::Unsupported("deleting by label"))]
    );
}

#[test]
fn a_text_whose_end_was_cut_off_swallows_no_more_than_its_block() {
    let mut parser = Parser::new();
    let mut said = Vec::new();
    for (line, cut) in
        [("YXEDITTEXTDATABASE \"", false), ("aaa", true), ("7,7", false), ("DONE", false), ("ABOUT", false)]
    {
        let line = RawLine { bytes: line.as_bytes().to_vec(), cut };
        said.extend(parser.feed(&line, Instant::now()).map(|parsed| parsed.result));
    }
    assert_eq!(said, [Err(CommandError::LongLine), Ok(Command::About)]);
}

#[test]
fn garbage_of_any_kind_gives_one_answer_at_most() {
    assert_eq!(parse(&[b"", b" \t", b"\r"]), []);
    for garbage in [&b"\xff\xfe\x00"[..], b"\0", b"BO\0ARD 1", b"TURN \xff,\xff", b"START \0", b",,,,"] {
        let all = parse(&[garbage]);
        assert!(matches!(all.as_slice(), [Err(_)]), "{garbage:?}: {all:?}");
    }
    assert_eq!(parse(&[b"INFO folder \xff\xfe"]), [Ok(Command::Info(None))]);
    let mut parser = Parser::new();
    let mut long = |start: &str| {
        let mut bytes = start.as_bytes().to_vec();
        bytes.resize(MAX_LINE, b'x');
        parser.feed(&RawLine { bytes, cut: true }, Instant::now()).map(|parsed| parsed.result)
    };
    assert_eq!(long("nonsense"), Some(Err(CommandError::LongLine)));
    assert_eq!(long("BOARD 1,1,1 "), Some(Err(CommandError::LongLine)));
    assert_eq!(long("INFO folder "), Some(Ok(Command::Info(None))));
}

#[test]
fn random_bytes_never_panic() {
    // A fixed linear congruential sequence (Knuth's MMIX constants).
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let words = ["START", "BOARD", "TURN", "INFO", "DONE", "YXNBEST", ",", " ", "7", "-", "rule", "\0"];
    let mut parser = Parser::new();
    for _ in 0..20_000 {
        let mut bytes = Vec::new();
        for _ in 0..next() % 8 {
            match next() % 4 {
                0 => bytes.push((next() % 256) as u8),
                _ => bytes.extend(words.get(next() % words.len()).unwrap().bytes()),
            }
        }
        let line = RawLine { bytes, cut: next() % 50 == 0 };
        let _ = parser.feed(&line, Instant::now());
    }
}

/// A block that is wrong interrupts a search no more than the same block without its mistake.
#[test]
fn a_mistake_ends_a_search_where_the_command_does() {
    for (line, timing) in [
        ("BOARD 1,1,1 DONE", Timing::EndsSearch),
        ("BOARD 1,1 DONE", Timing::EndsSearch),
        ("YXBLOCK 1,1 DONE", Timing::AtOnce),
        ("YXBLOCK 1,1,1 DONE", Timing::AtOnce),
        ("TURN 1", Timing::EndsSearch),
        ("TRUN 1,1", Timing::AtOnce),
        ("INFO rule four", Timing::AtOnce),
        ("YXDELETEDATABASEONE 1,1 DONE", Timing::AfterMove),
        ("YXDELETEDATABASEONE 1 DONE", Timing::AfterMove),
        ("YXQUERYDATABASEONE 1,1 DONE", Timing::AtOnce),
    ] {
        let raw = RawLine { bytes: line.as_bytes().to_vec(), cut: false };
        let parsed = Parser::new().feed(&raw, Instant::now()).unwrap();
        assert_eq!(parsed.timing, timing, "{line}");
    }
}
