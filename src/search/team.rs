//! The workers of one search, and how they are set to work together.

use std::sync::Arc;

use rayon::ThreadPool;

use super::params::PARALLEL_FROM;
use super::progress::SearchProgress;
use super::root_search::RootSearch;
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::rules::RuleSet;

/// The workers of a search and the pool they run in, which is `None` for a single worker.
pub(super) struct Team<'t, 'a, R: RuleSet, E: Evaluator<R>> {
    pub workers: &'t mut [Worker<'a, R, E>],
    pub pool: Option<&'t ThreadPool>,
}

impl<R: RuleSet, E: Evaluator<R>> Team<'_, '_, R, E> {
    /// Lets the workers search, the first of them on this thread. Shallow root searches are too short to be shared.
    pub(super) fn run(
        &mut self,
        root: &Arc<RootSearch>,
        depth: u32,
        report: &(dyn Fn(SearchProgress) + Sync),
    ) {
        match self.pool {
            Some(pool) if depth >= PARALLEL_FROM => pool.scope(|scope| {
                let (first, others) = self.workers.split_first_mut().expect("a team has a worker");
                for worker in others {
                    scope.spawn(|_| worker.search_root(root, report));
                }
                first.search_root(root, report);
            }),
            _ => self.workers[0].search_root(root, report),
        }
    }

    /// Does work that consists of consecutive root searches on a thread of the pool, so that none has to be woken for
    /// the first worker each time.
    pub(super) fn on_pool<T: Send>(&mut self, work: impl FnOnce(&mut Self) -> T + Send) -> T {
        match self.pool {
            Some(pool) => pool.install(|| work(self)),
            None => work(self),
        }
    }

    /// Nodes searched by all workers.
    pub(super) fn nodes(&mut self) -> u64 {
        self.workers.iter_mut().map(Worker::flush_nodes).max().unwrap_or(0)
    }
}
