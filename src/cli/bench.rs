//! `kagetsu bench`: one number that changes whenever the search does, and how fast the machine finds it.
//!
//! The signature is the number of nodes that one thread searches from fixed positions to a fixed depth. The same source
//! gives the same signature on every machine and in every run. A change that leaves it alone has very likely no effect
//! on play, and one that moves it needs a match.
//! `benches/signature.txt` holds the signature of the source it is committed with.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::board::{Size, Stones, Symmetry};
use crate::engine::{Engine, Question};
use crate::formats::moves;
use crate::rules::Rule;
use crate::search::{Answer, Control, Limits, Request};
use clap::Args;

/// Options of `kagetsu bench`.
#[derive(Args, Clone, Debug)]
pub struct BenchOptions {
    /// Depth of each search, in plies; the default gives the signature [default: 13, or 18 to compare threads]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: Option<u32>,

    /// Compare this many threads with one; several numbers, such as 2,4,8, in turn
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Vec<u16>,
}

/// Depth of the searches that make the signature, in plies: deep enough for everything in the search to take part,
/// singular extensions included. Takes a second.
pub(super) const SIGNATURE_DEPTH: u32 = 13;

/// Depth of the short signature, in plies. Every run that makes records pays for it.
const SHORT_SIGNATURE_DEPTH: u32 = 5;

/// Depth to which threads are compared, in plies. Most positions then take about a second, as in games. Most searches
/// for the signature take 30 ms, and in these two threads share only the deepest iterations.
const THREADS_DEPTH: u32 = 18;

/// Memory of the engine in bytes. Its table is soon warm, so the search is measured and not the allocation of fresh
/// memory by the system.
const MEMORY: u64 = 64 << 20;

/// The ways in which a square board can be turned and mirrored.
const ORIENTATIONS: usize = 8;

/// Rule, side of the board, and the moves in order, Black first. Openings and middle games from Kagetsu's
/// own games at 100,000 nodes a move, in which neither side stood clearly better.
pub const POSITIONS: [(Rule, usize, &str); 17] = [
    (Rule::Freestyle, 15, "f6g8h8e5h5h6f7f5f10f9"),
    (Rule::Freestyle, 20, "j11h11h10i10j9j10i9k9l8g11"),
    (Rule::Freestyle, 20, "j11h11h10i10j9j10i9k9l8g11k7j6k10m8l11m12"),
    (Rule::Freestyle, 20, "j11h11h10i10j9j10i9k9l8g11k7j6k10m8l11m12g9i11f9h9f10h7"),
    (Rule::Standard, 15, "i10i9f7f6e5e8g5g8e4e3h8f5"),
    (Rule::Standard, 15, "i10i9f7f6e5e8g5g8e4e3h8f5g4g3f3i6h7h6j6g9d4c4"),
    (Rule::Standard, 15, "i10i9f7f6e5e8g5g8e4e3h8f5g4g3f3i6h7h6j6g9d4c4h10g10g7e7h4f4"),
    (Rule::Standard, 20, "i11i8h13h12j12k13i14i12f13i13"),
    (Rule::Renju, 15, "h9f8j9g8h8h7g10i9h10i6"),
    (Rule::Renju, 15, "h9f8j9g8h8h7g10i9h10i6j5i10i7f11f10g9e10d10e9h11e11e8"),
    (Rule::Renju, 20, "j11l8m12l12k10m8l13l11l10i10k8m10k11k12n9m9"),
    (Rule::Renju, 20, "j11l8m12l12k10m8l13l11l10i10k8m10k11k12n9m9k7k9m7n11p8o11p11p10p12i12"),
    (Rule::Caro, 15, "h8h6j10g7i5i8g5j6k6f5h7e6j5k4i4h3"),
    (Rule::Caro, 20, "h11i10k11h8i12j11g8k14j12h12f9h7"),
    (Rule::Caro, 20, "l12i10h11i8i11g11l11j8h10j12g8k11i13l13i14i16k14j13j14m14k17h14n15k15n13h8"),
    (Rule::ExactCaro, 20, "j9h9j8h8i10j10h7h11k11g6i7k9h12i6f6j7"),
    (Rule::ExactCaro, 20, "j9h9j8h8i10j10h7h11k11g6i7k9h12i6f6j7h5f8g10e9e7g5g4d9d10f11e10g11"),
];

/// Searches the positions and writes what it took to `out`.
///
/// # Errors
/// If `out` cannot be written to.
pub fn run(options: &BenchOptions, mut out: impl Write) -> anyhow::Result<()> {
    let depth = options.depth.unwrap_or(SIGNATURE_DEPTH);
    // A first run builds what is made once in a process, such as the tables of each rule, so that it does not count as
    // search time.
    search_all(&mut [Engine::new(1, MEMORY)], 1, 1, &mut std::io::sink())?;
    let one = search_all(&mut [Engine::new(1, MEMORY)], depth, 1, &mut out)?.concat();
    writeln!(out, "depth      {depth}")?;
    if cfg!(feature = "tunable") {
        writeln!(out, "build      tunable, which makes it a fifth to a third slower")?;
    }
    print_total(&mut out, &one)?;
    writeln!(out, "signature  {}", total(&one).nodes)?;
    let threads: Vec<usize> = options.threads.iter().map(|&n| n.into()).filter(|&n| n > 1).collect();
    if !threads.is_empty() {
        compare_threads(&threads, options.depth.unwrap_or(THREADS_DEPTH), &mut out)?;
    }
    // The last line, in the form that OpenBench workers look for.
    let Cost { nodes, .. } = total(&one);
    writeln!(out, "{nodes} nodes {:.0} nps", total(&one).speed())?;
    Ok(())
}

/// Compares each of these numbers of threads with one thread, by speed and by the time to depth. Many threads search
/// nodes that one would not have needed, so they reach a depth later than their speed promises; how much of that is
/// lost to play, only games can tell.
///
/// By chance a search can take twice as long as with another order of moves, so every position is searched in all its
/// orientations. A single long search can outweigh all others in a sum of times, so the mean of the ratios is given as
/// well.
fn compare_threads(threads: &[usize], depth: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let counts = threads.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    writeln!(
        out,
        "\nwith 1, {counts} threads (node counts vary from run to run), in {ORIENTATIONS} orientations"
    )?;
    let mut engines: Vec<Engine> =
        [1].iter().chain(threads).map(|&threads| Engine::new(threads, MEMORY)).collect();
    // The first searches wait for the system to give the tables their memory, so they do not count.
    search_all(&mut engines, 1, 1, &mut std::io::sink())?;
    let costs = search_all(&mut engines, depth, ORIENTATIONS, out)?;
    let [one, many @ ..] = &costs[..] else { unreachable!("there is an engine with one thread") };
    for (threads, many) in threads.iter().zip(many) {
        let (all_one, all_many) = (total(one), total(many));
        let speed = all_many.speed() / all_one.speed();
        let in_all = all_one.time.as_secs_f64() / all_many.time.as_secs_f64();
        let mean = geometric_mean(one, many, |one, many| one.time.as_secs_f64() / many.time.as_secs_f64());
        let work = geometric_mean(one, many, |one, many| many.nodes as f64 / one.nodes as f64);
        writeln!(out, "\nthreads    {threads}")?;
        print_total(out, many)?;
        writeln!(out, "speed      {speed:.2} times the nodes a second of one thread")?;
        writeln!(out, "work       {work:.2} times the nodes of one thread (geometric mean)")?;
        writeln!(out, "time       {mean:.2} times faster to depth {depth} than one thread (geometric mean)")?;
        writeln!(out, "           {in_all:.2} times in the sum of all times")?;
    }
    Ok(())
}

/// The short signature, by which records and jobs identify the search of this build: what `kagetsu bench --depth 5`
/// prints. Changes that act only in deeper searches leave it as it is.
///
/// # Errors
/// None, as long as the positions are sound.
pub fn short_signature() -> anyhow::Result<u64> {
    nodes_to(SHORT_SIGNATURE_DEPTH)
}

/// The nodes that one thread searches from all positions to this depth.
fn nodes_to(depth: u32) -> anyhow::Result<u64> {
    let costs = search_all(&mut [Engine::new(1, MEMORY)], depth, 1, &mut std::io::sink())?;
    Ok(total(&costs.concat()).nodes)
}

/// What a search took.
#[derive(Clone, Copy)]
struct Cost {
    nodes: u64,
    time: Duration,
}

impl Cost {
    fn speed(self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64()
    }
}

fn total(costs: &[Cost]) -> Cost {
    let nodes = costs.iter().map(|cost| cost.nodes).sum();
    Cost { nodes, time: costs.iter().map(|cost| cost.time).sum() }
}

/// The geometric mean of `ratio` over all searches, each by one thread and by many.
fn geometric_mean(one: &[Cost], many: &[Cost], ratio: impl Fn(&Cost, &Cost) -> f64) -> f64 {
    let logarithms = one.iter().zip(many).map(|(one, many)| ratio(one, many).ln());
    (logarithms.sum::<f64>() / one.len() as f64).exp()
}

fn print_total(out: &mut impl Write, costs: &[Cost]) -> anyhow::Result<()> {
    let total = total(costs);
    writeln!(out, "nodes      {}", total.nodes)?;
    writeln!(out, "time       {} ms", total.time.as_millis())?;
    writeln!(out, "nodes/s    {:.0}", total.speed())?;
    Ok(())
}

/// Searches every position in this many of its orientations with each engine, and returns what the searches of each
/// took. The engines take turns at each search, so that other load on the machine slows all of them alike. What the
/// last engine finds is printed.
fn search_all(
    engines: &mut [Engine],
    depth: u32,
    orientations: usize,
    out: &mut impl Write,
) -> anyhow::Result<Vec<Vec<Cost>>> {
    let mut costs = vec![Vec::new(); engines.len()];
    let oriented = POSITIONS.into_iter().flat_map(|(rule, side, played)| {
        let turns = Symmetry::of(Size::square(side)).take(orientations);
        turns.map(move |turn| (rule, side, played, turn))
    });
    for (rule, side, played, turn) in oriented {
        let size = Size::square(side);
        let mut stones = Stones::new(size);
        for &(point, color) in moves::position(played, size)?.history() {
            stones.place(turn.apply(point, size), color);
        }
        let mut last = None;
        for (engine, costs) in engines.iter_mut().zip(&mut costs) {
            let (answer, cost) = search_one(engine, rule, &stones, depth);
            costs.push(cost);
            last = Some((answer, cost));
        }
        let Some((answer, cost)) = last else { continue };
        let score = answer.lines.first().map_or(0, |line| line.score);
        writeln!(
            out,
            "{rule:10} {side}x{side}  {:>4} {score:>6}  {:>9} nodes  {:>6} ms",
            answer.moves[0].to_string(),
            cost.nodes,
            cost.time.as_millis()
        )?;
    }
    Ok(costs)
}

/// Searches a position on its own, without what the table holds of the previous one.
fn search_one(engine: &mut Engine, rule: Rule, stones: &Stones, depth: u32) -> (Answer, Cost) {
    engine.new_game();
    let started = Instant::now();
    let request = Request::best(Limits { depth: Some(depth), ..Limits::default() });
    let answer = engine.think(&Question::new(rule, stones, &request, &Control::new()));
    let cost = Cost { nodes: answer.nodes, time: started.elapsed() };
    (answer, cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_threads_is_compared_with_one() {
        let mut out = Vec::new();
        run(&BenchOptions { depth: Some(1), threads: vec![2, 3] }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines_with =
            |start: &str| text.lines().filter(|line| line.starts_with(start)).collect::<Vec<_>>();
        assert_eq!(lines_with("threads "), ["threads    2", "threads    3"]);
        assert_eq!(lines_with("work ").len(), 2);
        assert_eq!(lines_with("build      tunable").len(), usize::from(cfg!(feature = "tunable")));
        let searches = POSITIONS.len() * (1 + ORIENTATIONS);
        assert_eq!(
            text.lines().filter(|line| line.ends_with(" ms") && line.contains(" nodes  ")).count(),
            searches
        );
        // OpenBench reads the last line.
        let last: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
        assert!(matches!(last[..], [_, "nodes", _, "nps"]), "{last:?}");
        // One thread is not compared with itself.
        let mut out = Vec::new();
        run(&BenchOptions { depth: Some(1), threads: vec![1] }, &mut out).unwrap();
        assert!(!String::from_utf8(out).unwrap().contains("threads"));
    }

    /// Otherwise a value could be changed without anybody noticing that the search has changed.
    /// `cargo test --release --no-default-features --features cli,tunable --lib every_parameter -- --ignored` runs it.
    #[test]
    #[cfg(feature = "tunable")]
    #[ignore = "takes minutes: two signatures for each parameter"]
    fn every_parameter_is_seen_by_the_signature() {
        use crate::search::params_by_name::{TUNABLE, set_default};
        let signature_with = |name: &str, value: i32| {
            set_default(name, value).unwrap();
            nodes_to(SIGNATURE_DEPTH).unwrap()
        };
        for parameter in TUNABLE {
            let built_in = signature_with(parameter.name, parameter.value);
            let range = parameter.high - parameter.low;
            // Small steps first: at the ends of some ranges a search takes very long.
            let mut others = [8, 4, 2, 1].into_iter().flat_map(|part| {
                [parameter.value - range / part, parameter.value + range / part]
                    .map(|value| value.clamp(parameter.low, parameter.high))
            });
            let seen = others.find(|&value| signature_with(parameter.name, value) != built_in);
            set_default(parameter.name, parameter.value).unwrap();
            println!("{:30} {:6} {seen:?}", parameter.name, parameter.value);
            assert!(seen.is_some(), "{} is not seen", parameter.name);
        }
    }
}
