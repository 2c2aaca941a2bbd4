//! What the solver takes for the positions of `protocol-tests/solver` and the wins by fours of
//! `protocol-tests/suites`: positions searched and time until the win was found (or until it was clear that there
//! is none), file by file.
//!
//! `cargo bench --bench solver`; the numbers of positions are the same in every run.

#[path = "../protocol-tests/harness/positions.rs"]
mod positions;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kagetsu::solve::{Settings, Verdict, solve};
use kagetsu::with_rule;
use positions::{Claim, read_all};

/// Bytes of the tables: those of `kagetsu solve` by default, about.
const MEMORY: usize = 320 << 20;

#[derive(Default)]
struct Cost {
    count: u64,
    settled: u64,
    nodes: u64,
    time: Duration,
    slowest: (Duration, u64, String),
}

fn main() {
    let mut costs: BTreeMap<String, Cost> = BTreeMap::new();
    for known in read_all() {
        let fours_only = matches!(known.claim, Claim::Fours(_));
        let time = Some(Duration::from_secs(10));
        let settings = Settings { fours_only, memory: MEMORY, time, ..Settings::default() };
        let stop = AtomicBool::new(false);
        let solution = with_rule!(known.rule, R => solve::<R>(&known.stones, &settings, &stop, &mut |_| {}));
        let solution = solution.expect("no game of the files is over");
        let cost = costs.entry(format!("{} {}", known.file, known.rule)).or_default();
        cost.count += 1;
        cost.settled += u64::from(!matches!(solution.verdict, Verdict::NotFound));
        cost.nodes += solution.nodes;
        cost.time += solution.time;
        if solution.time > cost.slowest.0 {
            cost.slowest = (solution.time, solution.nodes, format!("line {}", known.line));
        }
    }
    println!("{:36} {:>9} {:>10} {:>9}   slowest", "file and rule", "settled", "positions", "ms in all");
    for (name, cost) in costs {
        let settled = format!("{}/{}", cost.settled, cost.count);
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let (time, nodes, line) = cost.slowest;
        println!(
            "{name:36} {settled:>9} {:>10} {:>9.1}   {:.1} ms, {nodes} positions ({line})",
            cost.nodes,
            ms(cost.time),
            ms(time)
        );
    }
}
