//! Positions of which it is known what can be forced: `solver/*.pos`, described in `harness/positions.rs`.
//!
//! Every win must be found and its proof must pass the checker; where there is no win, the search must say so.
//! What it takes is counted by `cargo bench --bench solver`.
//!
//! The files are made by Kagetsu itself, from random stones and from its own games; this makes them again:
//!
//! ```text
//! cargo test --test solver make_positions -- --ignored --nocapture
//! ```

#[path = "harness/fours.rs"]
#[allow(dead_code)]
mod fours;
#[path = "harness/positions.rs"]
mod positions;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use fours::{Fours, Outcome};
use kagetsu::board::{Point, Size, Stones};
use kagetsu::engine::Engine;
use kagetsu::formats::{moves, picture};
use kagetsu::rules::reference::{self, Verdict as Judged, judge};
use kagetsu::rules::{Rule, RuleSet};
use kagetsu::search::{Control, Limits, Request};
use kagetsu::solve::{Proof, Settings, Solution, Stage, Verdict, check, solve};
use kagetsu::with_rule;
use positions::{Claim, Known, read_all};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Positions that the solver may search for a win by fours; the hardest of the files takes a fraction of it.
const FOURS_NODES: u64 = 3_000_000;

/// Positions that it may search for other wins. How long the win is that it finds hangs on the limit.
const WIN_NODES: u64 = 60_000;

fn solved<R: RuleSet>(stones: &Stones, fours_only: bool, nodes: u64) -> Solution {
    let settings = Settings { fours_only, nodes, memory: 64 << 20, ..Settings::default() };
    solve::<R>(stones, &settings, &AtomicBool::new(false), &mut |_| {}).expect("the game goes on")
}

/// Plies of the proof, if it holds as it would stand in a file.
fn plies_checked(proof: &Proof) -> Result<u32, String> {
    let proof = Proof::from_json(&proof.to_json()).map_err(|error| error.to_string())?;
    check(&proof).map(|checked| checked.plies).map_err(|flaw| format!("the proof breaks {flaw}"))
}

fn verify(known: &Known) -> Result<(), String> {
    let fours_only = matches!(known.claim, Claim::Fours(_));
    let nodes = if fours_only { FOURS_NODES } else { WIN_NODES };
    let solution = with_rule!(known.rule, R => solved::<R>(&known.stones, fours_only, nodes));
    match (known.claim, &solution.verdict) {
        (Claim::Fours(plies), Verdict::Win(proof)) => match plies_checked(proof)? {
            found if found == plies => Ok(()),
            found => Err(format!("wins in {plies} plies, the proof has {found}")),
        },
        (Claim::Threats(plies), Verdict::Win(proof)) => match plies_checked(proof)? {
            _ if solution.stage == Stage::Fours => Err("is won by fours alone".to_owned()),
            found if found <= plies => Ok(()),
            found => Err(format!("wins in {plies} plies, the proof has {found}")),
        },
        (Claim::Nothing, Verdict::NoWin(Stage::AnyThreat)) => Ok(()),
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
    let by_threats = all.iter().filter(|known| matches!(known.claim, Claim::Threats(_))).count();
    assert!(all.len() - none >= 100 && by_threats >= 50 && none >= 50, "{} {by_threats} {none}", all.len());
    for rule in Rule::ALL {
        assert!(all.iter().filter(|known| known.rule == rule).count() >= 15, "{rule}");
    }
    let hashes: HashSet<(&str, u64)> = all.iter().map(|k| (k.rule.name(), k.stones.hash())).collect();
    assert_eq!(hashes.len(), all.len(), "a position is there twice");
    for (rule, stones) in all.iter().map(|known| (known.rule, &known.stones)) {
        let mut again = Stones::new(stones.size());
        for &(point, color) in stones.history() {
            again.place(point, color);
            with_rule!(rule, R => assert_eq!(judge::<R>(&again), Judged::Ongoing, "{rule} {point}"));
        }
    }
}

/// The slow search of the harness shares no code with the solver.
#[test]
fn wins_by_fours_are_those_of_the_slow_search() {
    let mut seen = [0; 2];
    for (n, rule) in Rule::ALL.into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(n as u64);
        for game in 0..60 {
            let size = [Size::square(15), Size::square(10), Size::new(20, 7).unwrap()][game % 3];
            with_rule!(rule, R => {
                let count = rng.random_range(14..36);
                let mut stones = strewn::<R>(size, count, 9, &mut rng);
                let solution = solved::<R>(&stones, true, 200_000);
                let slow = Fours::<R>::new(20_000).shortest(&mut stones, 41);
                let agrees = match (&solution.verdict, slow) {
                    (_, Outcome::Unknown) | (Verdict::NotFound, _) => continue,
                    (Verdict::Win(proof), Outcome::Win(plies)) => plies_checked(proof) == Ok(plies),
                    (Verdict::NoWin(stage), Outcome::NoWin) => *stage == Stage::Fours,
                    _ => false,
                };
                assert!(agrees, "{rule} {slow:?} {:?}\n{}", solution.verdict, picture::draw(&stones));
                seen[usize::from(slow == Outcome::NoWin)] += 1;
            });
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// Stones strewn over the middle of a board, none of them making a five or a foul.
fn strewn<R: RuleSet>(size: Size, count: usize, spread: usize, rng: &mut StdRng) -> Stones {
    let mut stones = Stones::new(size);
    let mut misses = 0;
    while stones.history().len() < count && misses < 200 {
        let mut at = |side: usize| {
            let spread = spread.min(side);
            (side - spread) / 2 + rng.random_range(0..spread)
        };
        let point = Point::new(at(size.width()), at(size.height()));
        if may_stand::<R>(&stones, point) {
            stones.place(point, stones.to_move());
        } else {
            misses += 1;
        }
    }
    stones
}

fn may_stand<R: RuleSet>(stones: &Stones, point: Point) -> bool {
    let own = stones.to_move();
    stones.is_empty_at(point)
        && !reference::wins_at::<R>(stones, point, own)
        && !reference::is_forbidden::<R>(stones, point, own)
}

// The rest makes the files.

/// Where the random stones and openings come from.
const SEED: u64 = 2026;

/// Plies of the long wins by fours that are made for each rule.
const LONG: [u32; 5] = [21, 23, 25, 27, 29];

/// For each rule: how many wins by threats of which lengths in plies.
const THREATS: [(u32, u32, usize); 4] = [(5, 9, 3), (11, 15, 4), (17, 21, 4), (23, 25, 2)];

/// Positions without a win for each rule.
const NONE: usize = 12;

/// Positions from random stones for each rule.
const RANDOM_WINS: usize = 6;
const RANDOM_NONE: usize = 8;

/// Positions searched for a move of the games.
const GAME_NODES: u64 = 1_500;

/// Positions that must be searched before it is clear that there is no win: easier ones show nothing.
const NONE_FROM: u64 = 1_500;

/// Makes the files of `solver/` anew.
#[test]
#[ignore = "writes the files of solver/"]
fn make_positions() {
    let is_wanted = |kind: &str| std::env::var("KAGETSU_FILE").map_or(true, |wanted| wanted == kind);
    if is_wanted("fours-long.pos") {
        let mut text = format!(
            "# Long wins by fours: random stones from seed {SEED}, moved about until the shortest way is long.\n"
        );
        for (n, rule) in Rule::ALL.into_iter().enumerate() {
            let mut rng = StdRng::seed_from_u64(SEED + n as u64);
            text += &with_rule!(rule, R => make_long::<R>(rule, &mut rng));
            save("fours-long.pos", &text);
        }
    }
    if is_wanted("random.pos") {
        let mut text = format!("# Wins by fours and threes, and none: random stones from seed {SEED}.\n");
        for (n, rule) in Rule::ALL.into_iter().enumerate() {
            let mut rng = StdRng::seed_from_u64(SEED + 200 + n as u64);
            text += &with_rule!(rule, R => make_random::<R>(rule, &mut rng));
            save("random.pos", &text);
        }
    }
    let wins = format!(
        "# Wins by fours and threes, from Kagetsu's own games of {GAME_NODES} positions a move, seed {SEED}.\n"
    );
    let none = format!(
        "# No win by fours and threes, from the same games: {NONE_FROM} positions or more show it.\n"
    );
    let mut texts = [wins, none];
    if is_wanted("games") {
        // Games of caro rarely come to such wins.
        for (n, rule) in [Rule::Freestyle, Rule::Standard, Rule::Renju].into_iter().enumerate() {
            let mut rng = StdRng::seed_from_u64(SEED + 100 + n as u64);
            with_rule!(rule, R => make_from_games::<R>(rule, &mut rng, &mut texts));
            save("threats.pos", &texts[0]);
            save("none.pos", &texts[1]);
        }
    }
}

fn save(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/solver").join(name);
    fs::write(path, text).expect("the file can be written");
}

fn written(rule: Rule, stones: &Stones) -> String {
    let size = stones.size();
    let sides = if size.width() == size.height() { size.width().to_string() } else { size.to_string() };
    let moves: String = stones.history().iter().map(|(point, _)| point.to_string()).collect();
    format!("{rule} {sides} {moves}")
}

fn make_long<R: RuleSet>(rule: Rule, rng: &mut StdRng) -> String {
    let mut text = String::new();
    for (n, wanted) in LONG.into_iter().enumerate() {
        let size = [Size::square(15), Size::square(20), Size::new(20, 15).unwrap()][n % 3];
        let stones = loop {
            let count = rng.random_range(24..60);
            if let Some(stones) = lengthened::<R>(strewn::<R>(size, count, 12, rng), wanted, rng) {
                break stones;
            }
        };
        println!("{rule} {wanted}");
        let _ = writeln!(text, "{}; fours {wanted}", written(rule, &stones));
    }
    text
}

/// One stone after the other is moved elsewhere, as long as that does not make the way to the win shorter.
fn lengthened<R: RuleSet>(mut stones: Stones, wanted: u32, rng: &mut StdRng) -> Option<Stones> {
    let plies_of = |stones: &Stones| match solved::<R>(stones, true, 30_000).verdict {
        Verdict::Win(proof) => proof.lengths()[proof.root as usize],
        _ => 0,
    };
    let mut plies = 0;
    for _ in 0..1500 {
        let history = stones.history();
        let moved = rng.random_range(0..history.len());
        let near = history[rng.random_range(0..history.len())].0;
        let mut nudge = |at: usize| at as i64 + rng.random_range(-2..=2);
        let Some(place) = Point::checked(nudge(near.x()), nudge(near.y()), stones.size()) else { continue };
        let mut other = Stones::new(stones.size());
        let stands = history.iter().enumerate().all(|(n, &(point, _))| {
            let point = if n == moved { place } else { point };
            let fits = may_stand::<R>(&other, point);
            if fits {
                other.place(point, other.to_move());
            }
            fits
        });
        if !stands {
            continue;
        }
        let other_plies = plies_of(&other);
        if other_plies >= plies.max(1) && other_plies <= wanted {
            (stones, plies) = (other, other_plies);
            if plies == wanted {
                return Some(stones);
            }
        }
    }
    None
}

fn make_random<R: RuleSet>(rule: Rule, rng: &mut StdRng) -> String {
    let (mut wins, mut none) = (String::new(), String::new());
    let mut game = 0;
    while wins.lines().count() < RANDOM_WINS || none.lines().count() < RANDOM_NONE {
        game += 1;
        let size = [Size::square(15), Size::square(11), Size::new(20, 9).unwrap()][game % 3];
        let count = rng.random_range(8..22);
        let stones = strewn::<R>(size, count, 7, rng);
        let solution = solved::<R>(&stones, false, WIN_NODES);
        match &solution.verdict {
            Verdict::Win(proof) if solution.stage > Stage::Fours => {
                let plies = plies_checked(proof).expect("proofs hold");
                if (7..=25).contains(&plies) && wins.lines().count() < RANDOM_WINS {
                    let _ = writeln!(wins, "{}; threats {plies}", written(rule, &stones));
                    println!("{rule} {plies}");
                }
            }
            Verdict::NoWin(_) if solution.nodes >= NONE_FROM && none.lines().count() < RANDOM_NONE => {
                let _ = writeln!(none, "{}; none", written(rule, &stones));
                println!("{rule} none");
            }
            _ => {}
        }
    }
    wins + &none
}

fn make_from_games<R: RuleSet>(rule: Rule, rng: &mut StdRng, texts: &mut [String; 2]) {
    let mut engine = Engine::new(1, Engine::memory_for(1, 4 << 20));
    let mut missing = THREATS.map(|(.., count)| count);
    let mut missing_none = NONE;
    let mut game = 0;
    while missing_none + missing.iter().sum::<usize>() > 0 {
        let sides = [Size::square(15), Size::square(20), Size::square(13), Size::new(19, 15).unwrap()];
        let size = sides[[0, 0, 1, 0, 2, 1, 3][game % 7]];
        game += 1;
        let stones = rng.random_range(3..8);
        let mut stones = strewn::<R>(size, stones, 5, rng);
        engine.new_game();
        // A few positions of each game, so that they differ.
        let mut taken = [false; 2];
        while judge::<R>(&stones) == Judged::Ongoing && stones.history().len() < 60 {
            let solution = solved::<R>(&stones, false, WIN_NODES);
            match &solution.verdict {
                Verdict::Win(_) if solution.stage == Stage::Fours => break,
                Verdict::Win(proof) => {
                    let plies = plies_checked(proof).expect("proofs hold");
                    let kind = THREATS.iter().position(|&(least, most, _)| (least..=most).contains(&plies));
                    if let Some(kind) = kind.filter(|&kind| missing[kind] > 0 && !taken[0]) {
                        missing[kind] -= 1;
                        taken[0] = true;
                        println!("{rule} {plies} plies, {} positions, missing {missing:?}", solution.nodes);
                        let _ = writeln!(texts[0], "{}; threats {plies}", written(rule, &stones));
                    }
                }
                Verdict::NoWin(_) if solution.nodes >= NONE_FROM && missing_none > 0 && !taken[1] => {
                    taken[1] = true;
                    missing_none -= 1;
                    let _ = writeln!(texts[1], "{}; none", written(rule, &stones));
                }
                Verdict::NoWin(_) | Verdict::NotFound => {}
            }
            let limits = Limits { nodes: Some(GAME_NODES), ..Limits::default() };
            let answer = engine.think(rule, &stones, &Request::best(limits), &Control::new(), &|_| {});
            stones.place(answer.moves[0], stones.to_move());
        }
    }
}

/// The 26 openings of the Renju International Federation: name, and the first three moves.
const OPENINGS: [(&str, &str); 26] = [
    ("Kansei", "h8 h7 h6"),
    ("Keigetsu", "h8 h7 i6"),
    ("Sosei", "h8 h7 j6"),
    ("Kagetsu", "h8 h7 i7"),
    ("Zangetsu", "h8 h7 j7"),
    ("Ugetsu", "h8 h7 i8"),
    ("Kinsei", "h8 h7 j8"),
    ("Shogetsu", "h8 h7 h9"),
    ("Kyugetsu", "h8 h7 i9"),
    ("Shingetsu", "h8 h7 j9"),
    ("Zuisei", "h8 h7 h10"),
    ("Sangetsu", "h8 h7 i10"),
    ("Yusei", "h8 h7 j10"),
    ("Chosei", "h8 i7 j6"),
    ("Kyogetsu", "h8 i7 j7"),
    ("Kosei", "h8 i7 j8"),
    ("Suigetsu", "h8 i7 j9"),
    ("Ryusei", "h8 i7 j10"),
    ("Ungetsu", "h8 i7 i8"),
    ("Hogetsu", "h8 i7 i9"),
    ("Rangetsu", "h8 i7 i10"),
    ("Gingetsu", "h8 i7 h9"),
    ("Myojo", "h8 i7 h10"),
    ("Shagetsu", "h8 i7 g9"),
    ("Meigetsu", "h8 i7 g10"),
    ("Suisei", "h8 i7 f10"),
];

/// A row of `docs/solver.md` for each opening: Kagetsu plays on against itself, freestyle, and the solver is asked
/// before each move; the first position that it proves counts. `KAGETSU_NODES` positions for each question,
/// 100,000 unless given.
#[test]
#[ignore = "prints a table, takes minutes"]
fn openings() {
    let nodes = std::env::var("KAGETSU_NODES").map_or(100_000, |text| text.parse().expect("a number"));
    let mut engine = Engine::new(1, Engine::memory_for(1, 16 << 20));
    println!("| Opening | Moves until proven | Wins | Plies | Nodes of the proof | Positions | ms |");
    println!("|---|---|---|---|---|---|---|");
    for (name, played) in OPENINGS {
        let stones = moves::position(played, Size::square(15)).expect("openings are moves");
        engine.new_game();
        println!("{}", with_rule!(Rule::Freestyle, R => first_proof::<R>(name, stones, &mut engine, nodes)));
    }
}

fn first_proof<R: RuleSet>(name: &str, mut stones: Stones, engine: &mut Engine, nodes: u64) -> String {
    const PLAY_NODES: u64 = 20_000;
    loop {
        let written: Vec<String> = stones.history().iter().map(|(point, _)| point.to_string()).collect();
        let written = written.join(" ");
        if judge::<R>(&stones) != Judged::Ongoing {
            return format!("| {name} | {written} | nothing proven | | | | |");
        }
        let settings = Settings { nodes, memory: 320 << 20, ..Settings::default() };
        let solution = solve::<R>(&stones, &settings, &AtomicBool::new(false), &mut |_| {});
        let solution = solution.expect("the game goes on");
        if let Verdict::Win(proof) = &solution.verdict {
            let plies = plies_checked(proof).expect("proofs hold");
            let (side, size) = (stones.to_move().name(), proof.nodes.len());
            let (nodes, ms) = (solution.nodes, solution.time.as_millis());
            return format!("| {name} | {written} | {side} | {plies} | {size} | {nodes} | {ms} |");
        }
        let limits = Limits { nodes: Some(PLAY_NODES), ..Limits::default() };
        let answer = engine.think(R::RULE, &stones, &Request::best(limits), &Control::new(), &|_| {});
        stones.place(answer.moves[0], stones.to_move());
    }
}
