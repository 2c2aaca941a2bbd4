//! Matches as a job: two engines, a gauntlet or a round robin, with or without a sequential test.
//!
//! A shard plays all games of some pairs, whatever their results. A test is not decided within a shard but over all
//! shards, in the order of the schedule. The verdict is reached with the first pair at which the results of all pairs
//! so far suffice, and games of later pairs are left out. So it depends neither on who was faster nor on how often the
//! work was interrupted, and it is the verdict of one machine that plays one game at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use super::manifest::{MANIFEST_FILE, ShardManifest, ShardOutcome};
use super::pinned_files;
use super::shard_environment::{ShardEnvironment, ShardOutput};
use super::work::{MatchWork, part};
use crate::arena::introduction::introduce;
use crate::arena::json_figures;
use crate::arena::match_config::MatchConfig;
use crate::arena::match_play::run;
use crate::arena::opening_book::Book;
use crate::arena::player::Fault;
use crate::arena::process::MatchContext;
use crate::arena::recorder::{Copies, Recorder, refuse_foreign_copies};
use crate::arena::records::{GAMES_FILE, GameRecord, MatchHeader, Records, Replacement};
use crate::arena::schedule::{self, ScheduledGame};
use crate::arena::spec::EngineSpec;
use crate::arena::sprt::{Sprt, SprtVerdict};
use crate::arena::stats::{PairedTally, Tally};
use crate::board::Size;
use crate::data::aside::place_aside;
use crate::files::read_if_there;
use crate::formats::moves;
use crate::rules::Rule;

impl MatchWork {
    /// The work of playing this match.
    ///
    /// # Errors
    /// The match cannot be played, or not in parts, or a program cannot be read.
    pub fn of(config: &MatchConfig, pairs_per_shard: usize) -> anyhow::Result<MatchWork> {
        config.check()?;
        ensure!(!config.faults_are_fatal, "--fatal-faults would end a shard before its end");
        MatchWork::ensure_independent(&config.engines)?;
        // The job lists every opening, so every one counts for the fingerprint. And it knows no games that are not
        // played: where a test leaves out repetitions, it lists the openings of the others as they are placed.
        let schedule = config.schedule();
        let games = schedule.len() / config.encounters().len();
        let openings = if games < config.games {
            let has_own = |game: &&ScheduledGame| game.side == 0 || !config.repeat;
            schedule.iter().filter(has_own).map(|game| config.opening(game)).collect()
        } else {
            config.book.openings().to_vec()
        };
        let book = Book::of(openings, config.rule, config.size)?;
        let openings = book.openings().iter().map(|points| moves::letters(points, "")).collect();
        let header = MatchConfig { book, games, ..config.clone() }.header();
        Ok(MatchWork {
            header,
            openings,
            programs: pinned_files::found_in(&config.engines)?,
            pairs_per_shard,
        })
    }

    /// Checks that these engines can play a match in parts.
    ///
    /// # Errors
    /// Something that would make the games of a part depend on others or on this machine.
    pub fn ensure_independent(engines: &[EngineSpec]) -> anyhow::Result<()> {
        for engine in engines {
            let name = &engine.name;
            ensure!(
                engine.experience_file.is_none(),
                "{name}: with experiencefile= a game depends on those before it, and shards are played in any order"
            );
            ensure!(
                engine.folder.is_none(),
                "{name}: dir= is a folder of this machine; in a job an engine runs where its program lies"
            );
        }
        Ok(())
    }

    /// Whether programs other than this one play.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        self.header.engines.iter().any(|engine| engine.command.is_some())
    }

    /// The configuration for playing these pairs of the match into this folder.
    fn config(&self, pairs: Range<usize>, threads: usize, folder: &Path) -> anyhow::Result<MatchConfig> {
        let header = &self.header;
        let rule: Rule = header.rule.parse()?;
        let size = Size::new(header.size.0, header.size.1).context("the job has no such board")?;
        let openings =
            self.openings.iter().map(|text| moves::read(text, size).context("an opening of the job"));
        let book = Book::of(openings.collect::<anyhow::Result<_>>()?, rule, size)?;
        let config = MatchConfig {
            engines: header.engines.clone(),
            identities: header.identities.clone(),
            gauntlet: header.gauntlet,
            games: header.games,
            pairs: Some(pairs),
            rule,
            size,
            book,
            book_name: header.openings.clone(),
            repeat: header.repeat,
            transform: header.transform,
            seed: header.seed,
            swap2: header.swap2,
            adjudication: header.adjudication,
            // Decided over all shards, not here.
            sprt: None,
            concurrency: threads,
            faults_are_fatal: false,
            out: Some(folder.to_owned()),
            copies: Copies { records_only: true, ..Copies::default() },
        };
        let is_same = MatchHeader { sprt: header.sprt, ..config.header() } == *header;
        ensure!(is_same, "the openings of the job are not those that it was planned with");
        Ok(config)
    }

    fn encounters(&self) -> Vec<(usize, usize)> {
        schedule::encounters(self.header.engines.len(), self.header.gauntlet)
    }

    fn pairs_of(&self, shard: u32) -> Range<usize> {
        part(shard, self.pairs_per_shard, self.pairs())
    }

    /// How many games a pair of an encounter has: the last one may have but one.
    fn games_in(&self, pair: usize) -> usize {
        self.header.games.saturating_sub(2 * pair).min(2)
    }

    /// How many games a shard has.
    pub(super) fn games_of(&self, shard: u32) -> usize {
        self.pairs_of(shard).map(|pair| self.games_in(pair)).sum::<usize>() * self.encounters().len()
    }

    /// Whether the games do not depend on time.
    fn is_timeless(&self) -> bool {
        self.header.engines.iter().all(EngineSpec::is_timeless)
    }

    /// Plays the remaining games of a shard.
    ///
    /// # Errors
    /// A program is not the one of the job, or records cannot be written.
    pub(super) fn run(
        &self,
        shard: u32,
        folder: &Path,
        environment: &ShardEnvironment,
    ) -> anyhow::Result<ShardOutput> {
        let stop = &environment.stop_request.stop;
        // What made a shard before this one fail is no reason to leave this one out.
        stop.begin();
        set_aside_damaged(&folder.join(GAMES_FILE))?;
        let moved = pinned_files::moved(&self.programs, environment.programs.as_deref())?;
        let context =
            MatchContext { watchdog: environment.watchdog.clone(), moved, ..MatchContext::default() };
        let config = self.config(self.pairs_of(shard), environment.threads, folder)?;
        // An engine that ends at once on this machine need not lose every game before this is noticed. The names of the
        // job stay.
        let names = vec![true; config.engines.len()];
        introduce(&mut config.engines.clone(), &names, &context, stop)?;
        let summary = run(&config, &context, stop, |_, _| {})?;
        if summary.interrupted {
            return Ok(None);
        }
        let records = Records::read(&folder.join(GAMES_FILE))?;
        refuse_launch_faults(&config, &records, folder)?;
        let planned = config.schedule().len();
        ensure!(records.games.len() == planned, "{} of {planned} games were played", records.games.len());
        let games = results_of(&records);
        let faults = records.games.iter().filter(|game| game.fault().is_some()).count();
        let moves = records.games.iter().map(GameRecord::answers).sum();
        Ok(Some((vec![GAMES_FILE.to_owned()], ShardOutcome::Match { games, faults, moves })))
    }

    /// Merges the records of these shards into those of one match. Games after the pair that decided it are left out.
    ///
    /// # Errors
    /// Records are not those of this job or cannot be read or written, or the folder holds another match, other games
    /// or more games.
    pub(super) fn merge(
        &self,
        manifests: &[ShardManifest],
        results: &Path,
        out: &Path,
        decided_with: Option<usize>,
        keep_times: bool,
    ) -> anyhow::Result<String> {
        // Shards after the deciding pair do not count, and need not even be read.
        let is_needed = |manifest: &&ShardManifest| {
            decided_with.is_none_or(|pair| self.pairs_of(manifest.shard).start <= pair)
        };
        let mut games = BTreeMap::new();
        for manifest in manifests.iter().filter(is_needed) {
            self.add_games(manifest, results, &mut games)?;
        }
        let is_left_out = |game: &GameRecord| decided_with.is_some_and(|last| game.pair > last);
        let (mut left_out, mut games): (BTreeMap<_, _>, BTreeMap<_, _>) =
            games.into_iter().partition(|(_, game)| is_left_out(game));
        let path = out.join(GAMES_FILE);
        // Once the records are there, what lies beside them counts as copies of them.
        refuse_foreign_copies(out)?;
        let replacement = Replacement::begin(out)?;
        let before = replacement.before()?;
        let is_own = before.header.is_none_or(|header| header.conflict(&self.header).is_none());
        ensure!(is_own, "{} holds another match; choose another folder", out.display());
        // A merge before this one may have entered games that turned out to lie after the decision.
        if before.games.iter().any(|game| !games.contains_key(&game.id)) {
            for manifest in manifests.iter().filter(|manifest| !is_needed(manifest)) {
                self.add_games(manifest, results, &mut left_out)?;
            }
        }
        for game in before.games {
            let id = game.id;
            let same = games.get(&id).or_else(|| left_out.get(&id));
            let same = same.with_context(|| {
                format!("{} holds more games, such as game {id}; choose another folder", out.display())
            })?;
            ensure!(
                same.clone().without_times() == game.without_times(),
                "{} holds other games, such as game {id}; choose another folder",
                out.display()
            );
        }
        if self.is_timeless() && !keep_times {
            games = games.into_iter().map(|(id, game)| (id, game.without_times())).collect();
        }
        replacement.finish(&self.header, games.values())?;
        // The copies are made anew from the records.
        Recorder::open(out, &self.header, Copies::default())?;
        Ok(format!("{} games in {}", games.len(), path.display()))
    }

    /// Adds the games of a shard by their numbers.
    fn add_games(
        &self,
        manifest: &ShardManifest,
        results: &Path,
        games: &mut BTreeMap<usize, GameRecord>,
    ) -> anyhow::Result<()> {
        let pairs = self.pairs_of(manifest.shard);
        for (path, bytes) in manifest.contents(results)? {
            let records = Records::parse(&bytes).with_context(|| path.display().to_string())?;
            let conflict = records.header.as_ref().and_then(|header| header.conflict(&self.header));
            ensure!(conflict.is_none(), "{} differs in {}", path.display(), conflict.unwrap_or_default());
            if let ShardOutcome::Match { games: told, .. } = &manifest.outcome {
                ensure!(
                    results_of(&records) == *told,
                    "{} holds other games than {MANIFEST_FILE} says; remove its folder",
                    path.display()
                );
            }
            for game in records.games {
                let is_own = pairs.contains(&game.pair);
                ensure!(is_own, "{}: game {} belongs to another shard", path.display(), game.id);
                games.insert(game.id, game);
            }
        }
        Ok(())
    }
}

/// Fails if an engine could not be started, or did not get as far as the first `OK`. Then this machine has failed and
/// not the engine, so the games lost in this way are removed from the records, to be played again.
fn refuse_launch_faults(config: &MatchConfig, records: &Records, folder: &Path) -> anyhow::Result<()> {
    let is_launch = |game: &&GameRecord| {
        matches!(game.fault(), Some(Fault::Launch { .. } | Fault::NoOk { .. } | Fault::Refused { .. }))
    };
    let Some(game) = records.games.iter().find(is_launch) else { return Ok(()) };
    let others = records.games.iter().filter(|game| !is_launch(game));
    Replacement::begin(folder)?.finish(&config.header(), others)?;
    let loser = game.loser().unwrap_or("an engine");
    let fault = game.fault().map(Fault::to_string).unwrap_or_default();
    anyhow::bail!("{loser} {fault}; no game counts that was lost so")
}

/// The games by their numbers, each with the half points of the first engine of its encounter, as manifests have them.
fn results_of(records: &Records) -> Vec<(usize, usize)> {
    let mut games: Vec<_> = records.games.iter().map(|game| (game.id, game.half_points())).collect();
    games.sort_unstable();
    games
}

/// Renames records that a power failure or a bad disk has left damaged in the middle. Nobody has counted them yet, and
/// the games can be played again.
fn set_aside_damaged(path: &Path) -> anyhow::Result<()> {
    let Some(bytes) = read_if_there(path)? else { return Ok(()) };
    let Err(error) = Records::parse(&bytes) else { return Ok(()) };
    let aside = place_aside(path);
    log::warn!("{}: {error:#}; it is now {}", path.display(), aside.display());
    std::fs::rename(path, &aside).with_context(|| format!("renaming {}", path.display()))
}

/// Whether both games of a pair are known.
fn is_complete(pair: &PairedTally) -> bool {
    pair.tally().games() == 2
}

/// The results of some shards.
#[derive(Clone, Debug)]
pub(crate) struct MatchState<'a> {
    work: &'a MatchWork,
    encounters: Vec<(usize, usize)>,
    tallies: Vec<PairedTally>,
    /// Faults and moves of each shard.
    effort: BTreeMap<u32, (usize, usize)>,
    /// For a sequential test: pairs that wait for their second game or for an earlier pair.
    waiting: BTreeMap<usize, PairedTally>,
    /// Number of pairs without a gap, counted from the first.
    counted: usize,
    /// The results of those pairs.
    tally: Tally,
    verdict: SprtVerdict,
}

impl<'a> MatchState<'a> {
    pub(super) fn new(work: &'a MatchWork) -> MatchState<'a> {
        let encounters = work.encounters();
        MatchState {
            work,
            tallies: vec![PairedTally::default(); encounters.len()],
            encounters,
            effort: BTreeMap::new(),
            waiting: BTreeMap::new(),
            counted: 0,
            tally: Tally::default(),
            verdict: SprtVerdict::Open,
        }
    }

    /// Counts the games of a shard.
    ///
    /// # Errors
    /// A game does not belong to the shard, or is there twice.
    pub(super) fn add(
        &mut self,
        shard: u32,
        games: &[(usize, usize)],
        faults: usize,
        moves: usize,
    ) -> anyhow::Result<()> {
        let (pairs, meetings) = (self.work.pairs_of(shard), self.encounters.len().max(1));
        // As the schedule numbers them.
        let place = |id: usize| (id / 2 / meetings, id / 2 % meetings);
        // All of them before any is counted: the true manifest may follow.
        let mut known = BTreeSet::new();
        let strange = games.iter().find(|&&(id, half_points)| {
            let (pair, encounter) = place(id);
            let is_planned = pairs.contains(&pair) && id % 2 < self.work.games_in(pair);
            !is_planned || encounter >= self.tallies.len() || half_points > 2 || !known.insert(id)
        });
        if let Some((id, _)) = strange {
            bail!("shard {shard} has no such game {id}");
        }
        for &(id, half_points) in games {
            let (pair, encounter) = place(id);
            self.tallies[encounter].add(pair, half_points);
            if self.work.header.sprt.is_some() {
                self.waiting.entry(pair).or_default().add(pair, half_points);
            }
        }
        self.effort.insert(shard, (faults, moves));
        self.decide();
        Ok(())
    }

    /// Counts consecutive pairs until there is a verdict.
    fn decide(&mut self) {
        let Some(sprt) = self.work.header.sprt else { return };
        while self.verdict == SprtVerdict::Open
            && let Some(pair) = self.waiting.get(&self.counted).filter(|pair| is_complete(pair))
        {
            self.tally.add(&pair.tally());
            self.waiting.remove(&self.counted);
            self.counted += 1;
            self.verdict = sprt.verdict(&self.tally);
        }
    }

    /// The results of each encounter: of a test that is decided, those that decided it.
    pub(crate) fn results(&self) -> Vec<((usize, usize), Tally)> {
        match self.verdict {
            SprtVerdict::Open => {
                let tallies = self.tallies.iter().map(PairedTally::tally);
                self.encounters.iter().copied().zip(tallies).collect()
            }
            SprtVerdict::Passed | SprtVerdict::Failed => vec![((0, 1), self.tally)],
        }
    }

    /// The sequential test with its verdict and the results that it is based on.
    pub(crate) fn test(&self) -> Option<(Sprt, SprtVerdict, Tally)> {
        self.work.header.sprt.map(|sprt| (sprt, self.verdict, self.tally))
    }

    /// The names of the engines.
    pub(crate) fn names(&self) -> Vec<String> {
        self.work.header.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// The number of games in all.
    pub(crate) fn planned(&self) -> usize {
        self.work.header.games * self.encounters.len()
    }

    /// Games that were lost by a fault.
    pub(crate) fn faults(&self) -> usize {
        self.effort().0
    }

    /// Faults and moves. Of a test that is decided, those of the shards that were needed, of which the last may hold
    /// games beyond the decision.
    fn effort(&self) -> (usize, usize) {
        let counted = self.effort.range(..self.needed().unwrap_or(u32::MAX));
        counted.fold((0, 0), |sum, (_, (faults, moves))| {
            (sum.0.saturating_add(*faults), sum.1.saturating_add(*moves))
        })
    }

    /// The pair that decided the test.
    pub(super) fn decided_with(&self) -> Option<usize> {
        (self.verdict != SprtVerdict::Open).then(|| self.counted - 1)
    }

    /// The number of shards that are needed, once the test is decided.
    pub(super) fn needed(&self) -> Option<u32> {
        self.decided_with().map(|pair| (pair / self.work.pairs_per_shard) as u32 + 1)
    }

    /// All figures, for programs.
    pub(super) fn figures(&self) -> Value {
        let (names, results, (faults, moves)) = (self.names(), self.results(), self.effort());
        let encounter = |&((first, second), tally): &((usize, usize), Tally)| {
            json_figures::encounter([&names[first], &names[second]], &tally)
        };
        let sprt = self.test().map(|(sprt, verdict, tally)| {
            let mut test = json_figures::sprt(sprt, verdict, &tally);
            test["pairs"] = json!(self.counted);
            test["waiting"] = json!(self.waiting.values().filter(|pair| is_complete(pair)).count());
            test
        });
        json!({
            "games": results.iter().map(|(_, tally)| tally.games()).sum::<u64>(),
            "planned": self.planned(),
            "moves": moves,
            "faults": faults,
            "encounters": results.iter().map(encounter).collect::<Vec<_>>(),
            "sprt": sprt,
        })
    }
}

#[cfg(test)]
#[path = "matches_tests.rs"]
mod tests;
