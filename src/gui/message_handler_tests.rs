//! Every operation as a page sees it: text goes in, frames come out.

use serde_json::{Value, json};

use super::*;
use crate::engine::Engine;
use crate::gui::{Frame, JobControl};
use crate::library::{AccessError, Branch, Entry, Mark, MarkKind, Played, PositionRecord};

fn handler() -> MessageHandler {
    MessageHandler::new(MessageHandlerOptions { threads: 4, is_server: true, can_shut_down: true })
}

fn parse(frame: &str) -> Value {
    serde_json::from_str(frame).unwrap()
}

/// All frames that answer a message; a job is run to its end.
fn frames(message: &Value) -> Vec<Value> {
    frames_of(message, &JobControl::new())
}

fn frames_of(message: &Value, control: &JobControl) -> Vec<Value> {
    let job = match handler().handle(&message.to_string()) {
        Reaction::Answer(frame) => return vec![parse(&frame)],
        Reaction::Start(job) => job,
        other => panic!("{message}: {other:?}"),
    };
    let mut frames = Vec::new();
    let mut engine = Engine::new(1, 64 << 20);
    assert!(job.run(&mut engine, 16 << 20, control, &mut |frame| {
        let is_done = matches!(frame, Frame::Done(_));
        let (Frame::Event(text) | Frame::Done(text)) = frame;
        let frame = parse(&text);
        assert_eq!(frame["id"], message["id"], "{frame}");
        assert_eq!(frame["done"] == json!(true), is_done, "{frame}");
        frames.push(frame);
    }));
    assert!(frames.iter().rev().skip(1).all(|frame| frame["done"].is_null()));
    frames
}

/// The last frame that answers a message.
fn answer(message: Value) -> Value {
    frames(&message).pop().unwrap()
}

fn error(message: Value) -> Value {
    let answer = answer(message);
    assert_eq!(answer["done"], json!(true), "{answer}");
    answer["error"].clone()
}

fn code(message: Value) -> String {
    error(message)["code"].as_str().unwrap().to_owned()
}

fn position(rule: &str, moves: Value) -> Value {
    json!({"rule": rule, "width": 15, "height": 15, "moves": moves})
}

fn facts(position: Value) -> Value {
    answer(json!({"id": 7, "op": "position", "position": position}))
}

/// Black has an open three, and is to move.
fn open_three() -> Value {
    position("freestyle", json!([[7, 7], [0, 0], [8, 7], [14, 0], [9, 7], [0, 14]]))
}

/// Black has a five.
fn won() -> Value {
    position("standard", json!([[7, 7], [0, 0], [8, 7], [0, 1], [9, 7], [0, 2], [10, 7], [0, 3], [11, 7]]))
}

#[test]
fn hello_says_what_there_is() {
    let hello = answer(json!({"id": 1, "op": "hello"}));
    assert_eq!(hello["name"], "Kagetsu");
    assert_eq!(hello["rules"], json!(["freestyle", "standard", "renju", "caro", "exact-caro"]));
    assert_eq!(
        (&hello["min_side"], &hello["max_side"], &hello["threads"]),
        (&json!(5), &json!(22), &json!(4))
    );
    assert_eq!((&hello["server"], &hello["can_shut_down"]), (&json!(true), &json!(true)));
    let levels = hello["levels"].as_array().unwrap();
    assert_eq!(levels[2], json!({"level": 3, "group": "tuples", "step": null}));
    // The page has a name for each.
    let names: Value = serde_json::from_str(include_str!("page/lang/en.json")).unwrap();
    for level in levels {
        let key = format!("level-{}", level["group"].as_str().unwrap());
        assert!(names[&key].is_string(), "{key}");
    }
}

#[test]
fn the_level_that_fits_follows_from_the_games() {
    let fit = |games: Value| answer(json!({"id": 1, "op": "fit", "rule": "renju", "games": games}));
    let level = |games: Value| fit(games)["level"].as_u64().unwrap();
    let first = level(json!([]));
    assert!(level(json!([[first, 1]])) > first && level(json!([[first, 0]])) < first);
    assert_eq!(code(json!({"id": 1, "op": "fit", "rule": "renju", "games": [[99, 1]]})), "bad-request");
    assert_eq!(code(json!({"id": 1, "op": "fit", "rule": "chess", "games": []})), "bad-position");
    let think = |style: Value| json!({"id": 1, "op": "think", "position": position("renju", json!([[7, 7]])), "style": style});
    assert_eq!(code(think(json!({"level": 99}))), "bad-request");
    assert!(matches!(
        handler().handle(&think(json!({"level": 3, "seed": 5})).to_string()),
        Reaction::Start(_)
    ));
}

/// A library that knows one position, and one move in it.
#[derive(Debug)]
struct OnePosition;

impl crate::library::LibraryAccess for OnePosition {
    fn position_record(&self, rule: Rule, stones: &crate::Stones) -> Result<PositionRecord, AccessError> {
        if rule != Rule::default() || stones.history().len() != 1 {
            return Ok(PositionRecord::default());
        }
        let mut entry = Entry { score: Some(30), comment: "the centre".to_owned(), ..Entry::default() };
        entry.played = Played { games: 3, black: 2, white: 1, draws: 0 };
        let point = crate::Point::new(8, 8);
        entry.put_mark(Mark { point, kind: MarkKind::Label, text: "A".to_owned() });
        let after = Entry { score: Some(-30), depth: Some(7), ..Entry::default() };
        Ok(PositionRecord { entry: Some(entry), branches: vec![Branch { point, entry: after }] })
    }

    fn entry(&self, _: Rule, _: &crate::Stones) -> Result<Option<Entry>, AccessError> {
        Err(AccessError("the disk is gone".to_owned()))
    }

    fn change(&self, _: Rule, _: &crate::Stones, _: &mut dyn FnMut(&mut Entry)) -> Result<(), AccessError> {
        Err(AccessError("the disk is gone".to_owned()))
    }

    fn remove(&self, _: Rule, _: &crate::Stones) -> Result<bool, AccessError> {
        Ok(false)
    }

    fn remove_after(&self, _: Rule, _: &crate::Stones) -> Result<u64, AccessError> {
        Ok(0)
    }

    fn check(&self) -> Result<Vec<String>, AccessError> {
        Ok(Vec::new())
    }

    fn add_renlib(&self, _: Rule, _: &[u8]) -> Result<u64, AccessError> {
        Err(AccessError("the disk is gone".to_owned()))
    }
}

#[test]
fn a_library_is_looked_up_and_played_from() {
    let with_library = handler().with_library(std::sync::Arc::new(OnePosition));
    let ask = |handler: &MessageHandler, message: Value| match handler.handle(&message.to_string()) {
        Reaction::Answer(frame) => parse(&frame),
        other => panic!("{other:?}"),
    };
    assert_eq!(ask(&with_library, json!({"id": 1, "op": "hello"}))["library"], true);
    assert_eq!(ask(&handler(), json!({"id": 1, "op": "hello"}))["library"], false);
    let centre = position("freestyle", json!([[7, 7]]));
    let record = ask(&with_library, json!({"id": 1, "op": "library", "position": centre}));
    assert_eq!((&record["entry"]["games"], &record["entry"]["comment"]), (&json!(3), &json!("the centre")));
    assert_eq!(record["entry"]["marks"], json!([{"point": [8, 8], "kind": "label", "text": "A"}]));
    // The score of a move is for the side that plays it.
    assert_eq!((&record["moves"][0]["move"], &record["moves"][0]["score"]), (&json!([8, 8]), &json!(30)));
    let empty = position("freestyle", json!([]));
    let record = ask(&with_library, json!({"id": 1, "op": "library", "position": empty}));
    assert_eq!((&record["entry"], &record["moves"]), (&Value::Null, &json!([])));
    let refused = ask(&handler(), json!({"id": 1, "op": "library", "position": centre}));
    assert_eq!(refused["error"]["code"], "not-supported");
    // A book move needs no search. Where the book has none, the move is searched as usual.
    let book = json!({"variety": 0.0, "seed": 1});
    let played = ask(&with_library, json!({"id": 2, "op": "think", "position": centre, "book": book}));
    assert_eq!(
        (&played["move"], &played["book"], &played["nodes"]),
        (&json!([8, 8]), &json!(true), &json!(0))
    );
    // A level knows no book.
    let (alone, of_level) = (handler(), (&with_library, &centre, Some(9)));
    for (handler, position, level) in [(&alone, &centre, None), (&with_library, &empty, None), of_level] {
        let style = json!({"level": level});
        let message = json!({"id": 2, "op": "think", "position": position, "book": book, "style": style});
        assert!(matches!(handler.handle(&message.to_string()), Reaction::Start(_)));
    }
}

#[test]
fn openings_of_renju_have_names() {
    let kagetsu = facts(position("renju", json!([[7, 7], [6, 7], [6, 8], [0, 0]])));
    assert_eq!(kagetsu["opening"], json!({"code": "D4", "name": "Kagetsu", "kanji": "花月"}));
    assert_eq!(facts(position("standard", json!([[7, 7], [6, 7], [6, 8]])))["opening"], Value::Null);
}

#[test]
fn what_is_no_message_is_refused() {
    for text in ["", "rubbish", "[]", "{}", "null", r#"{"op":"hello"}"#, r#"{"id":-1,"op":"hello"}"#, "\u{0}"]
    {
        let Reaction::Answer(frame) = handler().handle(text) else { panic!("{text}") };
        let frame = parse(&frame);
        assert_eq!((&frame["id"], &frame["done"]), (&Value::Null, &json!(true)), "{text}");
        assert_eq!(frame["error"]["code"], "bad-request", "{text}");
    }
    let deep = format!(r#"{{"id":1,"op":"position","position":{}"#, "[".repeat(1 << 20));
    assert!(matches!(handler().handle(&deep), Reaction::Answer(frame) if frame.contains("bad-request")));
    assert_eq!(code(json!({"id": 1, "op": "nope"})), "unknown-op");
    assert_eq!(code(json!({"id": 1, "op": "hello", "more": 1})), "bad-request");
    assert_eq!(code(json!({"id": 1, "op": "position"})), "bad-request");
    // Text quoted in an error is cut.
    let long = error(json!({"id": 1, "op": "x".repeat(1 << 20)}));
    assert!(long["message"].as_str().unwrap().len() < 1000);
    assert!(handler().refuse_binary().contains("bad-request"));
}

#[test]
fn facts_are_those_of_the_rule() {
    let empty = facts(position("renju", json!([])));
    assert_eq!(empty["to_move"], "black");
    assert_eq!(empty["verdict"], json!({"kind": "ongoing"}));
    assert_eq!(empty["hash"], "0000000000000000");
    assert_eq!(empty["threats"], json!({"black": [], "white": []}));

    let three = facts(open_three());
    assert!(three["threats"]["black"].as_array().unwrap().contains(&json!([10, 7, "open-four"])), "{three}");
    assert_eq!(three["threats"]["white"], json!([]));

    let won = facts(won());
    let line = json!([[7, 7], [8, 7], [9, 7], [10, 7], [11, 7]]);
    assert_eq!(won["verdict"], json!({"kind": "win", "winner": "black", "line": line}));
    assert_eq!(won["threats"], json!({"black": [], "white": []}));

    // Black's threes cross at 7,7.
    let crossed = json!([[7, 8], [0, 0], [7, 9], [1, 0], [8, 7], [0, 2], [9, 7], [1, 2]]);
    assert_eq!(facts(position("renju", crossed.clone()))["forbidden"], json!([[7, 7, "double-three"]]));
    let crossed = facts(position("freestyle", crossed));
    assert_eq!(crossed["forbidden"], json!([]));
    assert!(crossed["threats"]["black"].as_array().unwrap().contains(&json!([7, 7, "double-three"])));
}

#[test]
fn positions_can_be_set_up() {
    let set_up = |setup: Value| facts(json!({"rule": "renju", "width": 15, "height": 15, "setup": setup}));
    let two = set_up(json!({"black": [[7, 7], [8, 8]], "white": [[6, 6]], "dead": [[0, 0]]}));
    assert_eq!(two["to_move"], "white");
    assert_eq!(set_up(json!({"black": [[7, 7]], "to_move": "black"}))["to_move"], "black");
    // A five wins whichever stone was set up last, and threes that cross are no foul without a last stone.
    let five = json!([[4, 4], [5, 4], [6, 4], [7, 4], [8, 4], [0, 0]]);
    let five = set_up(json!({"black": five, "white": [[1, 9], [14, 14]]}));
    assert_eq!((&five["verdict"]["kind"], &five["verdict"]["winner"]), (&json!("win"), &json!("black")));
    assert_eq!(five["verdict"]["line"].as_array().unwrap().len(), 5);
    let crossed = json!([[7, 8], [7, 9], [8, 7], [9, 7], [7, 7]]);
    assert_eq!(set_up(json!({"black": crossed}))["verdict"]["kind"], "ongoing");
    // Moves are played after the setup.
    let message = json!({"rule": "freestyle", "width": 7, "height": 5,
        "setup": {"white": [[0, 0]]}, "moves": [[1, 1], [2, 2]]});
    assert_eq!(facts(message)["to_move"], "black");
}

#[test]
fn impossible_positions_are_refused() {
    let code = |position: Value| facts(position)["error"]["code"].as_str().unwrap().to_owned();
    for (width, height) in [(4, 15), (15, 4), (23, 15), (0, 0), (15, 1_000_000_000)] {
        assert_eq!(code(json!({"rule": "renju", "width": width, "height": height})), "bad-position");
    }
    assert_eq!(code(json!({"rule": "gobang", "width": 15, "height": 15})), "bad-position");
    assert_eq!(code(json!({"rule": "renju", "width": -1, "height": 15})), "bad-request");
    for setup in [json!({"black": [[7, 7], [7, 7]]}), json!({"white": [[15, 0]]}), json!({"dead": [[-1, 0]]})]
    {
        assert_eq!(code(json!({"rule": "renju", "width": 15, "height": 15, "setup": setup})), "bad-position");
    }
    let refused = |rule, moves| {
        let error = facts(position(rule, moves))["error"].clone();
        assert_eq!(error["code"], "illegal-move");
        (error["move"].as_u64().unwrap(), error["reason"].as_str().unwrap().to_owned(), error["foul"].clone())
    };
    assert_eq!(refused("renju", json!([[7, 7], [7, 7]])), (1, "occupied".to_owned(), Value::Null));
    assert_eq!(refused("renju", json!([[15, 7]])), (0, "outside".to_owned(), Value::Null));
    assert_eq!(refused("renju", json!([[i64::MIN, i64::MAX]])), (0, "outside".to_owned(), Value::Null));
    let crossed = json!([[7, 8], [0, 0], [7, 9], [1, 0], [8, 7], [0, 2], [9, 7], [1, 2], [7, 7], [0, 4]]);
    assert_eq!(refused("renju", crossed), (8, "forbidden".to_owned(), json!("double-three")));
    let mut over = won();
    over["moves"].as_array_mut().unwrap().push(json!([5, 5]));
    let error = facts(over)["error"].clone();
    assert_eq!((&error["reason"], &error["move"]), (&json!("over"), &json!(9)));
}

#[test]
fn a_game_may_end_with_a_foul() {
    let crossed = json!([[7, 8], [0, 0], [7, 9], [1, 0], [8, 7], [0, 2], [9, 7], [1, 2], [7, 7]]);
    let told = facts(position("renju", crossed.clone()));
    assert_eq!(told["verdict"], json!({"kind": "foul", "winner": "white"}));
    assert_eq!((&told["to_move"], &told["forbidden"]), (&json!("white"), &json!([])));
    let message = json!({"id": 4, "op": "analyse", "position": position("renju", crossed), "lines": 1});
    assert_eq!(answer(message)["error"]["code"], "game-over");
}

#[test]
fn heat_is_warmest_where_it_wins() {
    let heat = answer(json!({"id": 3, "op": "heat", "position": open_three()}));
    let points = heat["points"].as_array().unwrap();
    let rate = |x: i64, y: i64| {
        points.iter().find(|point| point[0] == json!(x) && point[1] == json!(y)).unwrap()[2].as_f64().unwrap()
    };
    assert!(points.iter().all(|point| (0.0..=1.0).contains(&point[2].as_f64().unwrap())));
    assert!(rate(10, 7) > rate(8, 10), "an open four is better than a stone beside it");
    let four = json!([[7, 7], [0, 0], [8, 7], [0, 1], [9, 7], [0, 2], [10, 7], [0, 4]]);
    let heat = answer(json!({"id": 3, "op": "heat", "position": position("renju", four)}));
    assert!(heat["points"].as_array().unwrap().contains(&json!([11, 7, 1.0])));
    assert_eq!(answer(json!({"id": 3, "op": "heat", "position": won()}))["points"], json!([]));
    let empty = answer(json!({"id": 3, "op": "heat", "position": position("caro", json!([]))}));
    assert_eq!(empty["points"].as_array().unwrap().len(), 1);
}

#[test]
fn a_move_is_thought_of() {
    let frames =
        frames(&json!({"id": 4, "op": "think", "position": open_three(), "limits": {"nodes": 3000}}));
    let last = frames.last().unwrap();
    assert!([json!([6, 7]), json!([10, 7])].contains(&last["move"]), "{last}");
    assert_eq!(last["stopped"], json!(false));
    let line = &last["lines"][0];
    assert_eq!((&line["rank"], &line["win_rate"]), (&json!(0), &json!(1.0)));
    assert_eq!(line["plies_to_end"], json!(3));
    assert_eq!(line["moves"][0], last["move"]);
    // A longer search reports its lines.
    let quiet = position("standard", json!([[7, 7], [8, 8], [6, 8]]));
    let limits = json!({"depth": 6, "nodes": 20_000, "ms": 10_000, "left_ms": 60_000, "increment_ms": 10});
    let frames =
        self::frames(&json!({"id": 4, "op": "think", "position": quiet, "limits": limits, "threads": 99}));
    assert!(frames.len() > 3, "{frames:?}");
    assert!(frames[..frames.len() - 1].iter().all(|frame| frame["event"] == "line"));
}

#[test]
fn analyses_rank_moves() {
    let quiet = position("renju", json!([[7, 7], [8, 8], [6, 8]]));
    let message = json!({"id": 5, "op": "analyse", "position": quiet, "lines": 3, "limits": {"depth": 4}});
    let last = answer(message.clone());
    let lines = last["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    assert!(lines.windows(2).all(|pair| pair[0]["score"].as_i64() >= pair[1]["score"].as_i64()), "{last}");
    for lines in [0, 21] {
        let mut message = message.clone();
        message["lines"] = json!(lines);
        assert_eq!(code(message), "bad-request");
    }
}

#[test]
fn stopped_jobs_answer_with_what_they_have() {
    let control = JobControl::new();
    control.stop();
    assert!(control.is_stopped());
    for message in [
        json!({"id": 6, "op": "analyse", "position": position("renju", json!([[7, 7]])), "lines": 20}),
        json!({"id": 6, "op": "think", "position": position("renju", json!([[7, 7]]))}),
        json!({"id": 6, "op": "balance", "position": position("renju", json!([[7, 7]])), "moves": 1}),
        json!({"id": 6, "op": "solve", "position": position("renju", json!([[7, 7], [8, 8]])), "space": "vct"}),
    ] {
        let last = frames_of(&message, &control).pop().unwrap();
        assert_eq!(last["stopped"], json!(true), "{last}");
        assert!(last["error"].is_null());
    }
    let Reaction::Stop { target: 6, answer } = handler().handle(r#"{"id":7,"op":"stop","target":6}"#) else {
        panic!("this is a wish to stop");
    };
    assert_eq!(parse(&answer), json!({"id": 7, "done": true}));
}

#[test]
fn jobs_want_a_game_that_goes_on() {
    for message in [
        json!({"id": 1, "op": "think", "position": won()}),
        json!({"id": 1, "op": "analyse", "position": won(), "lines": 1}),
        json!({"id": 1, "op": "balance", "position": won(), "moves": 1}),
        json!({"id": 1, "op": "solve", "position": won(), "space": "vcf"}),
        json!({"id": 1, "op": "opening", "position": won(), "opening": "swap2", "step": "propose"}),
    ] {
        assert_eq!(code(message.clone()), "game-over", "{message}");
    }
    let dead: Vec<[u8; 2]> = (0..25).map(|n| [n % 5, n / 5]).collect();
    let full = json!({"rule": "renju", "width": 5, "height": 5, "setup": {"dead": dead}});
    assert_eq!(code(json!({"id": 1, "op": "think", "position": full})), "game-over");
}

#[test]
fn wins_are_proved() {
    let frames = frames(&json!({"id": 8, "op": "solve", "position": open_three(), "space": "vct"}));
    let last = frames.last().unwrap();
    assert_eq!(
        (&last["verdict"], &last["checked"], &last["plies"]),
        (&json!("win"), &json!(true), &json!(3))
    );
    let nodes = last["proof"]["nodes"].as_array().unwrap();
    assert_eq!(last["proof"]["root"], 0);
    let count = json!(nodes.len());
    let is_known = |node: &Value| node.as_u64().unwrap() < count.as_u64().unwrap();
    for node in nodes {
        assert!(node["threat"].is_null() || is_known(&node["threat"]));
        assert_eq!(node["cut"], Value::Null);
        assert!(node["replies"].as_array().unwrap().iter().all(|reply| is_known(&reply[2])));
    }
    let quiet = position("freestyle", json!([[7, 7], [8, 8]]));
    let none =
        answer(json!({"id": 8, "op": "solve", "position": quiet, "space": "vcf", "limits": {"ms": 9999}}));
    assert_eq!(
        (&none["verdict"], &none["exhausted"], &none["proof"]),
        (&json!("none"), &json!("vcf"), &Value::Null)
    );
    let space = json!({"id": 8, "op": "solve", "position": open_three(), "space": "all"});
    assert_eq!(code(space), "bad-request");
}

#[test]
fn moves_are_balanced() {
    let middle = position("freestyle", json!([[7, 7]]));
    for count in [1, 2] {
        let message =
            json!({"id": 9, "op": "balance", "position": middle, "moves": count, "limits": {"nodes": 2000}});
        let last = answer(message);
        assert_eq!(last["moves"].as_array().unwrap().len(), count, "{last}");
        assert!(last["score"].is_i64());
        assert!((0.0..=1.0).contains(&last["win_rate"].as_f64().unwrap()), "{last}");
    }
    assert_eq!(code(json!({"id": 9, "op": "balance", "position": middle, "moves": 3})), "bad-request");
}

#[test]
fn openings_are_decided() {
    let ask = |moves: Value, opening: &str, step: &str| {
        let position = position("freestyle", moves);
        answer(json!({"id": 9, "op": "opening", "position": position, "opening": opening, "step": step,
            "limits": {"nodes": 500, "ms": 2000}}))
    };
    let proposal = ask(json!([]), "swap2", "propose");
    assert_eq!(proposal["place"].as_array().unwrap().len(), 3, "{proposal}");
    assert!(proposal["ms"].is_u64(), "{proposal}");
    let second = ask(proposal["place"].clone(), "swap2", "second");
    assert!(second["swap"] == json!(true) || second["place"].is_array(), "{second}");
    assert_eq!(ask(json!([]), "swap2", "first")["error"]["code"], "bad-position");
    assert_eq!(ask(json!([]), "taraguchi10", "propose")["error"]["code"], "not-supported");
    assert_eq!(ask(json!([]), "swap2", "third")["error"]["code"], "not-supported");
}

#[test]
fn small_games_are_solved() {
    let ask = |moves: Value| {
        answer(
            json!({"id": 2, "op": "small", "width": 3, "height": 3, "line": 3, "moves": moves, "full_from": 6}),
        )
    };
    let start = ask(json!([]));
    assert_eq!((&start["value"], &start["tree"]), (&json!("draw"), &Value::Null));
    assert_eq!(
        (&start["nodes"]["minimax"], start["children"].as_array().unwrap().len()),
        (&json!(549_946), 9)
    );
    // Black fills a column next.
    let near = ask(json!([[0, 0], [1, 0], [0, 1], [1, 1]]));
    assert_eq!(near["value"], "win");
    assert!(near["children"].as_array().unwrap().contains(&json!({"move": [0, 2], "value": "win"})));
    let tree = &near["tree"];
    assert_eq!((&tree["move"], &tree["value"], &tree["alpha"]), (&Value::Null, &json!(1), &json!(-1)));
    assert!(tree["children"].as_array().unwrap().iter().any(|child| child["cut"] == json!(true)));
    let over = ask(json!([[0, 0], [1, 0], [0, 1], [1, 1], [0, 2]]));
    assert_eq!((&over["value"], &over["children"]), (&json!("loss"), &json!([])));
    for (moves, reason) in [
        (json!([[0, 0], [0, 0]]), "occupied"),
        (json!([[3, 0]]), "outside"),
        (json!([[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [2, 2]]), "over"),
    ] {
        assert_eq!(ask(moves)["error"]["reason"], reason);
    }
    for (width, height, line) in [(0, 3, 3), (3, 3, 0), (9, 9, 5), (255, 255, 255)] {
        let message = json!({"id": 2, "op": "small", "width": width, "height": height, "line": line});
        assert_eq!(code(message), "bad-position");
    }
    // The largest game that the page proposes is solved together with all its moves.
    let proposed = answer(json!({"id": 2, "op": "small", "width": 5, "height": 4, "line": 4}));
    assert_eq!((&proposed["value"], &proposed["nodes"]["table"]), (&json!("draw"), &json!(478_184)));
    let children = proposed["children"].as_array().unwrap();
    assert!(children.iter().all(|child| child["value"].is_string()), "{proposed}");
    let choice = children.iter().find(|child| child["move"] == proposed["choice"]).unwrap();
    assert_eq!(choice["value"], "draw");
    // A game that is too large must not block the answer, and it still gets a move.
    let large = answer(json!({"id": 2, "op": "small", "width": 7, "height": 7, "line": 5}));
    assert_eq!((&large["value"], &large["nodes"]["minimax"]), (&Value::Null, &Value::Null));
    assert!(large["choice"].is_array(), "{large}");
}

#[test]
fn only_some_may_shut_down() {
    let message = r#"{"id":1,"op":"shut-down"}"#;
    assert!(matches!(handler().handle(message), Reaction::ShutDown(_)));
    let remote =
        MessageHandler::new(MessageHandlerOptions { threads: 0, is_server: true, can_shut_down: false });
    assert!(matches!(remote.handle(message), Reaction::Answer(frame) if frame.contains("refused")));
}
