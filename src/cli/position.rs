//! Positions as people have them: SGF, PSQ, a picture, or moves.
//!
//! | format | what it looks like | told by |
//! |---|---|---|
//! | SGF | `(;SZ[15];B[hh];W[ii])`, also `AB`, `AW`, `PL`; the main line of the first game | the bracket |
//! | PSQ | `Piskvorky 15x15, ...`, then `8,8,0` | its first word |
//! | picture | rows of `.`, `X` and `O` (see [`diagram`]) | a dot, `X` or `O` |
//! | moves | `7,7 8,8` from 0, or `h8 i9` or `h8i9`; Black first | anything else |

use anyhow::{Context, ensure};

use crate::board::{Color, Point, Size, Stones, diagram};
use crate::formats::{self, ensure_size};

/// Reads a position. `size` is the board where the text does not say.
///
/// # Errors
/// What is no position, with the part that is wrong; a board of another size than asked for.
pub fn read(text: &str, size: Option<Size>) -> anyhow::Result<Stones> {
    let trimmed = text.trim_start();
    let is_picture = |line: &str| line.contains('.') && !line.contains(',');
    if trimmed.starts_with('(') {
        return sgf(trimmed, size).context("reading the SGF");
    }
    let stones = if trimmed.starts_with(formats::psq::FIRST_WORD) {
        psq(trimmed).context("reading the game of Piskvork")?
    } else if trimmed.lines().any(is_picture) {
        diagram::parse(trimmed).context("reading the picture")?.stones
    } else {
        return moves(trimmed, size.unwrap_or(Size::square(15)));
    };
    ensure_size(stones.size(), size.unwrap_or(stones.size()))?;
    Ok(stones)
}

/// The position after these moves, Black first and the colours in turn.
///
/// # Errors
/// What is no point, off the board or taken.
pub fn moves(text: &str, size: Size) -> anyhow::Result<Stones> {
    let mut stones = Stones::new(size);
    for word in text.split_whitespace() {
        let mut rest = word;
        while !rest.is_empty() {
            // `7,7` is one word; letters begin a point each.
            let is_next = |&(n, c): &(usize, char)| n > 0 && c.is_ascii_alphabetic();
            let end = rest.char_indices().find(is_next).map_or(rest.len(), |(n, _)| n);
            let own = stones.to_move();
            place(&mut stones, rest[..end].trim_end_matches(',').parse()?, own)?;
            rest = &rest[end..];
        }
    }
    Ok(stones)
}

fn place(stones: &mut Stones, point: Point, color: Color) -> anyhow::Result<()> {
    ensure!(stones.size().contains(point), "{point} is off the board of {}", stones.size());
    ensure!(stones.is_empty_at(point), "{point} is taken");
    stones.place(point, color);
    Ok(())
}

fn psq(text: &str) -> anyhow::Result<Stones> {
    let (size, points) = formats::psq::read(text.lines())?;
    let mut stones = Stones::new(size);
    for point in points {
        let own = stones.to_move();
        place(&mut stones, point, own)?;
    }
    Ok(stones)
}

/// The main line of the first game.
fn sgf(text: &str, size: Option<Size>) -> anyhow::Result<Stones> {
    let games = formats::sgf::read(text)?;
    let game = games.first().context("there is no game")?;
    let found = game.size()?;
    if let Some(found) = found {
        ensure_size(found, size.unwrap_or(found))?;
    }
    let properties = &game.properties;
    let mut stones = Stones::new(found.or(size).unwrap_or(Size::square(15)));
    let mut to_move = None;
    for (name, value) in properties {
        let color = match name.as_str() {
            "B" | "AB" => Color::Black,
            "W" | "AW" => Color::White,
            "PL" => {
                to_move = Some(if value.starts_with(['W', 'w']) { Color::White } else { Color::Black });
                continue;
            }
            _ => continue,
        };
        let point = formats::sgf::point(value, stones.size())?;
        place(&mut stones, point, color)?;
        to_move = if name.starts_with('A') { to_move } else { None };
    }
    let count = |color| stones.history().iter().filter(|&&(_, c)| c == color).count();
    let is_set_up = properties.iter().all(|(name, _)| name != "B" && name != "W");
    let fewer = if count(Color::Black) > count(Color::White) { Color::White } else { Color::Black };
    if let Some(color) = to_move.or(is_set_up.then_some(fewer)) {
        stones.set_to_move(color);
    }
    Ok(stones)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_says_the_same() {
        let expected = moves("h8 i9 j10", Size::square(15)).unwrap();
        for text in [
            "7,7 8,8 9,9",
            "7,7\n8,8\n9,9\n",
            "h8i9j10",
            "(;FF[4]GM[4]SZ[15];B[hh];W[ii](;B[jj]C[a \\] b])(;B[aa];W[bb]))",
            "(;SZ[15:15]AB[hh]\n[jj]AW[ii]PL[W])",
            "(;AB[hh][jj]AW[ii])",
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\n10,10,0\nA\nB\n-1\n",
            &diagram::draw(&expected),
        ] {
            let stones = read(text, None).unwrap_or_else(|error| panic!("{text}: {error:#}"));
            assert_eq!(stones.hash(), expected.hash(), "{text}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        let said = |text: &str, size: Option<Size>| format!("{:#}", read(text, size).unwrap_err());
        assert!(said("7,7 7,7", None).contains("taken"));
        assert!(said("h8 z9", None).contains("z9"));
        assert!(said("17,3", None).contains("off the board"));
        assert!(said("(;SZ[19];B[aa])", Some(Size::square(15))).contains("19x19, not 15x15"));
        assert!(said("(;SZ[99];B[aa])", None).contains("no size"));
        assert!(said("(;B[aa]", None).contains("no end"));
        assert!(said("(;B[aa", None).contains("without an end"));
        assert!(said("Piskvorky 15, 1\n1,1,0", None).contains("no size"));
        assert!(said(". . .\n. X", None).contains("row 2"));
    }

    #[test]
    fn nothing_that_is_read_panics() {
        for text in
            ["", "(", "(;", ")", "é", "(;B[é])", "(;SZ[])", ".", "Piskvorky", "1,", ",", "h", "[", "(;B[]"]
        {
            let _ = read(text, None);
        }
    }
}
