use super::*;
use crate::Game;
use crate::formats::moves;
use crate::library::{Decided, LibraryAccess, MarkKind, Outcome};

const SIZE: Size = Size::square(15);

pub(in crate::library) fn position(text: &str) -> Stones {
    moves::position(text, SIZE).unwrap()
}

pub(in crate::library) fn played(library: &Library, rule: Rule, text: &str) -> Played {
    library.entry(rule, &position(text)).unwrap().unwrap_or_default().played
}

pub(in crate::library) fn import(
    work: impl FnOnce(&mut Import<'_>) -> Result<(), ImportError>,
) -> (Library, Result<ImportCount, ImportError>) {
    import_with(ImportOptions::default(), work)
}

pub(in crate::library) fn import_with(
    options: ImportOptions,
    work: impl FnOnce(&mut Import<'_>) -> Result<(), ImportError>,
) -> (Library, Result<ImportCount, ImportError>) {
    let mut library = Library::in_memory().unwrap();
    let mut import = library.import(options).unwrap();
    let count = work(&mut import).and_then(|()| Ok(import.commit()?));
    (library, count)
}

#[test]
fn games_are_counted_in_all_their_positions() {
    let line = |text: &str, end| GameLine {
        rule: Rule::ALL[0],
        size: SIZE,
        moves: moves::read(text, SIZE).unwrap(),
        end,
    };
    let (library, count) = import(|import| {
        import.add_game(&line("h8i9j8", GameEnd::Won(Color::White)))?;
        // The same moves, rotated by 180 degrees.
        import.add_game(&line("h8g7f8", GameEnd::Drawn))?;
        // Five in a row, without a stated result.
        import.add_game(&line("h8a1i8a2j8a3k8a4l8", GameEnd::Unknown))?;
        Ok(())
    });
    assert_eq!(count.unwrap(), ImportCount { games: 3, positions: 4 + 4 + 10, ..ImportCount::default() });
    let all = Played { games: 3, black: 1, white: 1, draws: 1 };
    assert_eq!(played(&library, Rule::ALL[0], ""), all);
    assert_eq!(played(&library, Rule::ALL[0], "h8"), all);
    assert_eq!(played(&library, Rule::ALL[0], "h8i9"), Played { games: 2, black: 0, white: 1, draws: 1 });
    assert_eq!(played(&library, Rule::ALL[0], "j8i9h8").games, 2);
    assert_eq!(played(&library, Rule::ALL[1], "h8").games, 0);
}

#[test]
fn moves_that_no_game_has_are_refused() {
    for moves in [vec![Point::new(7, 7); 2], vec![Point::new(15, 0)]] {
        let game = GameLine { rule: Rule::Renju, size: SIZE, moves, end: GameEnd::Unknown };
        let (library, count) = import(|import| Ok(import.add_game(&game)?));
        let error = count.unwrap_err().to_string();
        assert!(error.contains("off the board or on another stone"), "{error}");
        assert_eq!(library.count().unwrap().positions, 0);
    }
}

#[test]
fn long_games_are_cut() {
    let options = ImportOptions { most_stones: 2, ..ImportOptions::default() };
    let (library, _) =
        import_with(options, |import| import.add_sgf("(;SZ[15];B[hh];W[ii];B[jj];W[kk]C[a remark])"));
    assert_eq!(played(&library, Rule::ALL[0], "h8i9").games, 1);
    assert_eq!(library.entry(Rule::ALL[0], &position("h8i9j10")).unwrap(), None);
    // So are variations.
    let (varied, _) = import_with(options, |import| {
        import.add_sgf("(;SZ[15];B[hh](;W[ii];B[jj])(;W[hi];B[jj];W[kk]C[a remark]))")
    });
    let is_there = |text: &str| varied.entry(Rule::ALL[0], &position(text)).unwrap().is_some();
    assert_eq!(["h8h9", "h8h9j10", "h8h9j10k11"].map(is_there), [true, false, true]);
    // Positions that people have annotated stay.
    let entry = library.entry(Rule::ALL[0], &position("h8i9j10k11")).unwrap().unwrap();
    assert_eq!((entry.played.games, entry.comment.as_str()), (0, "a remark"));
}

#[test]
fn sgf_comes_with_variations_comments_and_marks() {
    let text = "(;GM[4]SZ[15]RU[renju]RE[B+R]C[root];B[hh]LB[ii:A][jj:B]TR[aa];W[ii]C[score 5, depth 3, 12 ms\nbut see]\
                (;B[jj])(;B[kk]C[better];W[]))(;GM[4]SZ[15];B[hh])";
    let (library, count) = import(|import| import.add_sgf(text));
    assert_eq!(count.unwrap().games, 2);
    let renju = Rule::ALL[2];
    let root = library.entry(renju, &position("")).unwrap().unwrap();
    assert_eq!(
        (root.comment.as_str(), root.played),
        ("root", Played { games: 1, black: 1, white: 0, draws: 0 })
    );
    let first = library.entry(renju, &position("h8")).unwrap().unwrap();
    let texts: Vec<&str> = first.marks.iter().map(|mark| mark.text.as_str()).collect();
    assert_eq!((first.marks.len(), texts.contains(&"B")), (3, true));
    assert!(first.marks.iter().any(|mark| mark.kind == MarkKind::Triangle));
    assert_eq!(library.entry(renju, &position("h8i9")).unwrap().unwrap().comment, "but see");
    let variation = library.entry(renju, &position("h8i9k11")).unwrap().unwrap();
    assert_eq!((variation.comment.as_str(), variation.played.games), ("better", 0));
    // After the pass Black moves again.
    let mut passed = position("h8i9k11");
    passed.set_to_move(Color::Black);
    assert!(library.entry(renju, &passed).unwrap().is_some());
    assert_eq!(played(&library, Rule::ALL[0], "h8").games, 1);
    assert_eq!(library.boards().unwrap(), [(Rule::ALL[0], SIZE), (renju, SIZE)]);
}

#[test]
fn a_game_counts_once_in_each_position() {
    let text = "(;GM[4]SZ[15]RE[B+];C[intro];B[hh];C[a comment];C[another];W[ii];AW[aa];AE[aa])";
    let (library, _) = import(|import| import.add_sgf(text));
    let once = Played { games: 1, black: 1, white: 0, draws: 0 };
    for moves in ["", "h8", "h8i9"] {
        assert_eq!(played(&library, Rule::ALL[0], moves), once, "{moves}");
    }
    let entry = library.entry(Rule::ALL[0], &position("h8")).unwrap().unwrap();
    assert_eq!(entry.comment, "a comment\nanother");
}

/// Four thousand games of a collection, each with a remark on the first move.
#[test]
fn many_remarks_on_one_position_are_written_once_and_none_is_torn() {
    let remark = |n: u32| format!("game {n} {}", "of the collection ".repeat(20));
    let games = |comment: &dyn Fn(u32) -> String| -> String {
        (0..4000).map(|n| format!("(;SZ[15];B[hh]C[{}];W[ii])", comment(n))).collect()
    };
    let (library, count) = import(|import| import.add_sgf(&games(&remark)));
    let comment = library.entry(Rule::ALL[0], &position("h8")).unwrap().unwrap().comment;
    let lines: Vec<&str> = comment.lines().collect();
    let count = count.unwrap();
    assert_eq!((count.comments_left_out, count.games), (4000 - lines.len() as u64, 4000));
    assert!(lines.len() > 2000 && lines.iter().zip(0..).all(|(line, n)| *line == remark(n).trim()));
    assert_eq!(played(&library, Rule::ALL[0], "h8").games, 4000);
    // What is said already needs no room, whether it is in the file or came in just now.
    let (_, count) = import(|import| {
        import.add_sgf(&games(&|_| remark(7)))?;
        import.flush()?;
        import.add_sgf(&games(&|_| remark(7)))
    });
    assert_eq!(count.unwrap().comments_left_out, 0);
}

#[test]
fn games_without_an_end_or_a_board_are_counted_as_they_can_be_read() {
    let (library, count) =
        import(|import| import.add_sgf("(;B[hh];W[ii])(;B[ss])(;SZ[19];B[ss])(;B[hh];W[ii]"));
    let count = count.unwrap();
    assert_eq!((count.games, count.games_without_end, count.boards_enlarged), (4, 1, 1));
    assert_eq!(played(&library, Rule::ALL[0], "h8i9").games, 2);
    assert_eq!(library.boards().unwrap(), [(Rule::ALL[0], SIZE), (Rule::ALL[0], Size::square(19))]);
}

#[test]
fn what_is_written_above_a_game_is_no_remark_on_the_empty_board() {
    let comment = |text: &str| {
        let (library, _) = import(|import| import.add_sgf(text));
        library.entry(Rule::ALL[0], &position("")).unwrap().unwrap().comment
    };
    assert_eq!(comment("(;SZ[15]C[the final of 1927];C[in Kyoto];B[hh]C[a move];W[ii])"), "");
    // An analysis begins there, and so may a text without moves.
    assert_eq!(comment("(;SZ[15]C[openings](;B[hh])(;B[ii]))"), "openings");
    assert_eq!(comment("(;SZ[15]C[openings];B[hh];W[ii](;B[jj])(;B[kk]))"), "openings");
    assert_eq!(comment("(;SZ[15]C[a board])"), "a board");
}

#[test]
fn texts_that_cannot_be_decoded_are_counted() {
    let bytes = b"(;SZ[15];B[hh]C[\xC0\xD7];W[ii]LB[aa:\xC0];B[jj]C[a remark])".as_slice();
    let (_, count) = import(|import| import.add_sgf_from(bytes));
    assert_eq!(count.unwrap().comments_misread, 2);
    let (library, _) = import(|import| import.add_sgf_from(bytes));
    let mut lines = Vec::new();
    library.write_json_lines(&mut lines, |_| true).unwrap();
    let (_, count) = import(|import| import.add_json_lines(lines.as_slice()));
    assert_eq!(count.unwrap().comments_misread, 0);
}

#[test]
fn words_of_people_are_kept_and_reports_of_programs_left_out() {
    let comment = |text: &str| {
        let (library, _) = import(|import| import.add_sgf(&format!("(;SZ[15];B[hh]C[{text}])")));
        library.entry(Rule::ALL[0], &position("h8")).unwrap().unwrap_or_default().comment
    };
    for text in ["!?", "1927", "book move", "a good move", "one\n\ntwo", "depth"] {
        assert_eq!(comment(text), text);
    }
    for text in
        ["123ms", "opening move", "score -7, depth 9, nodes 1234, 12 ms", "MESSAGE depth 3", "time: 5 s"]
    {
        assert_eq!(comment(text), "", "{text}");
    }
}

#[test]
fn own_games_in_pgn_keep_their_winner() {
    let game = Game::from_moves(Rule::Renju, SIZE, moves::read("h8a1i8a3j8a5k8a7l8", SIZE).unwrap()).unwrap();
    let (library, _) = import(|import| import.add_pgn(&game.to_pgn_with_moves().unwrap()));
    assert_eq!(played(&library, Rule::Renju, "h8"), Played { games: 1, black: 1, white: 0, draws: 0 });
}

#[test]
fn positions_that_were_set_up_are_kept() {
    let text = "(;SZ[15]AB[hh][ii]AW[aa]PL[W];W[bb](;AE[aa];B[cc])(;AB[oo]))";
    let (library, _) = import(|import| import.add_sgf(text));
    let mut stones = Stones::new(SIZE);
    for (name, color) in [("h8", Color::Black), ("i9", Color::Black), ("a1", Color::White)] {
        stones.place(name.parse().unwrap(), color);
    }
    stones.set_to_move(Color::White);
    assert!(library.entry(Rule::ALL[0], &stones).unwrap().is_some());
    stones.place("b2".parse().unwrap(), Color::White);
    assert!(library.entry(Rule::ALL[0], &stones).unwrap().is_some());
    // The second variation is not affected by the first.
    stones.place("o15".parse().unwrap(), Color::Black);
    assert!(library.entry(Rule::ALL[0], &stones).unwrap().is_some());
}

/// A position that was imported is found again under the same text.
#[test]
fn what_was_set_up_is_found_by_its_own_text() {
    for text in [
        "(;SZ[15]B[aa];W[bb];AB[cc])",
        "(;SZ[15]PL[W]AB[aa]AW[bb];AE[aa]AB[dd])",
        "(;SZ[15]AB[hh][ii]AW[aa];W[bb]AB[cc])",
        "(;SZ[15]AB[hh][ii][ii]AW[ii];AB[aa]AW[])",
        "(;SZ[15]B[hh];AW[hh])",
    ] {
        let (library, _) = import(|import| import.add_sgf(text));
        let stones = crate::formats::any::read(text, None).unwrap();
        assert!(library.entry(Rule::ALL[0], &stones).unwrap().is_some(), "{text}");
    }
}

#[test]
fn a_mistake_anywhere_changes_nothing() {
    let good = "(;SZ[15];B[hh];W[ii])";
    for (bad, said) in [
        ("(;SZ[15]RU[odd]RE[W+];B[hh]C[a];W[aa];B[aa])", "a1 is taken"),
        ("(;SZ[15];B[hh];W[hh])", "h8 is taken"),
        ("(;SZ[15];B[pp])", "off the board"),
        ("(;GM[1])", "(Go)"),
        ("(;B[hh", "a value without an end"),
        ("(;AB[aa];B[aa])", "a1 is taken"),
    ] {
        let (library, error) = import(|import| import.add_sgf(&format!("{bad}{bad}")));
        let error = error.unwrap_err().to_string();
        assert!(error.contains(said) && error.contains("line 1, column"), "{error}");
        assert_eq!(library.count().unwrap().positions, 0);
        // Beside a good game it is left out, and nothing of it stays.
        let (one, expected) = import(|import| import.add_sgf(good));
        let mut remarks = Vec::new();
        let (library, count) = import(|import| {
            import.add_sgf(&format!("{good}{bad}"))?;
            remarks.extend(import.left_out().remarks());
            Ok(())
        });
        assert_eq!(count.unwrap(), expected.unwrap(), "{bad}");
        assert_eq!(library.count().unwrap().positions, one.count().unwrap().positions);
        assert!(remarks[0].starts_with("game 2 was left out: line 1, column") && remarks[0].contains(said));
    }
    let (_, error) = import(|import| import.add_psq("Piskvorky 15x15, 1\n99,1,0"));
    assert!(error.unwrap_err().to_string().contains("line 2"));
    let (_, error) = import(|import| {
        import.add_renlib(b"\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x78\x00\x78\x40")
    });
    assert_eq!(error.unwrap_err().to_string(), "byte 22: h8 is taken");
    let (_, error) = import(|import| import.add_yxdb(&[1, 0, 0, 0, 9][..]));
    assert!(error.unwrap_err().to_string().starts_with("byte 5: the file ends"));
    let (_, error) = import(|import| import.add_json_lines(&b"{}\n"[..]));
    assert!(error.unwrap_err().to_string().starts_with("line 1: missing field"));
    let (_, error) = import(|import| import.add_csv(&b"rule,size\nrenju,15\n"[..]));
    assert!(error.unwrap_err().to_string().starts_with("line 2: "));
    for foreign in ["", "name,country\n"] {
        let (_, error) = import(|import| import.add_csv(foreign.as_bytes()));
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("line 1: a table of positions begins with its columns"), "{error}");
    }
    // A comment may go over several lines.
    let mut table = Vec::new();
    let library = Library::in_memory().unwrap();
    let entry = Entry { comment: "one\n\nthree".to_owned(), ..Entry::default() };
    library.put(Rule::Renju, &position("h8"), &entry).unwrap();
    library.write_csv(&mut table, |_| true).unwrap();
    // A spreadsheet has saved it.
    let saved = String::from_utf8(table.clone()).unwrap().replace("false", "FALSE");
    let (again, _) = import(|import| import.add_csv(saved.as_bytes()));
    assert_eq!(again.contents(), library.contents());
    table.extend(b"bad\n");
    let (_, error) = import(|import| import.add_csv(&table[..]));
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("line 5: "), "{error}");
    let (_, error) =
        import(|import| import.add_pgn("[Round \"1\"]\n\n1. h8 i9 *\n\n[Round \"2\"]\n\n1. h8 h8 *\n"));
    assert_eq!(error.unwrap_err().to_string(), "line 7, column 7: h8 is taken");
    let (_, error) = import(|import| import.add_pgn("1. h8 i9 2. j10 1-0\n"));
    assert!(error.unwrap_err().to_string().contains("no game"));
    let (_, error) = import(|import| import.add_pgn("[Round \"1\"]\n[Result \"1-0\"]\n1-0\n"));
    assert!(error.unwrap_err().to_string().contains("-sgf"));
}

#[test]
fn impossible_figures_are_told() {
    let library = Library::in_memory().unwrap();
    let decided = Decided { outcome: Outcome::Win, plies: Some(7), is_checked: false };
    let played = Played { games: 8, black: 3, white: 2, draws: 1 };
    let entry =
        Entry { played, score: Some(123), depth: Some(45), decided: Some(decided), ..Entry::default() };
    library.put(Rule::Renju, &position("h8"), &entry).unwrap();
    let mut lines = Vec::new();
    library.write_json_lines(&mut lines, |_| true).unwrap();
    let lines = String::from_utf8(lines).unwrap();
    for (good, bad, said) in [
        ("\"score\":123", "\"score\":-2147483648", "the score -2147483648 is not between -30000 and 30000"),
        ("\"score\":123", "\"score\":30001", "the score 30001 is not between"),
        ("\"depth\":45", "\"depth\":4000000000", "the depth 4000000000 is more than 8191"),
        ("\"plies\":7", "\"plies\":8192", "the number of plies 8192 is more than 8191"),
        (
            "\"games\":8",
            "\"games\":9007199254740993",
            "9007199254740993 games are more than 9007199254740992",
        ),
        ("\"games\":8", "\"games\":5", "6 results are more than the 5 games"),
        ("\"draws\":1", "\"draws\":18446744073709551615", "18446744073709551615 results are more"),
    ] {
        assert!(lines.contains(good), "{lines}");
        let (library, error) =
            import(|import| import.add_json_lines(format!("{lines}{}", lines.replace(good, bad)).as_bytes()));
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("line 2: ") && error.contains(said), "{error}");
        assert_eq!(library.count().unwrap().positions, 0);
    }
    let most = lines.replace("\"score\":123", "\"score\":-30000").replace("\"depth\":45", "\"depth\":8191");
    let (_, count) = import(|import| import.add_json_lines(most.as_bytes()));
    assert_eq!(count.unwrap().positions, 1);
    // Other programs read the properties of SGF too, so they are no reason to refuse a game.
    for (facts, games) in [("\"games\":2,\"score\":40000", 1), ("\"games\":2,\"black\":3", 0)] {
        let sgf = format!("(;SZ[15]RU[renju]KGL[{{{facts}}}];B[hh])");
        let (library, count) = import(|import| import.add_sgf(&sgf));
        count.unwrap();
        let count = library.count().unwrap();
        assert_eq!((count.scored, count.played), (0, games));
    }
}

/// A file that others have written may hold any number.
#[test]
fn games_are_counted_up_to_a_limit() {
    let mut library = Library::in_memory().unwrap();
    let key = PositionKey::of(Rule::default(), &position("h8")).unwrap().key;
    let many = Played { games: u64::MAX, black: u64::MAX, white: 0, draws: 0 };
    library.put_all([(&key, &Entry { played: many, ..Entry::default() })]).unwrap();
    let mut import = library.import(ImportOptions::default()).unwrap();
    import.add_games(key.clone(), Played::once(GameEnd::Won(Color::Black))).unwrap();
    import.commit().unwrap();
    let played = library.get(&key).unwrap().unwrap().played;
    assert_eq!(played, Played { games: 1 << 53, black: 1 << 53, white: 0, draws: 0 });
}

#[test]
fn other_formats_come_in() {
    let (library, count) = import(|import| {
        import.add_psq("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\nA\nB\n-1\n")?;
        import.add_pgn("[Black \"a\"]\n[White \"b\"]\n[Result \"0-1\"]\n\n1. h8 i9 2. j8 0-1\n\n[Result \"1-0\"]\n1. h8 1-0\n")?;
        Ok(())
    });
    assert_eq!(count.unwrap().games, 3);
    assert_eq!(played(&library, Rule::ALL[0], "h8"), Played { games: 3, black: 1, white: 1, draws: 0 });
    // A database of Yixin: the side that has moved wins, in nine plies.
    let mut value = vec![b'w'];
    value.extend((-(crate::eval::score::win_in(9) as i16)).to_le_bytes());
    value.extend((20i16 << 2 | 3).to_le_bytes());
    value.extend(b"@BTXT@88A\x08a remark");
    let mut bytes = vec![1, 0, 0, 0, 9, 0, 2, 15, 15, 7, 7, 9, 7, 8, 8];
    bytes.extend((value.len() as u16).to_le_bytes());
    bytes.extend(value);
    let (library, _) = import(|import| import.add_yxdb(bytes.as_slice()));
    let entry = library.entry(Rule::ALL[2], &position("h8i9j8")).unwrap().unwrap();
    let decided = entry.decided.unwrap();
    assert_eq!(
        (decided.outcome, decided.plies, entry.depth),
        (crate::library::Outcome::Loss, Some(9), Some(20))
    );
    assert_eq!((entry.comment.as_str(), entry.label("i9".parse().unwrap())), ("a remark", Some("A")));
}

#[test]
fn what_was_imported_is_noted() {
    let mut library = Library::in_memory().unwrap();
    let source = Source { fingerprint: u64::MAX, name: "a.sgf".to_owned(), games: 1, positions: 2 };
    let import = library.import(ImportOptions::default()).unwrap();
    assert!(!import.knows(source.fingerprint).unwrap());
    import.note_source(&source).unwrap();
    import.commit().unwrap();
    assert!(library.import(ImportOptions::default()).unwrap().knows(source.fingerprint).unwrap());
    assert_eq!(library.sources().unwrap(), [source]);
}

/// RenLib and Yixin write texts in the encoding of the Windows that they run on.
#[test]
fn chinese_texts_are_read_in_their_encoding() {
    use crate::formats::renlib::{self, LibMove, LibNode};

    const REMARK: &str = "花月必胜";
    let node = LibNode {
        depth: 1,
        action: LibMove::Stone("h8".parse().unwrap()),
        comment: "*".to_owned(),
        board_text: "#".to_owned(),
        ..LibNode::default()
    };
    let ours = renlib::write([LibNode::default(), node]);
    let gbk = |text: &str| encoding_rs::GBK.encode(text).0.into_owned();
    // The comment with a second line, and both texts of an even length, which two zeros end.
    let long = [&gbk(REMARK)[..], &[8], &gbk("二")[..], &[0]].concat();
    let label = [&gbk("甲")[..], &[0, 0]].concat();
    let split = |bytes: &[u8], sign: u8| bytes.iter().position(|&byte| byte == sign).unwrap();
    let (comment, text) = (split(&ours, b'*'), split(&ours, b'#'));
    let bytes = [&ours[..comment], &long, &ours[comment + 2..text], &label, &ours[text + 2..]].concat();
    let read = |encoding| {
        let options = ImportOptions { encoding, ..ImportOptions::default() };
        let (library, count) = import_with(options, |import| import.add_renlib(&bytes));
        count.unwrap();
        let comment = library.entry(Rule::default(), &position("h8")).unwrap().unwrap().comment;
        let label = library.entry(Rule::default(), &position("")).unwrap().unwrap();
        (comment, label.label("h8".parse().unwrap()).unwrap().to_owned())
    };
    assert_eq!(read(Some(encoding_rs::GBK)), (format!("{REMARK}\n二"), "甲".to_owned()));
    // Without the encoding no byte is lost, but the text is unreadable.
    let (comment, _) = read(None);
    let bytes: Vec<u8> = comment.lines().next().unwrap().chars().map(|c| c as u8).collect();
    assert_eq!(encoding_rs::GBK.decode(&bytes).0, REMARK);
}

#[test]
fn a_renlib_comment_without_a_move_is_kept() {
    use crate::formats::renlib::{self, LibMove, LibNode};

    let node = |depth, action, comment: &str| LibNode {
        depth,
        action,
        comment: comment.to_owned(),
        board_text: "A".to_owned(),
        ..LibNode::default()
    };
    let point = |name: &str| name.parse().unwrap();
    let nodes = [
        LibNode::default(),
        node(1, LibMove::Stone(point("h8")), "the centre"),
        node(2, LibMove::Text(point("i9")), "a remark"),
        node(2, LibMove::Text(point("j10")), ""),
    ];
    let (library, count) = import(|import| import.add_renlib(&renlib::write(nodes)));
    count.unwrap();
    let entry = library.entry(Rule::default(), &position("h8")).unwrap().unwrap();
    assert_eq!((entry.comment.as_str(), entry.marks.len()), ("the centre\na remark", 2));
}

#[test]
fn an_import_that_is_stopped_leaves_nothing() {
    let mut library = Library::in_memory().unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let key = PositionKey::of(Rule::default(), &Stones::new(Size::square(15))).unwrap().key;
    let played = Played::once(GameEnd::Drawn);
    let mut import = library.import(ImportOptions::default()).unwrap();
    import.stop_on(Arc::clone(&flag));
    import.add_games(key.clone(), played).unwrap();
    flag.store(true, Ordering::Relaxed);
    assert!(matches!(import.add_games(key.clone(), played), Err(LibraryError::Stopped)));
    assert!(matches!(import.add_entry(&key, Entry::default()), Err(LibraryError::Stopped)));
    assert!(matches!(import.commit(), Err(LibraryError::Stopped)));
    assert_eq!(library.count().unwrap().positions, 0);
}
