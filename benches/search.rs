//! The cost of a search to a fixed depth: one position of `kagetsu bench` for each of three rules, with one
//! thread and an empty transposition table each time.
//!
//! `cargo bench --bench search`; "elements" are nodes.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kagetsu::cli::BENCH_POSITIONS;
use kagetsu::formats::moves;
use kagetsu::{Control, Engine, Limits, Question, Request, Rule, Size};

/// The depth in plies, large enough for the transposition table and the history to matter.
const DEPTH: u32 = 7;
/// Memory of the engine in bytes; a search of this depth fills a fraction of it.
const MEMORY: u64 = 64 << 20;

fn fixed_depth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("search to depth {DEPTH}"));
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    for rule in [Rule::Freestyle, Rule::Renju, Rule::Caro] {
        let (_, side, played) =
            BENCH_POSITIONS.into_iter().find(|p| p.0 == rule).expect("bench has every rule");
        let stones = moves::position(played, Size::square(side)).expect("bench plays these moves");
        let fresh = || Engine::new(1, MEMORY);
        let search = |engine: &mut Engine| {
            engine.think(&Question::new(rule, &stones, &Request::best(limits), &Control::new())).nodes
        };
        // The number of nodes is the same in every run.
        group.throughput(Throughput::Elements(search(&mut fresh())));
        group.bench_function(format!("{rule} {side}x{side}"), |bencher| {
            bencher.iter_batched_ref(fresh, search, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(5));
    targets = fixed_depth
}
criterion_main!(benches);
