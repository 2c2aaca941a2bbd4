//! Database commands and books as a manager sees them, with a library in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Database, Options, serve_with};
use crate::board::{Size, Stones};
use crate::engine::{DEFAULT_MEMORY, Engine};
use crate::eval::score::lost_in;
use crate::experience::Learner;
use crate::formats::moves;
use crate::formats::renlib::{self, LibMove, LibNode};
use crate::library::{AccessError, BookOptions, Entry, Library, LibraryAccess, PositionRecord};
use crate::rules::Rule;

/// The replies to these lines.
fn talk(database: Database, lines: &str) -> Vec<String> {
    talk_with(database, Options::plain(1, DEFAULT_MEMORY), lines)
}

fn talk_with(database: Database, options: Options, lines: &str) -> Vec<String> {
    let mut output = Vec::new();
    let input = Cursor::new(lines.as_bytes().to_vec());
    serve_with(input, &mut output, Engine::new(1, DEFAULT_MEMORY), options, database).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

fn library() -> Arc<Library> {
    let library = Library::in_memory().unwrap();
    for (text, score) in [("h8", 10), ("h8i9", -20), ("h8h9", 60), ("h8i9j8", 20)] {
        let stones = moves::position(text, Size::square(15)).unwrap();
        let entry = Entry { score: Some(score), depth: Some(5), ..Entry::default() };
        library.put(Rule::default(), &stones, &entry).unwrap();
    }
    Arc::new(library)
}

fn with(library: &Arc<Library>) -> Database {
    let book = BookOptions { variety: 0.0, seed: 1 };
    Database { library: Some(Arc::clone(library) as Arc<dyn LibraryAccess>), book, ..Database::default() }
}

#[test]
fn displays_are_told_what_is_known() {
    let said =
        talk(with(&library()), "START 15\nYXQUERYDATABASEALLT\n7,7\nDONE\nYXQUERYDATABASEONE 7,7 DONE\n");
    // Four diagonal and four straight neighbours; 52 % and 42 % for White.
    assert_eq!((said.len(), said[1].as_str()), (1 + 1 + 8 + 1 + 1 + 1, "MESSAGE DATABASE REFRESH"));
    assert!(
        said.contains(&format!("MESSAGE DATABASE 8 8 {} -20 5 3 0 ", u32::from_be_bytes(*b"\x0052%"))),
        "{said:?}"
    );
    assert!(
        said.contains(&format!("MESSAGE DATABASE 7 8 {} 60 5 3 0 ", u32::from_be_bytes(*b"\x0042%"))),
        "{said:?}"
    );
    assert_eq!(
        said[10..],
        ["MESSAGE DATABASE DONE", "MESSAGE DATABASE TEXT \"\"", "MESSAGE DATABASE ONE -1 10 5 3 48%"]
    );
}

/// A library to which someone else adds a game after each time that a position is read.
#[derive(Debug)]
struct Shared(Library, AtomicU64);

impl LibraryAccess for Shared {
    fn position_record(&self, rule: Rule, stones: &Stones) -> Result<PositionRecord, AccessError> {
        self.0.position_record(rule, stones)
    }

    fn entry(&self, rule: Rule, stones: &Stones) -> Result<Option<Entry>, AccessError> {
        let entry = self.0.entry(rule, stones);
        self.1.fetch_add(1, Ordering::Relaxed);
        LibraryAccess::change(&self.0, rule, stones, &mut |entry| entry.played.games += 1)?;
        entry
    }

    fn change(
        &self,
        rule: Rule,
        stones: &Stones,
        change: &mut dyn FnMut(&mut Entry),
    ) -> Result<(), AccessError> {
        LibraryAccess::change(&self.0, rule, stones, change)
    }

    fn remove(&self, rule: Rule, stones: &Stones) -> Result<bool, AccessError> {
        self.0.remove(rule, stones)
    }

    fn remove_after(&self, rule: Rule, stones: &Stones) -> Result<u64, AccessError> {
        self.0.remove_after(rule, stones)
    }

    fn check(&self) -> Result<Vec<String>, AccessError> {
        LibraryAccess::check(&self.0)
    }

    fn add_renlib(&self, rule: Rule, bytes: &[u8]) -> Result<u64, AccessError> {
        self.0.add_renlib(rule, bytes)
    }
}

#[test]
fn a_change_loses_nothing_that_others_write() {
    let library = Arc::new(Shared(Library::in_memory().unwrap(), AtomicU64::new(0)));
    let database =
        Database { library: Some(Arc::clone(&library) as Arc<dyn LibraryAccess>), ..Database::default() };
    // A change of the record is followed by a query.
    let lines = "START 15\nYXEDITTVDDATABASE 2 0 50 0\n7,7\nDONE\nYXEDITTEXTDATABASE \"one\"\n7,7\nDONE\n\
                 YXEDITLABELDATABASE 9,9 A\n7,7\nDONE\n";
    talk(database, lines);
    let h8 = moves::position("h8", Size::square(15)).unwrap();
    let entry = library.0.entry(Rule::default(), &h8).unwrap().unwrap();
    assert_eq!((entry.score, entry.comment.as_str()), (Some(50), "one"));
    assert_eq!((entry.played.games, library.1.load(Ordering::Relaxed)), (1, 1));
}

#[test]
fn displays_change_what_is_known() {
    let library = library();
    let lines = "START 15\nYXEDITTVDDATABASE 1 119 0 0\n7,7\n8,8\nDONE\nYXEDITTEXTDATABASE \"one\ntwo\"\n7,7\nDONE\n\
                 YXEDITLABELDATABASE 9,9 A1\n7,7\nDONE\nYXQUERYDATABASETEXT\n7,7\nDONE\nYXDELETEDATABASEONE 7,7 7,8 DONE\n\
                 YXDELETEDATABASEALL 7,7 8,8 DONE\n";
    let said = talk(with(&library), lines);
    assert_eq!(said[1], format!("MESSAGE DATABASE ONE 119 {} 5 3 w*", crate::eval::score::lost_in(255)));
    assert_eq!(said[2], "MESSAGE DATABASE TEXT \"one two\"");
    let entry = |text: &str| {
        library.entry(Rule::default(), &moves::position(text, Size::square(15)).unwrap()).unwrap()
    };
    let first = entry("h8").unwrap();
    assert_eq!((first.comment.as_str(), first.label("j10".parse().unwrap())), ("one\ntwo", Some("A1")));
    assert_eq!((entry("h8h9"), entry("h8i9j8")), (None, None));
    // Nothing changes where that is not wanted.
    let lines = "START 15\nINFO database_readonly 1\nYXDELETEDATABASEONE 7,7 DONE\n";
    assert!(talk(with(&library), lines)[1].contains("database_readonly"));
    assert!(entry("h8").is_some());
}

#[test]
fn displays_say_how_a_position_ends_and_what_it_is_worth() {
    // The bits of the first number say which of the others count: label, value, depth.
    let ask = |numbers: &str| {
        let lines = format!("START 15\nYXEDITTVDDATABASE {numbers}\n7,7\nDONE\n");
        talk(with(&library()), &lines).pop().unwrap()
    };
    // `l`, `d`, `D`, and `x`, which is not an outcome but a letter that people may give.
    assert_eq!(
        ask("1 108 0 0"),
        format!("MESSAGE DATABASE ONE 108 {} 5 3 l*", crate::eval::score::win_in(255))
    );
    assert_eq!(ask("1 100 0 0"), "MESSAGE DATABASE ONE 100 0 5 3 d");
    assert_eq!(ask("1 68 0 0"), "MESSAGE DATABASE ONE 100 0 5 3 d");
    assert_eq!(ask("1 120 0 0"), "MESSAGE DATABASE ONE 120 10 5 3 x");
    // A code that is not a printable character removes the label.
    assert_eq!(ask("1 7 0 0"), "MESSAGE DATABASE ONE -1 10 5 3 48%");
    assert_eq!(ask("6 0 60 9"), "MESSAGE DATABASE ONE -1 60 9 3 42%");
    assert_eq!(ask("4 0 60 -9"), "MESSAGE DATABASE ONE -1 10 0 3 48%");
    // A loss in ten plies, and one that is taken as a loss on the board.
    assert!(ask("6 0 -29990 5").starts_with("MESSAGE DATABASE ONE -1 -29990 5 3 "));
    assert!(ask("6 0 -99999 5").starts_with("MESSAGE DATABASE ONE -1 -30000 5 3 "));
}

#[test]
fn a_book_is_played_from_when_that_is_wanted() {
    let database = with(&library());
    let limits = "START 15\nINFO max_node 50\nINFO timeout_turn 2000\n";
    let said = talk(Database { is_used: true, ..database.clone() }, &format!("{limits}TURN 7,7\n"));
    assert_eq!(said[1..], ["MESSAGE book eval 20 (52 %) pv g7", "6,6"]);
    // The book's move is part of the game, and where the book ends the engine thinks.
    let said = talk(Database { is_used: true, ..database.clone() }, &format!("{limits}TURN 7,7\nTURN 0,0\n"));
    // On a busy machine the end of the input comes before the end of the search, whose summary is missing then.
    assert!(said.len() >= 4 && said[3..].iter().all(|line| !line.contains("book")), "{said:?}");
    assert!(said.last().is_some_and(|line| line.split_once(',').is_some()), "{said:?}");
    let said = talk(database.clone(), &format!("{limits}TURN 7,7\n"));
    assert!(!said[1].contains("book"), "{said:?}");
    let said = talk(database.clone(), &format!("INFO usedatabase 1\n{limits}BEGIN\n"));
    assert_eq!(said[1..], ["MESSAGE book eval -10 (49 %) pv h8", "7,7"]);
    // Neither 0 nor 1: the setting stays.
    let said = talk(database.clone(), &format!("INFO usedatabase 1\nINFO usedatabase 2\n{limits}BEGIN\n"));
    assert_eq!(said[1..], ["MESSAGE book eval -10 (49 %) pv h8", "7,7"]);
    // No move that the manager has blocked, and none under another rule.
    let blocked = "YXBLOCK\n6,6\n8,8\n6,8\n8,6\nDONE\n";
    let said = talk(Database { is_used: true, ..database.clone() }, &format!("{limits}{blocked}TURN 7,7\n"));
    assert!(!said[1].contains("book"), "{said:?}");
    let said = talk(Database { is_used: true, ..database }, &format!("{limits}INFO rule 1\nTURN 7,7\n"));
    assert!(!said[1].contains("book"), "{said:?}");
}

#[test]
fn the_own_book_is_played_from_where_there_is_no_other() {
    let limits = "START 15\nINFO max_node 50\nINFO timeout_turn 2000\n";
    let said = talk(Database::default(), &format!("{limits}INFO own_book 1\nBEGIN\n"));
    assert!(said[1].starts_with("MESSAGE book eval ") && said[2] == "7,7", "{said:?}");
    // It cannot be changed.
    let said = talk(Database::default(), &format!("{limits}INFO own_book 1\nYXDELETEDATABASEONE 7,7 DONE\n"));
    assert!(said[1].contains("cannot be changed"), "{said:?}");
    let said = talk(Database::default(), &format!("{limits}INFO own_book 1\nINFO own_book 0\nBEGIN\n"));
    assert!(said.iter().all(|line| !line.contains("book")), "{said:?}");
    // Turned off it is no database either, as little as it turns off the one that is there.
    let off = "INFO own_book 1\nINFO own_book 0\nINFO usedatabase 1\nBEGIN\nYXSAVEDATABASE\n";
    let said = talk(Database::default(), &format!("{limits}{off}"));
    assert!(said.iter().all(|line| !line.contains("book")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("there is no database")), "{said:?}");
    let said = talk(with(&library()), &format!("{limits}INFO usedatabase 1\nINFO own_book 0\nBEGIN\n"));
    assert_eq!(said[1..], ["MESSAGE book eval -10 (49 %) pv h8", "7,7"]);
    // A library takes precedence.
    let said = talk(with(&library()), &format!("{limits}INFO own_book 1\nBEGIN\n"));
    assert_eq!(said[1..], ["MESSAGE book eval -10 (49 %) pv h8", "7,7"]);
}

#[test]
fn a_line_of_the_book_is_not_lost_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("losses.txt");
    let size = Size::square(15);
    let (learner, rule) = (Learner::open(&path).unwrap(), Rule::default());
    // A game that followed the book to g7 and was lost at the next move.
    for (text, point, score) in [("h8", "g7", 20), ("h8g7a1", "b1", lost_in(8))] {
        let stones = moves::position(text, size).unwrap();
        assert!(learner.admits(rule, &stones, point.parse().unwrap(), score));
    }
    drop(learner);
    let database = Database { is_used: true, ..with(&library()) };
    let turn = "START 15\nINFO max_node 50\nINFO timeout_turn 2000\nTURN 7,7\n";
    assert_eq!(talk(database.clone(), turn)[1], "MESSAGE book eval 20 (52 %) pv g7");
    let remembering = Options { experience_file: Some(path), ..Options::plain(1, DEFAULT_MEMORY) };
    let said = talk_with(database, remembering, turn);
    assert!(said.len() > 1 && said.iter().all(|line| !line.contains("book") && line != "6,6"), "{said:?}");
}

#[test]
fn levels_below_full_strength_play_from_no_book() {
    let limits = "START 15\nINFO max_node 50\nINFO timeout_turn 2000\nINFO usedatabase 1\nINFO own_book 1\n";
    for level in ["INFO level 3", "INFO strength 50"] {
        for database in [with(&library()), Database::default()] {
            let said = talk(database, &format!("{limits}{level}\nBEGIN\n"));
            assert!(said.iter().all(|line| !line.contains("book")), "{level}: {said:?}");
        }
        // Full strength plays from it again.
        let said = talk(with(&library()), &format!("{limits}{level}\nINFO strength 100\nBEGIN\n"));
        assert_eq!(said[1..], ["MESSAGE book eval -10 (49 %) pv h8", "7,7"]);
    }
}

#[test]
fn managers_open_databases_only_if_they_may() {
    let said = talk(
        Database::default(),
        "START 15\nYXSETDATABASE\na file\nYXQUERYDATABASEALL 7,7 DONE\nYXDELETEDATABASEONE 7,7 DONE\n",
    );
    assert!(
        said.len() == 3 && said[1].contains("--databases") && said[2].contains("no database"),
        "{said:?}"
    );
    let opener = |path: &std::path::Path| match path.to_str() {
        Some("a file") => Ok(library() as Arc<dyn LibraryAccess>),
        _ => Err(AccessError("no such file".to_owned())),
    };
    let database = Database { opener: Some(opener), ..Database::default() };
    let said = talk(
        database,
        "START 15\nYXSETDATABASE\nanother\nYXSETDATABASE\n \nYXSETDATABASE\na file\nYXQUERYDATABASEONE 7,7 DONE\n",
    );
    assert!(said[1].contains("cannot be used: no such file"), "{said:?}");
    assert!(said[2].contains("without a file name"), "{said:?}");
    assert_eq!(said[3..], ["MESSAGE DATABASE ONE -1 10 5 3 48%"]);
}

#[test]
fn a_database_is_saved_checked_and_filled_from_renlib() {
    let library = library();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("yixin.lib");
    let stone = |depth, name: &str| {
        let action = LibMove::Stone(name.parse().unwrap());
        LibNode { depth, action, comment: name.to_owned(), ..LibNode::default() }
    };
    std::fs::write(&path, renlib::write([LibNode::default(), stone(1, "h8"), stone(2, "h9")])).unwrap();
    let lines = format!("START 15\nYXSAVEDATABASE\nYXDBCHECK\nYXLIBTODB\n{}\n", path.display());
    let said = talk(with(&library), &lines);
    assert_eq!(
        said[1..3],
        ["MESSAGE the database is saved; every change is as it is made", "MESSAGE the database is intact"]
    );
    assert!(said[3].contains("--databases"), "{said:?}");
    let allowed = || Database { opener: Some(|_| Err(AccessError(String::new()))), ..with(&library) };
    let said = talk(allowed(), &format!("{lines}YXLIBTODB\nno such file\nABOUT\n"));
    assert_eq!(said[3], "MESSAGE the database has taken in 3 positions");
    assert!(said[4].contains("cannot be used: no such file: ") && said.len() == 6, "{said:?}");
    let entry = library.entry(Rule::default(), &moves::position("h8h9", Size::square(15)).unwrap());
    let entry = entry.unwrap().unwrap();
    // What was known stays.
    assert_eq!((entry.comment.as_str(), entry.score), ("h9", Some(60)));
    // A truncated file changes nothing, and the reply says where it ends.
    std::fs::write(&path, b"\x78\x00\x79").unwrap();
    let said = talk(allowed(), &lines);
    assert!(said[3].contains("byte 3: the file ends"), "{said:?}");
    let said = talk(allowed(), &format!("INFO database_readonly 1\n{lines}"));
    assert!(said[3].contains("database_readonly"), "{said:?}");
    let said = talk(Database::default(), "START 15\nYXSAVEDATABASE\nYXDBCHECK\nYXDBFIX\nYXLIBTODB\nx\n");
    assert!(said.len() == 5 && said[1..].iter().all(|line| line.starts_with("MESSAGE not supported: ")));
}
