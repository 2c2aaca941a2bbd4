//! Whole matches between built-in engines.

use super::*;
use crate::arena::adjudication::Adjudication;
use crate::arena::opening_book::Book;
use crate::arena::records::GAMES_FILE;
use crate::arena::spec::{EngineSpec, make_names_unique};
use crate::board::Size;
use crate::rules::Rule;

fn config(engines: usize, games: usize) -> MatchConfig {
    let mut specs = vec![EngineSpec::parse("nodes=200", &[]).unwrap(); engines];
    make_names_unique(&mut specs, &vec![false; engines]).unwrap();
    let book = Book::random(Rule::Freestyle, Size::square(9), 4, 8, 1).unwrap();
    let adjudication = Adjudication { draw_after: Some(40), ..Adjudication::default() };
    MatchConfig { games, seed: 1, adjudication, ..MatchConfig::new(specs, book) }
}

fn games_of(config: &MatchConfig, stop_after: Option<usize>) -> Vec<GameRecord> {
    let stop = Stop::new();
    let mut games = Vec::new();
    run(config, &MatchContext::default(), &stop, |_, event| {
        if let Event::Game(game) = event {
            games.push(GameRecord { duration_ms: 0, overhead_ms: None, ..game.clone() });
            if stop_after == Some(games.len()) {
                stop.interrupt();
            }
        }
    })
    .unwrap();
    for game in &mut games {
        game.moves.iter_mut().for_each(|record| record.ms = None);
    }
    games
}

#[test]
fn a_resumed_match_equals_an_uninterrupted_one() {
    let whole = games_of(&config(2, 6), None);
    assert_eq!(whole.len(), 6);
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("resumed");
    let recorded = MatchConfig { out: Some(folder.clone()), ..config(2, 6) };
    let first = games_of(&recorded, Some(2));
    let rest = games_of(&recorded, None);
    assert!(first.len() >= 2 && first.len() + rest.len() == 6, "{} {}", first.len(), rest.len());
    let together: Vec<GameRecord> = first.into_iter().chain(rest).collect();
    assert_eq!(together, whole);
    assert!(games_of(&recorded, None).is_empty());
    // A damaged record is told.
    let path = folder.join(GAMES_FILE);
    let records = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, records.replacen("\"engines\":[0,1]", "\"engines\":[5,6]", 1)).unwrap();
    let error = run(&recorded, &MatchContext::default(), &Stop::new(), |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("is damaged: this match has no such game"), "{error}");
}

#[test]
fn pairs_are_counted_when_both_games_are_over() {
    let mut standings = Standings::default();
    for game in games_of(&config(2, 3), None) {
        standings.add(&game);
    }
    let tally = standings.encounter((0, 1));
    assert_eq!((tally.games(), tally.pentanomial.iter().sum::<u64>()), (3, 1));
}

#[test]
fn a_decided_sprt_ends_the_match() {
    let mut config = config(2, 400);
    config.engines[1] = EngineSpec::parse("name=weak nodes=1 depth=1", &[]).unwrap();
    config.engines[0] = EngineSpec::parse("name=strong nodes=1000", &[]).unwrap();
    config.sprt = "0,200,0.1,0.1".parse().ok();
    let summary = run(&config, &MatchContext::default(), &Stop::new(), |_, _| {}).unwrap();
    assert_eq!(summary.verdict, Some(SprtVerdict::Passed));
    assert!(summary.standings.games() < 400 && !summary.interrupted);
}

#[test]
fn what_has_ended_a_test_stands() {
    use SprtVerdict::{Failed, Open, Passed};
    assert_eq!(Open.then(Open).then(Passed).then(Open).then(Failed), Passed);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refused =
        |config: &MatchConfig| run(config, &MatchContext::default(), &Stop::new(), |_, _| {}).is_err();
    assert!(refused(&config(1, 2)));
    assert!(refused(&config(2, 0)));
    assert!(refused(&MatchConfig { sprt: "0,5".parse().ok(), ..config(3, 2) }));
    assert!(refused(&MatchConfig { swap2: true, ..config(2, 2) }));
    let mut unlimited = config(2, 2);
    unlimited.engines[0].nodes = None;
    assert!(refused(&unlimited));
}

/// The moves of each game of a match between the pattern level, which chooses at random among equals, and an engine
/// with variety.
fn games_with_chance(seed: u64, own: &str) -> Vec<Vec<String>> {
    let engines = ["name=level level=patterns", "name=varied nodes=100 variety=10"];
    let engines = engines.map(|text| EngineSpec::parse(&format!("{text}{own}"), &[]).unwrap());
    let mut config = MatchConfig { engines: engines.to_vec(), seed, ..config(2, 8) };
    // All games start from the same opening, without transformations.
    config.book = Book::of(vec![Vec::new()], config.rule, config.size).unwrap();
    config.transform = false;
    config.adjudication.draw_after = Some(12);
    let at = |game: &GameRecord| game.moves.iter().map(|record| record.at.clone()).collect();
    games_of(&config, None).iter().map(at).collect()
}

/// How many different games there are among those in which the first engine has Black, which is every other game.
fn differing(games: &[Vec<String>]) -> usize {
    games.iter().step_by(2).collect::<BTreeSet<_>>().len()
}

#[test]
fn chance_differs_from_game_to_game_and_follows_from_the_seed_of_the_match() {
    let games = games_with_chance(1, "");
    assert!(differing(&games) >= 3, "{games:?}");
    assert_eq!(games_with_chance(1, ""), games);
    assert_ne!(games_with_chance(2, ""), games);
}

#[test]
fn a_seed_of_an_engine_holds_in_all_games_of_all_matches() {
    let games = games_with_chance(1, " seed=5");
    assert_eq!(differing(&games), 1, "{games:?}");
    assert_eq!(games_with_chance(2, " seed=5"), games);
}
