//! Random positions for tests and generators: the same from the same seed.
//!
//! Names the library from outside, so that unit tests, tests of the program and examples can share it.

use kagetsu::board::{Point, Size, Stones};
use kagetsu::rules::{Rule, reference};
use kagetsu::with_rule;
use rand::RngExt;
use rand::rngs::StdRng;

/// How often [`scattered`] may draw a point that cannot be used before it leaves off.
const MOST_MISSES: usize = 200;

/// Stones scattered over the middle of a board, where they stand `spread` columns and rows wide at most. They are
/// placed in turn, and none of them makes a five or a foul on the way. There are `count` of them, or fewer where
/// room is scarce.
pub fn scattered(rule: Rule, size: Size, count: usize, spread: usize, rng: &mut StdRng) -> Stones {
    let mut stones = Stones::new(size);
    scatter(rule, &mut stones, count, spread, MOST_MISSES, rng);
    stones
}

/// Adds scattered stones until there are `count`; false after so many points that could not be used.
pub fn scatter(
    rule: Rule,
    stones: &mut Stones,
    count: usize,
    spread: usize,
    most_misses: usize,
    rng: &mut StdRng,
) -> bool {
    let size = stones.size();
    let mut misses = 0;
    while stones.history().len() < count {
        if misses == most_misses {
            return false;
        }
        let mut at = |side: usize| {
            let spread = spread.min(side);
            (side - spread) / 2 + rng.random_range(0..spread)
        };
        let point = Point::new(at(size.width()), at(size.height()));
        if may_stand(rule, stones, point) {
            stones.place(point, stones.to_move());
        } else {
            misses += 1;
        }
    }
    true
}

/// The same stones in the same order, one of them somewhere near another; `None` if it cannot stand there, or
/// the order of moves would hold a five or a foul then.
pub fn with_one_moved(rule: Rule, stones: &Stones, rng: &mut StdRng) -> Option<Stones> {
    let history = stones.history();
    let moved = rng.random_range(0..history.len());
    let near = history[rng.random_range(0..history.len())].0;
    let mut nudge = |at: usize| at as i64 + rng.random_range(-2..=2);
    let place = Point::checked(nudge(near.x()), nudge(near.y()), stones.size())?;
    let mut changed = Stones::new(stones.size());
    for (n, &(point, _)) in history.iter().enumerate() {
        let point = if n == moved { place } else { point };
        if !may_stand(rule, &changed, point) {
            return None;
        }
        changed.place(point, changed.to_move());
    }
    Some(changed)
}

/// Whether the side to move can place a stone there without making five or a foul.
fn may_stand(rule: Rule, stones: &Stones, point: Point) -> bool {
    let own = stones.to_move();
    stones.is_empty_at(point)
        && with_rule!(rule, R => {
            !reference::wins_at::<R>(stones, point, own) && !reference::is_forbidden::<R>(stones, point, own)
        })
}
