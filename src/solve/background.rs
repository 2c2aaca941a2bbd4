//! A search on a thread of its own: how it stands, its end on request, and its answer.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::budget::SolverControl;
use super::solution::{Solution, SolverError, SolverProgress, ThreatSpace};
use super::solver::{Solver, ensure_open};
use crate::board::Stones;
use crate::rules::Rule;

/// Stack of the thread in bytes. A line of play can be as long as the board has cells, with a few hundred bytes
/// for each ply.
const STACK: usize = 16 << 20;

/// How long [`SolverHandle::progress`] waits for news before it tells the count of nodes anew.
const BEAT: Duration = Duration::from_millis(200);

impl Solver {
    /// Begins to look for a win of the side to move on a thread of its own.
    ///
    /// ```
    /// use kagetsu::{Game, Rule, Size, Solver, SolverLimits};
    ///
    /// let mut game = Game::new(Rule::Standard, Size::square(15));
    /// for point in ["h8", "h9", "i9", "g7", "i7", "j8"] {
    ///     game.play(point.parse()?)?;
    /// }
    ///
    /// let limits = SolverLimits { memory: 16 << 20, ..SolverLimits::default() };
    /// let search = Solver::new(limits).start(game.rule(), game.stones())?;
    /// for progress in search.progress() {
    ///     println!("{}: {} nodes, {} plies", progress.space, progress.nodes, progress.depth);
    ///     if progress.nodes > 1_000 {
    ///         search.stop();
    ///     }
    /// }
    /// let solution = search.wait();
    /// assert!(solution.nodes > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A game that is over, and [`SolverError::NoThread`] if the system gives no thread.
    pub fn start(&self, rule: Rule, stones: &Stones) -> Result<SolverHandle, SolverError> {
        ensure_open(rule, stones)?;
        let control = Arc::new(SolverControl::default());
        let (news, told) = mpsc::channel();
        let (solver, stones, shared) = (self.clone(), stones.clone(), Arc::clone(&control));
        let search = move || {
            solver.run(rule, &stones, &shared, &mut |progress| {
                // Nobody has to listen.
                let _ = news.send(progress);
            })
        };
        let thread = thread::Builder::new().name("solver".to_owned()).stack_size(STACK).spawn(search);
        let thread = thread.map_err(|error| SolverError::NoThread(error.kind()))?;
        Ok(SolverHandle { control, told, started: Instant::now(), thread: Some(thread) })
    }
}

/// A search in the background. When the handle is dropped the search is stopped, and its thread is gone
/// afterwards.
#[derive(Debug)]
pub struct SolverHandle {
    control: Arc<SolverControl>,
    told: Receiver<SolverProgress>,
    started: Instant,
    /// There until the search was waited for.
    thread: Option<JoinHandle<Solution>>,
}

impl SolverHandle {
    /// How the search stands: an iterator that waits for news, says at least five times a second how many nodes
    /// were searched, and ends with the search.
    pub fn progress(&self) -> impl Iterator<Item = SolverProgress> {
        let space = ThreatSpace::Vcf;
        let mut last = SolverProgress { space, nodes: 0, depth: 1, numbers: None, elapsed: Duration::ZERO };
        std::iter::from_fn(move || {
            match self.told.recv_timeout(BEAT) {
                Ok(news) => last = news,
                Err(RecvTimeoutError::Timeout) => {
                    last.nodes = last.nodes.max(self.control.nodes.load(Ordering::Relaxed));
                    last.elapsed = self.started.elapsed();
                }
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            Some(last)
        })
    }

    /// Asks the search to end; it does within a millisecond or so, and then says what it has found out.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// What [`SolverHandle::stop`] does, as a function for another thread or the handler of a signal.
    pub fn stopper(&self) -> impl Fn() + Clone + Send + Sync + use<> {
        let control = Arc::clone(&self.control);
        move || control.stop()
    }

    /// Whether [`SolverHandle::wait`] would return at once.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the answer.
    ///
    /// # Panics
    /// If the search did, which would be a mistake in it.
    #[must_use]
    pub fn wait(mut self) -> Solution {
        let thread = self.thread.take().expect("only this takes it");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for SolverHandle {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // A panic has been reported on its own thread already.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
#[path = "background_tests.rs"]
mod tests;
