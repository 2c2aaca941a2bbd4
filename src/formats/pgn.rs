//! PGN as programs that compute ratings want it (BayesElo, Ordo): tags and the result of each game, without moves.
//!
//! Colours are those of PGN, where White moves first; who writes a game of Gomoku decides what it calls White.

use std::fmt;

use super::error::{FormatError, Mistake, Place};
use super::text::printable;

/// Who won, in the colours of the tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PgnResult {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is not over.
    #[default]
    Unknown,
}

impl PgnResult {
    const ALL: [PgnResult; 4] = [PgnResult::White, PgnResult::Black, PgnResult::Draw, PgnResult::Unknown];

    /// As PGN writes it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            PgnResult::White => "1-0",
            PgnResult::Black => "0-1",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Unknown => "*",
        }
    }

    fn read(text: &str) -> Option<PgnResult> {
        PgnResult::ALL.into_iter().find(|result| result.text() == text)
    }
}

/// A game. Its `Display` is the text of the file, with line ends and other control characters in the tags shown as
/// [`printable`] shows them.
///
/// ```
/// use kagetsu::formats::pgn::{self, PgnGame, PgnResult};
/// let game = PgnGame::new(PgnResult::Draw).with("White", r#"the "best""#);
/// assert_eq!(game.to_string(), "[White \"the \\\"best\\\"\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n");
/// assert_eq!(pgn::read(&game.to_string()).unwrap(), [game]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// Names and values of all tags but `Result`, in order.
    pub tags: Vec<(String, String)>,
    /// Who won.
    pub result: PgnResult,
}

impl PgnGame {
    /// A game without tags.
    #[must_use]
    pub fn new(result: PgnResult) -> PgnGame {
        PgnGame { tags: Vec::new(), result }
    }

    /// The same with one more tag. Its name should be a word of letters.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> PgnGame {
        self.tags.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = printable(value).replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        let result = self.result.text();
        write!(f, "[Result \"{result}\"]\n\n{result}\n\n")
    }
}

/// Reads the tags and results of all games. What stands between the tags of a game and those of the next is moves, of
/// which only the result at their end is read; without one, the tag `Result` counts.
///
/// # Errors
/// A line that begins with a bracket and is no tag.
pub fn read(text: &str) -> Result<Vec<PgnGame>, FormatError> {
    let mut games: Vec<PgnGame> = Vec::new();
    let mut is_in_tags = false;
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            let place = Place { line: n + 1, column: 1 };
            let (name, value) = tag(line).ok_or_else(|| Mistake::NoTag(line.to_owned()).at(place))?;
            if !is_in_tags {
                games.push(PgnGame::default());
            }
            is_in_tags = true;
            let Some(game) = games.last_mut() else { continue };
            if name == "Result" {
                game.result = PgnResult::read(&value).unwrap_or_default();
            } else {
                game.tags.push((name, value));
            }
        } else if let Some(word) = line.split_whitespace().last() {
            is_in_tags = false;
            if let (Some(game), Some(result)) = (games.last_mut(), PgnResult::read(word)) {
                game.result = result;
            }
        }
    }
    Ok(games)
}

/// `[Name "value"]`
fn tag(line: &str) -> Option<(String, String)> {
    let (name, quoted) = line.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let mut characters = quoted.trim_start().strip_prefix('"')?.chars();
    let mut value = String::new();
    loop {
        match characters.next()? {
            '"' => break,
            '\\' => value.push(characters.next()?),
            c => value.push(c),
        }
    }
    characters.as_str().trim_start().starts_with(']').then(|| (name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_inside_their_tags() {
        let name = "a\"]\n[Result \"1-0\"]\n\n1-0 \\ \u{1b}[2J\r\0";
        let game = PgnGame::new(PgnResult::Black).with("Round", "3").with("White", name).with("Black", "b");
        let text = game.to_string();
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text}");
        assert_eq!(text.lines().count(), 7, "{text}");
        let again = read(&text.repeat(2)).unwrap();
        assert_eq!((again.len(), again[0].result), (2, PgnResult::Black));
        assert_eq!(again[1].tag("White"), Some(&*printable(name)));
        assert_eq!((again[1].tag("Black"), again[1].tag("Event")), (Some("b"), None));
    }

    /// As c-gomoku-cli writes it.
    #[test]
    fn results_of_others_are_read() {
        let text = "[Event \"1\"]\n[Date \"2024.01.02 03:04:05\"]\n[Round \"1.2\"]\n[Black \"one\"]\n[White \"two\"]\n\
                    [Result \"0-1\"]\n[Termination \"Black win by five connection\"]\n[PlyCount \"31\"]\n0-1\n\n";
        let games = read(text).unwrap();
        assert_eq!(
            (games.len(), games[0].result, games[0].tag("PlyCount")),
            (1, PgnResult::Black, Some("31"))
        );
        assert_eq!(read("").unwrap(), []);
        assert_eq!(read("[Result \"?\"]\n").unwrap()[0].result, PgnResult::Unknown);
    }

    #[test]
    fn mistakes_are_told() {
        for text in ["[", "[White]", "[White \"a]", "[White \"a\\", "[White \"a\"", "[White a]"] {
            let error = read(&format!("\n{text}")).expect_err(text).to_string();
            assert!(error.starts_with("line 2, column 1: `[") && error.contains("is no tag"), "{error}");
        }
    }
}
