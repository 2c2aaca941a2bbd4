//! [`HandCraftedEval`]: the sum of weights, updated move by move.

use std::fmt;

use super::nearness_table::{self, NearnessTable};
use super::weights::{self, ColorWeights, UNIT};
use super::{nearness, threat_flags};
use crate::board::{ByColor, Color, Point, Size};
use crate::eval::evaluator::Evaluator;
use crate::eval::score::{MAX_EVAL, Score};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::{ShapeChange, ShapeObserver};

/// The hand-crafted evaluation (HCE).
#[derive(Clone)]
pub struct HandCraftedEval {
    weights: &'static ByColor<ColorWeights>,
    nearness: &'static ByColor<[NearnessTable; nearness::STONES]>,
    /// The summed worth of all empty points to each colour, in [`UNIT`]ths of a point.
    worth: ByColor<i32>,
    /// The same sums before each stone or pass, the most recent at the end.
    before: Vec<ByColor<i32>>,
}

impl fmt::Debug for HandCraftedEval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HandCraftedEval").field("worth", &self.worth).finish_non_exhaustive()
    }
}

impl ShapeObserver for HandCraftedEval {
    #[inline]
    fn changed(&mut self, changes: &[ShapeChange]) {
        for color in Color::ALL {
            let value = |code| i32::from(self.weights[color].value[code]);
            let grown = changes.iter().map(|change| value(change.new[color]) - value(change.old[color]));
            self.worth[color] += grown.sum::<i32>();
        }
    }
}

impl<R: RuleSet> Evaluator<R> for HandCraftedEval {
    fn new(_: Size) -> HandCraftedEval {
        HandCraftedEval {
            weights: weights::of::<R>(),
            nearness: nearness_table::tables_of::<R>(),
            worth: ByColor::default(),
            before: Vec::new(),
        }
    }

    #[inline]
    fn push(&mut self, _: Option<(Point, Color)>) {
        self.before.push(self.worth);
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(before) = self.before.pop() {
            self.worth = before;
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position<R>) -> Score {
        let own = position.to_move();
        // The sum flatters the side that moved last; averaging it with that of the position before evens this out.
        let before = self.before.last().unwrap_or(&self.worth);
        let worth = |worth: &ByColor<i32>| worth[own] - worth[!own];
        let tempo = i32::from(self.weights[own].tempo[threat_flags::index(position)]);
        let points = ((worth(&self.worth) + worth(before)) / 2 + tempo) / UNIT;
        points.clamp(-MAX_EVAL, MAX_EVAL)
    }

    #[inline]
    fn ordering_scores<'p>(&self, position: &'p Position<R>) -> impl Fn(Point) -> i32 + use<'p, R> {
        let own = position.to_move();
        let ColorWeights { own_ordering, other_ordering, .. } = &self.weights[own];
        let near = nearness_table::around(&self.nearness[own], position.stones());
        let map = position.map();
        move |point| {
            i32::from(own_ordering[map.code(point, own)])
                + i32::from(other_ordering[map.code(point, !own)])
                + near(point)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::crowded_games;
    use crate::rules::{Rule, with_rule};

    /// The summed worth of all empty points to each colour, computed from scratch.
    fn counted_worth<R: RuleSet>(position: &Position<R>) -> ByColor<i32> {
        ByColor::from_fn(|color| {
            let value = |point| i32::from(weights::of::<R>()[color].value[position.map().code(point, color)]);
            position.empty_points().iter().map(value).sum()
        })
    }

    /// Compares with a slow reference that keeps nothing from move to move except what the definition requires.
    #[test]
    fn the_evaluation_is_the_one_counted_afresh() {
        for rule in Rule::ALL {
            with_rule!(rule, R => for game in crowded_games(12) {
                let mut evaluator = <HandCraftedEval as Evaluator<R>>::new(game.start.size());
                let mut position = Position::<R>::from_stones(&game.start, &mut evaluator);
                for &(point, color) in &game.moves {
                    let before = counted_worth(&position);
                    if position.to_move() != color {
                        position.pass();
                    }
                    Evaluator::<R>::play(&mut evaluator, &mut position, point);
                    let (own, now) = (position.to_move(), counted_worth(&position));
                    let mean = (now[own] - now[!own] + before[own] - before[!own]) / 2;
                    let tempo = weights::of::<R>()[own].tempo[threat_flags::index(&position)];
                    let expected = ((mean + i32::from(tempo)) / UNIT).clamp(-MAX_EVAL, MAX_EVAL);
                    assert_eq!(Evaluator::<R>::evaluate(&mut evaluator, &position), expected, "{rule}");
                }
            });
        }
    }
}
