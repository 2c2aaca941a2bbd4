//! Records of a match that was never played, for tests.

use super::adjudication::Adjudication;
use super::outcome::{GameResult, Reason};
use super::player::Fault;
use super::records::{GameRecord, MatchHeader, MoveRecord, VERSION};
use super::spec::EngineSpec;

/// A match of two engines.
pub(super) fn header() -> MatchHeader {
    MatchHeader {
        version: VERSION,
        runner: "test".to_owned(),
        engines: vec![EngineSpec::default(), EngineSpec::default()],
        identities: Vec::new(),
        gauntlet: false,
        games: 4,
        rule: "renju".to_owned(),
        size: (15, 15),
        openings: String::new(),
        openings_fingerprint: "0".to_owned(),
        repeat: true,
        transform: true,
        seed: u64::MAX,
        swap2: false,
        adjudication: Adjudication::default(),
        sprt: "0,5".parse().ok(),
    }
}

/// A game that Black lost on time; the engines change colours from game to game.
pub(crate) fn game(id: usize) -> GameRecord {
    let at = |at: &str| MoveRecord { at: at.to_owned(), ..MoveRecord::default() };
    let thought = MoveRecord {
        ms: Some(12.345),
        score: Some(-7),
        depth: Some(9),
        nodes: Some(1234),
        messages: vec!["\"é\" ]\\".to_owned()],
        ..at("i9")
    };
    GameRecord {
        id,
        pair: id / 2,
        engines: (0, 1),
        black: id % 2,
        names: ("a]".to_owned(), "b".to_owned()),
        rule: "renju".to_owned(),
        size: (15, 15),
        opening: 1,
        moves: vec![at("h8"), thought, at("a15")],
        result: GameResult::White,
        reason: Reason::Fault { fault: Fault::Late { limit_ms: 100, used_ms: 400 } },
        duration_ms: 5,
        overhead_ms: None,
    }
}
