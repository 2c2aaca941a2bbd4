//! Games that many threads make at once, passed on in the order of their numbers, whichever finish first.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use anyhow::Context;
use parking_lot::Mutex;
use rayon::ThreadPoolBuilder;

use super::record::TrainingGame;

/// Makes the games of one thread. Each game depends on its number, and not on which games were made before.
pub(super) trait Maker {
    /// The game with this number.
    fn make(&mut self, number: u32) -> TrainingGame;
}

/// Makes the games with these numbers on this many threads, each with its own maker, and passes them to `sink` in
/// order. Begins no more games when `stop` is set or `sink` fails. Games in progress are finished all the same; after
/// `stop` they are passed on too, after an error of `sink` they are not. Returns the makers.
///
/// # Errors
/// Those of `sink`, or if the system provides no threads.
pub(super) fn make_all<M: Maker + Send>(
    numbers: Range<u32>,
    threads: usize,
    stop: &AtomicBool,
    maker: impl Fn() -> M + Sync,
    sink: impl FnMut(TrainingGame) -> anyhow::Result<()> + Send,
) -> anyhow::Result<Vec<M>> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|n| format!("games {n}"))
        .build()
        .context("starting the threads")?;
    let next = AtomicU32::new(numbers.start);
    let failed = AtomicBool::new(false);
    let games = Mutex::new(InOrder { next: numbers.start, waiting: BTreeMap::new(), sink, error: None });
    let makers = pool.broadcast(|_| {
        let mut maker = maker();
        while !stop.load(Relaxed) && !failed.load(Relaxed) {
            let number = next.fetch_add(1, Relaxed);
            if !numbers.contains(&number) {
                break;
            }
            let game = maker.make(number);
            let mut games = games.lock();
            games.push(game);
            failed.fetch_or(games.error.is_some(), Relaxed);
        }
        maker
    });
    match games.into_inner().error {
        Some(error) => Err(error),
        None => Ok(makers),
    }
}

/// Passes games on in the order of their numbers.
struct InOrder<F> {
    next: u32,
    waiting: BTreeMap<u32, TrainingGame>,
    sink: F,
    error: Option<anyhow::Error>,
}

impl<F: FnMut(TrainingGame) -> anyhow::Result<()>> InOrder<F> {
    fn push(&mut self, game: TrainingGame) {
        self.waiting.insert(game.number, game);
        while self.error.is_none()
            && let Some(game) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            self.error = (self.sink)(game).err();
        }
    }
}
