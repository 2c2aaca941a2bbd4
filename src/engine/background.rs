//! A search on a thread of its own, for programs that have to keep running meanwhile, such as a graphical board or a
//! server.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};

use super::core::Engine;
use super::question::Question;
use crate::board::Stones;
use crate::rules::Rule;
use crate::search::{Answer, Control, Request, SearchProgress, TimeControl};

/// Stack of a thread that runs an engine, in bytes; touched only as far as a search recurses.
pub(crate) const THINKING_STACK: usize = 32 << 20;

impl Engine {
    /// Starts to answer the request for the side to move on a thread of its own. [`SearchHandle::wait`] hands the
    /// engine back with the answer.
    ///
    /// ```
    /// use kagetsu::{DEFAULT_MEMORY, Engine, Game, Limits, Request, Rule, SearchProgress, Size};
    ///
    /// let game = Game::new(Rule::Freestyle, Size::square(15));
    /// let request = Request::best(Limits { depth: Some(6), ..Limits::default() });
    /// let search = Engine::new(1, DEFAULT_MEMORY).start(game.rule(), game.stones(), request)?;
    /// for progress in search.progress() {
    ///     if let SearchProgress::Line { line, .. } = progress {
    ///         println!("depth {}: {}", line.depth, line.points[0]);
    ///     }
    /// }
    /// let (engine, answer) = search.wait();
    /// assert!(game.check(answer.moves[0]).is_ok());
    /// # drop(engine);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The system cannot start a thread; the engine is then lost.
    ///
    /// # Panics
    /// If the board is full.
    pub fn start(mut self, rule: Rule, stones: &Stones, request: Request) -> io::Result<SearchHandle> {
        assert!(!stones.is_full(), "there is no move on a full board");
        let control = Arc::new(Control::new());
        let (sender, reports) = channel();
        let (stones, remote) = (stones.clone(), Arc::clone(&control));
        let think = move || {
            let report = |progress| {
                // It does not matter whether anyone listens.
                let _ = sender.send(progress);
            };
            let question = Question::new(rule, &stones, &request, &remote);
            let answer = self.think(&Question { report: &report, ..question });
            drop(sender);
            (self, answer)
        };
        let thread = thread::Builder::new().name("background search".to_owned()).stack_size(THINKING_STACK);
        Ok(SearchHandle { control, reports, thread: Some(thread.spawn(think)?) })
    }
}

/// A search in the background. Dropping the handle stops the search and waits for its thread to end.
#[derive(Debug)]
pub struct SearchHandle {
    control: Arc<Control>,
    reports: Receiver<SearchProgress>,
    /// `None` once the search has been waited for.
    thread: Option<JoinHandle<(Engine, Answer)>>,
}

impl SearchHandle {
    /// Ends the search soon; it answers with the best move that it has found.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Replaces the time control of the search; the time already used counts.
    pub fn set_time(&self, time: TimeControl) {
        self.control.set_time(time);
    }

    /// Progress reports as they arrive: a blocking iterator that ends with the search.
    pub fn progress(&self) -> impl Iterator<Item = SearchProgress> + '_ {
        self.reports.iter()
    }

    /// The progress reports that have already arrived, without waiting.
    pub fn new_progress(&self) -> impl Iterator<Item = SearchProgress> + '_ {
        self.reports.try_iter()
    }

    /// Whether [`SearchHandle::wait`] would return at once.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the answer, and hands the engine back with it.
    ///
    /// # Panics
    /// If the search panicked outside of what [`Engine::think`] catches, which would be a bug.
    #[must_use]
    pub fn wait(mut self) -> (Engine, Answer) {
        let thread = self.thread.take().expect("only this method takes the thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.control.stop();
        if let Some(thread) = self.thread.take() {
            // A panic has been reported on its own thread already.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Size};
    use crate::engine::DEFAULT_MEMORY;
    use crate::search::Limits;

    #[test]
    fn news_stream_and_the_search_can_be_stopped() {
        // On an empty board there is nothing to search.
        let mut stones = Stones::new(Size::square(15));
        stones.place(stones.size().center(), Color::Black);
        let request = Request::best(Limits { depth: Some(100), ..Limits::default() });
        let engine = Engine::new(1, DEFAULT_MEMORY);
        let search = engine.start(Rule::Standard, &stones, request.clone()).unwrap();
        let first = search.progress().next();
        assert_eq!(first, Some(SearchProgress::IterationStarted { depth: 1 }));
        assert!(!search.is_finished());
        search.stop();
        let (engine, answer) = search.wait();
        assert!(stones.is_empty_at(answer.moves[0]));
        // The engine can be used again, and a handle that is dropped ends its search.
        drop(engine.start(Rule::Standard, &stones, request).unwrap());
    }
}
