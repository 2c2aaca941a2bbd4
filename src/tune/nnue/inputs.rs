//! Positions as inputs of the network.
//!
//! A position in training is stored as its moves, and its inputs are computed each time that it is trained on: they
//! take a hundred times the memory of the moves, and a tenth of the time of training on them.

use crate::board::{ByColor, Color, Point, Size};
use crate::eval::nnue::lines::{LineKey, key_deltas, keys_of_empty_board, lines_of_keys};
use crate::eval::nnue::regions::{has_features, region};
use crate::position::Position;
use crate::rules::{Rule, RuleSet, with_rule};
use crate::shapes::{Code, Tables};

/// The network's inputs at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointInputs {
    /// The keys of its lines, as the side to move sees them.
    keys: [LineKey; 4],
    /// What it offers the side to move.
    own: Code,
    /// What it offers the other side.
    other: Code,
    pub region: u8,
}

impl PointInputs {
    /// The codes of the perspective colour and of its opponent, from the perspective of the side to move (view 0) or of
    /// the other side.
    pub(super) fn codes(&self, view: usize) -> [usize; 2] {
        let [own, other] = [self.own, self.other].map(usize::from);
        if view == 0 { [own, other] } else { [other, own] }
    }

    /// The lines as the side to move (view 0) or the other side sees them.
    pub(super) fn lines(&self, view: usize) -> [usize; 4] {
        let lines = lines_of_keys();
        self.keys.map(|key| usize::from(lines[usize::from(key)][view]))
    }
}

/// Boards on which positions are set up. An empty one takes as long to make as the stones of a position to place, so
/// they are kept and cleared.
#[derive(Default)]
pub(super) struct Boards(Vec<(Rule, Size, Box<dyn SetUp>)>);

impl Boards {
    /// The network's inputs at the points of the position after these moves.
    pub(super) fn inputs(&mut self, rule: Rule, size: Size, moves: &[(Point, Color)]) -> Vec<PointInputs> {
        let known = self.0.iter().position(|(of, on, _)| (*of, *on) == (rule, size));
        let n = known.unwrap_or_else(|| {
            let board: Box<dyn SetUp> = with_rule!(rule, R => Box::new(Position::<R>::new(size, &mut ())));
            self.0.push((rule, size, board));
            self.0.len() - 1
        });
        self.0[n].2.inputs(moves)
    }
}

/// A position without stones, of any rule.
trait SetUp {
    /// The network's inputs after these moves, which are then undone.
    fn inputs(&mut self, moves: &[(Point, Color)]) -> Vec<PointInputs>;
}

impl<R: RuleSet> SetUp for Position<R> {
    fn inputs(&mut self, moves: &[(Point, Color)]) -> Vec<PointInputs> {
        for &(point, color) in moves {
            if self.to_move() != color {
                self.pass();
            }
            self.play(point, &mut ());
        }
        let inputs = inputs(self);
        moves.iter().for_each(|_| self.undo());
        inputs
    }
}

/// The network's inputs at the points of a position without dead cells.
fn inputs<R: RuleSet>(position: &Position<R>) -> Vec<PointInputs> {
    let (own, map, size) = (position.to_move(), position.map(), position.stones().size());
    let mut keys = *keys_of_empty_board(size);
    for &(point, color) in position.stones().history() {
        // A key describes what Black sees; the side to move takes Black's place.
        let color = if color == own { Color::Black } else { Color::White };
        // Not a `for` loop, which takes twice the time for iterators in iterators.
        key_deltas(point, color).for_each(|(index, direction, grown)| {
            // On the wall the key has no meaning, and it is never used.
            let key = &mut keys[index][direction.index()];
            *key = key.wrapping_add(grown);
        });
    }
    let free = Tables::of::<R>().free_codes();
    let points = position.empty_points();
    let mut inputs = Vec::with_capacity(points.len());
    for point in points.iter() {
        let codes = ByColor::from_fn(|color| map.code(point, color));
        if has_features(codes, free) {
            let (own, other) = (codes[own], codes[!own]);
            let region = region(point, size) as u8;
            inputs.push(PointInputs { keys: keys[point.index()], own, other, region });
        }
    }
    inputs
}
