//! How a match is to be played: everything that is settled before its first game.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::path::PathBuf;

use anyhow::ensure;

use super::adjudication::Adjudication;
use super::identity::Identity;
use super::opening_book::Book;
use super::recorder::Copies;
use super::records::{MatchHeader, VERSION, rule_name, sides};
use super::schedule::{self, ScheduledGame};
use super::spec::EngineSpec;
use super::sprt::Sprt;
use crate::board::{Point, Size};
use crate::rules::Rule;

/// Most games of a match: the whole schedule is kept in memory.
const MOST_GAMES: usize = 10_000_000;
/// Games per encounter unless asked for otherwise.
pub(crate) const DEFAULT_GAMES: usize = 100;

/// What is played.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// At least two, with different names.
    pub engines: Vec<EngineSpec>,
    /// Who plays under their descriptions, in the same order. A match in which somebody else plays is not continued; if
    /// this is empty, any match is.
    pub identities: Vec<Identity>,
    /// Gauntlet (the first engine plays all others) instead of a round robin.
    pub gauntlet: bool,
    /// Games per encounter.
    pub games: usize,
    /// Only these pairs of games are played here and the rest elsewhere; `None` plays all of them.
    pub pairs: Option<Range<usize>>,
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Openings in order.
    pub book: Book,
    /// Where the openings come from, in words.
    pub book_name: String,
    /// Play each opening twice, with both colours.
    pub repeat: bool,
    /// Rotate and mirror the openings once the book is used up.
    pub transform: bool,
    /// The seed of the openings, of their order, and of the random choices of built-in engines.
    pub seed: u64,
    /// Sides are chosen by swap2.
    pub swap2: bool,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// When the match is ended early; for two engines.
    pub sprt: Option<Sprt>,
    /// Games played at the same time.
    pub concurrency: usize,
    /// End the match when an engine fails.
    pub faults_are_fatal: bool,
    /// The folder for the records; without it none are written.
    pub out: Option<PathBuf>,
    /// Which copies are written there beside the JSON lines.
    pub copies: Copies,
}

impl MatchConfig {
    /// A match between these engines as `kagetsu match` plays it unless asked for otherwise: a round robin of 100 games
    /// per encounter under the rule freestyle, one game at a time, to the end, without records. The seed is 0.
    #[must_use]
    pub fn new(engines: Vec<EngineSpec>, book: Book) -> MatchConfig {
        MatchConfig {
            engines,
            identities: Vec::new(),
            gauntlet: false,
            games: DEFAULT_GAMES,
            pairs: None,
            rule: Rule::default(),
            size: book.size(),
            book,
            book_name: "a given book".to_owned(),
            repeat: true,
            transform: true,
            seed: 0,
            swap2: false,
            adjudication: Adjudication::default(),
            sprt: None,
            concurrency: 1,
            faults_are_fatal: false,
            out: None,
            copies: Copies::default(),
        }
    }

    /// The first line of the records.
    #[must_use]
    pub fn header(&self) -> MatchHeader {
        MatchHeader {
            version: VERSION,
            runner: concat!("kagetsu ", env!("CARGO_PKG_VERSION")).to_owned(),
            engines: self.engines.clone(),
            identities: self.identities.clone(),
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

    /// The encounters of this tournament, each with the lower-numbered engine first.
    #[must_use]
    pub fn encounters(&self) -> Vec<(usize, usize)> {
        schedule::encounters(self.engines.len(), self.gauntlet)
    }

    /// How many openings the match has use for.
    #[must_use]
    pub(crate) fn openings_needed(&self) -> usize {
        schedule::openings(self.games, self.repeat)
    }

    /// The stones on the board when this game begins.
    #[must_use]
    pub(crate) fn opening(&self, game: &ScheduledGame) -> Vec<Point> {
        self.book.opening(game.opening(self.repeat), self.transform)
    }

    /// All games that are played here, in the order in which they start. A game that would be an exact repetition is no
    /// evidence for a test, so it is not played, and neither is the other game of its pair.
    #[must_use]
    pub fn schedule(&self) -> Vec<ScheduledGame> {
        let mut games = schedule::schedule(&self.encounters(), self.games);
        if self.sprt.is_some() && self.engines.iter().all(EngineSpec::repeats_itself) {
            games = self.without_repetitions(&games);
        }
        if let Some(pairs) = &self.pairs {
            games.retain(|game| pairs.contains(&game.pair));
        }
        games
    }

    /// The pairs of which no game begins as one before it did. A test has one encounter, so they stand together.
    fn without_repetitions(&self, games: &[ScheduledGame]) -> Vec<ScheduledGame> {
        let mut begun = HashSet::new();
        let mut new = Vec::new();
        for pair in games.chunk_by(|one, other| one.pair == other.pair) {
            let begins: Vec<_> = pair.iter().map(|game| (game.side, self.opening(game))).collect();
            if begins.iter().all(|begin| !begun.contains(begin)) {
                begun.extend(begins);
                new.extend_from_slice(pair);
            }
        }
        new
    }

    /// Checks that the match can be played.
    ///
    /// # Errors
    /// If it cannot be played; the error says why.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(self.engines.len() >= 2, "a match needs at least two engines");
        ensure!(self.games > 0, "a match needs at least one game");
        let games = self.games.saturating_mul(self.encounters().len());
        ensure!(games <= MOST_GAMES, "a match has at most {MOST_GAMES} games");
        ensure!(self.sprt.is_none() || self.engines.len() == 2, "an SPRT needs exactly two engines");
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
