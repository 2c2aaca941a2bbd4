//! The workers of one search, and how they are set to work together.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use rayon::ThreadPool;

use super::params::{PARALLEL_FROM, TOGETHER};
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
    /// Lets the workers search, the first of them on this thread. Shallow root searches are too short to be shared. If
    /// there are too many workers to search one iteration together, the others search the next one meanwhile: what they
    /// leave in the transposition table settles nodes of this iteration, and of the next.
    pub(super) fn run(
        &mut self,
        root: &Arc<RootSearch>,
        depth: u32,
        report: &(dyn Fn(SearchProgress) + Sync),
    ) {
        let Some(pool) = self.pool.filter(|_| depth >= PARALLEL_FROM) else {
            return self.workers[0].search_root(root, report);
        };
        let (together, ahead) = self.workers.split_at_mut(self.workers.len().min(TOGETHER));
        let (first, others) = together.split_first_mut().expect("a team has a worker");
        let next = Arc::new(root.next_iteration());
        pool.scope(|scope| {
            for worker in others {
                scope.spawn(|_| worker.search_root(root, report));
            }
            for worker in ahead {
                scope.spawn(|_| worker.search_root(&next, &|_| {}));
            }
            first.search_root(root, report);
            next.end();
        });
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
        for worker in self.workers.iter_mut() {
            worker.flush_nodes();
        }
        self.workers[0].shared.nodes.load(Relaxed)
    }
}
