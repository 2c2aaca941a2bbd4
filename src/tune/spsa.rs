//! Tunes the parameters of the search by playing games, using simultaneous perturbation stochastic approximation (SPSA;
//! J. Spall, 1992) with the schedule that chess engines use.
//!
//! Each step perturbs all parameters at once, by their reach with a random sign for one version and the opposite sign
//! for the other. It plays two games of one opening between the two versions, and moves the values a little towards the
//! version that scored more.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use parking_lot::Mutex;
use rand::RngExt;
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};

use crate::board::{Color, Stones};
use crate::data::opening_generator::balanced;
use crate::data::selfplay::{GameRecipe, ended, rng_for};
use crate::engine::{Engine, Question};
use crate::eval::score;
use crate::rules::{RuleSet, with_rule};
use crate::search::params::TUNABLE;
use crate::search::params_by_name::{Parameter, index_of, set_for_this_thread};
use crate::search::{Control, Limits, Request};

/// How far a value is perturbed at the end of the run, as a share of its range.
const REACH: f64 = 1.0 / 16.0;
/// How far a value moves at the end of the run for each point by which a side wins a pair, as a share of the reach.
const FINAL_RATE: f64 = 0.01;
/// The exponent with which steps shrink.
const STEP_DECAY: f64 = 0.602;
/// The exponent with which the reach shrinks.
const REACH_DECAY: f64 = 0.101;
/// The number of stones after which a game without a proven end is adjudicated a draw.
const MOST_STONES: usize = 160;

/// What is tuned, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Rules, boards, nodes and openings of the games.
    pub recipe: GameRecipe,
    /// The total number of pairs of games.
    pub pairs: u32,
    /// It determines the whole run, as long as one thread plays.
    pub seed: u64,
    /// The names of the parameters that are tuned; all if empty.
    pub names: Vec<String>,
}

/// How far a run has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// Pairs of games played.
    pub pairs: u32,
    /// The current values, by name.
    pub values: Vec<(String, f64)>,
}

impl Progress {
    /// The values that are built into the engine.
    #[must_use]
    pub fn new() -> Progress {
        let value = |parameter: &Parameter| (parameter.name.to_owned(), f64::from(parameter.value));
        Progress { pairs: 0, values: TUNABLE.iter().map(value).collect() }
    }

    fn numbers(&self) -> Vec<f64> {
        self.values.iter().map(|(_, value)| *value).collect()
    }

    /// Updates the values from the result of a pair that was played with the values `given`, which may be older than
    /// the current ones.
    pub fn learn(&mut self, plan: &Plan, number: u32, given: &Progress, points: i32) {
        let tried = Perturbation::new(plan, number, &given.numbers());
        for ((parameter, step), (_, value)) in TUNABLE.iter().zip(&tried.steps).zip(&mut self.values) {
            let Parameter { low, high, .. } = *parameter;
            *value = (*value + step * f64::from(points)).clamp(low.into(), high.into());
        }
        self.pairs += 1;
    }

    fn rounded(&self) -> Vec<i32> {
        self.values.iter().map(|(_, value)| value.round() as i32).collect()
    }
}

impl Default for Progress {
    fn default() -> Progress {
        Progress::new()
    }
}

/// Plays the remaining pairs on this many threads, and reports the progress after each.
///
/// # Errors
/// If the system provides no threads, if a name is not that of a parameter, or if the progress is of other parameters.
pub fn run(
    plan: &Plan,
    progress: Progress,
    threads: usize,
    stop: &AtomicBool,
    report: impl Fn(&Progress) + Sync,
) -> anyhow::Result<Progress> {
    check(plan, &progress)?;
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let next = AtomicU32::new(progress.pairs);
    let state = Mutex::new(Played { progress, early: BTreeMap::new() });
    pool.broadcast(|_| {
        let mut table = PairTable::new(plan);
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= plan.pairs || stop.load(Relaxed) {
                break;
            }
            let given = state.lock().progress.clone();
            let points = table.play(number, &given);
            state.lock().take(plan, number, given, points, &report);
        }
    });
    Ok(state.into_inner().progress)
}

/// What several threads have played. Pairs count in the order of their numbers, so that a run that was killed goes on
/// with the first pair that does not count yet.
struct Played {
    progress: Progress,
    /// Pairs that wait for one before them, by number: the values they were played with, and the points.
    early: BTreeMap<u32, (Progress, i32)>,
}

impl Played {
    /// Takes in a pair that was played with the values `given`. Reports the progress after each one that counts now.
    fn take(&mut self, plan: &Plan, number: u32, given: Progress, points: i32, report: &impl Fn(&Progress)) {
        self.early.insert(number, (given, points));
        while let Some((given, points)) = self.early.remove(&self.progress.pairs) {
            self.progress.learn(plan, self.progress.pairs, &given, points);
            report(&self.progress);
        }
    }
}

/// Checks that this build can run the plan and resume from this progress.
///
/// # Errors
/// If a name is not that of a parameter, if the progress is of other parameters, or if a value is out of its range.
pub fn check(plan: &Plan, progress: &Progress) -> anyhow::Result<()> {
    if let Some(name) = plan.names.iter().find(|name| index_of(name).is_none()) {
        anyhow::bail!(no_parameter(name));
    }
    let is_same = progress.values.len() == TUNABLE.len()
        && progress.values.iter().zip(TUNABLE).all(|((name, _), known)| name == known.name);
    anyhow::ensure!(is_same, "the progress is of other parameters than this build has");
    for ((name, value), &Parameter { low, high, .. }) in progress.values.iter().zip(TUNABLE) {
        let is_possible = (f64::from(low)..=f64::from(high)).contains(value);
        anyhow::ensure!(is_possible, "{name} cannot be {value}: its values are {low} to {high}");
    }
    Ok(())
}

/// The error that there is no parameter of this name, with the name that may be meant.
#[must_use]
pub fn no_parameter(name: &str) -> String {
    /// Most slips of the finger in a name.
    const SLIPS: usize = 3;
    let nearest = TUNABLE.iter().map(|known| (distance(name, known.name), known.name)).min();
    match nearest {
        Some((slips, known)) if slips <= SLIPS => {
            format!("there is no parameter {name}; did you mean {known}?")
        }
        _ => format!("there is no parameter {name}"),
    }
}

/// How many characters have to be inserted, removed or replaced to make one name of the other (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (n, a) in one.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], n + 1);
        for (m, b) in other.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[m + 1];
            row[m + 1] = replaced.min(diagonal + 1).min(row[m] + 1);
        }
    }
    row[other.len()]
}

/// Two engines that play pair after pair.
pub struct PairTable<'a> {
    plan: &'a Plan,
    engines: [Engine; 2],
}

impl<'a> PairTable<'a> {
    /// Engines for the pairs of this run.
    #[must_use]
    pub fn new(plan: &'a Plan) -> PairTable<'a> {
        let nodes = u64::from(plan.recipe.nodes);
        let engine = || Engine::new(1, Engine::memory_for(1, (nodes * 64).max(1 << 20)));
        PairTable { plan, engines: [engine(), engine()] }
    }

    /// Plays the pair with this number between two versions perturbed to either side of the values `given`. Returns the
    /// first version's wins minus its losses, which depend on the arguments alone.
    pub fn play(&mut self, number: u32, given: &Progress) -> i32 {
        let tried = Perturbation::new(self.plan, number, &given.numbers());
        play_pair(self.plan, number, &mut self.engines, &tried.sides)
    }
}

/// The two versions of one step, and how far each point that the first one scores moves each value.
struct Perturbation {
    sides: [Vec<i32>; 2],
    steps: Vec<f64>,
}

impl Perturbation {
    fn new(plan: &Plan, number: u32, values: &[f64]) -> Perturbation {
        let mut rng = rng_for(!plan.seed, number);
        let (pairs, k) = (f64::from(plan.pairs), f64::from(number) + 1.0);
        let patience = pairs / 10.0;
        let mut tried = Perturbation { sides: [Vec::new(), Vec::new()], steps: Vec::new() };
        for (n, (&Parameter { low, high, .. }, value)) in TUNABLE.iter().zip(values).enumerate() {
            let moves = plan.names.is_empty() || plan.names.iter().any(|name| index_of(name) == Some(n));
            let last_reach = if moves { (f64::from(high - low) * REACH).max(0.5) } else { 0.0 };
            let reach = last_reach * (pairs / k).powf(REACH_DECAY);
            let sign = if rng.random::<bool>() { 1.0 } else { -1.0 };
            // Stochastic rounding, so that a small reach has an effect too.
            let mut round = |x: f64| (x + rng.random::<f64>()).floor().clamp(low.into(), high.into()) as i32;
            if moves {
                tried.sides[0].push(round(value + sign * reach));
                tried.sides[1].push(round(value - sign * reach));
            } else {
                tried.sides.iter_mut().for_each(|side| side.push(value.round() as i32));
            }
            let rate = FINAL_RATE * ((patience + pairs) / (patience + k)).powf(STEP_DECAY);
            tried.steps.push(rate * sign * last_reach * last_reach / reach.max(1e-9));
        }
        tried
    }
}

/// Plays an opening with both colours. Returns the first side's wins minus its losses.
fn play_pair(plan: &Plan, number: u32, engines: &mut [Engine; 2], sides: &[Vec<i32>; 2]) -> i32 {
    let (rule, size) = plan.recipe.variant(number);
    set_for_this_thread(&Progress::new().rounded());
    engines[0].new_game();
    let mut rng = rng_for(plan.seed, number);
    let opening = balanced(&mut engines[0], rule, size, plan.recipe.opening, &mut rng);
    let mut stones = Stones::new(size);
    opening.iter().for_each(|&point| stones.place(point, stones.to_move()));
    let mut play = |first: Color| {
        let winner =
            with_rule!(rule, R => play_game::<R>(stones.clone(), plan.recipe.nodes, engines, sides, first));
        winner.map_or(0, |winner| if winner == first { 1 } else { -1 })
    };
    play(Color::Black) + play(Color::White)
}

/// Plays a game in which the first engine has this colour, and returns the winner.
fn play_game<R: RuleSet>(
    mut stones: Stones,
    nodes: u32,
    engines: &mut [Engine; 2],
    sides: &[Vec<i32>; 2],
    first: Color,
) -> Option<Color> {
    engines.iter_mut().for_each(Engine::new_game);
    loop {
        if let Some((_, winner)) = ended::<R>(&stones) {
            return winner;
        }
        if stones.history().len() >= MOST_STONES {
            return None;
        }
        let mover = stones.to_move();
        let side = usize::from(mover != first);
        set_for_this_thread(&sides[side]);
        let limits = Limits { nodes: Some(nodes.into()), ..Limits::default() };
        let (request, control) = (Request::best(limits), Control::new());
        let answer = engines[side].think(&Question::new(R::RULE, &stones, &request, &control));
        // Proven wins are not played out.
        if answer.lines.first().is_some_and(|line| score::is_win(line.score)) {
            return Some(mover);
        }
        stones.place(answer.moves[0], mover);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pairs: u32, names: &[&str]) -> Plan {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Plan { recipe: GameRecipe::new(100), pairs, seed: 5, names }
    }

    #[test]
    fn only_what_is_named_moves() {
        let plan = plan(6, &["lmr_factor"]);
        let end = run(&plan, Progress::new(), 1, &AtomicBool::new(false), |_| {}).unwrap();
        assert_eq!(end.pairs, 6);
        for ((name, value), known) in end.values.iter().zip(TUNABLE) {
            assert!(name == "lmr_factor" || *value == f64::from(known.value), "{name}");
        }
    }

    #[test]
    fn a_run_follows_from_its_seed_and_goes_on_where_it_stopped() {
        let run = |pairs, progress| {
            let plan = Plan { pairs: 8, ..plan(8, &[]) };
            let stop = AtomicBool::new(false);
            let report = |now: &Progress| stop.store(now.pairs >= pairs, Relaxed);
            super::run(&plan, progress, 1, &stop, report).unwrap()
        };
        let whole = run(8, Progress::new());
        let half = run(3, Progress::new());
        assert_eq!((whole.pairs, half.pairs), (8, 3));
        assert_eq!(run(8, half).values, whole.values);
        assert_ne!(whole.values, Progress::new().values);
    }

    #[test]
    fn pairs_count_in_the_order_of_their_numbers() {
        let plan = plan(3, &[]);
        let start = Progress::new();
        let mut in_turn = start.clone();
        [1, -2, 2].iter().zip(0..).for_each(|(&points, number)| in_turn.learn(&plan, number, &start, points));
        let mut played = Played { progress: start.clone(), early: BTreeMap::new() };
        let mut counted = Vec::new();
        for (number, points) in [(2, 2), (0, 1), (1, -2)] {
            let reported = Mutex::new(Vec::new());
            played.take(&plan, number, start.clone(), points, &|now| reported.lock().push(now.pairs));
            counted.push(reported.into_inner());
        }
        assert_eq!(counted, [vec![], vec![1], vec![2, 3]]);
        assert_eq!(played.progress.values, in_turn.values);
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for value in [1e300, f64::NAN, -1.0] {
            let mut progress = Progress::new();
            progress.values[0].1 = value;
            let error = check(&plan(1, &[]), &progress).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{} cannot be {value}: ", TUNABLE[0].name)), "{error}");
        }
    }

    #[test]
    fn unknown_names_are_refused() {
        let result = run(&plan(1, &["no_such"]), Progress::new(), 1, &AtomicBool::new(false), |_| {});
        assert_eq!(result.unwrap_err().to_string(), "there is no parameter no_such");
        assert_eq!(no_parameter("lmr_factro"), "there is no parameter lmr_factro; did you mean lmr_factor?");
        assert_eq!((distance("kitten", "sitting"), distance("", "ab"), distance("ab", "ab")), (3, 2, 0));
    }
}
