//! Plays a match: the games of a schedule, several at a time, until all are played or the match is stopped.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use anyhow::{Context, anyhow, ensure};
use parking_lot::Mutex;

use super::heartbeat::Heartbeat;
use super::match_config::MatchConfig;
use super::process::MatchContext;
use super::recorder::Recorder;
use super::records::{GameRecord, Records};
use super::schedule::ScheduledGame;
use super::sprt::SprtVerdict;
use super::standings::Standings;
use super::stop::Stop;
use super::worker::{Worker, WorkerEvent};

/// Said when records are continued that another version wrote.
const UNKNOWN_PLAYERS: &str =
    "note: the records do not say which programs played so far; make sure that they are the same";

/// What happens while a match runs.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// This many games were found in the records.
    Resumed(usize),
    /// A game is over.
    Game(&'a GameRecord),
    /// Something worth knowing.
    Note(&'a str),
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSummary {
    /// The results.
    pub standings: Standings,
    /// What the SPRT said when it ended the match; `None` without one.
    pub verdict: Option<SprtVerdict>,
    /// Whether it was ended from outside.
    pub interrupted: bool,
    /// The fault that ended it.
    pub fatal: Option<String>,
}

/// Plays the remaining games of a match.
///
/// # Errors
/// The match cannot be played as described, or records cannot be written.
pub fn run(
    config: &MatchConfig,
    context: &MatchContext,
    stop: &Arc<Stop>,
    on_event: impl FnMut(&Standings, Event),
) -> anyhow::Result<MatchSummary> {
    config.check()?;
    let (recorder, before) = match &config.out {
        Some(folder) => {
            let (recorder, records) = Recorder::open(folder, &config.header(), config.copies)?;
            (Some(recorder), records)
        }
        None => (None, Records::default()),
    };
    let standings = Standings::default();
    let mut coordinator = MatchCoordinator {
        config,
        stop,
        recorder,
        on_event,
        standings,
        verdict: SprtVerdict::Open,
        fatal: None,
        failure: None,
    };
    let pending = coordinator.resume(&before)?;
    if !pending.is_empty() && !coordinator.is_decided() {
        let workers = config.concurrency.clamp(1, pending.len());
        let pending = Mutex::new(pending);
        let heartbeat = Heartbeat::start().context("starting the heartbeat")?;
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..workers {
                let worker = Worker::new(config, context, stop, &heartbeat, &pending, sender.clone());
                scope.spawn(move || worker.run());
            }
            // The workers keep their senders, so the channel closes when the last worker has finished.
            drop(sender);
            receiver.into_iter().for_each(|event| coordinator.receive(event));
        });
    }
    coordinator.close()
}

/// Receives the events of all workers, counts and records the games, and decides when to end the match.
struct MatchCoordinator<'a, F> {
    config: &'a MatchConfig,
    stop: &'a Stop,
    recorder: Option<Recorder>,
    on_event: F,
    standings: Standings,
    verdict: SprtVerdict,
    /// The fault that ends the match.
    fatal: Option<String>,
    /// The first error of the runner itself.
    failure: Option<anyhow::Error>,
}

impl<F: FnMut(&Standings, Event)> MatchCoordinator<'_, F> {
    /// Counts the games that were played before, and returns those that are still to be played.
    ///
    /// # Errors
    /// A game is not that of the schedule: its record is damaged.
    fn resume(&mut self, before: &Records) -> anyhow::Result<VecDeque<ScheduledGame>> {
        let mut pending: VecDeque<ScheduledGame> = self.config.schedule().into();
        let planned: BTreeMap<usize, ScheduledGame> = pending.iter().map(|&game| (game.id, game)).collect();
        let mut finished = BTreeSet::new();
        for game in &before.games {
            let Some(planned) = planned.get(&game.id) else { continue };
            ensure!(
                (game.pair, game.engines) == (planned.pair, planned.engines),
                "the record of game {} is damaged: this match has no such game",
                game.id
            );
            self.count(game);
            finished.insert(game.id);
        }
        pending.retain(|game| !finished.contains(&game.id));
        if !finished.is_empty() {
            (self.on_event)(&self.standings, Event::Resumed(finished.len()));
            let is_known = before.header.as_ref().is_some_and(|header| !header.identities.is_empty());
            if !self.config.identities.is_empty() && !is_known {
                (self.on_event)(&self.standings, Event::Note(UNKNOWN_PLAYERS));
            }
        }
        Ok(pending)
    }

    fn receive(&mut self, event: WorkerEvent) {
        let written = match event {
            WorkerEvent::Game(game) => self.game(&game),
            WorkerEvent::Note(text) => {
                let written = self.recorder.as_mut().map_or(Ok(()), |recorder| recorder.note(&text));
                (self.on_event)(&self.standings, Event::Note(&text));
                written
            }
            WorkerEvent::Panic(text) => Err(anyhow!("the runner itself failed: {text}")),
        };
        if let Err(error) = written {
            self.failure.get_or_insert(error);
            // A record that was cut off must stay the last one: behind it, the next would be part of its line.
            self.recorder = None;
            self.stop.ask();
        }
    }

    fn game(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        self.count(game);
        let written = self.recorder.as_mut().map_or(Ok(()), |recorder| recorder.game(game));
        (self.on_event)(&self.standings, Event::Game(game));
        if self.config.faults_are_fatal
            && let (Some(fault), Some(loser)) = (game.fault(), game.loser())
        {
            self.fatal.get_or_insert_with(|| format!("game {}: {loser} {fault}", game.id));
            self.stop.ask();
        }
        if self.is_decided() {
            self.stop.ask();
        }
        written
    }

    fn count(&mut self, game: &GameRecord) {
        self.standings.add(game);
        if let Some(sprt) = self.config.sprt {
            self.verdict = self.verdict.then(sprt.verdict(&self.standings.encounter((0, 1))));
        }
    }

    fn is_decided(&self) -> bool {
        self.verdict != SprtVerdict::Open
    }

    fn close(self) -> anyhow::Result<MatchSummary> {
        let verdict = self.config.sprt.map(|_| self.verdict);
        let interrupted = self.stop.is_interrupted();
        match self.failure {
            Some(error) => Err(error),
            None => Ok(MatchSummary { verdict, standings: self.standings, interrupted, fatal: self.fatal }),
        }
    }
}

#[cfg(test)]
#[path = "match_play_tests.rs"]
mod tests;
