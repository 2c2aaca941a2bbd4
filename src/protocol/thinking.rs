//! The thread that thinks, while the loop listens.
//!
//! Work goes in and comes back as events of the loop, with the thinker that has done it. Knows no text and nothing
//! of the game but what a job holds.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use log::error;

use super::serve::{Event, Options};
use crate::board::{Size, Stones};
use crate::opening::{Choice, Decision, Question};
use crate::rules::Rule;
use crate::search::{Answer, Control, Limits, Report, Request};
use crate::session::Detail;
use crate::thinker::Thinker;

/// Stack of the thinking thread in bytes; touched only as far as a search recurses.
const THINKING_STACK: usize = 32 << 20;

/// What came of a job.
pub(super) enum Outcome {
    /// The search's answer; `None` if it panicked.
    Answer(Option<Answer>),
    /// The opening's decision; `None` if it panicked.
    Choice(Option<Choice>),
}

/// What the thinking thread is to do.
pub(super) enum Work<T> {
    /// Build what a search under the rule needs, so that the first move does not wait for it.
    Prepare(Rule),
    Think(Box<Job<T>>),
}

/// A question for the thinker.
pub(super) struct Job<T> {
    pub thinker: T,
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

/// Starts the thread. It ends when the sender that comes back is dropped.
pub(super) fn spawn_thinking_thread<T: Thinker>(
    events: SyncSender<Event<T>>,
    options: Options,
) -> io::Result<SyncSender<Work<T>>> {
    let (jobs, queue) = sync_channel::<Work<T>>(1);
    let think = move || {
        let mut thread = Thinking { options, searched: None, events };
        for work in queue {
            let job = match work {
                Work::Prepare(rule) => {
                    T::prepare(rule);
                    continue;
                }
                Work::Think(job) => *job,
            };
            let (thinker, outcome) = thread.work(job);
            if thread.events.send(Event::Finished(thinker, outcome)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("thinking".to_owned()).stack_size(THINKING_STACK).spawn(think)?;
    Ok(jobs)
}

/// The thinking thread: what the thinker was last told, and where its news go.
struct Thinking<T> {
    options: Options,
    /// Rule and size of what the hash table holds.
    searched: Option<(Rule, Size)>,
    events: SyncSender<Event<T>>,
}

impl<T: Thinker> Thinking<T> {
    fn work(&mut self, job: Job<T>) -> (T, Outcome) {
        let Job { mut thinker, threads, memory, rule, stones, ask, control, detail } = job;
        let report = |news: Report| {
            let wanted = match news {
                Report::Line { .. } => detail.realtime || detail.lines,
                _ => detail.realtime,
            };
            // Never waits: news that find no room are dropped, a search is not held up.
            if wanted {
                let _ = self.events.try_send(Event::Report(news));
            }
        };
        let searched = Some((rule, stones.size()));
        let is_opening = matches!(ask, Ask::Opening { .. });
        // The thinker is used again after a panic: its tables hold numbers that every search checks.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            if memory != self.options.memory {
                thinker.set_memory(memory);
            }
            if threads != self.options.threads {
                thinker.set_threads(threads);
            }
            if self.searched.is_some() && self.searched != searched {
                thinker.clear_table();
            }
            match ask {
                Ask::Search(request) => {
                    Outcome::Answer(Some(thinker.think(rule, &stones, &request, &control, &report)))
                }
                Ask::Opening { question, limits, started } => {
                    let thinker = &mut thinker;
                    let decision =
                        Decision { thinker, rule, stones: &stones, limits, started, control: &control };
                    Outcome::Choice(Some(decision.decide(question)))
                }
            }
        }));
        self.options = Options { threads, memory };
        self.searched = searched;
        let outcome = outcome.unwrap_or_else(|_| {
            error!("the search panicked; a makeshift move is played");
            if is_opening { Outcome::Choice(None) } else { Outcome::Answer(None) }
        });
        (thinker, outcome)
    }
}
