//! Openings from files in the formats that people have.
//!
//! | format | a line | who writes it |
//! |---|---|---|
//! | offset | `3,4, 4,-3, 3,2`: steps from the centre | Gomocup, Piskvork, c-gomoku-cli |
//! | absolute | `7,7 8,8 9,7`: columns and rows from 0 | scripts |
//! | pos | `h8i9j8` | c-gomoku-cli, Yixin-Board |
//! | sgf | a collection of games; the main line of each | viewers |
//! | psq | one game | Piskvork |
//!
//! Black moves first, and colours alternate. A mistake is told with its line.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, bail, ensure};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::board::{Color, Point, Size, Stones, Symmetry};
use crate::formats::psq::FIRST_WORD;
use crate::formats::sgf::Game;
use crate::formats::{self, ensure_size, on_board};
use crate::rules::Rule;
use crate::rules::reference::{Verdict, judge};
use crate::with_rule;

/// Stones of random openings lie at most so far from the centre, as in tournaments.
const RANDOM_REACH: i64 = 3;

/// How openings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Told from the file's name and first line; plain numbers are offsets.
    #[default]
    Auto,
    /// Steps from the centre.
    Offset,
    /// Columns and rows from 0.
    Absolute,
    /// Letters and numbers without blanks.
    Pos,
    /// Games in SGF.
    Sgf,
    /// A game of Piskvork.
    Psq,
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        Ok(match text {
            "auto" => Format::Auto,
            "offset" => Format::Offset,
            "absolute" => Format::Absolute,
            "pos" => Format::Pos,
            "sgf" => Format::Sgf,
            "psq" => Format::Psq,
            _ => return Err("there are auto, offset, absolute, pos, sgf and psq".to_owned()),
        })
    }
}

/// Openings in the order in which they are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    size: Size,
    openings: Vec<Vec<Point>>,
}

impl Book {
    /// Games begin on the empty board.
    #[must_use]
    pub fn empty(size: Size) -> Book {
        Book { size, openings: vec![Vec::new()] }
    }

    /// Reads a file, or all `.sgf` and `.psq` files of a folder in the order of their names. Openings are
    /// cut to `plies` stones if that is given.
    ///
    /// # Errors
    /// A file that cannot be read, a line that is no opening, a stone that is off the board or on another
    /// one, an opening that ends the game: each with the line.
    pub fn read(
        path: &Path,
        format: Format,
        rule: Rule,
        size: Size,
        plies: Option<usize>,
    ) -> anyhow::Result<Book> {
        let mut files = vec![path.to_owned()];
        if path.is_dir() {
            files.clear();
            for entry in path.read_dir().with_context(|| format!("reading {}", path.display()))? {
                let file = entry?.path();
                if has_extension(&file, "sgf") || has_extension(&file, "psq") {
                    files.push(file);
                }
            }
            files.sort();
        }
        let mut openings = Vec::new();
        for file in files {
            let bytes = std::fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
            // Names of players may be in any encoding; stones are ASCII.
            let text = String::from_utf8_lossy(&bytes);
            let format = match format {
                Format::Auto => guess(&file, &text),
                known => known,
            };
            for Written { line, points } in
                parse(&text, format, size).with_context(|| file.display().to_string())?
            {
                let points = points.and_then(|mut points| {
                    points.truncate(plies.unwrap_or(usize::MAX));
                    check(&points, rule, size).map(|()| points)
                });
                openings.push(points.with_context(|| format!("{}, line {line}", file.display()))?);
            }
        }
        ensure!(!openings.is_empty(), "{} holds no opening", path.display());
        Ok(Book { size, openings })
    }

    /// Random stones around the centre, as many as asked for; not balanced, but the same for both.
    ///
    /// # Errors
    /// More stones than fit.
    pub fn random(rule: Rule, size: Size, plies: usize, count: usize, seed: u64) -> anyhow::Result<Book> {
        let center = size.center();
        let near: Vec<Point> =
            size.points().filter(|point| point.distance(center) <= RANDOM_REACH as usize).collect();
        ensure!(plies * 2 <= near.len(), "a random opening of {plies} stones does not fit");
        let mut random = StdRng::seed_from_u64(seed);
        let mut openings = Vec::with_capacity(count);
        while openings.len() < count {
            let mut points: Vec<Point> = Vec::with_capacity(plies);
            while points.len() < plies {
                let point = near[random.random_range(0..near.len())];
                if !points.contains(&point) {
                    points.push(point);
                }
            }
            if check(&points, rule, size).is_ok() {
                openings.push(points);
            }
        }
        Ok(Book { size, openings })
    }

    /// Puts the openings into an order that depends on the seed alone.
    pub fn shuffle(&mut self, seed: u64) {
        self.openings.shuffle(&mut StdRng::seed_from_u64(seed));
    }

    /// How many openings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Whether there is none; never true of a book that was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// The opening of the pair with this number. After the last one the book begins again, each time turned
    /// or mirrored in another way if `transform` says so.
    #[must_use]
    pub fn opening(&self, pair: usize, transform: bool) -> Vec<Point> {
        let opening = &self.openings[pair % self.openings.len()];
        let turn = if transform { pair / self.openings.len() } else { 0 };
        let count = Symmetry::of(self.size).count();
        let symmetry = Symmetry::of(self.size).nth(turn % count).expect("taken modulo the count");
        opening.iter().map(|&point| symmetry.apply(point, self.size)).collect()
    }

    /// A fingerprint of the openings and their order (FNV-1a), to tell whether a resumed match has the same.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x100_0000_01b3;
        let separator = usize::MAX;
        let numbers = self
            .openings
            .iter()
            .flat_map(|opening| opening.iter().map(|point| point.index()).chain([separator]));
        numbers.fold(BASIS, |hash, number| (hash ^ number as u64).wrapping_mul(PRIME))
    }
}

/// What an opening must not be.
fn check(points: &[Point], rule: Rule, size: Size) -> anyhow::Result<()> {
    let mut stones = Stones::new(size);
    for &point in points {
        ensure!(size.contains(point), "{point} is off the board");
        ensure!(stones.is_empty_at(point), "{point} is there twice");
        stones.place(point, stones.to_move());
        match with_rule!(rule, R => judge::<R>(&stones)) {
            Verdict::Ongoing => {}
            Verdict::Foul(_) => bail!("{point} is forbidden"),
            Verdict::Win(_) | Verdict::Draw => bail!("the game is over with {point}"),
        }
    }
    Ok(())
}

/// An opening as it was found, with the line where it begins.
struct Written {
    line: usize,
    points: anyhow::Result<Vec<Point>>,
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

fn guess(path: &Path, text: &str) -> Format {
    let first = lines(text).next().map_or("", |(_, line)| line);
    if has_extension(path, "sgf") || first.starts_with('(') {
        Format::Sgf
    } else if has_extension(path, "psq") || first.starts_with(FIRST_WORD) {
        Format::Psq
    } else if first.starts_with(|c: char| c.is_ascii_alphabetic()) {
        Format::Pos
    } else {
        Format::Offset
    }
}

/// Lines that hold something, counted from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(n, line)| (n + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn parse(text: &str, format: Format, size: Size) -> anyhow::Result<Vec<Written>> {
    let by_line = |parse: &dyn Fn(&str) -> anyhow::Result<Vec<Point>>| {
        lines(text).map(|(line, text)| Written { line, points: parse(text) }).collect()
    };
    let half = (size.width() as i64 / 2, size.height() as i64 / 2);
    Ok(match format {
        Format::Auto | Format::Offset => by_line(&|line| numbers(line, half, size)),
        Format::Absolute => by_line(&|line| numbers(line, (0, 0), size)),
        Format::Pos => by_line(&|line| pos(line, size)),
        Format::Psq => vec![Written { line: 1, points: psq(text, size) }],
        Format::Sgf => sgf(text, size)?,
    })
}

/// Pairs of numbers, however they are separated.
fn numbers(line: &str, (left, top): (i64, i64), size: Size) -> anyhow::Result<Vec<Point>> {
    let words = line.split([',', ' ', '\t', ';', '(', ')']).filter(|word| !word.is_empty());
    let numbers: Vec<i64> = words
        .map(|word| word.parse().with_context(|| format!("`{word}` is no number")))
        .collect::<anyhow::Result<_>>()?;
    ensure!(numbers.len().is_multiple_of(2), "one coordinate is missing");
    let sum = |a: i64, b: i64| a.checked_add(b).unwrap_or(i64::MAX);
    numbers.chunks(2).map(|at| on_board(sum(at[0], left), sum(at[1], top), size)).collect()
}

/// `h8i9j8`, with or without blanks.
fn pos(line: &str, size: Size) -> anyhow::Result<Vec<Point>> {
    let mut points = Vec::new();
    let mut rest = line.trim_start_matches(|c: char| c.is_whitespace());
    while !rest.is_empty() {
        // A letter of whatever alphabet, then digits.
        let is_end = |&(n, c): &(usize, char)| n > 0 && !c.is_ascii_digit();
        let digits = rest.char_indices().find(is_end).map_or(rest.len(), |(n, _)| n);
        let word = &rest[..digits];
        let point: Point = word.parse().with_context(|| format!("at `{rest}`"))?;
        points.push(on_board(point.x() as i64, point.y() as i64, size)?);
        rest = rest[digits..].trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    Ok(points)
}

/// One game.
fn psq(text: &str, size: Size) -> anyhow::Result<Vec<Point>> {
    let (found, points) = formats::psq::read(lines(text).map(|(_, line)| line))?;
    ensure_size(found, size).map(|()| points)
}

/// The main lines of a collection.
fn sgf(text: &str, size: Size) -> anyhow::Result<Vec<Written>> {
    let games = formats::sgf::read(text)?;
    Ok(games.iter().map(|game| Written { line: game.line, points: main_line(game, size) }).collect())
}

/// The stones of a game: those set up, Black and White in turn, then those played.
fn main_line(game: &Game, size: Size) -> anyhow::Result<Vec<Point>> {
    if let Some(found) = game.size()? {
        ensure_size(found, size)?;
    }
    let values = |wanted: &'static str| {
        game.properties.iter().filter(move |(name, _)| name == wanted).map(|(_, value)| value.as_str())
    };
    let (black, white): (Vec<&str>, Vec<&str>) = (values("AB").collect(), values("AW").collect());
    let mut stones = Vec::new();
    for n in 0..black.len().max(white.len()) {
        stones.extend(black.get(n).map(|&at| (Color::Black, at)));
        stones.extend(white.get(n).map(|&at| (Color::White, at)));
    }
    stones.extend(game.properties.iter().filter_map(|(name, at)| match name.as_str() {
        "B" => Some((Color::Black, at.as_str())),
        "W" => Some((Color::White, at.as_str())),
        _ => None,
    }));
    let mut points = Vec::new();
    for (n, (color, at)) in stones.into_iter().enumerate() {
        ensure!(color == Color::ALL[n % 2], "stone {} is not {}'s", n + 1, Color::ALL[n % 2].name());
        points.push(formats::sgf::point(at, size)?);
    }
    Ok(points)
}

/// The offset notation, which [`Book::read`] reads.
#[derive(Clone, Copy, Debug)]
pub struct OffsetLine<'a> {
    /// The stones, Black first.
    pub points: &'a [Point],
    /// The board.
    pub size: Size,
}

impl fmt::Display for OffsetLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = (self.size.width() as i64 / 2, self.size.height() as i64 / 2);
        for (n, point) in self.points.iter().enumerate() {
            let separator = if n == 0 { "" } else { ", " };
            write!(f, "{separator}{},{}", point.x() as i64 - half.0, point.y() as i64 - half.1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::square(15);

    fn read(text: &str, format: Format) -> anyhow::Result<Vec<String>> {
        let mut openings = Vec::new();
        for Written { line, points } in parse(text, format, SIZE)? {
            let points = points.and_then(|points| check(&points, Rule::Renju, SIZE).map(|()| points));
            let points = points.with_context(|| format!("line {line}"))?;
            openings.push(points.iter().map(Point::to_string).collect());
        }
        Ok(openings)
    }

    #[test]
    fn every_format_is_read() {
        let expected = ["h8i9h6", "a1o15"];
        assert_eq!(read("0,0, 1,1, 0,-2\n\n# two\n-7,-7, 7,7\r\n", Format::Offset).unwrap(), expected);
        assert_eq!(read("7,7 8,8 7,5\n0,0;14,14", Format::Absolute).unwrap(), expected);
        assert_eq!(read("h8i9h6\nA1 o15\n", Format::Pos).unwrap(), expected);
        assert_eq!(
            read(
                "(;GM[4]SZ[15]C[a [b\\] (;)];B[hh];W[ii](;B[hf])(;B[aa];W[bb]))\n(;AB[aa]AW[oo])",
                Format::Sgf
            )
            .unwrap(),
            expected
        );
        assert_eq!(
            read("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\n8,6,3\nfoo.zip\n-1\n", Format::Psq).unwrap(),
            expected[..1]
        );
    }

    #[test]
    fn formats_are_guessed() {
        let guess = |name: &str, text: &str| super::guess(Path::new(name), text);
        assert_eq!(guess("a.txt", "\n1,2, 3,4"), Format::Offset);
        assert_eq!(guess("a.txt", "h8h9"), Format::Pos);
        assert_eq!(guess("a.txt", "(;GM[4])"), Format::Sgf);
        assert_eq!(guess("a.rec", "Piskvorky 15x15, 0:0, 0"), Format::Psq);
        assert_eq!(guess("A.SGF", ""), Format::Sgf);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let six = "h8a1i8a3j8a5k8a7l8a9";
        for (text, format, said) in [
            ("0,0\n0,0, 1,1, 0,0", Format::Offset, "line 2"),
            ("0,0, 8,0", Format::Offset, "off the board"),
            ("0,0, 1", Format::Offset, "missing"),
            ("0,0, x,1", Format::Offset, "no number"),
            ("9223372036854775807,0", Format::Offset, "off the board"),
            ("h8\n\nh8h16", Format::Pos, "line 3"),
            ("h8é", Format::Pos, "line 1"),
            ("h88888888888888888888", Format::Pos, "line 1"),
            (six, Format::Pos, "over"),
            ("(;SZ[19];B[aa])", Format::Sgf, "board is 19"),
            ("(;B[aa];B[bb])", Format::Sgf, "not White"),
            ("(;B[aa]\n\n(;W[b", Format::Sgf, "line 3"),
            ("(;B[aa]", Format::Sgf, "no end"),
            ("Piskvorky 20x20, 11:11, 0\n1,1,0", Format::Psq, "20x20"),
            ("1,1,0", Format::Psq, "header"),
        ] {
            let error = read(text, format).map(|_| ()).expect_err(text);
            assert!(format!("{error:#}").contains(said), "{text}: {error:#}");
        }
    }

    #[test]
    fn a_book_begins_again_on_another_side() {
        let book = Book { size: SIZE, openings: vec![vec![Point::new(0, 1)], vec![Point::new(7, 7)]] };
        assert_eq!(book.opening(0, true), book.opening(2, false));
        let first: std::collections::BTreeSet<_> = (0..8).map(|n| book.opening(2 * n, true)).collect();
        assert_eq!(first.len(), 8);
        assert_eq!(book.opening(16, true), book.opening(0, true));
        assert_ne!(book.fingerprint(), Book::empty(SIZE).fingerprint());
    }

    #[test]
    fn a_seed_makes_the_order() {
        let book = |seed| {
            let mut book = Book::random(Rule::Renju, SIZE, 4, 20, 7).unwrap();
            book.shuffle(seed);
            book
        };
        assert_eq!(book(1), book(1));
        assert_ne!(book(1), book(2));
        let opening = book(1).opening(0, false);
        let line = OffsetLine { points: &opening, size: SIZE }.to_string();
        assert_eq!(numbers(&line, (7, 7), SIZE).unwrap(), opening);
    }
}
