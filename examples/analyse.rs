//! The three best moves of a position, depth by depth: `cargo run --release --example analyse -- h8 i9 j8`.

use std::time::Duration;

use kagetsu::engine::DEFAULT_MEMORY;
use kagetsu::eval::score;
use kagetsu::{Background, Engine, Game, Limits, Point, Report, Request, Rule, Size, Task, TimeControl};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let moves: Vec<Point> = std::env::args().skip(1).map(|name| name.parse()).collect::<Result<_, _>>()?;
    let game = Game::from_moves(Rule::Freestyle, Size::square(15), moves)?;
    let time = TimeControl { turn: Some(Duration::from_secs(2)), ..TimeControl::default() };
    let limits = Limits { time, ..Limits::default() };
    let request = Request { task: Task::Best { lines: 3 }, ..Request::best(limits) };

    // The search runs on a thread of its own and reports what it finds.
    let search = Background::start(Engine::new(1, DEFAULT_MEMORY), game.rule(), game.stones(), request)?;
    for report in search.reports() {
        if let Report::Line { rank, line, nodes, .. } = report {
            let moves: Vec<String> = line.points.iter().map(ToString::to_string).collect();
            let chance = 100.0 * score::win_probability(line.score);
            println!(
                "{}. depth {:2} {chance:3.0} % {nodes:9} nodes  {}",
                rank + 1,
                line.depth,
                moves.join(" ")
            );
        }
    }
    let (_, answer) = search.wait();
    println!("best: {}", answer.moves[0]);
    Ok(())
}
