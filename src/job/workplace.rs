//! Where and how a shard is done, and what is handed back.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use super::seal::ShardOutcome;
use crate::arena::stop::Stop;
use crate::arena::watchdog::Watchdog;

/// Where and how a shard is done. None of this changes what comes of it.
#[derive(Clone, Debug)]
pub struct Workplace {
    /// Games at a time.
    pub threads: usize,
    /// Where the programs that play are on this machine, if not where the job says.
    pub programs: Option<PathBuf>,
    /// Where the games to be rescored are, if not where the job says.
    pub data: Option<PathBuf>,
    /// The values to tune around; without them they follow from the shards that are done.
    pub given: Option<Vec<f64>>,
    /// Kills engines if this process dies.
    pub watchdog: Option<Arc<Watchdog>>,
    /// The wish to end early.
    pub wish: Wish,
}

/// The wish that work ends early, in the two forms in which it is looked for.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// For matches.
    pub stop: Arc<Stop>,
    /// For everything else.
    pub flag: Arc<AtomicBool>,
}

impl Wish {
    /// Asks for the end.
    pub fn interrupt(&self) {
        self.stop.interrupt();
        self.flag.store(true, SeqCst);
    }

    /// Whether it was asked for.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.flag.load(SeqCst)
    }
}

/// What the kinds of work hand back: the names of the files in the folder, and what came of it. `None` if somebody
/// wanted the end.
pub(super) type Product = Option<(Vec<String>, ShardOutcome)>;
