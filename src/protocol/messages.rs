//! What the threads of the protocol send each other: lines, jobs and what comes of them.

use std::sync::Arc;
use std::time::Instant;

use super::input::RawLine;
use super::session::Detail;
use crate::board::Stones;
use crate::engine::Engine;
use crate::engine::swap2::{Choice, Question};
use crate::rules::Rule;
use crate::search::{Answer, Control, Limits, Report, Request};

/// What happens to the loop.
pub(super) enum Event {
    /// A line came in at this time.
    Line(RawLine, Instant),
    /// No more lines will come.
    InputEnd,
    /// News of the running search.
    Report(Report),
    /// The running search is over.
    Finished(Engine, Outcome),
}

/// What came of a job.
pub(super) enum Outcome {
    /// The search's answer.
    Answer(Answer),
    /// The opening's decision.
    Choice(Choice),
}

/// What the thinking thread is to do.
pub(super) enum Work {
    /// Build what a search under the rule needs, so that the first move does not wait for it.
    Prepare(Rule),
    Think(Box<Job>),
}

/// A question for the engine.
pub(super) struct Job {
    pub engine: Engine,
    pub threads: usize,
    pub memory: u64,
    pub rule: Rule,
    pub stones: Stones,
    pub ask: Ask,
    pub control: Arc<Control>,
    pub detail: Detail,
}

/// The question of a job.
pub(super) enum Ask {
    Search(Request),
    Opening { question: Question, limits: Limits, started: Instant },
}
