//! A [`Position`]: stones and their shapes under one rule, and the side to move.
//!
//! Evaluation and search see the board only through this type.

use std::fmt;

use crate::board::{Cell, Color, Point, PointSet, Size, Stones};
use crate::rules::RuleSet;
use crate::shapes::defence::stops_five;
use crate::shapes::{ShapeMap, ShapeObserver, Threat, is_forbidden};

/// How far from the nearest stone a candidate move may lie, in columns and rows.
const CANDIDATE_REACH: usize = 3;

/// A position under the rule `R`.
#[derive(Clone)]
pub struct Position<R: RuleSet> {
    stones: Stones,
    map: ShapeMap<R>,
    occupied: PointSet,
    board: PointSet,
}

impl<R: RuleSet> fmt::Debug for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("rule", &R::RULE)
            .field("stones", &self.stones)
            .finish_non_exhaustive()
    }
}

impl<R: RuleSet> Position<R> {
    /// An empty board. `observer` is told of every shape on it.
    #[must_use]
    pub fn new(size: Size, observer: &mut impl ShapeObserver) -> Position<R> {
        Position::from_stones(&Stones::new(size), observer)
    }

    /// A position with these stones, dead cells and side to move; `observer` is told of every shape as the
    /// stones are placed.
    #[must_use]
    pub fn from_stones(stones: &Stones, observer: &mut impl ShapeObserver) -> Position<R> {
        let mut map = ShapeMap::new(stones.size(), observer);
        let mut occupied = PointSet::EMPTY;
        for point in stones.dead_cells() {
            map.kill(point, observer);
        }
        for &(point, color) in stones.history() {
            map.place(point, color, observer);
            occupied.insert(point);
        }
        Position { stones: stones.clone(), map, occupied, board: PointSet::board(stones.size()) }
    }

    /// The stones.
    #[must_use]
    #[inline]
    pub fn stones(&self) -> &Stones {
        &self.stones
    }

    /// The shapes of both colours.
    #[must_use]
    #[inline]
    pub fn map(&self) -> &ShapeMap<R> {
        &self.map
    }

    /// The colour to move.
    #[must_use]
    #[inline]
    pub fn to_move(&self) -> Color {
        self.stones.to_move()
    }

    /// A hash of the position; see [`Stones::hash`].
    #[must_use]
    #[inline]
    pub fn hash(&self) -> u64 {
        self.stones.hash()
    }

    /// Places a stone of the side to move on an empty point, which is checked in debug builds alone.
    #[inline]
    pub fn play(&mut self, point: Point, observer: &mut impl ShapeObserver) {
        let color = self.to_move();
        self.stones.place_on_empty(point, color);
        self.map.place(point, color, observer);
        self.occupied.insert(point);
    }

    /// Takes the last stone back; it must have been placed by [`Position::play`].
    #[inline]
    pub fn undo(&mut self) {
        if let Some((point, _)) = self.stones.undo() {
            self.map.undo();
            self.occupied.remove(point);
        }
    }

    /// Passes the move to the other side; a second call undoes that.
    #[inline]
    pub fn pass(&mut self) {
        let other = !self.to_move();
        self.stones.set_to_move(other);
    }

    /// The threat that a stone of the side to move would make at a point.
    #[must_use]
    #[inline]
    pub fn own_threat(&self, point: Point) -> Threat {
        self.map.threat(point, self.to_move())
    }

    /// The threat that a stone of the opponent would make at a point.
    #[must_use]
    #[inline]
    pub fn other_threat(&self, point: Point) -> Threat {
        self.map.threat(point, !self.to_move())
    }

    /// Whether a stone of the side to move would win there.
    #[must_use]
    #[inline]
    pub fn wins_at(&self, point: Point) -> bool {
        self.own_threat(point) == Threat::Five
    }

    /// Whether a stone of the side to move would lose there because it is forbidden.
    ///
    /// Needs `&mut` because it looks ahead on the board; the position is restored before it returns.
    #[must_use]
    #[inline]
    pub fn is_forbidden(&mut self, point: Point) -> bool {
        let color = self.to_move();
        is_forbidden(&mut self.map, point, color)
    }

    /// Whether the side to move may place a stone there without losing at once.
    #[must_use]
    #[inline]
    pub fn is_legal(&mut self, point: Point) -> bool {
        self.stones.cell(point) == Cell::Empty && !self.is_forbidden(point)
    }

    /// Plays each legal stone with which the side to move keeps its opponent from making five at this point, calls
    /// `visit`, and takes the stone back.
    ///
    /// # Errors
    /// The first error of `visit`, after which no more stones are played.
    #[inline]
    pub fn after_each_stop<E>(
        &mut self,
        five: Point,
        mut visit: impl FnMut(&mut Position<R>, Point) -> Result<(), E>,
    ) -> Result<(), E> {
        let attacker = !self.to_move();
        for stop in stops_five(&self.map, five, attacker) {
            if self.is_legal(stop) {
                self.play(stop, &mut ());
                let visited = visit(self, stop);
                self.undo();
                visited?;
            }
        }
        Ok(())
    }

    /// The empty points near enough to a stone to be candidate moves, legal or not. On a board without stones this is
    /// the centre. If the centre is dead, or if there are stones but no empty point is near one, this is all empty
    /// points.
    #[must_use]
    pub fn candidates(&self) -> PointSet {
        let near = self.occupied.grown(CANDIDATE_REACH) & self.empty_points();
        if !near.is_empty() {
            return near;
        }
        let center = self.stones.size().center();
        if self.occupied.is_empty() && self.stones.is_empty_at(center) {
            return [center].into_iter().collect();
        }
        self.empty_points()
    }

    /// All empty points.
    #[must_use]
    pub fn empty_points(&self) -> PointSet {
        let mut empty = self.board & !self.occupied;
        if self.stones.empty_count() + self.stones.history().len() != self.stones.size().area() {
            self.stones.dead_cells().for_each(|point| empty.remove(point));
        }
        empty
    }
}

#[cfg(test)]
#[path = "position_tests.rs"]
mod tests;
