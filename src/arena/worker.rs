//! A worker plays one scheduled game after the other and reports the results. A match has as many workers as it plays
//! games at the same time.
//!
//! It knows neither the results of other games nor where records go.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::external::External;
use super::game::{GameSetup, Seat, play};
use super::heartbeat::Heartbeat;
use super::internal::Internal;
use super::match_config::MatchConfig;
use super::player::{Fault, Player};
use super::process::MatchContext;
use super::records::{GameRecord, milliseconds, rule_name, sides};
use super::schedule::ScheduledGame;
use super::stop::Stop;
use crate::engine::guarded;
use crate::levels::seed_of_game;

/// How often a game is tried because of lost time; on a machine that is this busy, more attempts would not help.
const ATTEMPTS: usize = 4;
/// From this much lost time on, a game with a clock for the whole game is replayed. Less than that costs nobody a game,
/// and on a busy machine every other game would be replayed for it.
const CLOCK_MISSES: Duration = Duration::from_millis(250);

/// What a worker reports.
pub(super) enum WorkerEvent {
    Game(Box<GameRecord>),
    Note(String),
    Panic(String),
}

/// Plays one game after the other.
pub(super) struct Worker<'a> {
    config: &'a MatchConfig,
    context: &'a MatchContext,
    stop: &'a Stop,
    heartbeat: &'a Heartbeat,
    pending: &'a Mutex<VecDeque<ScheduledGame>>,
    events: Sender<WorkerEvent>,
    /// The players of the last game, by engine.
    players: Vec<(usize, Box<dyn Player>)>,
}

impl<'a> Worker<'a> {
    /// A worker that takes its games from `pending` and reports to `events`.
    pub(super) fn new(
        config: &'a MatchConfig,
        context: &'a MatchContext,
        stop: &'a Stop,
        heartbeat: &'a Heartbeat,
        pending: &'a Mutex<VecDeque<ScheduledGame>>,
        events: Sender<WorkerEvent>,
    ) -> Worker<'a> {
        Worker { config, context, stop, heartbeat, pending, events, players: Vec::new() }
    }

    /// Plays until no game is left or the match is stopped, then ends the engines.
    pub(super) fn run(mut self) {
        while !self.stop.is_asked() {
            let Some(game) = self.pending.lock().pop_front() else { break };
            let event = match guarded(|| self.play(game)) {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(cause) => WorkerEvent::Panic(cause),
            };
            if self.events.send(event).is_err() {
                break;
            }
        }
        for (engine, mut player) in std::mem::take(&mut self.players) {
            if self.stop.is_interrupted() {
                player.discard();
            } else {
                self.dismiss(engine, player);
            }
        }
    }

    /// Lets a player quit, and notes if it had to be killed.
    fn dismiss(&self, engine: usize, mut player: Box<dyn Player>) {
        if !player.quit() {
            let text = format!("{} ignored END and was killed", self.config.engines[engine].name);
            let _ = self.events.send(WorkerEvent::Note(text));
        }
    }

    /// Plays a game, and replays it if the runner itself stood still and the lost time may have been charged to an
    /// engine. If it stood still in every attempt, the game is left out: whoever lost it might have won.
    fn play(&mut self, game: ScheduledGame) -> Option<WorkerEvent> {
        let mut attempt = 1;
        loop {
            let before = self.heartbeat.lost();
            let record = self.play_once(game)?;
            let lost = self.heartbeat.lost() - before;
            if lost.is_zero() || !self.depends_on_time(&record, lost) {
                return Some(WorkerEvent::Game(Box::new(record)));
            }
            let note = WorkerEvent::Note(gap_note(game.id, lost, attempt));
            if attempt == ATTEMPTS {
                return Some(note);
            }
            let _ = self.events.send(note);
            attempt += 1;
        }
    }

    /// Whether lost time can have changed the game: it ended by a time fault, or a clock for the whole game lost
    /// enough.
    fn depends_on_time(&self, record: &GameRecord, lost: Duration) -> bool {
        let has_clock = |engine: usize| self.config.engines[engine].match_ms.is_some();
        let (first, second) = record.engines;
        let is_missed = lost >= CLOCK_MISSES && (has_clock(first) || has_clock(second));
        is_missed || record.fault().is_some_and(Fault::is_of_time)
    }

    fn play_once(&mut self, game: ScheduledGame) -> Option<GameRecord> {
        let config = self.config;
        let (first, second) = game.engines;
        let order = if game.side == 0 { [first, second] } else { [second, first] };
        let mut players = self.seat(order);
        let opening = config.opening(&game);
        let setup = GameSetup {
            rule: config.rule,
            size: config.size,
            opening: &opening,
            seed: seed_of_game(config.seed, game.id as u64),
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
            id: game.id,
            pair: game.pair,
            engines: game.engines,
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

    /// Returns the players of these engines, newly created unless they played the last game; all others quit.
    fn seat(&mut self, engines: [usize; 2]) -> [(usize, Box<dyn Player>); 2] {
        let mut here: Vec<_> = std::mem::take(&mut self.players);
        let players = engines.map(|engine| match here.iter().position(|&(other, _)| other == engine) {
            Some(at) => here.swap_remove(at),
            None => (engine, self.new_player(engine)),
        });
        here.into_iter().for_each(|(engine, player)| self.dismiss(engine, player));
        players
    }

    fn new_player(&self, engine: usize) -> Box<dyn Player> {
        let spec = self.config.engines[engine].clone();
        match spec.command {
            None => Box::new(Internal::new(spec)),
            Some(_) => Box::new(External::new(spec, self.context.clone())),
        }
    }
}

/// What is said of a game in which the runner lost time.
fn gap_note(game: usize, lost: Duration, attempt: usize) -> String {
    let stood_still = format!("the runner itself stood still for {:.1} s", lost.as_secs_f64());
    if attempt < ATTEMPTS {
        format!("game {game} does not count and is played again: {stood_still}")
    } else {
        format!(
            "game {game} is left out: {stood_still}, as in all {ATTEMPTS} attempts; a match with --out plays it when it is \
             continued"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;
    use crate::arena::adjudication::Adjudication;
    use crate::arena::opening_book::Book;
    use crate::arena::spec::EngineSpec;
    use crate::board::Size;

    #[test]
    fn a_game_is_left_out_if_the_runner_stands_still_in_every_attempt() {
        let engines = ["name=a", "name=b"]
            .map(|name| EngineSpec::parse(&format!("{name} nodes=2000 match=600"), &[]).unwrap());
        let adjudication = Adjudication { draw_after: Some(20), ..Adjudication::default() };
        let book = Book::empty(Size::square(9));
        let config = MatchConfig { games: 1, adjudication, ..MatchConfig::new(engines.to_vec(), book) };
        let (context, stop, heartbeat) = (MatchContext::default(), Stop::new(), Heartbeat::start().unwrap());
        let pending = Mutex::new(config.schedule().into());
        let (sender, receiver) = channel();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    heartbeat.lose(CLOCK_MISSES);
                    thread::sleep(Duration::from_millis(1));
                }
            });
            Worker::new(&config, &context, &stop, &heartbeat, &pending, sender).run();
            is_over.store(true, Relaxed);
        });
        let said = |event| match event {
            WorkerEvent::Note(text) => text,
            WorkerEvent::Game(_) => "a game".to_owned(),
            WorkerEvent::Panic(cause) => cause,
        };
        let said: Vec<String> = receiver.iter().map(said).collect();
        assert_eq!(said.len(), ATTEMPTS, "{said:?}");
        assert!(said[..3].iter().all(|text| text.contains("does not count and is played again")), "{said:?}");
        assert!(said[3].starts_with("game 0 is left out"), "{said:?}");
    }
}
