//! PSQ, a game as Piskvork saves it: `Piskvorky 15x15, 11:11, 0`, then a line `x,y,ms` from 1 for each stone, then
//! other things.

use anyhow::Context;

use crate::board::{Point, Size};

/// How a file begins.
pub const FIRST_WORD: &str = "Piskvorky";

/// The board, and the stones in the order in which they were placed, Black first. The first of the lines is the header;
/// one that is no stone ends the game. Empty lines and the blanks around a line mean nothing.
///
/// # Errors
/// A header that is none, or without a size; a stone off the board.
pub fn read<'a>(lines: impl Iterator<Item = &'a str>) -> anyhow::Result<(Size, Vec<Point>)> {
    let mut lines = lines.map(str::trim).filter(|line| !line.is_empty());
    let header = lines.next().unwrap_or_default();
    let rest = header.strip_prefix(FIRST_WORD).and_then(|rest| rest.strip_prefix(' '));
    let rest = rest.with_context(|| format!("`{header}` is no header of Piskvork"))?;
    let sides = rest.split(',').next().and_then(|sides| sides.split_once('x'));
    let size = sides.and_then(|(w, h)| Size::new(w.trim().parse().ok()?, h.trim().parse().ok()?));
    let size = size.with_context(|| format!("`{header}` names no size of a board"))?;
    let mut points = Vec::new();
    for line in lines {
        let numbers: Vec<i64> = line.split(',').map_while(|word| word.trim().parse().ok()).collect();
        let &[x, y, _] = numbers.as_slice() else { break };
        // The numbers that are told are those of the file, which count from 1.
        let point = Point::checked(x.saturating_sub(1), y.saturating_sub(1), size);
        points.push(point.with_context(|| format!("{x},{y} is off the board of {size}"))?);
    }
    Ok((size, points))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_end_where_other_things_begin() {
        let text = "Piskvorky 15x20, 11:11, 0\n8,8,0\n\n15, 20 ,12\nfoo.zip\n3,3,0\n";
        let (size, points) = read(text.lines()).unwrap();
        assert_eq!((size.width(), size.height()), (15, 20));
        assert_eq!(points, [Point::new(7, 7), Point::new(14, 19)]);
    }

    #[test]
    fn mistakes_are_told() {
        for (text, said) in [
            ("", "no header"),
            ("1,1,0", "no header"),
            ("Piskvorky 15, 1\n1,1,0", "no size"),
            ("Piskvorky 15x15, 1\n16,1,0", "16,1 is off the board"),
            ("Piskvorky 15x15, 1\n0,1,0", "0,1 is off the board"),
        ] {
            let error = read(text.lines()).expect_err(text);
            assert!(error.to_string().contains(said), "{text}: {error}");
        }
    }
}
