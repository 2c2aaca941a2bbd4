//! The engine: everything that lives from one move to the next, and the one door to the search.
//!
//! Knows no text: questions come as [`Request`], answers go as [`Report`] and [`Answer`].

use crate::board::Stones;
use crate::rules::Rule;
use crate::search::{Answer, Control, Report, Request};

/// A searching engine. Two engines in one process do not notice each other.
pub struct Engine {}

impl Engine {
    /// An engine with this many search threads (at least 1) that keeps the whole process below `memory`
    /// bytes. Cheap: memory is claimed as it is used.
    #[must_use]
    pub fn new(_threads: usize, _memory: u64) -> Engine {
        Engine {}
    }

    /// Changes the number of search threads.
    pub fn set_threads(&mut self, _threads: usize) {}

    /// Changes the limit for the memory of the whole process, in bytes.
    pub fn set_memory(&mut self, _memory: u64) {}

    /// Forgets all that was searched before.
    pub fn clear_table(&mut self) {}

    /// How full the transposition table is, in thousandths, from a sample.
    #[must_use]
    pub fn table_usage(&self) -> u32 {
        0
    }

    /// Answers the request for the side to move. Whatever happens, a legal move comes back if there is one
    /// (a panic of the search is caught and logged).
    ///
    /// # Panics
    /// If the board is full.
    pub fn think(
        &mut self,
        _rule: Rule,
        stones: &Stones,
        request: &Request,
        _control: &Control,
        _report: &(dyn Fn(Report) + Sync),
    ) -> Answer {
        let point = stones
            .size()
            .points()
            .filter(|&p| stones.is_empty_at(p))
            .min_by_key(|p| p.distance(stones.size().center()))
            .expect("the board is not full");
        Answer { moves: vec![point], lines: Vec::new(), nodes: 0, elapsed: request.started.elapsed() }
    }
}
