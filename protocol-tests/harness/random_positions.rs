//! Random games and positions that tests and benches share: one generator for each kind of disorder.
//!
//! The unit tests of the library, the tests outside it and the benches include this file by its path, so that it
//! is no part of the library. Everything follows from a seed: a test that fails fails again.
//!
//! | what | disorder |
//! |---|---|
//! | [`crowded_games`] | anything goes: fives, forbidden points, two stones of a colour in a row, dead cells |
//! | [`lively_games`] | legal games that nobody has won yet, full of threats |
//! | [`strewn`] | legal stones over the middle of a board, none of them a five |
//! | [`filled`] | a share of all points taken, as nobody would play |

use kagetsu::board::{Color, Point, PointSet, Size, Stones};
use kagetsu::position::Position;
use kagetsu::rules::{RuleSet, reference};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Boards that games are played on in turn, as width and height: small ones fill up and crowd the edges.
pub const SIZES: [(usize, usize); 6] = [(5, 5), (7, 7), (6, 11), (15, 15), (20, 20), (22, 22)];

/// Most stones of a crowded game.
const CROWDED_STONES: usize = 90;
/// Most stones of a lively game.
const LIVELY_STONES: usize = 40;
/// How far from another stone a stone may fall, in columns and rows.
const REACH: usize = 3;

/// The random numbers of a seed.
pub fn rng(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// A game of stones in any order of colours.
#[derive(Clone, Debug)]
pub struct RandomGame {
    /// The board before the first stone, with up to two dead cells.
    pub start: Stones,
    /// The stones in their order. Often one colour moves twice in a row.
    pub moves: Vec<(Point, Color)>,
}

impl RandomGame {
    /// Plays the stones and calls `visit` after each.
    pub fn replay<R: RuleSet>(&self, mut visit: impl FnMut(&mut Position<R>)) {
        let mut position = Position::<R>::from_stones(&self.start, &mut ());
        for &(point, color) in &self.moves {
            if position.to_move() != color {
                position.pass();
            }
            position.play(point, &mut ());
            visit(&mut position);
        }
    }
}

/// So many games on boards of all [`SIZES`], whose stones come in lumps, so that shapes are dense. Fives and
/// forbidden points are played like any other.
pub fn crowded_games(count: u64) -> impl Iterator<Item = RandomGame> {
    (0..count).map(|seed| {
        let (width, height) = SIZES[seed as usize % SIZES.len()];
        crowded_game(Size::new(width, height).expect("these are sizes of boards"), seed)
    })
}

/// The crowded game of this seed on a board of this size.
pub fn crowded_game(size: Size, seed: u64) -> RandomGame {
    let mut rng = rng(seed);
    let mut start = Stones::new(size);
    for _ in 0..rng.random_range(0..3) {
        let point = Point::new(rng.random_range(0..size.width()), rng.random_range(0..size.height()));
        if start.is_empty_at(point) {
            start.kill(point);
        }
    }
    let mut stones = start.clone();
    while stones.history().len() < CROWDED_STONES && !stones.is_full() {
        let near = near_stones(&stones);
        if rng.random_range(0..4) == 0 {
            stones.set_to_move(!stones.to_move());
        }
        let crowd =
            |point: &Point| stones.history().iter().filter(|(other, _)| other.distance(*point) <= 2).count();
        let tries = [(); 3].map(|()| near[rng.random_range(0..near.len())]);
        let point = tries.into_iter().max_by_key(crowd).expect("there are three");
        stones.place(point, stones.to_move());
    }
    RandomGame { moves: stones.history().to_vec(), start }
}

/// The empty points near a stone; all of them where there is none, or none near enough.
fn near_stones(stones: &Stones) -> Vec<Point> {
    let taken: PointSet = stones.history().iter().map(|&(point, _)| point).collect();
    let is_empty = |&point: &Point| stones.is_empty_at(point);
    let near: Vec<Point> = taken.grown(REACH).iter().filter(is_empty).collect();
    if near.is_empty() { stones.size().points().filter(is_empty).collect() } else { near }
}

/// So many games on boards of 9, 15 and 20 points a side: colours in turn, no forbidden point taken, nobody has
/// won, and of four points the one with the greatest threats for both sides is played. A game ends early where none
/// of the four will do.
pub fn lively_games<R: RuleSet>(count: u64) -> impl Iterator<Item = Stones> {
    (0..count).map(|seed| {
        let mut rng = rng(seed);
        let size = Size::square([9, 15, 20][seed as usize % 3]);
        let mut position = Position::<R>::new(size, &mut ());
        while position.stones().history().len() < LIVELY_STONES {
            let near: Vec<Point> = position.candidates().iter().collect();
            let mut tries = [(); 4].map(|()| near[rng.random_range(0..near.len())]).to_vec();
            let threats = |point| position.own_threat(point).index() + position.other_threat(point).index();
            tries.sort_by_key(|&point| threats(point));
            tries.retain(|&point| position.is_legal(point) && !position.wins_at(point));
            let Some(point) = tries.pop() else { break };
            position.play(point, &mut ());
        }
        position.stones().clone()
    })
}

/// Up to `count` stones, colours in turn, strewn over the `spread` middle columns and rows of a board, none of
/// them making a five or a foul. Fewer where no more fit.
pub fn strewn<R: RuleSet>(size: Size, count: usize, spread: usize, rng: &mut StdRng) -> Stones {
    let mut stones = Stones::new(size);
    let mut misses = 0;
    while stones.history().len() < count && misses < 200 {
        let mut at = |side: usize| {
            let spread = spread.min(side);
            (side - spread) / 2 + rng.random_range(0..spread)
        };
        let (point, own) = (Point::new(at(size.width()), at(size.height())), stones.to_move());
        let fits = stones.is_empty_at(point)
            && !reference::wins_at::<R>(&stones, point, own)
            && !reference::is_forbidden::<R>(&stones, point, own);
        if fits { stones.place(point, own) } else { misses += 1 }
    }
    stones
}

/// A board of which so many points in a hundred are taken: mostly by stones, more of Black than of White, since
/// threes and fours are looked for that Black may not make; one in forty by a dead cell.
pub fn filled(size: Size, percent: u32, rng: &mut StdRng) -> Stones {
    let mut stones = Stones::new(size);
    for point in size.points() {
        if rng.random_ratio(percent, 100) {
            match rng.random_range(0..40) {
                0 => stones.kill(point),
                1..25 => stones.place(point, Color::Black),
                _ => stones.place(point, Color::White),
            }
        }
    }
    stones
}
