//! Reads a file into a library, in small pieces where the format allows it, so that the memory does not grow with the
//! file.

use std::fmt;
use std::io::{BufRead, Cursor, Read, Seek};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail, ensure};
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8};

use super::input::{BEGIN, InputFormat};
use super::known::Fingerprints;
use crate::arena::outcome::GameResult;
use crate::arena::records::{GameRecord, Records};
use crate::board::{Color, Point};
use crate::data::{Shard, reading};
use crate::files::Fingerprint;
use crate::formats::binary::BinaryMistake;
use crate::formats::encoding::{Utf8Count, guess_of_part};
use crate::formats::text::{decode, encoding_named, is_wide};
use crate::library::{GameEnd, GameLine, Import, ImportError, LibraryError};
use crate::rules::Rule;

/// Most bytes of a file whose format must be read in one go; a hundred times the largest known RenLib library.
const LARGEST_WHOLE: u64 = 256 << 20;

/// The encoding that the texts of a file were taken for, although the file names another or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadAs {
    Guessed(&'static Encoding),
    /// The one that the user names; the file calls itself UTF-8 and is not.
    Asked(&'static Encoding),
}

impl ReadAs {
    fn encoding(self) -> &'static Encoding {
        let (ReadAs::Guessed(encoding) | ReadAs::Asked(encoding)) = self;
        encoding
    }
}

impl fmt::Display for ReadAs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadAs::Guessed(encoding) => write!(
                f,
                "it is not UTF-8 and names no other encoding; it was read as {}, and --encoding names another",
                encoding.name()
            ),
            ReadAs::Asked(encoding) => {
                write!(
                    f,
                    "it calls itself UTF-8 and is not; it was read as {}, as --encoding says",
                    encoding.name()
                )
            }
        }
    }
}

/// A file that was imported before and has grown since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beginning {
    /// Its bytes.
    pub length: usize,
    /// Whether nothing but blanks has come behind it.
    pub is_all: bool,
}

/// The input to be read.
pub(super) struct Input<R> {
    reader: R,
    largest: u64,
}

impl<R: BufRead + Seek> Input<R> {
    pub fn new(reader: R) -> Input<R> {
        Input { reader, largest: LARGEST_WHOLE }
    }

    /// The first bytes.
    pub fn begin(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut begin = Vec::new();
        self.reader.by_ref().take(BEGIN).read_to_end(&mut begin)?;
        self.reader.rewind()?;
        Ok(begin)
    }

    /// A hash of the whole input, by which it is recognised later, and whether it begins with one of the known inputs.
    ///
    /// # Errors
    /// The input cannot be read, or the flag is set, because large files take their time.
    pub fn fingerprint(
        &mut self,
        known: &Fingerprints,
        stop: &AtomicBool,
    ) -> anyhow::Result<(u64, Option<Beginning>)> {
        let mut hash = Fingerprint::EMPTY;
        let (mut beginning, mut length): (Option<Beginning>, _) = (None, 0);
        loop {
            ensure!(!stop.load(Ordering::Relaxed), LibraryError::Stopped);
            let piece = self.reader.fill_buf()?;
            if piece.is_empty() {
                break;
            }
            if known.is_empty() {
                hash = hash.with_bytes(piece);
            } else {
                for (byte, length) in piece.iter().zip(length + 1..) {
                    hash = hash.with((*byte).into());
                    if known.contains(&hash.value()) {
                        beginning = Some(Beginning { length, is_all: true });
                    } else if let Some(beginning) = &mut beginning {
                        beginning.is_all &= byte.is_ascii_whitespace();
                    }
                }
            }
            let count = piece.len();
            length += count;
            self.reader.consume(count);
        }
        self.reader.rewind()?;
        Ok((hash.value(), beginning))
    }

    /// Imports all of it; of the records of a match, what comes behind the first `known` bytes. Returns the encoding
    /// that its texts were taken for, if it names none that fits.
    ///
    /// # Errors
    /// Input that cannot be read, with its place; the import must not be committed then.
    pub fn take_into(
        mut self,
        import: &mut Import<'_>,
        format: InputFormat,
        path: &Path,
        encoding: Option<&'static Encoding>,
        known: usize,
    ) -> anyhow::Result<Option<ReadAs>> {
        let mut read_as = None;
        match format {
            InputFormat::Sgf => {
                let named = encoding_named(&self.begin()?);
                // A file may call UTF-8 what is none.
                if named == Some(UTF_8) || named.is_none() && encoding.is_none() {
                    let guessed = self.guessed()?;
                    read_as = guessed.map(|guessed| encoding.map_or(ReadAs::Guessed(guessed), ReadAs::Asked));
                }
                let encoding = read_as.map(ReadAs::encoding).or(named).or(encoding);
                import.add_sgf_from(self.text(encoding)?)?;
            }
            InputFormat::Psq => import.add_psq(&self.whole_text(encoding)?)?,
            InputFormat::Pgn => import.add_pgn(&self.whole_text(encoding)?)?,
            InputFormat::Lib => match import.add_renlib(&self.whole()?) {
                Err(ImportError::Binary(error)) if matches!(error.mistake, BinaryMistake::End(_)) => bail!(
                    "{error}; --accept-truncated takes what is there, which is all if RenLib saved a branch alone"
                ),
                read => read?,
            },
            InputFormat::Yxdb => import.add_yxdb(self.reader)?,
            // Kagetsu writes these two, in UTF-8 whatever the encoding of files beside them.
            InputFormat::Json => import.add_json_lines(self.text(None)?)?,
            InputFormat::Csv => import.add_csv(self.text(None)?)?,
            InputFormat::Match => {
                let bytes = self.whole()?;
                let games =
                    |bytes: &[u8]| Records::parse(decode(bytes).as_bytes()).map(|records| records.games);
                let before = games(&bytes[..known.min(bytes.len())])?.len();
                for record in games(&bytes)?.iter().skip(before) {
                    let line = line_of(record).with_context(|| format!("game {}", record.id))?;
                    import.add_game(&line)?;
                }
            }
            InputFormat::Training => {
                let shard = Shard::from_bytes(&self.whole()?)?;
                if let Some(damaged) = reading::DamagedShard::of(path, &shard) {
                    bail!("{damaged}");
                }
                for game in &shard.games {
                    let end = game.winner.map_or(GameEnd::Drawn, GameEnd::Won);
                    let moves = game.moves.iter().map(|played| played.point).collect();
                    import.add_game(&GameLine { rule: game.rule, size: game.size, moves, end })?;
                }
            }
        }
        Ok(read_as)
    }

    /// The encoding in which a text that is not UTF-8 was most likely written; `None` for UTF-8 and UTF-16.
    fn guessed(&mut self) -> anyhow::Result<Option<&'static Encoding>> {
        /// How many bytes are read at a time, and looked at from the piece on that is not UTF-8.
        const PIECE: u64 = 1 << 16;
        if is_wide(&self.begin()?) {
            return Ok(None);
        }
        let mut count = Utf8Count::default();
        let (mut piece, mut sample) = (Vec::new(), Vec::new());
        let mut is_last = false;
        while !is_last {
            let before = piece.len();
            self.reader.by_ref().take(PIECE).read_to_end(&mut piece)?;
            // Half a character may be left over if the file was cut.
            is_last = piece.len() == before;
            let was_valid = count.is_valid();
            let counted = count.add(&piece);
            // From the first error on, up to two pieces.
            if !count.is_valid() && (was_valid || sample.len() as u64 <= PIECE) {
                sample.extend(&piece[..counted]);
            }
            piece.drain(..counted);
        }
        self.reader.rewind()?;
        Ok((!count.is_utf8()).then(|| guess_of_part(&sample, false)).filter(|&encoding| encoding != UTF_8))
    }

    /// All bytes.
    fn whole(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader.by_ref().take(self.largest + 1).read_to_end(&mut bytes)?;
        ensure!(
            bytes.len() as u64 <= self.largest,
            "byte {0}: files in this format or this encoding are read in one go and have at most {0} bytes",
            self.largest
        );
        Ok(bytes)
    }

    fn whole_text(&mut self, encoding: Option<&'static Encoding>) -> anyhow::Result<String> {
        let bytes = self.whole()?;
        Ok(match encoding {
            // A byte order mark overrides this encoding.
            Some(encoding) => encoding.decode(&bytes).0.into_owned(),
            None => decode(&bytes).into_owned(),
        })
    }

    /// The text in UTF-8, converted as it is read; only UTF-16 is converted in one go.
    fn text(mut self, encoding: Option<&'static Encoding>) -> anyhow::Result<Text<R>> {
        const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
        let begin = self.begin()?;
        if is_wide(&begin) {
            return Ok(Text::Whole(Cursor::new(self.whole_text(encoding)?.into_bytes())));
        }
        // What is to be read as UTF-8 anyway needs no conversion.
        if let Some(encoding) = encoding.filter(|&encoding| encoding != UTF_8) {
            return Ok(Text::Converted(Converted::new(self.reader, encoding)));
        }
        if begin.starts_with(&MARK) {
            self.reader.read_exact(&mut [0; MARK.len()])?;
        }
        Ok(Text::Pieces(self.reader))
    }
}

/// Text in UTF-8.
enum Text<R> {
    Pieces(R),
    Converted(Converted<R>),
    Whole(Cursor<Vec<u8>>),
}

impl<R: BufRead> Read for Text<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut there = self.fill_buf()?;
        let count = there.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Text<R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        match self {
            Text::Pieces(reader) => reader.fill_buf(),
            Text::Converted(text) => text.fill(),
            Text::Whole(text) => text.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        match self {
            Text::Pieces(reader) => reader.consume(count),
            Text::Converted(text) => text.at += count,
            Text::Whole(text) => text.consume(count),
        }
    }
}

/// Text that is converted to UTF-8 as it is read. A byte order mark overrides the encoding.
struct Converted<R> {
    reader: R,
    decoder: Decoder,
    /// What was converted last, of which what comes before `at` is consumed.
    text: String,
    at: usize,
    has_ended: bool,
}

impl<R: BufRead> Converted<R> {
    fn new(reader: R, encoding: &'static Encoding) -> Converted<R> {
        /// Bytes that are converted at a time.
        const PIECE: usize = 1 << 16;
        let text = String::with_capacity(PIECE);
        Converted { reader, decoder: encoding.new_decoder(), text, at: 0, has_ended: false }
    }

    /// What is there; more is read and converted if that is nothing.
    fn fill(&mut self) -> std::io::Result<&[u8]> {
        while self.at >= self.text.len() && !self.has_ended {
            self.text.clear();
            self.at = 0;
            let there = self.reader.fill_buf()?;
            let is_end = there.is_empty();
            let (result, count, _) = self.decoder.decode_to_string(there, &mut self.text, is_end);
            self.reader.consume(count);
            self.has_ended = is_end && result == CoderResult::InputEmpty;
        }
        Ok(&self.text.as_bytes()[self.at..])
    }
}

/// A recorded game. Records are files like any other, so their stones are checked.
fn line_of(record: &GameRecord) -> anyhow::Result<GameLine> {
    let (rule, size) = (record.rule.parse::<Rule>()?, record.board()?);
    let mut moves: Vec<Point> = Vec::with_capacity(record.moves.len());
    for played in &record.moves {
        let point: Point = played.at.parse()?;
        if !size.contains(point) || moves.contains(&point) {
            bail!("{point} is taken or off the board");
        }
        moves.push(point);
    }
    let end = match record.result {
        GameResult::Black => GameEnd::Won(Color::Black),
        GameResult::White => GameEnd::Won(Color::White),
        GameResult::Draw => GameEnd::Drawn,
    };
    Ok(GameLine { rule, size, moves, end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{ImportOptions, Library, LibraryAccess};

    fn input(bytes: &[u8], largest: u64) -> Input<Cursor<Vec<u8>>> {
        Input { reader: Cursor::new(bytes.to_vec()), largest }
    }

    /// The comment at the centre after a text was imported.
    fn comment_of(bytes: &[u8], largest: u64, encoding: Option<&'static Encoding>) -> anyhow::Result<String> {
        let mut library = Library::in_memory()?;
        let mut import = library.import(ImportOptions::default())?;
        input(bytes, largest).take_into(&mut import, InputFormat::Sgf, Path::new("a.sgf"), encoding, 0)?;
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
            .take_into(&mut import, InputFormat::Sgf, Path::new("a.sgf"), Some(encoding_rs::BIG5), 0)
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
        input(&table, 0).take_into(&mut import, InputFormat::Csv, Path::new("a.csv"), encoding, 0).unwrap();
        import.commit().unwrap();
        assert_eq!(library.entry(Rule::Freestyle, &stones).unwrap().unwrap().comment, "花月");
    }

    #[test]
    fn a_file_is_known_again_by_its_bytes() {
        let none = Fingerprints::new();
        let go_on = AtomicBool::new(false);
        let fingerprint = |bytes: &[u8]| input(bytes, 0).fingerprint(&none, &go_on).unwrap().0;
        assert_eq!(fingerprint(b"a game"), fingerprint(b"a game"));
        assert_ne!(fingerprint(b"a game"), fingerprint(b"a gamf"));
        assert!(input(b"a game", 0).fingerprint(&none, &AtomicBool::new(true)).is_err());
        // And by its beginning once it has grown, also if it has grown more than once.
        let known = Fingerprints::from([fingerprint(b"a"), fingerprint(b"a game")]);
        for (bytes, length, is_all) in [
            (&b"a game"[..], 6, true),
            (b"a game\n ", 6, true),
            (b"a game and", 6, false),
            (b"a dot", 1, false),
        ] {
            // Bytes that come one by one as well.
            for capacity in [1, 100] {
                let reader = std::io::BufReader::with_capacity(capacity, Cursor::new(bytes));
                let (whole, beginning) = Input::new(reader).fingerprint(&known, &go_on).unwrap();
                assert_eq!(beginning, Some(Beginning { length, is_all }), "{bytes:?}");
                assert_eq!(whole, fingerprint(bytes));
            }
        }
        assert_eq!(input(b"game", 0).fingerprint(&known, &go_on).unwrap().1, None);
    }
}
