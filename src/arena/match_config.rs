//! How a match is to be played: everything that is settled before its first game.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::ensure;

use super::adjudication::Adjudication;
use super::opening_book::Book;
use super::recorder::Copies;
use super::records::{MatchHeader, VERSION, rule_name, sides};
use super::schedule::{self, ScheduledGame};
use super::spec::EngineSpec;
use super::sprt::Sprt;
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
    /// Only these pairs of games, where others play the rest of the match; all if there is no range.
    pub pairs: Option<Range<usize>>,
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
    /// The seed of the openings, of their order, and of what built-in engines leave to chance.
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

    /// The encounters of this tournament, the engine with the lower number first.
    #[must_use]
    pub fn encounters(&self) -> Vec<(usize, usize)> {
        schedule::encounters(self.engines.len(), self.gauntlet)
    }

    /// All games that are played here, in the order in which they begin.
    #[must_use]
    pub fn schedule(&self) -> Vec<ScheduledGame> {
        let mut games = schedule::schedule(&self.encounters(), self.games);
        if let Some(pairs) = &self.pairs {
            games.retain(|game| pairs.contains(&game.pair));
        }
        games
    }

    /// Whether such a match can be played at all.
    ///
    /// # Errors
    /// It cannot; the error says what is wrong with it.
    pub fn check(&self) -> anyhow::Result<()> {
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
