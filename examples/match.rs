//! A match between two engines: `cargo run --release --example match -- "cmd=/path/to/engine turn=100ms"`.
//! Without an argument the built-in engine plays itself with fewer nodes.

use kagetsu::arena::{Book, EngineSpec, Event, MatchConfig, Stop, run_match};
use kagetsu::{Rule, Size};

fn main() -> anyhow::Result<()> {
    let opponent = std::env::args().nth(1).unwrap_or_else(|| "name=opponent nodes=500".to_owned());
    let engines =
        vec![EngineSpec::parse("name=kagetsu nodes=2000", &[])?, EngineSpec::parse(&opponent, &[])?];
    let book = Book::random(Rule::Freestyle, Size::square(15), 4, 10, 1)?;
    let config = MatchConfig { games: 10, ..MatchConfig::new(engines, book) };
    let summary = run_match(&config, &Default::default(), &Stop::new(), |_, event| {
        if let Event::Game(game) = event {
            println!("game {}: {} against {}, {:?}", game.id, game.names.0, game.names.1, game.result);
        }
    })?;
    println!("kagetsu scored {:.0} %", 100.0 * summary.standings.encounter((0, 1)).score());
    Ok(())
}
