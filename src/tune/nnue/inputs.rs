//! Positions as inputs of the network.
//!
//! A position in training is stored as its moves, and its inputs are computed each time that it is trained on: they
//! take a hundred times the memory of the moves.

use crate::board::{Color, Direction, Point, PointSet, Size};
use crate::eval::nnue::lines::{REACH, lines_of_windows};
use crate::eval::nnue::regions::{has_features, region};
use crate::rules::{Rule, RuleSet, with_rule};
use crate::shapes::line_words::LineWords;
use crate::shapes::{Code, Tables};

/// The network's inputs at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointInputs {
    /// Its lines, as the side to move and the other side see them.
    lines: [[u16; 4]; 2],
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
        self.lines[view].map(usize::from)
    }
}

/// Empty boards, one for each size that was asked for, because they take as long to make as the inputs themselves.
#[derive(Default)]
pub(super) struct Boards(Vec<(Size, LineWords)>);

impl Boards {
    /// The network's inputs at the points of the position after these moves.
    pub(super) fn inputs(&mut self, rule: Rule, size: Size, moves: &[(Point, Color)]) -> Vec<PointInputs> {
        let known = self.0.iter().position(|(of, _)| *of == size);
        let n = known.unwrap_or_else(|| {
            self.0.push((size, LineWords::new(size)));
            self.0.len() - 1
        });
        with_rule!(rule, R => inputs::<R>(self.0[n].1.clone(), size, moves))
    }
}

fn inputs<R: RuleSet>(mut words: LineWords, size: Size, moves: &[(Point, Color)]) -> Vec<PointInputs> {
    let mut empty = PointSet::board(size);
    for &(point, color) in moves {
        words.place(point, color);
        empty.remove(point);
    }
    let own = moves.last().map_or(Color::Black, |&(_, color)| !color);
    let views = [own, !own].map(Color::index);
    let (free, lines_of_windows) = (Tables::of::<R>().free_codes(), lines_of_windows());
    let mut inputs = Vec::with_capacity(empty.len());
    for point in empty.iter() {
        let codes = words.codes::<R>(point);
        if has_features(codes, free) {
            let lines =
                Direction::ALL.map(|direction| lines_of_windows[words.window(point, direction, REACH)]);
            inputs.push(PointInputs {
                lines: views.map(|view| lines.map(|line| line[view])),
                own: codes[own],
                other: codes[!own],
                region: region(point, size) as u8,
            });
        }
    }
    inputs
}
