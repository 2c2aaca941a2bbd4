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
    /// UTF-8, which the file is; it names this one.
    Utf8(&'static Encoding),
    Guessed(&'static Encoding),
    /// The one that the user names; the file calls itself UTF-8 and is not.
    Asked(&'static Encoding),
}

impl ReadAs {
    fn encoding(self) -> &'static Encoding {
        match self {
            ReadAs::Utf8(_) => UTF_8,
            ReadAs::Guessed(encoding) | ReadAs::Asked(encoding) => encoding,
        }
    }
}

impl fmt::Display for ReadAs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadAs::Utf8(named) => {
                write!(f, "it calls itself {} and is UTF-8, as which it was read", named.name())
            }
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

/// An input that has been looked through once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identified {
    /// A hash of the whole input, by which it is recognised later.
    pub fingerprint: u64,
    /// Its bytes. It may have grown since.
    pub length: usize,
    /// The known input with which it begins.
    pub beginning: Option<Beginning>,
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

    /// What tells the whole input from others, and whether it begins with one of the known inputs.
    ///
    /// # Errors
    /// The input cannot be read, or the flag is set, because large files take their time.
    pub fn fingerprint(&mut self, known: &Fingerprints, stop: &AtomicBool) -> anyhow::Result<Identified> {
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
        Ok(Identified { fingerprint: hash.value(), length, beginning })
    }

    /// Imports all of it; of the records of a match, which may go on meanwhile, what was `identified` and is not known
    /// yet. Returns the encoding that its texts were taken for, if it names none that fits.
    ///
    /// # Errors
    /// Input that cannot be read, with its place; the import must not be committed then.
    pub fn take_into(
        mut self,
        import: &mut Import<'_>,
        format: InputFormat,
        path: &Path,
        encoding: Option<&'static Encoding>,
        identified: &Identified,
    ) -> anyhow::Result<Option<ReadAs>> {
        let mut read_as = None;
        match format {
            InputFormat::Sgf => {
                let named = encoding_named(&self.begin()?);
                // A file may call UTF-8 what is none, and UTF-8 something else.
                if named.is_some() || encoding.is_none() {
                    let seen = self.looked_through()?;
                    read_as = match named.filter(|&named| named != UTF_8) {
                        Some(named) => seen.is_utf8.then_some(ReadAs::Utf8(named)),
                        None => {
                            seen.guessed.map(|seen| encoding.map_or(ReadAs::Guessed(seen), ReadAs::Asked))
                        }
                    };
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
                let games = |length: usize| {
                    let bytes = &bytes[..length.min(bytes.len())];
                    Records::parse(decode(bytes).as_bytes()).map(|records| records.games)
                };
                let known = identified.beginning.map_or(0, |known| known.length);
                let before = if known == 0 { 0 } else { games(known)?.len() };
                for record in games(identified.length)?.iter().skip(before) {
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

    /// What the bytes of the whole text say of its encoding.
    fn looked_through(&mut self) -> anyhow::Result<Seen> {
        /// How many bytes are read at a time, and looked at from the piece on that is not UTF-8.
        const PIECE: u64 = 1 << 16;
        if is_wide(&self.begin()?) {
            return Ok(Seen { is_utf8: false, guessed: None });
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
        let guessed = (!count.is_utf8()).then(|| guess_of_part(&sample, false));
        Ok(Seen {
            is_utf8: count.is_utf8_beyond_ascii(),
            guessed: guessed.filter(|&encoding| encoding != UTF_8),
        })
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

/// What the bytes of a text say of its encoding.
struct Seen {
    /// Whether it is UTF-8, and more than ASCII.
    is_utf8: bool,
    /// The encoding in which it was most likely written; `None` for UTF-8 and UTF-16.
    guessed: Option<&'static Encoding>,
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
#[path = "source_tests.rs"]
mod tests;
