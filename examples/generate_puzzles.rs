//! Makes the puzzles of the board, `src/gui/page/puzzles.json`: positions from games that are won by fours alone.
//!
//! ```text
//! cargo run --release --example generate_puzzles                  # writes src/gui/page/puzzles.json
//! cargo run --release --example generate_puzzles -- other.json    # writes another file
//! ```
//!
//! The positions come from games that the engine plays against itself with few nodes a move, so that it misses wins. A
//! position is a puzzle if the shortest VCF has the wanted number of fours, at least four moves make a four, at most
//! half of which begin a VCF, and the opponent threatens no five, which would leave nothing to be found. The same build
//! makes the same file each time. `protocol-tests/suites.rs` checks the puzzles with the same slow search.

#[path = "../protocol-tests/harness/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../protocol-tests/harness/slow_vcf.rs"]
#[allow(dead_code)]
mod slow_vcf;

use std::error::Error;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::{env, fs};

use kagetsu::rules::judge::{self, Verdict};
use kagetsu::rules::{RuleSet, with_rule};
use kagetsu::{
    Control, Engine, Limits, Point, Question, Request, Rule, Size, Solver, SolverLimits, SolverVerdict,
    Stones, ThreatSpace,
};
use rand::RngExt;
use rand::rngs::StdRng;
use random::{rng, scattered};
use rayon::prelude::*;
use slow_vcf::{Outcome, SlowVcf, legal_moves, makes_four, wins_at};

/// The seed of the games; each rule adds a number of its own.
const SEED: u64 = 7_2026;

/// The rules with puzzles. Under the others a four may be answered at several points, so that its reply is no matter of
/// course.
const RULES: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];

/// How many fours the puzzles of each rule take, and how many puzzles there are of each kind.
const KINDS: [(RangeInclusive<u32>, usize); 6] =
    [(2..=2, 6), (3..=3, 6), (4..=4, 6), (5..=5, 6), (6..=7, 4), (8..=14, 2)];

/// The fewest moves that make a four, of which at most half may begin a VCF. Where there are but two, the ends of one
/// three, the win is found by trying both.
const LEAST_FOURS: usize = 4;

/// Side of the board.
const SIDE: usize = 15;

/// Nodes for a move of the games, drawn anew for each.
const GAME_NODES: RangeInclusive<u64> = 1..=60;

/// Most stones of a puzzle.
const MOST_STONES: usize = 70;

/// Nodes for the quick search that tells whether there may be a VCF at all.
const QUICK_NODES: u64 = 20_000;

/// Nodes for each slow search. What takes more is left out.
const SLOW_NODES: u64 = 100_000;

/// How deep to look for VCFs that other moves begin, in plies.
const FAR: u32 = 31;

/// A puzzle, before it is written down.
struct Puzzle {
    rule: Rule,
    fours: u32,
    stones: Stones,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/gui/page/puzzles.json"),
        PathBuf::from,
    );
    let of_rule = |(n, rule)| with_rule!(rule, R => from_games::<R>(&mut rng(SEED + n as u64)));
    let puzzles: Vec<Puzzle> = RULES.into_par_iter().enumerate().flat_map_iter(of_rule).collect();
    fs::write(path, text(&puzzles))?;
    Ok(())
}

/// Plays games until there are as many puzzles of each kind as are wanted.
fn from_games<R: RuleSet>(rng: &mut StdRng) -> Vec<Puzzle> {
    let mut missing = KINDS.map(|(_, count)| count);
    let mut engine = Engine::new(1, Engine::memory_for(1, 4 << 20));
    let mut found = Vec::new();
    while missing.iter().sum::<usize>() > 0 {
        engine.new_game();
        let count = rng.random_range(3..=7);
        let mut stones = scattered(R::RULE, Size::square(SIDE), count, 5, rng);
        while is_open::<R>(&stones) && stones.history().len() < MOST_STONES {
            let kind = fours_to_find::<R>(&stones)
                .and_then(|fours| Some((fours, KINDS.iter().position(|(range, _)| range.contains(&fours))?)))
                .filter(|&(_, kind)| missing[kind] > 0);
            if let Some((fours, kind)) = kind {
                missing[kind] -= 1;
                println!("{}: {fours} fours, missing {missing:?}", R::RULE);
                found.push(Puzzle { rule: R::RULE, fours, stones });
                // Its other positions would be much alike.
                break;
            }
            let limits = Limits { nodes: Some(rng.random_range(GAME_NODES)), ..Limits::default() };
            let (request, control) = (Request::best(limits), Control::new());
            let answer = engine.think(&Question::new(R::RULE, &stones, &request, &control));
            stones.place(answer.moves[0], stones.to_move());
        }
    }
    found.sort_by_key(|puzzle| (puzzle.fours, puzzle.stones.history().len()));
    found
}

/// With how many fours the side to move wins; `None` if that is no puzzle.
fn fours_to_find<R: RuleSet>(stones: &Stones) -> Option<u32> {
    let limits = SolverLimits { nodes: Some(QUICK_NODES), memory: 8 << 20, ..SolverLimits::default() };
    let solution = Solver::new(limits).within(ThreatSpace::Vcf).solve(R::RULE, stones).ok()?;
    if !matches!(solution.verdict, SolverVerdict::Win(_)) {
        return None;
    }
    let mut stones = stones.clone();
    let (own, moves) = (stones.to_move(), legal_moves::<R>(&stones));
    if moves.iter().any(|&point| wins_at::<R>(&stones, point, !own)) {
        return None;
    }
    let Outcome::Win(plies) = SlowVcf::<R>::new(SLOW_NODES).shortest(&mut stones, FAR) else { return None };
    let fours = moves.iter().filter(|&&point| makes_four::<R>(&mut stones, point)).count();
    if fours < LEAST_FOURS {
        return None;
    }
    let mut begins = |&point: &Point| {
        SlowVcf::<R>::new(SLOW_NODES).shortest_after(&mut stones, point, FAR) != Outcome::NoWin
    };
    (2 * moves.iter().filter(|point| begins(point)).count() <= fours).then_some((plies - 1) / 2)
}

fn is_open<R: RuleSet>(stones: &Stones) -> bool {
    judge::verdict::<R>(stones) == Verdict::Ongoing
}

/// The file: a puzzle a line, its stones in turn from Black's first, rows counted from the top.
fn text(puzzles: &[Puzzle]) -> String {
    let lines = puzzles.iter().map(|Puzzle { rule, fours, stones }| {
        let moves: String = stones.history().iter().map(|(point, _)| point.to_string()).collect();
        let id = format!("{:08x}", stones.hash() as u32);
        format!(r#"{{"id": "{id}", "rule": "{rule}", "fours": {fours}, "stones": "{moves}"}}"#)
    });
    format!("[\n{}\n]\n", lines.collect::<Vec<_>>().join(",\n"))
}
