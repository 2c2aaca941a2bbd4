//! SGF (red-bean.com/sgf): the main lines of a collection, property by property.
//!
//! No library: those that are kept know the properties of Go, put set-up stones into sets, where the order in which an
//! opening was played is lost, and do not know the place of a mistake.

use anyhow::{Context, bail, ensure};

use super::on_board;
use crate::board::{Point, Size};

/// The main line of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The line of the text where it begins, from 1.
    pub line: usize,
    /// Names and values in the order of the text, a pair for every value of a property.
    pub properties: Vec<(String, String)>,
}

impl Game {
    /// The board, as `SZ` says.
    ///
    /// # Errors
    /// A value that is no size.
    pub fn size(&self) -> anyhow::Result<Option<Size>> {
        let Some((_, sides)) = self.properties.iter().find(|(name, _)| name == "SZ") else { return Ok(None) };
        let (width, height) = sides.split_once(':').unwrap_or((sides, sides));
        let size = width.parse().ok().zip(height.parse().ok()).and_then(|(w, h)| Size::new(w, h));
        size.filter(|size| size.width() > 1).map(Some).with_context(|| format!("`{sides}` is no size"))
    }
}

/// The main lines of all games.
///
/// # Errors
/// A bracket too many, a game or a value without an end; with the line where it matters.
pub fn read(text: &str) -> anyhow::Result<Vec<Game>> {
    let mut games = Vec::new();
    let mut game: Option<Game> = None;
    let mut depth = 0_usize;
    // The main line has ended; everything deeper and later is a variation.
    let mut closed = false;
    let mut name = String::new();
    let mut characters = text.char_indices().peekable();
    let line_at = |at: usize| text[..at].matches('\n').count() + 1;
    while let Some((at, c)) = characters.next() {
        match c {
            '(' => {
                depth += 1;
                name.clear();
                if depth == 1 {
                    closed = false;
                    game = Some(Game { line: line_at(at), ..Game::default() });
                }
            }
            ')' => {
                closed = true;
                ensure!(depth > 0, "line {}: a bracket too many", line_at(at));
                depth -= 1;
                if depth == 0 {
                    games.extend(game.take());
                }
            }
            '[' => {
                let mut value = String::new();
                loop {
                    match characters.next() {
                        Some((_, ']')) => break,
                        Some((_, '\\')) => value.extend(characters.next().map(|(_, c)| c)),
                        Some((_, c)) => value.push(c),
                        None => bail!("line {}: a value without an end", line_at(at)),
                    }
                }
                if let Some(game) = game.as_mut().filter(|_| !closed) {
                    game.properties.push((name.clone(), value.trim().to_owned()));
                }
                // Another value of the same property may follow.
                while characters.next_if(|&(_, c)| c.is_whitespace()).is_some() {}
                if characters.peek().is_none_or(|&(_, c)| c != '[') {
                    name.clear();
                }
            }
            ';' => name.clear(),
            c if c.is_ascii_uppercase() => name.push(c),
            _ => {}
        }
    }
    ensure!(depth == 0, "the last game has no end");
    Ok(games)
}

/// Two letters, column and row from the top left, or `H8`.
///
/// # Errors
/// What is neither, or off the board.
pub fn point(text: &str, size: Size) -> anyhow::Result<Point> {
    if let &[x @ b'a'..=b'z', y @ b'a'..=b'z'] = text.as_bytes() {
        return on_board((x - b'a').into(), (y - b'a').into(), size);
    }
    let point: Point = text.parse()?;
    on_board(point.x() as i64, point.y() as i64, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(text: &str) -> Vec<String> {
        let games = read(text).unwrap();
        let one = |game: &Game| {
            let all: Vec<String> =
                game.properties.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{}: {}", game.line, all.join(" "))
        };
        games.iter().map(one).collect()
    }

    #[test]
    fn main_lines_are_read_and_variations_are_not() {
        let text =
            "(;GM[4]SZ[15:20]C[a [b\\] (;)];B[hh];W[ii](;B[hf])(;B[aa];W[bb]))\n\n(;AB[aa]\n[jj]AW[oo])";
        assert_eq!(properties(text), ["1: GM=4 SZ=15:20 C=a [b] (;) B=hh W=ii B=hf", "3: AB=aa AB=jj AW=oo"]);
        assert_eq!(properties("nothing"), Vec::<String>::new());
        let size = |text: &str| read(text).unwrap()[0].size();
        let (wide, square) = (size("(;SZ[20:15])").unwrap().unwrap(), size("(;SZ[19])").unwrap());
        assert_eq!((wide.width(), wide.height(), square), (20, 15, Some(Size::square(19))));
        assert_eq!(size("(;B[aa])").unwrap(), None);
        assert!(size("(;SZ[99])").is_err() && size("(;SZ[])").is_err() && size("(;SZ[1])").is_err());
    }

    #[test]
    fn points_are_letters_or_as_people_write_them() {
        let size = Size::square(15);
        assert_eq!(point("hh", size).unwrap(), Point::new(7, 7));
        assert_eq!(point("H8", size).unwrap(), Point::new(7, 7));
        assert!(point("pa", size).unwrap_err().to_string().contains("15,0 is off the board of 15x15"));
        assert!(point("h16", size).is_err() && point("", size).is_err() && point("é", size).is_err());
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (text, said) in [
            ("(;B[aa]", "no end"),
            ("(;B[aa]\n\n(;W[b", "line 3: a value without an end"),
            ("(;B[aa])\n)", "line 2: a bracket too many"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.to_string().contains(said), "{text}: {error}");
        }
    }
}
