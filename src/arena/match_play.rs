//! A match: which games are played, several at a time, and what they say so far.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use anyhow::{Context, ensure};
use parking_lot::Mutex;

use super::child::Surroundings;
use super::external::External;
use super::game::{Adjudication, GameSetup, Seat, play};
use super::internal::Internal;
use super::opening_book::Book;
use super::player::{NoMove, Player};
use super::ratings::CrossTable;
use super::recorder::{Copies, Recorder};
use super::records::{GameRecord, MatchHeader, Records, VERSION, milliseconds, rule_name, sides};
use super::spec::EngineSpec;
use super::sprt::{Sprt, SprtVerdict};
use super::stats::Tally;
use super::stop::Stop;
use crate::board::Size;
use crate::rules::Rule;

/// What is played.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// At least two, with different names.
    pub engines: Vec<EngineSpec>,
    /// The first engine against all others, not all against all.
    pub gauntlet: bool,
    /// Games of each encounter.
    pub games: usize,
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Openings in order.
    pub book: Book,
    /// Where they come from, in words.
    pub book_name: String,
    /// Play each opening twice, with both colours.
    pub repeat: bool,
    /// Turn and mirror the book when it is used up.
    pub transform: bool,
    /// The seed of the order of openings.
    pub seed: u64,
    /// Sides are chosen by swap2.
    pub swap2: bool,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// When the match is ended early; for two engines.
    pub sprt: Option<Sprt>,
    /// Games at a time.
    pub concurrency: usize,
    /// End the match when an engine fails.
    pub faults_are_fatal: bool,
    /// Where records go; none are written without.
    pub out: Option<PathBuf>,
    /// What is written there beside the JSON lines.
    pub copies: Copies,
}

impl MatchConfig {
    /// The first line of the records.
    #[must_use]
    pub fn header(&self) -> MatchHeader {
        MatchHeader {
            version: VERSION,
            runner: concat!("kagetsu ", env!("CARGO_PKG_VERSION")).to_owned(),
            engines: self.engines.clone(),
            gauntlet: self.gauntlet,
            games: self.games,
            rule: rule_name(self.rule),
            size: sides(self.size),
            openings: self.book_name.clone(),
            openings_fingerprint: format!("{:016x}", self.book.fingerprint()),
            repeat: self.repeat,
            transform: self.transform,
            seed: self.seed,
            swap2: self.swap2,
            adjudication: self.adjudication,
            sprt: self.sprt,
        }
    }

    /// Pairs of engines that play each other, the lower number first.
    #[must_use]
    pub fn encounters(&self) -> Vec<(usize, usize)> {
        let count = self.engines.len();
        let firsts = if self.gauntlet { 0..1.min(count) } else { 0..count };
        firsts.flat_map(|first| (first + 1..count).map(move |second| (first, second))).collect()
    }

    /// All games in the order in which they begin: pair after pair, in each pair all encounters. A game's id
    /// does not depend on how many games there are.
    #[must_use]
    pub fn schedule(&self) -> Vec<Task> {
        let encounters = self.encounters();
        let mut tasks = Vec::new();
        for pair in 0..self.games.div_ceil(2) {
            for (n, &engines) in encounters.iter().enumerate() {
                for side in 0..2.min(self.games - 2 * pair) {
                    tasks.push(Task { id: (pair * encounters.len() + n) * 2 + side, pair, engines, side });
                }
            }
        }
        tasks
    }

    fn check(&self) -> anyhow::Result<()> {
        ensure!(self.engines.len() >= 2, "a match wants two engines at least");
        ensure!(self.games > 0, "a match wants one game at least");
        ensure!(self.sprt.is_none() || self.engines.len() == 2, "an SPRT wants exactly two engines");
        let names: BTreeSet<&str> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
        ensure!(names.len() == self.engines.len(), "two engines have the same name");
        for engine in &self.engines {
            ensure!(
                engine.is_limited(),
                "{} has no limit: give it time (turn=, match=), nodes= or depth=",
                engine.name
            );
        }
        let stones = (0..self.book.len()).map(|n| self.book.opening(n, false).len());
        ensure!(
            !self.swap2 || stones.clone().all(|stones| stones == 0 || stones == 3),
            "swap2 begins with an empty board or with three stones"
        );
        Ok(())
    }
}

/// One game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The game's number.
    pub id: usize,
    /// The pair of games with the same opening.
    pub pair: usize,
    /// The two engines.
    pub engines: (usize, usize),
    /// 0: the first of them begins; 1: the second.
    pub side: usize,
}

impl Task {
    /// Which opening of the book: with repetition both games of a pair have the same.
    #[must_use]
    pub fn opening(&self, repeat: bool) -> usize {
        if repeat { self.pair } else { 2 * self.pair + self.side }
    }
}

/// What the games so far say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    encounters: BTreeMap<(usize, usize), Tally>,
    /// Half points of pairs of which one game is over.
    halves: BTreeMap<((usize, usize), usize), usize>,
    games: usize,
    faults: BTreeMap<String, usize>,
    /// What the runner itself took, in microseconds, and the moves among which that was.
    overhead_us: u64,
    overhead_moves: usize,
}

impl Standings {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        let tally = self.encounters.entry(game.engines).or_default();
        tally.add_game(game.half_points());
        match self.halves.remove(&(game.engines, game.pair)) {
            Some(half) => tally.add_pair(half + game.half_points()),
            None => drop(self.halves.insert((game.engines, game.pair), game.half_points())),
        }
        if let Some(ms) = game.overhead_ms {
            self.overhead_us += (1000.0 * ms) as u64;
            self.overhead_moves += game.moves.len() - game.opening.min(game.moves.len());
        }
        if let (Some(_), Some(loser)) = (game.fault(), game.loser()) {
            *self.faults.entry(loser.to_owned()).or_default() += 1;
        }
    }

    /// Games counted.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }

    /// The results of one encounter, from the first engine's view.
    #[must_use]
    pub fn encounter(&self, engines: (usize, usize)) -> Tally {
        self.encounters.get(&engines).copied().unwrap_or_default()
    }

    /// Games that each engine lost by a fault.
    #[must_use]
    pub fn faults(&self) -> &BTreeMap<String, usize> {
        &self.faults
    }

    /// What the runner itself adds to a move, in ms: sending, receiving what was sent, judging, looking at the
    /// engines' memory.
    #[must_use]
    pub fn overhead_ms(&self) -> Option<f64> {
        (self.overhead_moves > 0).then(|| self.overhead_us as f64 / 1000.0 / self.overhead_moves as f64)
    }

    /// The cross table.
    #[must_use]
    pub fn table(&self, names: Vec<String>) -> CrossTable {
        let mut table = CrossTable::new(names);
        self.encounters.iter().for_each(|(&(row, column), &tally)| table.set(row, column, tally));
        table
    }
}

/// What happens while a match runs.
pub enum Event<'a> {
    /// So many games were found in the records.
    Resumed(usize),
    /// A game is over.
    Game(&'a GameRecord),
    /// Something worth knowing.
    Note(&'a str),
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The results.
    pub standings: Standings,
    /// What the SPRT says.
    pub verdict: Option<SprtVerdict>,
    /// Someone outside ended it.
    pub interrupted: bool,
    /// The fault that ended it.
    pub fatal: Option<String>,
}

/// Gives engines without a name of their own the one that they answer to `ABOUT`, and finds out whether all
/// can be started. `named` tells which names the user chose.
///
/// # Errors
/// An engine cannot be started or ends at once.
pub fn introduce(
    engines: &mut [EngineSpec],
    named: &[bool],
    around: &Surroundings,
    stop: &Stop,
) -> anyhow::Result<()> {
    for (engine, &named) in engines.iter_mut().zip(named) {
        if engine.command.is_none() {
            continue;
        }
        let mut player = External::new(engine.clone(), around.clone());
        let about = match player.about(stop) {
            Ok(about) => about,
            Err(NoMove::Stopped) => return Ok(()),
            Err(NoMove::Fault(fault)) => {
                let command = engine.command.as_deref().unwrap_or_default().join(" ");
                anyhow::bail!("{} ({command}) {fault}", engine.name);
            }
        };
        player.discard();
        if let Some(name) = about.as_deref().and_then(name_in_about).filter(|_| !named) {
            engine.name = name;
        }
    }
    Ok(())
}

/// `X` of `name="X", version="1.0"`.
fn name_in_about(about: &str) -> Option<String> {
    let rest = &about[about.to_ascii_lowercase().find("name=\"")? + "name=\"".len()..];
    let name: String = rest.split('"').next()?.trim().chars().take(40).collect();
    (!name.is_empty()).then_some(name)
}

/// Plays what is left of a match.
///
/// # Errors
/// A match that cannot be played as it is described, records that cannot be written.
pub fn run(
    config: &MatchConfig,
    around: &Surroundings,
    stop: &Arc<Stop>,
    mut on_event: impl FnMut(&Standings, Event),
) -> anyhow::Result<Summary> {
    config.check()?;
    let mut standings = Standings::default();
    let (mut recorder, before) = match &config.out {
        Some(folder) => {
            let (recorder, records) = Recorder::open(folder, &config.header(), config.copies)?;
            (Some(recorder), records)
        }
        None => (None, Records::default()),
    };
    let schedule = config.schedule();
    let planned: BTreeSet<usize> = schedule.iter().map(|task| task.id).collect();
    let mut finished = BTreeSet::new();
    for game in before.games.iter().filter(|game| planned.contains(&game.id)) {
        finished.insert(game.id);
        standings.add(game);
    }
    if !finished.is_empty() {
        on_event(&standings, Event::Resumed(finished.len()));
    }
    let verdict = |standings: &Standings| config.sprt.map(|sprt| sprt.verdict(&standings.encounter((0, 1))));
    let mut fatal = None;
    let mut failure = None;
    let pending: VecDeque<Task> = schedule.into_iter().filter(|task| !finished.contains(&task.id)).collect();
    let is_decided = |standings: &Standings| verdict(standings).is_some_and(|v| v != SprtVerdict::Open);
    if !pending.is_empty() && !is_decided(&standings) {
        let workers = config.concurrency.clamp(1, pending.len());
        let pending = Mutex::new(pending);
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..workers {
                let worker = Worker {
                    config,
                    around,
                    stop,
                    pending: &pending,
                    news: sender.clone(),
                    players: Vec::new(),
                };
                scope.spawn(move || worker.run());
            }
            drop(sender);
            for news in receiver {
                let written = match news {
                    News::Game(game) => {
                        standings.add(&game);
                        let written = recorder.as_mut().map_or(Ok(()), |recorder| recorder.game(&game));
                        on_event(&standings, Event::Game(&game));
                        if config.faults_are_fatal
                            && let (Some(fault), Some(loser)) = (game.fault(), game.loser())
                        {
                            fatal.get_or_insert_with(|| format!("game {}: {loser} {fault}", game.id));
                            stop.ask();
                        }
                        written
                    }
                    News::Note(text) => {
                        let written = recorder.as_mut().map_or(Ok(()), |recorder| recorder.note(&text));
                        on_event(&standings, Event::Note(&text));
                        written
                    }
                    News::Panic(text) => Err(anyhow::anyhow!("the runner itself failed: {text}")),
                };
                if let Err(error) = written {
                    failure.get_or_insert(error);
                    stop.ask();
                }
                if is_decided(&standings) {
                    stop.ask();
                }
            }
        });
    }
    if let Some(error) = failure {
        return Err(error);
    }
    let interrupted = stop.is_interrupted();
    Ok(Summary { verdict: verdict(&standings), standings, interrupted, fatal })
}

/// What a worker tells.
enum News {
    Game(Box<GameRecord>),
    Note(String),
    Panic(String),
}

/// Plays one game after the other.
struct Worker<'a> {
    config: &'a MatchConfig,
    around: &'a Surroundings,
    stop: &'a Stop,
    pending: &'a Mutex<VecDeque<Task>>,
    news: Sender<News>,
    /// The players of the last game, by engine.
    players: Vec<(usize, Box<dyn Player>)>,
}

impl Worker<'_> {
    fn run(mut self) {
        while !self.stop.is_asked() {
            let Some(task) = self.pending.lock().pop_front() else { break };
            let news = match catch_unwind(AssertUnwindSafe(|| self.play(task))) {
                Ok(Some(game)) => News::Game(Box::new(game)),
                Ok(None) => break,
                Err(panic) => {
                    let text = panic.downcast_ref::<String>().cloned();
                    News::Panic(text.unwrap_or_else(|| "unknown".to_owned()))
                }
            };
            if self.news.send(news).is_err() {
                break;
            }
        }
        for (engine, mut player) in self.players.drain(..) {
            if self.stop.is_interrupted() {
                player.discard();
            } else if !player.quit() {
                let text = format!("{} ignored END and was killed", self.config.engines[engine].name);
                let _ = self.news.send(News::Note(text));
            }
        }
    }

    fn play(&mut self, task: Task) -> Option<GameRecord> {
        let config = self.config;
        let (first, second) = task.engines;
        let order = if task.side == 0 { [first, second] } else { [second, first] };
        let mut players = self.seat(order);
        let opening = config.book.opening(task.opening(config.repeat), config.transform);
        let setup = GameSetup {
            rule: config.rule,
            size: config.size,
            opening: &opening,
            swap2: config.swap2,
            adjudication: config.adjudication,
        };
        let started = Instant::now();
        let [a, b] = &mut players;
        let mut seats = [
            Seat { player: a.1.as_mut(), spec: &config.engines[order[0]] },
            Seat { player: b.1.as_mut(), spec: &config.engines[order[1]] },
        ];
        let played = play(&setup, &mut seats, self.stop);
        self.players.extend(players);
        let played = played?;
        let black = order[played.black];
        let white = order[1 - played.black];
        Some(GameRecord {
            id: task.id,
            pair: task.pair,
            engines: task.engines,
            black,
            names: (config.engines[black].name.clone(), config.engines[white].name.clone()),
            rule: rule_name(config.rule),
            size: sides(config.size),
            opening: played.opening,
            moves: GameRecord::moves_of(&played),
            result: played.result,
            reason: played.reason,
            duration_ms: started.elapsed().as_millis() as u64,
            overhead_ms: played.overhead.map(milliseconds),
        })
    }

    /// Takes these engines' players, making them if they did not play the last game; the others leave.
    fn seat(&mut self, engines: [usize; 2]) -> [(usize, Box<dyn Player>); 2] {
        let mut here: Vec<_> = std::mem::take(&mut self.players);
        let players = engines.map(|engine| match here.iter().position(|&(other, _)| other == engine) {
            Some(at) => here.swap_remove(at),
            None => (engine, self.new_player(engine)),
        });
        for (engine, mut player) in here {
            if !player.quit() {
                let text = format!("{} ignored END and was killed", self.config.engines[engine].name);
                let _ = self.news.send(News::Note(text));
            }
        }
        players
    }

    fn new_player(&self, engine: usize) -> Box<dyn Player> {
        let spec = self.config.engines[engine].clone();
        match spec.command {
            None => Box::new(Internal::new(spec)),
            Some(_) => Box::new(External::new(spec, self.around.clone())),
        }
    }
}

/// The running figures of two engines in one line.
#[must_use]
pub fn describe(tally: &Tally, sprt: Option<Sprt>) -> String {
    let mut text = format!(
        "{tally}  score {:.1} %  elo {}  LOS {:.1} %",
        100.0 * tally.score(),
        tally.elo(),
        100.0 * tally.superiority()
    );
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        text += &format!("  LLR {:.2} ({low:.2}, {high:.2}) {sprt}", sprt.llr(tally));
    }
    text
}

/// Opens the log of all dialogues.
///
/// # Errors
/// The system refuses.
pub fn open_dialogue(path: &std::path::Path) -> anyhow::Result<super::child::Dialogue> {
    let open = std::fs::OpenOptions::new().create(true).append(true).open(path);
    Ok(Arc::new(Mutex::new(open.with_context(|| format!("opening {}", path.display()))?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(engines: usize, games: usize) -> MatchConfig {
        let mut specs = vec![EngineSpec::parse("nodes=200", &[]).unwrap(); engines];
        super::super::spec::make_names_unique(&mut specs);
        let size = Size::square(9);
        MatchConfig {
            engines: specs,
            gauntlet: false,
            games,
            rule: Rule::Freestyle,
            size,
            book: Book::random(Rule::Freestyle, size, 4, 8, 1).unwrap(),
            book_name: "random".to_owned(),
            repeat: true,
            transform: true,
            seed: 1,
            swap2: false,
            adjudication: Adjudication { draw_after: Some(40), ..Adjudication::default() },
            sprt: None,
            concurrency: 1,
            faults_are_fatal: false,
            out: None,
            copies: Copies::default(),
        }
    }

    fn games_of(config: &MatchConfig, stop_after: Option<usize>) -> Vec<GameRecord> {
        let stop = Stop::new();
        let mut games = Vec::new();
        run(config, &Surroundings::default(), &stop, |_, event| {
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
    fn every_pair_of_engines_plays_both_colours() {
        let tasks = config(3, 3).schedule();
        assert_eq!(tasks.len(), 9);
        let ids: BTreeSet<usize> = tasks.iter().map(|task| task.id).collect();
        assert_eq!(ids.len(), 9);
        assert_eq!(MatchConfig { gauntlet: true, ..config(4, 2) }.encounters(), [(0, 1), (0, 2), (0, 3)]);
        // More games keep the ids of those before.
        let more = config(3, 10).schedule();
        assert!(tasks.iter().all(|task| more.contains(task)));
    }

    #[test]
    fn openings_are_repeated_unless_told_otherwise() {
        let config = config(3, 4);
        let openings = |repeat| -> Vec<usize> {
            let own = |task: &&Task| task.engines == (0, 1);
            config.schedule().iter().filter(own).map(|task| task.opening(repeat)).collect()
        };
        assert_eq!((openings(true), openings(false)), (vec![0, 0, 1, 1], vec![0, 1, 2, 3]));
    }

    #[test]
    fn a_resumed_match_equals_an_uninterrupted_one() {
        let whole = games_of(&config(2, 6), None);
        assert_eq!(whole.len(), 6);
        let folder = std::env::temp_dir().join(format!("kagetsu-{}-resumed", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let recorded = MatchConfig { out: Some(folder.clone()), ..config(2, 6) };
        let first = games_of(&recorded, Some(2));
        let rest = games_of(&recorded, None);
        assert!(first.len() >= 2 && first.len() + rest.len() == 6, "{} {}", first.len(), rest.len());
        let together: Vec<GameRecord> = first.into_iter().chain(rest).collect();
        assert_eq!(together, whole);
        assert!(games_of(&recorded, None).is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn pairs_are_counted_when_both_games_are_over() {
        let mut standings = Standings::default();
        for game in games_of(&config(2, 3), None) {
            standings.add(&game);
        }
        let tally = standings.encounter((0, 1));
        assert_eq!((tally.games(), tally.pairs.iter().sum::<u64>()), (3, 1));
    }

    #[test]
    fn a_decided_sprt_ends_the_match() {
        let mut config = config(2, 400);
        config.engines[1] = EngineSpec::parse("name=weak nodes=1 depth=1", &[]).unwrap();
        config.engines[0] = EngineSpec::parse("name=strong nodes=1000", &[]).unwrap();
        config.sprt = "0,200,0.1,0.1".parse().ok();
        let summary = run(&config, &Surroundings::default(), &Stop::new(), |_, _| {}).unwrap();
        assert_eq!(summary.verdict, Some(SprtVerdict::Passed));
        assert!(summary.standings.games() < 400 && !summary.interrupted);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let refused =
            |config: &MatchConfig| run(config, &Surroundings::default(), &Stop::new(), |_, _| {}).is_err();
        assert!(refused(&config(1, 2)));
        assert!(refused(&config(2, 0)));
        assert!(refused(&MatchConfig { sprt: "0,5".parse().ok(), ..config(3, 2) }));
        assert!(refused(&MatchConfig { swap2: true, ..config(2, 2) }));
        let mut unlimited = config(2, 2);
        unlimited.engines[0].nodes = None;
        assert!(refused(&unlimited));
    }

    #[test]
    fn names_are_read_from_about() {
        let name = |about| name_in_about(about);
        assert_eq!(name(r#"name="Pela", version="7.9""#).as_deref(), Some("Pela"));
        assert_eq!(name(r#"version="1", NAME=" X ""#).as_deref(), Some("X"));
        assert_eq!(name("Kagetsu 1.0"), None);
        assert_eq!(name(r#"name="""#), None);
    }
}
