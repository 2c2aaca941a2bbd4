//! What each engine used: time, depth and nodes of its moves, and its faults.

use std::collections::BTreeMap;

use super::contents::PageEngine;
use super::figures::{hundredths, mean, short, tenths};
use super::merged::Merged;
use crate::arena::outcome::GameResult;
use crate::arena::player::Fault;
use crate::arena::records::{GameRecord, MoveRecord};
use crate::arena::spec::EngineSpec;

/// How many steps the moves of a game are grouped into at most.
const PLY_STEPS: usize = 40;
/// A step is left out if it has no more moves than the fullest step divided by this, so that a single long game does
/// not draw a curve of its own.
const LEAST_SHARE: usize = 20;
/// Upper ends of the bins of the time distribution, in ms.
pub(super) const TIME_STEPS: [f64; 18] =
    [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 3e4, 1e5];

/// Time, depth and faults of each engine.
pub(super) fn count(merged: &Merged) -> Vec<PageEngine> {
    let longest = merged.games.iter().map(|game| game.moves.len()).max().unwrap_or(0);
    let step = longest.div_ceil(PLY_STEPS).max(2);
    let mut engines = Vec::new();
    for (number, spec) in merged.engines.iter().enumerate() {
        let mut engine = PageEngine {
            name: spec.name.clone(),
            how: how(spec),
            turn: spec.turn_ms,
            ..PageEngine::default()
        };
        let mut moves: Vec<(usize, &MoveRecord)> = Vec::new();
        let is_own = |game: &GameRecord| game.engines.0 == number || game.engines.1 == number;
        let own_games = merged.games.iter().zip(&merged.begins).filter(|(game, _)| is_own(game));
        for (game, &begin) in own_games {
            let side = usize::from(game.black != number);
            let (seat, win) = match side {
                0 => (&mut engine.black, GameResult::Black),
                _ => (&mut engine.white, GameResult::White),
            };
            seat.0 += 1;
            seat.1 += match game.result {
                GameResult::Draw => 0.5,
                result => f64::from(u8::from(result == win)),
            };
            let played = game.moves.iter().enumerate().skip(begin);
            moves.extend(played.filter(|(ply, _)| ply % 2 == side));
            if let Some(fault) = game.fault().filter(|_| game.loser() == Some(spec.name.as_str())) {
                engine.faults.0 += 1;
                engine.faults.1 += u64::from(matches!(fault, Fault::Late { .. } | Fault::Hang { .. }));
            }
        }
        count_moves(&mut engine, &moves, step);
        engines.push(engine);
    }
    engines
}

/// Means and distributions over the moves of an engine, each with its ply.
fn count_moves(engine: &mut PageEngine, moves: &[(usize, &MoveRecord)], step: usize) {
    let all = |value: &dyn Fn(&MoveRecord) -> Option<f64>| -> Vec<f64> {
        moves.iter().filter_map(|&(_, record)| value(record)).collect()
    };
    let times = all(&MoveRecord::time);
    engine.moves = moves.len() as u64;
    engine.ms = mean(&times).map(|mean| (short(mean), short(times.iter().copied().fold(0.0, f64::max))));
    engine.depth = mean(&all(&|record| record.depth.map(f64::from))).map(tenths);
    engine.nodes = mean(&all(&|record| record.nodes.map(|nodes| nodes as f64))).map(f64::round);
    let timed = |record: &&MoveRecord| record.time().is_some() && record.nodes.is_some();
    let both: Vec<&MoveRecord> = moves.iter().map(|&(_, record)| record).filter(timed).collect();
    let ms: f64 = both.iter().filter_map(|record| record.time()).sum();
    let nodes: f64 = both.iter().filter_map(|record| record.nodes).map(|nodes| nodes as f64).sum();
    engine.speed = (ms > 0.0).then(|| (1000.0 * nodes / ms).round());
    if !times.is_empty() {
        let mut counts = [0_u64; TIME_STEPS.len() + 1];
        for &ms in &times {
            counts[TIME_STEPS.iter().position(|&end| ms < end).unwrap_or(TIME_STEPS.len())] += 1;
        }
        engine.times =
            counts.iter().map(|&count| hundredths(100.0 * count as f64 / times.len() as f64)).collect();
    }
    let mut steps: BTreeMap<usize, Vec<&MoveRecord>> = BTreeMap::new();
    moves.iter().for_each(|&(ply, record)| steps.entry(ply / step).or_default().push(record));
    let least = steps.values().map(Vec::len).max().unwrap_or(0) / LEAST_SHARE;
    for (number, records) in steps.into_iter().filter(|(_, records)| records.len() > least) {
        let mut times: Vec<f64> = records.iter().filter_map(|record| record.time()).collect();
        times.sort_by(f64::total_cmp);
        let at = |share: f64| short(times[((times.len() - 1) as f64 * share).round() as usize]);
        let depths: Vec<f64> = records.iter().filter_map(|r| r.depth.map(f64::from)).collect();
        engine.by_ply.push((
            (number * step) as f64 + step as f64 / 2.0,
            (!times.is_empty()).then(|| [at(0.5), at(0.1), at(0.9)]),
            mean(&depths).map(hundredths),
        ));
    }
}

/// Command and limits of an engine in words.
fn how(spec: &EngineSpec) -> String {
    let mut words = Vec::new();
    words.push(spec.command_text().unwrap_or_else(|| "built in".to_owned()));
    let time =
        |ms: u64| if ms.is_multiple_of(1000) { format!("{} s", ms / 1000) } else { format!("{ms} ms") };
    words.extend(spec.turn_ms.map(|ms| format!("{} a move", time(ms))));
    words.extend(spec.match_ms.map(|ms| format!("{} a game", time(ms))));
    words
        .extend((spec.increment_ms > 0).then(|| format!("{} more after each move", time(spec.increment_ms))));
    words.extend(spec.nodes.map(|nodes| format!("{nodes} nodes a move")));
    words.extend(spec.depth.map(|depth| format!("depth {depth}")));
    words.extend((spec.threads > 1).then(|| format!("{} threads", spec.threads)));
    words.extend(spec.memory.map(|bytes| format!("{} MB", bytes >> 20)));
    words.extend(spec.info.iter().map(|(key, value)| format!("{key} {value}")));
    words.join(", ")
}
