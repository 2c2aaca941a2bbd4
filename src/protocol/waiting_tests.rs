//! Commands that wait for a search.

use super::*;

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
