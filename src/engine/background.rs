//! A search on a thread of its own, for programs that have to keep running meanwhile, such as a graphical board
//! or a server.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};

use super::core::Engine;
use crate::board::Stones;
use crate::rules::Rule;
use crate::search::{Answer, Control, Report, Request, TimeControl};

/// Stack of a thread that runs an engine, in bytes; touched only as far as a search recurses.
pub(crate) const THINKING_STACK: usize = 32 << 20;

/// A running search. Dropping it stops the search without waiting for it to end.
///
/// ```
/// use kagetsu::engine::{Background, DEFAULT_MEMORY};
/// use kagetsu::{Engine, Game, Limits, Report, Request, Rule, Size};
///
/// let game = Game::new(Rule::Freestyle, Size::square(15));
/// let request = Request::best(Limits { depth: Some(6), ..Limits::default() });
/// let search = Background::start(Engine::new(1, DEFAULT_MEMORY), game.rule(), game.stones(), request)?;
/// for report in search.reports() {
///     if let Report::Line { line, .. } = report {
///         println!("depth {}: {}", line.depth, line.points[0]);
///     }
/// }
/// let (engine, answer) = search.wait();
/// assert!(game.check(answer.moves[0]).is_ok());
/// # drop(engine);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Background {
    control: Arc<Control>,
    reports: Receiver<Report>,
    thread: Option<JoinHandle<(Engine, Answer)>>,
}

impl Background {
    /// Starts to answer the request for the side to move; the engine is handed back with the answer.
    ///
    /// # Errors
    /// The system cannot start a thread; the engine is then lost.
    ///
    /// # Panics
    /// If the board is full.
    pub fn start(
        mut engine: Engine,
        rule: Rule,
        stones: &Stones,
        request: Request,
    ) -> io::Result<Background> {
        assert!(!stones.is_full(), "there is no move on a full board");
        let control = Arc::new(Control::new());
        let (sender, reports) = channel();
        let (stones, remote) = (stones.clone(), Arc::clone(&control));
        let think = move || {
            // The reports need no receiver.
            let answer = engine.think(rule, &stones, &request, &remote, &|report| {
                let _ = sender.send(report);
            });
            drop(sender);
            (engine, answer)
        };
        let thread = thread::Builder::new().name("background search".to_owned()).stack_size(THINKING_STACK);
        Ok(Background { control, reports, thread: Some(thread.spawn(think)?) })
    }

    /// Ends the search soon; it answers with the best move that it has found.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Replaces the time control of the search; the time already used counts.
    pub fn set_time(&self, time: TimeControl) {
        self.control.set_time(time);
    }

    /// The reports as they arrive, until the search is over.
    pub fn reports(&self) -> impl Iterator<Item = Report> + '_ {
        self.reports.iter()
    }

    /// The reports that have already arrived, without waiting.
    pub fn new_reports(&self) -> impl Iterator<Item = Report> + '_ {
        self.reports.try_iter()
    }

    /// Whether the answer is available.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the answer, and hands the engine back with it.
    #[must_use]
    pub fn wait(mut self) -> (Engine, Answer) {
        let thread = self.thread.take().expect("only this method takes the thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.control.stop();
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
        let search = Background::start(engine, Rule::Standard, &stones, request.clone()).unwrap();
        let first = search.reports().next();
        assert_eq!(first, Some(Report::IterationStarted { depth: 1 }));
        assert!(!search.is_finished());
        search.stop();
        let (engine, answer) = search.wait();
        assert!(stones.is_empty_at(answer.moves[0]));
        // The engine can be used again, and a search that nobody waits for comes to an end.
        drop(Background::start(engine, Rule::Standard, &stones, request).unwrap());
    }
}
