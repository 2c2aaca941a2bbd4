//! Reads a file into a library, in small pieces where the format allows it, so that the memory does not grow with the
//! file.

use std::io::{BufRead, Cursor, Read, Seek};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail, ensure};
use encoding_rs::{Encoding, UTF_8};

use super::input::{BEGIN, InputFormat};
use crate::arena::outcome::GameResult;
use crate::arena::records::{GameRecord, Records};
use crate::board::{Color, Point};
use crate::data::{Shard, reading};
use crate::files::Fingerprint;
use crate::formats::binary::BinaryMistake;
use crate::formats::encoding::guess;
use crate::formats::text::{decode, encoding_named, is_wide};
use crate::library::{GameEnd, GameLine, Import, ImportError, LibraryError};
use crate::rules::Rule;

/// Most bytes of a file whose format must be read in one go; a hundred times the largest known RenLib library.
const LARGEST_WHOLE: u64 = 256 << 20;

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

    /// A hash of the whole input, by which it is recognised later.
    ///
    /// # Errors
    /// The input cannot be read, or the flag is set, because large files take their time.
    pub fn fingerprint(&mut self, stop: &AtomicBool) -> anyhow::Result<u64> {
        let mut hash = Fingerprint::EMPTY;
        loop {
            ensure!(!stop.load(Ordering::Relaxed), LibraryError::Stopped);
            let piece = self.reader.fill_buf()?;
            if piece.is_empty() {
                break;
            }
            hash = hash.with_bytes(piece);
            let count = piece.len();
            self.reader.consume(count);
        }
        self.reader.rewind()?;
        Ok(hash.value())
    }

    /// Imports all of it. Returns the encoding that its texts were taken for, if that is a guess.
    ///
    /// # Errors
    /// Input that cannot be read, with its place; the import must not be committed then.
    pub fn take_into(
        mut self,
        import: &mut Import<'_>,
        format: InputFormat,
        path: &Path,
        encoding: Option<&'static Encoding>,
    ) -> anyhow::Result<Option<&'static Encoding>> {
        let mut guessed = None;
        match format {
            InputFormat::Sgf => {
                let named = encoding_named(&self.begin()?);
                // A file may call UTF-8 what is none.
                if encoding.is_none() && named.is_none_or(|named| named == UTF_8) {
                    guessed = self.guessed()?;
                }
                let encoding = guessed.or(named).or(encoding);
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
                let records = Records::parse(self.whole_text(None)?.as_bytes())?;
                for record in &records.games {
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
        Ok(guessed)
    }

    /// The encoding in which a text that is not UTF-8 was most likely written; `None` for UTF-8 and UTF-16.
    fn guessed(&mut self) -> anyhow::Result<Option<&'static Encoding>> {
        /// How many bytes are read at a time, and looked at from the piece on that is not UTF-8.
        const PIECE: u64 = 1 << 16;
        if is_wide(&self.begin()?) {
            return Ok(None);
        }
        let mut bytes: Vec<u8> = Vec::new();
        let guessed = loop {
            let before = bytes.len();
            self.reader.by_ref().take(PIECE).read_to_end(&mut bytes)?;
            if bytes.len() == before {
                // Half a character may be left over if the file was cut.
                break None;
            }
            match std::str::from_utf8(&bytes) {
                Ok(_) => bytes.clear(),
                // The piece ends within a character.
                Err(error) if error.error_len().is_none() => drop(bytes.drain(..error.valid_up_to())),
                Err(_) => {
                    self.reader.by_ref().take(PIECE).read_to_end(&mut bytes)?;
                    break Some(guess(&bytes)).filter(|&encoding| encoding != UTF_8);
                }
            }
        };
        self.reader.rewind()?;
        Ok(guessed)
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

    /// The text in UTF-8. Input in UTF-8 is passed on as it is read; another encoding is converted in one go.
    fn text(mut self, encoding: Option<&'static Encoding>) -> anyhow::Result<Text<R>> {
        const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
        let begin = self.begin()?;
        // What is to be read as UTF-8 anyway needs no conversion.
        let encoding = encoding.filter(|&encoding| encoding != UTF_8);
        if is_wide(&begin) || encoding.is_some() {
            return Ok(Text::Whole(Cursor::new(self.whole_text(encoding)?.into_bytes())));
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
    Whole(Cursor<Vec<u8>>),
}

impl<R: BufRead> Read for Text<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Text::Pieces(reader) => reader.read(buffer),
            Text::Whole(text) => text.read(buffer),
        }
    }
}

impl<R: BufRead> BufRead for Text<R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        match self {
            Text::Pieces(reader) => reader.fill_buf(),
            Text::Whole(text) => text.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        match self {
            Text::Pieces(reader) => reader.consume(count),
            Text::Whole(text) => text.consume(count),
        }
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
        input(bytes, largest).take_into(&mut import, InputFormat::Sgf, Path::new("a.sgf"), encoding)?;
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
        let long = format!("{}{TEXT}", "(;C[水])".repeat(30_000));
        assert!(comment_of(long.as_bytes(), 5, None).unwrap().ends_with("花月"));
        // Input that is read in pieces may have any length; other input may not.
        assert_eq!(comment_of(TEXT.as_bytes(), 5, None).unwrap(), "花月");
        assert_eq!(comment_of(utf8.as_bytes(), 5, Some(encoding_rs::GBK)).unwrap(), "花月");
        let error = comment_of(&wide, 5, None).unwrap_err().to_string();
        assert!(error.starts_with("byte 5: ") && error.ends_with("at most 5 bytes"), "{error}");
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
        input(&table, 0).take_into(&mut import, InputFormat::Csv, Path::new("a.csv"), encoding).unwrap();
        import.commit().unwrap();
        assert_eq!(library.entry(Rule::Freestyle, &stones).unwrap().unwrap().comment, "花月");
    }

    #[test]
    fn a_file_is_known_again_by_its_bytes() {
        let fingerprint = |bytes: &[u8]| input(bytes, 0).fingerprint(&AtomicBool::new(false)).unwrap();
        assert_eq!(fingerprint(b"a game"), fingerprint(b"a game"));
        assert_ne!(fingerprint(b"a game"), fingerprint(b"a gamf"));
        assert!(input(b"a game", 0).fingerprint(&AtomicBool::new(true)).is_err());
    }
}
