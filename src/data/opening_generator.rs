//! Balanced openings: a few random stones near each other, in a position that a search judges even.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::board::{Color, Point, PointSet, Size, Stones, Symmetry};
use crate::engine::{Engine, Question};
use crate::eval::score::{self, Score};
use crate::position::Position;
use crate::rules::{Rule, RuleSet, with_rule};
use crate::search::{Answer, Control, Limits, Request, Task};
use crate::shapes::{ShapeMap, Threat};

/// How openings are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningRecipe {
    /// Fewest random stones; at least 1.
    pub least_stones: usize,
    /// Most random stones. One more may come from the search, to restore the balance.
    pub most_stones: usize,
    /// The largest score of either side that counts as even, in points.
    pub limit: Score,
    /// Nodes searched to judge that.
    pub nodes: u64,
}

/// The number of failures after which the limit is doubled: a game must be possible even on a board without an even
/// position.
const PATIENCE: usize = 64;
/// Columns and rows left free between an opening and the edge, where there is space.
const MARGIN: usize = 2;
/// How far the stone that restores the balance may be from another stone, in columns and rows.
const BALANCE_REACH: usize = 2;

/// Generates an opening: distinct points of the board, Black first. Neither side has won or has to answer a threat, and
/// the search judged the position even.
///
/// The engine uses what it learned before; for openings that depend on `rng` alone, clear its table first.
pub fn balanced(
    engine: &mut Engine,
    rule: Rule,
    size: Size,
    recipe: OpeningRecipe,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<Point> {
    with_rule!(rule, R => balanced_under::<R>(engine, size, recipe, rng))
}

fn balanced_under<R: RuleSet>(
    engine: &mut Engine,
    size: Size,
    recipe: OpeningRecipe,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<Point> {
    let mut limit = recipe.limit.max(0);
    loop {
        for _ in 0..PATIENCE {
            let mut position = random_stones::<R>(size, recipe, rng);
            // In the end any position is accepted, so that the loop terminates.
            if limit >= score::WIN || is_even(engine, &mut position, recipe.nodes, limit) {
                return position.stones().history().iter().map(|&(point, _)| point).collect();
            }
        }
        limit = limit.saturating_mul(2).max(1);
    }
}

/// Whether the position is even, or can be made so with one more stone, which is then placed.
fn is_even<R: RuleSet>(engine: &mut Engine, position: &mut Position<R>, nodes: u64, limit: Score) -> bool {
    if !is_quiet(position) {
        return false;
    }
    let task = Task::Best;
    let Some(score) = score_of(&search::<R>(engine, position.stones(), &request(task, nodes))) else {
        return false;
    };
    if score.abs() <= limit {
        return true;
    }
    // A side that stands better can give up its advantage with a stone; one that stands worse has nothing to give up.
    if score < 0 || score::is_decided(score) {
        return false;
    }
    // A stone far away would amount to a pass.
    let stones: PointSet = position.stones().history().iter().map(|&(point, _)| point).collect();
    let blocked = PointSet::board(position.stones().size()) & !stones.grown(BALANCE_REACH);
    let balance = Request { blocked, ..request(Task::BalanceOne { bias: 0 }, nodes) };
    let point = search::<R>(engine, position.stones(), &balance).moves[0];
    if blocked.contains(point) || !position.is_legal(point) || position.wins_at(point) {
        return false;
    }
    position.play(point, &mut ());
    let answer = search::<R>(engine, position.stones(), &request(task, nodes));
    is_quiet(position) && score_of(&answer).is_some_and(|score| score.abs() <= limit)
}

fn request(task: Task, nodes: u64) -> Request {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Request { task, ..Request::best(limits) }
}

fn search<R: RuleSet>(engine: &mut Engine, stones: &Stones, request: &Request) -> Answer {
    engine.think(&Question::new(R::RULE, stones, request, &Control::new()))
}

/// The score for the side to move, if a search was necessary.
pub(super) fn score_of(answer: &Answer) -> Option<Score> {
    answer.lines.first().map(|line| line.score)
}

/// Whether the position is quiet: the side to move can make neither a four with a three nor anything better, and the
/// other side does not threaten an open four.
fn is_quiet<R: RuleSet>(position: &Position<R>) -> bool {
    let own = position.to_move();
    !offers(position.map(), own, Threat::FourThree) && !offers(position.map(), !own, Threat::OpenFour)
}

/// Whether some point offers `color` at least this threat.
fn offers<R: RuleSet>(map: &ShapeMap<R>, color: Color, least: Threat) -> bool {
    Threat::ALL[least.index()..].iter().any(|&threat| map.count(color, threat) > 0)
}

/// Alternating stones of both colours in a small box, anywhere on the board except near the edge.
fn random_stones<R: RuleSet>(size: Size, recipe: OpeningRecipe, rng: &mut Xoshiro256PlusPlus) -> Position<R> {
    let least = recipe.least_stones.max(1);
    let count = rng.random_range(least..=recipe.most_stones.max(least)).min(size.area() / 2);
    // Wide enough that the stones fill at most a third of the box.
    let narrowest = (5..).find(|side| side * side >= 3 * count).unwrap_or(5);
    let side = narrowest + 2 * rng.random_range(0..=1);
    let mut span = |length: usize| {
        let side = side.min(length);
        let room = length - side;
        let margin = MARGIN.min(room / 2);
        let first = rng.random_range(margin..=room - margin);
        first..first + side
    };
    let (columns, rows) = (span(size.width()), span(size.height()));
    let mut points: Vec<Point> = rows.flat_map(|y| columns.clone().map(move |x| Point::new(x, y))).collect();
    let mut position = Position::<R>::new(size, &mut ());
    while position.stones().history().len() < count && !points.is_empty() {
        let point = points.swap_remove(rng.random_range(0..points.len()));
        if position.is_legal(point) && !position.wins_at(point) {
            position.play(point, &mut ());
        }
    }
    position
}

/// Recognises openings that it has seen before, in any order of stones and any symmetric image of the board.
#[derive(Clone, Debug)]
pub struct Distinct {
    size: Size,
    seen: BTreeSet<Vec<(Point, Color)>>,
}

impl Distinct {
    /// An empty set, for a board of this size.
    #[must_use]
    pub fn new(size: Size) -> Distinct {
        Distinct { size, seen: BTreeSet::new() }
    }

    /// Remembers the opening, Black first, and returns whether it is new.
    pub fn insert(&mut self, opening: &[Point]) -> bool {
        let image = |symmetry: Symmetry| {
            let colors = [Color::Black, Color::White].into_iter().cycle();
            let points = opening.iter().map(|&point| symmetry.apply(point, self.size));
            let mut stones: Vec<(Point, Color)> = points.zip(colors).collect();
            stones.sort_unstable();
            stones
        };
        let first = Symmetry::of(self.size).map(image).min();
        self.seen.insert(first.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    const RECIPE: OpeningRecipe = OpeningRecipe { least_stones: 3, most_stones: 7, limit: 100, nodes: 300 };

    fn engine() -> Engine {
        Engine::new(1, Engine::memory_for(1, 1 << 20))
    }

    #[test]
    fn openings_are_sound_under_every_rule() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let sizes = [Size::square(5), Size::new(7, 20).unwrap(), Size::square(15), Size::square(22)];
        for rule in Rule::ALL {
            for size in sizes {
                let mut stones = Stones::new(size);
                let opening = balanced(&mut engine(), rule, size, RECIPE, &mut rng);
                assert!((3..=8).contains(&opening.len()), "{opening:?}");
                for point in opening {
                    assert!(size.contains(point) && stones.is_empty_at(point));
                    stones.place(point, stones.to_move());
                    let verdict = with_rule!(rule, R => crate::rules::judge::verdict::<R>(&stones));
                    assert_eq!(verdict, crate::rules::judge::Verdict::Ongoing);
                }
            }
        }
    }

    #[test]
    fn the_same_numbers_give_the_same_opening() {
        let make = |seed| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            balanced(&mut engine(), Rule::Renju, Size::square(15), RECIPE, &mut rng)
        };
        assert_eq!(make(3), make(3));
        assert_ne!(make(3), make(4));
    }

    #[test]
    fn turned_openings_are_the_same() {
        let size = Size::square(15);
        let opening: Vec<Point> = ["h8", "i9", "j7", "g8"].map(|p| p.parse().unwrap()).into();
        let mut distinct = Distinct::new(size);
        assert!(distinct.insert(&opening));
        for symmetry in Symmetry::of(size) {
            let turned: Vec<Point> = opening.iter().map(|&p| symmetry.apply(p, size)).collect();
            assert!(!distinct.insert(&turned));
        }
        let reordered = [opening[2], opening[3], opening[0], opening[1]];
        assert!(!distinct.insert(&reordered));
        let swapped = [opening[1], opening[0], opening[3], opening[2]];
        assert!(distinct.insert(&swapped));
    }

    #[test]
    fn threats_are_not_quiet() {
        let quiet = |moves: &[&str]| {
            let mut position = Position::<crate::rules::Freestyle>::new(Size::square(15), &mut ());
            moves.iter().for_each(|point| position.play(point.parse().unwrap(), &mut ()));
            is_quiet(&position)
        };
        assert!(quiet(&["h8", "i9", "g8", "c3"]));
        // White has to answer an open three; Black could make a four with a three.
        assert!(!quiet(&["h8", "i9", "g8", "c3", "i8"]));
        assert!(!quiet(&["h8", "e8", "g8", "c3", "f8", "c5", "i9", "m3", "i10", "m5"]));
    }
}
