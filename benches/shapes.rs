//! The cost of a stone: placing and undoing it for each rule and size, the forbidden check, and the
//! evaluation.
//!
//! `cargo bench --bench shapes`; "elements" are stones placed and taken back.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kagetsu::eval::{Evaluator, NnueEval};
use kagetsu::position::Position;
use kagetsu::rules::{RuleSet, with_rule};
use kagetsu::shapes::is_forbidden;
use kagetsu::{Point, Rule, Size};

#[allow(dead_code)]
#[path = "../protocol-tests/harness/random.rs"]
mod random;

use random::{rng, scattered};

/// The number of middle games, large enough that the processor cannot learn to predict them, as it would with
/// a few.
const GAMES: u64 = 64;

/// A middle game, with the points to try and an evaluator for its position.
struct MiddleGame<R: RuleSet> {
    position: Position<R>,
    evaluator: NnueEval,
    points: Vec<Point>,
}

/// Games with this many stones near each other, the same in every run.
fn middle_games<R: RuleSet>(size: Size, stones: usize) -> Vec<MiddleGame<R>> {
    let game = |seed| {
        let stones = scattered(R::RULE, size, stones, 11, &mut rng(seed));
        let mut evaluator = <NnueEval as Evaluator<R>>::new(size);
        let position = Position::<R>::from_stones(&stones, &mut evaluator);
        // The stones on the board are summed up once, before the measurement.
        Evaluator::<R>::evaluate(&mut evaluator, &position);
        let points = position.candidates().iter().collect();
        MiddleGame { position, evaluator, points }
    };
    (0..GAMES).map(game).collect()
}

/// Places a stone on each of the points in turn, calls `then`, and takes the stone back.
fn at_each_point<R: RuleSet>(games: &mut [MiddleGame<R>], mut then: impl FnMut(&mut NnueEval, &Position<R>)) {
    for MiddleGame { position, evaluator, points } in games {
        for &point in &*points {
            Evaluator::<R>::play(evaluator, position, point);
            then(evaluator, position);
            position.undo();
            Evaluator::<R>::pop(evaluator);
        }
    }
}

fn stones_tried<R: RuleSet>(games: &[MiddleGame<R>]) -> Throughput {
    Throughput::Elements(games.iter().map(|game| game.points.len() as u64).sum())
}

fn place_and_undo(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("place and undo");
    for rule in Rule::ALL {
        for side in [15, 20] {
            with_rule!(rule, R => {
                let mut games = middle_games::<R>(Size::square(side), 30);
                group.throughput(stones_tried(&games));
                group.bench_function(format!("{rule} {side}x{side}"), |bencher| {
                    bencher.iter(|| at_each_point(&mut games, |_, _| {}));
                });
            });
        }
    }
    group.finish();
}

fn forbidden(criterion: &mut Criterion) {
    use kagetsu::board::Color;
    use kagetsu::formats::picture;
    use kagetsu::rules::Renju;
    use kagetsu::shapes::ShapeMap;
    let picture = ". . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . X . . . .
                   . . . . X . . . .
                   . . X X * . . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .";
    let diagram = picture::read(picture).expect("the picture is a board");
    let (_, point) = diagram.marks[0];
    let map: ShapeMap<Renju> = ShapeMap::fresh(&diagram.stones, &mut ());
    criterion.bench_function("forbidden check of a double three", |bencher| {
        bencher.iter_batched_ref(
            || map.clone(),
            |map| is_forbidden(map, black_box(point), Color::Black),
            BatchSize::SmallInput,
        );
    });
}

/// Places a stone, evaluates the position and takes the stone back: the cost of a leaf of the search.
fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("place, evaluate and undo");
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            let mut games = middle_games::<R>(Size::square(15), 30);
            group.throughput(stones_tried(&games));
            group.bench_function(format!("{rule}"), |bencher| {
                bencher.iter(|| {
                    at_each_point(&mut games, |evaluator, position| {
                        black_box(Evaluator::<R>::evaluate(evaluator, position));
                    });
                });
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).measurement_time(std::time::Duration::from_secs(2));
    targets = place_and_undo, forbidden, evaluation
}
criterion_main!(benches);
