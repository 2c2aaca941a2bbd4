//! The hand-made evaluation: a learned weight for what each empty point offers each colour, and one for who
//! can carry out which threat first.

pub mod facts;
pub mod nearness;
pub mod weights;

use super::evaluator::Evaluator;
use super::score::{MAX_EVAL, Score};
use crate::board::{ByColor, Color, Point, Size};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::{Code, ShapeObserver};
use weights::{UNIT, Weights};

/// The hand-made evaluation.
#[derive(Clone)]
pub struct Classical {
    weights: &'static ByColor<Weights>,
    /// What all empty points are worth to each colour, in [`UNIT`]ths of a point.
    worth: ByColor<i32>,
    before: Vec<ByColor<i32>>,
}

impl ShapeObserver for Classical {
    #[inline]
    fn changed(&mut self, _: Point, old: ByColor<Code>, new: ByColor<Code>) {
        for color in Color::ALL {
            let value = |code| i32::from(self.weights[color].value[code]);
            self.worth[color] += value(new[color]) - value(old[color]);
        }
    }
}

impl<R: RuleSet> Evaluator<R> for Classical {
    fn new(_: Size) -> Classical {
        Classical { weights: weights::of::<R>(), worth: ByColor::default(), before: Vec::new() }
    }

    #[inline]
    fn push(&mut self) {
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
        // Whoever moved last looks better than he is; the mean with the position before evens that out.
        let before = self.before.last().unwrap_or(&self.worth);
        let worth = |worth: &ByColor<i32>| worth[own] - worth[!own];
        let tempo = i32::from(self.weights[own].tempo[facts::index(position)]);
        let points = ((worth(&self.worth) + worth(before)) / 2 + tempo) / UNIT;
        points.clamp(-MAX_EVAL, MAX_EVAL)
    }

    #[inline]
    fn promise(&self, position: &Position<R>, point: Point) -> i32 {
        let own = position.to_move();
        let weights = &self.weights[own];
        let code = |color| position.map().code(point, color);
        let near = (0..nearness::STONES).filter_map(|age| {
            let (stone, _) = position.stones().recent(age)?;
            Some(i32::from(weights.nearness[nearness::index(age, point, stone)]))
        });
        i32::from(weights.own_promise[code(own)])
            + i32::from(weights.other_promise[code(!own)])
            + near.sum::<i32>()
    }
}
