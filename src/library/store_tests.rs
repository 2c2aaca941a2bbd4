use std::fs;

use super::*;
use crate::board::{Point, Size};
use crate::formats::moves;
use crate::library::{Decided, LibraryAccess, Mark, MarkKind, Outcome};

const SIZE: Size = Size::square(15);

fn rule() -> Rule {
    Rule::ALL[2]
}

fn position(text: &str) -> Stones {
    moves::position(text, SIZE).unwrap()
}

/// An entry with a value in every field.
fn full(text: &str) -> Entry {
    let mut entry = Entry {
        played: crate::library::Played { games: 7, black: 3, white: 2, draws: 1 },
        score: Some(-123),
        depth: Some(17),
        nodes: Some(1 << 40),
        decided: Some(Decided { outcome: Outcome::Loss, plies: Some(9), is_checked: true }),
        is_marked: true,
        tag: Some('水'),
        comment: format!("{text}\nsecond line"),
        marks: Vec::new(),
    };
    for (kind, point) in MarkKind::ALL.into_iter().zip(["a1", "b1", "c1", "d2", "o15"]) {
        let text = if kind == MarkKind::Label { text.to_owned() } else { String::new() };
        entry.put_mark(Mark { point: point.parse().unwrap(), kind, text });
    }
    entry
}

#[test]
fn a_library_can_be_read_without_writing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("100% games? #1.kgl");
    let stones = position("h8i9");
    let library = Library::open_or_create(&path).unwrap();
    library.put(rule(), &stones, &full("kept")).unwrap();
    // What was written still lies in the log.
    assert!(Library::connect_unchanging(&path).is_none());
    drop(library);
    let library = Library::connect_unchanging(&path).unwrap().unwrap();
    let entry = library.entry(rule(), &stones).unwrap();
    assert!(entry.is_some_and(|entry| entry.comment.starts_with("kept")));
    assert!(library.put(rule(), &stones, &full("changed")).is_err());
    let beside = fs::read_dir(&folder).unwrap().count();
    assert_eq!(beside, 1, "nothing else lies in the folder");
}

#[test]
fn a_library_is_a_file_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for no_file in [Path::new(""), folder.path()] {
        assert!(matches!(Library::open_or_create(no_file), Err(LibraryError::Foreign(_))), "{no_file:?}");
        assert!(Library::open(no_file).is_err());
    }
    assert!(matches!(Library::open(folder.path()), Err(LibraryError::Foreign(_))));
    assert!(matches!(Library::open(&folder.path().join("none")), Err(LibraryError::Missing(_))));
    // What cannot be created is told by its own name and not by that of another way to open it.
    let error = Library::open_or_create(&folder.path().join("none/new.kgl")).unwrap_err().to_string();
    assert!(error.contains("new.kgl") && !error.contains("immutable"), "{error}");
    // SQLite takes a name that begins with a colon for a database in memory.
    let memory = std::env::current_dir().unwrap().join(":memory:");
    drop(Library::open_or_create(std::path::Path::new(":memory:")).unwrap());
    assert!(memory.is_file());
    fs::remove_file(memory).unwrap();
}

#[test]
fn what_is_put_is_found_however_the_board_lies() {
    let library = Library::in_memory().unwrap();
    let stones = position("h8i9j8");
    library.put(rule(), &stones, &full("é\"'\0x")).unwrap();
    assert_eq!(library.entry(rule(), &stones).unwrap(), Some(full("é\"'\0x")));
    assert_eq!(library.entry(Rule::ALL[0], &stones).unwrap(), None);
    for symmetry in crate::board::Symmetry::of(SIZE) {
        let mut image = Stones::new(SIZE);
        stones.history().iter().for_each(|&(point, color)| image.place(symmetry.apply(point, SIZE), color));
        // No symmetry of the board leaves the stones where they are, so that each mark has one place.
        let mirrored = full("é\"'\0x").turned(symmetry, SIZE);
        assert_eq!(library.entry(rule(), &image).unwrap(), Some(mirrored), "{symmetry:?}");
    }
    assert!(library.remove(rule(), &stones).unwrap() && !library.remove(rule(), &stones).unwrap());
    let mut dead = Stones::new(SIZE);
    dead.kill(Point::new(1, 1));
    assert!(library.put(rule(), &dead, &Entry::default()).is_err());
    assert_eq!(library.position_record(rule(), &dead).unwrap(), PositionRecord::default());
}

#[test]
fn moves_are_found_by_the_positions_that_they_lead_to() {
    let library = Library::in_memory().unwrap();
    for text in ["h8i9", "h8i8", "h8i9j10", "a1"] {
        library.put(rule(), &position(text), &full(text)).unwrap();
    }
    let record = library.position_record(rule(), &position("h8")).unwrap();
    assert_eq!(record.entry, None);
    // Four diagonal and four straight neighbours.
    assert_eq!(record.branches.len(), 8);
    let branch = |name: &str| record.branches.iter().find(|branch| branch.point.to_string() == name).unwrap();
    assert_eq!(branch("g7").entry.comment, "h8i9\nsecond line");
    assert_eq!(branch("h9").entry.comment, "h8i8\nsecond line");
    assert_eq!(library.position_record(rule(), &Stones::new(SIZE)).unwrap().branches.len(), 4);
    // Another order of the same stones.
    let record = library.position_record(rule(), &position("j10i9")).unwrap();
    assert_eq!(record.branches.len(), 1);
}

#[test]
fn only_what_nothing_else_leads_to_is_forgotten() {
    let library = Library::in_memory().unwrap();
    for text in ["h8", "h8i9", "h8i9j8", "h8i9j8k8", "j8", "j8i9", "h8i9a1", "h8i9a1a2"] {
        library.put(rule(), &position(text), &Entry::default()).unwrap();
    }
    // h8i9j8 is also reached from j8i9, which is not a follower of h8i9.
    assert_eq!(library.remove_after(rule(), &position("h8i9")).unwrap(), 2);
    let left = |text: &str| library.entry(rule(), &position(text)).unwrap().is_some();
    assert!(left("h8i9") && left("h8i9j8") && left("h8i9j8k8") && !left("h8i9a1") && !left("h8i9a1a2"));
}

#[test]
fn files_of_other_kinds_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.kgl");
    assert!(matches!(Library::open(&path).unwrap_err(), LibraryError::Missing(_)));
    drop(Library::open_or_create(&path).unwrap());
    assert_eq!(Library::open(&path).unwrap().count().unwrap(), Count::default());
    assert_eq!(Library::open_to_read(&path).unwrap().boards().unwrap(), []);
    let text = folder.path().join("text");
    fs::write(&text, "hello, this is text and long enough to be looked at".repeat(40)).unwrap();
    for open in [Library::open, Library::open_or_create, Library::open_to_read] {
        let error = open(&text).unwrap_err().to_string();
        assert!(error.contains("not a library"), "{error}");
    }
    // The database of another program stays as it is.
    let other = folder.path().join("other.db");
    let sql = "CREATE TABLE a (b); INSERT INTO a VALUES (1)";
    Connection::open(&other).unwrap().execute_batch(sql).unwrap();
    let before = fs::read(&other).unwrap();
    let error = Library::open_or_create(&other).unwrap_err();
    assert!(matches!(error, LibraryError::Foreign(_)), "{error}");
    assert!(error.to_string().contains("not a library"), "{error}");
    assert_eq!(fs::read(&other).unwrap(), before);
    // A newer version.
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 2).unwrap();
    assert!(Library::open(&path).unwrap_err().to_string().contains("version 2"));
}

#[test]
fn a_damaged_file_is_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.kgl");
    let library = Library::open_or_create(&path).unwrap();
    for number in 0..400 {
        let mut stones = position("h8");
        let point = Point::new(number % 15, number / 15 % 15);
        if stones.is_empty_at(point) {
            stones.place(point, stones.to_move());
            library.put(Rule::ALL[number % 5], &stones, &full("text")).unwrap();
        }
    }
    assert_eq!(library.check().unwrap(), Vec::<String>::new());
    drop(library);
    let whole = fs::read(&path).unwrap();
    let mut found = 0;
    for number in 0..60 {
        let mut bytes = whole.clone();
        if number % 3 == 0 {
            bytes.truncate(whole.len() * number / 60);
        } else {
            // Beyond the header, in some page.
            let at = 4096 + (whole.len() - 4200) * number / 60;
            bytes[at..at + 40].iter_mut().for_each(|byte| *byte ^= 0x5A);
        }
        let damaged = folder.path().join("damaged.kgl");
        let _ = fs::remove_file(folder.path().join("damaged.kgl-wal"));
        let _ = fs::remove_file(folder.path().join("damaged.kgl-shm"));
        fs::write(&damaged, bytes).unwrap();
        let said = Library::open(&damaged).and_then(|library| {
            let _ = library.position_record(Rule::ALL[0], &position("h8"));
            library.check()
        });
        found += usize::from(!said.is_ok_and(|said| said.is_empty()));
    }
    // Damage within a text may leave a valid text.
    assert!(found >= 45, "{found}");
}

#[test]
fn rows_that_mean_nothing_are_named_and_the_others_exported() {
    let library = Library::in_memory().unwrap();
    for text in ["h8", "h8i9", "h8i9j8"] {
        library.put(rule(), &position(text), &full(text)).unwrap();
    }
    let few = Entry { score: Some(40_000), ..Entry::default() };
    library.put(rule(), &position("a1"), &few).unwrap();
    let bad = |number: u8, marks: &str| {
        let sql = "INSERT INTO position (key, marks) VALUES (?1, ?2)";
        library.locked(|connection| connection.execute(sql, params![[number, 9], marks])).unwrap();
    };
    (0..2).for_each(|number| bad(number, ""));
    let said = library.check().unwrap();
    let expected = ["with the key 0009", "with the key 0109", "the score 40000 is not between"];
    assert!(said.iter().zip(expected).all(|(line, part)| line.contains(part)), "{said:?}");
    assert_eq!(said.len(), 3);
    let mut lines = Vec::new();
    let (json, csv) =
        (library.write_json_lines(&mut lines, |_| true), library.write_csv(&mut Vec::new(), |_| true));
    for count in [json.unwrap(), csv.unwrap()] {
        assert_eq!((count.positions, count.left_out), (4, 2));
    }
    assert_eq!(String::from_utf8(lines).unwrap().lines().count(), 4);
    assert!(library.write_sgf(&mut Vec::new(), rule(), SIZE).is_ok());
    // Only the first of many are named.
    (2..200).for_each(|number| bad(number, ""));
    let said = library.check().unwrap();
    assert_eq!((said.len(), said.last().unwrap().as_str()), (21, "and so on: 201 rows in all"));
}

#[test]
fn what_lies_around_damaged_pages_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.kgl");
    let library = Library::open_or_create(&path).unwrap();
    for number in 0..200 {
        let mut stones = Stones::new(SIZE);
        stones.place(Point::new(number % 15, number / 15), crate::board::Color::Black);
        stones.place(Point::new(number / 15, 14), crate::board::Color::White);
        library.put(rule(), &stones, &full(&"text ".repeat(30))).unwrap();
    }
    let whole = library.count().unwrap().positions;
    drop(library);
    let intact = fs::read(&path).unwrap();
    let mut saved = Vec::new();
    // The first page tells what this file is.
    for page in 1..intact.len() / 4096 {
        let mut bytes = intact.clone();
        bytes[page * 4096..][..4096].fill(0x5A);
        fs::write(&path, bytes).unwrap();
        let library = Library::open_to_read(&path).unwrap();
        let mut lines = Vec::new();
        let Ok(count) = library.write_json_lines(&mut lines, |_| true) else { continue };
        let lines = String::from_utf8(lines).unwrap();
        let found: std::collections::BTreeSet<&str> = lines.lines().collect();
        assert_eq!(found.len() as u64, count.positions, "none is written twice");
        if count.is_cut {
            saved.push(count.positions);
        }
    }
    // A page holds a part of them, or leads to several such pages.
    assert!(saved.len() > 5, "{saved:?}");
    assert!(saved.iter().all(|&count| count < whole && count > whole / 2), "{saved:?} of {whole}");
}

#[test]
fn a_mark_off_the_board_is_an_error_and_no_panic() {
    let library = Library::in_memory().unwrap();
    library.put(rule(), &position("h8"), &Entry::default()).unwrap();
    for (mark, is_good) in [("o15", true), ("p15", false), ("a20", false)] {
        let marks = format!("[[\"{mark}\",\"cross\",\"\"]]");
        library
            .locked(|connection| connection.execute("UPDATE position SET marks = ?1", params![marks]))
            .unwrap();
        assert_eq!(library.entry(rule(), &position("h8")).is_ok(), is_good, "{mark}");
        assert_eq!(library.look_up(rule(), &Stones::new(SIZE)).is_ok(), is_good, "{mark}");
        assert_eq!(library.check().unwrap().is_empty(), is_good, "{mark}");
    }
}

#[test]
fn one_writes_while_another_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.kgl");
    let writer = Library::open_or_create(&path).unwrap();
    let reader = Library::open_to_read(&path).unwrap();
    let second = Library::open(&path).unwrap();
    for number in 0..50 {
        let mut stones = Stones::new(SIZE);
        stones.place(Point::new(number % 8, number / 8), crate::board::Color::Black);
        [&writer, &second][number % 2].put(rule(), &stones, &full("x")).unwrap();
        assert!(reader.entry(rule(), &stones).unwrap().is_some());
    }
}
