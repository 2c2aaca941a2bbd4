//! The results of a match so far, counted game by game.

use std::collections::BTreeMap;

use super::ratings::CrossTable;
use super::records::GameRecord;
use super::stats::{PairedTally, Tally};

/// The results so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    encounters: BTreeMap<(usize, usize), PairedTally>,
    games: usize,
    faults: BTreeMap<String, usize>,
    /// The runner's own time in microseconds, and the number of answers over which it was spent.
    overhead_us: u64,
    overhead_moves: usize,
}

impl Standings {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.encounters.entry(game.engines).or_default().add(game.pair, game.half_points());
        if let Some(ms) = game.overhead_ms {
            self.overhead_us = self.overhead_us.saturating_add((1000.0 * ms) as u64);
            self.overhead_moves += game.answers();
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
        self.encounters.get(&engines).map(PairedTally::tally).unwrap_or_default()
    }

    /// Games that each engine lost by a fault.
    #[must_use]
    pub fn faults(&self) -> &BTreeMap<String, usize> {
        &self.faults
    }

    /// The runner's own time per move, in ms: sending, receiving, judging, and checking the engines' memory.
    #[must_use]
    pub fn overhead_ms(&self) -> Option<f64> {
        (self.overhead_moves > 0).then(|| self.overhead_us as f64 / 1000.0 / self.overhead_moves as f64)
    }

    /// The cross table.
    #[must_use]
    pub fn table(&self, names: Vec<String>) -> CrossTable {
        let mut table = CrossTable::new(names);
        self.encounters.iter().for_each(|(&(row, column), paired)| table.set(row, column, paired.tally()));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::records::MoveRecord;
    use crate::arena::test_records::game;

    /// The proposal of swap2 belongs to the opening, but an engine was asked for it like for any other move.
    #[test]
    fn every_answer_shares_the_overhead() {
        let placed = |ms| MoveRecord { ms, ..MoveRecord::default() };
        let moves = [None, None, Some(5.0), Some(7.0)].map(placed).to_vec();
        let mut standings = Standings::default();
        standings.add(&GameRecord { moves, opening: 3, overhead_ms: Some(1.0), ..game(0) });
        assert_eq!(standings.overhead_ms(), Some(0.5));
        // Records can say anything.
        (0..2).for_each(|id| standings.add(&GameRecord { overhead_ms: Some(f64::MAX), ..game(id) }));
        assert!(standings.overhead_ms().is_some());
    }
}
