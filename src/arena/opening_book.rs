//! The book of a match: the openings that are played, in order, each checked against the rule.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::board::{Point, Size, Stones, Symmetry};
use crate::files::Fingerprint;
use crate::formats::opening_file::{self, OpeningFormat, has_extension};
use crate::formats::text::decode_games;
use crate::rules::judge::{self, Verdict};
use crate::rules::{Rule, with_rule};

/// Of a random book, the fingerprint covers this many openings and the order follows from the seed, so that a match can
/// be made longer, which takes more of them.
const FINGERPRINTED: usize = 1000;
/// How far from the centre the stones of random openings may lie, as in tournaments.
const CENTRE_REACH: usize = 3;

/// Openings in the order in which they are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    size: Size,
    openings: Vec<Vec<Point>>,
    /// Only this many openings make the fingerprint and are shuffled. What follows them is random and follows from
    /// them.
    telling: usize,
}

impl Book {
    /// A book with the empty board as its only opening.
    #[must_use]
    pub fn empty(size: Size) -> Book {
        Book::whole(size, vec![Vec::new()])
    }

    /// A book of which every opening counts for the fingerprint.
    fn whole(size: Size, openings: Vec<Vec<Point>>) -> Book {
        Book { size, telling: openings.len(), openings }
    }

    /// A book of these openings, at least one, in this order.
    ///
    /// # Errors
    /// There is no opening, or one cannot be played under the rule; the error gives its number.
    pub fn of(openings: Vec<Vec<Point>>, rule: Rule, size: Size) -> anyhow::Result<Book> {
        ensure!(!openings.is_empty(), "there is no opening");
        for (n, points) in openings.iter().enumerate() {
            check(points, rule, size).with_context(|| format!("opening {}", n + 1))?;
        }
        Ok(Book::whole(size, openings))
    }

    /// The board of the openings.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The openings in their order.
    #[must_use]
    pub fn openings(&self) -> &[Vec<Point>] {
        &self.openings
    }

    /// Reads a file, or all `.sgf` and `.psq` files of a folder in the order of their names. If `plies` is given,
    /// openings are cut to this many stones.
    ///
    /// # Errors
    /// A file cannot be read, a line is not an opening, a stone is off the board or on another one, or an opening ends
    /// the game; the error gives the line.
    pub fn read(
        path: &Path,
        format: OpeningFormat,
        rule: Rule,
        size: Size,
        plies: Option<usize>,
    ) -> anyhow::Result<Book> {
        let mut openings = Vec::new();
        for file in files_of(path)? {
            let bytes = std::fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
            let text = decode_games(&bytes);
            let format = match format {
                OpeningFormat::Auto => OpeningFormat::recognise(&file, &text),
                known => known,
            };
            for found in opening_file::read(&text, format, size) {
                let mut points = found.points.with_context(|| file.display().to_string())?;
                points.truncate(plies.unwrap_or(usize::MAX));
                check(&points, rule, size)
                    .with_context(|| format!("{}, line {}", file.display(), found.line))?;
                openings.push(points);
            }
        }
        ensure!(!openings.is_empty(), "{} holds no opening", path.display());
        Ok(Book::whole(size, openings))
    }

    /// Different openings of `plies` random stones around the centre; not balanced, but the same for both engines. With
    /// a higher count there are more openings after the same ones, as long as so few stones can make more. The
    /// fingerprints of books with 1000 openings or more are those of their first 1000.
    ///
    /// # Errors
    /// More stones than fit around the centre.
    pub fn random(rule: Rule, size: Size, plies: usize, count: usize, seed: u64) -> anyhow::Result<Book> {
        let center = size.center();
        let near: Vec<Point> = size.points().filter(|point| point.distance(center) <= CENTRE_REACH).collect();
        ensure!(plies * 2 <= near.len(), "a random opening of {plies} stones does not fit");
        // Too few stones for a five or a forbidden move can make this many openings. More stones make far more than
        // any match needs.
        let most = (0..plies).fold(1_usize, |most, placed| most.saturating_mul(near.len() - placed));
        let mut random = StdRng::seed_from_u64(seed);
        let mut made = HashSet::new();
        let mut openings = Vec::new();
        while openings.len() < count.min(most) {
            let mut points: Vec<Point> = Vec::with_capacity(plies);
            while points.len() < plies {
                let point = near[random.random_range(0..near.len())];
                if !points.contains(&point) {
                    points.push(point);
                }
            }
            if check(&points, rule, size).is_ok() && made.insert(points.clone()) {
                openings.push(points);
            }
        }
        Ok(Book { size, telling: openings.len().min(FINGERPRINTED), openings })
    }

    /// Shuffles the openings into an order that depends only on the seed. Of random openings, only the first 1000 are
    /// shuffled.
    pub fn shuffle(&mut self, seed: u64) {
        self.openings[..self.telling].shuffle(&mut StdRng::seed_from_u64(seed));
    }

    /// How many openings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Whether there are no openings; never true of a book that was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// The opening of the pair with this number. After the last opening the book starts again, each time under another
    /// symmetry of the board if `transform` is set.
    #[must_use]
    pub fn opening(&self, pair: usize, transform: bool) -> Vec<Point> {
        let opening = &self.openings[pair % self.openings.len()];
        let turn = if transform { pair / self.openings.len() } else { 0 };
        let count = Symmetry::of(self.size).count();
        let symmetry = Symmetry::of(self.size).nth(turn % count).expect("taken modulo the count");
        opening.iter().map(|&point| symmetry.apply(point, self.size)).collect()
    }

    /// How many of the first so many openings that are played, one after the other, are different, exactly as they lie
    /// on the board. Some may be equal in the book, others after they were rotated or mirrored.
    #[must_use]
    pub fn distinct(&self, needed: usize, transform: bool) -> usize {
        // After all images of all openings the first comes again, so whoever needs millions does not go through them.
        let images = if transform { Symmetry::of(self.size).count() } else { 1 };
        let needed = needed.min(images * self.openings.len());
        (0..needed).map(|number| self.opening(number, transform)).collect::<HashSet<_>>().len()
    }

    /// A fingerprint of the openings and their order, which tells whether a resumed match has the same ones.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        const END_OF_OPENING: u64 = u64::MAX;
        let numbers = self.openings[..self.telling]
            .iter()
            .flat_map(|opening| opening.iter().map(|point| point.index() as u64).chain([END_OF_OPENING]));
        numbers.fold(Fingerprint::EMPTY, Fingerprint::with).value()
    }
}

/// The file itself, or all SGF and PSQ files of a folder in the order of their names.
fn files_of(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in path.read_dir().with_context(|| format!("reading {}", path.display()))? {
        let file = entry?.path();
        if has_extension(&file, "sgf") || has_extension(&file, "psq") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Checks that an opening contains no forbidden move and does not end the game.
fn check(points: &[Point], rule: Rule, size: Size) -> anyhow::Result<()> {
    let mut stones = Stones::new(size);
    for &point in points {
        stones.place(point, stones.to_move());
        match with_rule!(rule, R => judge::verdict::<R>(&stones)) {
            Verdict::Ongoing => {}
            Verdict::Foul(_) => bail!("{point} is forbidden"),
            Verdict::Win(_) | Verdict::Draw => bail!("the game is over with {point}"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::square(15);

    /// Reads a book from a file with these bytes.
    fn read(name: &str, bytes: &[u8]) -> anyhow::Result<Book> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Book::read(&path, OpeningFormat::Auto, Rule::Renju, SIZE, None)
    }

    #[test]
    fn files_are_recognised_whoever_saved_them() {
        let expected = ["h8", "i9", "a15"].map(|name| name.parse::<Point>().unwrap());
        for (name, text) in [
            ("offset.txt", "0,0, 1,1, -7,7\n"),
            ("pos.txt", "# by hand\nh8i9a15\n"),
            ("game.sgf", "(;GM[4];B[hh];W[ii];B[ao])"),
            ("game.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\n1,15,0\nme\nyou\n-1\n"),
        ] {
            let utf16 =
                "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
            for bytes in [text.into(), format!("\u{FEFF}{text}").into_bytes(), utf16] {
                assert_eq!(read(name, &bytes).unwrap().opening(0, false), expected, "{name}");
            }
        }
    }

    #[test]
    fn a_folder_is_all_its_games() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("b.SGF", "(;GM[4];B[hh];W[ii])"),
            ("a.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,9,12\n-1\n"),
            ("notes.txt", "no game"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let book = Book::read(folder.path(), OpeningFormat::Auto, Rule::Renju, SIZE, None);
        let expected = [["h8", "h9"], ["h8", "i9"]].map(|names| names.map(|name| name.parse().unwrap()));
        assert_eq!(book.unwrap().openings, expected);
    }

    #[test]
    fn mistakes_are_told_with_file_and_line() {
        for (name, text, said) in [
            ("a.txt", "0,0\n0,0, 1,1, 0,0", "a.txt: line 2, column 11: h8 is taken"),
            ("b.txt", "h8\n\nh8a1i8a3j8a5k8a7l8a9", "b.txt, line 3: the game is over with l8"),
            ("c.txt", "h8a1i8a3j10a5j11a7j8", "c.txt, line 1: j8 is forbidden"),
            ("d.sgf", "(;GM[1]SZ[19];B[dd])", "(Go)"),
            ("e.sgf", "", "there is no game"),
            ("f.txt", "# nothing\n", "holds no opening"),
        ] {
            let error = format!("{:#}", read(name, text.as_bytes()).expect_err(text));
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn a_book_begins_again_on_another_side() {
        let book = Book::whole(SIZE, vec![vec![Point::new(0, 1)], vec![Point::new(7, 7)]]);
        assert_eq!(book.opening(0, true), book.opening(2, false));
        let first: std::collections::BTreeSet<_> = (0..8).map(|n| book.opening(2 * n, true)).collect();
        assert_eq!(first.len(), 8);
        assert_eq!(book.opening(16, true), book.opening(0, true));
        // The stone in the centre stays where it is.
        assert_eq!((book.distinct(2, true), book.distinct(16, true), book.distinct(99, true)), (2, 9, 9));
        assert_eq!((book.distinct(16, false), Book::empty(SIZE).distinct(16, true)), (2, 1));
        assert_ne!(book.fingerprint(), Book::empty(SIZE).fingerprint());
    }

    /// A match that is made longer goes on with openings of its own, and its records still fit.
    #[test]
    fn more_random_openings_begin_with_the_same() {
        let [some, more] = [1000, 1500].map(|count| {
            let mut book = Book::random(Rule::Freestyle, SIZE, 4, count, 3).unwrap();
            book.shuffle(5);
            book
        });
        assert_eq!(some.openings, more.openings[..1000]);
        assert_eq!((some.fingerprint(), more.len()), (more.fingerprint(), 1500));
        assert_eq!(more.distinct(1500, false), 1500);
    }

    #[test]
    fn few_stones_make_few_random_openings() {
        for (plies, most) in [(0, 1), (1, 49), (2, 49 * 48)] {
            let book = Book::random(Rule::Freestyle, SIZE, plies, 5000, 1).unwrap();
            assert_eq!((book.len(), book.distinct(book.len(), false)), (most, most), "{plies} stones");
        }
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
    }
}
