//! What a stone costs: placing and undoing per rule and size, the forbidden check, the evaluation.
//!
//! `cargo bench --bench shapes`; a figure of "elements" is stones placed and taken back.

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

/// Middle games, so many that the processor cannot learn by heart what comes next, as it would with a few.
const GAMES: u64 = 64;

/// One of them, with the points to try and an evaluation that knows it.
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
        // What stands on the board is summed once.
        Evaluator::<R>::evaluate(&mut evaluator, &position);
        let points = position.candidates().iter().collect();
        MiddleGame { position, evaluator, points }
    };
    (0..GAMES).map(game).collect()
}

/// Places a stone on each of the points in turn, does what is to be done then, and takes it back.
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

/// A stone, what the position is worth then, and the stone taken back: what a leaf of the search costs.
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
