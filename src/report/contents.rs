//! What the page says: every figure in it, counted from the records of a match.
//!
//! The statistics are those of the match itself ([`arena`](crate::arena)); here they are taken game by game,
//! so that they can be drawn as curves. Curves of long matches are thinned out.

use std::collections::BTreeMap;

use anyhow::ensure;
use serde::Serialize;

use crate::arena::game::{Adjudication, GameResult, Reason};
use crate::arena::match_play::Standings;
use crate::arena::player::Fault;
use crate::arena::ratings::CrossTable;
use crate::arena::records::{GameRecord, MatchHeader, MoveRecord, Records};
use crate::arena::spec::EngineSpec;
use crate::arena::sprt::Sprt;
use crate::arena::stats::Tally;
use crate::board::{Point, Size};
use crate::eval::score::{WIN, WIN_BOUND};

/// Points of a curve at most; more cannot be told apart on a screen.
const CURVE_POINTS: usize = 400;
/// The same where each point takes a fit of all ratings.
const RATING_POINTS: usize = 60;
/// Steps into which the moves of a game are gathered at most.
const PLY_STEPS: usize = 40;
/// A step with fewer moves than this share of the fullest one's is left out: a single long game must not draw
/// a curve of its own.
const LEAST_SHARE: usize = 20;
/// Bytes of messages that are shown at most: a browser has to hold them all.
const MESSAGE_BYTES: usize = 16 << 20;
/// Stones that swap2 places at most before sides are fixed.
const SWAP2_STONES: usize = 5;
/// Where the steps of the distribution of time end, in ms.
const TIME_STEPS: [f64; 18] =
    [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 3e4, 1e5];

/// Everything that the page shows. Field names are those of the JSON that the page's scripts read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Contents {
    /// Which program wrote the page.
    pub writer: String,
    /// How the match was played: a label and words.
    pub facts: Vec<(String, String)>,
    /// What is worth knowing: notes of the runner, and what was left out of the page.
    pub notes: Vec<String>,
    /// Who played.
    pub engines: Vec<Engine>,
    /// Rule and board of the games: name, columns, rows.
    pub variants: Vec<(String, usize, usize)>,
    /// The results of each two engines that met.
    pub encounters: Vec<Encounter>,
    /// Best first.
    pub ratings: Vec<Rating>,
    /// Two engines: Elo of the first against the second. More: the rating of each.
    pub elo: Vec<Curve>,
    /// The sequential test.
    pub sprt: Option<Test>,
    /// Ends of the steps of [`Engine::times`] in ms; a last step has no end.
    pub time_steps: Vec<f64>,
    /// From here on a score is a forced win, and the score of a win on the board.
    pub wins: (i32, i32),
    /// In the order in which they ended.
    pub games: Vec<Game>,
}

/// An engine and what it used.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Engine {
    /// Its name.
    pub name: String,
    /// Command and limits in words.
    pub how: String,
    /// Limit for a move in ms.
    pub turn: Option<u64>,
    /// Games with Black, and points in them.
    pub black: (u64, f64),
    /// Games with White, and points in them.
    pub white: (u64, f64),
    /// Games lost by its own fault, those on time among them, and the latter.
    pub faults: (u64, u64),
    /// Moves of its own.
    pub moves: u64,
    /// Mean and longest time of a move in ms.
    pub ms: Option<(f64, f64)>,
    /// Mean depth in plies.
    pub depth: Option<f64>,
    /// Mean positions searched for a move.
    pub nodes: Option<f64>,
    /// Positions searched in a second.
    pub speed: Option<f64>,
    /// Steps along the game: stones on the board (the middle of the step); median, tenth and ninetieth
    /// percentile of the time in ms; mean depth.
    pub by_ply: Vec<(f64, Option<[f64; 3]>, Option<f64>)>,
    /// Share of its moves, in percent, in each step of time.
    pub times: Vec<f64>,
}

/// The results of two engines against each other, from the first one's view.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Encounter {
    /// Places in the list of engines.
    pub engines: (usize, usize),
    /// Wins, draws, losses.
    pub wdl: (u64, u64, u64),
    /// Pairs of games by points: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
    /// Share of the points, 0 to 1.
    pub score: f64,
    /// Elo and the ends of its 95 % interval; none where infinite.
    pub elo: [Option<f64>; 3],
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

/// The rating of one engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Rating {
    /// Place in the list of engines.
    pub engine: usize,
    /// Elo against the average of all.
    pub elo: f64,
    /// Half the width of its 95 % interval; none where infinite.
    pub error: Option<f64>,
}

/// Elo over games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Curve {
    /// Place in the list of engines.
    pub engine: usize,
    /// Games played; Elo, lower and upper end of the 95 % interval; none where infinite.
    pub points: Vec<(usize, [Option<f64>; 3])>,
}

/// The sequential test over games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Test {
    /// What is tested, in words.
    pub what: String,
    /// What came out, in words.
    pub verdict: String,
    /// Log-likelihood ratios at which it fails and passes.
    pub bounds: (f64, f64),
    /// Games played and log-likelihood ratio.
    pub points: Vec<(usize, f64)>,
}

/// A game. Short names, because there are thousands of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Game {
    /// Its number.
    pub id: usize,
    /// Its pair, which tells the opening.
    pub pair: usize,
    /// Place in the list of variants.
    pub v: usize,
    /// Places of Black and White in the list of engines.
    pub b: usize,
    /// See [`Game::b`].
    pub w: usize,
    /// Stones of the opening.
    pub o: usize,
    /// `b`, `w` or `d` for a draw.
    pub r: char,
    /// Why it is over: a word to choose games by.
    pub y: &'static str,
    /// The same in a sentence without its subject, where the word does not say it all.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub t: String,
    /// All stones: `h8i9`.
    pub m: String,
    /// By stone, each list empty if it says nothing at all: time in ms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ms: Vec<Option<f64>>,
    /// Scores.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub s: Vec<Option<i32>>,
    /// Depths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub d: Vec<Option<u32>>,
    /// Positions searched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub n: Vec<Option<u64>>,
    /// What the engines said: the stone's place, from 0, and the lines.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub say: BTreeMap<usize, Vec<String>>,
}

impl Contents {
    /// Counts a match, or several whose engines are told by their names.
    ///
    /// # Errors
    /// There is no game.
    pub fn of(parts: Vec<Records>) -> anyhow::Result<Contents> {
        let merged = Merged::of(parts);
        ensure!(!merged.games.is_empty(), "there is no finished game yet");
        let mut contents = Contents {
            writer: concat!("kagetsu ", env!("CARGO_PKG_VERSION")).to_owned(),
            facts: merged.facts(),
            notes: merged.notes.clone(),
            time_steps: TIME_STEPS.to_vec(),
            wins: (WIN_BOUND, WIN),
            ..Contents::default()
        };
        contents.count_results(&merged);
        contents.count_engines(&merged);
        contents.list_games(&merged);
        Ok(contents)
    }

    /// Results, ratings and their curves.
    fn count_results(&mut self, merged: &Merged) {
        let is_duel = merged.engines.len() == 2;
        let names: Vec<String> = merged.engines.iter().map(|engine| engine.name.clone()).collect();
        let sprt = merged.sprt.filter(|_| is_duel);
        let mut standings = Standings::default();
        let most = if is_duel { CURVE_POINTS } else { RATING_POINTS };
        let step = merged.games.len().div_ceil(most);
        let mut elo = vec![Curve::default(); if is_duel { 1 } else { names.len() }];
        elo.iter_mut().enumerate().for_each(|(engine, curve)| curve.engine = engine);
        let mut llr = Vec::new();
        for (n, game) in merged.games.iter().enumerate() {
            standings.add(game);
            let games = n + 1;
            if games % step != 0 && games != merged.games.len() {
                continue;
            }
            let tally = standings.encounter((0, 1));
            if is_duel {
                elo[0].points.push((games, elo_of(&tally)));
            } else {
                for rating in ratings(&standings.table(names.clone())) {
                    let bound = |sign: f64| rating.error.map(|error| tenths(rating.elo + sign * error));
                    let point = [Some(rating.elo), bound(-1.0), bound(1.0)];
                    elo[rating.engine].points.push((games, point));
                }
            }
            llr.extend(sprt.map(|sprt| (games, hundredths(sprt.llr(&tally)))));
        }
        self.elo = elo;
        let tally = standings.encounter((0, 1));
        self.sprt = sprt.map(|sprt| Test {
            what: format!("SPRT {sprt}, alpha {}, beta {}", sprt.alpha, sprt.beta),
            verdict: sprt.describe(sprt.verdict(&tally)).to_owned(),
            bounds: (hundredths(sprt.bounds().0), hundredths(sprt.bounds().1)),
            points: llr,
        });
        self.ratings = ratings(&standings.table(names.clone()));
        for first in 0..names.len() {
            for second in first + 1..names.len() {
                let tally = standings.encounter((first, second));
                if tally.games() > 0 {
                    self.encounters.push(Encounter {
                        engines: (first, second),
                        wdl: (tally.wins, tally.draws, tally.losses),
                        pairs: tally.pairs,
                        score: tally.score(),
                        elo: elo_of(&tally),
                        los: tally.superiority(),
                    });
                }
            }
        }
    }

    /// Time, depth and faults of each engine.
    fn count_engines(&mut self, merged: &Merged) {
        let longest = merged.games.iter().map(|game| game.moves.len()).max().unwrap_or(0);
        let step = longest.div_ceil(PLY_STEPS).max(2);
        for (number, spec) in merged.engines.iter().enumerate() {
            let mut engine =
                Engine { name: spec.name.clone(), how: how(spec), turn: spec.turn_ms, ..Engine::default() };
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
            engine.count_moves(&moves, step);
            self.engines.push(engine);
        }
    }

    fn list_games(&mut self, merged: &Merged) {
        let mut bytes = 0;
        let mut left_out = 0_u64;
        for game in &merged.games {
            let variant = (game.rule.clone(), game.size.0, game.size.1);
            let known = self.variants.iter().position(|other| *other == variant);
            let v = known.unwrap_or_else(|| {
                self.variants.push(variant);
                self.variants.len() - 1
            });
            let points: Vec<Point> = points(game);
            let moves = &game.moves[..points.len()];
            let mut say = BTreeMap::new();
            for (ply, record) in moves.iter().enumerate().filter(|(_, record)| !record.messages.is_empty()) {
                bytes += record.messages.iter().map(String::len).sum::<usize>();
                if bytes <= MESSAGE_BYTES {
                    say.insert(ply, record.messages.clone());
                } else {
                    left_out += 1;
                }
            }
            let (y, t) = reason(game);
            let white = if game.engines.0 == game.black { game.engines.1 } else { game.engines.0 };
            self.games.push(Game {
                id: game.id,
                pair: game.pair,
                v,
                b: game.black,
                w: white,
                o: game.opening,
                r: match game.result {
                    GameResult::Black => 'b',
                    GameResult::White => 'w',
                    GameResult::Draw => 'd',
                },
                y,
                t,
                m: points.iter().map(Point::to_string).collect(),
                ms: listed(moves, |record| record.ms.map(short)),
                s: listed(moves, |record| record.score),
                d: listed(moves, |record| record.depth),
                n: listed(moves, |record| record.nodes),
                say,
            });
        }
        if left_out > 0 {
            self.notes.push(format!("messages of {left_out} moves are left out: they are too many"));
        }
    }
}

impl Engine {
    /// Means and distributions over its moves, each with its ply.
    fn count_moves(&mut self, moves: &[(usize, &MoveRecord)], step: usize) {
        let all = |value: &dyn Fn(&MoveRecord) -> Option<f64>| -> Vec<f64> {
            moves.iter().filter_map(|&(_, record)| value(record)).collect()
        };
        let times = all(&|record| record.ms);
        self.moves = moves.len() as u64;
        self.ms = mean(&times).map(|mean| (short(mean), short(times.iter().copied().fold(0.0, f64::max))));
        self.depth = mean(&all(&|record| record.depth.map(f64::from))).map(tenths);
        self.nodes = mean(&all(&|record| record.nodes.map(|nodes| nodes as f64))).map(f64::round);
        let timed = |record: &&MoveRecord| record.ms.is_some() && record.nodes.is_some();
        let both: Vec<&MoveRecord> = moves.iter().map(|&(_, record)| record).filter(timed).collect();
        let ms: f64 = both.iter().filter_map(|record| record.ms).sum();
        let nodes: f64 = both.iter().filter_map(|record| record.nodes).map(|nodes| nodes as f64).sum();
        self.speed = (ms > 0.0).then(|| (1000.0 * nodes / ms).round());
        if !times.is_empty() {
            let mut counts = [0_u64; TIME_STEPS.len() + 1];
            for &ms in &times {
                counts[TIME_STEPS.iter().position(|&end| ms < end).unwrap_or(TIME_STEPS.len())] += 1;
            }
            self.times =
                counts.iter().map(|&count| hundredths(100.0 * count as f64 / times.len() as f64)).collect();
        }
        let mut steps: BTreeMap<usize, Vec<&MoveRecord>> = BTreeMap::new();
        moves.iter().for_each(|&(ply, record)| steps.entry(ply / step).or_default().push(record));
        let least = steps.values().map(Vec::len).max().unwrap_or(0) / LEAST_SHARE;
        for (number, records) in steps.into_iter().filter(|(_, records)| records.len() > least) {
            let mut times: Vec<f64> = records.iter().filter_map(|record| record.ms).collect();
            times.sort_by(f64::total_cmp);
            let at = |share: f64| short(times[((times.len() - 1) as f64 * share).round() as usize]);
            let depths: Vec<f64> = records.iter().filter_map(|r| r.depth.map(f64::from)).collect();
            self.by_ply.push((
                (number * step) as f64 + step as f64 / 2.0,
                (!times.is_empty()).then(|| [at(0.5), at(0.1), at(0.9)]),
                mean(&depths).map(hundredths),
            ));
        }
    }
}

/// Several matches as one.
struct Merged {
    engines: Vec<EngineSpec>,
    headers: Vec<MatchHeader>,
    games: Vec<GameRecord>,
    /// For each game the first stone whose time belongs to the side that placed it.
    begins: Vec<usize>,
    notes: Vec<String>,
    /// If all parts agree on it.
    sprt: Option<Sprt>,
}

impl Merged {
    fn of(parts: Vec<Records>) -> Merged {
        let (mut engines, mut headers, mut notes) = (Vec::<EngineSpec>::new(), Vec::new(), Vec::new());
        let (mut games, mut begins) = (Vec::<GameRecord>::new(), Vec::new());
        let mut sprts = Vec::new();
        for part in parts {
            // Numbers of games and pairs stay apart.
            let first_id = games.iter().map(|game| game.id + 1).max().unwrap_or(0);
            let first_pair = games.iter().map(|game| game.pair + 1).max().unwrap_or(0);
            let mut place = |name: &str, spec: Option<&EngineSpec>| {
                let known = engines.iter().position(|engine: &EngineSpec| engine.name == name);
                if let (Some(known), Some(spec)) = (known, spec)
                    && engines[known] != *spec
                {
                    notes.push(format!("{name} did not always play with the same options"));
                }
                known.unwrap_or_else(|| {
                    let unknown = EngineSpec { name: name.to_owned(), ..EngineSpec::default() };
                    engines.push(spec.cloned().unwrap_or(unknown));
                    engines.len() - 1
                })
            };
            for spec in part.header.iter().flat_map(|header| &header.engines) {
                place(&spec.name, Some(spec));
            }
            let is_swap2 = part.header.as_ref().is_some_and(|header| header.swap2);
            for mut game in part.games {
                let (black, white) = (place(&game.names.0, None), place(&game.names.1, None));
                game.id += first_id;
                game.pair += first_pair;
                game.black = black;
                game.engines = (black.min(white), black.max(white));
                begins.push(if is_swap2 { SWAP2_STONES } else { game.opening });
                games.push(game);
            }
            notes.extend(part.notes);
            sprts.push(part.header.as_ref().and_then(|header| header.sprt));
            headers.extend(part.header);
        }
        notes.dedup();
        let sprt =
            sprts.first().copied().flatten().filter(|first| sprts.iter().all(|s| s.as_ref() == Some(first)));
        Merged { engines, headers, games, begins, notes, sprt }
    }

    /// How it was played, in words; what differs between the parts stands there once each.
    fn facts(&self) -> Vec<(String, String)> {
        let each = |words: &dyn Fn(&MatchHeader) -> String| {
            let mut all: Vec<String> = Vec::new();
            for text in self.headers.iter().map(words) {
                if !text.is_empty() && !all.contains(&text) {
                    all.push(text);
                }
            }
            all.join("; ")
        };
        let planned: usize = self.headers.iter().map(planned_games).sum();
        let games = match self.games.len() {
            played if played < planned => format!("{played} of {planned}"),
            played => played.to_string(),
        };
        let kind = |header: &MatchHeader| match (header.engines.len(), header.gauntlet) {
            (2, _) => String::new(),
            (_, true) => format!("{} against all others", header.engines[0].name),
            (_, false) => "all against all".to_owned(),
        };
        let openings = |header: &MatchHeader| {
            let swap2 = if header.swap2 { ", colours by swap2" } else { "" };
            format!("{}{swap2}", header.openings)
        };
        let facts = [
            ("Games", games),
            ("Rule", each(&|header| header.rule.clone())),
            ("Board", each(&|header| format!("{}×{}", header.size.0, header.size.1))),
            ("Kind", each(&kind)),
            ("Openings", each(&openings)),
            ("Ended early", each(&|header| early_ends(&header.adjudication))),
            ("Seed", each(&|header| header.seed.to_string())),
            ("Runner", each(&|header| header.runner.clone())),
        ];
        let shown = facts.into_iter().filter(|(_, words)| !words.is_empty());
        shown.map(|(label, words)| (label.to_owned(), words)).collect()
    }
}

fn planned_games(header: &MatchHeader) -> usize {
    let count = header.engines.len();
    let encounters =
        if header.gauntlet { count.saturating_sub(1) } else { count * count.saturating_sub(1) / 2 };
    encounters * header.games
}

fn early_ends(rules: &Adjudication) -> String {
    let mut ends = Vec::new();
    ends.extend(rules.draw_after.map(|stones| format!("drawn at {stones} stones")));
    ends.extend(rules.quiet.map(|(count, score)| format!("drawn after {count} moves within ±{score}")));
    ends.extend(rules.resign.map(|(count, score)| {
        let both = if rules.resign_both { ", both agreeing" } else { "" };
        format!("lost after {count} own moves at -{score} or less{both}")
    }));
    ends.join(", ")
}

/// Command and limits of an engine in words.
fn how(spec: &EngineSpec) -> String {
    let mut words = Vec::new();
    words.push(match &spec.command {
        None => "built in".to_owned(),
        Some(command) => command.join(" "),
    });
    let time =
        |ms: u64| if ms.is_multiple_of(1000) { format!("{} s", ms / 1000) } else { format!("{ms} ms") };
    words.extend(spec.turn_ms.map(|ms| format!("{} a move", time(ms))));
    words.extend(spec.match_ms.map(|ms| format!("{} a game", time(ms))));
    words
        .extend((spec.increment_ms > 0).then(|| format!("{} more after each move", time(spec.increment_ms))));
    words.extend(spec.nodes.map(|nodes| format!("{nodes} positions a move")));
    words.extend(spec.depth.map(|depth| format!("depth {depth}")));
    words.extend((spec.threads > 1).then(|| format!("{} threads", spec.threads)));
    words.extend(spec.memory.map(|bytes| format!("{} MB", bytes >> 20)));
    words.extend(spec.info.iter().map(|(key, value)| format!("{key} {value}")));
    words.join(", ")
}

/// A word to choose games by, and what it does not say.
fn reason(game: &GameRecord) -> (&'static str, String) {
    let word = match &game.reason {
        Reason::Line => "line",
        Reason::Foul => "foul",
        Reason::FullBoard => "full",
        Reason::Length => "length",
        Reason::Quiet => "quiet",
        Reason::Resignation => "resignation",
        Reason::Fault { fault } => match fault {
            Fault::Late { .. } | Fault::Hang { .. } => "time",
            Fault::Illegal { .. } => "illegal",
            Fault::Crash { .. } | Fault::Launch { .. } => "crash",
            Fault::Memory { .. } => "memory",
            Fault::NoOk { .. }
            | Fault::Refused { .. }
            | Fault::Nonsense { .. }
            | Fault::Error { .. }
            | Fault::Spam { .. } => "protocol",
        },
    };
    (word, game.fault().map(Fault::to_string).unwrap_or_default())
}

/// The stones up to the first that is none: a file may have been changed by hand.
fn points(game: &GameRecord) -> Vec<Point> {
    let Some(size) = Size::new(game.size.0, game.size.1) else { return Vec::new() };
    let is_on_board = |point: &Point| Point::checked(point.x() as i64, point.y() as i64, size).is_some();
    let read = |record: &MoveRecord| record.at.parse::<Point>().ok().filter(is_on_board);
    game.moves.iter().map_while(read).collect()
}

/// A value of each move; nothing at all if no move has one.
fn listed<T>(moves: &[MoveRecord], value: impl Fn(&MoveRecord) -> Option<T>) -> Vec<Option<T>> {
    let values: Vec<Option<T>> = moves.iter().map(value).collect();
    if values.iter().any(Option::is_some) { values } else { Vec::new() }
}

fn ratings(table: &CrossTable) -> Vec<Rating> {
    let rating = |rating: crate::arena::ratings::Rating| Rating {
        engine: rating.engine,
        elo: tenths(rating.elo),
        error: rating.error.is_finite().then(|| tenths(rating.error)),
    };
    table.ratings().into_iter().map(rating).collect()
}

fn elo_of(tally: &Tally) -> [Option<f64>; 3] {
    let elo = tally.elo();
    [elo.value, elo.low, elo.high].map(|elo| elo.is_finite().then(|| tenths(elo)))
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Milliseconds with as many digits as matter.
fn short(ms: f64) -> f64 {
    match ms {
        0.0..1.0 => hundredths(ms),
        1.0..100.0 => tenths(ms),
        _ => ms.round(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::arena::records::RecordLine;
    use crate::report::fixtures;

    fn header(names: &[&str]) -> MatchHeader {
        let engine = |name: &&str| EngineSpec {
            turn_ms: Some(100),
            threads: 1,
            ..EngineSpec { name: (*name).to_owned(), ..EngineSpec::default() }
        };
        let header = fixtures::header(names.iter().map(engine).collect(), "book.txt");
        MatchHeader { sprt: "0,10".parse().ok(), ..header }
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
        fixtures::game(id, engines, black, names, moves.iter().enumerate().map(record).collect())
    }

    /// Two pairs between two engines: Black always wins but for a loss on time in the last game.
    fn records() -> Records {
        let mut games: Vec<GameRecord> =
            (0..4)
                .map(|id| {
                    if id % 2 == 0 {
                        game(id, (0, 1), 0, ("a", "b"))
                    } else {
                        game(id, (0, 1), 1, ("b", "a"))
                    }
                })
                .collect();
        games[3].result = GameResult::White;
        games[3].reason = Reason::Fault { fault: Fault::Late { limit_ms: 100, used_ms: 400 } };
        Records { header: Some(header(&["a", "b"])), games, ..Records::default() }
    }

    #[test]
    fn results_are_those_of_the_match() {
        let contents = Contents::of(vec![records()]).unwrap();
        let encounter = &contents.encounters[0];
        assert_eq!((encounter.wdl, encounter.pairs), ((3, 0, 1), [0, 0, 1, 0, 1]));
        assert_eq!(contents.elo[0].points.len(), 4);
        assert_eq!(contents.elo[0].points[3].1[0], Some(190.8));
        // One win only: no finite Elo.
        assert_eq!(contents.elo[0].points[0], (1, [None; 3]));
        let test = contents.sprt.unwrap();
        assert_eq!((test.points.len(), test.bounds), (4, (-2.94, 2.94)));
        assert_eq!(contents.ratings[0].engine, 0);
        assert_eq!(contents.facts[0], ("Games".to_owned(), "4".to_owned()));
    }

    #[test]
    fn moves_are_counted_for_who_made_them() {
        let contents = Contents::of(vec![records()]).unwrap();
        let [a, b] = contents.engines.as_slice() else { panic!("two engines") };
        // The opening's stone is nobody's: Black makes four moves a game, White four.
        assert_eq!((a.moves, b.moves), (16, 16));
        assert_eq!((a.black, a.white), ((2, 2.0), (2, 1.0)));
        assert_eq!((a.faults, b.faults), ((0, 0), (1, 1)));
        // Black's times are 12, 14, 16 and 18 ms, White's 11, 13, 15, 17.
        assert_eq!(a.ms, Some((14.5, 18.0)));
        assert_eq!((a.depth, a.nodes, a.speed), (Some(6.0), Some(1000.0), Some(68966.0)));
        assert_eq!(a.times.iter().sum::<f64>(), 100.0);
        assert!(a.by_ply.iter().all(|(ply, ms, _)| *ply < 10.0 && ms.unwrap()[1] <= ms.unwrap()[2]));
    }

    #[test]
    fn games_are_compact_and_whole() {
        let contents = Contents::of(vec![records()]).unwrap();
        let game = &contents.games[3];
        assert_eq!(
            (game.id, game.pair, game.b, game.w, game.o, game.r, game.y),
            (3, 1, 1, 0, 1, 'w', "time")
        );
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
        // The same two engines in both parts stay a duel, and its test goes on.
        let both = Contents::of(vec![records(), records()]).unwrap();
        assert_eq!((both.encounters[0].wdl, both.encounters[0].pairs), ((6, 0, 2), [0, 0, 2, 0, 2]));
        assert!(both.sprt.is_some());
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
    fn long_matches_are_thinned_out() {
        let mut long = records();
        long.games =
            (0..3000).map(|id| GameRecord { id, pair: id / 2, ..long.games[id % 4].clone() }).collect();
        let contents = Contents::of(vec![long]).unwrap();
        let points = &contents.elo[0].points;
        assert!(points.len() <= CURVE_POINTS + 1 && points.last().unwrap().0 == 3000, "{}", points.len());
        assert_eq!(contents.games.len(), 3000);
        let lines = serde_json::to_string(&RecordLine::Game(Box::new(records().games[0].clone()))).unwrap();
        let compact = serde_json::to_string(&contents.games[0]).unwrap();
        assert!(compact.len() * 2 < lines.len(), "{} {}", compact.len(), lines.len());
    }
}
