//! The key of a position: the same for all its turned and mirrored images, and for no other position.
//!
//! | bytes | hold |
//! |---|---|
//! | 0 | the rule, by its number in the protocol of Gomocup |
//! | 1, 2 | columns and rows |
//! | 3, 4 | 32768 if White is to move, plus the number of black stones; the high byte first |
//! | others | the cells of the black stones in their order, then those of the white ones: row times columns plus column, in one byte, or in two on boards of more than 256 points |
//!
//! Of all images of a position, the one whose bytes come first in order is used. The key is the position itself and not
//! a hash of it, so two positions never share one.

use std::fmt;

use crate::board::{Color, Point, Size, Stones, Symmetry};
use crate::formats::text::hex;
use crate::rules::Rule;

/// Bytes before the first stone.
const HEAD: usize = 5;
/// The largest number of points of a board whose cells fit into a byte.
const BYTE_CELLS: usize = 256;
/// In the head: White is to move.
const WHITE_TO_MOVE: u16 = 0x8000;

/// The key of a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(Box<[u8]>);

/// A key, and how the position that was asked about maps to the image that the key shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The key.
    pub key: PositionKey,
    /// Maps the position to the image of the key. If several do, it is the first in the order of [`Symmetry::of`].
    pub symmetry: Symmetry,
}

/// The bytes are not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoKey;

impl fmt::Display for NoKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these bytes are the key of no position")
    }
}

impl std::error::Error for NoKey {}

impl fmt::Debug for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl PositionKey {
    /// The key of these stones under a rule; `None` if there are dead cells, which no library stores.
    ///
    /// ```
    /// use kagetsu::formats::moves::position;
    /// use kagetsu::library::PositionKey;
    /// use kagetsu::{Rule, Size};
    /// let key = |moves: &str| {
    ///     let stones = position(moves, Size::square(15)).unwrap();
    ///     PositionKey::of(Rule::Renju, &stones).unwrap().key
    /// };
    /// assert_eq!(key("h8 i9"), key("h8 g7"));
    /// assert_ne!(key("h8 i9"), key("h8 i8"));
    /// ```
    #[must_use]
    pub fn of(rule: Rule, stones: &Stones) -> Option<Canonical> {
        let size = stones.size();
        if stones.empty_count() + stones.history().len() != size.area() {
            return None;
        }
        Some(KeyWalk::at(rule, stones).canonical())
    }

    /// The bytes with which all keys under this rule and on this board begin, and no others.
    pub(super) fn prefix(rule: Rule, size: Size) -> [u8; 3] {
        [rule.gomocup_number(), size.width() as u8, size.height() as u8]
    }

    /// The first bytes of all keys with the same rule, board, side to move and number of black stones, and the bytes
    /// behind all of these keys.
    #[cfg(feature = "library")]
    pub(super) fn range_of_counts(&self) -> ([u8; HEAD], [u8; HEAD]) {
        let head = |counts: u16| {
            let [rule, width, height] = PositionKey::prefix(self.rule(), self.size());
            let [high, low] = counts.to_be_bytes();
            [rule, width, height, high, low]
        };
        (head(self.head()), head(self.head() + 1))
    }

    /// Reads the bytes of a key.
    ///
    /// # Errors
    /// Bytes that are not a key: no known rule or board, cells off the board or out of order. Whether it is the least
    /// of its images is not checked; see [`PositionKey::is_least`].
    pub fn from_bytes(bytes: &[u8]) -> Result<PositionKey, NoKey> {
        let key = PositionKey(bytes.into());
        let (rule, size) = key.checked_board().ok_or(NoKey)?;
        let wide = cell_bytes(size);
        let cells = &bytes[HEAD..];
        let black = key.black_count();
        let is_whole = cells.len().is_multiple_of(wide) && black <= cells.len() / wide;
        if !is_whole || Rule::from_gomocup_number(rule.gomocup_number().into()) != Some(rule) {
            return Err(NoKey);
        }
        let cells: Vec<usize> = key.cells(size).collect();
        let (black, white) = cells.split_at(black);
        let is_sorted = |cells: &[usize]| cells.is_sorted_by(|a, b| a < b);
        let is_on_board = cells.iter().all(|&cell| cell < size.area());
        // Both lists are sorted, so a binary search is quick.
        let is_apart = black.iter().all(|cell| white.binary_search(cell).is_err());
        let is_key = is_sorted(black) && is_sorted(white) && is_on_board && is_apart;
        is_key.then_some(key).ok_or(NoKey)
    }

    fn checked_board(&self) -> Option<(Rule, Size)> {
        let &[rule, width, height, _, _, ..] = &*self.0 else { return None };
        let known = Rule::ALL.into_iter().find(|known| known.gomocup_number() == rule)?;
        Some((known, Size::new(width.into(), height.into())?))
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.checked_board().map(|(rule, _)| rule).unwrap_or_default()
    }

    /// The board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.checked_board().map_or(Size::square(15), |(_, size)| size)
    }

    /// Who is to move.
    #[must_use]
    pub fn to_move(&self) -> Color {
        if self.head() & WHITE_TO_MOVE == 0 { Color::Black } else { Color::White }
    }

    fn head(&self) -> u16 {
        u16::from_be_bytes([self.0[3], self.0[4]])
    }

    fn black_count(&self) -> usize {
        (self.head() & !WHITE_TO_MOVE).into()
    }

    /// Stones on the board.
    #[must_use]
    pub fn stone_count(&self) -> usize {
        (self.0.len() - HEAD) / cell_bytes(self.size())
    }

    fn cells(&self, size: Size) -> impl Iterator<Item = usize> + '_ {
        let wide = cell_bytes(size);
        self.0[HEAD..]
            .chunks_exact(wide)
            .map(|cell| cell.iter().fold(0, |all, &byte| all << 8 | usize::from(byte)))
    }

    /// The stones of the image that the key shows, Black's first.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        let (size, black) = (self.size(), self.black_count());
        self.cells(size).enumerate().map(move |(number, cell)| {
            let color = if number < black { Color::Black } else { Color::White };
            (Point::new(cell % size.width(), cell / size.width()), color)
        })
    }

    /// The image that the key shows.
    #[must_use]
    pub fn position(&self) -> Stones {
        let mut stones = Stones::new(self.size());
        self.stones().for_each(|(point, color)| stones.place(point, color));
        stones.set_to_move(self.to_move());
        stones
    }

    /// The positions with one stone less from which a move leads here, each with that move in the image that its key
    /// shows.
    #[must_use]
    pub fn before(&self) -> Vec<(PositionKey, Point)> {
        let (size, mover) = (self.size(), !self.to_move());
        let mut walk = KeyWalk::new(self.rule(), size);
        self.stones().for_each(|(point, color)| walk.place(point, color));
        let mut found: Vec<(PositionKey, Point)> = Vec::new();
        for (point, _) in self.stones().filter(|&(_, color)| color == mover) {
            walk.take(point, mover);
            let Canonical { key, symmetry } = walk.canonical();
            walk.place(point, mover);
            if found.iter().all(|(other, _)| *other != key) {
                found.push((key, symmetry.apply(point, size)));
            }
        }
        found
    }

    /// Whether it is the least of its images, as all keys in a library are.
    #[must_use]
    pub fn is_least(&self) -> bool {
        PositionKey::of(self.rule(), &self.position()).is_some_and(|canonical| canonical.key == *self)
    }
}

fn cell_bytes(size: Size) -> usize {
    if size.area() > BYTE_CELLS { 2 } else { 1 }
}

/// Stones of both colours in one image, as sorted cells.
#[derive(Clone, Debug, Default)]
struct Image {
    cells: [Vec<u16>; 2],
}

/// Computes keys along a game. Stones come and go, and all images are kept up to date, so that the next key is cheap.
#[derive(Clone, Debug)]
pub struct KeyWalk {
    rule: Rule,
    size: Size,
    to_move: Color,
    symmetries: Vec<Symmetry>,
    images: Vec<Image>,
}

impl KeyWalk {
    /// An empty board, Black to move.
    #[must_use]
    pub fn new(rule: Rule, size: Size) -> KeyWalk {
        let symmetries: Vec<Symmetry> = Symmetry::of(size).collect();
        let images = vec![Image::default(); symmetries.len()];
        KeyWalk { rule, size, to_move: Color::Black, symmetries, images }
    }

    /// A walk that starts at these stones, without dead cells between them.
    #[must_use]
    pub fn at(rule: Rule, stones: &Stones) -> KeyWalk {
        let mut walk = KeyWalk::new(rule, stones.size());
        stones.history().iter().for_each(|&(point, color)| walk.place(point, color));
        walk.set_to_move(stones.to_move());
        walk
    }

    /// The board.
    #[cfg(feature = "library")]
    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// All positions after one more stone, each with the point of that stone, row by row.
    pub(super) fn all_after(rule: Rule, stones: &Stones) -> impl Iterator<Item = (Point, Canonical)> {
        let (mut walk, color) = (KeyWalk::at(rule, stones), stones.to_move());
        stones.size().points().filter(|&point| stones.is_empty_at(point)).map(move |point| {
            walk.place(point, color);
            let after = walk.canonical();
            walk.take(point, color);
            (point, after)
        })
    }

    fn cell(&self, symmetry: Symmetry, point: Point) -> u16 {
        let image = symmetry.apply(point, self.size);
        (image.y() * self.size.width() + image.x()) as u16
    }

    /// Places a stone on a point where there is none; the other colour is to move.
    pub fn place(&mut self, point: Point, color: Color) {
        for number in 0..self.images.len() {
            let cell = self.cell(self.symmetries[number], point);
            let cells = &mut self.images[number].cells[color as usize];
            let at = cells.partition_point(|&other| other < cell);
            cells.insert(at, cell);
        }
        self.to_move = !color;
    }

    /// Removes a stone of this colour, which is then to move.
    pub fn take(&mut self, point: Point, color: Color) {
        for number in 0..self.images.len() {
            let cell = self.cell(self.symmetries[number], point);
            let cells = &mut self.images[number].cells[color as usize];
            if let Ok(at) = cells.binary_search(&cell) {
                cells.remove(at);
            }
        }
        self.to_move = color;
    }

    /// Who is to move.
    #[must_use]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Gives the move to a colour.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// The key of the current position.
    #[must_use]
    pub fn canonical(&self) -> Canonical {
        let number = (0..self.images.len()).min_by_key(|&number| &self.images[number].cells).unwrap_or(0);
        Canonical { key: self.key_of(&self.images[number]), symmetry: self.symmetries[number] }
    }

    /// The key after a stone of the side to move on this empty point.
    #[must_use]
    pub fn after(&mut self, point: Point) -> PositionKey {
        let color = self.to_move;
        self.place(point, color);
        let key = self.canonical().key;
        self.take(point, color);
        key
    }

    fn key_of(&self, image: &Image) -> PositionKey {
        let [black, white] = &image.cells;
        let wide = cell_bytes(self.size);
        let mut bytes = Vec::with_capacity(HEAD + wide * (black.len() + white.len()));
        let white_to_move = if self.to_move == Color::White { WHITE_TO_MOVE } else { 0 };
        bytes.extend(PositionKey::prefix(self.rule, self.size));
        bytes.extend((black.len() as u16 | white_to_move).to_be_bytes());
        for cell in black.iter().chain(white) {
            bytes.extend(&cell.to_be_bytes()[2 - wide..]);
        }
        PositionKey(bytes.into())
    }
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
