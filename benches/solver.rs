//! The cost of solving the positions of `protocol-tests/solver` and the VCFs of `protocol-tests/suites`:
//! nodes and time until the win is found or ruled out, file by file.
//!
//! `cargo bench --bench solver`; node counts are the same in every run, unless a position reaches the limit of
//! ten seconds.

#[path = "../protocol-tests/harness/positions.rs"]
#[allow(dead_code)]
mod positions;

use std::collections::BTreeMap;
use std::time::Duration;

use kagetsu::{Solver, SolverLimits, SolverVerdict, ThreatSpace};
use positions::{Claim, read_all};

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
        let is_vcf = matches!(known.claim, Claim::Vcf(_));
        let widest = if is_vcf { ThreatSpace::Vcf } else { ThreatSpace::Vct };
        let limits = SolverLimits { time: Some(Duration::from_secs(10)), ..SolverLimits::default() };
        let solution = Solver::new(limits).within(widest).solve(known.rule, &known.stones);
        let solution = solution.expect("no game of the files is over");
        let cost = costs.entry(format!("{} {}", known.file, known.rule)).or_default();
        cost.count += 1;
        cost.settled += u64::from(!matches!(solution.verdict, SolverVerdict::Unknown));
        cost.nodes += solution.nodes;
        cost.time += solution.time;
        if solution.time > cost.slowest.0 {
            cost.slowest = (solution.time, solution.nodes, format!("line {}", known.line));
        }
    }
    println!("{:36} {:>9} {:>10} {:>9}   slowest", "file and rule", "settled", "nodes", "ms in all");
    for (name, cost) in costs {
        let settled = format!("{}/{}", cost.settled, cost.count);
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let (time, nodes, line) = cost.slowest;
        println!(
            "{name:36} {settled:>9} {:>10} {:>9.1}   {:.1} ms, {nodes} {} ({line})",
            cost.nodes,
            ms(cost.time),
            ms(time),
            if nodes == 1 { "node" } else { "nodes" }
        );
    }
}
