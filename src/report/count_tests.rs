//! The page of matches that were never played, compared with what can be counted by hand.

use super::*;
use crate::arena::adjudication::Adjudication;
use crate::arena::outcome::{GameResult, Reason};
use crate::arena::player::Fault;
use crate::arena::records::{GameRecord, MatchHeader, MoveRecord, RecordLine, VERSION};
use crate::arena::spec::EngineSpec;
use crate::report::results::CURVE_POINTS;

fn header(names: &[&str]) -> MatchHeader {
    let engine = |name: &&str| EngineSpec {
        turn_ms: Some(100),
        threads: 1,
        ..EngineSpec { name: (*name).to_owned(), ..EngineSpec::default() }
    };
    MatchHeader {
        version: VERSION,
        runner: "test".to_owned(),
        engines: names.iter().map(engine).collect(),
        identities: Vec::new(),
        gauntlet: false,
        games: 4,
        rule: "freestyle".to_owned(),
        size: (15, 15),
        openings: "book.txt".to_owned(),
        openings_fingerprint: "0".to_owned(),
        repeat: true,
        transform: true,
        seed: 7,
        swap2: false,
        adjudication: Adjudication::default(),
        sprt: "0,10".parse().ok(),
    }
}

/// Black wins in nine stones after an opening of one; times in ms count up from 10.
fn game(id: usize, engines: (usize, usize), black: usize, names: (&str, &str)) -> GameRecord {
    let moves = ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"];
    let record = |(n, at): (usize, &&str)| MoveRecord {
        at: (*at).to_owned(),
        ms: (n > 0).then_some(10.0 + n as f64),
        score: (n > 0).then_some(n as i32),
        depth: (n > 0 && n % 2 == 0).then_some(6),
        nodes: (n > 0).then_some(1000),
        messages: Vec::new(),
    };
    GameRecord {
        id,
        pair: id / 2,
        engines,
        black,
        names: (names.0.to_owned(), names.1.to_owned()),
        rule: "freestyle".to_owned(),
        size: (15, 15),
        opening: 1,
        moves: moves.iter().enumerate().map(record).collect(),
        result: GameResult::Black,
        reason: Reason::Line,
        duration_ms: 100,
        overhead_ms: Some(0.4),
    }
}

/// Two pairs between two engines: Black always wins, except for a loss on time in the last game.
fn records() -> Records {
    let mut games: Vec<GameRecord> = (0..4)
        .map(|id| if id % 2 == 0 { game(id, (0, 1), 0, ("a", "b")) } else { game(id, (0, 1), 1, ("b", "a")) })
        .collect();
    games[3].result = GameResult::White;
    games[3].reason = Reason::Fault { fault: Fault::Late { limit_ms: 100, used_ms: 400 } };
    Records { header: Some(header(&["a", "b"])), games, ..Records::default() }
}

#[test]
fn results_are_those_of_the_match() {
    let contents = Contents::of(vec![records()]).unwrap();
    let encounter = &contents.encounters[0];
    assert_eq!((encounter.wdl, encounter.pentanomial), ((3, 0, 1), [0, 0, 1, 0, 1]));
    assert_eq!(contents.elo[0].points.len(), 4);
    assert_eq!(contents.elo[0].points[3].1[0], Some(190.8));
    // One win only: no finite Elo, but a lower bound.
    let (games, [value, low, high]) = contents.elo[0].points[0];
    assert_eq!((games, value, low, high), (1, None, Some(-235.8), None));
    let test = contents.sprt.unwrap();
    assert_eq!((test.points.len(), test.bounds), (4, (-2.94, 2.94)));
    assert_eq!(contents.ratings[0].engine, 0);
    assert_eq!(contents.facts[0], ("Games".to_owned(), "4".to_owned()));
}

/// Games that were under way when the test was decided are counted, but do not undo the verdict.
#[test]
fn the_first_verdict_stands() {
    let mut records = records();
    records.games = (0..60)
        .map(|id| {
            // The first engine wins twenty pairs and then loses ten.
            let black = if id % 2 == 0 { (0, ("a", "b")) } else { (1, ("b", "a")) };
            let is_won = (id < 40) == (id % 2 == 0);
            let result = if is_won { GameResult::Black } else { GameResult::White };
            GameRecord { result, ..game(id, (0, 1), black.0, black.1) }
        })
        .collect();
    records.header.as_mut().unwrap().sprt = "0,60".parse().ok();
    let test = Contents::of(vec![records]).unwrap().sprt.unwrap();
    assert!(test.points.last().unwrap().1 < test.bounds.1, "{test:?}");
    assert_eq!(test.verdict, "gain");
}

#[test]
fn moves_are_counted_for_who_made_them() {
    let contents = Contents::of(vec![records()]).unwrap();
    let [a, b] = contents.engines.as_slice() else { panic!("two engines") };
    // The opening stone belongs to nobody, so Black makes four moves a game, and White four.
    assert_eq!((a.moves, b.moves), (16, 16));
    assert_eq!((a.black, a.white), ((2, 2.0), (2, 1.0)));
    assert_eq!((a.faults, b.faults), ((0, 0), (1, 1)));
    // Black's times are 12, 14, 16 and 18 ms, White's 11, 13, 15, 17.
    assert_eq!(a.ms, Some((14.5, 18.0)));
    assert_eq!((a.depth, a.nodes, a.speed), (Some(6.0), Some(1000.0), Some(68966.0)));
    assert_eq!(a.times.iter().sum::<f64>(), 100.0);
    assert!(a.by_ply.iter().all(|(ply, ms, _)| *ply < 10.0 && ms.unwrap()[1] <= ms.unwrap()[2]));
}

/// As in the records of a job whose games do not depend on time.
#[test]
fn times_that_were_left_out_are_unknown() {
    let mut records = records();
    records.games = records.games.into_iter().map(GameRecord::without_times).collect();
    let contents = Contents::of(vec![records]).unwrap();
    let engine = &contents.engines[0];
    assert_eq!((engine.moves, engine.ms, engine.speed), (16, None, None));
    assert!(engine.times.is_empty() && engine.by_ply.iter().all(|(_, ms, _)| ms.is_none()));
    assert!(contents.games.iter().all(|game| game.ms.is_empty() && !game.s.is_empty()));
}

#[test]
fn games_of_a_pair_share_an_opening_unless_it_is_not_repeated() {
    let openings = |repeat| -> Vec<usize> {
        let mut records = records();
        records.header.as_mut().unwrap().repeat = repeat;
        Contents::of(vec![records]).unwrap().games.iter().map(|game| game.opening).collect()
    };
    assert_eq!(openings(true), [0, 0, 1, 1]);
    assert_eq!(openings(false), [0, 1, 2, 3]);
}

#[test]
fn games_are_compact_and_whole() {
    let contents = Contents::of(vec![records()]).unwrap();
    let game = &contents.games[3];
    assert_eq!((game.id, game.opening, game.b, game.w, game.o, game.r, game.y), (3, 1, 1, 0, 1, 'w', "time"));
    assert_eq!(game.m, "a1a2b1b2c1c2d1d2e1");
    assert_eq!(game.t, "overstepped the time: 400 of 100 ms");
    assert_eq!((game.ms[0], game.ms[1], game.s[8]), (None, Some(11.0), Some(8)));
}

#[test]
fn several_matches_become_one() {
    let mut other = records();
    other.header = Some(header(&["c", "a"]));
    for game in &mut other.games {
        let name = |name: &str| if name == "a" { "c" } else { "a" }.to_owned();
        game.names = (name(&game.names.0), name(&game.names.1));
    }
    let contents = Contents::of(vec![records(), other.clone()]).unwrap();
    let names: Vec<&str> = contents.engines.iter().map(|engine| engine.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    // c won 3 to 1 against a.
    assert_eq!(contents.encounters[1].engines, (0, 2));
    assert_eq!(contents.encounters[1].wdl, (1, 0, 3));
    assert_eq!(contents.elo.len(), 3);
    assert!(contents.sprt.is_none());
    let ids: Vec<usize> = contents.games.iter().map(|game| game.id).collect();
    assert_eq!(ids, [0, 1, 2, 3, 4, 5, 6, 7]);
    // The same two engines in both parts remain a duel, and its test continues.
    let mut more = records();
    more.games.iter_mut().for_each(|game| game.moves[3].ms = Some(99.0));
    let both = Contents::of(vec![records(), more]).unwrap();
    assert_eq!((both.encounters[0].wdl, both.encounters[0].pentanomial), ((6, 0, 2), [0, 0, 2, 0, 2]));
    assert!(both.sprt.is_some());
    // But not if the other engine was tested in one of them.
    let mut other = records();
    other.header.as_mut().unwrap().engines.reverse();
    assert!(Contents::of(vec![records(), other]).unwrap().sprt.is_none());
}

#[test]
fn matches_without_a_common_engine_are_rated_apart() {
    let mut other = records();
    other.header = Some(header(&["c", "d"]));
    for game in &mut other.games {
        let name = |name: &str| if name == "a" { "c" } else { "d" }.to_owned();
        game.names = (name(&game.names.0), name(&game.names.1));
    }
    let contents = Contents::of(vec![records(), other]).unwrap();
    let order: Vec<usize> = contents.ratings.iter().map(|rating| rating.engine).collect();
    assert_eq!(order, [0, 1, 2, 3]);
    assert!(contents.ratings.iter().all(|rating| rating.error.is_some()), "{:?}", contents.ratings);
    assert!(contents.notes[0].ends_with("not even through others: a, b; c, d"), "{:?}", contents.notes);
}

#[test]
fn copies_of_games_are_counted_once() {
    // One file is a copy of the other from before its last game.
    let mut before = records();
    before.games.truncate(3);
    let contents = Contents::of(vec![before, records()]).unwrap();
    assert_eq!((contents.copies, contents.games.len()), (3, 4));
    assert_eq!(
        (contents.encounters[0].wdl, contents.encounters[0].pentanomial),
        ((3, 0, 1), [0, 0, 1, 0, 1])
    );
    assert_eq!(contents.notes, ["3 games stand in more than one of the files and are counted once"]);
    // The same games with another seed are other games.
    let mut other = records();
    other.header.as_mut().unwrap().seed = 8;
    assert_eq!(Contents::of(vec![records(), other]).unwrap().copies, 0);
}

#[test]
fn a_match_in_several_files_was_planned_once() {
    let games = |parts: Vec<Records>| Contents::of(parts).unwrap().facts[0].1.clone();
    let part = |games: std::ops::Range<usize>, planned: usize, seed: u64| {
        let mut part = records();
        part.games = part.games[games].to_vec();
        let header = part.header.as_mut().unwrap();
        (header.games, header.seed) = (planned, seed);
        part
    };
    assert_eq!(games(vec![part(0..2, 6, 7), part(0..4, 8, 7), part(2..3, 8, 7)]), "4 of 8");
    assert_eq!(games(vec![part(0..2, 6, 7), part(0..4, 8, 8)]), "6 of 14");
    assert_eq!(
        games(vec![part(0..2, usize::MAX, 7), part(0..4, usize::MAX, 8)]),
        format!("6 of {}", usize::MAX)
    );
}

#[test]
fn what_is_broken_is_left_out() {
    assert!(Contents::of(vec![Records::default()]).is_err());
    let mut broken = records();
    broken.header = None;
    broken.games[0].moves[3].at = "z99</script>".to_owned();
    broken.games[1].moves[0].at = "v22".to_owned();
    let contents = Contents::of(vec![broken]).unwrap();
    assert_eq!((contents.games[0].m.as_str(), contents.games[1].m.as_str()), ("a1a2b1", ""));
    assert_eq!(contents.engines[1].name, "b");
}

#[test]
fn a_gauntlet_of_nobody_has_no_kind() {
    let mut empty = records();
    empty.header.as_mut().unwrap().engines.clear();
    empty.header.as_mut().unwrap().gauntlet = true;
    let contents = Contents::of(vec![empty]).unwrap();
    assert!(contents.facts.iter().all(|(label, _)| label != "Kind"), "{:?}", contents.facts);
}

#[test]
fn what_many_parts_note_is_said_once() {
    let mut parts = vec![records(); 4];
    for (seed, part) in parts.iter_mut().enumerate() {
        let header = part.header.as_mut().unwrap();
        // Other games than those of the other parts.
        header.seed = seed as u64;
        header.engines.iter_mut().for_each(|engine| engine.threads += seed);
    }
    let notes = Contents::of(parts).unwrap().notes;
    let said = |name: &str| format!("{name} did not always play with the same options");
    assert_eq!(notes, [said("a"), said("b")]);
}

#[test]
fn long_matches_are_thinned_out() {
    let mut long = records();
    long.games = (0..3000).map(|id| GameRecord { id, pair: id / 2, ..long.games[id % 4].clone() }).collect();
    let contents = Contents::of(vec![long]).unwrap();
    let points = &contents.elo[0].points;
    assert!(points.len() <= CURVE_POINTS + 1 && points.last().unwrap().0 == 3000, "{}", points.len());
    assert_eq!(contents.games.len(), 3000);
    let lines = serde_json::to_string(&RecordLine::Game(Box::new(records().games[0].clone()))).unwrap();
    let compact = serde_json::to_string(&contents.games[0]).unwrap();
    assert!(compact.len() * 2 < lines.len(), "{} {}", compact.len(), lines.len());
}
