//! What the threads of the protocol send each other: lines, jobs and their outcomes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::input::RawLine;
use super::session::Detail;
use crate::board::Stones;
use crate::engine::Engine;
use crate::engine::opening::{RifChoice, RifQuestion, Swap2Choice, Swap2Question};
use crate::levels::Style;
use crate::rules::{OpeningError, Rule};
use crate::search::{Answer, Control, Request, SearchProgress};

/// An event for the main loop.
pub(super) enum Event {
    /// A line came in at this time.
    Line(RawLine, Instant),
    /// No more lines will come.
    InputEnd,
    /// A progress report of the running search.
    Progress(SearchProgress),
    /// The running search is over.
    Finished(Engine, SearchOutcome),
}

/// The outcome of a job.
pub(super) enum SearchOutcome {
    /// The search's answer.
    Answer(Answer),
    /// The decision of swap2.
    Choice(Result<Swap2Choice, OpeningError>),
    /// The decision of Soosõrv-8.
    Soosorv(Result<RifChoice, OpeningError>),
}

/// What the thinking thread is to do.
pub(super) enum Work {
    /// Build what a search under the rule needs, so that the first move does not wait for it.
    Prepare(Rule),
    Think(Box<SearchJob>),
}

/// A question for the engine.
pub(super) struct SearchJob {
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
    /// The next move of a game, with the file in which lost games are remembered.
    Move(Request, Style, Option<PathBuf>),
    Search(Request),
    Opening {
        question: Swap2Question,
        request: Request,
    },
    Soosorv {
        question: RifQuestion,
        request: Request,
    },
}
