//! Tables and lines of JSON with the longest texts that a library keeps, and longer ones.

use super::*;
use crate::library::import::tests::import_with;
use crate::library::{ImportOptions, LibraryAccess, Mark};

const SIZE: Size = Size::square(15);

fn first_move() -> Stones {
    let mut stones = Stones::new(SIZE);
    stones.place(SIZE.center(), Color::Black);
    stones
}

/// A row goes on up to the end of its quotes.
#[test]
fn rows_that_never_end_are_refused() {
    let mut table = Vec::new();
    let library = Library::in_memory().unwrap();
    library.put(Rule::Renju, &first_move(), &Entry::default()).unwrap();
    library.write_csv(&mut table, |_| true).unwrap();
    let mut rows = table.clone();
    rows.extend(b"renju,\"");
    rows.resize(rows.len() + (9 << 20), b'x');
    let (_, error) = import_with(ImportOptions::default(), |import| import.add_csv(rows.as_slice()));
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("line 3: ") && error.contains("at most 8 MB"), "{error}");
    // All rows together may be longer.
    let row = &table[table.iter().position(|&byte| byte == b'\n').unwrap() + 1..].to_vec();
    while table.len() < 9 << 20 {
        table.extend_from_within(table.len() - row.len()..);
        let rows = row.repeat(10_000);
        table.extend(rows);
    }
    assert!(import_with(ImportOptions::default(), |import| import.add_csv(table.as_slice())).1.is_ok());
}

/// Whatever the library keeps, it can export and import again.
#[test]
fn the_longest_texts_survive_every_format() {
    let mut entry = Entry::default();
    assert!(entry.add_comment(&format!("a{}b", "\n".repeat(LONGEST_COMMENT - 2))));
    for point in SIZE.points() {
        let text = "\u{1}".repeat(100_000);
        entry.put_mark(Mark { point, kind: MarkKind::Label, text });
    }
    let library = Library::in_memory().unwrap();
    library.put(Rule::Renju, &first_move(), &entry).unwrap();
    let mut lines = Vec::new();
    library.write_json_lines(&mut lines, |_| true).unwrap();
    let (again, _) = import_with(ImportOptions::default(), |import| import.add_json_lines(lines.as_slice()));
    assert_eq!(again.contents(), library.contents());
    let options = ImportOptions { rule: Rule::Renju, ..ImportOptions::default() };
    let mut bytes = Vec::new();
    library.write_renlib(&mut bytes, Rule::Renju, SIZE).unwrap();
    let (again, count) = import_with(options, |import| import.add_renlib(&bytes));
    count.unwrap();
    let comment = again.entry(Rule::Renju, &first_move()).unwrap().unwrap().comment;
    assert_eq!(comment.len(), LONGEST_COMMENT);
}
