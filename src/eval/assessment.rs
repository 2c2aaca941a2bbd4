//! What the static evaluation sees in a position, for human readers.

use super::evaluator::Evaluator;
use super::nnue::NnueEval;
use super::score::Score;
use crate::board::{ByColor, Color, Stones};
use crate::position::Position;
use crate::rules::{Rule, with_rule};
use crate::shapes::Threat;

/// The static assessment of a position, without any search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// In points, from the side to move's point of view.
    pub score: Score,
    /// The threats that empty points offer each side.
    pub threats: ByColor<ThreatCounts>,
}

/// The number of empty points at which a stone of one side would make each kind of threat. A point counts once, for its
/// strongest threat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreatCounts {
    /// A five, which wins.
    pub fives: usize,
    /// An open four or two fours.
    pub open_fours: usize,
    /// A four.
    pub fours: usize,
    /// An open three.
    pub open_threes: usize,
}

/// Assesses the position under the rule.
#[must_use]
pub fn assess(rule: Rule, stones: &Stones) -> Assessment {
    with_rule!(rule, R => {
        let mut evaluator = <NnueEval as Evaluator<R>>::new(stones.size());
        let position = Position::<R>::from_stones(stones, &mut evaluator);
        let count = |color: Color| {
            let mut counts = ThreatCounts::default();
            for point in position.empty_points() {
                match position.map().threat(point, color) {
                    Threat::Five => counts.fives += 1,
                    Threat::OpenFour => counts.open_fours += 1,
                    Threat::Four | Threat::FourPlus | Threat::FourThree => counts.fours += 1,
                    Threat::OpenThree | Threat::OpenThreePlus | Threat::DoubleThree => counts.open_threes += 1,
                    _ => {}
                }
            }
            counts
        };
        let threats = ByColor::from_fn(count);
        Assessment { score: Evaluator::<R>::evaluate(&mut evaluator, &position), threats }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Point, Size};

    #[test]
    fn threats_are_counted_by_the_strongest() {
        let mut stones = Stones::new(Size::square(15));
        let even = assess(Rule::Freestyle, &stones);
        assert_eq!(even.threats[Color::Black], ThreatCounts::default());
        for x in 5..8 {
            stones.place(Point::new(x, 7), Color::Black);
        }
        stones.set_to_move(Color::Black);
        let found = assess(Rule::Freestyle, &stones);
        // Three in a row: a stone at either end makes an open four, one point further out a four.
        let black = found.threats[Color::Black];
        assert_eq!((black.fives, black.open_fours, black.fours), (0, 2, 2));
        assert_eq!(found.threats[Color::White], ThreatCounts::default());
        assert!(found.score > even.score);
        // With four in a row, the next stone makes five.
        stones.place(Point::new(8, 7), Color::Black);
        assert_eq!(assess(Rule::Freestyle, &stones).threats[Color::Black].fives, 2);
    }
}
