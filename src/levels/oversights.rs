//! What a weak level overlooks: lines, above all diagonal ones and those far from the last stones, and now and then a
//! good quiet move. Its own fives are never overlooked, and those of the opponent only by beginners.

use super::level::Weakness;
use super::seeded_random::SeededRandom;
use crate::board::{Color, Direction, Point, Stones};
use crate::rules::RuleSet;
use crate::shapes::{Shape, ShapeMap, Threat};

/// Up to this distance from one of the last two stones, less is overlooked than usual.
const NEAR: usize = 2;
/// Beyond this distance, more is overlooked.
const FAR: usize = 4;
/// Indices of the random numbers for quiet points begin here; those for lines are lower.
const QUIET: u64 = 1 << 32;

/// What a level overlooks in a position.
#[derive(Clone, Debug)]
pub(super) struct Oversights {
    weakness: Weakness,
    random: SeededRandom,
    last: [Option<Point>; 2],
    own: Color,
}

impl Oversights {
    pub fn new(weakness: Weakness, random: SeededRandom, stones: &Stones) -> Oversights {
        let last = [0, 1].map(|back| stones.recent(back).map(|(point, _)| point));
        Oversights { weakness, random, last, own: stones.to_move() }
    }

    /// How likely the point is to be overlooked, in percent of the usual chance.
    fn remoteness(&self, point: Point) -> u32 {
        let distance = self.last.into_iter().flatten().map(|last| last.distance(point)).min();
        match distance {
            Some(distance) if distance > FAR => 160,
            Some(distance) if distance > NEAR => 100,
            _ => 60,
        }
    }

    /// Whether the line through the point is seen from there. All points of a line share the random number, so a level
    /// that overlooks a three overlooks both of its ends.
    fn is_line_seen(&self, point: Point, direction: Direction) -> bool {
        self.is_seen(self.weakness.lines, point, direction)
    }

    /// Whether something on the line through the point is seen that is overlooked this often, in thousandths. What is
    /// overlooked more seldom is seen wherever anything else is.
    fn is_seen(&self, often: u32, point: Point, direction: Direction) -> bool {
        if often == 0 {
            return true;
        }
        let slant = match direction {
            Direction::Horizontal | Direction::Vertical => 75,
            Direction::Diagonal | Direction::Antidiagonal => 125,
        };
        let (line, _) = direction.line_and_place(point);
        let chance = often * self.remoteness(point) * slant / 10_000;
        self.random.permille((direction.index() * 64 + line) as u64) >= chance
    }

    /// What a stone would make at the point, as far as it is seen.
    pub fn seen_threat<R: RuleSet>(&self, map: &ShapeMap<R>, point: Point, color: Color) -> Threat {
        let full = map.threat(point, color);
        if self.weakness.lines == 0 || full == Threat::Five && self.is_five_seen(map, point, color) {
            return full;
        }
        Threat::of::<R>(self.seen_shapes(map, point, color), color)
    }

    /// Whether a five at the point is seen, on one of the lines that make it.
    fn is_five_seen<R: RuleSet>(&self, map: &ShapeMap<R>, point: Point, color: Color) -> bool {
        let makes_five = |direction: &Direction| map.shape(point, *direction, color) == Shape::Five;
        let is_seen = |direction| self.is_seen(self.weakness.fives, point, direction);
        color == self.own || Direction::ALL.into_iter().filter(makes_five).any(is_seen)
    }

    /// The four shapes of a point, [`Shape::Dead`] where the line is not seen.
    pub fn seen_shapes<R: RuleSet>(&self, map: &ShapeMap<R>, point: Point, color: Color) -> [Shape; 4] {
        Direction::ALL.map(|direction| match self.is_line_seen(point, direction) {
            true => map.shape(point, direction, color),
            false => Shape::Dead,
        })
    }

    /// Whether a quiet move is overlooked, however good it is.
    pub fn is_move_overlooked(&self, point: Point) -> bool {
        let chance = self.weakness.moves * self.remoteness(point) / 100;
        self.random.permille(QUIET + point.index() as u64) < chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::position::Position;
    use crate::rules::Freestyle;

    #[test]
    fn whoever_overlooks_a_three_overlooks_both_its_ends_and_only_beginners_a_four() {
        let mut stones = Stones::new(Size::square(15));
        for name in ["e5", "f6", "g7"] {
            stones.place(name.parse().unwrap(), Color::Black);
        }
        let ends = ["d4", "h8"].map(|name| name.parse::<Point>().unwrap());
        let (mut seen, mut overlooked) = (0, 0);
        let weakness = Weakness { lines: 500, moves: 0, fives: 0 };
        for seed in 0..200 {
            let position = Position::<Freestyle>::from_stones(&stones, &mut ());
            let oversights = Oversights::new(weakness, SeededRandom::new(seed, &stones), &stones);
            let threats = ends.map(|end| oversights.seen_threat(position.map(), end, Color::Black));
            match threats {
                [Threat::OpenFour, Threat::OpenFour] => seen += 1,
                [a, b] if a < Threat::OpenThree && b < Threat::OpenThree => overlooked += 1,
                // One end is nearer to the last stone than the other.
                _ => {}
            }
        }
        assert!(seen > 40 && overlooked > 40, "{seen} {overlooked}");
        stones.place("h8".parse().unwrap(), Color::Black);
        let position = Position::<Freestyle>::from_stones(&stones, &mut ());
        let five = "i9".parse().unwrap();
        let mut seen = |color: Color, fives: u32| {
            let weakness = Weakness { lines: 1000, moves: 1000, fives };
            stones.set_to_move(color);
            let sees = |seed: &u64| {
                let oversights = Oversights::new(weakness, SeededRandom::new(*seed, &stones), &stones);
                oversights.seen_threat(position.map(), five, Color::Black) == Threat::Five
            };
            (0..200).filter(sees).count()
        };
        assert_eq!((seen(Color::Black, 0), seen(Color::White, 0)), (200, 200));
        // A fifth of the opponent's, fewer near the last stone, and none of its own.
        assert_eq!(seen(Color::Black, 200), 200);
        let stopped = seen(Color::White, 200);
        assert!((150..190).contains(&stopped), "{stopped}");
    }
}
