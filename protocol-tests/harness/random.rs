//! Random games and positions for tests, benches and generators: one generator for each kind of disorder, the same from
//! the same seed, so that a test that fails fails again.
//!
//! | what | disorder |
//! |---|---|
//! | [`crowded_games`] | anything goes: fives, forbidden points, two stones of a colour in a row, dead cells |
//! | [`lively_games`] | legal games that nobody has won yet, full of threats |
//! | [`scattered`] | legal stones over the middle of a board, none of them a five |
//! | [`filled`] | a share of all points taken, as nobody would play |
//! | [`loose`] | up to forty stones anywhere, mostly in turn, and mostly the right side to move |
//! | [`drawn_points`] | points anywhere, none of them twice |
//!
//! Names the crate from outside, so that unit tests, tests of the program, benches and examples can share it by its
//! path, and it is not part of the crate.

use kagetsu::board::PointSet;
use kagetsu::position::Position;
use kagetsu::rules::{RuleSet, judge, with_rule};
use kagetsu::{Color, Point, Rule, Size, Stones};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// Boards that crowded games are played on in turn, as width and height: small ones fill up and crowd the edges.
const SIZES: [(usize, usize); 6] = [(5, 5), (7, 7), (6, 11), (15, 15), (20, 20), (22, 22)];
/// Most stones of a crowded game.
const CROWDED_STONES: usize = 90;
/// Most stones of a lively game.
const LIVELY_STONES: usize = 40;
/// How far from another stone a stone of a crowded game may fall, in columns and rows.
const REACH: usize = 3;
/// Most stones of a loose position.
const LOOSE_STONES: usize = 40;
/// How often [`scattered`] may draw a point that cannot be used before it leaves off.
const MOST_MISSES: usize = 200;

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
    /// The same stones on a board without dead cells.
    pub fn on_whole_board(self) -> RandomGame {
        RandomGame { start: Stones::new(self.start.size()), ..self }
    }

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

/// So many games on boards of five to 22 points a side, in turn, whose stones come in lumps, so that shapes are dense.
/// Fives and forbidden points are played like any other.
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
            !judge::wins_at::<R>(stones, point, own) && !judge::is_forbidden::<R>(stones, point, own)
        })
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

/// Stones on random points: one in ten is of the colour that was not to move, and one position in ten is handed to the
/// other side.
pub fn loose(size: Size, rng: &mut StdRng) -> Stones {
    let mut stones = Stones::new(size);
    for _ in 0..rng.random_range(0..size.area().min(LOOSE_STONES)) {
        let point = Point::new(rng.random_range(0..size.width()), rng.random_range(0..size.height()));
        if stones.is_empty_at(point) {
            let color = if rng.random_bool(0.9) { stones.to_move() } else { !stones.to_move() };
            stones.place(point, color);
        }
    }
    if rng.random_bool(0.1) {
        stones.set_to_move(!stones.to_move());
    }
    stones
}

/// So many points of a board in random order, or all of them where there are fewer.
pub fn drawn_points(size: Size, count: usize, rng: &mut StdRng) -> Vec<Point> {
    let mut points: Vec<Point> = size.points().collect();
    points.shuffle(rng);
    points.truncate(count);
    points
}
