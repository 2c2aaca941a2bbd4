//! The stones on a board: where they are, in which order they were placed, and whose turn it is.
//!
//! Knows no rules: it neither detects a five nor refuses a forbidden point.

use super::color::{ByColor, Color};
use super::point::{POINT_COUNT, Point, Size};
use super::zobrist;

/// What a cell of the board holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A stone.
    Stone(Color),
    /// Blocked for both colours and part of no line (field 3 of the protocol's `BOARD`), or off the board.
    Dead,
}

/// The stones of a game in progress.
///
/// The colour of each stone is given explicitly, so that positions with any number of stones of either
/// colour can be set up; [`Stones::place`] then hands the turn to the other colour.
#[derive(Clone, Debug)]
pub struct Stones {
    size: Size,
    cells: Box<[Cell; POINT_COUNT]>,
    to_move: Color,
    history: Vec<(Point, Color)>,
    empty: usize,
    hash: u64,
    hash_of: ByColor<u64>,
}

impl Stones {
    /// An empty board with Black to move.
    #[must_use]
    pub fn new(size: Size) -> Stones {
        let mut cells = Box::new([Cell::Dead; POINT_COUNT]);
        size.points().for_each(|point| cells[point.index()] = Cell::Empty);
        Stones {
            size,
            cells,
            to_move: Color::Black,
            history: Vec::with_capacity(size.area()),
            empty: size.area(),
            hash: 0,
            hash_of: ByColor([0; 2]),
        }
    }

    /// The board's size.
    #[must_use]
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// What the cell holds; cells off the board are [`Cell::Dead`].
    #[must_use]
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    /// Whether a stone could be placed there.
    #[must_use]
    #[inline]
    pub fn is_empty_at(&self, point: Point) -> bool {
        self.cell(point) == Cell::Empty
    }

    /// The colour to move.
    #[must_use]
    #[inline]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Stones in the order in which they were placed.
    #[must_use]
    #[inline]
    pub fn history(&self) -> &[(Point, Color)] {
        &self.history
    }

    /// The stone placed `back` placements before the last: 0 is the last.
    #[must_use]
    #[inline]
    pub fn recent(&self, back: usize) -> Option<(Point, Color)> {
        self.history.len().checked_sub(back + 1).map(|n| self.history[n])
    }

    /// Cells without a stone that are not dead.
    #[must_use]
    #[inline]
    pub fn empty_count(&self) -> usize {
        self.empty
    }

    /// Whether no stone can be placed any more.
    #[must_use]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.empty == 0
    }

    /// A hash of stones, dead cells and side to move, independent of the order in which stones were placed.
    #[must_use]
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// A hash of one colour's stones alone.
    #[must_use]
    #[inline]
    pub fn hash_of(&self, color: Color) -> u64 {
        self.hash_of[color]
    }

    /// The hash after the side to move has placed a stone there.
    #[must_use]
    #[inline]
    pub fn hash_after(&self, point: Point) -> u64 {
        self.hash ^ zobrist::stone(self.to_move, point) ^ zobrist::WHITE_TO_MOVE
    }

    /// Adds a stone to the hashes, or takes it from them.
    #[inline]
    fn toggle(&mut self, color: Color, point: Point) {
        let key = zobrist::stone(color, point);
        self.hash ^= key;
        self.hash_of[color] ^= key;
    }

    /// Places a stone of `color`; the other colour is then to move.
    ///
    /// # Panics
    /// If the point is not an empty point of the board.
    #[track_caller]
    pub fn place(&mut self, point: Point, color: Color) {
        self.assert_empty(point);
        self.place_on_empty(point, color);
    }

    /// What [`Stones::place`] does, for the search, which places only what it has generated.
    #[inline]
    pub(crate) fn place_on_empty(&mut self, point: Point, color: Color) {
        debug_assert_eq!(self.cell(point), Cell::Empty, "{point} is taken");
        self.cells[point.index()] = Cell::Stone(color);
        self.history.push((point, color));
        self.empty -= 1;
        self.toggle(color, point);
        self.set_to_move(!color);
    }

    /// Takes the last stone back; its colour is to move again. Does nothing on an empty board.
    #[inline]
    pub fn undo(&mut self) -> Option<(Point, Color)> {
        let (point, color) = self.history.pop()?;
        self.cells[point.index()] = Cell::Empty;
        self.empty += 1;
        self.toggle(color, point);
        self.set_to_move(color);
        Some((point, color))
    }

    /// Removes the stone at `point`, whenever it was placed, and gives its colour the move. Returns false
    /// if there is no stone.
    pub fn remove(&mut self, point: Point) -> bool {
        let Some(n) = self.history.iter().rposition(|&(p, _)| p == point) else { return false };
        let (_, color) = self.history.remove(n);
        self.cells[point.index()] = Cell::Empty;
        self.empty += 1;
        self.toggle(color, point);
        self.set_to_move(color);
        true
    }

    #[track_caller]
    fn assert_empty(&self, point: Point) {
        assert!(self.size.contains(point), "{point} is off the board of {}", self.size);
        assert!(self.is_empty_at(point), "{point} is taken");
    }

    /// Makes an empty cell dead.
    ///
    /// # Panics
    /// If the point is not an empty point of the board.
    #[track_caller]
    pub fn kill(&mut self, point: Point) {
        self.assert_empty(point);
        self.cells[point.index()] = Cell::Dead;
        self.empty -= 1;
        self.hash ^= zobrist::dead(point);
    }

    /// Gives the move to `color`.
    #[inline]
    pub fn set_to_move(&mut self, color: Color) {
        if self.to_move != color {
            self.to_move = color;
            self.hash ^= zobrist::WHITE_TO_MOVE;
        }
    }

    /// The dead cells on the board, in row order.
    pub fn dead_cells(&self) -> impl Iterator<Item = Point> + '_ {
        self.size.points().filter(|&point| self.cell(point) == Cell::Dead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_and_remove_restore_the_hash() {
        let mut stones = Stones::new(Size::square(9));
        let before = stones.hash();
        stones.place(Point::new(4, 4), Color::Black);
        let one = stones.hash();
        assert_ne!(before, one);
        stones.place(Point::new(5, 4), Color::White);
        stones.place(Point::new(6, 4), Color::Black);
        assert!(stones.remove(Point::new(5, 4)));
        assert_eq!(stones.to_move(), Color::White);
        assert_eq!(stones.undo(), Some((Point::new(6, 4), Color::Black)));
        stones.set_to_move(Color::White);
        assert_eq!(stones.hash(), one);
        stones.undo();
        assert_eq!(stones.hash(), before);
        assert_eq!(stones.undo(), None);
        assert!(!stones.remove(Point::new(5, 4)));
        assert_eq!(stones.empty_count(), 81);
    }

    #[test]
    fn the_hash_forgets_the_order() {
        let [a, b, c] = [Point::new(0, 0), Point::new(1, 0), Point::new(2, 0)];
        let play = |points: [Point; 3]| {
            let mut stones = Stones::new(Size::square(5));
            stones.place(points[0], Color::Black);
            stones.place(points[1], Color::White);
            stones.place(points[2], Color::Black);
            stones.hash()
        };
        assert_eq!(play([a, b, c]), play([c, b, a]));
        assert_ne!(play([a, b, c]), play([b, a, c]));
    }

    #[test]
    fn the_foreseen_hash_comes_true() {
        let mut stones = Stones::new(Size::square(15));
        for point in Size::square(15).points().step_by(7) {
            let foreseen = stones.hash_after(point);
            stones.place(point, stones.to_move());
            assert_eq!(stones.hash(), foreseen);
        }
    }

    #[test]
    fn a_dead_cell_is_taken() {
        let mut stones = Stones::new(Size::square(5));
        stones.kill(Point::new(2, 2));
        assert!(!stones.is_empty_at(Point::new(2, 2)));
        assert_eq!(stones.empty_count(), 24);
        assert_ne!(stones.hash(), Stones::new(Size::square(5)).hash());
    }
}
