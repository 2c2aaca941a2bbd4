//! The thread that thinks, while the loop listens.
//!
//! It takes work and returns the results as events for the main loop, together with the engine. It knows no text, and
//! nothing of the game but what a job holds.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, SyncSender, channel};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use super::messages::{Ask, Event, SearchJob, SearchOutcome, Work};
use crate::engine::{Engine, Question, THINKING_STACK, guarded};
use crate::experience::{Learner, StoreError};
use crate::levels::choose;
use crate::rules::OpeningRule;
use crate::search::SearchProgress;

/// How long it waits for other work before it prepares for a rule. Managers send START and their settings at once, the
/// rule among them, and the move that they wait for may follow.
const PREPARATION_DELAY: Duration = Duration::from_millis(2);

/// Starts the thread. It ends when the sender that is returned is dropped.
pub(super) fn spawn_thinking_thread(
    events: SyncSender<Event>,
    experience_file: Arc<Mutex<ExperienceFile>>,
) -> io::Result<Sender<Work>> {
    // The main loop must not wait for a place in the queue. There are never many: one job, and before it rules to
    // prepare for, of which those that have others behind them are skipped.
    let (jobs, queue) = channel::<Work>();
    let think = move || {
        let mut next: Option<Work> = None;
        while let Some(work) = next.take().or_else(|| queue.recv().ok()) {
            let job = match work {
                Work::Prepare(rule) => {
                    next = queue.recv_timeout(PREPARATION_DELAY).ok();
                    if next.is_none() {
                        // A search would hit the same panic, and answers for it.
                        let _ = guarded(|| Engine::prepare(rule));
                    }
                    continue;
                }
                Work::Think(job) => *job,
            };
            let (engine, outcome) = carry_out(job, &experience_file, &events);
            if events.send(Event::Finished(engine, outcome)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("thinking".to_owned()).stack_size(THINKING_STACK).spawn(think)?;
    Ok(jobs)
}

/// The learner that remembers lost games, and its experience file.
#[derive(Debug, Default)]
pub(super) struct ExperienceFile {
    /// The file that is not opened again: the learner's, or one that is no experience file.
    path: Option<PathBuf>,
    learner: Option<Arc<Learner>>,
    /// The file that could not be used, which is logged once.
    failed: Option<PathBuf>,
}

impl ExperienceFile {
    /// The learner for this file; `None` without a file or if it cannot be used. One that is held by another program,
    /// or cannot be read or written at the moment, is tried again at the next search.
    fn learner(&mut self, path: Option<PathBuf>) -> Option<Arc<Learner>> {
        // A move waits once for another program to let go of the file, and not again at every search.
        let open = if self.failed == path { Learner::open_at_once } else { Learner::open };
        self.learner_by(path, open)
    }

    /// The same for the main loop, which must not wait.
    pub(super) fn learner_at_once(&mut self, path: Option<PathBuf>) -> Option<Arc<Learner>> {
        self.learner_by(path, Learner::open_at_once)
    }

    fn learner_by(
        &mut self,
        path: Option<PathBuf>,
        open: impl FnOnce(&Path) -> Result<Learner, StoreError>,
    ) -> Option<Arc<Learner>> {
        if self.path != path {
            (self.path, self.learner) = (None, None);
            match path.as_deref().map(open) {
                None => {}
                Some(Ok(learner)) => {
                    (self.path, self.learner, self.failed) = (path, Some(Arc::new(learner)), None);
                }
                Some(Err(error)) => {
                    if self.failed != path {
                        log::error!("lost games are not remembered: {error}");
                        self.failed.clone_from(&path);
                    }
                    if matches!(error, StoreError::Format(..)) {
                        self.path = path;
                    }
                }
            }
        }
        self.learner.clone()
    }
}

/// Runs a job on the engine.
fn carry_out(
    job: SearchJob,
    experience_file: &Mutex<ExperienceFile>,
    events: &SyncSender<Event>,
) -> (Engine, SearchOutcome) {
    let SearchJob { mut engine, threads, memory, rule, stones, ask, control, detail } = job;
    let report = |news: SearchProgress| {
        let wanted = match news {
            SearchProgress::Line { .. } => detail.realtime || detail.lines,
            _ => detail.realtime,
        };
        // Never blocks: reports that do not fit into the queue are dropped, so that the search is not held up.
        if wanted {
            let _ = events.try_send(Event::Progress(news));
        }
    };
    engine.set_memory(memory);
    engine.set_threads(threads);
    let outcome = match ask {
        Ask::Move(request, style, path) => {
            let question = Question { report: &report, ..Question::new(rule, &stones, &request, &control) };
            let learner = experience_file.lock().learner(path);
            let choose = || match &learner {
                Some(learner) => learner.choose(&mut engine, &style, &question),
                None => choose(&mut engine, &style, &question),
            };
            // The engine catches panics in its own searches; one around them costs the style of a move, not the game.
            SearchOutcome::Answer(guarded(choose).unwrap_or_else(|cause| {
                log::error!("a move could not be chosen as asked: {cause}; the engine's best is played");
                engine.think(&question)
            }))
        }
        Ask::Search(request) => {
            let question = Question { report: &report, ..Question::new(rule, &stones, &request, &control) };
            SearchOutcome::Answer(engine.think(&question))
        }
        Ask::Soosorv { question, request } => {
            let opening = OpeningRule::Soosorv8;
            SearchOutcome::Soosorv(engine.decide_rif(opening, &question, &stones, &request, &control))
        }
        Ask::Opening { question, request } => {
            SearchOutcome::Choice(engine.decide_swap2(question, rule, &stones, &request, &control))
        }
    };
    (engine, outcome)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs::File;

    use super::*;
    use crate::files::{beside, lock};

    #[test]
    fn an_experience_file_is_tried_again_unless_it_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("losses.exp");
        let held = File::create(beside(&path, ".lock")).unwrap();
        assert!(lock::try_hold(&held).unwrap());
        let mut file = ExperienceFile::default();
        assert!(file.learner(Some(path.clone())).is_none(), "another program holds it");
        assert_eq!(file.failed, Some(path.clone()));
        drop(held);
        assert!(file.learner(Some(path.clone())).is_some());
        assert_eq!(file.failed, None);

        assert!(file.learner(None).is_none());
        std::fs::write(&path, "something else\n").unwrap();
        assert!(file.learner(Some(path.clone())).is_none());
        std::fs::remove_file(&path).unwrap();
        assert!(file.learner(Some(path.clone())).is_none(), "it was judged already");
    }
}
