//! How a running job is stopped from outside.

use crate::search::Control;
use crate::solve::SolverControl;

/// The stop request that a job shares with those who wait for it.
#[derive(Debug, Default)]
pub struct JobControl {
    pub(super) search: Control,
    pub(super) solver: SolverControl,
}

impl JobControl {
    /// A control that does not ask for a stop.
    #[must_use]
    pub fn new() -> JobControl {
        JobControl::default()
    }

    /// Asks the job to stop soon; it answers with what it has found so far.
    pub fn stop(&self) {
        self.search.stop();
        self.solver.stop();
    }

    /// Whether [`JobControl::stop`] was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.search.is_stopped()
    }
}
