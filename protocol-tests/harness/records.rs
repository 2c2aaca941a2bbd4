//! Records of matches that were never played, for the tests of the report: those of the library and those in a
//! browser.

use kagetsu::arena::game::{Adjudication, GameResult, Reason};
use kagetsu::arena::records::{GameRecord, MatchHeader, MoveRecord};
use kagetsu::arena::spec::EngineSpec;

/// A match of four games between these engines, without a test.
pub fn header(engines: Vec<EngineSpec>, openings: &str) -> MatchHeader {
    MatchHeader {
        version: 1,
        runner: "test".to_owned(),
        engines,
        gauntlet: false,
        games: 4,
        rule: "freestyle".to_owned(),
        size: (15, 15),
        openings: openings.to_owned(),
        openings_fingerprint: "0".to_owned(),
        repeat: true,
        transform: true,
        seed: 7,
        swap2: false,
        adjudication: Adjudication::default(),
        sprt: None,
    }
}

/// A game that Black wins with these moves, the first of which is the opening.
pub fn game(
    id: usize,
    engines: (usize, usize),
    black: usize,
    names: (&str, &str),
    moves: Vec<MoveRecord>,
) -> GameRecord {
    GameRecord {
        id,
        pair: id / 2,
        engines,
        black,
        names: (names.0.to_owned(), names.1.to_owned()),
        rule: "freestyle".to_owned(),
        size: (15, 15),
        opening: 1,
        moves,
        result: GameResult::Black,
        reason: Reason::Line,
        duration_ms: 100,
        overhead_ms: Some(0.4),
    }
}
