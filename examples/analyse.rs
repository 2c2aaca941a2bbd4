//! The three best moves of a position, depth by depth: `cargo run --release --example analyse -- h8 i9 j8`. Rows are
//! counted from the bottom, as players count them.

use std::time::Duration;

use kagetsu::formats::point_names::{PointNames, Rows};
use kagetsu::{
    DEFAULT_MEMORY, Engine, Game, Limits, Point, Request, Rule, SearchProgress, Size, Task, TimeControl,
    win_probability,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size = Size::square(15);
    let names = PointNames::of(size).with_rows(Rows::FromBottom);
    let moves: Vec<Point> =
        std::env::args().skip(1).map(|name| names.point(&name)).collect::<Result<_, _>>()?;
    let game = Game::from_moves(Rule::Freestyle, size, moves)?;
    let time = TimeControl { turn: Some(Duration::from_secs(2)), ..TimeControl::default() };
    let limits = Limits { time, ..Limits::default() };
    let request = Request { task: Task::Rank { lines: 3 }, ..Request::best(limits) };

    // The search runs on a thread of its own and reports what it finds.
    let search = Engine::new(1, DEFAULT_MEMORY).start(game.rule(), game.stones(), request)?;
    for progress in search.progress() {
        if let SearchProgress::Line { rank, line, nodes, .. } = progress {
            let moves: Vec<String> = line.points.iter().map(|&point| names.name(point)).collect();
            let chance = 100.0 * win_probability(line.score);
            println!(
                "{}. depth {:2} {chance:3.0} % {nodes:9} nodes  {}",
                rank + 1,
                line.depth,
                moves.join(" ")
            );
        }
    }
    let (_, answer) = search.wait();
    println!("best: {}", names.name(answer.moves[0]));
    Ok(())
}
