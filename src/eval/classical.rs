//! The hand-made evaluation: a weight for what each empty point offers each colour, and a term for who can
//! carry out which threat first.

use std::sync::OnceLock;

use super::evaluator::Evaluator;
use super::score::{MAX_EVAL, Score};
use crate::board::{ByColor, Color, Point};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::table::shapes_of_code;
use crate::shapes::{CODE_COUNT, Code, Shape, ShapeObserver, Threat};

/// What one line is worth to the colour that may play there, in half points.
const fn line_value(shape: Shape) -> i32 {
    match shape {
        Shape::Dead | Shape::Overline => 0,
        Shape::One => 1,
        Shape::OpenOne => 3,
        Shape::Two => 4,
        Shape::OpenTwo => 8,
        Shape::WideOpenTwo => 11,
        Shape::FreeOpenTwo => 14,
        Shape::Three => 14,
        Shape::OpenThree => 30,
        Shape::FreeOpenThree => 36,
        Shape::Four => 32,
        Shape::DoubleFour | Shape::OpenFour => 60,
        Shape::Five => 80,
    }
}

/// What the four lines are worth together, beyond their sum, in half points.
const fn threat_value(threat: Threat) -> i32 {
    match threat {
        Threat::None | Threat::OpenTwo | Threat::Three => 0,
        // A point that may not be played is worth less than its lines promise.
        Threat::Forbidden => -40,
        Threat::DoubleTwo => 6,
        Threat::ThreeTwo => 8,
        Threat::OpenThree => 4,
        Threat::OpenThreePlus => 14,
        Threat::DoubleThree => 50,
        Threat::Four => 4,
        Threat::FourPlus => 16,
        Threat::FourThree => 80,
        Threat::OpenFour => 100,
        Threat::Five => 120,
    }
}

/// How a move that makes this threat is ranked before it is searched.
const fn threat_promise(threat: Threat) -> i32 {
    match threat {
        Threat::None | Threat::Forbidden | Threat::OpenTwo | Threat::Three => 0,
        Threat::DoubleTwo => 10,
        Threat::ThreeTwo => 16,
        Threat::OpenThree => 24,
        Threat::OpenThreePlus => 50,
        Threat::DoubleThree => 120,
        Threat::Four => 20,
        Threat::FourPlus => 50,
        Threat::FourThree => 200,
        Threat::OpenFour => 400,
        Threat::Five => 1000,
    }
}

/// Weights of one colour under one rule, by [`Code`].
struct Weights {
    /// Worth of an empty point, in half points.
    value: [i16; CODE_COUNT],
    /// Promise of a move that makes these shapes.
    own_promise: [i16; CODE_COUNT],
    /// Promise of a move that takes these shapes from the opponent.
    other_promise: [i16; CODE_COUNT],
}

/// The weights of a rule, built when first asked for.
fn weights<R: RuleSet>() -> &'static ByColor<Weights> {
    // Weights depend on the rule only through what it forbids.
    static ALL: [OnceLock<Box<ByColor<Weights>>>; 4] = [const { OnceLock::new() }; 4];
    let forbids = Color::ALL.map(R::forbids);
    ALL[usize::from(forbids[0]) | usize::from(forbids[1]) << 1].get_or_init(|| {
        Box::new(ByColor::from_fn(|color| {
            let by_code = |weigh: &dyn Fn([Shape; 4], Threat) -> i32| -> [i16; CODE_COUNT] {
                std::array::from_fn(|code| {
                    let shapes = shapes_of_code(code as Code);
                    weigh(shapes, Threat::of::<R>(shapes, color)) as i16
                })
            };
            let lines = |shapes: [Shape; 4]| shapes.into_iter().map(line_value).sum::<i32>();
            Weights {
                value: by_code(&|shapes, threat| (lines(shapes) + threat_value(threat)).max(0)),
                own_promise: by_code(&|shapes, threat| {
                    if threat == Threat::Forbidden {
                        0
                    } else {
                        2 * lines(shapes) + 2 * threat_promise(threat)
                    }
                }),
                other_promise: by_code(&|shapes, threat| {
                    if threat == Threat::Forbidden { 0 } else { lines(shapes) + threat_promise(threat) }
                }),
            }
        }))
    })
}

/// The hand-made evaluation.
#[derive(Clone)]
pub struct Classical {
    weights: &'static ByColor<Weights>,
    /// What all empty points are worth to each colour, in half points.
    worth: ByColor<i32>,
    before: Vec<ByColor<i32>>,
}

impl ShapeObserver for Classical {
    #[inline]
    fn changed(&mut self, _: Point, color: Color, old: Code, new: Code) {
        let value = &self.weights[color].value;
        self.worth[color] += i32::from(value[usize::from(new)]) - i32::from(value[usize::from(old)]);
    }
}

/// Points for the side to move, for threats that need not be answered at once or cannot be ignored; the
/// sums over points know nothing of whose turn it is.
fn tempo<R: RuleSet>(position: &Position<R>) -> Score {
    let own = |threat| position.map().count(position.to_move(), threat) > 0;
    let other = |threat| position.map().count(!position.to_move(), threat) > 0;
    let mut points = 12;
    if other(Threat::OpenFour) {
        // An open three must be answered: the initiative is gone.
        points -= 60;
    } else {
        if own(Threat::DoubleThree) {
            points += 120;
        }
        if own(Threat::OpenThreePlus) {
            points += 30;
        } else if own(Threat::OpenThree) {
            points += 18;
        }
    }
    if own(Threat::FourThree) {
        points += 150;
    }
    if own(Threat::FourPlus) {
        points += 20;
    } else if own(Threat::Four) {
        points += 10;
    }
    if other(Threat::FourThree) {
        points -= 50;
    }
    if other(Threat::DoubleThree) {
        points -= 20;
    }
    points
}

impl<R: RuleSet> Evaluator<R> for Classical {
    fn new() -> Classical {
        Classical { weights: weights::<R>(), worth: ByColor::default(), before: Vec::new() }
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
    fn evaluate(&self, position: &Position<R>) -> Score {
        let own = position.to_move();
        // Whoever moved last looks better than he is; the mean with the position before evens that out.
        let before = self.before.last().unwrap_or(&self.worth);
        let worth = |worth: &ByColor<i32>| worth[own] - worth[!own];
        let points = (worth(&self.worth) + worth(before)) / 4;
        (points + tempo(position)).clamp(-MAX_EVAL, MAX_EVAL)
    }

    #[inline]
    fn promise(&self, position: &Position<R>, point: Point) -> i32 {
        let own = position.to_move();
        let code = |color| usize::from(position.map().code(point, color));
        i32::from(self.weights[own].own_promise[code(own)])
            + i32::from(self.weights[!own].other_promise[code(!own)])
    }
}
