//! Where and how a shard is done, and what doing it returns.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use super::manifest::ShardOutcome;
use crate::arena::stop::Stop;
use crate::arena::watchdog::Watchdog;

/// Where and how a shard is done. None of this changes what comes of it, except for the values to tune around.
#[derive(Clone, Debug)]
pub struct ShardEnvironment {
    /// Games played at the same time.
    pub threads: usize,
    /// Where the programs that play are on this machine, if not where the job says.
    pub programs: Option<PathBuf>,
    /// Where the games to be rescored are, if not where the job says.
    pub data: Option<PathBuf>,
    /// The values to tune around; if `None`, they follow from the shards that are done.
    pub given: Option<Vec<f64>>,
    /// Kills engines if this process dies.
    pub watchdog: Option<Arc<Watchdog>>,
    /// The request to end early.
    pub stop_request: StopRequest,
}

#[cfg(test)]
impl ShardEnvironment {
    /// One thread, and everything else where and as the job says.
    pub(super) fn of_the_job() -> ShardEnvironment {
        ShardEnvironment {
            threads: 1,
            programs: None,
            data: None,
            given: None,
            watchdog: None,
            stop_request: StopRequest::default(),
        }
    }
}

/// A request to end early, in the two forms in which the work checks for it.
#[derive(Clone, Debug, Default)]
pub struct StopRequest {
    /// For matches.
    pub stop: Arc<Stop>,
    /// For everything else.
    pub flag: Arc<AtomicBool>,
}

impl StopRequest {
    /// Requests the end.
    pub fn interrupt(&self) {
        self.stop.interrupt();
        self.flag.store(true, SeqCst);
    }

    /// Whether the end was requested.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.flag.load(SeqCst)
    }
}

/// What doing a shard returns: the names of its files in the folder, and its outcome. `None` if it was interrupted.
pub(super) type ShardOutput = Option<(Vec<String>, ShardOutcome)>;
