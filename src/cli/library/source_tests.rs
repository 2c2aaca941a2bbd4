use super::*;
use crate::arena::records::RecordLine;
use crate::arena::test_records::game;
use crate::library::{ImportOptions, Library, LibraryAccess};

/// An input of which nothing is known.
const NEW: Identified = Identified { fingerprint: 0, length: usize::MAX, beginning: None };

fn input(bytes: &[u8], largest: u64) -> Input<Cursor<Vec<u8>>> {
    Input { reader: Cursor::new(bytes.to_vec()), largest }
}

/// The comment at the centre after a text was imported.
fn comment_of(bytes: &[u8], largest: u64, encoding: Option<&'static Encoding>) -> anyhow::Result<String> {
    let mut library = Library::in_memory()?;
    let mut import = library.import(ImportOptions::default())?;
    input(bytes, largest).take_into(&mut import, InputFormat::Sgf, Path::new("a.sgf"), encoding, &NEW)?;
    import.commit()?;
    let mut stones = crate::board::Stones::new(crate::board::Size::square(15));
    stones.place(stones.size().center(), Color::Black);
    Ok(library.entry(Rule::Freestyle, &stones)?.map(|entry| entry.comment).unwrap_or_default())
}

#[test]
fn texts_come_in_whatever_their_encoding() {
    const TEXT: &str = "(;SZ[15];B[hh]C[花月])";
    let wide: Vec<u8> = TEXT.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let gbk = encoding_rs::GBK.encode(TEXT).0.into_owned();
    let marked = [b"\xEF\xBB\xBF", TEXT.as_bytes()].concat();
    for (bytes, encoding) in
        [(TEXT.as_bytes(), None), (&marked, None), (&wide, None), (&gbk, Some(encoding_rs::GBK))]
    {
        assert_eq!(comment_of(bytes, 1000, encoding).unwrap(), "花月");
    }
    // What a file says of itself counts first. The second byte of this name is a backslash.
    const NAMED: &str = "(;CA[Shift_JIS]SZ[15]PB[\u{30bd}];B[hh]C[\u{8868}])";
    let named = encoding_rs::SHIFT_JIS.encode(NAMED).0.into_owned();
    for encoding in [None, Some(encoding_rs::GBK)] {
        assert_eq!(comment_of(&named, 1000, encoding).unwrap(), "\u{8868}");
    }
    let utf8 = TEXT.replacen("SZ", "CA[UTF-8]SZ", 1);
    assert_eq!(comment_of(utf8.as_bytes(), 1000, Some(encoding_rs::GBK)).unwrap(), "花月");
    // An editor has converted this one. Read as it calls itself, the comment would swallow its bracket.
    let converted = "(;CA[gb2312]SZ[15];B[hh]C[好棋子];W[ii])";
    for encoding in [None, Some(encoding_rs::GBK)] {
        assert_eq!(comment_of(converted.as_bytes(), 5, encoding).unwrap(), "好棋子");
    }
    let said = ReadAs::Utf8(encoding_rs::GBK).to_string();
    assert_eq!(said, "it calls itself GBK and is UTF-8, as which it was read");
    // What names none, or a wrong one, is guessed, also where a piece ends within a character.
    for text in [TEXT.replacen("SZ", "CA[UTF-8]SZ", 1), format!("{}{TEXT}", "(;)".repeat(50_000))] {
        let bytes = encoding_rs::GBK.encode(&text).0;
        assert_eq!(comment_of(&bytes, 1 << 20, None).unwrap(), "花月");
    }
    // The name of an encoding that the user gives beats the wrong one of the file, but not a right one.
    let wrong = encoding_rs::BIG5.encode("(;CA[UTF-8]SZ[15];B[hh]C[張毅文])").0.into_owned();
    assert_eq!(comment_of(&wrong, 1000, Some(encoding_rs::BIG5)).unwrap(), "張毅文");
    let mut library = Library::in_memory().unwrap();
    let mut import = library.import(ImportOptions::default()).unwrap();
    let read_as = input(&wrong, 1000)
        .take_into(&mut import, InputFormat::Sgf, Path::new("a.sgf"), Some(encoding_rs::BIG5), &NEW)
        .unwrap();
    assert_eq!(read_as, Some(ReadAs::Asked(encoding_rs::BIG5)));
    let said = read_as.unwrap().to_string();
    assert!(said.ends_with("it was read as Big5, as --encoding says"), "{said}");
    let long = format!("{}{TEXT}", "(;C[水])".repeat(30_000));
    assert!(comment_of(long.as_bytes(), 5, None).unwrap().ends_with("花月"));
    // Input that is read in pieces may have any length; other input may not.
    assert_eq!(comment_of(TEXT.as_bytes(), 5, None).unwrap(), "花月");
    assert_eq!(comment_of(utf8.as_bytes(), 5, Some(encoding_rs::GBK)).unwrap(), "花月");
    assert_eq!(comment_of(&gbk, 5, Some(encoding_rs::GBK)).unwrap(), "花月");
    let error = comment_of(&wide, 5, None).unwrap_err().to_string();
    assert!(error.starts_with("byte 5: ") && error.ends_with("at most 5 bytes"), "{error}");
}

#[test]
fn games_of_a_match_that_goes_on_meanwhile_are_left_to_the_next_import() {
    let records: Vec<String> =
        (0..3).map(|id| RecordLine::Game(Box::new(game(id))).text().unwrap()).collect();
    let bytes = records.concat().into_bytes();
    let games = |known: usize, length: usize| {
        let mut library = Library::in_memory().unwrap();
        let mut import = library.import(ImportOptions::default()).unwrap();
        let beginning = Some(Beginning { length: known, is_all: false }).filter(|_| known > 0);
        let identified = Identified { length, beginning, ..NEW };
        let path = Path::new("games.jsonl");
        input(&bytes, 1 << 20).take_into(&mut import, InputFormat::Match, path, None, &identified).unwrap();
        import.count().games
    };
    let [one, two] = [1, 2].map(|count| records[..count].concat().len());
    // It was cut within the third game when it was looked through.
    assert_eq!((games(0, two + 9), games(one, two + 9)), (2, 1));
    assert_eq!((games(two + 9, bytes.len()), games(0, bytes.len())), (1, 3));
}

#[test]
fn a_single_bad_byte_makes_no_other_text() {
    let games = "(;CA[UTF-8];W[])".repeat(1 << 13);
    let bytes = [
        games.as_bytes(),
        b"(;PB[Ren\xE9])",
        games.as_bytes(),
        "(;SZ[15];B[hh]C[黑棋必胜花月水木])".as_bytes(),
    ];
    for encoding in [None, Some(encoding_rs::BIG5)] {
        assert_eq!(comment_of(&bytes.concat(), 5, encoding).unwrap(), "黑棋必胜花月水木");
    }
    // Without any character of UTF-8 it is another text, of any size; half a character at the end is none.
    let text = [games.as_bytes(), b"(;SZ[15];B[hh]C[Ren\xE9])"].concat();
    assert_eq!(comment_of(&text, 5, None).unwrap(), "René");
    let cut = [games.as_bytes(), b"(;SZ[15];B[hh]C[a])\xE9"].concat();
    assert_eq!(comment_of(&cut, 5, None).unwrap(), "a");
}

#[test]
fn a_text_is_converted_as_it_is_read() {
    let text = "(;C[花月水木])".repeat(1 << 14);
    let bytes = encoding_rs::GB18030.encode(&text).0;
    for capacity in [1, 7, 1 << 17] {
        let reader = std::io::BufReader::with_capacity(capacity, bytes.as_ref());
        let mut read = String::new();
        let converted = Converted::new(reader, encoding_rs::GB18030);
        Text::Converted(converted).read_to_string(&mut read).unwrap();
        assert!(read == text, "{capacity}");
    }
    let mut read = String::new();
    let cut = Converted::new(&b"\xBB\xA8\xD4"[..], encoding_rs::GB18030);
    Text::Converted(cut).read_to_string(&mut read).unwrap();
    assert_eq!(read, "花\u{FFFD}");
}

/// Kagetsu writes them in UTF-8, whatever the files beside them are in.
#[test]
fn own_tables_keep_their_encoding() {
    let stones = crate::board::Stones::new(crate::board::Size::square(15));
    let original = Library::in_memory().unwrap();
    let change = |entry: &mut crate::library::Entry| -> Result<(), LibraryError> {
        entry.add_comment("花月");
        Ok(())
    };
    original.change(Rule::Freestyle, &stones, change).unwrap();
    let mut table = Vec::new();
    original.write_csv(&mut table, |_| true).unwrap();
    let mut library = Library::in_memory().unwrap();
    let mut import = library.import(ImportOptions::default()).unwrap();
    let encoding = Some(encoding_rs::GBK);
    input(&table, 0).take_into(&mut import, InputFormat::Csv, Path::new("a.csv"), encoding, &NEW).unwrap();
    import.commit().unwrap();
    assert_eq!(library.entry(Rule::Freestyle, &stones).unwrap().unwrap().comment, "花月");
}

#[test]
fn a_file_is_known_again_by_its_bytes() {
    let none = Fingerprints::new();
    let go_on = AtomicBool::new(false);
    let fingerprint = |bytes: &[u8]| input(bytes, 0).fingerprint(&none, &go_on).unwrap().fingerprint;
    assert_eq!(fingerprint(b"a game"), fingerprint(b"a game"));
    assert_ne!(fingerprint(b"a game"), fingerprint(b"a gamf"));
    assert!(input(b"a game", 0).fingerprint(&none, &AtomicBool::new(true)).is_err());
    // And by its beginning once it has grown, also if it has grown more than once.
    let known = Fingerprints::from([fingerprint(b"a"), fingerprint(b"a game")]);
    for (bytes, length, is_all) in
        [(&b"a game"[..], 6, true), (b"a game\n ", 6, true), (b"a game and", 6, false), (b"a dot", 1, false)]
    {
        // Bytes that come one by one as well.
        for capacity in [1, 100] {
            let reader = std::io::BufReader::with_capacity(capacity, Cursor::new(bytes));
            let found = Input::new(reader).fingerprint(&known, &go_on).unwrap();
            assert_eq!(found.beginning, Some(Beginning { length, is_all }), "{bytes:?}");
            assert_eq!((found.fingerprint, found.length), (fingerprint(bytes), bytes.len()));
        }
    }
    assert_eq!(input(b"game", 0).fingerprint(&known, &go_on).unwrap().beginning, None);
}
