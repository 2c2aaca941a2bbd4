use super::*;
use crate::arena::test_records::{game, header};

#[test]
fn files_of_other_kinds_are_told() {
    let error = |bytes: &[u8]| Records::parse(bytes).unwrap_err().to_string();
    let told = error(b"{\"type\":\"note\",\"text\":\"\"}\nhello\n");
    assert_eq!(told, "line 2, column 1: this is not a record: expected value");
    // A file of another kind need not have a whole line.
    for other in [&b"hello"[..], b"hello\nworld\n", b"(;GM[4]SZ[15];B[hh])\n", b"\xFFRenLib\xFF\x03"] {
        assert_eq!(error(other), NO_RECORDS);
    }
    let note = "{\"type\":\"note\",\"text\":\"\"}\r\n";
    let wide: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(note.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for saved in [[b"\xEF\xBB\xBF", note.as_bytes()].concat(), wide] {
        let told = error(&saved);
        assert_eq!(told, "this record was saved in another encoding; save it as UTF-8 without a mark");
    }
    // A match that is killed as it begins leaves a part of its first line.
    for begun in [&b""[..], b"{\"ty", b"{\"type\":\"match\",\"ver"] {
        assert_eq!(Records::parse(begun).unwrap(), Records::default());
    }
}

#[test]
fn two_matches_in_one_file_are_told() {
    let begin = |seed| RecordLine::Match(Box::new(MatchHeader { seed, ..header() })).text().unwrap();
    // A match that was continued says once more what it is.
    let continued = [begin(1), begin(1)].concat();
    assert!(Records::parse(continued.as_bytes()).unwrap().header.is_some());
    let error = Records::parse([begin(1), begin(2)].concat().as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("line 2: another match begins here, which differs in the seed"), "{error}");
}

#[test]
fn impossible_numbers_of_games_are_refused() {
    let parse =
        |game: GameRecord| Records::parse(RecordLine::Game(Box::new(game)).text().unwrap().as_bytes());
    assert_eq!(parse(game(MOST_ID)).unwrap().games.len(), 1);
    for broken in [GameRecord { id: usize::MAX, ..game(0) }, GameRecord { pair: usize::MAX, ..game(0) }] {
        let error = parse(broken).unwrap_err().to_string();
        assert_eq!(error, format!("line 1: no match has a game with the number {}", usize::MAX));
    }
}

#[test]
fn records_to_be_replaced_are_opened_for_writing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(GAMES_FILE), "{\"type\":\"note\",\"text\":\"\"}\n").unwrap();
    let replacement = Replacement::begin(folder.path()).unwrap();
    // NFS would refuse to lock what is open for reading only. Here such a file cannot be cut.
    let file = &replacement.before;
    file.set_len(file.metadata().unwrap().len()).unwrap();
    assert_eq!(replacement.before().unwrap().notes.len(), 1);
}

#[test]
fn points_go_to_the_right_engine() {
    // White won; engine 0 had Black in game 0 and White in game 1.
    assert_eq!((game(0).half_points(), game(1).half_points()), (0, 2));
    assert_eq!(game(0).loser(), Some("a]"));
}
