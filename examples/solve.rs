//! Solves a position in the background, reports the progress, and checks the proof: `cargo run --example solve`.

use std::error::Error;
use std::time::Duration;

use kagetsu::{Game, Rule, Size, Solver, SolverLimits, SolverVerdict, check};

fn main() -> Result<(), Box<dyn Error>> {
    // Black is to move. There is no VCF, but there is a VCT.
    let mut game = Game::new(Rule::Freestyle, Size::square(15));
    for point in "f5 h10 f7 h8 e6 e10 h5 g7".split(' ') {
        game.play(point.parse()?)?;
    }

    let time = Some(Duration::from_secs(10));
    let solver = Solver::new(SolverLimits { time, ..SolverLimits::default() });
    let search = solver.start(game.rule(), game.stones())?;
    for progress in search.progress() {
        println!("{}: {} nodes, {} plies deep", progress.space, progress.nodes, progress.depth);
    }
    match search.wait().verdict {
        SolverVerdict::Win(proof) => {
            let line = proof.longest_line();
            let name = |point: &Option<_>| point.map_or("..".to_owned(), |point| format!("{point}"));
            println!(
                "{} wins: {}",
                game.to_move().name(),
                line.iter().map(name).collect::<Vec<_>>().join(" ")
            );
            println!("checked: five on ply {} at the latest", check(&proof)?.plies);
        }
        SolverVerdict::NoWin(space) => println!("there is no {space}"),
        SolverVerdict::Unknown => println!("nothing was settled in time"),
    }
    Ok(())
}
