//! The engine plays a game against itself: `cargo run --release --example play -- renju`.

use kagetsu::{Control, DEFAULT_MEMORY, Engine, Game, Limits, Question, Request, Rule, Size, Verdict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rule: Rule = std::env::args().nth(1).as_deref().unwrap_or("freestyle").parse()?;
    let mut game = Game::new(rule, Size::square(15));
    let mut engine = Engine::new(1, DEFAULT_MEMORY);
    while game.verdict() == Verdict::Ongoing {
        let request = Request::best(Limits { nodes: Some(2_000), ..Limits::default() });
        let answer = engine.think(&Question::new(rule, game.stones(), &request, &Control::new()));
        print!("{} ", answer.moves[0]);
        game.play(answer.moves[0])?;
    }
    println!("\n{:?} after {} moves", game.verdict(), game.moves().len());
    let line: Vec<String> = game.winning_line().iter().map(ToString::to_string).collect();
    println!("the winning line: {}", line.join(" "));
    Ok(())
}
