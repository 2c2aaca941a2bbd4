//! PGN: the tags and the result of each game, which is all that rating programs (BayesElo, Ordo) need, and its moves
//! for callers that ask for them.
//!
//! The colours of the tags and of the result are those of the stones, as c-gomoku-cli has them too: `1-0` is a win of
//! White, who moves second in Gomoku.
//!
//! Comments stand in braces or between a `;` and the end of the line, variations in round brackets, and numbers such as
//! `$1`, and signs such as `!?`, say what somebody thinks of a move. None of them belongs to the moves.

use std::fmt;

use super::error::{FormatError, Mistake, Place};
use super::moves;
use super::point_names::Rows;
use super::text::printable;
use crate::board::{Point, Size};
use crate::rules::Rule;

/// Who won.
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

    /// The notation of PGN.
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

/// A game. Its `Display` is the text of the file; line ends and other control characters in the tags are escaped as by
/// [`printable`].
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

    /// The game with one more tag. The tag's name should be a word of letters.
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

    /// The rule that the tag `Variant` names, if Kagetsu knows it.
    #[must_use]
    pub fn rule(&self) -> Option<Rule> {
        Rule::from_spelling(self.rule_name()?)
    }

    /// The name of the rule as the tag `Variant` gives it.
    #[must_use]
    pub fn rule_name(&self) -> Option<&str> {
        self.tag("Variant").filter(|name| !name.is_empty())
    }
}

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text_with_moves(self, &[]))
    }
}

/// Whether a text begins with a tag, as PGN does.
#[must_use]
pub fn begins(text: &str) -> bool {
    let is_said = |line: &&str| !line.trim().is_empty() && !line.starts_with('%');
    text.lines().find(is_said).is_some_and(|line| tag(line.trim_start()).is_some())
}

/// Reads the tags and results of all games. The text between the tags of one game and those of the next is its moves,
/// and only the result at their end is read. Without such a result, the tag `Result` counts. A line may hold several
/// tags, and moves after them. Lines that begin with `%` are skipped.
///
/// # Errors
/// A bracket at the beginning of a line or behind a tag that does not begin a tag, and a comment or a variation without
/// an end in its game.
pub fn read(text: &str) -> Result<Vec<PgnGame>, FormatError> {
    Ok(games_with_main_lines(text)?.into_iter().map(|(game, _)| game).collect())
}

/// Like [`read`], with the moves of each game. What stands for a move is only looked at by [`PgnMoves::points`].
///
/// # Errors
/// Those of [`read`].
///
/// ```
/// use kagetsu::formats::pgn;
/// let games = pgn::games_with_moves("[Round \"1\"]\n\n1. h8 i9 {near} 2. j10$1 1-0 ; five\n").unwrap();
/// let points = games[0].1.points(kagetsu::Size::square(15)).unwrap();
/// let names: Vec<String> = points.iter().map(|point| point.to_string()).collect();
/// assert_eq!(names, ["h8", "i9", "j10"]);
/// ```
pub fn games_with_moves(text: &str) -> Result<Vec<(PgnGame, PgnMoves)>, FormatError> {
    let games = games_with_main_lines(text)?;
    Ok(games.into_iter().map(|(game, main_line)| (game, main_line.bare())).collect())
}

/// The text after the tags of a game, with blanks in place of what is no move of its main line: everything stands in
/// the line and the column in which the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnMoves {
    /// Where the tags of the game begin.
    tags: Place,
    text: String,
    /// The first and the last line of the text in the file.
    lines: Option<(usize, usize)>,
}

impl PgnMoves {
    /// The points of the moves.
    ///
    /// # Errors
    /// Those of [`moves::read`], with the place in the file.
    pub fn points(&self, size: Size) -> Result<Vec<Point>, FormatError> {
        self.points_with_rows(size, Rows::FromTop)
    }

    /// Like [`PgnMoves::points`], but the rows of points are counted from this edge.
    ///
    /// # Errors
    /// Those of [`PgnMoves::points`].
    pub fn points_with_rows(&self, size: Size, rows: Rows) -> Result<Vec<Point>, FormatError> {
        moves::read_with_rows(&self.text, size, rows).map_err(|error| {
            let first = self.lines.map_or(1, |(first, _)| first);
            let line = error.place.line + first - 1;
            error.on_line(line)
        })
    }

    /// Where the tags of the game begin.
    #[must_use]
    pub fn tags(&self) -> Place {
        self.tags
    }

    /// Adds the words of another line, the first of which stands at this place.
    fn add(&mut self, place: Place, words: &str) {
        let (first, last) = self.lines.unwrap_or((place.line, place.line));
        self.text.extend((last..place.line).map(|_| '\n'));
        self.text.extend((1..place.column).map(|_| ' '));
        self.text.push_str(words);
        self.lines = Some((first, place.line));
    }

    /// The same without the numbers of moves and the result.
    fn bare(&self) -> PgnMoves {
        let is_move = |word: &str| {
            let is_number = word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
            !is_number && PgnResult::read(word).is_none()
        };
        let mut text = String::with_capacity(self.text.len());
        for piece in self.text.split_inclusive(char::is_whitespace) {
            if is_move(piece.trim_end()) {
                text.push_str(piece);
            } else {
                text.extend(piece.chars().map(|c| if c == '\n' { c } else { ' ' }));
            }
        }
        PgnMoves { text, ..self.clone() }
    }
}

/// The games, and for each the text after its tags without comments and variations.
fn games_with_main_lines(text: &str) -> Result<Vec<(PgnGame, PgnMoves)>, FormatError> {
    let mut games: Vec<(PgnGame, PgnMoves)> = Vec::new();
    let mut aside = Aside::default();
    let mut is_in_tags = false;
    for (n, line) in text.lines().enumerate() {
        // Such lines are for programs that understand them.
        if line.starts_with('%') {
            continue;
        }
        let place_of = |rest: &str| {
            let before = line.len() - rest.len();
            Place { line: n + 1, column: 1 + line[..before].chars().count() }
        };
        let mut rest = line.trim_start();
        // A comment may have a line that looks like a tag.
        while aside.comment.is_none() && rest.starts_with('[') {
            let no_tag = || Mistake::NoTag(rest.trim_end().to_owned()).at(place_of(rest));
            let (name, value, after) = tag(rest).ok_or_else(no_tag)?;
            // The place is counted from the beginning of the line, and a line may have many tags.
            if !is_in_tags {
                let tags = place_of(rest);
                games.push((PgnGame::default(), PgnMoves { tags, ..PgnMoves::default() }));
            }
            rest = after.trim_start();
            is_in_tags = true;
            // It would swallow the moves of the next game as well.
            aside.ensure_closed()?;
            let Some((game, _)) = games.last_mut() else { continue };
            if name == "Result" {
                game.result = PgnResult::read(&value).unwrap_or_default();
            } else {
                game.tags.push((name, value));
            }
        }
        // A comment up to the end of the line does not separate the tags above it from those below.
        if rest.is_empty() || aside.comment.is_none() && rest.starts_with(';') {
            continue;
        }
        is_in_tags = false;
        let moves = aside.without(rest, place_of(rest));
        let Some((game, main_line)) = games.last_mut() else { continue };
        if let Some(result) = moves.split_whitespace().last().and_then(PgnResult::read) {
            game.result = result;
        }
        main_line.add(place_of(rest), &moves);
    }
    aside.ensure_closed().map(|()| games)
}

/// What stands among the moves without belonging to the main line. It may go on over several lines.
#[derive(Default)]
struct Aside {
    /// Where the comment in braces begins that has not ended yet. Comments contain no others: the first `}` ends them.
    comment: Option<Place>,
    /// Number of variations in round brackets, one inside the other, that have not ended yet.
    variations: usize,
    /// Where the outermost of them begins.
    variation: Place,
}

impl Aside {
    fn ensure_closed(&self) -> Result<(), FormatError> {
        match self.comment {
            Some(place) => Err(Mistake::UnclosedComment.at(place)),
            None if self.variations > 0 => Err(Mistake::UnclosedVariation.at(self.variation)),
            None => Ok(()),
        }
    }

    /// The line, which begins at `start`, with blanks in place of comments, variations, numbers such as `$1`, and signs
    /// such as `!?`.
    fn without(&mut self, line: &str, start: Place) -> String {
        let mut rest = String::new();
        let mut is_glyph = false;
        for (n, c) in line.chars().enumerate() {
            let place = Place { column: start.column + n, ..start };
            is_glyph = c == '$' || is_glyph && c.is_ascii_digit();
            let mut is_kept = false;
            match c {
                '}' => self.comment = None,
                _ if self.comment.is_some() => {}
                ';' => break,
                '$' | '!' | '?' => {}
                '{' => self.comment = Some(place),
                '(' => {
                    if self.variations == 0 {
                        self.variation = place;
                    }
                    self.variations += 1;
                }
                ')' => self.variations = self.variations.saturating_sub(1),
                _ => is_kept = self.variations == 0 && !is_glyph,
            }
            rest.push(if is_kept { c } else { ' ' });
        }
        rest
    }
}

/// A game with its moves, which [`games_with_moves`] reads back.
///
/// ```
/// use kagetsu::Point;
/// use kagetsu::formats::pgn::{self, PgnGame, PgnResult};
/// let points = ["h8", "i9", "j10"].map(|name| name.parse::<Point>().unwrap());
/// let text = pgn::text_with_moves(&PgnGame::new(PgnResult::White), &points);
/// assert_eq!(text, "[Result \"1-0\"]\n\n1. h8 i9 2. j10 1-0\n\n");
/// ```
#[must_use]
pub fn text_with_moves(game: &PgnGame, points: &[Point]) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        let value = printable(value).replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    }
    let result = game.result.text();
    text += &format!("[Result \"{result}\"]\n\n");
    for (n, pair) in points.chunks(2).enumerate() {
        text += &format!("{}. {} ", n + 1, moves::letters(pair, " "));
    }
    text + result + "\n\n"
}

/// `[Name "value"]`, and what follows it on the line.
fn tag(line: &str) -> Option<(String, String, &str)> {
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
    let after = characters.as_str().trim_start().strip_prefix(']')?;
    Some((name.to_owned(), value, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(moves: &PgnMoves) -> String {
        moves.text.split_whitespace().collect::<Vec<&str>>().join(" ")
    }

    /// The words of a game with this text after its tags.
    fn words_of(text: &str) -> String {
        words(&games_with_moves(&format!("[Round \"1\"]\n\n{text}\n")).unwrap()[0].1)
    }

    #[test]
    fn a_list_of_moves_may_end_with_the_same_results() {
        assert_eq!(PgnResult::ALL.map(PgnResult::text), moves::RESULTS);
    }

    #[test]
    fn a_text_begins_with_a_tag_or_is_no_pgn() {
        for (text, is_pgn) in [
            ("\n [Event \"a\"]\n1. h8 *", true),
            ("[Event \"a\"] h8", true),
            ("% by a program\n[Event \"a\"]\n1. h8 *", true),
            ("[Event]\n1. h8 *", false),
            ("h8\n[Event \"a\"]", false),
            ("", false),
        ] {
            assert_eq!(begins(text), is_pgn, "{text}");
        }
    }

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
    fn comments_are_no_moves() {
        let text = "[Round \"1\"]\n\n1. h8{near {and} i9 {2. a1\n[b1]\n\n[c1 } 2... j10 } k11 *\n\n\
                    [Round \"2\"]\n[Date \"?\"]\n\n*\n";
        let games = games_with_moves(text).unwrap();
        let moves = games.iter().map(|(_, moves)| words(moves)).collect::<Vec<String>>();
        assert_eq!(moves, ["h8 i9 j10 k11", ""]);
        assert_eq!(games[1].0.tag("Date"), Some("?"));
        // Text before the first tag belongs to no game.
        let after_text = &games_with_moves("h8 i9\n[Round \"1\"]\n").unwrap()[0].1;
        assert_eq!((words(after_text), after_text.tags()), (String::new(), Place { line: 2, column: 1 }));
        let result = |text: &str| read(&format!("[Result \"*\"]\n\n{text}\n")).unwrap()[0].result;
        assert_eq!(result("h8 i9 1-0 {White's, not\n0-1\n0-1}"), PgnResult::White);
    }

    #[test]
    fn comments_up_to_the_end_of_the_line_are_no_moves() {
        assert_eq!(words_of("1. h8 i9 ; j10 was {better\n2. k11;1-0\n"), "h8 i9 k11");
        assert_eq!(words_of("h8 {not; this} i9 (j10 ; (k11)\n) l12 *"), "h8 i9 l12");
        assert_eq!(words_of("h8\n% (for programs {\ni9 *"), "h8 i9");
        let games = read("; of the club\n[White \"a;b\"] ; he\n; and\n[Black \"b\"]\n\n0-1 ; 1-0\n").unwrap();
        assert_eq!(games, [PgnGame::new(PgnResult::Black).with("White", "a;b").with("Black", "b")]);
        assert!(read("[Round \"1\"]\nh8 {i9 ;}\n").is_ok());
    }

    #[test]
    fn glyphs_are_no_moves() {
        let games =
            games_with_moves("[Round \"1\"]\n1. h8$1! i9?? $14 2. j10 (k11 $2) {$3} $ l12 1-0 $139\n");
        let (game, moves) = &games.unwrap()[0];
        assert_eq!((words(moves).as_str(), game.result), ("h8 i9 j10 l12", PgnResult::White));
    }

    #[test]
    fn a_line_may_hold_several_tags() {
        let games = games_with_moves("[White \"a]\"] [Result \"1-0\"][Round \"2\"] h8 i9\n").unwrap();
        let game = PgnGame::new(PgnResult::White).with("White", "a]").with("Round", "2");
        assert_eq!((&games[0].0, words(&games[0].1)), (&game, "h8 i9".to_owned()));
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error("[White \"é\"] [Black]").starts_with("line 1, column 13: `[Black]` is not a tag"));
        assert!(error("[White \"a\"] h8 {").starts_with("line 1, column 16: the comment"));
    }

    #[test]
    fn variations_are_no_moves() {
        assert_eq!(words_of("1. h8 i9 (1... g9 2. h10 {:) } (2. a1) b2\n3. c3 0-1) 2. j10 *"), "h8 i9 j10");
        assert_eq!(words_of("h8(a1)i9 ) j10"), "h8 i9 j10");
    }

    #[test]
    fn a_mistake_in_the_moves_is_told_with_its_place_in_the_file() {
        let first = "[Round \"1\"]\n\n1. h8 i9 1-0\n\n";
        for (text, said) in [
            ("1. h8 {né} i9 2. h8 1-0\n", "line 6, column 18: h8 is taken"),
            ("1. h8 i9\n\n ; a remark\n 2. zz 1-0\n", "line 9, column 5: `z` is neither"),
            ("1. h8 (1. i9\n2. j10) $4 99,99 *\n", "line 7, column 12: 99,99 is off the board"),
        ] {
            let games = games_with_moves(&format!("{first}[Round \"2\"]\n{text}")).unwrap();
            assert_eq!(games[0].1.points(Size::square(15)).map(|points| points.len()), Ok(2));
            let error = games[1].1.points(Size::square(15)).unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
        let games = games_with_moves("[White \"é\"] h8 h8\n").unwrap();
        assert_eq!(games[0].1.points(Size::square(15)).unwrap_err().place, Place { line: 1, column: 16 });
    }

    #[test]
    fn mistakes_are_told() {
        for text in ["[", "[White]", "[White \"a]", "[White \"a\\", "[White \"a\"", "[White a]"] {
            let error = read(&format!("\n{text}")).expect_err(text).to_string();
            assert!(error.starts_with("line 2, column 1: `[") && error.contains("is not a tag"), "{error}");
        }
        let error = read("[Round \"1\"]\n h8 {i9\n[Round \"2\"]\n").unwrap_err().to_string();
        assert_eq!(error, "line 2, column 5: the comment that begins here has no end");
        for end in ["", "[Round \"2\"]\n\nh8 i9) j10 *\n"] {
            let text = format!("[Round \"1\"]\nh8 (i9) (j10 (k11) 1-0\n{end}");
            let error = read(&text).unwrap_err().to_string();
            assert_eq!(error, "line 2, column 9: the variation that begins here has no end");
        }
    }
}
