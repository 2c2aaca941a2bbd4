use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::library::{Decided, ImportOptions, LibraryAccess, Mark, Outcome, Played};

/// A library with all kinds of content, in positions that follow from empty boards.
fn library(rule: Rule, size: Size, random: &mut StdRng, is_for_renlib: bool) -> Library {
    const TEXTS: [&str; 5] = ["", "a", "née\n水, \"x\"; y", "  [b\\] ", "(;B[hh])"];
    let library = Library::in_memory().unwrap();
    for _ in 0..40 {
        let mut stones = Stones::new(size);
        for _ in 0..random.random_range(0..12) {
            if library.entry(rule, &stones).unwrap().is_none() {
                library.put(rule, &stones, &Entry::default()).unwrap();
            }
            let near = Point::new(random.random_range(5..9), random.random_range(5..9));
            if stones.is_empty_at(near) {
                stones.place(near, stones.to_move());
            }
        }
        let mut entry = Entry { is_marked: random.random_bool(0.3), ..Entry::default() };
        if !is_for_renlib {
            entry.played = Played { games: random.random_range(6..9), black: 1, white: 2, draws: 3 };
            entry.score = random.random_bool(0.5).then(|| random.random_range(-500..500));
            entry.depth = entry.score.map(|_| 9);
            entry.nodes = entry.score.filter(|score| *score > 0).map(|_| 1234);
            entry.tag = random.random_bool(0.2).then_some('x');
            let decided =
                Decided { outcome: *Outcome::ALL.choose(random).unwrap(), plies: Some(5), is_checked: true };
            entry.decided = random.random_bool(0.3).then_some(decided);
        }
        entry.add_comment(TEXTS.choose(random).unwrap());
        for _ in 0..random.random_range(0..3) {
            let point =
                Point::new(random.random_range(0..size.width()), random.random_range(0..size.height()));
            let kind = if is_for_renlib { MarkKind::Label } else { *MarkKind::ALL.choose(random).unwrap() };
            if stones.is_empty_at(point) {
                let text = if kind == MarkKind::Label { "A1" } else { "" };
                entry.put_mark(Mark { point, kind, text: text.to_owned() });
            }
        }
        library.put(rule, &stones, &entry).unwrap();
    }
    library
}

/// What is exported and imported again is the same, as far as the format can express it.
#[test]
fn what_is_exported_comes_back() {
    let mut random = StdRng::seed_from_u64(5);
    let rectangle = Size::new(15, 12).unwrap();
    for (number, size) in
        [Size::square(15), Size::square(20), rectangle, Size::square(15)].into_iter().enumerate()
    {
        let rule = Rule::ALL[number];
        let options =
            ImportOptions { rule, size, most_stones: 0, trust_proofs: true, ..ImportOptions::default() };
        let original = library(rule, size, &mut random, false);
        let expected = original.contents();
        let again = |write: &dyn Fn(&mut Vec<u8>), read: &dyn Fn(&mut crate::library::Import<'_>, &[u8])| {
            let mut bytes = Vec::new();
            write(&mut bytes);
            let mut library = Library::in_memory().unwrap();
            let mut import = library.import(options).unwrap();
            read(&mut import, &bytes);
            import.commit().unwrap();
            library
        };
        let library = again(
            &|out| assert!(original.write_json_lines(out, |_| true).unwrap().positions > 0),
            &|import, bytes| import.add_json_lines(bytes).unwrap(),
        );
        assert_eq!(library.contents(), expected);
        let library = again(
            &|out| assert!(original.write_csv(out, |_| true).unwrap().positions > 0),
            &|import, bytes| import.add_csv(bytes).unwrap(),
        );
        assert_eq!(library.contents(), expected);
        let library = again(
            &|out| assert_eq!(original.write_sgf(out, rule, size).unwrap().positions, expected.len() as u64),
            &|import, bytes| import.add_sgf(std::str::from_utf8(bytes).unwrap()).unwrap(),
        );
        assert_eq!(library.contents(), expected);
        // A large tree is written as several games, none of which is much longer than the limit.
        let library = again(
            &|out| {
                original.write_trees(out, rule, size, 2_000).unwrap();
                let games = crate::formats::sgf::stream(&out[..]).map(|game| game.unwrap().to_string().len());
                assert!(out.len() > 3_000 && games.max() < Some(3_000));
            },
            &|import, bytes| import.add_sgf(std::str::from_utf8(bytes).unwrap()).unwrap(),
        );
        assert_eq!(library.contents(), expected);
    }
}

#[test]
fn nobody_can_write_a_checked_proof_into_a_file() {
    let fact = r#"KGL[{"outcome":"win","checked":true,"games":9,"black":9}]"#;
    let own = format!("(;GM[4]SZ[15]RU[renju]KGL[{{}}];B[hh]{fact})");
    let stones = crate::library::import::tests::position("h8");
    let original = Library::in_memory().unwrap();
    let decided = Some(Decided { outcome: Outcome::Win, plies: None, is_checked: true });
    original.put(Rule::Renju, &stones, &Entry { decided, ..Entry::default() }).unwrap();
    let mut table = Vec::new();
    original.write_json_lines(&mut table, |_| true).unwrap();
    let checked = |options: ImportOptions, read: &dyn Fn(&mut crate::library::Import<'_>)| {
        let mut library = Library::in_memory().unwrap();
        let mut import = library.import(options).unwrap();
        read(&mut import);
        import.commit().unwrap();
        library.entry(Rule::Renju, &stones).unwrap().unwrap().decided.map(|decided| decided.is_checked)
    };
    for trust_proofs in [false, true] {
        let options = ImportOptions { trust_proofs, ..ImportOptions::default() };
        let sgf = checked(options, &|import| import.add_sgf(&own).unwrap());
        let lines = checked(options, &|import| import.add_json_lines(&table[..]).unwrap());
        assert_eq!((sgf, lines), (Some(trust_proofs), Some(trust_proofs)));
        // What a file without such a beginning says in this way is no fact at all.
        let foreign = own.replacen("KGL[{}]", "", 1);
        assert_eq!(checked(options, &|import| import.add_sgf(&foreign).unwrap()), None);
    }
}

#[test]
fn a_library_without_positions_goes_out_and_comes_back() {
    let empty = Library::in_memory().unwrap();
    let mut table = Vec::new();
    empty.write_csv(&mut table, |_| true).unwrap();
    assert!(table.starts_with(b"rule,size,"), "{}", String::from_utf8_lossy(&table));
    let mut library = Library::in_memory().unwrap();
    let mut import = library.import(ImportOptions::default()).unwrap();
    import.add_csv(&table[..]).unwrap();
    import.commit().unwrap();
    assert_eq!(library.count().unwrap().positions, 0);
}

#[test]
fn renlib_comes_back_as_far_as_it_can_say_it() {
    let mut random = StdRng::seed_from_u64(6);
    for _ in 0..10 {
        let (rule, size) = (Rule::ALL[2], Size::square(15));
        let original = library(rule, size, &mut random, true);
        let mut bytes = Vec::new();
        let count = original.write_renlib(&mut bytes, rule, size).unwrap();
        assert_eq!((count.positions, count.left_out), (original.count().unwrap().positions, 0));
        let mut library = Library::in_memory().unwrap();
        let mut import = library.import(ImportOptions { rule, ..ImportOptions::default() }).unwrap();
        import.add_renlib(&bytes).unwrap();
        import.commit().unwrap();
        assert_eq!(library.contents(), original.contents());
        // Exporting it again gives the same bytes.
        let mut twice = Vec::new();
        library.write_renlib(&mut twice, rule, size).unwrap();
        assert_eq!(twice, bytes);
    }
    let other = Library::in_memory().unwrap();
    assert!(other.write_renlib(&mut Vec::new(), Rule::ALL[0], Size::square(20)).is_err());
}

#[test]
fn what_hangs_on_nothing_is_a_game_of_its_own() {
    let library = Library::in_memory().unwrap();
    let rule = Rule::ALL[0];
    let stones = crate::formats::moves::position("h8i9j8", Size::square(15)).unwrap();
    library.put(rule, &stones, &Entry { comment: "alone".to_owned(), ..Entry::default() }).unwrap();
    let mut text = Vec::new();
    library.write_sgf(&mut text, rule, Size::square(15)).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("AB[") && text.contains("C[alone]"), "{text}");
    let mut bytes = Vec::new();
    assert_eq!(library.write_renlib(&mut bytes, rule, Size::square(15)).unwrap().left_out, 1);
    let mut again = Library::in_memory().unwrap();
    let mut import = again.import(ImportOptions::default()).unwrap();
    import.add_sgf(&text).unwrap();
    import.commit().unwrap();
    assert_eq!(again.contents(), library.contents());
}

/// `head` reads the first lines and leaves.
#[test]
fn a_reader_that_has_left_is_told_from_other_failures_in_every_format() {
    struct Left;
    impl std::io::Write for Left {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let library = library(Rule::Renju, Size::square(15), &mut StdRng::seed_from_u64(1), false);
    for written in [library.write_csv(&mut Left, |_| true), library.write_json_lines(&mut Left, |_| true)] {
        let Err(ExportError::Write(error)) = written else { panic!("{written:?}") };
        assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    }
}
