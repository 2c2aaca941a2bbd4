//! Positions of which it is known what can be forced: `solver/*.pos`, described in `harness/positions.rs`.
//!
//! Every win must be found and its proof must pass the checker; where there is no win, the search must say so.
//! What it takes is counted by `cargo bench --bench solver`. The files are made by Kagetsu itself, from random
//! stones and from its own games: `examples/generate_solver_positions.rs`.

#[path = "harness/positions.rs"]
#[allow(dead_code)]
mod positions;
#[path = "harness/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "harness/slow_vcf.rs"]
#[allow(dead_code)]
mod slow_vcf;

use std::collections::HashSet;
use std::fmt::Write as _;

use kagetsu::formats::picture;
use kagetsu::rules::judge::{self, Verdict as Judged};
use kagetsu::rules::with_rule;
use kagetsu::solve::check;
use kagetsu::{Proof, Rule, Size, Solution, Solver, SolverLimits, SolverVerdict, Stones, ThreatSpace};
use positions::{Claim, Known, read_all};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use random::scattered;
use slow_vcf::{Outcome, SlowVcf};

/// Nodes that the solver may take to find a VCF; the hardest of the files takes a fraction of it.
const VCF_NODES: u64 = 3_000_000;

/// Nodes that it may take for a VCT. How long the win is that it finds hangs on the limit.
const VCT_NODES: u64 = 60_000;

fn solved(rule: Rule, stones: &Stones, widest: ThreatSpace, nodes: u64) -> Solution {
    let limits = SolverLimits { nodes: Some(nodes), memory: 64 << 20, ..SolverLimits::default() };
    Solver::new(limits).within(widest).solve(rule, stones).expect("the game goes on")
}

/// Plies of the proof, if it holds as it would stand in a file.
fn plies_checked(proof: &Proof) -> Result<u32, String> {
    let proof = Proof::from_json(&proof.to_json()).map_err(|error| error.to_string())?;
    check(&proof).map(|checked| checked.plies).map_err(|flaw| format!("the proof breaks {flaw}"))
}

fn verify(known: &Known) -> Result<(), String> {
    let (widest, nodes) = match known.claim {
        Claim::Vcf(_) => (ThreatSpace::Vcf, VCF_NODES),
        Claim::Vct(_) | Claim::Nothing => (ThreatSpace::Vct, VCT_NODES),
    };
    let solution = solved(known.rule, &known.stones, widest, nodes);
    match (known.claim, &solution.verdict) {
        (Claim::Vcf(plies), SolverVerdict::Win(proof)) => match plies_checked(proof)? {
            found if found == plies => Ok(()),
            found => Err(format!("wins in {plies} plies, the proof has {found}")),
        },
        (Claim::Vct(plies), SolverVerdict::Win(proof)) => match plies_checked(proof)? {
            _ if solution.space == ThreatSpace::Vcf => Err("has a VCF".to_owned()),
            found if found <= plies => Ok(()),
            found => Err(format!("wins in {plies} plies, the proof has {found}")),
        },
        (Claim::Nothing, SolverVerdict::NoWin(ThreatSpace::Vct)) => Ok(()),
        (claim, verdict) => Err(format!("{claim:?} is known, but the search says {verdict:?}")),
    }
}

#[test]
fn what_is_known_is_found() {
    let all = read_all();
    let mut wrong = String::new();
    for known in &all {
        if let Err(why) = verify(known) {
            let (file, line, picture) = (&known.file, known.line, picture::draw(&known.stones));
            let _ = writeln!(wrong, "{file}:{line} {}: {why}\n{picture}", known.rule);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn there_are_positions_of_every_kind() {
    let all = read_all();
    let none = all.iter().filter(|known| known.claim == Claim::Nothing).count();
    let vct = all.iter().filter(|known| matches!(known.claim, Claim::Vct(_))).count();
    assert!(all.len() - none >= 100 && vct >= 50 && none >= 50, "{} {vct} {none}", all.len());
    for rule in Rule::ALL {
        assert!(all.iter().filter(|known| known.rule == rule).count() >= 15, "{rule}");
    }
    let hashes: HashSet<(&str, u64)> = all.iter().map(|k| (k.rule.name(), k.stones.hash())).collect();
    assert_eq!(hashes.len(), all.len(), "a position is there twice");
    for (rule, stones) in all.iter().map(|known| (known.rule, &known.stones)) {
        let mut again = Stones::new(stones.size());
        for &(point, color) in stones.history() {
            again.place(point, color);
            with_rule!(rule, R => assert_eq!(judge::verdict::<R>(&again), Judged::Ongoing, "{rule} {point}"));
        }
    }
}

/// The slow search of the harness shares no code with the solver.
#[test]
fn a_vcf_is_found_where_the_slow_search_finds_one() {
    let mut seen = [0; 2];
    for (n, rule) in Rule::ALL.into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(n as u64);
        for game in 0..60 {
            let size = [Size::square(15), Size::square(10), Size::new(20, 7).unwrap()][game % 3];
            let count = rng.random_range(14..36);
            let mut stones = scattered(rule, size, count, 9, &mut rng);
            let verdict = solved(rule, &stones, ThreatSpace::Vcf, 200_000).verdict;
            let slow = with_rule!(rule, R => SlowVcf::<R>::new(20_000).shortest(&mut stones, 41));
            let agrees = match (&verdict, slow) {
                (_, Outcome::Unknown) | (SolverVerdict::Unknown, _) => continue,
                (SolverVerdict::Win(proof), Outcome::Win(plies)) => plies_checked(proof) == Ok(plies),
                (SolverVerdict::NoWin(space), Outcome::NoWin) => *space == ThreatSpace::Vcf,
                _ => false,
            };
            assert!(agrees, "{rule} {slow:?} {verdict:?}\n{}", picture::draw(&stones));
            seen[usize::from(slow == Outcome::NoWin)] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}
