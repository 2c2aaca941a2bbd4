//! Commands that wait for a search, and searches that give nothing.

use std::sync::mpsc::channel;

use super::*;
use crate::engine::opening::Swap2Choice;
use crate::protocol::messages::SearchOutcome;

/// They may take long, or wait for another writer, and a move must not be late for that.
#[test]
fn work_on_the_database_waits_for_the_move() {
    for work in ["YXDBCHECK", "YXLIBTODB\nno file", "YXDELETEDATABASEONE 0,0 DONE"] {
        let mut manager = Manager::new(Manner::Slow);
        manager.send("START 15\nINFO timeout_turn 3600000\nBEGIN").expect(&["OK"]).expect_silence();
        manager.send(work).send("ABOUT").expect_silence();
        // New limits and STOP are not kept waiting.
        manager.send("INFO timeout_match 0\nSTOP").expect(&["0,0"]);
        let line = manager.line();
        assert!(line.contains("there is no database"), "{line}");
        assert!(manager.reply().starts_with("name="));
        // Another move ends the search as ever.
        manager.send("TURN 7,7").expect_silence();
        manager.send(work).send("TURN 8,8").expect(&["1,0"]);
        assert!(manager.line().contains("there is no database"));
        manager.send("STOP").expect(&["2,0"]).send("END").end();
    }
    // An analysis may go on for hours.
    let mut manager = Manager::new(Manner::Slow);
    manager.send("START 15\nINFO timeout_turn 3600000\nYXNBEST 1").expect(&["OK"]).expect_silence();
    manager.send("YXDELETEDATABASEONE 0,0 DONE");
    assert!(manager.line().contains("there is no database"));
    manager.send("YXDBCHECK").expect_silence();
    manager.send("STOP\nEND").end();
}

/// A server whose search has begun, and the work that its thread was given; none where there is no such thread.
fn server_at_work(has_thread: bool) -> (Server<Vec<u8>>, Receiver<Work>) {
    let (jobs, mut work) = channel();
    if !has_thread {
        work = channel().1;
    }
    let mut server = Server {
        session: Session::new(1, DEFAULT_MEMORY, Style::PLAIN),
        output: Vec::new(),
        idle: Some(Engine::new(1, DEFAULT_MEMORY)),
        jobs,
        prepared: Some(Rule::default()),
        running: None,
        waiting: VecDeque::new(),
        after_move: Vec::new(),
        table_usage: 0,
        database: Database::default(),
        experience_file: Arc::default(),
    };
    for line in ["START 15", "BEGIN"] {
        let line = RawLine { bytes: line.as_bytes().to_vec(), cut: false };
        let parsed = Parser::new().feed(&line, Instant::now()).unwrap();
        server.waiting.push_back(Waiting::Command(parsed));
    }
    assert_eq!(server.carry_out().unwrap(), Flow::Continue);
    (server, work)
}

/// The points that were said after OK.
fn moves_of(server: &Server<Vec<u8>>) -> Vec<String> {
    let said = std::str::from_utf8(&server.output).unwrap();
    said.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_search_that_cannot_be_or_gives_no_move_is_answered() {
    let (server, _work) = server_at_work(false);
    let (alone, _work) = server_at_work(true);
    assert_eq!(moves_of(&alone), [""; 0], "its search goes on");
    let (mut mistaken, _work) = server_at_work(true);
    let outcome = SearchOutcome::Choice(Ok(Swap2Choice::Swap));
    mistaken.finish(Engine::new(1, DEFAULT_MEMORY), outcome).unwrap();
    for server in [server, mistaken] {
        let moves = moves_of(&server);
        assert!(moves.len() == 1 && moves.iter().all(|said| said.contains(',')), "{moves:?}");
        assert!(server.running.is_none() && server.idle.is_some());
        assert_eq!(server.session.stones().unwrap().history().len(), 1);
    }
}

#[test]
fn a_search_that_does_not_come_back_is_answered_for() {
    // One that knows no move yet is answered for by a legal one, here that in the centre.
    for (manner, first, second) in [(Manner::Late, "0,0", "1,0"), (Manner::Stuck, "7,7", "0,0")] {
        let mut manager = Manager::new(manner);
        manager.send("INFO timeout_turn 100").send("START 15");
        assert_eq!(manager.reply(), "OK");
        manager.send("BEGIN");
        assert_eq!(manager.reply(), first);
        assert!(!manager.diary().contains(&"back".to_owned()), "nobody waited for the search");
        // The move is part of the game, and the next one waits until the thinking thread is back.
        manager.send("TURN 1,1");
        assert_eq!(manager.reply(), second);
        assert!(manager.diary().contains(&"back".to_owned()));
        manager.send(&format!("TURN {first}"));
        assert!(manager.reply().starts_with("ERROR"));
        manager.send("END");
    }
}
