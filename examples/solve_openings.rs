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
use kagetsu::rules::renju_openings::{BOARD, RENJU_OPENINGS};
use kagetsu::solve::check;
use kagetsu::{
    Control, Engine, Limits, Question, Request, Rule, Solver, SolverLimits, SolverVerdict, Stones,
};

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
    for opening in &RENJU_OPENINGS {
        let mut stones = Stones::new(BOARD);
        for point in opening.stones {
            stones.place(point, stones.to_move());
        }
        engine.new_game();
        println!("| {} | {} |", opening.name, first_proof(stones, &mut engine, &solver)?);
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
