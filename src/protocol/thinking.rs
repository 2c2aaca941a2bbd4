//! The thread that thinks, while the loop listens.
//!
//! Work goes in and comes back as events of the loop, with the engine that has done it. Knows no text and nothing of
//! the game but what a job holds.

use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::messages::{Ask, Event, Job, Outcome, Work};
use crate::engine::Engine;
use crate::search::Report;

/// Stack of the thinking thread in bytes; touched only as far as a search recurses.
const THINKING_STACK: usize = 32 << 20;

/// Starts the thread. It ends when the sender that comes back is dropped.
pub(super) fn spawn_thinking_thread(events: SyncSender<Event>) -> io::Result<SyncSender<Work>> {
    let (jobs, queue) = sync_channel::<Work>(1);
    let think = move || {
        for work in queue {
            let job = match work {
                Work::Prepare(rule) => {
                    Engine::prepare(rule);
                    continue;
                }
                Work::Think(job) => *job,
            };
            let (engine, outcome) = carry_out(job, &events);
            if events.send(Event::Finished(engine, outcome)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("thinking".to_owned()).stack_size(THINKING_STACK).spawn(think)?;
    Ok(jobs)
}

/// Asks the engine what the job wants to know.
fn carry_out(job: Job, events: &SyncSender<Event>) -> (Engine, Outcome) {
    let Job { mut engine, threads, memory, rule, stones, ask, control, detail } = job;
    let report = |news: Report| {
        let wanted = match news {
            Report::Line { .. } => detail.realtime || detail.lines,
            _ => detail.realtime,
        };
        // Never waits: news that find no room are dropped, a search is not held up.
        if wanted {
            let _ = events.try_send(Event::Report(news));
        }
    };
    engine.set_memory(memory);
    engine.set_threads(threads);
    let outcome = match ask {
        Ask::Search(request) => Outcome::Answer(engine.think(rule, &stones, &request, &control, &report)),
        Ask::Opening { question, limits, started } => {
            Outcome::Choice(engine.decide(question, rule, &stones, limits, started, &control))
        }
    };
    (engine, outcome)
}
