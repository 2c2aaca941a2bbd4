//! A search on a thread of its own: its progress, its end on request, and its result.

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

/// Stack size of the thread in bytes. A line of play can be as long as the board has cells, and each ply takes a few
/// hundred bytes.
const STACK: usize = 16 << 20;

/// How long [`SolverHandle::progress`] waits for a report before it repeats the last one with a new node count.
const BEAT: Duration = Duration::from_millis(200);

impl Solver {
    /// Starts a search for a forced win of the side to move on a thread of its own.
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
    /// A game that is over, or [`SolverError::NoThread`] if the system cannot start a thread.
    pub fn start(&self, rule: Rule, stones: &Stones) -> Result<SolverHandle, SolverError> {
        ensure_open(rule, stones)?;
        let control = Arc::new(SolverControl::default());
        let (sender, reports) = mpsc::channel();
        let (solver, stones, shared) = (self.clone(), stones.clone(), Arc::clone(&control));
        let search = move || {
            solver.run(rule, &stones, &shared, &mut |progress| {
                // It does not matter whether anyone listens.
                let _ = sender.send(progress);
            })
        };
        let thread = thread::Builder::new().name("solver".to_owned()).stack_size(STACK).spawn(search);
        let thread = thread.map_err(|error| SolverError::NoThread(error.kind()))?;
        Ok(SolverHandle { control, reports, started: Instant::now(), thread: Some(thread) })
    }
}

/// A search in the background. Dropping the handle stops the search and waits for its thread to end.
#[derive(Debug)]
pub struct SolverHandle {
    control: Arc<SolverControl>,
    reports: Receiver<SolverProgress>,
    started: Instant,
    /// `None` once the search has been waited for.
    thread: Option<JoinHandle<Solution>>,
}

impl SolverHandle {
    /// Progress reports: a blocking iterator that yields the node count at least five times a second and ends with the
    /// search.
    pub fn progress(&self) -> impl Iterator<Item = SolverProgress> {
        let space = ThreatSpace::Vcf;
        let mut last = SolverProgress { space, nodes: 0, depth: 1, numbers: None, elapsed: Duration::ZERO };
        std::iter::from_fn(move || {
            match self.reports.recv_timeout(BEAT) {
                Ok(progress) => last = progress,
                Err(RecvTimeoutError::Timeout) => {
                    last.nodes = last.nodes.max(self.control.nodes.load(Ordering::Relaxed));
                    last.elapsed = self.started.elapsed();
                }
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            Some(last)
        })
    }

    /// Asks the search to stop. It does so within a millisecond or so, and then returns what it has found out.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The same as [`SolverHandle::stop`], as a function for another thread or a signal handler.
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
    /// If the search panicked, which would be a bug.
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
