//! How early a game from each of the 26 renju openings is solved: the table of `docs/solver.md`.
//!
//! ```text
//! cargo run --release --example solve_openings                  # 100,000 nodes a question, some minutes in all
//! cargo run --release --example solve_openings -- 30000000     # some minutes a question
//! ```
//!
//! Kagetsu plays on against itself under the freestyle rule, and the solver is asked before each move. The
//! first position that it proves gives a row of the table. Node counts are the same in every run of the same
//! build.

use std::env;
use std::error::Error;

use kagetsu::rules::Freestyle;
use kagetsu::rules::judge::{self, Verdict as Judged};
use kagetsu::solve::check;
use kagetsu::{
    Control, Engine, Limits, Question, Request, Rule, Size, Solver, SolverLimits, SolverVerdict, Stones,
};

/// The openings of the Renju International Federation: name, and the first three moves.
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

/// Node limit for each question to the solver, unless an argument gives another.
const DEFAULT_NODES: u64 = 100_000;

/// Nodes for each move of the games.
const PLAY_NODES: u64 = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let nodes = env::args().nth(1).map_or(Ok(DEFAULT_NODES), |text| text.parse())?;
    let solver = Solver::new(SolverLimits { nodes: Some(nodes), ..SolverLimits::default() });
    let mut engine = Engine::new(1, Engine::memory_for(1, 16 << 20));
    println!("| Opening | Moves until proven | Stones | Wins | Plies | Nodes of the proof | Nodes | ms |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, moves) in OPENINGS {
        let mut stones = Stones::new(Size::square(15));
        for point in moves.split(' ') {
            stones.place(point.parse()?, stones.to_move());
        }
        engine.new_game();
        println!("| {name} | {} |", first_proof(stones, &mut engine, &solver)?);
    }
    Ok(())
}

/// Plays on until a position is proven, and returns its row of the table.
fn first_proof(mut stones: Stones, engine: &mut Engine, solver: &Solver) -> Result<String, Box<dyn Error>> {
    loop {
        let moves: Vec<String> = stones.history().iter().map(|(point, _)| point.to_string()).collect();
        let (count, moves) = (moves.len(), moves.join(" "));
        if judge::verdict::<Freestyle>(&stones) != Judged::Ongoing {
            return Ok(format!("{moves} | {count} | nothing proven | | | |"));
        }
        let solution = solver.solve(Rule::Freestyle, &stones)?;
        if let SolverVerdict::Win(proof) = &solution.verdict {
            let (side, plies, size) = (stones.to_move().name(), check(proof)?.plies, proof.nodes.len());
            let (nodes, ms) = (solution.nodes, solution.time.as_millis());
            return Ok(format!("{moves} | {count} | {side} | {plies} | {size} | {nodes} | {ms}"));
        }
        let limits = Limits { nodes: Some(PLAY_NODES), ..Limits::default() };
        let request = Request::best(limits);
        let answer = engine.think(&Question::new(Rule::Freestyle, &stones, &request, &Control::new()));
        stones.place(answer.moves[0], stones.to_move());
    }
}
