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

/// A middle game: this many stones near each other, the same in every run.
fn middle_game<R: RuleSet>(size: Size, stones: usize) -> Position<R> {
    Position::from_stones(&scattered(R::RULE, size, stones, 11, &mut rng(7)), &mut ())
}

fn place_and_undo(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("place and undo");
    for rule in Rule::ALL {
        for side in [15, 20] {
            with_rule!(rule, R => {
                let mut position: Position<R> = middle_game(Size::square(side), 30);
                let mut evaluator = <NnueEval as Evaluator<R>>::new(Size::square(side));
                let points: Vec<Point> = position.candidates().iter().collect();
                group.throughput(Throughput::Elements(points.len() as u64));
                group.bench_function(format!("{rule} {side}x{side}"), |bencher| {
                    bencher.iter(|| {
                        for &point in &points {
                            Evaluator::<R>::push(&mut evaluator);
                            position.play(point, &mut evaluator);
                            position.undo();
                            Evaluator::<R>::pop(&mut evaluator);
                        }
                    });
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
            let size = Size::square(15);
            let mut evaluator = <NnueEval as Evaluator<R>>::new(size);
            let stones = middle_game::<R>(size, 30).stones().clone();
            let mut position = Position::<R>::from_stones(&stones, &mut evaluator);
            let points: Vec<Point> = position.candidates().iter().collect();
            // What stands on the board is summed once.
            Evaluator::<R>::evaluate(&mut evaluator, &position);
            group.throughput(Throughput::Elements(points.len() as u64));
            group.bench_function(format!("{rule}"), |bencher| {
                bencher.iter(|| {
                    for &point in &points {
                        Evaluator::<R>::push(&mut evaluator);
                        position.play(point, &mut evaluator);
                        black_box(Evaluator::<R>::evaluate(&mut evaluator, &position));
                        position.undo();
                        Evaluator::<R>::pop(&mut evaluator);
                    }
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
