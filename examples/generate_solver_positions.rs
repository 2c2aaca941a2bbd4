//! Makes the positions of `protocol-tests/solver`: long VCFs, VCTs, and positions in which nothing is forced.
//!
//! ```text
//! cargo run --release --example generate_solver_positions                          # into protocol-tests/solver
//! cargo run --release --example generate_solver_positions -- /tmp vcf-long.pos    # one file, into a folder
//! ```
//!
//! `vcf-long.pos` and `random.pos` are made from random stones with a fixed seed. `vct.pos` and `none.pos`
//! come from games of the engine against itself, which change when its search does. The same build makes the
//! same files each time.

#[path = "../protocol-tests/harness/positions.rs"]
#[allow(dead_code)]
mod positions;
#[path = "../protocol-tests/harness/random.rs"]
#[allow(dead_code)]
mod random;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use kagetsu::rules::judge::{self, Verdict as Judged};
use kagetsu::rules::with_rule;
use kagetsu::solve::check;
use kagetsu::{
    Control, Engine, Limits, Proof, Question, Request, Rule, Size, Solution, Solver, SolverLimits,
    SolverVerdict, Stones, ThreatSpace,
};
use positions::head;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use random::{scattered, with_one_moved};

/// The seed of the random stones and openings; each kind of file and each rule adds a number of its own.
const SEED: u64 = 2026;

/// The lengths in plies of the long VCFs for each rule.
const LONG: [u32; 5] = [21, 23, 25, 27, 29];

/// Node limit for finding a VCF while stones are moved about.
const VCF_NODES: u64 = 30_000;

/// Node limit for deciding whether a position has a VCT.
const VCT_NODES: u64 = 60_000;

/// The VCTs that are taken from games for each rule: shortest length, longest length (both in plies), and
/// number.
const VCT_FROM_GAMES: [(u32, u32, usize); 4] = [(5, 9, 3), (11, 15, 4), (17, 21, 4), (23, 25, 2)];

/// The number of positions without a VCT that are taken from games, for each rule.
const NONE_FROM_GAMES: usize = 12;

/// The numbers of positions from random stones for each rule, with a VCT and without.
const RANDOM_VCT: usize = 6;
const RANDOM_NONE: usize = 8;

/// Nodes for each move of the games.
const GAME_NODES: u64 = 1_500;

/// The fewest nodes that it must take to rule out a VCT: easier positions test nothing.
const NONE_FROM: u64 = 1_500;

/// The files. The last two are made from the same games.
const FILES: [&str; 4] = ["vcf-long.pos", "random.pos", "vct.pos", "none.pos"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/solver");
    let folder = arguments.next().map_or_else(default, PathBuf::from);
    let wanted: Vec<String> = arguments.collect();
    let is_wanted = |file: &str| wanted.is_empty() || wanted.iter().any(|name| name == file);
    if let Some(unknown) = wanted.iter().find(|name| !FILES.contains(&name.as_str())) {
        return Err(format!("{unknown} is none of {}", FILES.join(", ")).into());
    }
    let [vcf_long, random, vct, none] = FILES;
    if is_wanted(vcf_long) {
        fs::write(folder.join(vcf_long), long_vcfs())?;
    }
    if is_wanted(random) {
        fs::write(folder.join(random), from_random_stones())?;
    }
    if is_wanted(vct) || is_wanted(none) {
        let made = from_games();
        let write = |file: &str, text: &str| -> Result<(), std::io::Error> {
            if is_wanted(file) { fs::write(Path::new(&folder).join(file), text) } else { Ok(()) }
        };
        write(vct, &made.vct)?;
        write(none, &made.none)?;
    }
    Ok(())
}

fn solved(rule: Rule, stones: &Stones, widest: ThreatSpace, nodes: u64) -> Solution {
    let limits = SolverLimits { nodes: Some(nodes), memory: 64 << 20, ..SolverLimits::default() };
    Solver::new(limits).within(widest).solve(rule, stones).expect("the game goes on")
}

/// The length in plies of a proof, which must be valid.
fn plies_of(proof: &Proof) -> u32 {
    check(proof).expect("proofs hold").plies
}

fn long_vcfs() -> String {
    let mut text =
        format!("# Long VCFs: random stones from seed {SEED}, moved about until the shortest way is long.\n");
    for (rule, seed) in Rule::ALL.into_iter().zip(SEED..) {
        let mut rng = StdRng::seed_from_u64(seed);
        for (n, wanted) in LONG.into_iter().enumerate() {
            let size = [Size::square(15), Size::square(20), Size::new(20, 15).expect("a board")][n % 3];
            let stones = loop {
                let count = rng.random_range(24..60);
                let stones = scattered(rule, size, count, 12, &mut rng);
                if let Some(stones) = lengthened(rule, stones, wanted, &mut rng) {
                    break stones;
                }
            };
            println!("{rule}: VCF of {wanted} plies");
            text += &format!("{}; vcf {wanted}\n", head(rule, &stones));
        }
    }
    text
}

/// Moves one stone after another elsewhere, keeping each change that does not shorten the win, until the win
/// has the wanted length; `None` if it does not get there.
fn lengthened(rule: Rule, mut stones: Stones, wanted: u32, rng: &mut StdRng) -> Option<Stones> {
    const STEPS: usize = 1500;
    let mut plies = 0;
    for _ in 0..STEPS {
        let Some(other) = with_one_moved(rule, &stones, rng) else { continue };
        let verdict = solved(rule, &other, ThreatSpace::Vcf, VCF_NODES).verdict;
        let SolverVerdict::Win(proof) = verdict else { continue };
        let found = proof.lengths()[proof.root as usize];
        if (plies..=wanted).contains(&found) {
            (stones, plies) = (other, found);
            if plies == wanted {
                return Some(stones);
            }
        }
    }
    None
}

fn from_random_stones() -> String {
    let mut text = format!("# VCTs, and positions without one: random stones from seed {SEED}.\n");
    for (rule, seed) in Rule::ALL.into_iter().zip(SEED + 200..) {
        let mut rng = StdRng::seed_from_u64(seed);
        let (mut vct, mut none) = (Vec::new(), Vec::new());
        let mut game = 0;
        while vct.len() < RANDOM_VCT || none.len() < RANDOM_NONE {
            game += 1;
            let size = [Size::square(15), Size::square(11), Size::new(20, 9).expect("a board")][game % 3];
            let count = rng.random_range(8..22);
            let stones = scattered(rule, size, count, 7, &mut rng);
            let solution = solved(rule, &stones, ThreatSpace::Vct, VCT_NODES);
            match &solution.verdict {
                SolverVerdict::Win(proof) if solution.space > ThreatSpace::Vcf => {
                    let plies = plies_of(proof);
                    if (7..=25).contains(&plies) && vct.len() < RANDOM_VCT {
                        println!("{rule}: VCT of {plies} plies");
                        vct.push(format!("{}; vct {plies}\n", head(rule, &stones)));
                    }
                }
                SolverVerdict::NoWin(_) if solution.nodes >= NONE_FROM && none.len() < RANDOM_NONE => {
                    println!("{rule}: no VCT");
                    none.push(format!("{}; none\n", head(rule, &stones)));
                }
                _ => {}
            }
        }
        text.extend(vct.into_iter().chain(none));
    }
    text
}

/// The texts of the files that are made from games.
struct FromGames {
    vct: String,
    none: String,
}

fn from_games() -> FromGames {
    let vct = format!("# VCTs, from Kagetsu's own games of {GAME_NODES} nodes a move, seed {SEED}.\n");
    let none = format!("# No VCT, from the same games: {NONE_FROM} nodes or more show it.\n");
    let mut texts = FromGames { vct, none };
    // Games of caro rarely reach such wins.
    for (rule, seed) in [Rule::Freestyle, Rule::Standard, Rule::Renju].into_iter().zip(SEED + 100..) {
        play_games(rule, &mut StdRng::seed_from_u64(seed), &mut texts);
    }
    texts
}

/// Plays games under a rule until there are enough positions of each kind.
fn play_games(rule: Rule, rng: &mut StdRng, texts: &mut FromGames) {
    let mut engine = Engine::new(1, Engine::memory_for(1, 4 << 20));
    let mut missing_vct = VCT_FROM_GAMES.map(|(.., count)| count);
    let mut missing_none = NONE_FROM_GAMES;
    let sizes = [Size::square(15), Size::square(20), Size::square(13), Size::new(19, 15).expect("a board")];
    let mut game = 0;
    while missing_none + missing_vct.iter().sum::<usize>() > 0 {
        let size = sizes[[0, 0, 1, 0, 2, 1, 3][game % 7]];
        game += 1;
        let count = rng.random_range(3..8);
        let mut stones = scattered(rule, size, count, 5, rng);
        engine.new_game();
        // At most one position of each kind per game, so that they differ.
        let (mut has_vct, mut has_none) = (false, false);
        while is_open(rule, &stones) && stones.history().len() < 60 {
            let solution = solved(rule, &stones, ThreatSpace::Vct, VCT_NODES);
            match &solution.verdict {
                SolverVerdict::Win(_) if solution.space == ThreatSpace::Vcf => break,
                SolverVerdict::Win(proof) => {
                    let plies = plies_of(proof);
                    let is_kind = |&(least, most, _): &(u32, u32, usize)| (least..=most).contains(&plies);
                    let kind = VCT_FROM_GAMES.iter().position(is_kind);
                    if let Some(kind) = kind.filter(|&kind| missing_vct[kind] > 0 && !has_vct) {
                        missing_vct[kind] -= 1;
                        has_vct = true;
                        println!("{rule}: VCT of {plies} plies, missing {missing_vct:?}");
                        texts.vct += &format!("{}; vct {plies}\n", head(rule, &stones));
                    }
                }
                SolverVerdict::NoWin(_) if solution.nodes >= NONE_FROM && missing_none > 0 && !has_none => {
                    has_none = true;
                    missing_none -= 1;
                    texts.none += &format!("{}; none\n", head(rule, &stones));
                }
                SolverVerdict::NoWin(_) | SolverVerdict::Unknown => {}
            }
            let limits = Limits { nodes: Some(GAME_NODES), ..Limits::default() };
            let (request, control) = (Request::best(limits), Control::new());
            let answer = engine.think(&Question::new(rule, &stones, &request, &control));
            stones.place(answer.moves[0], stones.to_move());
        }
    }
}

fn is_open(rule: Rule, stones: &Stones) -> bool {
    with_rule!(rule, R => judge::verdict::<R>(stones) == Judged::Ongoing)
}
