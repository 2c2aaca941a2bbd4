//! The overhead of `kagetsu match` per move: games between two engines that answer at once, each a process of
//! its own. All of the time is spent by the runner and the system: writing, waking up, reading, judging,
//! checking the engines' memory.
//!
//! `cargo bench --bench arena`; "elements" are moves. 1000 elements a second are 1 ms a move.

use std::io::BufRead;

use criterion::{Criterion, Throughput, criterion_group};
use kagetsu::arena::{
    Adjudication, EngineSpec, External, GameSetup, MatchContext, Player, Seat, Stop, play_game,
};
use kagetsu::{Rule, Size};

const SIDE: usize = 15;
/// As the first argument, this makes the program act as an engine.
const AS_ENGINE: &str = "as-engine";

/// Plays the cells row by row. On a board of odd width the colours make a checkerboard, so a diagonal wins
/// with the 61st stone or so.
fn engine() {
    let mut stones = 0;
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        match line.split_whitespace().next() {
            Some("START") => {
                stones = 0;
                println!("OK");
                continue;
            }
            Some("BEGIN") => {}
            Some("TURN") => stones += 1,
            Some("BOARD") => stones = lines.by_ref().take_while(|line| line != "DONE").count(),
            Some("END") => return,
            _ => continue,
        }
        println!("{},{}", stones % SIDE, stones / SIDE);
        stones += 1;
    }
}

fn game_of_processes(criterion: &mut Criterion) {
    let program = std::env::current_exe().expect("the bench knows its own file");
    let text = format!("cmd='{}' arg={AS_ENGINE} turn=10", program.display());
    let spec = EngineSpec::parse(&text, &[]).expect("the options are well-formed");
    let setup = GameSetup {
        rule: Rule::Freestyle,
        size: Size::square(SIDE),
        opening: &[],
        seed: 1,
        swap2: false,
        adjudication: Adjudication::default(),
    };
    let mut players = [(); 2].map(|()| External::new(spec.clone(), MatchContext::default()));
    let mut game = || {
        let [a, b] = &mut players;
        let mut seats = [Seat { player: a, spec: &spec }, Seat { player: b, spec: &spec }];
        let played = play_game(&setup, &mut seats, &Stop::new()).expect("nobody stops it");
        assert!(played.overhead.is_some(), "{:?}", played.reason);
        played.moves.len() as u64
    };
    let mut group = criterion.benchmark_group("what a match adds");
    group.throughput(Throughput::Elements(game()));
    group.bench_function("moves of external engines", |bencher| bencher.iter(&mut game));
    group.finish();
    assert!(players.iter_mut().all(Player::quit), "the engines leave at END");
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(5));
    targets = game_of_processes
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some(AS_ENGINE) {
        return engine();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
