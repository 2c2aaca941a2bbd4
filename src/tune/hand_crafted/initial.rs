//! The initial weights, written by hand: a first fit starts from them, and shapes that occur in no game keep them.

use crate::board::{ByColor, Color};
use crate::eval::hand_crafted::nearness::NEARNESS_COUNT;
use crate::eval::hand_crafted::threat_flags::{COMBINATIONS, FLAG_COUNT};
use crate::eval::hand_crafted::weights::{ColorWeights, HandCraftedWeights, UNIT};
use crate::rules::{Rule, RuleSet, with_rule};
use crate::shapes::table::shapes_of_code;
use crate::shapes::{ByCode, Shape, Threat};

/// What one line is worth to the colour that may play there, in half points; ordering scores use the
/// same numbers.
const fn line_value(shape: Shape) -> i32 {
    match shape {
        Shape::Dead | Shape::Overline => 0,
        Shape::One => 1,
        Shape::OpenOne => 3,
        Shape::Two => 4,
        Shape::OpenTwo => 8,
        Shape::WideOpenTwo => 11,
        Shape::FreeOpenTwo | Shape::Three => 14,
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
        Threat::LooksForbidden => -40,
        Threat::DoubleTwo => 6,
        Threat::ThreeTwo => 8,
        Threat::OpenThree | Threat::Four => 4,
        Threat::OpenThreePlus => 14,
        Threat::DoubleThree => 50,
        Threat::FourPlus => 16,
        Threat::FourThree => 80,
        Threat::OpenFour => 100,
        Threat::Five => 120,
    }
}

/// The ordering score of a move that makes this threat.
const fn threat_ordering(threat: Threat) -> i32 {
    match threat {
        Threat::None | Threat::LooksForbidden | Threat::OpenTwo | Threat::Three => 0,
        Threat::DoubleTwo => 10,
        Threat::ThreeTwo => 16,
        Threat::OpenThree => 24,
        Threat::OpenThreePlus | Threat::FourPlus => 50,
        Threat::DoubleThree => 120,
        Threat::Four => 20,
        Threat::FourThree => 200,
        Threat::OpenFour => 400,
        Threat::Five => 1000,
    }
}

/// Points for each flag of [`threat_flags::index`](crate::eval::hand_crafted::threat_flags::index).
const FLAG_POINTS: [i32; FLAG_COUNT] = [150, 20, 10, 40, 18, -60, -50, 0, -20, 0];
/// Points for having the move.
const TO_MOVE: i32 = 12;

/// The initial weights of every rule.
#[must_use]
pub fn weights() -> HandCraftedWeights {
    Rule::ALL.map(|rule| with_rule!(rule, R => ByColor::from_fn(weights_of::<R>)))
}

fn weights_of<R: RuleSet>(color: Color) -> ColorWeights {
    let by_code = |weigh: &dyn Fn([Shape; 4], Threat) -> i32| -> ByCode<i16> {
        ByCode::from_fn(|code| {
            let shapes = shapes_of_code(code);
            weigh(shapes, Threat::of::<R>(shapes, color)) as i16
        })
    };
    let lines = |shapes: [Shape; 4]| shapes.into_iter().map(line_value).sum::<i32>();
    let other = |shapes: [Shape; 4]| Threat::of::<R>(shapes, !color);
    ColorWeights {
        value: by_code(&|shapes, threat| (lines(shapes) + threat_value(threat)).max(0) * UNIT / 2),
        tempo: Box::new(std::array::from_fn::<_, COMBINATIONS, _>(|index| {
            let points =
                FLAG_POINTS.iter().enumerate().map(|(bit, points)| points * (index >> bit & 1) as i32);
            ((points.sum::<i32>() + TO_MOVE) * UNIT) as i16
        })),
        own_ordering: by_code(&|shapes, threat| {
            if threat == Threat::LooksForbidden { 0 } else { lines(shapes) + threat_ordering(threat) }
        }),
        other_ordering: by_code(&|shapes, _| {
            let threat = other(shapes);
            if threat == Threat::LooksForbidden { 0 } else { (lines(shapes) + threat_ordering(threat)) / 2 }
        }),
        nearness: Box::new([0; NEARNESS_COUNT]),
    }
}
