//! The second teaching engine: one ply of pattern scores. Each empty point scores what a stone there would make for
//! either side, and the point with the highest score is played. There is no search.
//!
//! Beginners play like this as well, by what they see, and so do other weak levels that have overlooked a danger.

use super::oversights::Oversights;
use super::seeded_random::SeededRandom;
use crate::board::{Point, PointSet};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::{Shape, Threat};

/// What a stone is worth by what it makes, in the order of [`Threat::ALL`].
const OWN: [u32; Threat::COUNT] = [0, 0, 6, 8, 12, 14, 30, 36, 150, 24, 40, 300, 900, 30_000];
/// What a stone is worth by what it takes from the opponent.
const OTHER: [u32; Threat::COUNT] = [0, 0, 5, 6, 10, 12, 22, 28, 90, 18, 32, 200, 500, 9_000];
/// What a line is worth in addition, by its [`Shape`] and for either side: room to grow.
const ROOM: [u32; Shape::COUNT] = [0, 0, 1, 2, 2, 3, 4, 5, 3, 4, 5, 4, 4, 4, 4];

/// The best of these points by the patterns that are seen; ties are broken at random. `None` if there are none.
pub(super) fn best<R: RuleSet>(
    position: &Position<R>,
    points: &PointSet,
    oversights: &Oversights,
    random: SeededRandom,
) -> Option<Point> {
    points
        .iter()
        .max_by_key(|&point| (worth(position, point, oversights), random.number(point.index() as u64)))
}

fn worth<R: RuleSet>(position: &Position<R>, point: Point, oversights: &Oversights) -> u32 {
    let (map, own) = (position.map(), position.to_move());
    let room = |color| -> u32 {
        oversights.seen_shapes(map, point, color).iter().map(|&shape| ROOM[shape as usize]).sum()
    };
    let [own_threat, other_threat] = [own, !own].map(|color| oversights.seen_threat(map, point, color));
    if own_threat.max(other_threat) < Threat::OpenThree && oversights.is_move_overlooked(point) {
        return 0;
    }
    OWN[own_threat.index()] + OTHER[other_threat.index()] + room(own) + room(!own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Size, Stones};
    use crate::levels::Weakness;
    use crate::rules::Freestyle;

    fn played(black: &[&str], white: &[&str]) -> String {
        let mut stones = Stones::new(Size::square(15));
        black.iter().for_each(|name| stones.place(name.parse().unwrap(), Color::Black));
        white.iter().for_each(|name| stones.place(name.parse().unwrap(), Color::White));
        stones.set_to_move(Color::Black);
        let position = Position::<Freestyle>::from_stones(&stones, &mut ());
        let random = SeededRandom::new(3, &stones);
        let oversights = Oversights::new(Weakness::NONE, random, &stones);
        best(&position, &position.candidates(), &oversights, random).unwrap().to_string()
    }

    #[test]
    fn patterns_in_order_of_force() {
        let four = ["c3", "d3", "e3", "f3"];
        assert_eq!(played(&four, &["b3", "k8", "l8", "m8", "n8", "j9"]), "g3", "a five before all");
        assert_eq!(played(&["b3", "k8", "l8", "m8"], &four), "g3", "then the opponent's five");
        let three = played(&["k8", "l8", "m8"], &["c3", "d3", "e3"]);
        assert!(["j8", "n8"].contains(&three.as_str()), "then the own open four: {three}");
        let stop = played(&["k8", "l9"], &["c3", "d3", "e3"]);
        assert!(["b3", "f3"].contains(&stop.as_str()), "then the opponent's: {stop}");
    }
}
