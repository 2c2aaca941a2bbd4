//! Reads games from a file, one at a time: a collection may be larger than the memory.

use std::io::BufRead;

use super::anew::Anew;
use super::outside::{Between, Outside};
use super::reader::SgfGames;
use super::tree::SgfGame;
use crate::formats::error::{FormatError, Mistake, Place};

/// The most bytes of one game and the text before it. Games with hundreds of thousands of variations have fewer.
const LONGEST_GAME: usize = 64 << 20;
/// The byte order mark that some programs put in front of UTF-8.
const MARK: char = '\u{FEFF}';

/// The games of a collection, one by one, as [`games`](super::games) finds them in a text, but only the game that was
/// asked for is kept in memory. The text is UTF-8; anything else becomes U+FFFD.
///
/// ```
/// use kagetsu::formats::sgf;
/// let mut games = sgf::stream(&b"(;B[hh];W[ii])\n(;B[hh"[..]);
/// assert_eq!(games.next().unwrap().unwrap().main_line().count(), 2);
/// assert_eq!(games.next().unwrap().unwrap_err().to_string(), "line 2, column 5: a value without an end");
/// assert!(games.next().is_none());
/// ```
#[must_use]
pub fn stream<R: BufRead>(input: R) -> SgfStream<R> {
    SgfStream { input, ahead: Vec::new(), place: Place::START, longest: LONGEST_GAME, has_ended: false }
}

/// See [`stream`].
#[derive(Debug)]
pub struct SgfStream<R> {
    input: R,
    /// What was read of the next game to see that it is another one.
    ahead: Vec<u8>,
    place: Place,
    longest: usize,
    has_ended: bool,
}

/// Where in a game the current byte is, or outside of it.
struct Brackets {
    between: Between,
    anew: Anew,
    open: usize,
    is_value: bool,
    is_escaped: bool,
    /// How many bytes were taken, and how many before the last opening bracket.
    taken: usize,
    bracket: usize,
}

impl Brackets {
    /// Before the first byte after a game, or of the file.
    fn new(is_after_game: bool) -> Brackets {
        Brackets {
            between: Between::new(is_after_game),
            anew: Anew::default(),
            open: 0,
            is_value: false,
            is_escaped: false,
            taken: 0,
            bracket: 0,
        }
    }

    /// Takes a byte and returns where the game has ended, if it has: behind its last bracket, or before the first of
    /// another game. A closing bracket too many ends a part that cannot be read.
    fn end_with(&mut self, byte: u8) -> Option<usize> {
        self.taken += 1;
        if self.is_value {
            let is_escaped = std::mem::take(&mut self.is_escaped);
            self.is_escaped = !is_escaped && byte == b'\\';
            self.is_value = is_escaped || byte != b']';
            return None;
        }
        if self.open == 0 {
            match self.between.take(byte.into()) {
                Outside::Text if self.between.is_at_first_bracket() && byte == b'(' => {
                    self.anew = Anew::default();
                    return None;
                }
                Outside::Text => {
                    self.anew.take(byte.into());
                    return None;
                }
                Outside::Stray => return Some(self.taken),
                Outside::Game(open) => self.open = open,
            }
        }
        if self.anew.take(byte.into()) {
            return Some(self.bracket);
        }
        match byte {
            b'(' => {
                self.open += 1;
                self.bracket = self.taken - 1;
            }
            b'[' => self.is_value = true,
            b')' if self.open <= 1 => return Some(self.taken),
            b')' => self.open -= 1,
            _ => {}
        }
        None
    }
}

impl<R: BufRead> SgfStream<R> {
    /// The bytes up to the end of the next game, or of the file.
    fn chunk(&mut self) -> Result<Vec<u8>, FormatError> {
        let mut brackets = Brackets::new(self.place != Place::START);
        let mut bytes = std::mem::take(&mut self.ahead);
        for &byte in &bytes {
            // They begin a game and have no other bracket, so none ends in them.
            brackets.end_with(byte);
        }
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                buffer => buffer.map_err(|error| Mistake::Unreadable(error.to_string()).at(self.place))?,
            };
            let end = buffer.iter().find_map(|&byte| brackets.end_with(byte));
            let is_whole = end.is_some() || buffer.is_empty();
            let count = brackets.taken - bytes.len();
            bytes.extend(buffer.iter().take(count));
            self.input.consume(count);
            if is_whole {
                self.ahead = bytes.split_off(end.unwrap_or(bytes.len()));
                return Ok(bytes);
            }
            if bytes.len() > self.longest {
                return Err(Mistake::LongGame(self.longest).at(self.place));
            }
        }
    }
}

impl<R: BufRead> Iterator for SgfStream<R> {
    type Item = Result<SgfGame, FormatError>;

    fn next(&mut self) -> Option<Result<SgfGame, FormatError>> {
        if self.has_ended {
            return None;
        }
        let bytes = match self.chunk() {
            Ok(bytes) => bytes,
            Err(error) => {
                self.has_ended = true;
                return Some(Err(error));
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let is_start = self.place == Place::START;
        let text = text.strip_prefix(MARK).filter(|_| is_start).unwrap_or(&text);
        let mut games = SgfGames::beginning_at(text, self.place);
        let game = games.next();
        self.place = games.place();
        self.has_ended = games.has_ended();
        game
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, ErrorKind};

    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::formats::sgf::games;

    fn said(game: &Result<SgfGame, FormatError>) -> String {
        game.as_ref().map_or_else(ToString::to_string, ToString::to_string)
    }

    /// A text that comes in small pieces is read like a text in one piece, including mistakes and their places.
    #[test]
    fn a_stream_reads_what_a_text_holds() {
        const PARTS: [&str; 18] = [
            "(",
            ")",
            ";",
            "[",
            "]",
            "\\",
            "B[hh]",
            "C[a\\]b]",
            "C[\\])(\\\\]",
            "\n",
            "é水",
            "LB[ii:A][jj:B]",
            " x",
            "(;W[aa])",
            "(;GM[4]",
            "( ;C[(é]PB[a]",
            "PB",
            "\r\n",
        ];
        let mut random = StdRng::seed_from_u64(4);
        let (mut whole, mut bad) = (0, 0);
        for n in 0..4000 {
            let mut text =
                if n % 2 == 0 { "(;GM[4]C[1\n2](;B[ii])(;B[jj]))\n".to_owned() } else { String::new() };
            for _ in 0..random.random_range(0..14) {
                text += PARTS.choose(&mut random).unwrap();
            }
            let pieces = BufReader::with_capacity(random.random_range(1..9), text.as_bytes());
            let streamed: Vec<String> = stream(pieces).map(|game| said(&game)).collect();
            let read: Vec<String> = games(&text).map(|game| said(&game)).collect();
            assert_eq!(streamed, read, "{text}");
            let is_bad = games(&text).any(|game| game.is_err());
            whole += usize::from(!is_bad);
            bad += usize::from(is_bad);
        }
        assert!(whole > 100 && bad > 100, "{whole} {bad}");
    }

    #[test]
    fn marks_and_long_games_are_known() {
        assert!(stream("\u{FEFF}(;B[hh])".as_bytes()).all(|game| game.is_ok()));
        let long = format!("(;B[hh])\n(;C[{}])", "x".repeat(5000));
        let mut games = SgfStream { longest: 2000, ..stream(BufReader::with_capacity(64, long.as_bytes())) };
        assert!(games.next().unwrap().is_ok());
        assert_eq!(
            games.next().unwrap().unwrap_err().to_string(),
            "line 1, column 9: the game that begins here, or what stands before it, is longer than 0 MB"
        );
        assert!(games.next().is_none());
        let game = "(;B[hh];W[ii])";
        let longest = game.len() / 2;
        let mut just = SgfStream { longest, ..stream(BufReader::with_capacity(longest, game.as_bytes())) };
        assert!(just.next().unwrap().is_ok());
        // A mark takes no column.
        let mistake = |text: &str| stream(text.as_bytes()).next().unwrap().unwrap_err();
        assert_eq!(mistake("\u{FEFF}(;B[hh"), mistake("(;B[hh"));
    }

    #[test]
    fn an_interrupted_read_goes_on_and_a_failed_one_ends() {
        use crate::formats::test_reader::Halting;

        let read = |kind| stream(BufReader::new(Halting::new(b"(;B[hh])", kind))).next().unwrap();
        assert!(read(ErrorKind::Interrupted).is_ok());
        assert!(matches!(read(ErrorKind::TimedOut).unwrap_err().mistake, Mistake::Unreadable(_)));
    }
}
