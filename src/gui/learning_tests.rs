//! Games that are lost on the board: what is remembered of them, and what is not.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::board::{Point, PointSet, Stones};
use crate::eval::score::lost_in;
use crate::gui::{MessageHandler, MessageHandlerOptions, Reaction};
use crate::library::own_book;

/// An experience file, and the handler of a page.
struct Board {
    handler: MessageHandler,
    path: PathBuf,
    /// The last field, so that it is removed when the handler has closed its files.
    _folder: TempDir,
}

impl Board {
    fn new() -> Board {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/losses.txt");
        let learner = Arc::new(Learner::open(&path).unwrap());
        let options = MessageHandlerOptions { threads: 1, is_server: true, can_shut_down: false };
        Board { handler: MessageHandler::new(options).with_learner(learner), path, _folder: folder }
    }

    /// How many lessons the file holds.
    fn lessons(&self) -> usize {
        fs::read_to_string(&self.path).unwrap().lines().count() - 1
    }

    /// What an engine answers to a message.
    fn ask(&self, engine: &mut Engine, message: &Value) -> Value {
        self.ask_with(engine, message, &JobControl::new())
    }

    fn ask_with(&self, engine: &mut Engine, message: &Value, control: &JobControl) -> Value {
        let job = match self.handler.handle(&message.to_string()) {
            Reaction::Start(job) => job,
            Reaction::Answer(text) => return serde_json::from_str(&text).unwrap(),
            other => panic!("{message}: {other:?}"),
        };
        let mut answer = Value::Null;
        let mut tell = |frame| {
            if let Frame::Done(text) = frame {
                answer = serde_json::from_str(&text).unwrap();
            }
        };
        assert!(job.run(engine, 16 << 20, control, &mut tell));
        answer
    }

    /// Plays Kagetsu's moves of the game that it loses, in answer to `first`, as messages with these other fields.
    /// Returns the moves.
    fn play(&self, engine: &mut Engine, first: &str, fields: &Value) -> Vec<Value> {
        let mut moves = vec![sent(first)];
        let mut own = Vec::new();
        for other in ["c3", "d3", "e3"] {
            let mut message = json!({"id": 1, "op": "think", "limits": {"nodes": 1000}});
            let position = json!({"rule": "freestyle", "width": 15, "height": 15, "moves": moves});
            message["position"] = position;
            for (name, value) in fields.as_object().unwrap() {
                message[name] = value.clone();
            }
            let answer = self.ask(engine, &message);
            let found = if answer["move"].is_null() { &answer["moves"][0] } else { &answer["move"] }.clone();
            own.push(found.clone());
            moves.extend([found, sent(other)]);
        }
        own
    }
}

fn point(name: &str) -> Point {
    name.parse().unwrap()
}

fn sent(name: &str) -> Value {
    json!(at(point(name)))
}

/// An engine that plays the first of three points that it may, and finds itself lost with its third move.
fn loser() -> Engine {
    loser_at(5)
}

/// The same, but lost as soon as there are so many stones.
fn loser_at(count: usize) -> Engine {
    let choose = |stones: &Stones, blocked: &PointSet| {
        let mut free = ["m12", "m11", "m10", "m9", "m8", "m7", "m6"].map(point).into_iter();
        free.find(|&point| stones.is_empty_at(point) && !blocked.contains(point)).unwrap()
    };
    Engine::scripted(Box::new(move |_, question| {
        let point = choose(question.stones, &question.request.blocked);
        let score = if question.stones.history().len() < count { 10 } else { lost_in(4) };
        let line = Line { points: vec![point], score, depth: 4, selective_depth: 4 };
        // As many as the limits allow, so that nothing is left for studies.
        let nodes = question.request.limits.nodes.unwrap_or(1000);
        Answer { moves: vec![point], lines: vec![line], nodes, elapsed: Duration::from_millis(1) }
    }))
}

#[test]
fn a_game_that_was_lost_is_not_lost_in_the_same_way() {
    let mut board = Board::new();
    let learn = json!({"learn": true});
    assert_eq!(board.play(&mut loser(), "h8", &learn), ["m12", "m11", "m10"].map(sent));
    assert_eq!(board.lessons(), 1);
    // Neither by the engine of another page, nor by another program that has this file.
    let again = ["m12", "m10", "m11"].map(sent);
    assert_eq!(board.play(&mut loser(), "h8", &learn), again);
    assert_eq!(board.lessons(), 2);
    let third = board.play(&mut loser(), "h8", &learn);
    assert_eq!(third[..2], ["m12", "m9"].map(sent));
    let learner = Arc::new(Learner::open(&board.path).unwrap());
    board.handler = board.handler.clone().with_learner(learner);
    assert_eq!(board.play(&mut loser(), "h8", &learn)[..2], ["m12", "m8"].map(sent));
}

/// Two people play on two pages by turns, and both win.
#[test]
fn games_of_two_pages_are_two_games() {
    let board = Board::new();
    let (mut one, mut other) = (loser(), loser());
    let ask = |engine: &mut Engine, moves: &[&str]| {
        let moves: Vec<Value> = moves.iter().copied().map(sent).collect();
        let position = json!({"rule": "renju", "width": 15, "height": 15, "moves": moves});
        let message =
            json!({"id": 1, "op": "think", "position": position, "limits": {"nodes": 1000}, "learn": true});
        board.ask(engine, &message)["move"].clone()
    };
    ask(&mut one, &["h8"]);
    ask(&mut other, &["g8"]);
    ask(&mut one, &["h8", "m12", "c3"]);
    ask(&mut other, &["g8", "m12", "c3"]);
    ask(&mut one, &["h8", "m12", "c3", "m11", "d3"]);
    ask(&mut other, &["g8", "m12", "c3", "m11", "d3"]);
    assert_eq!(board.lessons(), 2);
    for (engine, first) in [(&mut one, "g8"), (&mut other, "h8")] {
        assert_eq!(ask(engine, &[first, "m12", "c3"]), sent("m10"));
    }
}

/// The page charges the clock of Kagetsu with the time that an answer says.
#[test]
fn the_study_of_a_lost_game_takes_time_and_ends_when_it_is_told_to() {
    const SEARCH: Duration = Duration::from_millis(30);
    let board = Board::new();
    let searches = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&searches);
    let mut engine = Engine::scripted(Box::new(move |_, question| {
        std::thread::sleep(SEARCH);
        *counted.lock() += 1;
        let (name, score) = match question.stones.history().len() {
            1 if question.request.blocked.is_empty() => ("m12", 10),
            1 => ("m11", 10),
            _ => ("m10", lost_in(4)),
        };
        let line = Line { points: vec![point(name)], score, depth: 4, selective_depth: 4 };
        Answer { moves: vec![point(name)], lines: vec![line], nodes: 900, elapsed: SEARCH }
    }));
    let mut ask = |moves: &[&str], control: &JobControl| {
        let moves: Vec<Value> = moves.iter().copied().map(sent).collect();
        let position = json!({"rule": "renju", "width": 15, "height": 15, "moves": moves});
        let message =
            json!({"id": 1, "op": "think", "position": position, "limits": {"ms": 60_000}, "learn": true});
        board.ask_with(&mut engine, &message, control)["ms"].as_u64().unwrap()
    };
    let control = JobControl::new();
    ask(&["h8"], &control);
    assert!(u128::from(ask(&["h8", "m12", "c3"], &control)) >= 2 * SEARCH.as_millis());
    assert_eq!(*searches.lock(), 3);
    // The study is not over yet, and whoever wants the move now does not wait for it.
    control.stop();
    ask(&["h8", "m12", "c3", "m10", "d3"], &control);
    assert_eq!(*searches.lock(), 4);
}

#[test]
fn only_games_at_full_strength_are_learned_from() {
    let board = Board::new();
    // A hint, a game that is not to be learned from, and a level.
    for fields in [json!({}), json!({"learn": false}), json!({"learn": true, "style": {"level": 12}})] {
        for _ in 0..2 {
            assert_eq!(board.play(&mut loser(), "h8", &fields), ["m12", "m11", "m10"].map(sent), "{fields}");
        }
    }
    // An analysis, and a search for an even move.
    for fields in [json!({"op": "analyse", "lines": 1}), json!({"op": "balance", "moves": 1})] {
        board.play(&mut loser(), "h8", &fields);
    }
    assert_eq!(board.lessons(), 0);
    // They do not avoid what was learned elsewhere either.
    board.play(&mut loser(), "h8", &json!({"learn": true}));
    for fields in
        [json!({}), json!({"learn": true, "style": {"level": 12}}), json!({"op": "analyse", "lines": 1})]
    {
        assert_eq!(board.play(&mut loser(), "h8", &fields), ["m12", "m11", "m10"].map(sent), "{fields}");
    }
}

#[test]
fn a_move_of_the_library_that_has_lost_is_not_played_again() {
    let mut board = Board::new();
    board.handler = board.handler.clone().with_library(own_book());
    let mut engine = loser_at(3);
    let mut ask = |moves: Vec<Value>| {
        let position = json!({"rule": "freestyle", "width": 15, "height": 15, "moves": moves});
        let book = json!({"variety": 0, "seed": 1});
        let message = json!({"id": 1, "op": "think", "position": position, "book": book, "learn": true});
        board.ask(&mut engine, &message)
    };
    let first = ask(vec![sent("h8")]);
    assert_eq!(first["book"], json!(true), "{first}");
    ask(vec![sent("h8"), first["move"].clone(), sent("a1")]);
    let second = ask(vec![sent("h8")]);
    assert_eq!((&second["book"], &second["move"]), (&json!(false), &sent("m12")));
}
