//! What the opening and the protocol need of an engine, so that tests can put a scripted one in its
//! place. Knows no text.

use crate::board::Stones;
use crate::engine::Engine;
use crate::rules::Rule;
use crate::search::{Answer, Control, Report, Request};

/// Something that answers [`Request`]s; see [`Engine`] for what each method promises.
pub trait Thinker: Send + 'static {
    /// Builds what searches under the rule share and keep, so that the first need not.
    fn prepare(rule: Rule);

    /// Changes the number of search threads.
    fn set_threads(&mut self, threads: usize);

    /// Changes the limit for the memory of the whole process, in bytes.
    fn set_memory(&mut self, memory: u64);

    /// Forgets all that was searched before.
    fn clear_table(&mut self);

    /// How full the transposition table is, in thousandths.
    fn table_usage(&self) -> u32;

    /// Answers the request for the side to move; the board is not full.
    fn think(
        &mut self,
        rule: Rule,
        stones: &Stones,
        request: &Request,
        control: &Control,
        report: &(dyn Fn(Report) + Sync),
    ) -> Answer;
}

impl Thinker for Engine {
    fn prepare(rule: Rule) {
        Engine::prepare(rule);
    }

    fn set_threads(&mut self, threads: usize) {
        Engine::set_threads(self, threads);
    }

    fn set_memory(&mut self, memory: u64) {
        Engine::set_memory(self, memory);
    }

    fn clear_table(&mut self) {
        Engine::clear_table(self);
    }

    fn table_usage(&self) -> u32 {
        Engine::table_usage(self)
    }

    fn think(
        &mut self,
        rule: Rule,
        stones: &Stones,
        request: &Request,
        control: &Control,
        report: &(dyn Fn(Report) + Sync),
    ) -> Answer {
        Engine::think(self, rule, stones, request, control, report)
    }
}
