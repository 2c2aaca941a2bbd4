//! Makes the positions of `protocol-tests/suites`: VCFs of every length, and threats that must be met.
//!
//! ```text
//! cargo run --release --example generate_suites                       # all files, into protocol-tests/suites
//! cargo run --release --example generate_suites -- /tmp hold.pos     # one of them, into a folder of choice
//! ```
//!
//! Every position is made from random stones with a fixed seed, so a file comes out the same each time, byte
//! for byte. All files together take a quarter of an hour. `protocol-tests/suites.rs` explains what the lines
//! mean, and its tests check the files with the same slow search that is used here.

#[path = "../protocol-tests/harness/positions.rs"]
#[allow(dead_code)]
mod positions;
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

use kagetsu::rules::{RuleSet, with_rule};
use kagetsu::{Color, Point, Rule, Size, Stones};
use positions::head;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use random::{scatter, with_one_moved};
use slow_vcf::{Outcome, SlowVcf, holding_moves, legal_moves};

/// The seed of the random stones; each file adds a number of its own.
const SEED: u64 = 15_2025;

/// The files of VCFs: name, rule, and the side that has one.
const VCF_FILES: [(&str, Rule, Color); 5] = [
    ("vcf-freestyle.pos", Rule::Freestyle, Color::Black),
    ("vcf-standard.pos", Rule::Standard, Color::White),
    ("vcf-renju-black.pos", Rule::Renju, Color::Black),
    ("vcf-renju-white.pos", Rule::Renju, Color::White),
    ("vcf-caro.pos", Rule::Caro, Color::Black),
];

/// The file of threats that must be met, and the number that it adds to the seed.
const HOLD_FILE: (&str, u64) = ("hold.pos", 100);

/// The lengths in plies of the VCFs in each file.
const LENGTHS: [u32; 16] = [3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15, 17, 17, 19];

/// The lengths in plies of the threats that must be met.
const THREATS: [u32; 3] = [3, 5, 7];

/// How deep to search for a VCF that a move may begin, in plies.
const FAR: u32 = 41;

/// How many plies a defence must hold.
const HOLD_PLIES: u32 = 13;

/// Node limit for a VCF search. A VCF that is hard to find is also hard to check, so positions that need more
/// nodes are left out.
const EASY: u64 = 3_000;

/// Node limit for deciding whether a move holds.
const HOLD_NODES: u64 = 3_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/suites");
    let folder = arguments.next().map_or_else(default, PathBuf::from);
    let wanted: Vec<String> = arguments.collect();
    let is_wanted = |file: &str| wanted.is_empty() || wanted.iter().any(|name| name == file);
    let names = || VCF_FILES.map(|(file, ..)| file).into_iter().chain([HOLD_FILE.0]);
    if let Some(unknown) = wanted.iter().find(|name| names().all(|file| file != *name)) {
        return Err(format!("{unknown} is none of {}", names().collect::<Vec<_>>().join(", ")).into());
    }
    let made_from =
        |seed: u64| format!("random stones from seed {seed}, made by examples/generate_suites.rs");
    for ((file, rule, attacker), seed) in VCF_FILES.into_iter().zip(SEED..) {
        if is_wanted(file) {
            let mut rng = StdRng::seed_from_u64(seed);
            let text = format!("# VCFs, {rule}: {}.\n", made_from(seed));
            let text = text + &with_rule!(rule, R => vcf_file::<R>(attacker, &mut rng));
            fs::write(folder.join(file), text)?;
        }
    }
    let (file, number) = HOLD_FILE;
    if is_wanted(file) {
        let mut rng = StdRng::seed_from_u64(SEED + number);
        let mut text = format!("# Threats to be met: {}.\n", made_from(SEED + number));
        for rule in Rule::ALL {
            for color in Color::ALL {
                text += &with_rule!(rule, R => threats_to_hold::<R>(color, &mut rng));
            }
        }
        fs::write(folder.join(file), text)?;
    }
    Ok(())
}

/// A VCF of each length.
fn vcf_file<R: RuleSet>(attacker: Color, rng: &mut StdRng) -> String {
    let mut text = String::new();
    for (n, wanted) in LENGTHS.into_iter().enumerate() {
        // Some are on the large board. Long VCFs in positions that only fours win are too rare there.
        let side = if n % 4 == 3 && wanted < 15 && !R::forbids(Color::Black) { 20 } else { 15 };
        let stones = loop {
            if let Some(stones) = lengthened::<R>(side, attacker, wanted, rng) {
                break stones;
            }
        };
        println!("{}: VCF of {wanted} plies", R::RULE);
        text += &format!("{}; win {wanted}\n", head(R::RULE, &stones));
    }
    text
}

/// A position whose shortest VCF has exactly `wanted` plies. Starting from random stones, one stone after
/// another is moved elsewhere, and each change that does not shorten the win is kept.
fn lengthened<R: RuleSet>(side: usize, attacker: Color, wanted: u32, rng: &mut StdRng) -> Option<Stones> {
    const STEPS: usize = 400;
    let mut stones = random_stones::<R>(side, attacker, 8..=26, rng)?;
    let mut plies = 0;
    for _ in 0..STEPS {
        let Some(mut other) = with_one_moved(R::RULE, &stones, rng) else { continue };
        let Outcome::Win(found) = SlowVcf::<R>::new(EASY).shortest(&mut other, wanted) else { continue };
        if found >= plies {
            (stones, plies) = (other, found);
            if plies == wanted && only_fours_win::<R>(&mut stones) {
                return Some(stones);
            }
        }
    }
    None
}

/// Whether no quiet move could win as well: after each, the opponent has a VCF, or nothing is threatened.
fn only_fours_win<R: RuleSet>(stones: &mut Stones) -> bool {
    let own = stones.to_move();
    legal_moves::<R>(stones).into_iter().all(|point| {
        if SlowVcf::<R>::new(EASY).shortest_after(stones, point, FAR) != Outcome::NoWin {
            return true;
        }
        stones.place(point, own);
        let lost = matches!(shortest::<R>(stones), Outcome::Win(_));
        stones.set_to_move(own);
        let threatens = lost || shortest::<R>(stones) != Outcome::NoWin;
        stones.undo();
        lost || !threatens
    })
}

/// Positions, one for each length, in which the opponent threatens a VCF and only a few moves hold.
fn threats_to_hold<R: RuleSet>(defender: Color, rng: &mut StdRng) -> String {
    let mut text = String::new();
    for wanted in THREATS {
        loop {
            let Some(mut stones) = random_stones::<R>(15, defender, 6..=11, rng) else { continue };
            if shortest::<R>(&mut stones) != Outcome::NoWin {
                continue;
            }
            stones.set_to_move(!defender);
            let threat = shortest::<R>(&mut stones);
            stones.set_to_move(defender);
            if threat != Outcome::Win(wanted) {
                continue;
            }
            let holding = holding_moves::<R>(&mut stones, HOLD_PLIES, HOLD_NODES);
            let few = (1..=8).contains(&holding.len());
            if few && holding.iter().any(|&point| holds_once_more::<R>(&mut stones, point)) {
                let (side, ways) = (defender.name(), holding.len());
                println!("{}: {side} holds against {wanted} plies in {ways} ways", R::RULE);
                text += &format!("{}; hold {HOLD_PLIES}; ms 500\n", head(R::RULE, &stones));
                break;
            }
        }
    }
    text
}

/// Whether this move holds and every threat that could follow can be met as well: a position that is lost
/// anyway tests nothing.
fn holds_once_more<R: RuleSet>(stones: &mut Stones, point: Point) -> bool {
    let own = stones.to_move();
    stones.place(point, own);
    let holds = legal_moves::<R>(stones).into_iter().all(|threat| {
        stones.place(threat, !own);
        stones.set_to_move(!own);
        let harmless = shortest::<R>(stones) == Outcome::NoWin;
        stones.set_to_move(own);
        let held = harmless
            || shortest::<R>(stones) != Outcome::NoWin
            || !holding_moves::<R>(stones, HOLD_PLIES, HOLD_NODES).is_empty();
        stones.undo();
        held
    });
    stones.undo();
    holds
}

/// The shortest VCF, searched only as deep as these positions need.
fn shortest<R: RuleSet>(stones: &mut Stones) -> Outcome {
    SlowVcf::<R>::new(EASY).shortest(stones, HOLD_PLIES)
}

/// A random number of pairs of stones from this range, and one more stone if White is to move; `None` if
/// there was not enough room for them.
fn random_stones<R: RuleSet>(
    side: usize,
    to_move: Color,
    pairs: RangeInclusive<usize>,
    rng: &mut StdRng,
) -> Option<Stones> {
    const MOST_MISSES: usize = 201;
    let spread = rng.random_range(8..=11);
    let count = 2 * rng.random_range(pairs) + usize::from(to_move == Color::White);
    let mut stones = Stones::new(Size::square(side));
    scatter(R::RULE, &mut stones, count, spread, MOST_MISSES, rng).then_some(stones)
}
