//! How a job is ended from outside.

use crate::search::Control;
use crate::solve::SolverControl;

/// What a job and those who wait for it share: the wish that it ends.
#[derive(Debug, Default)]
pub struct JobControl {
    pub(super) search: Control,
    pub(super) solver: SolverControl,
}

impl JobControl {
    /// A control that asks nothing.
    #[must_use]
    pub fn new() -> JobControl {
        JobControl::default()
    }

    /// Ends the job soon; it answers with what it has.
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
